//! A logger that runs for days. Whatever stops it, the readings that it committed are in the file, and
//! other programs can read it meanwhile. Started again, it continues the file.
//!
//!     cargo run -p idx-std --example logger -- log.idx

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use std::{env, thread};

use idx_std::{ErrorKind, IdxRecord, RecordWriter, repair};

#[derive(IdxRecord, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    pub(crate) seconds: f64,
    pub(crate) celsius: f64,
}

/// The time between commits: readings of at most this time are lost if the power fails.
const COMMIT_EVERY: Duration = Duration::from_secs(1);

/// Opens the log, or creates it at the first start. After a power failure, it removes what was not committed, because
/// the disk may have zeros there.
pub(crate) fn open(path: &Path) -> Result<RecordWriter<Reading>, idx_std::Error> {
    if !path.exists() {
        RecordWriter::<Reading>::create(path)?.finish()?;
    }
    match RecordWriter::append(path) {
        Err(error) if matches!(error.kind(), ErrorKind::TrailingBytes { .. }) => {
            // What was not committed may be zeros after a power failure.
            let repair = repair(path)?.keep_counted();
            eprintln!("{error}; now: {repair}");
            repair.write()?;
            RecordWriter::append(path)
        }
        opened => opened,
    }
}

/// Logs readings as they come, and commits them when it is time.
pub(crate) fn log(
    path: &Path,
    readings: impl Iterator<Item = Reading>,
    commit_every: Duration,
) -> Result<(), idx_std::Error> {
    let mut log = open(path)?;
    let mut committed = Instant::now();
    for reading in readings {
        log.push(&reading)?;
        if committed.elapsed() >= commit_every {
            log.commit()?;
            committed = Instant::now();
        }
    }
    log.finish().map(drop)
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: logger FILE")?;
    let readings = (0u32..).map(|count| {
        thread::sleep(Duration::from_millis(100)); // the sensor's time
        Reading {
            seconds: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0.0, |time| time.as_secs_f64()),
            celsius: 20.0 + (f64::from(count) / 100.0).sin(),
        }
    });
    Ok(log(path.as_ref(), readings, COMMIT_EVERY)?)
}
