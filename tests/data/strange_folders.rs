//! Untrusted folders: a file name may be that of a pipe, or of an endless device.

#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, thread};

use idx_data::Error;
use idx_data::dataset::{CheckedFile, DataSetFiles, Mnist};
use idx_std::Reader;
#[cfg(feature = "fetch")]
use idx_tests::names;
use idx_tests::{file, named_pipe};

const IMAGES: &str = "train-images-idx3-ubyte";
const LABELS: &str = "train-labels-idx1-ubyte";
const TEST_IMAGES: &str = "t10k-images-idx3-ubyte";
const TEST_LABELS: &str = "t10k-labels-idx1-ubyte";

/// A small data set.
fn fill(folder: &Path) {
    for name in [IMAGES, TEST_IMAGES] {
        fs::write(folder.join(name), file(0x08, &[2, 28, 28], &[1; 2 * 784])).unwrap();
    }
    for name in [LABELS, TEST_LABELS] {
        fs::write(folder.join(name), file(0x08, &[2], &[0, 1])).unwrap();
    }
}

/// Returns the result of the work, and fails after 20 seconds, because a read from a pipe may wait forever.
fn in_time<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> R {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    let result = receiver.recv_timeout(Duration::from_secs(20));
    result.expect("nothing waits")
}

fn assert_not_regular(error: &Error) {
    assert_eq!(error.kind().code(), "not_a_regular_file", "{error}");
    assert!(error.path().unwrap().ends_with(LABELS), "{error}");
}

#[test]
fn no_pipe_is_waited_for_and_no_device_is_read() {
    let device = |path: &Path| symlink("/dev/zero", path).unwrap();
    for put in [&named_pipe as &dyn Fn(&Path), &device] {
        let folder = tempfile::tempdir().unwrap();
        fill(folder.path());
        let labels = folder.path().join(LABELS);
        fs::remove_file(&labels).unwrap();
        put(&labels);

        let path = folder.path().to_path_buf();
        assert_not_regular(&in_time(|| Mnist::open(path).unwrap_err()));

        let path = folder.path().to_path_buf();
        let errors: Vec<Error> = in_time(|| {
            let data_sets = DataSetFiles::find(path).unwrap();
            let results = data_sets[0].check(|_, _, _| ());
            results.into_iter().filter_map(Result::err).collect()
        });
        assert_eq!(errors.len(), 1);
        assert_not_regular(&errors[0]);

        let images = folder.path().join(IMAGES);
        let reader = Reader::open(&images).unwrap();
        let images = CheckedFile::read(images, reader, |_| ()).unwrap();
        assert_not_regular(&in_time(move || images.find_labels().unwrap_err()));
    }
}

#[test]
#[cfg(feature = "fetch")]
fn a_download_takes_regular_files_only() {
    use idx_data::dataset::{DataSet, FetchOptions, fetch};

    let published = "train-images-idx3-ubyte.gz";
    let folder = tempfile::tempdir().unwrap();
    named_pipe(&folder.path().join(published));
    let path = folder.path().to_path_buf();
    let options = FetchOptions::new().known_mirrors(false);
    let error = in_time(move || fetch(DataSet::Mnist, path, &options, |_| ()).unwrap_err());
    assert_eq!(error.kind().code(), "not_a_regular_file", "{error}");
    assert_eq!(names(folder.path()), [published]);
}

#[test]
fn links_to_files_and_folders_under_the_names_of_files() {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path());
    let labels = folder.path().join(LABELS);
    fs::rename(&labels, folder.path().join("elsewhere")).unwrap();
    symlink("elsewhere", &labels).unwrap();
    assert_eq!(Mnist::open(folder.path()).unwrap().training.len(), 2);

    // Failed before: the labels were said to be missing, or the images had none.
    fs::remove_file(&labels).unwrap();
    symlink("nothing", &labels).unwrap();
    let error = Mnist::open(folder.path()).unwrap_err();
    assert!(error.path().unwrap().ends_with(LABELS), "{error}");
    let images = folder.path().join(IMAGES);
    let images = CheckedFile::read(images.clone(), Reader::open(images).unwrap(), |_| ()).unwrap();
    let error = images.find_labels().unwrap_err();
    assert!(error.path().unwrap().ends_with(LABELS), "{error}");

    // As in Kaggle's archive of MNIST.
    fs::remove_file(&labels).unwrap();
    fs::create_dir(&labels).unwrap();
    let error = Mnist::open(folder.path()).unwrap_err();
    assert_eq!(error.kind().code(), "missing_file", "{error}");
    let other = LABELS.replace("-idx1", ".idx1");
    fs::rename(folder.path().join("elsewhere"), folder.path().join(other)).unwrap();
    assert_eq!(Mnist::open(folder.path()).unwrap().training.len(), 2);
}
