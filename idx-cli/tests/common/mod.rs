//! How the tests run the command: in a folder of files, with what it leaves behind.

#![allow(dead_code, reason = "no test needs all of it")]

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// What a run of the command left behind.
#[derive(Debug, PartialEq)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) output: String,
    pub(crate) messages: String,
}

impl Outcome {
    /// The output of a run without any message.
    #[track_caller]
    pub(crate) fn success(self) -> String {
        assert_eq!((self.code, self.messages.as_str()), (Some(0), ""));
        self.output
    }

    /// The output and the only message of a run in which a file was wrong.
    #[track_caller]
    pub(crate) fn failure(self) -> (String, String) {
        assert_eq!(self.code, Some(1), "{self:?}");
        assert_eq!(self.messages.lines().count(), 1, "{self:?}");
        let message = self
            .messages
            .strip_prefix("idx: ")
            .expect("the name of the command");
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
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input closes it, which is no failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Outcome {
        code: output.status.code(),
        output: String::from_utf8(output.stdout).unwrap(),
        messages: String::from_utf8(output.stderr).unwrap(),
    }
}
