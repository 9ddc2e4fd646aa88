//! Files and folders that appear together, and the rest of those that were stopped in between.

use std::fs;
use std::io::Write;
use std::path::Path;

use idx_std::ErrorKind;
use idx_std::io::{AtomicFile, AtomicFolder, Staged, commit, find_interrupted};
use idx_tests::names;

/// A file that is complete, but not under its name yet.
fn staged(path: &Path) -> Staged {
    let mut file = AtomicFile::create(path).unwrap();
    file.write_all(b"new").unwrap();
    file.stage()
}

/// Commits a, b, c and more, of which b cannot appear, when c already has. The rest waits.
fn stop_in_the_middle(folder: &Path) {
    let at = |name: &str| folder.join(name);
    fs::write(at("c"), "old").unwrap();
    let more = (10..50).map(|number| format!("d{number}"));
    let names = ["a".to_string()].into_iter().chain(more);
    let names = names.chain(["b", "c"].map(String::from));
    let all: Vec<Staged> = names.map(|name| staged(&at(&name))).collect();
    fs::create_dir(at("b")).unwrap();
    let error = commit(all).unwrap_err();
    assert_eq!(error.path(), Some(&*at("b")));
    fs::remove_dir(at("b")).unwrap();
    assert_eq!(fs::read(at("c")).unwrap(), b"new");
    assert!(!at("a").exists());
}

#[test]
fn what_the_system_stopped_can_be_completed() {
    let folder = tempfile::tempdir().unwrap();
    stop_in_the_middle(folder.path());
    let rest = find_interrupted(folder.path().join("a")).unwrap();
    rest.complete(|_| false).unwrap();
    let names = names(folder.path());
    assert_eq!((names.len(), &names[..3]), (43, &["a", "b", "c"].map(String::from)[..]));
    for name in names {
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), b"new");
    }
}

/// A list of files to rename may come from an untrusted folder: it moves only what has a temporary name for its
/// own path.
#[test]
fn a_forged_list_moves_no_other_file() {
    let parent = tempfile::tempdir().unwrap();
    let (folder, elsewhere) = (parent.path().join("here"), parent.path().join("elsewhere"));
    fs::create_dir(&folder).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    stop_in_the_middle(&folder);
    let (list, to) = (folder.join(".a.unfinished"), folder.join("a"));
    let start = fs::read(&list).unwrap();
    let start = &start[..=start.iter().position(|byte| *byte == 0).unwrap()];

    for (from, is_sound) in [
        (elsewhere.join(".a.1.tmp"), false),
        (folder.join("secret"), false),
        (folder.join("secret.tmp"), false),
        (folder.join(".b.1.tmp"), false),
        (folder.join(".a.secret"), false),
        (folder.join(".a.1.tmp"), true),
    ] {
        fs::write(&from, "mine").unwrap();
        let paths = [&from, &to].map(|path| [path.as_os_str().as_encoded_bytes(), b"\0"].concat());
        fs::write(&list, [start, &paths.concat(), b"any\0\0"].concat()).unwrap();
        let completed = find_interrupted(&to).unwrap().complete(|_| false);
        assert_eq!(completed.is_ok(), is_sound, "{from:?}");
        assert_eq!(to.exists(), is_sound, "{from:?}");
        assert_eq!(from.exists(), !is_sound, "{from:?}");
    }
}

/// Failed before: a list of more than 64 KiB was cut, and the files behind the cut kept their temporary names, without
/// an error.
#[test]
fn a_list_is_completed_to_its_end_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    stop_in_the_middle(folder.path());
    let (list, to) = (folder.path().join(".a.unfinished"), folder.path().join("a"));
    let bytes = fs::read(&list).unwrap();
    let before = names(folder.path());
    for cut in 1..=bytes.len() {
        fs::write(&list, &bytes[..bytes.len() - cut]).unwrap();
        let rest = find_interrupted(&to).unwrap();
        assert!(rest.complete(|_| false).is_err(), "without {cut} bytes");
        assert_eq!(names(folder.path()), before);
    }

    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    stop_in_the_middle(&folder);
    let list = folder.join(".a.unfinished");
    let start = &bytes[..=bytes.iter().position(|byte| *byte == 0).unwrap()];
    let mut long = start.to_vec();
    for number in 0..2000 {
        let path = |name: String| folder.join(name).into_os_string().into_encoded_bytes();
        let (from, to) = (path(format!(".{number}.1.tmp")), path(number.to_string()));
        fs::write(folder.join(format!(".{number}.1.tmp")), "new").unwrap();
        long.extend([&from[..], b"\0", &to, b"\0any\0"].concat());
    }
    assert!(long.len() > 64 * 1024);
    fs::write(&list, [&long[..], b"\0"].concat()).unwrap();
    let rest = find_interrupted(folder.join("a")).unwrap();
    rest.complete(|_| false).unwrap();
    assert!((0..2000).all(|number| folder.join(number.to_string()).exists()));
    assert!(!list.exists());
}

/// Paths of more than 4 MiB in all are refused before any file appears; other systems take no paths this long.
#[cfg(target_os = "linux")]
#[test]
fn a_list_that_is_too_long_is_refused() {
    let parent = tempfile::tempdir().unwrap();
    let mut folder = parent.path().to_path_buf();
    while folder.as_os_str().len() < 3700 {
        folder.push("n".repeat(200));
    }
    fs::create_dir_all(&folder).unwrap();
    let all = (0..600).map(|number| staged(&folder.join(number.to_string())));
    let error = commit(all).unwrap_err();
    assert!(error.to_string().contains("more than 4 MiB"), "{error}");
    assert_eq!(names(&folder), [""; 0]);
}

/// Of the folders in a folder, only those go of which nothing is left.
#[test]
fn files_are_added_to_folders_in_a_folder() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("letters");
    let write = |name: &str| {
        let file = path.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "old").unwrap();
    };
    for name in ["gone/a.old", "kept/a.old", "kept/mine", "more/mine"] {
        write(name);
    }
    fs::create_dir(path.join("empty")).unwrap();

    let letters = AtomicFolder::create(&path).unwrap();
    for folder in ["more", "fresh"] {
        fs::create_dir(letters.join(folder)).unwrap();
        fs::write(letters.join(folder).join("b"), "new").unwrap();
    }
    letters.finish(|path| path.extension().is_some_and(|extension| extension == "old")).unwrap();
    assert_eq!(names(&path), ["empty", "fresh", "kept", "more"]);
    assert_eq!(names(&path.join("empty")), [""; 0]);
    assert_eq!(names(&path.join("fresh")), ["b"]);
    assert_eq!(names(&path.join("kept")), ["mine"]);
    assert_eq!(names(&path.join("more")), ["b", "mine"]);
}

/// A file where the folder has a folder, and the other way round.
#[test]
fn files_and_folders_do_not_replace_each_other() {
    let parent = tempfile::tempdir().unwrap();
    for is_file in [false, true] {
        let path = parent.path().join(is_file.to_string());
        let make = |at: &Path, is_file: bool| match is_file {
            true => fs::write(at, "alpha").unwrap(),
            false => {
                fs::create_dir_all(at).unwrap();
                fs::write(at.join("a"), "alpha").unwrap();
            }
        };
        fs::create_dir(&path).unwrap();
        make(&path.join("name"), !is_file);
        let letters = AtomicFolder::create(&path).unwrap();
        make(&letters.join("name"), is_file);
        let error = letters.finish(|_| false).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotReplaced), "{error}");
        assert_eq!(error.path(), Some(&*path.join("name")));
        assert_eq!(names(&path), ["name"]);
        assert_eq!(path.join("name").is_dir(), is_file);
    }
}

#[test]
#[cfg(unix)]
fn a_new_folder_has_the_usual_mode() {
    use std::os::unix::fs::PermissionsExt;

    let parent = tempfile::tempdir().unwrap();
    let at = |name: &str| parent.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o7777;
    fs::create_dir(at("by the system")).unwrap();
    AtomicFolder::create(at("new")).unwrap().finish(|_| false).unwrap();
    assert_eq!(mode("new"), mode("by the system"));
}
