use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use idx_std::DataSet;
#[cfg(feature = "fetch")]
use idx_std::FetchEvent;

use crate::console::{Console, Stop};
#[cfg(feature = "fetch")]
use crate::{console::say, progress::Progress};

/// A data set from its mirrors, resumed where it was broken off, and verified by hash.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  idx fetch mnist data/mnist
  idx fetch fashion-mnist data --mirror https://example.org/fashion/")]
pub(crate) struct FetchArguments {
    /// The data set
    #[arg(value_name = "NAME")]
    name: Name,

    /// The folder for the files, made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// A mirror to ask before the known ones: the address of a folder with the files
    #[arg(long, value_name = "URL")]
    mirror: Vec<String>,

    /// Replaces files of these names that are not the published ones
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    Mnist,
    FashionMnist,
}

impl Name {
    fn data_set(self) -> DataSet {
        match self {
            Self::Mnist => DataSet::Mnist,
            Self::FashionMnist => DataSet::FashionMnist,
        }
    }
}

#[cfg(feature = "fetch")]
pub(crate) fn run(arguments: &FetchArguments, console: &mut Console) -> io::Result<()> {
    let data_set = arguments.name.data_set();
    let options = arguments
        .mirror
        .iter()
        .fold(idx_std::FetchOptions::new(), |options, mirror| {
            options.mirror(mirror)
        })
        .overwrite(arguments.force);
    let mut progress = Progress::new(&arguments.folder, None);
    let listen = |event: FetchEvent<'_>| match event {
        FetchEvent::Received { name, bytes, size } => progress.reach(name.as_ref(), bytes, size),
        FetchEvent::MirrorFailed(failure) => {
            progress.pause(|| say(format_args!("{}: {}", failure.address, failure.reason)));
        }
        _ => {}
    };
    let fetched = idx_std::fetch(data_set, &arguments.folder, &options, listen);
    drop(progress);
    let done = match fetched {
        Ok(files) => {
            for file in files {
                writeln!(console.output, "{}", file.display())?;
            }
            if let Some(published) = data_set.published() {
                writeln!(console.output, "{}", published.terms)?;
            }
            Ok(())
        }
        Err(error) => {
            let path = error.path().unwrap_or(&arguments.folder);
            Err(Stop::file(path, error.message()))
        }
    };
    console.report(done)
}

/// Tells where the files are, for a program that can download them.
#[cfg(not(feature = "fetch"))]
pub(crate) fn run(arguments: &FetchArguments, console: &mut Console) -> io::Result<()> {
    if let Some(published) = arguments.name.data_set().published() {
        let mirrors = arguments.mirror.iter().map(String::as_str);
        for mirror in mirrors.chain(published.mirrors.iter().copied()) {
            let slash = if mirror.ends_with('/') { "" } else { "/" };
            for file in published.files {
                writeln!(console.output, "{mirror}{slash}{}", file.name)?;
            }
        }
        // As sha256sum(1) checks them.
        for file in published.files {
            writeln!(console.output, "{}  {}", file.sha256, file.name)?;
        }
        for file in published.files {
            writeln!(console.output, "{} bytes  {}", file.size, file.name)?;
        }
        writeln!(console.output, "{}", published.terms)?;
    }
    console.report(Err(Stop::file(
        &arguments.folder,
        "nothing was downloaded, this program was built without the feature `fetch`; \
         download the files above, each from one of its addresses",
    )))
}
