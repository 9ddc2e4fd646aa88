use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// How many results each thread may be ahead, so that memory does not grow with the number of pictures.
const AHEAD: usize = 16;

/// Threads that process a list in advance, and return the results in the order of the list.
pub(super) struct Workers<I, O> {
    work: Arc<Work<I, O>>,
    /// A channel for each thread; they take turns. Empty before the first result is taken.
    running: Vec<Receiver<O>>,
    /// The index at which they started, and that of the next result.
    start: usize,
    next: usize,
}

struct Work<I, O> {
    inputs: Vec<I>,
    function: Box<dyn Fn(&I) -> O + Send + Sync>,
}

impl<I: Send + Sync + 'static, O: Send + 'static> Workers<I, O> {
    pub(super) fn new(inputs: Vec<I>, function: impl Fn(&I) -> O + Send + Sync + 'static) -> Self {
        let function = Box::new(function);
        Self {
            work: Arc::new(Work { inputs, function }),
            running: Vec::new(),
            start: 0,
            next: 0,
        }
    }

    pub(super) fn input(&self, index: usize) -> Option<&I> {
        self.work.inputs.get(index)
    }

    /// The result for this element of the list; `None` after the last one, or if its thread panicked. Without
    /// gaps it is ready soon; after a gap the threads start anew.
    pub(super) fn result(&mut self, index: usize) -> Option<O> {
        if self.running.is_empty() || index != self.next {
            self.run(index);
        }
        self.next = index + 1;
        let turn = (index - self.start) % self.running.len().max(1);
        let Some(results) = self.running.get(turn) else {
            // The system cannot start a thread.
            return self.work.at(index);
        };
        let result = results.recv().ok();
        if result.is_none() {
            self.running.clear();
        }
        result
    }

    fn run(&mut self, start: usize) {
        self.start = start;
        self.running.clear();
        let threads = thread::available_parallelism().map_or(1, usize::from);
        for first in start..start + threads {
            let (sender, receiver) = sync_channel(AHEAD);
            let work = Arc::clone(&self.work);
            let turns = (first..).step_by(threads);
            let thread = thread::Builder::new().spawn(move || work.send(turns, &sender));
            match thread {
                Ok(_) => self.running.push(receiver),
                Err(_) => return self.running.clear(),
            }
        }
    }
}

impl<I, O> Work<I, O> {
    fn at(&self, index: usize) -> Option<O> {
        self.inputs.get(index).map(|input| (self.function)(input))
    }

    /// Ends when nobody receives the results any more.
    fn send(&self, turns: impl Iterator<Item = usize>, results: &SyncSender<O>) {
        for result in turns.map_while(|index| self.at(index)) {
            if results.send(result).is_err() {
                break;
            }
        }
    }
}
