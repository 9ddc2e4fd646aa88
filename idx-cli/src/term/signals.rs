//! Signals that end the command while it writes.

/// From now on Ctrl-C, and the other signals by which programs are asked to end, leave no temporary file,
/// and a limit of the size of files is an error like a full disk.
#[cfg(unix)]
pub(crate) fn leave_nothing() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;

    // A handler that does nothing makes the system return an error.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let wanted = [SIGHUP, SIGINT, SIGTERM];
    let wanted = wanted.into_iter().filter(|signal| !is_ignored(*signal));
    if let Ok(mut signals) = Signals::new(wanted) {
        std::thread::spawn(move || signals.forever().for_each(end));
    }
}

#[cfg(not(unix))]
pub(crate) fn leave_nothing() {}

/// Ends as the signal does that nobody handles, which is what the exit status tells.
#[cfg(unix)]
fn end(signal: i32) {
    super::progress::clear();
    // What fails now, because its file is gone, is not printed.
    let _silent = std::io::stderr().lock();
    idx_std::io::remove_temporaries();
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// Whether whoever started the command made it ignore a signal, as nohup(1) does.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let ignored = || {
        // Only Linux tells without unsafe code.
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status
            .lines()
            .find_map(|line| line.strip_prefix("SigIgn:"))?;
        let mask = u64::from_str_radix(mask.trim(), 16).ok()?;
        Some(mask >> (signal - 1) & 1 == 1)
    };
    ignored() == Some(true)
}
