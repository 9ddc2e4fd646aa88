use idx_std::DataSet;
#[cfg(feature = "fetch")]
use idx_std::FetchEvent;

use crate::args::FetchArguments;
use crate::term::console::Console;
use crate::term::failure::Failure;
#[cfg(feature = "fetch")]
use crate::term::{failure::print_error, progress::Progress};

#[cfg(feature = "fetch")]
pub(crate) fn run(arguments: &FetchArguments, console: &mut Console) -> Result<(), Failure> {
    let data_set = DataSet::from(arguments.name);
    let options = arguments
        .mirror
        .iter()
        .fold(idx_std::FetchOptions::new(), |options, mirror| {
            options.mirror(mirror)
        })
        .overwrite(arguments.overwrite.force);
    let mut progress = Progress::new(&arguments.folder, None);
    let listen = |event: FetchEvent<'_>| match event {
        FetchEvent::Received { name, bytes, size } => progress.reach(name.as_ref(), bytes, size),
        FetchEvent::MirrorFailed(failure) => {
            progress.pause(|| print_error(format_args!("{}: {}", failure.address, failure.reason)));
        }
        _ => {}
    };
    let fetched = idx_std::fetch(data_set, &arguments.folder, &options, listen);
    drop(progress);
    let files = fetched.map_err(|error| Failure::data(&arguments.folder, error))?;
    for file in files {
        writeln!(console, "{}", file.display())?;
    }
    match data_set.published() {
        Some(published) => writeln!(console, "{}", published.terms),
        None => Ok(()),
    }
}

/// Prints where the files are, for a program that can download them.
#[cfg(not(feature = "fetch"))]
pub(crate) fn run(arguments: &FetchArguments, console: &mut Console) -> Result<(), Failure> {
    if let Some(published) = DataSet::from(arguments.name).published() {
        let mirrors = arguments.mirror.iter().map(String::as_str);
        for mirror in mirrors.chain(published.mirrors.iter().copied()) {
            let slash = if mirror.ends_with('/') { "" } else { "/" };
            for file in published.files {
                writeln!(console, "{mirror}{slash}{}", file.name)?;
            }
        }
        // As sha256sum(1) checks them.
        for file in published.files {
            writeln!(console, "{}  {}", file.sha256, file.name)?;
        }
        for file in published.files {
            writeln!(console, "{} bytes  {}", file.size, file.name)?;
        }
        writeln!(console, "{}", published.terms)?;
    }
    Err(Failure::file(
        &arguments.folder,
        "nothing was downloaded: this program was built without the feature `fetch`; download the \
         files above, each from one of its addresses",
    ))
}
