//! The progress bar.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use idx_data::Source;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, WeakProgressBar};

use crate::term::text::PathText;

/// Work shorter than this shows no bar.
const LONG: Duration = Duration::from_secs(1);

/// Bytes between two updates of the bar: reading the clock takes longer than reading a small record.
const STEP: u64 = 64 * 1024;

// The name comes last and is truncated, so that the bar takes one line.
const WITH_END: &str = "{bar:20} {percent:>3} %, {binary_bytes_per_sec}, {eta} left  {wide_msg}";
const WITHOUT_END: &str = "{spinner} {binary_bytes}, {binary_bytes_per_sec}  {wide_msg}";
const OF_PICTURES: &str =
    "{bar:20} {percent:>3} %, {pos} of {len} pictures, {eta} left  {wide_msg}";

static QUIET: AtomicBool = AtomicBool::new(false);

/// Hides all progress from now on.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

pub(crate) fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// The progress of a file: a bar on the error stream, if that is a terminal and the work is long.
///
/// The bar is removed when this is dropped, so that messages start on a new line.
pub(crate) struct Progress {
    path: PathBuf,
    bar: ProgressBar,
    start: Instant,
    /// The bytes done, and the part of them that the bar does not show yet.
    done: u64,
    pending: u64,
    /// True if records are counted instead of bytes.
    counts_records: bool,
}

/// Returns the size of the records in bytes, if it is known before reading.
pub(crate) fn size(source: &Source) -> Option<u64> {
    source.facts().count?.checked_mul(source.facts().layout.record_size()?)
}

impl Progress {
    /// Starts the progress of a file of this size in bytes, if it is known.
    pub(crate) fn new(path: &Path, size: Option<u64>) -> Self {
        Self::start(path, size, size.map_or(WITHOUT_END, |_| WITH_END))
    }

    fn start(path: &Path, size: Option<u64>, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(PathText::from(path).to_string());
        Self {
            path: path.to_path_buf(),
            bar,
            start: Instant::now(),
            done: 0,
            pending: 0,
            counts_records: template == OF_PICTURES,
        }
    }

    /// Starts the progress of these records, which come from this path or go there. Pictures are counted, because the
    /// bytes of a record do not show how long reading it takes.
    pub(crate) fn of(path: &Path, source: &Source) -> Self {
        let facts = source.facts();
        match facts.count.filter(|_| facts.are_pictures) {
            Some(pictures) => Self::start(path, Some(pictures), OF_PICTURES),
            None => Self::new(path, size(source)),
        }
    }

    /// Adds the bytes of a record.
    pub(crate) fn advance_record(&mut self, bytes: u64) {
        self.advance(if self.counts_records { 1 } else { bytes });
    }

    /// Adds finished bytes.
    pub(crate) fn advance(&mut self, bytes: u64) {
        self.done += bytes;
        self.pending += bytes;
        if self.pending < STEP && !self.counts_records {
            return;
        }
        if self.bar.is_hidden() && self.start.elapsed() >= LONG && !is_quiet() {
            *shown() = Some(self.bar.downgrade());
            // The bar stays hidden if the error stream is not a terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(self.pending);
        self.pending = 0;
    }

    /// Sets the number of finished bytes of a file. Files have their bars one after the other.
    pub(crate) fn reach(&mut self, path: &Path, bytes: u64, size: u64) {
        if self.path == path && self.done <= bytes {
            self.advance(bytes - self.done);
            return;
        }
        *self = Self::new(path, Some(size));
        self.done = bytes;
        self.bar.set_position(bytes);
        // Bytes of an earlier download do not count for the rate.
        self.bar.reset_eta();
    }

    /// Prints something in place of the bar.
    #[cfg(feature = "fetch")]
    pub(crate) fn pause(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }
}

/// Returns the bar that was shown last.
fn shown() -> MutexGuard<'static, Option<WeakProgressBar>> {
    static SHOWN: Mutex<Option<WeakProgressBar>> = Mutex::new(None);
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the bar from its line, when the program ends.
#[cfg(unix)]
pub(crate) fn clear() {
    let bar = shown().as_ref().and_then(WeakProgressBar::upgrade);
    bar.inspect(ProgressBar::finish_and_clear);
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
