//! `idx stats`; the figures themselves are tested in `tests/data/stats.rs`.

use crate::common::{Folder, not_idx, outcome, with_raw};
use idx_tests::{file, gzip, odd_files, real_data};
use serde_json::{Value, json};

fn floats() -> Vec<u8> {
    let values = [0.5f32, -1.5, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0];
    let bytes: Vec<u8> = values.into_iter().flat_map(f32::to_be_bytes).collect();
    file(0x0D, &[6], &bytes)
}

#[test]
fn as_text() {
    let folder = Folder::new(&[("few", &file(0x0B, &[4], &[0, 1, 0, 1, 0, 1, 0xFF, 0xFF]))]);
    assert_eq!(
        folder.run(&["stats", "few"]).success(),
        "few
  element type        i16
  shape               4
  elements            4
  minimum             -1
  maximum             1
  mean                0.5
  standard deviation  0.866025
  histogram
    -1  1   25.0 %  #############
     0  0    0.0 %
     1  3   75.0 %  ########################################
"
    );
    let folder = Folder::new(&[("floats", &floats())]);
    assert_eq!(
        folder.run(&["stats", "floats"]).success().lines().skip(4).collect::<Vec<_>>(),
        [
            "  not a number        1",
            "  infinite            2",
            "  minimum             -1.5",
            "  maximum             1",
            "  mean                0",
            "  standard deviation  1.08012",
            "  histogram",
            "    -1.5..-1.25  1   33.3 %  ########################################",
            "      -1.25..-1  0    0.0 %",
            "      -1..-0.75  0    0.0 %",
            "    -0.75..-0.5  0    0.0 %",
            "    -0.5..-0.25  0    0.0 %",
            "       -0.25..0  0    0.0 %",
            "        0..0.25  0    0.0 %",
            "      0.25..0.5  0    0.0 %",
            "      0.5..0.75  1   33.3 %  ########################################",
            "        0.75..1  0    0.0 %",
            "        1..1.25  1   33.3 %  ########################################",
        ]
    );
}

/// Failed before: names were right-aligned, so the labels before them were in no column.
#[test]
fn names_of_classes_stand_below_each_other() {
    let folder = Folder::new(&[
        ("x", &file(8, &[3, 1], &[1, 2, 3])),
        ("l", &file(8, &[3], &[9, 10, 10])),
        ("names.txt", b"9 cat\n10 horse\n"),
    ]);
    let stats = ["stats", "x", "--labels", "l", "--classes", "names.txt"];
    let lines = "
  labels
     9 cat    1   33.3 %  ####################
    10 horse  2   66.7 %  ########################################
";
    let text = folder.run(&stats).success();
    assert!(text.ends_with(lines), "{text}");
    // Failed before: characters two columns wide were counted as one.
    folder.write("names.txt", "9 cat\n10 \u{732B}\u{5B50}\n".as_bytes());
    let lines = "
  labels
     9 cat   1   33.3 %  ####################
    10 \u{732B}\u{5B50}  2   66.7 %  ########################################
";
    let text = folder.run(&stats).success();
    assert!(text.ends_with(lines), "{text}");
}

#[test]
fn each_of_a_few_labels_has_a_bar() {
    let of = |labels: u8| file(8, &[labels.into()], &(1..=labels).collect::<Vec<u8>>());
    let folder = Folder::new(&[("letters", &of(26)), ("many", &of(100))]);
    let bars = |name: &str| {
        let shown = folder.run(&["stats", name]).success();
        shown.lines().skip_while(|line| !line.contains("histogram")).skip(1).count()
    };
    assert_eq!((bars("letters"), bars("many")), (26, 13));
}

#[test]
fn bars_stay_apart_where_there_is_colour() {
    let folder = Folder::new(&[("bytes", &file(0x08, &[5], &[0, 0, 0, 0, 1]))]);
    let mut command = folder.command(&["stats", "bytes"]);
    let output = outcome(command.env("CLICOLOR_FORCE", "1"), &[]).success();
    let bar = "▇".repeat(40);
    assert!(output.contains(&format!("0  4   80.0 %  {bar}\n")), "{output}");
    assert!(output.contains(&format!("1  1   20.0 %  {}\n", "▇".repeat(10))), "{output}");
}

#[test]
fn a_bar_that_would_flatten_the_others_is_cut() {
    let numbers = [vec![0; 1500], vec![1; 10], vec![2; 5]].concat();
    let folder = Folder::new(&[("zeros", &file(0x08, &[1515], &numbers))]);
    let output = folder.run(&["stats", "zeros"]).success();
    let bar = "#".repeat(40);
    for line in [
        "  elements            1,515".to_string(),
        format!("    0  1,500   99.0 %  {bar} >"),
        format!("    1     10    0.7 %  {bar}"),
        format!("    2      5    0.3 %  {}", "#".repeat(20)),
    ] {
        assert!(output.contains(&format!("{line}\n")), "{output}");
    }
}

/// A pipe can be read only once.
#[cfg(unix)]
#[test]
fn labels_from_a_pipe() {
    let folder = Folder::new(&[("x", &file(8, &[3, 1], &[7; 3]))]);
    let labels = file(8, &[3], &[1, 2, 2]);
    let mut command = folder.command(&["stats", "x", "--labels", "/dev/stdin"]);
    let output = outcome(&mut command, &labels).success();
    assert!(output.contains("\n    1  1   33.3 %"), "{output}");
    assert!(output.contains("\n    2  2   66.7 %"), "{output}");
}

/// Each number is one of the file, in whatever format it is.
#[test]
fn numbers_of_csv() {
    let folder = Folder::new(&[("x.csv", b"5,9\n3,4\n1,2\n")]);
    let output = folder.run(&["stats", "x.csv"]).success();
    for line in [
        "shape               3 x 2",
        "elements            6",
        "maximum             9",
        "mean                4",
    ] {
        assert!(output.contains(&format!("\n  {line}\n")), "{output}");
    }
}

#[test]
fn as_many_digits_as_the_bins_need() {
    let bytes =
        |values: &[f64]| values.iter().flat_map(|value| value.to_be_bytes()).collect::<Vec<_>>();
    let thirds = bytes(&[1.0, 1.0 + 1e-9, f64::NAN]);
    let folder = Folder::new(&[("x", &file(0x0E, &[3], &thirds))]);
    let output = folder.run(&["stats", "x"]).success();
    assert!(output.contains("\n  not a number        1\n  infinite            0\n"), "{output}");
    assert!(output.contains("\n                1..1.00000000006  1   50.0 %  #"), "{output}");
}

/// Bins of integers start at integers and lose no digit; other figures show the digits that they have.
#[test]
fn large_numbers_are_not_rounded_in_secret() {
    let numbers = [i32::MIN, i32::MAX, 0].map(i32::to_be_bytes).concat();
    let folder =
        Folder::new(&[("x", &file(0x0C, &[3], &numbers)), ("none", &file(0x0C, &[0], &[]))]);
    let output = folder.run(&["stats", "x"]).success();
    for line in ["  standard deviation  1.75341e9", "    -2147483648..-1879048192  1   33.3 %"] {
        assert!(output.contains(&format!("\n{line}")), "{output}");
    }
    assert!(!folder.run(&["stats", "none"]).success().contains("histogram"));
}

#[test]
fn as_many_labels_as_can_be_counted() {
    const MAX: u32 = 1 << 16;
    let labels = |count: u32| {
        file(0x0C, &[count], &(0..count).flat_map(u32::to_be_bytes).collect::<Vec<_>>())
    };
    for (count, is_counted) in [(MAX, true), (MAX + 1, false)] {
        let images = file(8, &[count, 1], &vec![7; count as usize]);
        let folder = Folder::new(&[("x", &images), ("l", &labels(count))]);
        let outcome = folder.run(&["stats", "x", "--labels", "l"]);
        assert_eq!(outcome.code, Some(if is_counted { 0 } else { 1 }), "{}", outcome.messages);
    }
}

#[test]
fn as_json() {
    let images = file(0x08, &[3, 1, 2], &[0, 7, 7, 9, 255, 7]);
    let labels = file(0x0C, &[3, 2], &[[0, 0, 0, 0, 0, 0, 0, 4], [0; 8], [0xFF; 8]].concat());
    let folder = Folder::new(&[
        ("images.gz", &gzip(&images)),
        ("labels", &labels),
        ("floats", &floats()),
        ("empty", &file(0x0E, &[0, 3], &[])),
        ("cut", &images[..20]),
    ]);
    let stats = |arguments: &[&str]| {
        let outcome = folder.run(&[&["stats", "--json"], arguments].concat());
        let lines = outcome.output.lines();
        lines.map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let arguments = ["images.gz", "--labels", "labels", "--label-column", "1"];
    let mut counts = vec![0; 256];
    for value in [0, 7, 7, 9, 255, 7] {
        counts[value] += 1;
    }
    assert_eq!(
        stats(&arguments),
        [json!({"path": "images.gz", "element_type": "u8", "shape": [3, 1, 2], "count": 6,
            "min": 0, "max": 255, "mean": 47.5, "std": 8619.25f64.sqrt(), "nan": 0, "infinite": 0,
            "histogram": {"start": 0, "width": 1, "counts": counts},
            "labels": {"-1": 1, "0": 1, "4": 1}})]
    );
    let reports = stats(&["floats", "cut", "empty"]);
    assert_eq!(reports[0]["nan"], 1);
    assert_eq!(reports[0]["infinite"], 2);
    assert_eq!(reports[0]["count"], 6);
    assert_eq!(reports[0]["labels"], Value::Null);
    let histogram = &reports[0]["histogram"];
    assert_eq!((&histogram["start"], &histogram["width"]), (&json!(-1.5), &json!(0.015_625)));
    assert_eq!(reports[1]["path"], "cut");
    assert!(reports[1]["error"].as_str().unwrap().contains("truncated"));
    assert_eq!(
        reports[2],
        json!({"path": "empty", "element_type": "f64", "shape": [0, 3], "count": 0, "min": null,
            "max": null, "mean": null, "std": null, "nan": 0, "infinite": 0, "labels": null,
            "histogram": null})
    );
}

#[test]
fn labels_that_do_not_go_with_the_file() {
    let many: Vec<u8> = (0..70_000u32).flat_map(u32::to_be_bytes).collect();
    let folder = Folder::new(&[
        ("two", &file(0x08, &[2], &[1, 2])),
        ("three", &file(0x08, &[3], &[1, 2, 3])),
        ("many", &file(0x0C, &[70_000], &many)),
    ]);
    let failure = |arguments: &[&str]| folder.run(&[&["stats"], arguments].concat()).failure().1;
    assert_eq!(
        failure(&["two", "--labels", "three"]),
        "three: 3 labels but 2 records; give the label file of these records"
    );
    assert_eq!(
        failure(&["many", "--labels", "many"]),
        "many: there are more than 65536 different labels; give a file of labels, or choose their column with \
         --label-column"
    );
    let usage = folder.run(&["stats", "two", "three", "--labels", "two"]);
    assert_eq!((usage.code, usage.output.as_str()), (Some(2), ""));
    assert!(usage.messages.contains("--labels needs exactly one FILE"), "{usage:?}");
}

#[test]
fn more_records_than_32_bits_count() {
    let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (9223372036854775807, 0), }";
    let mut npy = b"\x93NUMPY\x01\x00".to_vec();
    npy.extend(u16::try_from(header.len() + 1).unwrap().to_le_bytes());
    npy.extend(format!("{header}\n").bytes());
    let folder = Folder::new(&[("many.npy", &npy)]);
    let output = folder.run(&["info", "many.npy"]).success();
    assert!(output.contains("\n  shape         9223372036854775807 x 0\n"), "{output}");
    let output = folder.run(&["stats", "many.npy"]).success();
    assert!(output.contains("\n  shape               9223372036854775807 x 0\n"), "{output}");
}

#[test]
fn bad_and_odd_files() {
    for bad in not_idx() {
        let folder = Folder::new(&[(bad.name, &bad.bytes)]);
        let arguments = ["stats", bad.name];
        let (output, message) = folder.run(&arguments).failure();
        assert_eq!(
            (output, message),
            (String::new(), format!("{}: {}", bad.name, with_raw(bad.message)))
        );
    }
    for odd in odd_files() {
        let folder = Folder::new(&[(odd.name, &odd.bytes)]);
        folder.run(&["stats", odd.name]).success();
        folder.run_with(&["stats", "-"], &odd.bytes).success();
    }
}

#[test]
fn the_figures_that_everyone_divides_by() {
    let test = "the_figures_that_everyone_divides_by";
    let Some(images) = real_data(test, "mnist/train-images-idx3-ubyte.gz") else {
        return;
    };
    let images = images.canonicalize().unwrap();
    let output = Folder::new(&[]).run(&["stats", images.to_str().unwrap()]).success();
    assert!(output.contains("mean                33.3184  (0.1307 after division by 255)\n"));
    assert!(output.contains("standard deviation  78.5675  (0.3081 after division by 255)\n"));
}
