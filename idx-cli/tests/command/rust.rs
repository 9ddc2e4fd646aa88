//! The output of `idx rust` compiles as printed, and has the numbers of the file. `.ci/full source_code` does the same
//! for C and Verilog.

use std::fs;
use std::path::Path;
use std::process::Command;

use idx_tests::{file, gzip};

use crate::common::{Folder, outcome};

/// A file, and an expression that is true in a program with the Rust for this file.
struct Case {
    name: &'static str,
    file: Vec<u8>,
    finds: &'static str,
}

fn cases() -> Vec<Case> {
    let case = |name, file, finds| Case { name, file, finds };
    let bytes: Vec<u8> = (0..=255).collect();
    let many_labels = [[3; 500_001], [5; 500_001]];
    vec![
        case(
            "u8-images-idx3-ubyte",
            file(0x08, &[2, 2, 3], &bytes[..12]),
            "U8_IMAGES.as_slice()[1].0 == [[6, 7, 8], [9, 10, 11]]",
        ),
        case(
            "i8.idx",
            file(0x09, &[2, 3], &[0x80, 0xFF, 0, 1, 2, 0x7F]),
            "I8.as_slice()[0].0 == [-128, -1, 0] && I8.as_slice()[1].0 == [1, 2, 127]",
        ),
        case(
            "i16.idx",
            file(0x0B, &[1, 2], &[0x80, 0, 1, 0]),
            "I16.as_slice()[0].0.map(|element| element.get()) == [i16::MIN, 256]",
        ),
        case(
            "i32.idx",
            file(0x0C, &[1, 1, 1], &[0x80, 0, 0, 1]),
            "I32.as_slice()[0].0[0][0].get() == i32::MIN + 1",
        ),
        case(
            "f32.idx",
            file(0x0D, &[1, 2], &[0x7F, 0xC0, 0, 0, 0x3F, 0xC0, 0, 0]),
            "F32.as_slice()[0].0[0].get().is_nan() && F32.as_slice()[0].0[1].get() == 1.5",
        ),
        case(
            "f64.idx",
            file(0x0E, &[1], &1.1f64.to_be_bytes()),
            "F64.as_slice()[0].0.get() == 1.1",
        ),
        // Labels are refused beyond the least and the greatest value of the file.
        case(
            "labels-idx1-ubyte",
            file(0x08, &[3], &[9, 0, 4]),
            "LABELS.get(0).unwrap().0 == 9 && Records::<Label>::parse(&[0, 0, 8, 1, 0, 0, 0, 1, 10]).is_err()",
        ),
        case(
            "signs",
            file(0x0C, &[2], &[0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1]),
            "SIGNS.get(0).unwrap().0.get() == -1 && SIGNS.get(1).unwrap().0.get() == 1",
        ),
        case(
            "few-of-all",
            file(0x09, &[2], &[0x80, 0x7F]),
            "FEW_OF_ALL.as_slice()[0].0 == i8::MIN",
        ),
        case(
            "many-labels",
            file(0x08, &[1_000_002], many_labels.as_flattened()),
            "MANY_LABELS.get(1_000_001).unwrap().0 == 5",
        ),
        case("counts", file(0x08, &[256], &bytes), "COUNTS.as_slice()[255].0 == 255"),
        case(
            "rank-0",
            file(0x0B, &[], &[0, 7]),
            "RANK_0.len() == 1 && RANK_0.as_slice()[0].0.get() == 7",
        ),
        // No records, and records without elements.
        case("none", file(0x08, &[0, 28, 28], &[]), "NONE.is_empty()"),
        case("no-labels", file(0x08, &[0], &[]), "NO_LABELS.is_empty()"),
        case("nothing", file(0x0D, &[3, 2, 0], &[]), "NOTHING.get(2).unwrap().0 == [[0.0; 0]; 2]"),
        // The maximum rank.
        case(
            "rank-6",
            file(0x0B, &[1, 1, 1, 1, 1, 2], &[0, 1, 0, 2]),
            "RANK_6.as_slice()[0].0[0][0][0][0][1].get() == 2",
        ),
        case("rank-9", file(0x08, &[1; 9], &[7]), "RANK_9.get(0).unwrap().0 == [[[[[[[[7]]]]]]]]"),
        // Names that are keywords of Rust, or not allowed.
        case("fn", file(0x08, &[1], &[1]), "FN.len() == 1"),
        case("self", file(0x08, &[1], &[1]), "SELF.len() == 1"),
        case("type.clone", file(0x08, &[1], &[1]), "TYPE_CLONE.len() == 1"),
        case("copy", file(0x08, &[1], &[1]), "COPY.len() == 1"),
        case("debug", file(0x08, &[1], &[1]), "DEBUG.len() == 1"),
        case("option", file(0x08, &[1], &[1]), "OPTION.len() == 1"),
        case("2024 of \u{E4}", file(0x08, &[1], &[1]), "RECORDS_2024_OF.len() == 1"),
    ]
}

/// Numbers of each type have their own form, without remarks about other types.
#[test]
fn numbers_have_the_form_of_their_type() {
    let doubles = [0.1f64, -2e300].map(f64::to_be_bytes).concat();
    let folder = Folder::new(&[
        ("f64", &file(14, &[2], &doubles)),
        ("i16", &file(11, &[2], &[0xFF, 0xFE, 0, 5])),
    ]);
    let header = folder.run(&["rust", "--c", "f64"]).success();
    assert!(header.contains("[2] IDX_FLASH = {\n1e-1, -2e300,\n};\n"), "{header}");
    // Failed before: the bytes of AVR were also there.
    let avr = "16 bytes. On AVR, a double has 4 bytes by default, and pgm_read_float reads a number at its address. */";
    assert!(header.contains(avr), "{header}");
    assert_eq!(
        folder.run(&["rust", "--mem", "i16"]).success(),
        "// 2 records of i16: reg [15:0] i16 [0:1];\nfffe 0005\n"
    );
}

/// A few different numbers close to each other are labels, and checking many labels takes the compiler long.
#[test]
fn numbers_that_are_labels() {
    let bytes = |count: u32, numbers: u8| {
        let bytes = (0..numbers).cycle().take(count as usize);
        file(0x08, &[count], &bytes.collect::<Vec<u8>>())
    };
    let wide = [[0, 0, 0, 0], [0, 1, 0, 0]].concat();
    let folder = Folder::new(&[
        ("most", &bytes(100, 100)),
        ("more", &bytes(101, 101)),
        ("ends", &file(0x08, &[2], &[0, 200])),
        ("wide", &file(0x0C, &[2], &wide)),
        ("one", &file(0x08, &[1], &[7])),
        ("long", &bytes(1_000_000, 2)),
        ("longer", &bytes(1_000_001, 2)),
    ]);
    for (name, range, is_long) in [
        ("most", Some("0..=99"), false),
        ("more", None, false),
        ("ends", Some("0..=200"), false),
        ("wide", None, false),
        ("one", Some("7..=7"), false),
        ("long", Some("0..=1"), false),
        ("longer", Some("0..=1"), true),
    ] {
        let printed = folder.run(&["rust", name]).success();
        let range =
            range.map_or("(pub ".to_string(), |range| format!("(#[idx(range = {range})] pub "));
        assert!(printed.contains(&range), "{printed}");
        assert_eq!(printed.contains("long_running_const_eval"), is_long, "{name}");
    }
    let one = folder.run(&["rust", "one"]).success();
    assert!(one.contains("/// 1 record: 9 bytes of flash.\n"), "{one}");
}

/// All files of a package in one module, as in the help; and one file elsewhere.
#[test]
fn what_is_printed_compiles() {
    let cases = cases();
    let mut files: Vec<(&str, &[u8])> = vec![("Cargo.toml", MANIFEST.as_bytes())];
    files.extend(cases.iter().map(|case| (case.name, &*case.file)));
    let package = Folder::new(&files);
    let elsewhere = Folder::new(&[("elsewhere", &file(0x08, &[1], &[7]))]);
    // The macro looks in the package of the module, and this file is in another one.
    let file = package.0.path().join(cases[0].name);
    let outside = elsewhere.run(&["rust", file.to_str().unwrap()]).success();
    assert!(outside.contains(&format!("include_bytes!({file:?})")), "{outside}");
    let elsewhere = elsewhere.0.path().join("elsewhere");

    let mut arguments = vec!["rust", elsewhere.to_str().unwrap()];
    arguments.extend(cases.iter().map(|case| case.name));
    let data = package.run(&arguments).success();
    assert_eq!(data.matches("CARGO_MANIFEST_DIR").count(), cases.len());
    for case in &cases {
        let flash = format!("{} bytes", case.file.len());
        assert!(data.contains(&format!(": {flash} of flash.\n")));
        let info = package.run(&["info", case.name]).success().replace(',', "");
        assert!(info.contains(&format!("  file          {flash}\n")));
    }

    // The types offered for columns replace the printed ones.
    let mut named = String::from("use idx_core::Records;\n");
    let offers = data.split("// Or, with the names of your columns:\n").skip(1);
    for offer in offers.clone() {
        named.extend(offer.lines().map_while(|line| line.strip_prefix("// ")));
        named += "\n";
    }
    assert_eq!(offers.count(), 3, "{data}");
    named += "pub fn check() {\n    \
        let steps = Records::<I16Record>::parse(super::I16_FILE).unwrap();\n    \
        assert!(steps.as_slice()[0].a.get() == i16::MIN && steps.as_slice()[0].b.get() == 256);\n    \
        assert!(core::mem::size_of::<I8Record>() == 3 && core::mem::size_of::<F32Record>() == 8);\n}\n";

    let mut main = String::from(
        "#![deny(warnings)]\nmod data;\n#[allow(dead_code)]\nmod named;\n\
         const I16_FILE: &[u8] = include_bytes!(\"../i16.idx\");\nuse data::*;\nuse idx_core::Records;\n\nfn main() {\n    \
         assert!(ELSEWHERE.as_slice()[0].0 == 7);\n    named::check();\n",
    );
    for case in &cases {
        main += &format!("    assert!({});\n", case.finds);
    }
    main += "}\n";
    let source = package.0.path().join("src");
    fs::create_dir(&source).unwrap();
    fs::write(source.join("data.rs"), data).unwrap();
    fs::write(source.join("named.rs"), named).unwrap();
    fs::write(source.join("main.rs"), main).unwrap();
    run_package(package.0.path());
}

/// Failed before: a module for another package looked for the file in its own.
#[test]
fn a_module_of_another_package_finds_the_file() {
    let package =
        Folder::new(&[("Cargo.toml", MANIFEST.as_bytes()), ("data.idx", &file(8, &[1], &[7]))]);
    let other = Folder::new(&[("Cargo.toml", MANIFEST.as_bytes())]);
    let source = other.0.path().join("src");
    fs::create_dir(&source).unwrap();
    let main = "mod data;\nfn main() {\n    assert!(data::DATA.as_slice()[0].0 == 7);\n}\n";
    fs::write(source.join("main.rs"), main).unwrap();
    let module = source.join("data.rs");
    package.run(&["rust", "data.idx", "-o", module.to_str().unwrap()]).success();
    run_package(other.0.path());
    // Within a package, the path is relative, wherever the command runs.
    fs::create_dir(package.0.path().join("src")).unwrap();
    let [file, module] = ["data.idx", "src/data.rs"].map(|name| package.0.path().join(name));
    other.run(&["rust", file.to_str().unwrap(), "-o", module.to_str().unwrap()]).success();
    assert!(fs::read_to_string(module).unwrap().contains("CARGO_MANIFEST_DIR"));
    package.run(&["rust", "data.idx", "-o", "here.rs"]).success();
    assert!(
        fs::read_to_string(package.0.path().join("here.rs"))
            .unwrap()
            .contains("CARGO_MANIFEST_DIR")
    );
}

const MANIFEST: &str = concat!(
    "[package]\nname = \"firmware\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
     idx-core = { path = '",
    env!("CARGO_MANIFEST_DIR"),
    "/../idx-core' }\n",
);

/// Runs a package with the libraries that the workspace was built with, so that nothing has to be downloaded.
#[track_caller]
fn run_package(package: &Path) {
    let lock = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock");
    fs::copy(lock, package.join("Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline"])
        .current_dir(package)
        .env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/rust"))
        .output()
        .unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{messages}");
}

#[test]
fn what_no_firmware_can_have_is_refused() {
    let labels = file(0x08, &[3], &[9, 0, 4]);
    let folder = Folder::new(&[
        ("labels", &labels),
        ("labels.gz", &gzip(&labels)),
        ("my labels.gz", &gzip(&labels)),
        ("gzip.idx", &gzip(&labels)),
        ("rank-10", &file(0x08, &[1; 10], &[7])),
        ("long", &file(0x0B, &[0, 1 << 15, 1 << 15], &[])),
        ("longer", &file(0x0E, &[0, 1 << 31, 1 << 31, 1 << 31], &[])),
        ("cut", &labels[..10]),
    ]);
    for (name, expected) in [
        (
            "labels.gz",
            "firmware cannot read gzip; decompress it with `idx convert labels.gz -o labels.idx`",
        ),
        // Failed before: a shell would split the names, and an output was the input.
        (
            "my labels.gz",
            "firmware cannot read gzip; decompress it with `idx convert 'my labels.gz' -o 'my labels.idx'`",
        ),
        (
            "gzip.idx",
            "firmware cannot read gzip; decompress it with `idx convert gzip.idx -o gzip.plain.idx`",
        ),
        (
            "rank-10",
            "the records have 9 dimensions, and a record type has at most 8; merge some first",
        ),
        (
            "long",
            "a record of 32768 x 32768 i16 exceeds 2147483647 bytes, the limit for firmware types; use \
             smaller records",
        ),
        (
            "longer",
            "a record of 2147483648 x 2147483648 x 2147483648 f64 exceeds 2147483647 bytes, the \
             limit for firmware types; use smaller records",
        ),
        (
            "cut",
            "truncated: 2 of 3 payload bytes; download it again, or `idx convert FILE -r ..2 -o NEW` keeps 2 records",
        ),
        ("-", "the numbers get the name of the file; specify a file instead of `-`"),
    ] {
        let (output, message) = folder.run(&["rust", name]).failure();
        assert_eq!((&*output, message), ("", format!("{name}: {expected}")));
    }
    // The others are still printed.
    let alone = folder.run(&["rust", "labels"]).success();
    let (output, _) = folder.run(&["rust", "cut", "labels"]).failure();
    assert_eq!(output, alone);
}

#[cfg(unix)]
#[test]
fn a_path_that_rust_cannot_write_is_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new(&[]);
    let name = OsStr::from_bytes(b"labels\xFF");
    if fs::write(folder.0.path().join(name), file(0x08, &[1], &[1])).is_err() {
        idx_tests::skip("a_path_that_rust_cannot_write_is_refused: this system has no such names");
        return;
    }
    let (output, message) = outcome(folder.command(&["rust"]).arg(name), &[]).failure();
    assert_eq!(output, "");
    assert!(
        message.ends_with(": the path is not UTF-8, so no program can include the file; rename it")
    );
}

/// If the source replaced its file, only a source that includes itself would be left.
#[test]
fn a_source_does_not_replace_its_file() {
    let bytes = file(0x08, &[2], &[7, 8]);
    let folder = Folder::new(&[("data.rs", &bytes), ("data.h", &bytes)]);
    for name in ["data.rs", "data.h"] {
        let output = format!("./{name}");
        let (_, message) = folder.run(&["rust", name, "-o", &output, "--force"]).failure();
        let text = "the source would replace the file that it is made from; choose another name";
        assert_eq!(message, format!("{output}: {text}"));
        assert_eq!(folder.read(name), bytes);
    }
}

/// Source code in other languages has the numbers themselves, not a path, so the file may be gzip.
#[test]
fn numbers_are_written_for_c_and_verilog() {
    let pixels = file(0x08, &[2, 2, 3], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255]);
    let floats: Vec<u8> = [1.5f32, -0.0, f32::NAN, f32::NEG_INFINITY]
        .into_iter()
        .flat_map(f32::to_be_bytes)
        .collect();
    let folder = Folder::new(&[
        ("tiles-idx3-ubyte.gz", &gzip(&pixels)),
        ("weights.idx", &file(0x0D, &[4], &floats)),
        ("int", &file(0x0C, &[2], &[0x80, 0, 0, 0, 0, 0, 0, 7])),
        ("one", &file(0x08, &[], &[7])),
        ("empty", &file(0x08, &[0, 2], &[])),
        ("broken.gz", &gzip(&pixels[..20])),
    ]);
    let flash = "#ifndef IDX_FLASH\n#ifdef __AVR__\n#include <avr/pgmspace.h>\n#define IDX_FLASH PROGMEM\n\
                 #else\n#define IDX_FLASH\n#endif\n#endif\n\n";
    assert_eq!(
        folder.run(&["rust", "--c", "tiles-idx3-ubyte.gz", "int"]).success().replace(flash, ""),
        "#ifndef IDX_TILES_H\n#define IDX_TILES_H\n\n#include <stdint.h>\n\n\
         /* 2 x 3 u8. 2 records: 12 bytes. On AVR, pgm_read_byte reads a number at its address. */\n#define IDX_TILES_COUNT 2\n\
         static const uint8_t idx_tiles[2][2][3] IDX_FLASH = {\n{{0, 1, 2},\n{3, 4, 5}},\n{{6, 7, 8},\n{9, 10, 255}},\n\
         };\n\n#endif\n\n\
         #ifndef IDX_INT_H\n#define IDX_INT_H\n\n#include <stdint.h>\n\n\
         /* i32. 2 records: 8 bytes. On AVR, pgm_read_dword reads a number at its address. */\n#define IDX_INT_COUNT 2\n\
         static const int32_t idx_int[2] IDX_FLASH = {\n-2147483647 - 1, 7,\n};\n\n#endif\n"
    );
    let header = folder.run(&["rust", "--c", "weights.idx"]).success();
    assert!(header.contains("\n#include <math.h>\n"));
    assert!(header.contains("\n1.5e0f, -0e0f, NAN, -INFINITY,\n};\n"));
    let header = folder.run(&["rust", "--c", "one"]).success();
    assert!(header.contains("/* u8. 1 record: 1 byte. On AVR,"), "{header}");
    assert_eq!(
        folder.run(&["rust", "--mem", "tiles-idx3-ubyte.gz"]).success(),
        "// 2 records of 2 x 3 u8: reg [7:0] tiles [0:11];\n00 01 02\n03 04 05\n06 07 08\n09 0a ff\n"
    );
    let (output, message) = folder.run(&["rust", "--mem", "empty"]).failure();
    assert_eq!(
        (&*output, &*message),
        (
            "",
            "empty: the file has no numbers, so the array would be empty; choose one that has some"
        )
    );
    let (_, message) = folder.run(&["rust", "--c", "broken.gz"]).failure();
    assert!(message.starts_with("broken.gz: "), "{message}");
    let both = folder.run(&["rust", "--c", "--mem", "int"]);
    assert_eq!(both.code, Some(2));
}

/// A pipe can be read only once, and no program can include it.
#[cfg(unix)]
#[test]
fn numbers_are_read_from_a_pipe() {
    let folder = Folder::new(&[]);
    let path = folder.0.path().join("pipe");
    idx_tests::named_pipe(&path);
    let run = |arguments: &[&str]| {
        std::thread::scope(|scope| {
            scope.spawn(|| fs::write(&path, file(0x08, &[3], &[7, 8, 9])));
            folder.run(arguments)
        })
    };
    assert_eq!(
        run(&["rust", "--mem", "pipe"]).success(),
        "// 3 records of u8: reg [7:0] pipe [0:2];\n07 08 09\n"
    );
    let message =
        "pipe: the program includes the file by its path; specify a file instead of a pipe";
    assert_eq!(run(&["rust", "pipe"]).failure(), (String::new(), message.to_string()));
}

#[test]
fn the_source_is_written_to_a_file() {
    let folder = Folder::new(&[
        ("a.idx", &file(8, &[2], &[1, 2])),
        ("b.idx", &file(8, &[2], &[3, 4])),
        ("c.gz", &gzip(&file(8, &[1], &[1]))),
    ]);
    for options in [&[][..], &["--c"]] {
        let printed = folder.run(&[&["rust", "a.idx", "b.idx"], options].concat()).success();
        let to_file = [&["rust", "a.idx", "b.idx", "-o", "source"], options].concat();
        assert_eq!(folder.run(&to_file).success(), "");
        assert_eq!(folder.read("source"), printed.as_bytes());
        let (_, message) = folder.run(&to_file).failure();
        assert!(message.starts_with("source: "), "{message}");
        folder.run(&[&to_file[..], &["--force"]].concat()).success();
        fs::remove_file(folder.0.path().join("source")).unwrap();
    }
    // Failed before: Rust was written, whatever the extension of the name.
    for (name, option) in [("a.h", "--c"), ("a.mem", "--mem"), ("a.hex", "--mem")] {
        folder.run(&["rust", "a.idx", "-o", name]).success();
        let printed = folder.run(&["rust", "a.idx", option]).success();
        assert_eq!(folder.read(name), printed.as_bytes());
    }
    // Failed before: source code got the name of the labels of a.idx.
    for name in ["a.v", "a-labels-idx1-ubyte"] {
        let refused = folder.run(&["rust", "a.idx", "-o", name]);
        assert_eq!(refused.code, Some(2));
        let message =
            "idx: the extension of OUT chooses the language: .rs, .h for C, or .mem for Verilog";
        assert!(refused.messages.starts_with(message), "{}", refused.messages);
    }
    // The source is written for all files, or not at all.
    let (_, message) = folder.run(&["rust", "a.idx", "c.gz", "-o", "source"]).failure();
    assert!(message.starts_with("c.gz: "), "{message}");
    assert!(!folder.0.path().join("source").exists());
}

#[test]
fn names_come_from_that_of_the_file() {
    let folder = Folder::new(&[]);
    for (name, table, record) in [
        ("train-images-idx3-ubyte", "TRAIN_IMAGES", "TrainImage"),
        ("t10k-labels.idx1-ubyte", "T10K_LABELS", "T10kLabel"),
        ("data/Temperature 2024.idx", "TEMPERATURE_2024", "Temperature2024"),
        ("class", "CLASS", "Class"),
        ("self", "SELF", "SelfRecord"),
        ("x1", "X1", "X1Record"),
        ("7", "RECORDS_7", "Records7"),
        ("idx", "RECORDS", "Record"),
        ("\u{30C7}\u{30FC}\u{30BF}", "RECORDS", "Record"),
    ] {
        folder.write(name, &file(0x08, &[1, 1], &[7]));
        let source = folder.run(&["rust", name]).success();
        assert!(source.contains(&format!("pub struct {record}(")), "{source}");
        let table = format!("pub static {table}: idx_core::Records<{record}> =");
        assert!(source.contains(&table), "{source}");
    }
}

#[test]
fn no_two_files_get_one_name() {
    let folder = Folder::new(&[]);
    let refused = |options: &[&str], [one, other]: [&str; 2], name: &str| {
        for path in [one, other] {
            folder.write(path, &file(0x08, &[1, 1], &[7]));
        }
        let arguments = [&["rust"], options, &[one, other]].concat();
        let (output, message) = folder.run(&arguments).failure();
        assert_eq!(output, "");
        let expected =
            format!("{other}: this file and {one} would both be named {name}; rename one of them");
        assert_eq!(message, expected);
    };
    refused(&["--c"], ["train/w.idx", "test/w.idx"], "idx_w");
    refused(&["--c"], ["a-b.idx", "a_b.idx"], "idx_a_b");
    refused(&[], ["train/w.idx", "test/w.idx"], "WRecord");
    // A type has the name of another type, or of another static.
    refused(&[], ["image", "images"], "Image");
    refused(&[], ["a-b", "ab"], "AB");
    folder.run(&["rust", "--c", "image", "images"]).success();
}

#[test]
fn a_memory_has_one_file() {
    let pixel = file(0x08, &[1, 1], &[7]);
    let folder = Folder::new(&[("a", &pixel), ("b", &pixel)]);
    let outcome = folder.run(&["rust", "--mem", "a", "b"]);
    assert_eq!((outcome.code, &*outcome.output), (Some(2), ""));
    let message = "idx: --mem writes one memory; give one FILE\n";
    assert!(outcome.messages.starts_with(message), "{outcome:?}");
}
