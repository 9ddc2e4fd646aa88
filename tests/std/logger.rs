//! The example `logger`: it is killed and continues.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[expect(dead_code, reason = "it has a `main` of its own")]
#[path = "../../idx-std/examples/logger.rs"]
mod example;

use example::Reading;

/// The path, in a process that a test starts to log there.
const ROLE: &str = "IDX_TEST_EXAMPLE";

/// The maximum time that it takes to start and to write.
const MAX_WAIT: Duration = Duration::from_secs(30);

fn readings(path: &Path) -> Vec<Reading> {
    let file = idx_std::open(path).unwrap();
    let readings = file.records::<Reading>().unwrap();
    readings.iter().collect()
}

#[test]
fn it_is_killed_and_goes_on() {
    const TEST: &str = "logger::it_is_killed_and_goes_on";
    if let Some(path) = std::env::var_os(ROLE) {
        let path = Path::new(&path);
        // Continues to count where the log ends.
        let logged = example::open(path).map(|log| drop(log.finish().unwrap()));
        logged.unwrap();
        let first = readings(path).len() as u32;
        let readings =
            (first..).map(|count| Reading { seconds: count.into(), celsius: -f64::from(count) });
        example::log(path, readings, Duration::from_micros(200)).unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.idx");
    let mut before = 0;
    let mut grown = 0;
    let size = || std::fs::metadata(&path).map_or(0, |file| file.len());
    for round in 0..20 {
        let size_before = size();
        let mut logger = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", TEST])
            .env(ROLE, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Wait until it has written something, which takes long on a busy machine.
        let started = Instant::now();
        let is_due = || started.elapsed() < MAX_WAIT;
        while size() <= size_before && is_due() && logger.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(round * 7 % 31));
        logger.kill().unwrap();
        logger.wait().unwrap();
        assert!(size() > size_before || is_due(), "it wrote nothing");
        // Open the log as the next start does.
        drop(example::open(&path).unwrap());
        let readings = readings(&path);
        for (count, reading) in readings.iter().enumerate() {
            assert_eq!(reading.seconds, count as f64);
            assert_eq!(reading.celsius, -(count as f64));
        }
        assert!(readings.len() >= before, "{} of {before}", readings.len());
        grown += usize::from(readings.len() > before);
        before = readings.len();
    }
    assert!(grown > 5, "{grown}");
}
