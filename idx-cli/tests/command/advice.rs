//! Follows the options and commands that messages advise.

use idx_tests::{file, gzip};

use crate::common::Folder;

/// A command that fails, the option or command that its message must advise, and the arguments that follow the advice.
type Case = (&'static [&'static str], &'static str, &'static [&'static str]);

const FRACTIONS: &str = "--as f32` or `--as u8 --scale MIN..MAX,0..255";

const CASES: &[Case] = &[
    (&["convert", "fractions.csv", "-o", "o.idx"], FRACTIONS, &["--as", "f32"]),
    (
        &["convert", "tenths.csv", "-o", "o.idx"],
        FRACTIONS,
        &["--as", "u8", "--scale", "0..1,0..255"],
    ),
    (
        &["convert", "tenths.idx", "--as", "u8", "-o", "o.idx"],
        FRACTIONS,
        &["--as", "u8", "--scale", "0..1,0..255"],
    ),
    (&["stats", "tenths.csv"], FRACTIONS, &["--as", "f32"]),
    (
        &["convert", "f32.idx", "--size", "2x2", "-o", "o.idx"],
        "idx convert --as u8",
        &["convert", "f32.idx", "--as", "u8", "-o", "bytes.idx"],
    ),
    (
        &["convert", "f32.idx", "--as", "u8", "--invert", "-o", "o.idx"],
        "idx convert --as u8",
        &["convert", "f32.idx", "--as", "u8", "-o", "bytes.idx"],
    ),
    (
        &["convert", "f32.idx", "-o", "pictures/"],
        "idx convert --as u8",
        &["convert", "f32.idx", "--as", "u8", "-o", "pictures/"],
    ),
    (
        &["convert", "f32.idx", "--as", "u8", "--scale", "0..255", "-o", "o.idx"],
        "--scale MIN..MAX,A..B",
        &["--scale", "1..4,0..255"],
    ),
    (
        &["convert", "f32.idx", "--normalize", "1,2", "--as", "u8", "-o", "o.idx"],
        "--as",
        &["--as", "f32"],
    ),
    (
        &["convert", "labels.csv", "-o", "o-images-idx3-ubyte"],
        "--labels-as i32",
        &["--labels-as", "i32"],
    ),
    (&["convert", "vectors.idx", "-o", "pictures/"], "--shape", &["--shape", "2x2"]),
    (&["convert", "empty.csv", "-o", "o.idx"], "--shape", &["--shape", "2"]),
    (&["convert", "ab.csv", "ac.csv", "-o", "o.idx"], "--shape", &["--shape", "2"]),
    (&["convert", "p-images-idx3-ubyte", "-o", "o.npy"], "--no-labels", &["--no-labels"]),
    (
        &["convert", "q-images-idx3-ubyte", "-o", "o.npy"],
        "idx convert LABELS -r ..2 -o NEW",
        &["convert", "q-labels-idx1-ubyte", "-r", "..2", "-o", "first.idx"],
    ),
    (&["convert", "a.idx", "ab.idx", "-o", "o.idx"], "--shape", &["--shape", "1"]),
    (&["show", "p-images-idx3-ubyte"], "--no-labels", &["--no-labels"]),
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
    // Failed before: no option was named.
    (&["convert", "sizes/", "--fit", "cover", "-o", "o.idx"], "--size", &["--size", "2x2"]),
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

/// Commands that end in a question.
const QUESTIONS: &[&[&str]] = &[
    &["convert", "numbers.csv", "--header", "-o", "o.idx"],
    &["convert", "counted.csv", "-o", "o.idx"],
    &["convert", "square.csv", "-o", "o.idx"],
    &["show", "square.csv"],
    &["stats", "square.csv"],
    &["info", "square.csv"],
    &["convert", "digit.csv", "-o", "o.idx"],
    &["convert", "three.csv", "--shape", "2", "-o", "o.idx"],
    &["convert", "words.csv", "-o", "o.idx"],
    &["convert", "ids.csv", "-o", "o.idx"],
    &["convert", "two.csv", "-o", "o.idx"],
    &["convert", "hyphen.csv", "-o", "o.idx"],
    &["convert", "zeros.csv", "-o", "o.idx"],
    &["convert", "pair.idx", "-l", "numbers.csv", "-o", "o.csv"],
];

fn folder() -> Folder {
    let floats = |numbers: [f32; 4]| numbers.map(f32::to_be_bytes).concat();
    let mut unfinished = file(8, &[0, 3], b"abcdef");
    unfinished[..4].copy_from_slice(&[0xFF, 0xFF, 0x88, 2]);
    let folder = Folder::new(&[
        ("fractions.csv", b"0.5,1.5\n"),
        ("tenths.csv", b"0.5,0.1\n"),
        ("tenths.idx", &file(0x0D, &[1, 2, 2], &floats([0.0, 0.25, 0.5, 1.0]))),
        ("f32.idx", &file(0x0D, &[1, 2, 2], &floats([1.0, 2.0, 3.0, 4.0]))),
        ("labels.csv", b"label,1x1\n300,1\n"),
        ("vectors.idx", &file(8, &[2, 4], &[7; 8])),
        ("empty.csv", b""),
        ("ab.csv", b"a,b\n1,2\n"),
        ("ac.csv", b"a,c\n1,2\n"),
        ("numbers.csv", b"5,7\n1,2\n"),
        ("three.csv", b"7,5,6\n1,2,3\n"),
        ("counted.csv", b"0,1,2\n3,4,5\n"),
        ("words.csv", b"a,b\n1,ant\n2,bee\n3,ant\n4,5\n"),
        ("ids.csv", b"id,a\n7,1\n9,2\n3,3\n"),
        ("two.csv", b"label,target,a\n0,1,7\n1,1,8\n"),
        ("square.csv", (["7"; 65].join(",") + "\n").as_bytes()),
        ("digit.csv", b"digit,1x1,1x2,2x1,2x2\n3,1,2,3,4\n"),
        ("p-images-idx3-ubyte", &file(8, &[3, 1, 1], b"abc")),
        ("p-labels-idx1-ubyte", &file(8, &[2], b"ab")),
        ("q-images-idx3-ubyte", &file(8, &[2, 1, 1], b"ab")),
        ("q-labels-idx1-ubyte", &file(8, &[3], b"abc")),
        ("a.idx", &file(8, &[2, 1], b"ab")),
        ("ab.idx", &file(8, &[2], b"ab")),
        ("hyphen.csv", b"-x,a,b\nu,1,2\nv,3,4\n"),
        ("zeros.csv", b"label,a\n1,5\n01,6\n"),
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

/// Returns the arguments with the options of the advice, in place of the same option if it was given.
fn followed(arguments: &[&'static str], advice: &str, more: &[&'static str]) -> Vec<&'static str> {
    if advice.starts_with("idx ") {
        return more.to_vec();
    }
    let mut kept = arguments.to_vec();
    if let Some(given) = kept.iter().position(|argument| Some(argument) == more.first()) {
        kept.drain(given..(given + 2).min(kept.len()));
    }
    [kept, more.to_vec()].concat()
}

/// Following the advice succeeds, or ends in another error.
#[test]
fn all_advice_can_be_followed() {
    for (arguments, advice, more) in CASES {
        let folder = folder();
        let (_, message) = folder.run(arguments).failure();
        assert!(message.contains(&format!(" `{advice}`")), "{arguments:?}: {message}");
        let followed = folder.run(&followed(arguments, advice, more));
        match followed.code {
            Some(0) => {}
            _ => assert!(!followed.messages.contains(&message), "{arguments:?}: {message}"),
        }
        assert_ne!(followed.code, Some(2), "{arguments:?}: {followed:?}");
    }
}

/// The advice is not the range of all records: reading it to its end would cause the same error.
#[test]
fn gzip_data_that_lacks_only_its_end_is_repaired() {
    let whole = gzip(&file(8, &[3, 2], b"abcdef"));
    let folder = Folder::new(&[("cut.gz", &whole[..whole.len() - 8])]);
    for arguments in [&["check", "cut.gz"][..], &["convert", "cut.gz", "-r", "..3", "-o", "o.idx"]]
    {
        let (_, message) = folder.run(arguments).failure();
        assert!(message.ends_with(" again, or `idx repair` keeps 3 records"), "{message}");
    }
    folder.run(&["repair", "cut.gz"]).success();
    folder.run(&["check", "cut.gz"]).success();
}

/// Failed before: for a NumPy array, the advice was the range of all records.
#[test]
fn an_array_whose_gzip_data_lacks_only_its_end_is_decompressed() {
    let numbers: Vec<u8> =
        (0..6000_u32).map(|number| (number * number / 7).to_le_bytes()[0]).collect();
    let folder = Folder::new(&[("a.idx", &file(8, &[300, 20], &numbers))]);
    folder.convert(&["a.idx", "-o", "a.npy"]);
    let array = gzip(&folder.read("a.npy"));
    let message = |size: usize, arguments: &[&str]| {
        folder.write("cut.npy.gz", &array[..size]);
        folder.run(arguments).failure().1
    };
    let check = ["check", "cut.npy.gz"];
    let all = ["convert", "cut.npy.gz", "-r", "..300", "-o", "o.idx"];
    for arguments in [&check[..], &all] {
        assert_eq!(
            message(array.len() - 8, arguments),
            "cut.npy.gz: the gzip data is truncated after 6128 decompressed bytes; download it again, or \
             `gunzip -c FILE > NEW` keeps 300 records"
        );
    }
    let message = message(array.len() / 2, &check);
    let (told, kept) = message.split_once("; download it again, or `idx convert FILE -r ").unwrap();
    assert!(told.ends_with(" decompressed bytes"), "{message}");
    folder.convert(&["cut.npy.gz", "-r", kept.split_once(' ').unwrap().0, "-o", "o.idx"]);
}

/// Following the advice of a note removes the note.
#[test]
fn advice_of_a_note_can_be_followed() {
    let folder = folder();
    let normalize = ["convert", "vectors.idx", "--normalize", "0.5,0.25", "-f", "-o", "o.idx"];
    let messages = folder.run(&normalize).messages;
    let note = "vectors.idx: note: 0.5 and 0.25 normalize values from 0 to 1, and these are u8; to scale them first, \
                use `--scale 0..1`\n";
    assert!(messages.ends_with(note), "{messages}");
    let scaled = folder.run(&[&normalize[..], &["--scale", "0..1"]].concat());
    assert_eq!((scaled.code, scaled.messages.contains("note")), (Some(0), false), "{scaled:?}");
}

/// Messages do not advise options that the command lacks.
#[test]
fn what_a_command_does_not_have_is_not_advised() {
    let folder = folder();
    let (_, message) = folder.run(&["check", "fractions.csv", "numbers.csv"]).failure();
    assert!(message.contains("--as") && !message.contains("--scale"), "{message}");
    // Failed before: `check` cannot leave labels out, nor read those next to records as a table.
    folder.write("floats.idx", &file(8, &[1, 1, 1], b"a"));
    folder.write("floats-labels.idx", &file(0x0D, &[1], &0.5_f32.to_be_bytes()));
    folder.write("text-images-idx3-ubyte", &file(8, &[1, 1, 1], b"a"));
    folder.write("text-labels-idx1-ubyte", b"5,7\n1,2\n");
    for (images, end) in [
        ("p-images-idx3-ubyte", "of p-images-idx3-ubyte; use the matching files"),
        ("floats.idx", "a whole number; round it, or choose another column"),
    ] {
        let (_, message) = folder.run(&["check", images]).failure();
        assert!(message.ends_with(end), "{message}");
    }
    let (_, message) = folder.run(&["check", "text-images-idx3-ubyte"]).failure();
    assert!(!message.contains("--") && message.starts_with("text-labels-"), "{message}");
    let (_, message) = folder.run(&["stats", "vectors.idx", "--record-limit", "3"]).failure();
    assert!(message.ends_with("raise the limit with `--record-limit`"), "{message}");
}

/// Each option that answers a question leads to the data, or to another question.
#[test]
fn all_questions_can_be_answered() {
    for arguments in QUESTIONS {
        let folder = folder();
        let (_, question) = folder.run(arguments).failure();
        let answers: Vec<&str> =
            question.split('`').filter(|part| part.starts_with("--")).collect();
        assert!(!answers.is_empty(), "{arguments:?}: {question}");
        for answer in answers {
            // An answer may contradict `--header`.
            let kept = arguments.iter().filter(|argument| **argument != "--header");
            let line: Vec<&str> = kept.copied().chain(answer.split(' ')).collect();
            let answered = folder.run(&line);
            assert_ne!(answered.code, Some(2), "{line:?}: {answered:?}");
            assert!(!answered.messages.contains(&question), "{line:?}: {answered:?}");
            let _ = std::fs::remove_file(folder.0.path().join("o.idx"));
            let _ = std::fs::remove_file(folder.0.path().join("o-labels.idx"));
        }
    }
}
