use std::fmt;
use std::panic::resume_unwind;

use idx_std::IdxRecord;

use super::Labeled;
use crate::Error;
#[cfg(doc)]
use crate::ErrorKind;
use idx_std::__private::threads::Ahead;
use idx_std::ErrorKind as FileErrorKind;

/// Batches that another thread prepares, up to two ahead of the one that is used.
///
/// [`Labeled::prepared_batches`] makes it. A panic of the function that prepares them continues in
/// [`next`](Iterator::next).
pub struct PreparedBatches<B> {
    batches: Ahead<B>,
    left: usize,
}

impl<I: IdxRecord + 'static, L: IdxRecord + 'static> Labeled<I, L> {
    /// Calls `prepare` for each of the [`batches`](Self::batches) and returns the results; another thread
    /// prepares a batch while the one before is used.
    ///
    /// ```
    /// # use idx_std::IdxBuf;
    /// use idx_data::{Labeled, Normalize};
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
        prepare: impl FnMut(Self) -> B + Send + 'static,
    ) -> Result<PreparedBatches<B>, Error> {
        let batches = self.batches(size);
        let left = batches.len();
        let batches = Ahead::start(batches.map(prepare), 1);
        Ok(PreparedBatches { batches: batches.map_err(FileErrorKind::from)?, left })
    }
}

impl<B> Iterator for PreparedBatches<B> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        self.left = self.left.saturating_sub(1);
        let batch = self.batches.next();
        batch.unwrap_or_else(|panic| resume_unwind(panic))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<B> ExactSizeIterator for PreparedBatches<B> {}

impl<B> fmt::Debug for PreparedBatches<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedBatches").field("left", &self.left).finish_non_exhaustive()
    }
}
