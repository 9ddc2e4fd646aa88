//! Files that appear: their names are synced, they replace nothing else, and leave no litter.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use idx_std::AtomicFolder;
use idx_std::{AtomicFile, ElementType, Error, ErrorKind, RecordWriter, WriteOptions};
use idx_tests::names;

fn io_kind(error: &Error) -> Option<io::ErrorKind> {
    match error.kind() {
        ErrorKind::Io(error) => Some(error.kind()),
        _ => None,
    }
}

fn write(path: &Path, values: &[u8]) -> Result<(), Error> {
    let mut writer = RecordWriter::<u8>::create(path)?;
    writer.push_all(values)?;
    writer.finish().map(drop)
}

#[test]
fn names_as_long_as_the_system_takes() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["n".repeat(255), "\u{1F5BC}".repeat(63)] {
        let path = folder.path().join(&name);
        for values in [&[1][..], &[1, 2]] {
            write(&path, values).unwrap();
            assert_eq!(idx_std::load::<u8>(&path).unwrap()[..], *values);
        }
        assert_eq!(names(folder.path()), [&*name]);
        fs::remove_file(&path).unwrap();

        let letters = AtomicFolder::create(&path).unwrap();
        fs::write(letters.join("a"), "alpha").unwrap();
        letters.finish().unwrap();
        assert_eq!(names(&path), ["a"]);
        fs::remove_dir_all(&path).unwrap();
    }
    let path = folder.path().join("n".repeat(256));
    assert!(AtomicFile::create(&path).is_err(), "before anything is written");
    assert!(write(&path, &[1]).is_err());
    assert_eq!(names(folder.path()), [""; 0]);
}

/// The hidden name has a dot and at most 99 bytes of the folder's name, in whole characters.
#[test]
fn hidden_names_are_short() {
    let parent = tempfile::tempdir().unwrap();
    for (name, start) in [
        ("n".repeat(98), "n".repeat(98)),
        ("n".repeat(99), "n".repeat(99)),
        ("n".repeat(120), "n".repeat(99)),
        ("\u{E9}".repeat(80), "\u{E9}".repeat(49)),
    ] {
        let _letters = AtomicFolder::create(parent.path().join(&name)).unwrap();
        let [hidden] = &names(parent.path())[..] else { panic!("one folder") };
        let random =
            hidden.strip_prefix(&format!(".{start}.")).and_then(|end| end.strip_suffix(".tmp"));
        assert_eq!(random.map(str::len), Some(6), "{hidden}");
    }
}

#[test]
fn what_appeared_meanwhile_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.gz");
    let options = WriteOptions::new().create_new(true);
    let exists = |error: Error| io_kind(&error) == Some(io::ErrorKind::AlreadyExists);

    options.create(&path, ElementType::U8, &[0]).unwrap().finish().unwrap();
    assert!(exists(options.create(&path, ElementType::U8, &[0]).unwrap_err()));
    assert!(exists(AtomicFile::create_new(&path).unwrap_err()));
    fs::remove_file(&path).unwrap();

    let writer = options.create(&path, ElementType::U8, &[0]).unwrap();
    let mut file = AtomicFile::create_new(&path).unwrap();
    file.write_all(b"mine").unwrap();
    fs::write(&path, "of somebody else").unwrap();
    assert!(exists(writer.finish().unwrap_err()));
    assert!(exists(file.finish().unwrap_err()));
    assert_eq!(fs::read(&path).unwrap(), b"of somebody else");
    assert_eq!(names(folder.path()), ["file.gz"], "no litter");

    #[cfg(unix)]
    {
        // A dangling link also counts.
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("nothing", &link).unwrap();
        assert!(exists(AtomicFile::create_new(&link).unwrap_err()));
    }
}

#[test]
fn a_folder_that_cannot_appear_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letters");
    let letters = AtomicFolder::create(&path).unwrap();
    fs::write(letters.join("a"), "alpha").unwrap();
    fs::write(&path, "of somebody else").unwrap();
    assert!(letters.finish().is_err());
    assert_eq!(names(folder.path()), ["letters"], "no litter");
    assert_eq!(fs::read(&path).unwrap(), b"of somebody else");
}

#[cfg(target_os = "linux")]
mod linux {
    use std::process::Output;

    use idx_tests::{has_strace, skip, strace};

    use super::*;

    /// The path, in a process that a test starts to write there.
    const ROLE: &str = "IDX_TEST_APPEARING";

    /// Runs a test in its own process, under strace with these arguments; `None` without strace.
    fn under_strace(test: &str, path: &Path, arguments: &[&str]) -> Option<Output> {
        if !has_strace(test) {
            return None;
        }
        let output = strace()
            .args(arguments)
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "--nocapture", test])
            .env(ROLE, path)
            .output();
        Some(output.unwrap())
    }

    fn has_unnamed_files(folder: &Path) -> bool {
        let mut probe = AtomicFile::create(folder.join("probe")).unwrap();
        probe.write_all(b"1").unwrap();
        names(folder).is_empty()
    }

    #[test]
    fn there_is_no_file_until_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        if !has_unnamed_files(folder.path()) {
            skip("there_is_no_file_until_it_is_whole: no files without a name here");
            return;
        }
        let path = folder.path().join("file");
        let mut writer = RecordWriter::<u8>::create(&path).unwrap();
        writer.push_all(&[7; 1_000_000]).unwrap();
        assert_eq!(names(folder.path()), [""; 0], "nothing for a signal to leave");
        writer.finish().unwrap();
        let writer = RecordWriter::<u8>::create(&path).unwrap();
        assert_eq!(names(folder.path()), ["file"]);
        writer.finish().unwrap();
        assert_eq!(names(folder.path()), ["file"]);
    }

    /// Systems without unnamed files use a temporary name; all else is the same.
    #[test]
    fn a_file_system_without_unnamed_files() {
        const TEST: &str = "appearing::linux::a_file_system_without_unnamed_files";
        if let Some(folder) = std::env::var_os(ROLE) {
            let folder = Path::new(&folder);
            let path = folder.join("file");
            for values in [&[1][..], &[1, 2]] {
                write(&path, values).unwrap();
                assert_eq!(idx_std::load::<u8>(&path).unwrap()[..], *values);
            }
            let file = AtomicFile::create_new(folder.join("new")).unwrap();
            // The folder itself cannot be read here.
            let open = fs::read_dir("/proc/self/fd").unwrap();
            let mut open = open.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok());
            let is_hidden = |path: PathBuf| path.to_string_lossy().contains("/.new.");
            assert!(open.any(is_hidden), "it has a hidden name");
            fs::write(folder.join("new"), "of somebody else").unwrap();
            let error = file.finish().unwrap_err();
            assert_eq!(io_kind(&error), Some(io::ErrorKind::AlreadyExists));
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let folder_name = folder.path().to_str().unwrap();
        let arguments = ["-P", folder_name, "-e", "inject=?open,openat:error=EOPNOTSUPP"];
        if let Some(output) = under_strace(TEST, folder.path(), &arguments) {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
            assert_eq!(names(folder.path()), ["file", "new"], "no litter");
        }
    }

    /// Runs in its own process, because no file of a process appears after `remove_temporaries`.
    #[test]
    fn a_signal_leaves_nothing() {
        const TEST: &str = "appearing::linux::a_signal_leaves_nothing";
        if let Some(folder) = std::env::var_os(ROLE) {
            let folder = Path::new(&folder);
            let letters = AtomicFolder::create(folder.join("letters")).unwrap();
            fs::create_dir(letters.join("a")).unwrap();
            fs::write(letters.join("a/alpha"), "alpha").unwrap();
            let digits = AtomicFolder::create(folder.join("digits")).unwrap();
            let mut file = AtomicFile::create(folder.join("file")).unwrap();
            file.write_all(b"1").unwrap();
            let content = file.stage().unwrap();
            assert_eq!(names(folder).iter().filter(|name| name.starts_with('.')).count(), 2);
            idx_std::remove_temporaries();
            assert_eq!(names(folder), [""; 0]);
            std::thread::spawn(move || content.commit());
            std::thread::sleep(std::time::Duration::from_millis(200));
            assert_eq!(names(folder), [""; 0], "nothing appears");
            // The program ends here, without dropping anything.
            std::mem::forget((letters, digits));
            std::process::exit(0);
        }
        let folder = tempfile::tempdir().unwrap();
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--nocapture", TEST])
            .env(ROLE, folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(names(folder.path()), [""; 0]);
    }

    /// Failed before: a network share of GNOME, for example, refuses even the mode that a file has.
    #[test]
    fn a_file_system_without_modes() {
        const TEST: &str = "appearing::linux::a_file_system_without_modes";
        if let Some(folder) = std::env::var_os(ROLE) {
            let folder = Path::new(&folder);
            for values in [&[1][..], &[1, 2]] {
                write(&folder.join("file"), values).unwrap();
            }
            fs::create_dir(folder.join("letters")).unwrap();
            AtomicFolder::create(folder.join("letters")).unwrap().finish().unwrap();
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["-e", "inject=?chmod,fchmod,fchmodat:error=EOPNOTSUPP"];
        if let Some(output) = under_strace(TEST, folder.path(), &arguments) {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
            assert_eq!(names(folder.path()), ["file", "letters"]);
        }
    }

    /// Bytes and names: a sync that fails is an error, unless the file system cannot sync folders.
    #[test]
    fn bytes_and_names_are_on_the_disk() {
        const TEST: &str = "appearing::linux::bytes_and_names_are_on_the_disk";
        if let Some(folder) = std::env::var_os(ROLE) {
            let folder = Path::new(&folder);
            let written = write(&folder.join("file"), &[1])
                .and_then(|()| write(&folder.join("file"), &[1, 2]))
                .and_then(|()| AtomicFolder::create(folder.join("letters"))?.finish());
            if let Err(error) = written {
                println!("error: {error}");
            }
            return;
        }
        let syncs = [
            ("fsync", 1, "file", false),
            ("fsync", 2, "file", true),
            ("fsync", 3, "file", false),
            ("fsync", 4, "file", true),
            ("syncfs", 1, "letters", false),
            ("fsync", 5, "letters", true),
        ];
        for (call, when, name, is_of_folder) in syncs {
            for fault in ["EIO", "EINVAL", "EOPNOTSUPP"] {
                let folder = tempfile::tempdir().unwrap();
                let inject = format!("inject={call}:error={fault}:when={when}");
                let Some(output) = under_strace(TEST, folder.path(), &["-e", &inject]) else {
                    return;
                };
                let printed = String::from_utf8_lossy(&output.stdout);
                assert!(output.status.success(), "{printed}");
                let error = format!("error: {}: ", folder.path().join(name).display());
                let is_reported = fault == "EIO" || !is_of_folder;
                assert_eq!(
                    printed.contains(&error),
                    is_reported,
                    "{call} {when} {fault}: {printed}"
                );
                assert_eq!(printed.contains("error: "), is_reported, "{printed}");
            }
        }
    }
}
