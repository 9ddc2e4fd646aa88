//! No option is silently without effect, whatever the inputs and the outputs are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::{fs, thread};

use idx_tests::{file, gzip};
use tempfile::TempDir;

use crate::common::{Folder, bytes_of};
use crate::npz::archive;

/// An option, its values (one of which has an effect), and other arguments. The result is compared with that of the
/// same command line without the option.
struct Row(&'static str, &'static [&'static str], &'static [&'static str]);

/// Options that are allowed for every format: limits, the number of threads, and what the terminal shows. `--force` is
/// a permission, `--no-labels` a refusal. Each command line has an output already.
const ALWAYS: [&str; 9] = [
    "--output",
    "--record-limit",
    "--threads",
    "--quiet",
    "--color",
    "--force",
    "--no-labels",
    "--help",
    "--json",
];

const LABELS: &[&str] = &["--labels", "{}/l.idx"];
const SPLIT: &[&str] = &["--split", "50%"];

/// Options of all commands that read records.
const READING: &[Row] = &[
    Row("--scale", &["0..1"], &[]),
    Row("--normalize", &["1,2"], &[]),
    Row("--shape", &["2x8", "3x3"], &[]),
    Row("--header", &[], &[]),
    Row("--no-header", &[], &[]),
    Row("--column", &["1", "no"], &[]),
    Row("--skip", &["1", "no", "none"], &[]),
    Row("--raw", &["u8"], &[]),
    Row("--raw", &["u8"], &["--shape", "4x4"]),
];

/// Options of commands that choose records.
const CHOICE: &[Row] = &[
    Row("--records", &["1.."], &[]),
    Row("--first", &["2"], &[]),
    Row("--only", &["1"], LABELS),
    Row("--only", &["1"], &[]),
    Row("--except", &["1"], LABELS),
    Row("--except", &["1"], &[]),
    Row("--per-class", &["1"], LABELS),
    Row("--per-class", &["1"], &[]),
];

/// Options of commands that show labels.
const LABELED: &[Row] = &[
    Row("--labels", &["{}/l.idx"], &[]),
    Row("--label-column", &["1"], &["--labels", "{}/l2.idx"]),
    Row("--label-column", &["1", "no"], &[]),
    Row("--classes", &["{}/names.txt"], LABELS),
    Row("--classes", &["{}/names.txt"], &[]),
];

const CONVERT: &[Row] = &[
    Row("--to", &["idx", "npy", "parquet"], &[]),
    Row("--labels", &["{}/l.idx"], &[]),
    Row("--label-column", &["1"], &["--labels", "{}/l2.idx"]),
    Row("--label-column", &["1", "no"], &[]),
    Row("--classes", &["{}/names.txt", "fashion-mnist"], LABELS),
    Row("--classes", &["{}/names.txt"], &[]),
    Row("--rest", &["r.npy"], SPLIT),
    Row("--rest", &["r.npy"], &[]),
    Row("--labels-as", &["i16"], LABELS),
    Row("--labels-as", &["i16"], &[]),
    Row("--relabel", &["0..9=3..12"], LABELS),
    Row("--relabel", &["0..9=3..12"], &[]),
    Row("--transpose", &[], &[]),
    Row("--transpose", &["1,0"], &[]),
    Row("--as", &["i16", "i8"], &[]),
    Row("--split", &["50%"], &[]),
    Row("--sample", &["2"], &[]),
    Row("--shuffle", &["1"], &[]),
    Row("--skip-bad", &[], &[]),
    Row("--background", &["9"], &[]),
    Row("--background", &["9"], &["--size", "5x5", "--fit", "none"]),
    Row("--channels", &["rgb", "gray"], &[]),
    Row("--channels", &["rgb"], &["--fit", "mnist"]),
    Row("--size", &["5x5"], &[]),
    Row("--size", &["5x5"], &["--fit", "mnist"]),
    Row("--fit", &["mnist"], &[]),
    Row("--fit", &["none"], &["--size", "2x5"]),
    Row("--fit", &["cover"], &["--size", "5x3"]),
    Row("--fit", &["contain"], &["--size", "5x3"]),
    Row("--fit", &["fill"], &[]),
    Row("--invert", &[], &[]),
    Row("--threshold", &["90"], &[]),
    Row("--layout", &["binary"], &[]),
    Row("--shards", &["2"], &[]),
];

const SHOW: &[Row] = &[
    Row("--output", &["sheet.png"], &[]),
    Row("--numbers", &[], &[]),
    Row("--invert", &[], &[]),
    Row("--transpose", &[], &[]),
    Row("--as", &["i8"], &[]),
];

const STATS: &[Row] = &[Row("--as", &["i8"], &[])];

const INFO: &[Row] = &[
    Row("--identify", &[], &[]),
    Row("--hex", &[], &[]),
    Row("--as", &["i16"], &[]),
    Row("--label-column", &["1", "no"], &[]),
];

/// The inputs of `idx convert`. `-` has the content of `a.idx`.
const INPUTS: &[&str] = &[
    "{}/a.idx",
    "{}/a.idx.gz",
    "{}/a.npy",
    "{}/a.npz:x",
    "{}/a.csv",
    "{}/pictures",
    "-",
    #[cfg(feature = "parquet")]
    "{}/a.parquet",
];

/// The arguments for the outputs of `idx convert`.
const OUTPUTS: &[&[&str]] = &[
    &["-o", "b.idx"],
    &["-o", "b.idx.gz"],
    &["-o", "b.npy"],
    &["-o", "b.csv"],
    &["-o", "b/"],
    &["-o", "-"],
    &["-o", "-", "--to", "csv"],
    #[cfg(feature = "parquet")]
    &["-o", "b.parquet"],
];

/// Six pictures of 4 x 4 in every format, and the files that options name.
fn fixtures() -> Folder {
    // A bright square on dark, as of a digit; the first number is the label.
    let image = |number: u8| {
        let [one, two] = [100 + number, 200 - number];
        [number % 2, 1, 1, 1, 1, one, two, 1, 1, 150, one, 1, 1, 1, 1, 1]
    };
    let images = file(8, &[6, 4, 4], &(0..6).flat_map(image).collect::<Vec<u8>>());
    let columns = [0, 2, 1, 2, 0, 1, 1, 0, 0, 1, 1, 0];
    let folder = Folder::new(&[
        ("a.idx", &images),
        ("a.idx.gz", &gzip(&images)),
        ("a.npz", &archive(&[("x", &[6, 4, 4], &images[16..])])),
        ("l.idx", &file(8, &[6], &[0, 1, 0, 1, 0, 1])),
        ("l2.idx", &file(8, &[6, 2], &columns)),
        ("names.txt", b"ant\nbee\n"),
    ]);
    folder.convert(&["a.idx", "-o", "a.npy"]);
    folder.convert(&["a.idx", "-o", "a.csv"]);
    // Numbers that may be the names of columns.
    let lines: Vec<String> = [0, 1]
        .map(|line| {
            (0..16).map(|number| (number + 20 * line).to_string()).collect::<Vec<_>>().join(",")
        })
        .to_vec();
    folder.write("numbers.csv", lines.join("\n").as_bytes());
    folder.convert(&["a.idx", "-o", "pictures/"]);
    #[cfg(feature = "parquet")]
    folder.convert(&["a.idx", "-o", "a.parquet"]);
    // A picture with transparent pixels, and one that is damaged.
    let transparent = image::GrayAlphaImage::from_fn(4, 4, |x, y| {
        let is_edge = x % 3 == 0 || y % 3 == 0;
        let byte = |number: u32| u8::try_from(number).unwrap();
        image::LumaA([if is_edge { 1 } else { byte(100 + 9 * y) }, byte(255 - 9 * x)])
    });
    transparent.save(folder.0.path().join("pictures/00000.png")).unwrap();
    folder.write("damaged/0.png", &folder.read("pictures/00001.png"));
    folder.write("damaged/1.png", &folder.read("pictures/00001.png")[..50]);
    folder
}

/// The output of a command, and the files after it ended.
#[derive(Debug, PartialEq)]
struct Seen {
    code: Option<i32>,
    output: Vec<u8>,
    messages: String,
    files: BTreeMap<String, Vec<u8>>,
}

fn files(folder: &Path, name: &str, all: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        match entry.file_type().unwrap().is_dir() {
            true => files(&entry.path(), &name, all),
            false => _ = all.insert(name, fs::read(entry.path()).unwrap()),
        }
    }
}

/// Runs the command in a folder of its own.
fn seen(fixtures: &Folder, arguments: &[&str]) -> Seen {
    let path = fixtures.0.path().to_str().unwrap();
    let arguments: Vec<String> =
        arguments.iter().map(|argument| argument.replace("{}", path)).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // In memory if the system allows it, because what is written is synced.
    let memory = Path::new("/dev/shm");
    let folder = match memory.is_dir() {
        true => tempfile::tempdir_in(memory),
        false => tempfile::tempdir(),
    };
    let folder = Folder(folder.unwrap());
    let input = fixtures.read("a.idx");
    let (code, output, messages) = bytes_of(&mut folder.command(&arguments), &input);
    let mut all = BTreeMap::new();
    files(folder.0.path(), "", &mut all);
    Seen { code, output, messages, files: all }
}

/// The words with which an error names what an option needs, instead of the option.
const OTHERS: &[(&str, &str)] = &[
    ("--identify", "not IDX"),
    // `--hex` reads the bytes of a file, and an array in an archive is not a file.
    ("--hex", "this is a folder"),
    ("--hex", "no such file"),
    ("--output", "-o"),
    // `--raw` needs the size of a row, of which the file must have a whole number.
    ("--raw", "--shape"),
    ("--raw", "rows of"),
    // Pictures are bytes.
    ("--scale", "--as"),
    ("--normalize", "--as"),
    // These options need labels.
    ("--only", "labels"),
    ("--except", "labels"),
    ("--per-class", "labels"),
    ("--relabel", "labels"),
    // Only some values of these options go together.
    ("--fit", "size"),
    ("--size", "28 x 28"),
    ("--channels", "28 x 28"),
    ("--shards", "a folder cannot go to a stream"),
    // A line of csv needs a shape to become a picture.
    ("--channels", "--shape"),
    ("--size", "--shape"),
    ("--fit", "--shape"),
    ("--invert", "--shape"),
    ("--threshold", "--shape"),
    ("--column", "there is no column"),
    ("--skip", "there is no column"),
    ("--label-column", "there is no column"),
    // The number of lines of csv is not known in advance.
    ("--shards", "number of records"),
    // `--shards` needs this format.
    #[cfg(not(feature = "parquet"))]
    ("--shards", "without the feature `parquet`"),
];

/// An option, an input, and the input that replaces it because it can be read only with the option.
const OWN_INPUTS: [(&str, &str, &str); 3] = [
    ("--skip-bad", "{}/pictures", "{}/damaged"),
    ("--header", "{}/a.csv", "{}/numbers.csv"),
    ("--no-header", "{}/a.csv", "{}/numbers.csv"),
];

/// The results of command lines without an option, which many rows compare with.
type Known = Mutex<BTreeMap<String, Arc<Seen>>>;

/// Returns the fault of an option on these inputs and outputs.
fn judged(
    fixtures: &Folder,
    known: &Known,
    line: &[&str],
    Row(option, values, with): &Row,
) -> Option<String> {
    let mut line = [line, with].concat();
    for (_, usual, own) in OWN_INPUTS.iter().filter(|(name, ..)| name == option) {
        line.iter_mut().filter(|word| *word == usual).for_each(|word| *word = own);
    }
    let name = line.join(" ");
    let found = known.lock().unwrap().get(&name).cloned();
    let without = found.unwrap_or_else(|| Arc::new(seen(fixtures, &line)));
    known.lock().unwrap().insert(name, without.clone());
    let names = |option: &str, messages: &str| {
        let others = OTHERS.iter().filter(|(name, _)| *name == option).map(|(_, other)| *other);
        [option].into_iter().chain(others).any(|name| messages.contains(name))
    };
    // One of the other options is refused already.
    let mut options = with.iter().filter(|word| word.starts_with("--"));
    if without.code != Some(0) && options.any(|option| names(option, &without.messages)) {
        return None;
    }
    let values: Vec<Vec<&str>> = match values {
        [] => vec![vec![option]],
        _ => values.iter().map(|value| vec![*option, *value]).collect(),
    };
    for value in values {
        let line = [&line[..], &value].concat();
        let with = seen(fixtures, &line);
        if with == *without {
            continue;
        }
        let is_right = with.code == Some(0) || names(option, &with.messages);
        return (!is_right).then(|| format!("{line:?}: {}", with.messages));
    }
    Some(format!("{line:?} {option}: no effect: {}", without.messages))
}

/// The options that the long help of a command has.
fn options(command: &str) -> BTreeSet<String> {
    let help = Folder(TempDir::new().unwrap()).run(&[command, "--help"]).success();
    // Options in the description do not count; its lines are not indented.
    let lines = help.lines().filter(|line| line.starts_with(' ')).map(str::trim_start);
    let lines = lines.filter(|line| line.starts_with('-'));
    let names =
        lines.filter_map(|line| line.split([' ', '[', '=']).find(|word| word.starts_with("--")));
    names.map(str::to_string).collect()
}

fn check(command: &str, rows: &[&[Row]], lines: &[Vec<&str>]) {
    let rows: Vec<&Row> = rows.iter().copied().flatten().collect();
    let told: BTreeSet<String> =
        rows.iter().map(|row| row.0).chain(ALWAYS).map(str::to_string).collect();
    let missing: Vec<String> = options(command).difference(&told).cloned().collect();
    assert!(missing.is_empty(), "options of {command} without a row: {missing:?}");
    let fixtures = &fixtures();
    let jobs = lines.iter().flat_map(|line| rows.iter().map(move |row| (line, *row)));
    let jobs = Mutex::new(jobs.collect::<Vec<_>>());
    let (known, wrong) = (Known::default(), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((line, row)) = { jobs.lock().unwrap().pop() } {
                    let found = judged(fixtures, &known, line, row);
                    wrong.lock().unwrap().extend(found);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn options_of_convert() {
    let by_input = INPUTS.iter().map(|input| vec!["convert", input, "-o", "b.npy"]);
    let by_output = OUTPUTS.iter().map(|output| [&["convert", "{}/a.idx"], *output].concat());
    check("convert", &[READING, CHOICE, CONVERT], &by_input.chain(by_output).collect::<Vec<_>>());
}

#[test]
#[ignore = "runs the command for some minutes; `.ci/full` runs it"]
fn options_of_convert_between_all_formats() {
    let pairs = INPUTS.iter().flat_map(|input| OUTPUTS.iter().map(move |output| (input, output)));
    let lines = pairs.map(|(input, output)| [&["convert", input], *output].concat());
    // Lines of csv are images only with `--shape`, which is one of the options.
    let lines = lines.filter(|line| !(line.contains(&"{}/a.csv") && line.contains(&"b/")));
    check("convert", &[READING, CHOICE, CONVERT], &lines.collect::<Vec<_>>());
}

#[test]
fn options_of_show_stats_and_info() {
    for (command, rows) in [
        ("show", &[READING, CHOICE, LABELED, SHOW][..]),
        ("stats", &[READING, LABELED, STATS]),
        ("info", &[READING, INFO]),
    ] {
        let lines: Vec<_> = INPUTS.iter().map(|input| vec![command, input]).collect();
        check(command, rows, &lines);
    }
}
