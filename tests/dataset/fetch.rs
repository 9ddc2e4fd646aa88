//! Downloads from servers of this machine, well-behaved and not.

use std::fs;
use std::path::{Path, PathBuf};

use idx_std::dataset::{DataSet, Error, ErrorKind, FetchEvent, FetchOptions, MirrorFailure, fetch};
use idx_tests::mirror::{Manner, Mirror};
use sha2::{Digest, Sha256};

/// The folder with MNIST as it is published.
pub(crate) fn published(test: &str) -> Option<PathBuf> {
    let file = idx_tests::real_data(test, "mnist/t10k-labels-idx1-ubyte.gz")?;
    file.parent().map(Path::to_path_buf)
}

pub(crate) fn options(mirrors: &[&Mirror]) -> FetchOptions {
    let only = FetchOptions::new().known_mirrors(false);
    mirrors.iter().fold(only, |options, mirror| options.mirror(mirror.address()))
}

/// Fetches MNIST, and returns the reported failures of mirrors.
fn fetch_mnist(
    folder: &Path,
    options: &FetchOptions,
) -> (Result<Vec<PathBuf>, Error>, Vec<MirrorFailure>) {
    let mut failures = Vec::new();
    let mut before = (String::new(), 0);
    let fetched = fetch(DataSet::Mnist, folder, options, |event| match event {
        FetchEvent::MirrorFailed(failure) => failures.push(failure.clone()),
        FetchEvent::Received { name, bytes, size } => {
            assert!(bytes <= size);
            before = (name.to_string(), bytes);
        }
        _ => unreachable!("there is no other event"),
    });
    (fetched, failures)
}

pub(crate) fn assert_whole(folder: &Path, published: &Path) {
    let mut names = Vec::new();
    for file in DataSet::Mnist.mirrors().files {
        assert_eq!(
            fs::read(folder.join(file.name)).unwrap(),
            fs::read(published.join(file.name)).unwrap()
        );
        names.push(file.name);
    }
    assert_eq!(names_in(folder).len(), names.len(), "no litter");
}

pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_data_set_comes_whole_and_once() {
    let Some(published) = published("a_data_set_comes_whole_and_once") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(&published, Manner::Well);
    let (fetched, failures) = fetch_mnist(folder.path(), &options(&[&mirror]));
    let fetched = fetched.unwrap();
    assert_eq!(failures, []);
    assert_eq!(fetched.len(), 4);
    assert_whole(folder.path(), &published);
    assert_eq!(idx_std::open(&fetched[3]).unwrap().as_idx().len(), 10_000);

    // The second time nothing is requested.
    assert_eq!(mirror.requests().len(), 4);
    let (again, _) = fetch_mnist(folder.path(), &options(&[&mirror]));
    assert_eq!(again.unwrap(), fetched);
    assert_eq!(mirror.requests().len(), 4);
}

#[test]
fn a_mirror_that_breaks_off_is_asked_for_the_rest() {
    let Some(published) = published("a_mirror_that_breaks_off_is_asked_for_the_rest") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let mirror = Mirror::start(&published, Manner::BreaksOff(3_000_000));
    let (fetched, failures) = fetch_mnist(folder.path(), &options(&[&mirror]));
    fetched.unwrap();
    assert_eq!(failures, []);
    assert_whole(folder.path(), &published);
    let images = "train-images-idx3-ubyte.gz";
    assert_eq!(
        mirror.requests()[..4],
        [
            images.to_string(),
            format!("{images} bytes=3000000-"),
            format!("{images} bytes=6000000-"),
            format!("{images} bytes=9000000-"),
        ]
    );
}

#[test]
fn an_interrupted_download_goes_on_later() {
    let Some(published) = published("an_interrupted_download_goes_on_later") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let name = "train-images-idx3-ubyte.gz";
    let whole = fs::read(published.join(name)).unwrap();
    let partial = folder.path().join(format!("{name}.partial"));
    fs::write(&partial, &whole[..9_000_000]).unwrap();
    let mirror = Mirror::start(&published, Manner::Well);
    fetch_mnist(folder.path(), &options(&[&mirror])).0.unwrap();
    assert_whole(folder.path(), &published);
    assert_eq!(mirror.requests()[0], format!("{name} bytes=9000000-"));

    // A part with wrong content, or one that is too long, starts again.
    for wrong in [vec![0; 9_000_000], vec![0; 10_000_000], vec![0; whole.len()]] {
        let mirror = Mirror::start(&published, Manner::Well);
        fs::remove_file(folder.path().join(name)).unwrap();
        fs::write(&partial, &wrong).unwrap();
        let (fetched, failures) = fetch_mnist(folder.path(), &options(&[&mirror]));
        fetched.unwrap();
        assert_eq!(failures, []);
        assert_whole(folder.path(), &published);
        assert_eq!(mirror.requests().last().unwrap(), name);
    }
}

#[test]
fn a_bad_mirror_is_named_and_the_next_one_asked() {
    let Some(published) = published("a_bad_mirror_is_named_and_the_next_one_asked") else {
        return;
    };
    let good = Mirror::start(&published, Manner::Well);
    for (manner, expected) in [
        (Manner::Refuses(403), "answered 403 Forbidden"),
        (Manner::Refuses(503), "answered 503 Service Unavailable"),
        (Manner::WebPage, "gave a web page in place of the file"),
        (Manner::Changed, "gave another file, whose SHA-256 is not the published one"),
        (Manner::TooMuch, "gave more than the 9912422 bytes of the file"),
        // Without ranges there is no progress beyond the first part.
        (Manner::IgnoresRanges(3_000_000), "ended after 3000000 of 9912422 bytes"),
        (Manner::BreaksOff(0), "ended after 0 of 9912422 bytes"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let bad = Mirror::start(&published, manner);
        let (fetched, failures) = fetch_mnist(folder.path(), &options(&[&bad, &good]));
        fetched.unwrap();
        assert_whole(folder.path(), &published);
        let address = format!("{}train-images-idx3-ubyte.gz", bad.address());
        let failure = (failures[0].address.as_str(), failures[0].reason.as_str());
        assert_eq!(failure, (address.as_str(), expected), "{manner:?}");
    }
}

#[test]
fn without_a_good_mirror_every_reason_is_given() {
    let Some(published) = published("without_a_good_mirror_every_reason_is_given") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let [refusing, page, silent] = [Manner::Refuses(403), Manner::WebPage, Manner::HangsUp]
        .map(|manner| Mirror::start(&published, manner));
    let (fetched, _) = fetch_mnist(folder.path(), &options(&[&refusing, &page, &silent]));
    let error = fetched.unwrap_err();
    let ErrorKind::FetchFailed { failures, .. } = error.kind() else {
        panic!("{error}");
    };
    assert_eq!(failures.len(), 3);
    let sentence = error.to_string();
    let start = folder.path().join("train-images-idx3-ubyte.gz");
    assert!(sentence.starts_with(&format!("{}: no mirror gave this file: ", start.display())));
    for part in [
        format!("{}train-images-idx3-ubyte.gz answered 403 Forbidden; ", refusing.address()),
        format!(
            "{}train-images-idx3-ubyte.gz gave a web page in place of the file; ",
            page.address()
        ),
        format!("{}train-images-idx3-ubyte.gz ", silent.address()),
    ] {
        assert!(sentence.contains(&part), "{sentence}");
    }
    assert!(sentence.ends_with("; try again later, or specify another mirror"));
    assert_eq!(names_in(folder.path()), Vec::<String>::new(), "no litter");
}

#[test]
fn another_file_of_the_name_is_kept_unless_told() {
    let Some(published) = published("another_file_of_the_name_is_kept_unless_told") else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("train-images-idx3-ubyte.gz");
    fs::write(&path, b"mine").unwrap();
    let mirror = Mirror::start(&published, Manner::Well);
    let error = fetch_mnist(folder.path(), &options(&[&mirror])).0.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::FileConflict), "{error}");
    assert_eq!(error.path(), Some(&*path));
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(mirror.requests(), Vec::<String>::new());

    let overwriting = options(&[&mirror]).overwrite(true);
    fetch_mnist(folder.path(), &overwriting).0.unwrap();
    assert_whole(folder.path(), &published);
}

/// The archive is too large for a test; the extraction is tested beside its code.
#[test]
fn an_archive_is_verified_before_it_is_opened() {
    let served = tempfile::tempdir().unwrap();
    fs::write(served.path().join("gzip.zip"), b"PK\x03\x04").unwrap();
    let mirror = Mirror::start(served.path(), Manner::Well);
    let folder = tempfile::tempdir().unwrap();
    let options = options(&[&mirror]);
    let fetched = fetch(DataSet::EmnistLetters, folder.path(), &options, |_| ());
    let error = fetched.unwrap_err();
    let ErrorKind::FetchFailed { failures, .. } = error.kind() else {
        panic!("{error}");
    };
    assert_eq!(failures[0].reason, "ended after 4 of 561753746 bytes");
    assert_eq!(mirror.requests(), ["gzip.zip", "gzip.zip bytes=4-"]);
    assert_eq!(names_in(folder.path()), ["gzip.zip.partial"]);
}

#[test]
fn the_hash_of_the_labels_of_qmnist_is_right() {
    let name = "qmnist-test-labels-idx2-int.gz";
    let test = "the_hash_of_the_labels_of_qmnist_is_right";
    let Some(labels) = idx_tests::real_data(test, &format!("qmnist/{name}")) else {
        return;
    };
    let labels = fs::read(labels).unwrap();
    let files = DataSet::Qmnist.mirrors().files.iter();
    let published = files.clone().find(|file| file.name == name).unwrap();
    let hash: String = Sha256::digest(&labels).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((labels.len() as u64, &*hash), (published.size, published.sha256));
}
