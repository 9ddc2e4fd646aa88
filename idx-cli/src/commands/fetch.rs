#[cfg(feature = "fetch")]
use idx_std::dataset::{ErrorKind, FetchEvent, FetchOptions, fetch};

use crate::args::FetchArguments;
use crate::term::console::Console;
use crate::term::failure::Failure;
#[cfg(feature = "fetch")]
use crate::term::{failure::print_error, progress::Progress, text::PathText};

#[cfg(feature = "fetch")]
pub(crate) fn run(arguments: &FetchArguments, console: &mut Console) -> Result<(), Failure> {
    let options = arguments
        .mirror
        .iter()
        .fold(FetchOptions::new(), |options, mirror| options.mirror(mirror))
        .overwrite(arguments.overwrite.force);
    let mut progress = Progress::new(&arguments.folder, None);
    let listen = |event: FetchEvent<'_>| match event {
        FetchEvent::Received { name, bytes, size } => progress.reach(name.as_ref(), bytes, size),
        FetchEvent::MirrorFailed(failure) => {
            progress.pause(|| print_error(format_args!("{}: {}", failure.address, failure.reason)));
        }
        _ => {}
    };
    let fetched = fetch(arguments.name, &arguments.folder, &options, listen);
    drop(progress);
    let fetched = fetched.map_err(|error| match (error.kind(), error.path()) {
        // The reason for each mirror was printed when it failed.
        (ErrorKind::FetchFailed { .. }, Some(path)) => Failure::file(
            path,
            "no mirror gave this file; try again later, or specify another with `--mirror`",
        ),
        _ => error.into(),
    });
    for file in fetched? {
        writeln!(console, "{}", PathText::from(&file))?;
    }
    writeln!(console, "{}", arguments.name.mirrors().terms)
}

/// Prints where the files are, for a program that can download them.
#[cfg(not(feature = "fetch"))]
pub(crate) fn run(arguments: &FetchArguments, console: &mut Console) -> Result<(), Failure> {
    let mirrors = arguments.name.mirrors();
    let addresses = arguments.mirror.iter().map(String::as_str);
    for address in addresses.chain(mirrors.addresses.iter().copied()) {
        let slash = if address.ends_with('/') { "" } else { "/" };
        for file in mirrors.files {
            writeln!(console, "{address}{slash}{}", file.name)?;
        }
    }
    // As sha256sum(1) checks them.
    for file in mirrors.files {
        writeln!(console, "{}  {}", file.sha256, file.name)?;
    }
    for file in mirrors.files {
        writeln!(console, "{} bytes  {}", file.size, file.name)?;
    }
    writeln!(console, "{}", mirrors.terms)?;
    Err(Failure::file(
        &arguments.folder,
        "nothing was downloaded: this program was built without the feature `fetch`; download the \
         files above, each from one of its addresses",
    ))
}
