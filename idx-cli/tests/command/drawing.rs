//! The pictures of `idx show`: values of each element type, colors, and records that are too wide.

use idx_tests::file;

use crate::common::{Folder, outcome};

#[test]
fn pictures_are_turned_and_inverted() {
    let pixels = [0, 0, 255, 0, 0, 0];
    let folder = Folder::new(&[("a.idx", &file(8, &[1, 2, 3], &pixels))]);
    let show = |option: &[&str]| folder.run(&[&["show", "a.idx"], option].concat()).success();
    assert_eq!(show(&[]), "0\n    @@\n\n");
    assert_eq!(show(&["--transpose"]), "0\n\n\n@@\n");
    assert_eq!(show(&["--invert"]), "0\n@@@@\n@@@@@@\n");
}

/// Failed before: digits were drawn dark on white, and photographs bright on black.
#[test]
fn digits_and_photographs_are_drawn_as_they_are() {
    // A bright disk on dark gray, and the same on black, as a digit is.
    let disk = |dark: u8| {
        let bright = |x: i32, y: i32| (x - 8) * (x - 8) + (y - 8) * (y - 8) < 30;
        let pixels = (0..17).flat_map(|y| (0..17).map(move |x| (x, y)));
        pixels.map(|(x, y)| if bright(x, y) { 250 } else { dark }).collect::<Vec<u8>>()
    };
    let folder = Folder::new(&[
        ("photograph", &file(8, &[1, 17, 17], &disk(20))),
        ("digit", &file(8, &[1, 17, 17], &disk(0))),
    ]);
    let middle = |name: &str, options: &[&str]| {
        let shown = folder.run(&[&["show", name], options].concat()).success();
        let line = shown.lines().nth(5).unwrap().to_string();
        (line.as_bytes()[0], line.as_bytes().get(8).copied().unwrap_or(b' '))
    };
    assert_eq!(middle("photograph", &[]), (b'.', b'@'));
    assert_eq!(middle("digit", &[]), (b' ', b'@'));
    assert_eq!(middle("digit", &["--invert"]), (b'@', b' '));
}

/// The lines below the caption of the only record of this shape.
fn lines(code: u8, record_shape: &[u32], elements: &[u8], colours: bool) -> Vec<String> {
    let shape = [&[1], record_shape].concat();
    let folder = Folder::new(&[("images", &file(code, &shape, elements))]);
    let mut command = folder.command(&["show", "images"]);
    if colours {
        command.envs([("CLICOLOR_FORCE", "1"), ("COLORTERM", "truecolor")]);
    }
    let output = outcome(&mut command, &[]).success();
    let lines = output.lines().skip(1).filter(|line| !line.is_empty());
    lines.map(str::to_string).collect()
}

#[test]
fn elements_other_than_bytes_are_scaled() {
    let infinite = [-1.0, 0.0, 1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let elements = infinite.map(f32::to_be_bytes).concat();
    assert_eq!(lines(0x0D, &[2, 3], &elements, false), ["  ++@@", "??@@"]);
    // The whole range of f64, whose width no f64 holds.
    let elements = [f64::MIN, f64::MAX].map(f64::to_be_bytes).concat();
    assert_eq!(lines(0x0E, &[1, 2], &elements, false), ["  @@"]);
    // A constant record is blank.
    assert!(lines(0x0B, &[1, 2], &[1, 1, 1, 1], false).is_empty());
}

#[test]
fn channels_first_and_last_are_the_same_colours() {
    let last = lines(0x08, &[1, 2, 3], &[1, 2, 3, 4, 5, 6], true);
    let first = lines(0x08, &[3, 1, 2], &[1, 4, 2, 5, 3, 6], true);
    assert_eq!(last, first);
    assert_eq!(last, ["\x1B[0m\x1B[38;2;1;2;3m▀\x1B[0m\x1B[38;2;4;5;6m▀\x1B[0m"]);
}

#[test]
fn half_blocks_have_two_colors() {
    assert_eq!(
        lines(0x08, &[3, 1], &[0, 255, 0], true),
        [
            "\x1B[0m\x1B[38;2;0;0;0m\x1B[48;2;255;255;255m▀\x1B[0m",
            "\x1B[0m\x1B[38;2;0;0;0m▀\x1B[0m"
        ]
    );
}

#[test]
fn wide_pictures_become_smaller() {
    // Three times smaller, and then two rows to a line.
    let drawn = lines(
        0x0B,
        &[60, 200],
        &[[0, 1].repeat(100 * 60), [0, 2].repeat(100 * 60)].concat(),
        false,
    );
    assert_eq!(drawn, vec!["@".repeat(67); 5]);
}

/// Keys, and numbers before labels, are dimmed.
#[test]
fn keys_and_numbers_are_dimmed() {
    let folder =
        Folder::new(&[("a.idx", &file(8, &[1, 1, 1], &[0])), ("l.idx", &file(8, &[1], &[7]))]);
    let run = |arguments: &[&str], is_forced: bool| {
        let mut command = folder.command(arguments);
        if is_forced {
            command.env("CLICOLOR_FORCE", "1");
        }
        outcome(&mut command, &[]).success()
    };
    let show = ["show", "a.idx", "--labels", "l.idx"];
    assert!(run(&show, true).starts_with("\x1B[2m0\x1B[0m: label 7\n"));
    assert!(run(&["info", "a.idx"], true).contains("\x1B[2m  element type\x1B[0m  u8\n"));
    assert!(!(run(&show, false) + &run(&["info", "a.idx"], false)).contains('\x1B'));
}
