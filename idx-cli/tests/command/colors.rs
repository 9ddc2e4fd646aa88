//! Colors: as the environment asks for them, and on request.

use idx_tests::file;

use crate::common::{Folder, outcome};

#[test]
fn colours_where_they_are_wanted() {
    let folder = Folder::new(&[("images", &file(0x08, &[1, 1, 2], &[128, 0]))]);
    let coloured = |command: &str, variables: &[(&str, &str)]| {
        let mut command = folder.command(&[command, "images"]);
        outcome(command.envs(variables.iter().copied()), &[]).success()
    };
    let force = ("CLICOLOR_FORCE", "1");
    let exact = coloured("show", &[force, ("COLORTERM", "truecolor")]);
    assert!(exact.contains("\x1B[38;2;128;128;128m"), "{exact:?}");
    let of_256 = coloured("show", &[force]);
    assert!(of_256.contains("\x1B[38;5;"), "{of_256:?}");
    assert!(coloured("stats", &[force]).contains('▇'));
    for command in ["show", "stats", "info", "check"] {
        for variables in [&[][..], &[("NO_COLOR", "1")], &[("NO_COLOR", "1"), force]] {
            let plain = coloured(command, variables);
            assert!(plain.is_ascii() && !plain.contains('\x1B'), "{plain:?}");
        }
    }
}

#[test]
fn colours_on_request() {
    let folder = Folder::new(&[("images", &file(0x08, &[1, 1, 2], &[128, 0]))]);
    let shown = |options: &[&str], variable: Option<&str>| {
        let mut command = folder.command(&[&["show", "images"], options].concat());
        outcome(command.envs(variable.map(|name| (name, "1"))), &[]).success()
    };
    let plain = shown(&[], None);
    assert!(!plain.contains('\x1B'));
    assert!(shown(&["--color", "always"], Some("NO_COLOR")).contains('\x1B'));
    assert_eq!(shown(&["--color=never"], Some("CLICOLOR_FORCE")), plain);
    assert_eq!(shown(&["--color", "auto"], None), plain);
    let before = folder.run(&["--color", "always", "show", "images"]);
    assert!(before.success().contains('\x1B'));
}

/// Failed before: `ok` and errors looked the same.
#[test]
fn results_have_a_color() {
    let folder = Folder::new(&[("a.idx", &file(8, &[1], &[0]))]);
    let outcome = |variable: &str| {
        let mut command = folder.command(&["check", "a.idx", "none"]);
        outcome(command.env(variable, "1"), &[])
    };
    let colored = outcome("CLICOLOR_FORCE");
    assert!(colored.output.starts_with("a.idx: \x1B[1m\x1B[32mok\x1B[0m: u8"), "{colored:?}");
    assert!(colored.messages.starts_with("\x1B[1m\x1B[31midx:\x1B[0m none: "), "{colored:?}");
    let plain = outcome("NO_COLOR");
    assert!(plain.output.starts_with("a.idx: ok: u8"), "{plain:?}");
    assert!(plain.messages.starts_with("idx: none: "), "{plain:?}");
}
