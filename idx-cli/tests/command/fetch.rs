//! `idx fetch`, with a server on this machine, or without the feature.

use std::process::{Command, Output};

fn idx(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_idx")).args(arguments).output().unwrap()
}

#[cfg(not(feature = "fetch"))]
#[test]
fn without_the_feature_it_tells_where_the_files_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let outcome = idx(&["fetch", "mnist", path, "--mirror", "http://localhost/a"]);
    assert_eq!(outcome.status.code(), Some(1));
    let output = String::from_utf8(outcome.stdout).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.first(), Some(&"http://localhost/a/train-images-idx3-ubyte.gz"));
    for line in [
        "https://storage.googleapis.com/cvdf-datasets/mnist/t10k-labels-idx1-ubyte.gz",
        "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6  t10k-labels-idx1-ubyte.gz",
        "9912422 bytes  train-images-idx3-ubyte.gz",
    ] {
        assert!(lines.contains(&line), "{output}");
    }
    let message = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(
        message,
        format!(
            "idx: {path}: nothing was downloaded: this program was built without the feature \
             `fetch`; each file above has an address to download it from\n"
        )
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Failed before: the name of a data set had to be in lower case, although its own name is not.
#[test]
fn the_name_of_a_data_set_in_capitals() {
    // The path is that of a file, not of a folder.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let outcome = idx(&["fetch", "MNIST", path, "--mirror", "http://127.0.0.1:9/"]);
    assert_eq!(outcome.status.code(), Some(1), "{outcome:?}");
    // Failed before: the advice was an option that replaces the file, although it never does.
    #[cfg(feature = "fetch")]
    assert_eq!(
        String::from_utf8(outcome.stderr).unwrap(),
        format!("idx: {path}: a part of the path is a file, not a folder; check the path\n")
    );
}

#[cfg(not(feature = "fetch"))]
#[test]
fn the_folder_is_named_after_the_data_set() {
    let outcome = idx(&["fetch", "fashion-mnist"]);
    let message = String::from_utf8(outcome.stderr).unwrap();
    assert!(message.starts_with("idx: fashion-mnist: nothing was downloaded"), "{message}");
}

#[test]
fn alone_it_lists_the_data_sets() {
    let outcome = idx(&["fetch"]);
    assert_eq!(outcome.status.code(), Some(2), "{outcome:?}");
    let message = String::from_utf8(outcome.stderr).unwrap();
    assert!(message.contains("emnist-letters") && message.contains("qmnist"), "{message}");
    // Failed before: MNIST was suggested, because its name is the most similar.
    let message = String::from_utf8(idx(&["fetch", "emnist"]).stderr).unwrap();
    assert!(message.contains("emnist-letters") && !message.contains("tip:"), "{message}");
    let message = String::from_utf8(idx(&["fetch", "mnistt"]).stderr).unwrap();
    assert!(message.contains("tip: a similar value exists: 'mnist'"), "{message}");
}

#[cfg(feature = "fetch")]
#[test]
fn a_data_set_comes_from_the_mirror_that_gives_it() {
    use idx_tests::mirror::{Manner, Mirror};

    let name = "mnist/t10k-labels-idx1-ubyte.gz";
    let test = "a_data_set_comes_from_the_mirror_that_gives_it";
    let Some(labels) = idx_tests::real_data(test, name) else {
        return;
    };
    let published = labels.parent().unwrap();
    let refusing = Mirror::start(published, Manner::Refuses(403));
    let good = Mirror::start(published, Manner::Well);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/mnist");
    let path = path.to_str().unwrap();
    let mirrors = ["--mirror", refusing.address(), "--mirror", good.address()];
    let outcome = idx(&[&["fetch", "mnist", path][..], &mirrors].concat());

    let messages = String::from_utf8(outcome.stderr).unwrap();
    let refused =
        format!("idx: {}train-images-idx3-ubyte.gz: answered 403 Forbidden", refusing.address());
    assert_eq!(messages.lines().next(), Some(&*refused));
    assert_eq!(messages.lines().count(), 4);
    assert_eq!(outcome.status.code(), Some(0));
    let output = String::from_utf8(outcome.stdout).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 5, "{output}");
    assert!(lines[0].ends_with("new/mnist/train-images-idx3-ubyte.gz"));
    assert!(lines[4].starts_with("MNIST is by Yann LeCun"));
    for line in &lines[..4] {
        idx_std::open(line).unwrap();
    }

    // Existing files stay, unless `--force` is given.
    std::fs::write(lines[0], b"mine").unwrap();
    let outcome = idx(&[&["fetch", "mnist", path][..], &mirrors].concat());
    assert_eq!(outcome.status.code(), Some(1));
    let message = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(
        message,
        format!(
            "idx: {}: a file with this name exists, but it is not the published one; move it away, \
             or overwrite it with `--force`\n",
            lines[0]
        )
    );
    let outcome = idx(&[&["fetch", "mnist", path, "--force"][..], &mirrors].concat());
    assert_eq!(outcome.status.code(), Some(0));
    idx_std::open(lines[0]).unwrap();
}

/// Failed before: the empty new folder stayed.
#[cfg(all(feature = "fetch", unix))]
#[test]
fn a_signal_removes_a_new_folder_without_files() {
    use std::time::Duration;

    use idx_tests::mirror::{Manner, Mirror};

    let published = tempfile::tempdir().unwrap();
    let start = [&[0x1F, 0x8B][..], &[0; 100_000]].concat();
    std::fs::write(published.path().join("train-images-idx3-ubyte.gz"), start).unwrap();
    let silent = Mirror::start(published.path(), Manner::FallsSilent(1000));
    for (there, file) in [("", None), ("new", None), ("new", Some("new/notes.txt"))] {
        let parent = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(parent.path().join(there)).unwrap();
        if let Some(file) = file {
            std::fs::write(parent.path().join(file), "mine").unwrap();
        }
        let before = silent.requests().len();
        let arguments = ["fetch", "mnist", "new/mnist", "--mirror", silent.address()];
        let mut child = Command::new(env!("CARGO_BIN_EXE_idx"))
            .args(arguments)
            .current_dir(parent.path())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while silent.requests().len() == before {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(parent.path().join("new/mnist").is_dir());
        let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert!(!child.wait().unwrap().success());
        assert!(!parent.path().join("new/mnist").exists(), "{there:?} {file:?}");
        assert_eq!(parent.path().join("new").exists(), !there.is_empty());
        assert!(file.is_none_or(|file| parent.path().join(file).exists()));
    }
}

#[cfg(feature = "fetch")]
#[test]
fn of_a_set_with_one_address_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    // Nothing listens at the address of these proxies.
    let outcome = Command::new(env!("CARGO_BIN_EXE_idx"))
        .args(["fetch", "kmnist", path])
        .envs([("http_proxy", "http://127.0.0.1:9"), ("all_proxy", "http://127.0.0.1:9")])
        .output()
        .unwrap();
    assert_eq!(outcome.status.code(), Some(1));
    let messages = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(
        messages.lines().last().unwrap(),
        format!(
            "idx: {path}/train-images-idx3-ubyte.gz: http://codh.rois.ac.jp/kmnist/dataset/kmnist/, the only known \
             address of KMNIST, did not give this file; try again later, or specify another with `--mirror`"
        )
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
