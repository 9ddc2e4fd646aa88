use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};
use ureq::Agent;
use ureq::http::{Response, StatusCode, header};

use super::error::{Error, ErrorKind};
use super::known::hexadecimal;
use super::mirrors::RemoteFile;
use super::table::DataSet;
use crate::io::CHUNK_SIZE;
use crate::signature::FileSignature;

/// How long a mirror may take to respond.
const ANSWER: Duration = Duration::from_secs(30);

/// How long one response may take; after that the rest is requested again.
const BODY: Duration = Duration::from_secs(300);

/// Downloads the files of a data set that are missing in a folder, and returns the paths of all its files.
///
/// It tries the mirrors in turn. A file appears under its name once its SHA-256 is the published one; until
/// then it is `NAME.partial`, from which an interrupted download resumes, now or later. A file that already
/// exists is verified and not downloaded.
///
/// `listen` is called when bytes have arrived, and when a mirror failed.
///
/// # Errors
///
/// [`ErrorKind::FetchFailed`], with the reason for each mirror; [`ErrorKind::FileConflict`] if another file
/// has the name of a published one; [`ErrorKind::File`] if the folder cannot be written;
/// [`ErrorKind::NoMirror`] if no mirror of the data set is known.
///
/// ```no_run
/// use idx_std::dataset::{self, DataSet, FetchOptions};
///
/// let files = dataset::fetch(DataSet::Mnist, "data/mnist", &FetchOptions::new(), |_| ())?;
/// let images = idx_std::open(&files[0])?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fetch(
    data_set: DataSet,
    folder: impl AsRef<Path>,
    options: &FetchOptions,
    mut listen: impl FnMut(FetchEvent<'_>),
) -> Result<Vec<PathBuf>, Error> {
    let folder = folder.as_ref();
    let Some(known) = data_set.mirrors() else {
        return Err(ErrorKind::NoMirror { data_set }.into());
    };
    fs::create_dir_all(folder).map_err(|error| Error::from(error).with_path(folder))?;
    let agent = Agent::from(
        Agent::config_builder()
            .http_status_as_error(false)
            .user_agent(concat!("idx/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(ANSWER))
            .timeout_recv_response(Some(ANSWER))
            .timeout_recv_body(Some(BODY))
            .build(),
    );
    let mut mirrors = options.mirrors.clone();
    if !options.no_known_mirrors {
        mirrors.extend(known.addresses.iter().map(ToString::to_string));
    }
    let files = known.files.iter().map(|wanted| {
        let path = folder.join(wanted.name);
        fetch_file(&agent, &mirrors, *wanted, &path, options, &mut listen)
            .map(|()| path.clone())
            .map_err(|error| error.with_path(&path))
    });
    files.collect()
}

/// The mirrors to download from, and whether to overwrite files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FetchOptions {
    mirrors: Vec<String>,
    no_known_mirrors: bool,
    overwrite: bool,
}

impl FetchOptions {
    /// The known mirrors, and no file is overwritten.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            mirrors: Vec::new(),
            no_known_mirrors: false,
            overwrite: false,
        }
    }

    /// Adds a mirror, by the address of the folder with the files. It is tried after those that were added
    /// earlier, and before the known ones.
    #[must_use]
    pub fn mirror(mut self, address: impl Into<String>) -> Self {
        let mut address = address.into();
        if !address.ends_with('/') {
            address.push('/');
        }
        self.mirrors.push(address);
        self
    }

    /// Whether to try the mirrors of [`DataSet::mirrors`], after those that were added; the default is
    /// `true`.
    #[must_use]
    pub fn known_mirrors(self, ask: bool) -> Self {
        Self {
            no_known_mirrors: !ask,
            ..self
        }
    }

    /// Whether to overwrite a file that has the name of a published one, but other content.
    #[must_use]
    pub fn overwrite(self, overwrite: bool) -> Self {
        Self { overwrite, ..self }
    }
}

/// An event during a download.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FetchEvent<'a> {
    /// Some bytes have arrived.
    Received {
        /// The name of the file.
        name: &'static str,
        /// The bytes so far, including those of an earlier download.
        bytes: u64,
        /// The bytes of the whole file.
        size: u64,
    },
    /// A mirror failed, and the next one is tried.
    MirrorFailed(&'a MirrorFailure),
}

/// Why a mirror did not deliver a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorFailure {
    /// The address of the file.
    pub address: String,
    /// What went wrong, in words.
    pub reason: String,
}

/// Why a mirror did not complete a file.
enum Failure {
    /// The mirror failed, for this reason; another one may succeed.
    Mirror(String),
    /// The file cannot be written.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

fn fetch_file(
    agent: &Agent,
    mirrors: &[String],
    wanted: RemoteFile,
    path: &Path,
    options: &FetchOptions,
    listen: &mut dyn FnMut(FetchEvent<'_>),
) -> Result<(), Error> {
    match File::open(path) {
        Ok(mut file) => {
            if is_published(&mut file, wanted)? {
                return Ok(());
            }
            if !options.overwrite {
                return Err(ErrorKind::FileConflict.into());
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error.into()),
    }
    let partial = path.with_file_name(format!("{}.partial", wanted.name));
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&partial)?;
    let mut failures = Vec::new();
    for mirror in mirrors {
        let address = format!("{mirror}{}", wanted.name);
        match fetch_from(agent, &address, wanted, &mut file, listen) {
            Ok(()) => {
                file.sync_all()?;
                drop(file);
                return Ok(fs::rename(&partial, path)?);
            }
            Err(Failure::Mirror(reason)) => {
                let failure = MirrorFailure { address, reason };
                listen(FetchEvent::MirrorFailed(&failure));
                failures.push(failure);
            }
            Err(Failure::Io(error)) => return Err(error.into()),
        }
    }
    // An empty file would be litter; from a part of the file the next download resumes.
    if file.metadata()?.len() == 0 {
        drop(file);
        fs::remove_file(&partial)?;
    }
    Err(ErrorKind::FetchFailed { failures }.into())
}

/// Completes a file from one mirror, which may interrupt the download any number of times if each
/// response delivers some bytes.
fn fetch_from(
    agent: &Agent,
    address: &str,
    wanted: RemoteFile,
    file: &mut File,
    listen: &mut dyn FnMut(FetchEvent<'_>),
) -> Result<(), Failure> {
    let mut from_the_start = false;
    loop {
        let before = file.seek(SeekFrom::End(0))?;
        if before < wanted.size {
            let start = receive(agent, address, wanted, file, listen)?;
            from_the_start |= start == 0;
            let after = file.metadata()?.len();
            if after < wanted.size {
                if after > before {
                    continue;
                }
                let size = wanted.size;
                return Err(Failure::Mirror(format!(
                    "ended after {after} of {size} bytes"
                )));
            }
        }
        if is_published(file, wanted)? {
            return Ok(());
        }
        // The part of an earlier download may be wrong.
        file.set_len(0)?;
        if from_the_start {
            return Err(Failure::Mirror(
                "gave another file, whose SHA-256 is not the published one".to_string(),
            ));
        }
        from_the_start = true;
    }
}

/// Appends one response of the mirror to the file; returns the position at which it began.
fn receive(
    agent: &Agent,
    address: &str,
    wanted: RemoteFile,
    file: &mut File,
    listen: &mut dyn FnMut(FetchEvent<'_>),
) -> Result<u64, Failure> {
    let mut position = file.metadata()?.len();
    let mut request = agent
        .get(address)
        // Without it, a server may compress the file once more.
        .header(header::ACCEPT_ENCODING, "identity");
    if position > 0 {
        request = request.header(header::RANGE, format!("bytes={position}-"));
    }
    let response = request
        .call()
        .map_err(|error| Failure::Mirror(format!("did not answer: {error}")))?;
    match response.status() {
        StatusCode::PARTIAL_CONTENT if first_byte(&response) == Some(position) => {}
        // The whole file, even if only a part was requested.
        StatusCode::OK => position = 0,
        StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT => {
            file.set_len(0)?;
            return Err(Failure::Mirror(format!(
                "did not go on from byte {position}; try again from the start"
            )));
        }
        status => return Err(Failure::Mirror(format!("answered {status}"))),
    }
    let start = position;
    file.set_len(start)?;
    file.seek(SeekFrom::Start(start))?;
    let mut report = |received| {
        listen(FetchEvent::Received {
            name: wanted.name,
            bytes: received,
            size: wanted.size,
        });
    };
    report(position);
    let mut body = response.into_body().into_reader();
    let mut chunk = vec![0; CHUNK_SIZE];
    // The length reveals an interrupted connection.
    while let Ok(count @ 1..) = body.read(&mut chunk) {
        let bytes = chunk.get(..count).unwrap_or_default();
        if position == 0
            && let Some(signature) = FileSignature::detect(bytes)
        {
            return Err(Failure::Mirror(format!(
                "gave {signature} in place of the file"
            )));
        }
        position += count as u64;
        if position > wanted.size {
            file.set_len(0)?;
            return Err(Failure::Mirror(format!(
                "gave more than the {} bytes of the file",
                wanted.size
            )));
        }
        file.write_all(bytes)?;
        report(position);
    }
    Ok(start)
}

/// The position at which a part of a file begins.
fn first_byte<T>(response: &Response<T>) -> Option<u64> {
    let range = response.headers().get(header::CONTENT_RANGE)?;
    let (first, _) = range
        .to_str()
        .ok()?
        .strip_prefix("bytes ")?
        .split_once('-')?;
    first.parse().ok()
}

/// Whether a file is the published one, by its size and SHA-256.
fn is_published(file: &mut File, wanted: RemoteFile) -> io::Result<bool> {
    if file.metadata()?.len() != wanted.size {
        return Ok(false);
    }
    file.seek(SeekFrom::Start(0))?;
    let mut hash = Sha256::new();
    let mut chunk = vec![0; CHUNK_SIZE];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => hash.update(chunk.get(..count).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(hexadecimal(&hash.finalize()) == wanted.sha256)
}
