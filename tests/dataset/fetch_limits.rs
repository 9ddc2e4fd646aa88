//! Simultaneous downloads, and mirrors that would stall them for ever.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use idx_std::dataset::{DataSet, Error, ErrorKind, FetchEvent, FetchOptions, fetch};
use idx_tests::mirror::{Manner, Mirror};

use crate::fetch::{assert_whole, names_in, options, published};

const NAME: &str = "train-images-idx3-ubyte.gz";

#[test]
fn a_second_download_leaves_the_first_alone() {
    let Some(published) = published("a_second_download_leaves_the_first_alone") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(&published, Manner::Well);
    let (arrived, first_bytes) = mpsc::channel();
    let (go_on, wait) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let first = scope.spawn(|| {
            let wait = wait;
            fetch(DataSet::Mnist, folder.path(), &options(&[&mirror]), |event| {
                if matches!(event, FetchEvent::Received { bytes: 1.., .. }) {
                    arrived.send(()).unwrap();
                    let _ = wait.recv();
                }
            })
        });
        first_bytes.recv().unwrap();
        let second = fetch(DataSet::Mnist, folder.path(), &options(&[&mirror]), |_| ());
        let error = second.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::DownloadUnderWay), "{error}");
        assert_eq!(error.path(), Some(&*folder.path().join(NAME)));
        drop(go_on);
        first.join().unwrap().unwrap();
    });
    assert_whole(folder.path(), &published);
}

/// A download that opened the part of another one just before that became the verified file must not
/// write to it.
#[test]
fn many_downloads_at_once_give_whole_files() {
    let Some(published) = published("many_downloads_at_once_give_whole_files") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(&published, Manner::Well);
    let download = || loop {
        match fetch(DataSet::Mnist, folder.path(), &options(&[&mirror]), |_| ()) {
            Err(error) if matches!(error.kind(), ErrorKind::DownloadUnderWay) => {
                thread::yield_now()
            }
            fetched => break fetched,
        }
    };
    thread::scope(|scope| {
        let downloads: Vec<_> = (0..4).map(|_| scope.spawn(download)).collect();
        for download in downloads {
            assert_eq!(download.join().unwrap().unwrap().len(), 4);
        }
    });
    assert_whole(folder.path(), &published);
    assert_eq!(mirror.requests().len(), 4, "each file was requested once");
}

/// Fetches from one mirror; returns the reason of the failure.
fn reason(options: &FetchOptions, folder: &std::path::Path) -> String {
    let error: Error = fetch(DataSet::Mnist, folder, options, |_| ()).unwrap_err();
    match error.into_kind() {
        ErrorKind::FetchFailed { failures, .. } => failures[0].reason.clone(),
        other => panic!("{other}"),
    }
}

#[test]
fn a_mirror_that_stalls_is_given_up() {
    let Some(published) = published("a_mirror_that_stalls_is_given_up") else {
        return;
    };
    for (manner, expected, kept) in [
        (Manner::FallsSilent(0), "sent nothing for 500ms after 0 of 9912422 bytes", 0),
        (Manner::FallsSilent(5000), "sent nothing for 500ms after 5000 of 9912422 bytes", 5000),
        (Manner::Drips(0), "is too slow: ", 1),
        // The bytes at the start do not pay for the rest.
        (Manner::Drips(1_000_000), "is too slow: ", 1_000_000),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mirror = Mirror::start(&published, manner);
        let start = Instant::now();
        let limited = options(&[&mirror]).stall_limit(Duration::from_millis(500));
        let reason = reason(&limited, folder.path());
        assert!(reason.starts_with(expected), "{manner:?}: {reason}");
        assert!(start.elapsed() < Duration::from_secs(20), "{manner:?}");
        // The next download resumes from the bytes that arrived.
        let partial = folder.path().join(format!("{NAME}.partial"));
        let len = partial.metadata().map_or(0, |metadata| metadata.len());
        assert!(len >= kept, "{manner:?}: {len}");
        let good = Mirror::start(&published, Manner::Well);
        fetch(DataSet::Mnist, folder.path(), &options(&[&good]), |_| ()).unwrap();
        assert_whole(folder.path(), &published);
    }
}

#[test]
fn a_mirror_is_asked_a_hundred_times_at_most() {
    let Some(published) = published("a_mirror_is_asked_a_hundred_times_at_most") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(&published, Manner::BreaksOff(10));
    assert_eq!(reason(&options(&[&mirror]), folder.path()), "interrupted the download 100 times");
    assert_eq!(mirror.requests().len(), 100);
    assert_eq!(names_in(folder.path()), [format!("{NAME}.partial")]);
}

#[test]
fn the_options_start_with_the_known_mirrors() {
    assert_eq!(FetchOptions::default(), FetchOptions::new().known_mirrors(true));
}
