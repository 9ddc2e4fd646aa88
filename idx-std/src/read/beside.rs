//! Reads records while another thread works on those before.

use std::io::Read;
use std::sync::mpsc::{channel, sync_channel};
use std::thread::{self, Builder};

use super::reader::Reader;
use crate::error::Error;
use crate::io::CHUNK_SIZE;

/// Smaller payloads take less time than starting a thread.
const MIN_SIZE: u64 = 4 << 20;

/// The maximum number of pieces that wait for the thread: with fewer, it is waited for and woken more often.
const WAITING: usize = 3;

impl<R: Read> Reader<R> {
    /// Passes all further records to both functions, in order and several at a time: to `work` on a second thread,
    /// if the payload is large and there is a second core. That gets whole elements, which may be parts of records.
    pub(crate) fn read_beside(
        &mut self,
        work: &mut (impl FnMut(&[u8]) + Send),
        mut on_records: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        let has_two_cores = thread::available_parallelism().is_ok_and(|cores| cores.get() > 1);
        if has_two_cores && self.header().payload_size() >= MIN_SIZE {
            thread::scope(|scope| {
                let (give, given) = sync_channel::<Vec<u8>>(WAITING);
                let (give_back, used) = channel();
                let work = &mut *work;
                let run = move || {
                    for piece in given {
                        work(&piece);
                        // After the last piece nobody waits for it.
                        let _ = give_back.send(piece);
                    }
                };
                if Builder::new().spawn_scoped(scope, run).is_err() {
                    return Ok::<_, Error>(());
                }
                while let Some(records) = self.next_records().transpose()? {
                    for elements in records.chunks(CHUNK_SIZE) {
                        let mut piece = used.try_recv().unwrap_or_default();
                        piece.clear();
                        piece.extend_from_slice(elements);
                        if give.send(piece).is_err() {
                            return Ok(()); // `work` panicked, and so does the scope
                        }
                    }
                    on_records(records);
                }
                Ok(())
            })?;
        }
        // All of them without that thread, and none after it.
        while let Some(records) = self.next_records().transpose()? {
            records.chunks(CHUNK_SIZE).for_each(&mut *work);
            on_records(records);
        }
        Ok(())
    }
}
