//! `idx fetch`: downloads a data set; without the feature, it prints the addresses.

#[cfg(feature = "fetch")]
use std::fs;
#[cfg(feature = "fetch")]
use std::path::{Path, PathBuf};

#[cfg(feature = "fetch")]
use idx_data::ErrorKind;
#[cfg(feature = "fetch")]
use idx_data::dataset::{FetchEvent, FetchOptions, fetch};

use crate::args::FetchArguments;
use crate::term::console::Console;
use crate::term::failure::Failure;
#[cfg(feature = "fetch")]
use crate::term::{failure::print_warning, progress::Progress, signals, text::PathText};

#[cfg(feature = "fetch")]
pub(crate) fn run(arguments: &FetchArguments, console: &mut Console) -> Result<(), Failure> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let new = arguments.folder().ancestors().take_while(is_missing);
    let new: Vec<PathBuf> = new.map(Path::to_path_buf).collect();
    // New folders that got no file, as after an error, are removed.
    signals::leave_nothing_and(move || {
        let _ = new.iter().try_for_each(fs::remove_dir);
    });
    let options =
        FetchOptions::new().mirrors(arguments.mirror.clone()).overwrite(arguments.overwrite.force);
    let mut progress = Progress::new(arguments.folder(), None);
    let listen = |event: FetchEvent<'_>| match event {
        FetchEvent::Received { name, bytes, size } => progress.reach(name.as_ref(), bytes, size),
        FetchEvent::MirrorFailed { address, reason } => {
            progress.pause(|| print_warning(format_args!("{address}: {reason}")));
        }
        _ => {}
    };
    let fetched = fetch(arguments.name, arguments.folder(), &options, listen);
    drop(progress);
    let fetched = fetched.map_err(|error| match (error.kind(), error.path()) {
        // The reason for each mirror was printed when it failed.
        (ErrorKind::FetchFailed { .. }, Some(path)) => Failure::file(path, no_mirror(arguments)),
        _ => error.into(),
    });
    for file in fetched? {
        writeln!(console, "{}", PathText::from(&file))?;
    }
    writeln!(console, "{}", arguments.name.terms())
}

#[cfg(feature = "fetch")]
fn no_mirror(arguments: &FetchArguments) -> String {
    let advice = "try again later, or specify another with `--mirror`";
    match arguments.name.addresses() {
        [only] if arguments.mirror.is_empty() => {
            format!(
                "{only}, the only known address of {}, did not give this file; {advice}",
                arguments.name
            )
        }
        _ => format!("no mirror gave this file; {advice}"),
    }
}

/// Prints the addresses of the files, for a program that can download them.
#[cfg(not(feature = "fetch"))]
pub(crate) fn run(arguments: &FetchArguments, console: &mut Console) -> Result<(), Failure> {
    let files = arguments.name.remote_files();
    let addresses = arguments.mirror.iter().map(String::as_str);
    for address in addresses.chain(arguments.name.addresses().iter().copied()) {
        let slash = if address.ends_with('/') { "" } else { "/" };
        for file in &files {
            writeln!(console, "{address}{slash}{}", file.name)?;
        }
    }
    // As sha256sum(1) checks them.
    for file in &files {
        writeln!(console, "{}  {}", file.sha256, file.name)?;
    }
    let digits = files.iter().map(|file| file.size.to_string().len()).max().unwrap_or_default();
    for file in &files {
        writeln!(console, "{:>digits$} bytes  {}", file.size, file.name)?;
    }
    writeln!(console, "{}", arguments.name.terms())?;
    Err(Failure::file(
        arguments.folder(),
        "nothing was downloaded: this program was built without the feature `fetch`; each file above \
         has an address to download it from",
    ))
}
