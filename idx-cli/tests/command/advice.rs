//! The options and commands that messages advise, each followed.

use idx_tests::file;

use crate::common::Folder;

/// A command that fails, the option or command that its message must advise, and the arguments that follow the advice.
type Case = (&'static [&'static str], &'static str, &'static [&'static str]);

const CASES: &[Case] = &[
    (&["convert", "fractions.csv", "-o", "o.idx"], "--as", &["--as", "f32"]),
    (&["convert", "f32.idx", "-o", "pictures/"], "--as", &["--as", "u8"]),
    (
        &["convert", "f32.idx", "--normalize", "1,2", "--as", "u8", "-o", "o.idx"],
        "--as",
        &["--as", "f32"],
    ),
    (
        &["convert", "labels.csv", "-o", "o-images-idx3-ubyte"],
        "--labels-as",
        &["--labels-as", "i16"],
    ),
    (&["convert", "vectors.idx", "-o", "pictures/"], "--shape", &["--shape", "2x2"]),
    (&["convert", "empty.csv", "-o", "o.idx"], "--shape", &["--shape", "2"]),
    (&["convert", "ab.csv", "ac.csv", "-o", "o.idx"], "--shape", &["--shape", "2"]),
    (&["convert", "numbers.csv", "--header", "-o", "o.idx"], "--no-header", &["--no-header"]),
    (&["convert", "counted.csv", "-o", "o.idx"], "--header` or `--no-header", &["--no-header"]),
    (&["convert", "counted.csv", "-o", "o.idx"], "--header` or `--no-header", &["--header"]),
    (
        &["convert", "square.csv", "-o", "o.idx"],
        "--label-column 0` or `--no-labels",
        &["--label-column", "0"],
    ),
    (
        &["convert", "square.csv", "-o", "o.idx"],
        "--label-column 0` or `--no-labels",
        &["--no-labels"],
    ),
    (&["convert", "p-images-idx3-ubyte", "-o", "o.npy"], "--no-labels", &["--no-labels"]),
    (&["show", "p-images-idx3-ubyte"], "--no-labels", &["--no-labels"]),
    (&["convert", "names.csv", "-o", "o.idx"], "--header", &["--header"]),
    (&["convert", "numbers.csv", "--column", "x", "-o", "o.idx"], "--header", &["--header"]),
    (
        &["convert", "numbers.csv", "--label-column", "9", "-o", "o.idx"],
        "--label-column",
        &["--label-column", "0"],
    ),
    (
        &["convert", "three.csv", "--shape", "2", "-o", "o.idx"],
        "--label-column",
        &["--label-column", "0"],
    ),
    (
        &["convert", "vectors.idx", "--record-limit", "3", "-o", "o.npy"],
        "--record-limit",
        &["--record-limit", "4"],
    ),
    (
        &["convert", "numbers.csv", "--record-limit", "4", "-o", "o.idx"],
        "--record-limit",
        &["--record-limit", "99"],
    ),
    (&["show", "vectors.idx", "--record-limit", "3"], "--record-limit", &["--record-limit", "4"]),
    (&["convert", "numbers.csv", "-o", "there.idx"], "--force", &["--force"]),
    (&["convert", "sizes/", "-o", "o.idx"], "--size", &["--size", "2x2"]),
    (&["convert", "colors/", "-o", "o.idx"], "--channels", &["--channels", "gray"]),
    (
        &["convert", "pair.idx", "--only", "cat", "-o", "o.csv"],
        "--classes",
        &["--classes", "names.txt"],
    ),
    (&["check", "unfinished.idx"], "idx repair", &["repair", "unfinished.idx"]),
    (&["check", "more.idx"], "idx repair --keep-all", &["repair", "--keep-all", "more.idx"]),
    (&["check", "uncounted.idx"], "idx repair", &["repair", "uncounted.idx"]),
];

fn folder() -> Folder {
    let floats: Vec<u8> = [1f32, 2.0, 3.0, 4.0].into_iter().flat_map(f32::to_be_bytes).collect();
    let mut unfinished = file(8, &[0, 3], b"abcdef");
    unfinished[..4].copy_from_slice(&[0xFF, 0xFF, 0x88, 2]);
    let folder = Folder::new(&[
        ("fractions.csv", b"0.5,1.5\n"),
        ("f32.idx", &file(0x0D, &[1, 2, 2], &floats)),
        ("labels.csv", b"label,1x1\n300,1\n"),
        ("vectors.idx", &file(8, &[2, 4], &[7; 8])),
        ("empty.csv", b""),
        ("ab.csv", b"a,b\n1,2\n"),
        ("ac.csv", b"a,c\n1,2\n"),
        ("names.csv", b"a,5\n1,2\n"),
        ("numbers.csv", b"5,7\n1,2\n"),
        ("three.csv", b"7,5,6\n1,2,3\n"),
        ("counted.csv", b"0,1,2\n3,4,5\n"),
        ("square.csv", (["7"; 65].join(",") + "\n").as_bytes()),
        ("p-images-idx3-ubyte", &file(8, &[3, 1, 1], b"abc")),
        ("p-labels-idx1-ubyte", &file(8, &[2], b"ab")),
        ("there.idx", b"of somebody else"),
        ("pair.idx", &file(8, &[2, 1], b"ab")),
        ("pair-labels.idx", &file(8, &[2], &[0, 1])),
        ("names.txt", b"ant\ncat\n"),
        ("unfinished.idx", &unfinished),
        ("more.idx", &file(8, &[1, 3], b"abcdef")),
        ("uncounted.idx", &file(8, &[0, 3], b"abcdef")),
    ]);
    let pictures = |name: &str, sizes: [&[u32]; 2]| {
        for (index, size) in sizes.into_iter().enumerate() {
            let pixels = size.iter().product::<u32>() as usize;
            folder.write("one.idx", &file(8, &[&[1], size].concat(), &vec![7; pixels]));
            folder.convert(&["one.idx", "-f", "-o", "one/"]);
            folder.write(&format!("{name}/{index}.png"), &folder.read("one/00000.png"));
            std::fs::remove_dir_all(folder.0.path().join("one")).unwrap();
        }
    };
    pictures("sizes", [&[2, 2], &[3, 3]]);
    pictures("colors", [&[2, 2], &[2, 2, 3]]);
    folder
}

/// The arguments with the options of the advice, in place of those that were given.
fn followed(arguments: &[&'static str], advice: &str, more: &[&'static str]) -> Vec<&'static str> {
    if advice.starts_with("idx ") {
        return more.to_vec();
    }
    let mut kept = arguments.to_vec();
    if let Some(given) = kept.iter().position(|argument| *argument == advice) {
        kept.drain(given..given + more.len());
    }
    // It contradicts the option that was given.
    kept.retain(|argument| *argument != "--header" || advice != "--no-header");
    [kept, more.to_vec()].concat()
}

/// It succeeds, or ends in another error.
#[test]
fn all_advice_can_be_followed() {
    for (arguments, advice, more) in CASES {
        let folder = folder();
        let (_, message) = folder.run(arguments).failure();
        assert!(message.contains(&format!(" with `{advice}`")), "{arguments:?}: {message}");
        let followed = folder.run(&followed(arguments, advice, more));
        match followed.code {
            Some(0) => {}
            _ => assert!(!followed.messages.contains(&message), "{arguments:?}: {message}"),
        }
        assert_ne!(followed.code, Some(2), "{arguments:?}: {followed:?}");
    }
}

/// A command without an option does not advise it.
#[test]
fn what_a_command_does_not_have_is_not_advised() {
    let folder = folder();
    let (_, message) = folder.run(&["check", "fractions.csv", "numbers.csv"]).failure();
    assert!(!message.contains("--as"), "{message}");
    let (_, message) = folder.run(&["stats", "vectors.idx", "--record-limit", "3"]).failure();
    assert!(message.ends_with("raise the limit with `--record-limit`"), "{message}");
}
