use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What takes less time than this shows no bar.
const LONG: Duration = Duration::from_secs(1);

const TEMPLATE: &str = "{msg}  {bar:30}  {percent} %, {per_sec}, {eta} left";

/// How far a file is done: a bar on the error stream, if that is a terminal and the work is long.
///
/// The bar is gone when this is dropped, so that messages come on a line of their own.
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    /// Records that the bar does not know of yet, and how many it is told at a time: to look at the
    /// clock takes longer than to read a small record.
    untold: u64,
    step: u64,
}

impl Progress {
    pub(crate) fn new(path: &Path, records: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(records), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        bar.set_message(path.display().to_string());
        Self {
            bar,
            start: Instant::now(),
            untold: 0,
            step: records / 1000,
        }
    }

    /// So many records more are done.
    pub(crate) fn advance(&mut self, records: u64) {
        self.untold += records;
        if self.untold < self.step {
            return;
        }
        if self.bar.is_hidden() && self.start.elapsed() >= LONG {
            // Hidden all the same where the error stream is no terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(self.untold);
        self.untold = 0;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
