//! Downloads from local servers, well-behaved and not.

use std::fs;
use std::path::{Path, PathBuf};

use idx_data::Error;
use idx_data::dataset::{DataSet, FetchEvent, FetchOptions, fetch};
use idx_tests::mirror::{Manner, Mirror};
use idx_tests::names;
use sha2::{Digest, Sha256};

/// The folder with MNIST as it is published.
pub(crate) fn published(test: &str) -> Option<PathBuf> {
    let file = idx_tests::real_data(test, "mnist/t10k-labels-idx1-ubyte.gz")?;
    file.parent().map(Path::to_path_buf)
}

pub(crate) fn options(mirrors: &[&Mirror]) -> FetchOptions {
    let mirrors: Vec<String> = mirrors.iter().map(|mirror| mirror.address().into()).collect();
    FetchOptions::new().known_mirrors(false).mirrors(mirrors)
}

/// Fetches MNIST, and returns the reported failures of mirrors.
fn fetch_mnist(
    folder: &Path,
    options: &FetchOptions,
) -> (Result<Vec<PathBuf>, Error>, Vec<String>) {
    let mut failures = Vec::new();
    let fetched = fetch(DataSet::Mnist, folder, options, |event| match event {
        FetchEvent::MirrorFailed { address, reason } => {
            failures.push(format!("{address} {reason}"))
        }
        FetchEvent::Received { bytes, size, .. } => assert!(0 < bytes && bytes <= size),
        _ => unreachable!("there is no other event"),
    });
    (fetched, failures)
}

pub(crate) fn assert_whole(folder: &Path, published: &Path) {
    let files = DataSet::Mnist.remote_files();
    for file in &files {
        assert_eq!(
            fs::read(folder.join(file.name)).unwrap(),
            fs::read(published.join(file.name)).unwrap()
        );
    }
    assert_eq!(names(folder).len(), files.len(), "no litter");
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
    assert_eq!(failures, Vec::<String>::new());
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
fn a_bad_mirror_is_named_and_the_next_one_asked() {
    let Some(published) = published("a_bad_mirror_is_named_and_the_next_one_asked") else {
        return;
    };
    let good = Mirror::start(&published, Manner::Well);
    for (manner, expected) in [
        (Manner::Refuses(403), "answered 403 Forbidden"),
        (Manner::Refuses(503), "answered 503 Service Unavailable"),
        (Manner::WebPage, "gave a web page instead of the file (after 0 of 9912422 bytes)"),
        (
            Manner::Changed,
            "gave another file, whose SHA-256 is not the published one (after 9912422 of 9912422 bytes)",
        ),
        (
            Manner::TooMuch,
            "gave another file, whose SHA-256 is not the published one (after 9912423 of 9912422 bytes)",
        ),
        (
            Manner::BreaksOff(3_000_000),
            "broke off: Peer disconnected (after 3000000 of 9912422 bytes)",
        ),
        (Manner::BreaksOff(0), "broke off: Peer disconnected (after 0 of 9912422 bytes)"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let bad = Mirror::start(&published, manner);
        let (fetched, failures) = fetch_mnist(folder.path(), &options(&[&bad, &good]));
        fetched.unwrap();
        assert_whole(folder.path(), &published);
        let address = format!("{}train-images-idx3-ubyte.gz", bad.address());
        assert_eq!(failures[0], format!("{address} {expected}"), "{manner:?}");
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
    assert_eq!(error.kind().code(), "fetch_failed", "{error}");
    let sentence = error.to_string();
    let start = folder.path().join("train-images-idx3-ubyte.gz");
    assert!(sentence.starts_with(&format!("{}: no mirror gave this file: ", start.display())));
    for part in [
        format!("{}train-images-idx3-ubyte.gz answered 403 Forbidden; ", refusing.address()),
        format!(
            "{}train-images-idx3-ubyte.gz gave a web page instead of the file (after 0 of 9912422 bytes); ",
            page.address()
        ),
        format!("{}train-images-idx3-ubyte.gz ", silent.address()),
    ] {
        assert!(sentence.contains(&part), "{sentence}");
    }
    assert!(sentence.ends_with("; try again later, or specify another mirror"));
    assert_eq!(names(folder.path()), Vec::<String>::new(), "no litter");

    // Failed before: new folders stayed, and were empty.
    fetch_mnist(&folder.path().join("new/mnist"), &options(&[&refusing])).0.unwrap_err();
    assert_eq!(names(folder.path()), Vec::<String>::new());
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
    assert_eq!(error.kind().code(), "file_conflict", "{error}");
    assert_eq!(error.path(), Some(&*path));
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(mirror.requests(), Vec::<String>::new());

    let overwriting = options(&[&mirror]).overwrite(true);
    fetch_mnist(folder.path(), &overwriting).0.unwrap();
    assert_whole(folder.path(), &published);
}

/// The archive is too large for a test; the extraction is tested next to its code.
#[test]
fn an_archive_is_verified_before_it_is_opened() {
    let served = tempfile::tempdir().unwrap();
    fs::write(served.path().join("gzip.zip"), b"PK\x03\x04").unwrap();
    let mirror = Mirror::start(served.path(), Manner::Well);
    let folder = tempfile::tempdir().unwrap();
    let options = options(&[&mirror]);
    let fetched = fetch(DataSet::EmnistLetters, folder.path(), &options, |_| ());
    let error = fetched.unwrap_err();
    assert_eq!(error.kind().code(), "fetch_failed", "{error}");
    let reason =
        "gave another file, whose SHA-256 is not the published one (after 4 of 561753746 bytes)";
    let failure = format!(" {}gzip.zip {reason}; ", mirror.address());
    assert!(error.kind().to_string().contains(&failure), "{error}");
    assert_eq!(mirror.requests(), ["gzip.zip"]);
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

#[test]
fn the_hash_of_the_labels_of_qmnist_is_right() {
    let name = "qmnist-test-labels-idx2-int.gz";
    let test = "the_hash_of_the_labels_of_qmnist_is_right";
    let Some(labels) = idx_tests::real_data(test, &format!("qmnist/{name}")) else {
        return;
    };
    let labels = fs::read(labels).unwrap();
    let mut files = DataSet::Qmnist.remote_files().into_iter();
    let published = files.find(|file| file.name == name).unwrap();
    let hash: String = Sha256::digest(&labels).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((labels.len() as u64, &*hash), (published.size, published.sha256));
}

/// Tries files that would be read with those of the data set, but have other content.
#[test]
fn nothing_else_is_read_with_the_files() {
    let Some(published) = published("nothing_else_is_read_with_the_files") else {
        return;
    };
    let mirror = Mirror::start(&published, Manner::Well);
    let images = idx_tests::file(8, &[2, 28, 28], &[7; 2 * 784]);
    let labels = idx_tests::file(8, &[2], &[1, 0]);
    for (name, content) in [
        ("train-images-idx3-ubyte", &images),
        ("t10k-images.idx3-ubyte.gz", &idx_tests::gzip(&images)),
        ("t10k-labels-idx1-ubyte", &labels),
        ("train-labels-idx2-int", &labels),
        ("train-classes.txt", &b"cat\ndog\n".to_vec()),
        ("classes.txt", &b"cat\ndog\n".to_vec()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), content).unwrap();
        for overwrite in [false, true] {
            let options = options(&[&mirror]).overwrite(overwrite);
            let error = fetch_mnist(folder.path(), &options).0.unwrap_err();
            assert_eq!(error.path(), Some(&*folder.path().join(name)));
            assert!(error.to_string().contains("this file is not of MNIST"), "{error}");
            assert_eq!(names(folder.path()), [name]);
        }
    }
    assert_eq!(mirror.requests(), Vec::<String>::new());
    // Files that were unpacked from the published ones may stay, and so may a list of the same names.
    let folder = tempfile::tempdir().unwrap();
    for name in ["t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"] {
        let packed = idx_std::open(published.join(format!("{name}.gz"))).unwrap();
        fs::write(folder.path().join(name), packed.into_bytes()).unwrap();
    }
    fs::write(folder.path().join("classes.txt"), "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n").unwrap();
    fetch_mnist(folder.path(), &options(&[&mirror])).0.unwrap();
    assert_eq!(names(folder.path()).len(), 7);
}

/// Older records that would be read with the files get neither labels nor class names.
#[test]
fn no_other_records_are_read_with_the_files() {
    let table = b"label,a\n0,1\n1,3\n".to_vec();
    let images = idx_tests::file(8, &[2, 1, 1, 3], &[7; 6]);
    for (data_set, records, content, file) in [
        (DataSet::FashionMnist, "train.csv", &table, "classes.txt"),
        (DataSet::Mnist, "train-images-idx4-ubyte", &images, "train-labels-idx1-ubyte.gz"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(records), content).unwrap();
        let error = fetch(data_set, folder.path(), &options(&[]), |_| ()).unwrap_err();
        assert_eq!(error.path(), Some(&*folder.path().join(file)), "{error}");
        let text = error.to_string();
        assert!(text.contains(&format!("{records} would be read with this new file")), "{text}");
        assert_eq!(names(folder.path()), [records]);
    }
}
