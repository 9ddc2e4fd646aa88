//! Runs the command for the tests, in a folder with files.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use idx_std::ElementType;
use idx_tests::{BadFile, bad_files, file};
use tempfile::TempDir;

/// Two images of 2 x 3 bytes.
pub(crate) fn two_images() -> Vec<u8> {
    file(0x08, &[2, 2, 3], &[0, 128, 255, 255, 0, 0, 255, 0, 0, 0, 0, 255])
}

/// Two records of 2 x 2 with the labels 7 and 3, in each format that the default build reads.
pub(crate) fn each_format() -> Folder {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[2, 2, 2], &[0, 1, 2, 255, 4, 5, 6, 7])),
        ("l.idx", &file(8, &[2], &[7, 3])),
    ]);
    folder.convert(&["a.idx", "-o", "a.npy"]);
    let labels = ["--labels", "l.idx"];
    folder.convert(&[&["a.idx", "-o", "a.csv"], &labels[..]].concat());
    folder.convert(&["a.idx", "-o", "a/", "--labels", "l.idx"]);
    folder
}

/// Two records of 2 x 3.
pub(crate) fn extreme_records(element_type: ElementType) -> Vec<u8> {
    file(element_type.code(), &[2, 2, 3], &extremes(element_type))
}

pub(crate) fn byte_records() -> Vec<u8> {
    extreme_records(ElementType::U8)
}

/// The code, output and messages of a run of the command.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
    /// The messages, without the `readings`.
    pub(crate) messages: String,
    /// The lines that say how inputs were understood, or in which order an output will be read.
    pub(crate) readings: String,
}

impl Outcome {
    /// Returns the output of a run that succeeds without a message.
    #[track_caller]
    pub(crate) fn success(self) -> String {
        assert_eq!((self.code, self.messages.as_str()), (Some(0), ""));
        self.output
    }

    /// Returns the output and the only message of a run in which a file was wrong.
    #[track_caller]
    pub(crate) fn failure(self) -> (String, String) {
        assert_eq!(self.code, Some(1), "{self:?}");
        assert_eq!(self.messages.lines().count(), 1, "{self:?}");
        let message = self.messages.strip_prefix("idx: ").expect("the name of the command");
        (self.output, message.trim_end().to_string())
    }
}

/// A folder with files in it, in which the command runs.
pub(crate) struct Folder(pub(crate) TempDir);

impl Folder {
    pub(crate) fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        Self(folder)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_idx"));
        command.current_dir(self.0.path()).args(arguments);
        for variable in ["NO_COLOR", "CLICOLOR_FORCE", "COLORTERM"] {
            command.env_remove(variable);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with(arguments, &[])
    }

    /// Runs with these bytes on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        let mut command = self.command(arguments);
        outcome(&mut command, input)
    }
}

pub(crate) fn outcome(command: &mut Command, input: &[u8]) -> Outcome {
    let (code, output, messages) = bytes_of(command, input);
    outcome_of(code, output, &messages)
}

pub(crate) fn outcome_of(code: Option<i32>, output: Vec<u8>, messages: &str) -> Outcome {
    // A reading ends with the options that state it.
    let is_reading = |line: &&str| {
        let has_options = line.contains(" (--") && line.trim_end().ends_with(')');
        // No option states the reading of a tree of folders.
        let of_tree =
            ["labels are in ", " is not a class", " are not classes", ": train = ", ": test = "];
        let is_tree =
            of_tree.iter().any(|text| line.contains(text)) || line.ends_with(" left out\n");
        let is_order = line.contains("note: a folder for each class is read in the order")
            || line.contains(": a label for each picture, in the order 1, 2, 10");
        line.starts_with("idx: ") && (has_options || is_tree || is_order)
    };
    let (readings, messages): (Vec<&str>, Vec<&str>) =
        messages.split_inclusive('\n').partition(is_reading);
    Outcome {
        code,
        output: String::from_utf8(output).unwrap(),
        messages: messages.concat(),
        readings: readings.concat(),
    }
}

/// The exit code, the bytes of standard output, and the messages.
pub(crate) fn bytes_of(command: &mut Command, input: &[u8]) -> (Option<i32>, Vec<u8>, String) {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command may close its input without reading it; that is no failure.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

/// The steps of tests of `idx convert`.
impl Folder {
    /// Runs `idx convert`, which must not print anything.
    #[track_caller]
    pub(crate) fn convert(&self, arguments: &[&str]) {
        let arguments = [&["convert"], arguments].concat();
        assert_eq!(self.run(&arguments).success(), "");
    }

    /// The message of an `idx convert` that fails and leaves no new file.
    #[track_caller]
    pub(crate) fn refused(&self, arguments: &[&str]) -> String {
        let before = self.names();
        let (output, message) = self.run(&[&["convert"], arguments].concat()).failure();
        assert_eq!(output, "");
        assert_eq!(self.names(), before);
        message
    }

    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.path().join(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// The bad files without those in npy and csv, which the command reads.
pub(crate) fn not_idx() -> impl Iterator<Item = BadFile> {
    let others = ["numpy", "text-that-is-no-server-message"];
    let bad = bad_files().into_iter();
    bad.filter(move |bad| !others.contains(&bad.name))
}

/// The message for a bad file, from a command without `--rest`.
pub(crate) fn with_range(message: &str) -> String {
    match message.split_once(" (after ") {
        Some((what, whole)) if what.contains("truncated") && !whole.starts_with("0 ") => {
            let (records, _) = whole.split_once(' ').unwrap();
            // If gzip data lacks only its end, all records are there.
            let command = match what.contains("gzip") && !what.contains("missing") {
                true => "idx repair".to_string(),
                false => format!("idx convert FILE -r ..{records} -o NEW"),
            };
            let number = |digits: &str| digits.parse::<u64>().ok();
            let numbers: Vec<u64> =
                what.split(|char: char| !char.is_ascii_digit()).filter_map(number).collect();
            let what = match numbers[..] {
                [needed, found, _] => format!("truncated: {found} of {needed} payload bytes"),
                [found, missing] => {
                    format!("truncated: {found} of {} decompressed bytes", found + missing)
                }
                _ => what.split_once("; ").unwrap().0.to_string(),
            };
            let whole = whole.trim_end_matches(')').replace("whole ", "");
            format!("{what}; download it again, or `{command}` keeps {whole}")
        }
        _ => message.to_string(),
    }
}

/// The message for a bad file, from a command with `--raw` and `--header`.
pub(crate) fn with_raw(message: &str) -> String {
    let is_unknown =
        message.contains("it starts with ") || message.contains("the file starts with ");
    let is_text = message.contains("it starts with \"");
    let raw = "numbers without a header are read with `--raw`";
    let table = "a table is read with `--header` or `--no-header`";
    match message.rsplit_once("; ").filter(|_| is_unknown) {
        Some((what, _)) => format!("{what}; {}", if is_text { table } else { raw }),
        None => with_range(message),
    }
}

/// The elements of two records of 2 x 3 that a conversion is most likely to change.
pub(crate) fn extremes(element_type: ElementType) -> Vec<u8> {
    let integers = |numbers: [i64; 12], size: usize| {
        let last = move |number: i64| number.to_be_bytes().into_iter().skip(8 - size);
        numbers.into_iter().flat_map(last).collect()
    };
    match element_type {
        ElementType::U8 => vec![0, 1, 2, 127, 128, 129, 254, 255, 10, 13, 34, 44],
        ElementType::I8 => integers([0, 1, -1, 127, -128, -127, 10, 13, 34, 44, -2, 2], 1),
        ElementType::I16 => integers([0, 1, -1, 32767, -32768, 255, 256, -255, -256, 10, 2, 3], 2),
        ElementType::I32 => {
            let (least, greatest) = (i32::MIN.into(), i32::MAX.into());
            integers([0, 1, -1, greatest, least, 65535, 65536, 256, 255, -9, 10, 3], 4)
        }
        ElementType::F32 => [
            0.0,
            -0.0,
            0.1,
            f32::MIN,
            f32::MAX,
            f32::MIN_POSITIVE,
            1e-45,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            f32::EPSILON,
            16_777_217.0,
        ]
        .into_iter()
        .flat_map(f32::to_be_bytes)
        .collect(),
        ElementType::F64 => [
            0.0,
            -0.0,
            0.1,
            f64::MIN,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            f64::EPSILON,
            9_007_199_254_740_993.0,
        ]
        .into_iter()
        .flat_map(f64::to_be_bytes)
        .collect(),
    }
}
