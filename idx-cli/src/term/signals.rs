//! Signals that end the command while it writes.

#[cfg(unix)]
use std::io::{self, IsTerminal, Write};

/// Removes temporary files when Ctrl-C or another signal ends the program, and turns exceeding the limit of file sizes
/// into an error, like a full disk.
pub(crate) fn leave_nothing() {
    leave_nothing_and(|| ());
}

/// Works like [`leave_nothing`], and also calls `remove` before such a signal ends the program.
#[cfg(unix)]
pub(crate) fn leave_nothing_and(remove: impl Fn() + Send + 'static) {
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, Barrier};
    use std::thread::Builder;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    // With a handler that does nothing, the system call returns an error instead.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let wanted = [SIGHUP, SIGINT, SIGTERM];
    let wanted = wanted.into_iter().filter(|signal| !is_ignored(*signal));
    let ready = Arc::new(Barrier::new(2));
    let is_ready = Arc::clone(&ready);
    let wait = move || {
        let signals = Signals::new(wanted);
        is_ready.wait();
        let end = |signal| end(signal, &remove);
        signals.into_iter().for_each(|mut signals| signals.forever().for_each(end));
    };
    // Without the thread, signals end the command as usual.
    if Builder::new().spawn(wait).is_ok() {
        ready.wait();
    }
}

#[cfg(not(unix))]
pub(crate) fn leave_nothing_and(_: impl Fn() + Send + 'static) {}

/// Ends the process by the signal itself, so that the exit status shows it.
#[cfg(unix)]
fn end(signal: i32, remove: &impl Fn()) {
    crate::term::progress::clear();
    // Later errors are not printed, because they come from the missing files.
    let mut silent = io::stderr().lock();
    if silent.is_terminal() {
        let _ = writeln!(silent, "idx: stopped; incomplete output is removed");
    }
    idx_std::remove_temporaries();
    remove();
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// Returns whether the command was started with a signal ignored, as nohup(1) does.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let ignored = || {
        // Only Linux answers this without unsafe code.
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
        Some(mask >> (signal - 1) & 1 == 1)
    };
    ignored() == Some(true)
}
