use std::fmt;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, JoinHandle};

use idx_core::IdxRecord;

use super::Labeled;
use crate::dataset::error::Error;
#[cfg(doc)]
use crate::dataset::error::ErrorKind;
use crate::error::ErrorKind as FileErrorKind;

/// Batches that another thread prepares, one ahead of the one that is used.
///
/// [`Labeled::prepared_batches`] makes it. A panic of the function that prepares them continues in
/// [`next`](Iterator::next).
pub struct PreparedBatches<B> {
    /// `None` after the last batch.
    batches: Option<Receiver<B>>,
    thread: Option<JoinHandle<()>>,
    left: usize,
}

impl<I: IdxRecord + 'static, L: IdxRecord + 'static> Labeled<I, L> {
    /// Calls `prepare` for each of the [`batches`](Self::batches) and returns the results; another thread
    /// prepares a batch while the one before is used.
    ///
    /// ```
    /// # use idx_std::IdxBuf;
    /// use idx_std::dataset::{Labeled, Normalize};
    /// # let images = [0, 0, 8, 2, 0, 0, 0, 3, 0, 0, 0, 1, 0, 51, 255];
    /// # let labels = [0, 0, 8, 1, 0, 0, 0, 3, 0, 1, 1];
    /// # let set = Labeled::<[u8; 1], u8>::new(
    /// #     IdxBuf::from_bytes(images)?,
    /// #     IdxBuf::from_bytes(labels)?,
    /// # )?;
    ///
    /// let prepare = |batch: Labeled<_, _>| (batch.pixels(Normalize::UNIT), batch.one_hot(0..=1));
    /// for (pixels, targets) in set.prepared_batches(2, prepare)? {
    ///     assert_eq!(targets?.len(), 2 * pixels?.len());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::File`] if the system starts no thread.
    pub fn prepared_batches<B: Send + 'static>(
        &self,
        size: usize,
        mut prepare: impl FnMut(Self) -> B + Send + 'static,
    ) -> Result<PreparedBatches<B>, Error> {
        let all = self.clone();
        let (sender, batches) = sync_channel(1);
        let run = move || {
            for batch in all.batches(size) {
                if sender.send(prepare(batch)).is_err() {
                    return; // nobody waits for more
                }
            }
        };
        let thread = thread::Builder::new().spawn(run);
        Ok(PreparedBatches {
            batches: Some(batches),
            thread: Some(thread.map_err(FileErrorKind::from)?),
            left: self.batches(size).len(),
        })
    }
}

impl<B> PreparedBatches<B> {
    /// Waits for the thread, and returns whether it ran to its end.
    fn join(&mut self) -> thread::Result<()> {
        // Otherwise the thread could wait for room.
        self.batches = None;
        self.thread.take().map_or(Ok(()), JoinHandle::join)
    }
}

impl<B> Iterator for PreparedBatches<B> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        let batch = self
            .batches
            .as_ref()
            .and_then(|batches| batches.recv().ok());
        self.left = self.left.saturating_sub(1);
        if batch.is_none()
            && let Err(panic) = self.join()
        {
            resume_unwind(panic);
        }
        batch
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<B> ExactSizeIterator for PreparedBatches<B> {}

impl<B> Drop for PreparedBatches<B> {
    fn drop(&mut self) {
        // A panic in a batch that nobody asked for is not passed on.
        let _ = self.join();
    }
}

impl<B> fmt::Debug for PreparedBatches<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedBatches")
            .field("left", &self.left)
            .finish_non_exhaustive()
    }
}
