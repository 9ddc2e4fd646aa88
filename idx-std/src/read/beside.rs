//! Decompresses records while another thread works on earlier ones.

use std::io::Read;
use std::sync::mpsc::{channel, sync_channel};
use std::thread::{self, Builder};

use crate::error::Error;
use crate::read::reader::Reader;
use crate::threads;

/// The smallest payload for a second thread: on a smaller one it saves less than a millisecond.
const MIN_SIZE: u64 = 2 << 20;

/// The number of bytes to pass at a time: whole elements, and little memory for all pieces together.
const PIECE_SIZE: usize = 64 * 1024;

/// The maximum number of pieces that wait for the thread: with fewer, the two threads wait for each other more often.
const WAITING: usize = 3;

impl<R: Read> Reader<R> {
    /// Passes all remaining records to both functions, in order and several at a time. `work` runs on a second thread
    /// if the file is gzip and large, and there is a second core. It gets whole elements, but maybe parts of records.
    ///
    /// Reading a plain file is too fast for a second thread to help.
    ///
    /// # Errors
    ///
    /// The first error of reading the records.
    pub fn read_beside(
        &mut self,
        work: &mut (impl FnMut(&[u8]) + Send),
        mut on_records: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        let is_long = self.is_gzip() && self.header().payload_size() >= MIN_SIZE;
        // Last, because counting the cores takes as long as reading a small file.
        if is_long && threads::count(None).get() > 1 {
            thread::scope(|scope| {
                let (give, given) = sync_channel::<Vec<u8>>(WAITING);
                let (give_back, used) = channel();
                let work = &mut *work;
                let run = move || {
                    for piece in given {
                        work(&piece);
                        // After the last piece, nobody needs it.
                        let _ = give_back.send(piece);
                    }
                };
                if Builder::new().spawn_scoped(scope, run).is_err() {
                    return Ok::<_, Error>(());
                }
                while let Some(records) = self.next_records().transpose()? {
                    for elements in records.chunks(PIECE_SIZE) {
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
        // Without the thread this reads all records; after it none are left.
        while let Some(records) = self.next_records().transpose()? {
            records.chunks(PIECE_SIZE).for_each(&mut *work);
            on_records(records);
        }
        Ok(())
    }
}
