//! `AtomicFile`: a file of any format appears complete or not at all.

use std::fs;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use idx_std::{AtomicFile, Error, ErrorKind};
use idx_tests::names;

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).unwrap();
    file.finish()
}

fn io_kind(error: &Error) -> Option<io::ErrorKind> {
    match error.kind() {
        ErrorKind::Io(error) => Some(error.kind()),
        _ => None,
    }
}

#[test]
fn a_file_appears_when_it_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("classes.txt");
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"Trouser\nT-shirt\n").unwrap();
    file.flush().unwrap();
    assert!(!path.exists());
    file.seek(SeekFrom::Start(0)).unwrap();
    file.write_all(b"T-shirt\nTrouser\n").unwrap();
    assert!(!path.exists());
    file.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"T-shirt\nTrouser\n");
    assert_eq!(names(folder.path()), ["classes.txt"]);
}

#[test]
fn an_old_file_stays_until_the_new_one_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, b"the old one, which is longer").unwrap();
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"the new one").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"the old one, which is longer");
    file.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"the new one");
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn an_unfinished_file_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for old in [None, Some(b"old")] {
        if let Some(old) = old {
            fs::write(&path, old).unwrap();
        }
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(&[7; 100_000]).unwrap();
        drop(file);
        assert_eq!(fs::read(&path).ok(), old.map(|old| old.to_vec()));
        let left: &[&str] = if old.is_some() { &["file"] } else { &[] };
        assert_eq!(names(folder.path()), left);
    }
}

#[test]
fn two_files_of_one_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut first = AtomicFile::create(&path).unwrap();
    let mut second = AtomicFile::create(&path).unwrap();
    first.write_all(b"first").unwrap();
    second.write_all(b"second").unwrap();
    second.finish().unwrap();
    first.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"first");
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn folders_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let error = AtomicFile::create(folder.path()).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Io(error) if error.kind() == io::ErrorKind::IsADirectory),
        "{error}"
    );
    assert_eq!(error.path(), Some(folder.path()));

    let path = folder.path().join("missing/file");
    let error = AtomicFile::create(&path).unwrap_err();
    assert_eq!(io_kind(&error), Some(io::ErrorKind::NotFound));
    assert_eq!(error.path(), Some(&*path));
    assert_eq!(names(folder.path()), [""; 0]);
}

/// The name is taken by a folder after the file was started.
#[test]
fn an_error_of_finish_names_the_file_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"bytes").unwrap();
    fs::create_dir(&path).unwrap();
    let error = file.finish().unwrap_err();
    assert_eq!(error.path(), Some(&*path));
    assert!(path.is_dir());
    assert_eq!(names(folder.path()), ["file"]);
}

#[cfg(unix)]
mod unix {
    use idx_tests::named_pipe;
    use std::fs::File;
    use std::io::Read;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::thread;

    use super::*;

    #[test]
    fn a_file_keeps_its_mode_and_a_new_one_has_the_usual_one() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o7777;
        fs::write(at("by the system"), b"").unwrap();
        write(&at("new"), b"1").unwrap();
        assert_eq!(mode("new"), mode("by the system"));
        for kept in [0o600, 0o640, 0o755] {
            fs::set_permissions(at("new"), fs::Permissions::from_mode(kept)).unwrap();
            write(&at("new"), b"2").unwrap();
            assert_eq!(mode("new"), kept);
        }
    }

    #[test]
    fn symlinks_stay_and_lead_to_the_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        fs::write(at("inner/file"), b"old").unwrap();
        symlink("file", at("inner/link")).unwrap();
        symlink("inner/link", at("link to the link")).unwrap();
        symlink(at("inner/not yet"), at("absolute")).unwrap();

        write(&at("link to the link"), b"new").unwrap();
        write(&at("absolute"), b"first").unwrap();
        assert_eq!(fs::read(at("inner/file")).unwrap(), b"new");
        assert_eq!(fs::read(at("inner/not yet")).unwrap(), b"first");
        for link in ["inner/link", "link to the link", "absolute"] {
            assert!(at(link).is_symlink(), "{link}");
        }
        assert_eq!(names(folder.path()), ["absolute", "inner", "link to the link"]);
        assert_eq!(names(&at("inner")), ["file", "link", "not yet"]);

        symlink("circle", at("circle")).unwrap();
        let error = AtomicFile::create(at("circle")).unwrap_err();
        assert!(io_kind(&error).is_some(), "{error}");
        assert_eq!(error.path(), Some(&*at("circle")));
    }

    /// The new file takes the name in one step, and is not written over the old one.
    #[test]
    fn who_reads_the_old_file_reads_it_to_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"old").unwrap();
        let mut old = File::open(&path).unwrap();
        write(&path, b"new").unwrap();
        let mut bytes = Vec::new();
        old.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, b"old");
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn a_pipe_gets_the_finished_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        named_pipe(&pipe);
        let bytes = vec![7; 300_000];
        let read = thread::scope(|scope| {
            let reader = scope.spawn(|| fs::read(&pipe).unwrap());
            write(&pipe, &bytes).unwrap();
            reader.join().unwrap()
        });
        assert!(read == bytes, "{} bytes", read.len());
        assert!(!fs::metadata(&pipe).unwrap().is_file(), "still a pipe");
        assert_eq!(names(folder.path()), ["pipe"]);
    }

    /// The device has no room for what it gets at the end.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_device_is_an_error_of_finish() {
        let full = Path::new("/dev/full");
        let mut file = AtomicFile::create(full).unwrap();
        file.write_all(b"bytes").unwrap();
        let error = file.finish().unwrap_err();
        assert_eq!(io_kind(&error), Some(io::ErrorKind::StorageFull));
        assert_eq!(error.path(), Some(full));
    }
}
