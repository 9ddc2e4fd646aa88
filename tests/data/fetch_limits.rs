//! Simultaneous downloads, and mirrors that would stall them forever.

use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

use idx_data::dataset::{DataSet, FetchOptions, fetch};
use idx_tests::mirror::{Manner, Mirror};
use idx_tests::names;

use crate::fetch::{assert_whole, options, published};

#[test]
fn many_downloads_at_once_give_whole_files() {
    let Some(published) = published("many_downloads_at_once_give_whole_files") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(&published, Manner::Well);
    let download = || fetch(DataSet::Mnist, folder.path(), &options(&[&mirror]), |_| ());
    thread::scope(|scope| {
        let downloads: Vec<_> = (0..4).map(|_| scope.spawn(download)).collect();
        for download in downloads {
            assert_eq!(download.join().unwrap().unwrap().len(), 4);
        }
    });
    assert_whole(folder.path(), &published);
}

/// A file that appears under the same name during a download is not overwritten.
#[test]
fn a_file_that_appears_meanwhile_stays() {
    let Some(published) = published("a_file_that_appears_meanwhile_stays") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(&published, Manner::Well);
    let path = folder.path().join("train-images-idx3-ubyte.gz");
    let fetched = fetch(DataSet::Mnist, folder.path(), &options(&[&mirror]), |_| {
        fs::write(&path, b"mine").unwrap()
    });
    let error = fetched.unwrap_err();
    assert_eq!(error.kind().code(), "file_conflict", "{error}");
    assert_eq!(error.path(), Some(&*path));
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(names(folder.path()).len(), 1, "no litter");
}

/// Fetches from one mirror; returns the failure.
fn failure(options: &FetchOptions, folder: &Path) -> String {
    let error = fetch(DataSet::Mnist, folder, options, |_| ()).unwrap_err();
    assert_eq!(error.kind().code(), "fetch_failed", "{error}");
    let message = error.kind().to_string();
    let reason = message.strip_prefix("no mirror gave this file: ").unwrap();
    reason.strip_suffix("; try again later, or specify another mirror").unwrap().to_string()
}

#[test]
fn a_mirror_that_stalls_is_given_up() {
    let Some(published) = published("a_mirror_that_stalls_is_given_up") else {
        return;
    };
    let labels = "t10k-labels-idx1-ubyte.gz";
    for (manner, end) in [
        (Manner::FallsSilent(0), "(after 0 of 4542 bytes)"),
        (Manner::FallsSilent(4000), "(after 4000 of 4542 bytes)"),
        // Each byte is in time, but the file is not.
        (Manner::Drips(0), " of 4542 bytes)"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for file in DataSet::Mnist.remote_files().iter().filter(|file| file.name != labels) {
            fs::copy(published.join(file.name), folder.path().join(file.name)).unwrap();
        }
        let mirror = Mirror::start(&published, manner);
        let start = Instant::now();
        let limited = options(&[&mirror]).timeout(Duration::from_millis(500));
        let failure = failure(&limited, folder.path());
        let expected = format!("{}{labels} broke off: timeout: ", mirror.address());
        assert!(failure.starts_with(&expected) && failure.ends_with(end), "{manner:?}: {failure}");
        assert!(start.elapsed() < Duration::from_secs(20), "{manner:?}");
        assert_eq!(names(folder.path()).len(), 3, "no litter");
        let good = Mirror::start(&published, Manner::Well);
        fetch(DataSet::Mnist, folder.path(), &options(&[&good]), |_| ()).unwrap();
        assert_whole(folder.path(), &published);
    }
}

#[test]
fn the_options_start_with_the_known_mirrors() {
    assert_eq!(FetchOptions::default(), FetchOptions::new().known_mirrors(true));
    let folder = tempfile::tempdir().unwrap();
    let options = FetchOptions::new().known_mirrors(false);
    let error = fetch(DataSet::Mnist, folder.path(), &options, |_| ()).unwrap_err();
    assert_eq!(error.kind().code(), "mismatch");
}
