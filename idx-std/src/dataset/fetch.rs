use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};
use ureq::http::{Response, StatusCode, header};
use ureq::{Agent, Body};

use super::archive;
use super::error::{Error, ErrorKind};
use super::file_name::usual_compressed_names;
use super::known::hexadecimal;
use super::mirrors::{MirrorFailure, Mirrors, RemoteFile};
use super::partial::PartialFile;
use super::table::DataSet;
use crate::error::ErrorKind as FileErrorKind;
use crate::io::CHUNK_SIZE;
use crate::io::access::open_regular;
use crate::signature::FileSignature;

/// The bytes that a mirror must send per second, slower than the modems of 1998.
const MIN_RATE: u64 = 4 << 10;

/// How often one mirror may interrupt the download of a file.
const MAX_REQUESTS: u32 = 100;

/// Downloads the files of a data set that are missing in a folder, and returns the paths of all its files.
///
/// It tries the mirrors in turn. A file appears under its name once its SHA-256 is the published one; until
/// then it is `NAME.partial`, from which an interrupted download resumes, now or later. A file that already
/// exists is verified and not downloaded. The files of EMNIST are extracted from their archive, which stays
/// in the folder for the other parts of EMNIST.
///
/// A mirror has failed if it does not send at least 4 KiB per second, or interrupts the download of a file
/// 100 times.
///
/// `listen` is called when bytes have arrived, and when a mirror failed.
///
/// # Errors
///
/// [`ErrorKind::FetchFailed`], with the reason for each mirror; [`ErrorKind::FileConflict`] if another file
/// has the name of a published one; [`ErrorKind::DownloadUnderWay`] if another program downloads a file into
/// the same folder; [`ErrorKind::File`] if the folder cannot be written; [`ErrorKind::Archive`] if a file
/// cannot be extracted.
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
    let prefix = data_set.facts().prefix;
    fetch_from(data_set.mirrors(), prefix, folder.as_ref(), options, &mut listen)
}

pub(super) fn fetch_from(
    known: Mirrors,
    prefix: &str,
    folder: &Path,
    options: &FetchOptions,
    listen: &mut dyn FnMut(FetchEvent<'_>),
) -> Result<Vec<PathBuf>, Error> {
    let files = fetch_files(known, folder, options, listen)?;
    match (known.archive_folder, files.first()) {
        (Some(inside), Some(archive)) => {
            let names = usual_compressed_names(prefix);
            archive::extract(archive, inside, &names, folder, options.overwrite)
        }
        _ => Ok(files),
    }
}

fn fetch_files(
    known: Mirrors,
    folder: &Path,
    options: &FetchOptions,
    listen: &mut dyn FnMut(FetchEvent<'_>),
) -> Result<Vec<PathBuf>, Error> {
    fs::create_dir_all(folder).map_err(|error| Error::from(error).with_path(folder))?;
    let agent = Agent::from(
        Agent::config_builder()
            .http_status_as_error(false)
            .user_agent(concat!("idx/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(options.stall_limit))
            .timeout_recv_response(Some(options.stall_limit))
            .timeout_per_read(Some(options.stall_limit))
            .build(),
    );
    let mut mirrors = options.mirrors.clone();
    if options.known_mirrors {
        mirrors.extend(known.addresses.iter().map(ToString::to_string));
    }
    let files = known.files.iter().map(|wanted| {
        let path = folder.join(wanted.name);
        fetch_file(&agent, &mirrors, *wanted, &path, options, listen)
            .map(|()| path.clone())
            .map_err(|error| error.with_path(&path))
    });
    files.collect()
}

/// The mirrors to download from, how long to wait for them, and whether to overwrite files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchOptions {
    mirrors: Vec<String>,
    known_mirrors: bool,
    stall_limit: Duration,
    overwrite: bool,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl FetchOptions {
    /// The known mirrors, 30 seconds to wait for one of them, and no file is overwritten.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            mirrors: Vec::new(),
            known_mirrors: true,
            stall_limit: Duration::from_secs(30),
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
        Self { known_mirrors: ask, ..self }
    }

    /// How long a mirror may take to connect, to respond, and to send bytes; also the time over which its
    /// rate is measured.
    #[must_use]
    pub fn stall_limit(self, stall_limit: Duration) -> Self {
        Self { stall_limit, ..self }
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
    if is_there(path, wanted, options)? {
        return Ok(());
    }
    let mut partial = PartialFile::open(path)?.ok_or(ErrorKind::DownloadUnderWay)?;
    // Another download may have completed the file just before.
    if is_there(path, wanted, options)? {
        return Ok(partial.keep()?);
    }
    let mut failures = Vec::new();
    for mirror in mirrors {
        let address = format!("{mirror}{}", wanted.name);
        let mut mirror =
            MirrorFile { agent, address: &address, wanted, pace: Pace::new(options.stall_limit) };
        match mirror.fetch(&mut partial, listen) {
            Ok(()) => return Ok(partial.finish(path)?),
            Err(Failure::Mirror(reason)) => {
                let failure = MirrorFailure { address, reason };
                listen(FetchEvent::MirrorFailed(&failure));
                failures.push(failure);
            }
            Err(Failure::Io(error)) => return Err(error.into()),
        }
    }
    partial.keep()?;
    Err(ErrorKind::FetchFailed { failures }.into())
}

/// Whether the published file is there; another one is an error, unless it is to be overwritten.
fn is_there(path: &Path, wanted: RemoteFile, options: &FetchOptions) -> Result<bool, Error> {
    match open_regular(path) {
        Ok(file) if is_published(&file, wanted)? => Ok(true),
        Ok(_) if options.overwrite => Ok(false),
        Ok(_) => Err(ErrorKind::FileConflict.into()),
        Err(FileErrorKind::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// A file of one mirror.
struct MirrorFile<'a> {
    agent: &'a Agent,
    address: &'a str,
    wanted: RemoteFile,
    pace: Pace,
}

impl MirrorFile<'_> {
    /// Completes a file. The mirror may interrupt the download if each response delivers some bytes.
    fn fetch(
        &mut self,
        partial: &mut PartialFile,
        listen: &mut dyn FnMut(FetchEvent<'_>),
    ) -> Result<(), Failure> {
        let size = self.wanted.size;
        let mut from_the_start = false;
        for _ in 0..MAX_REQUESTS {
            let before = partial.len()?;
            if before < size {
                let start = self.receive(partial, listen)?;
                from_the_start |= start == 0;
                let after = partial.len()?;
                if after < size {
                    if after > before {
                        continue;
                    }
                    return Err(Failure::Mirror(format!("ended after {after} of {size} bytes")));
                }
            }
            if is_published(partial.file(), self.wanted)? {
                return Ok(());
            }
            // The part of an earlier download may be wrong.
            partial.truncate(0)?;
            if from_the_start {
                return Err(Failure::Mirror(
                    "gave another file, whose SHA-256 is not the published one".to_string(),
                ));
            }
            from_the_start = true;
        }
        Err(Failure::Mirror(format!("interrupted the download {MAX_REQUESTS} times")))
    }

    /// Appends one response to the file; returns the position at which it began.
    fn receive(
        &mut self,
        partial: &mut PartialFile,
        listen: &mut dyn FnMut(FetchEvent<'_>),
    ) -> Result<u64, Failure> {
        let RemoteFile { name, size, .. } = self.wanted;
        let (response, start) = self.request(partial)?;
        partial.truncate(start)?;
        let mut position = start;
        let mut report = |bytes| listen(FetchEvent::Received { name, bytes, size });
        report(position);
        let mut body = response.into_body().into_reader();
        let mut chunk = vec![0; CHUNK_SIZE];
        loop {
            let received = self.pace.time(|| body.read(&mut chunk));
            let count = match received.map_err(ureq::Error::from) {
                Ok(count @ 1..) => count,
                Err(ureq::Error::Timeout(_)) => {
                    let limit = self.pace.limit;
                    return Err(Failure::Mirror(format!(
                        "sent nothing for {limit:?} after {position} of {size} bytes"
                    )));
                }
                // The length reveals an interrupted connection.
                _ => return Ok(start),
            };
            let bytes = chunk.get(..count).unwrap_or_default();
            if position == 0
                && let Some(signature) = FileSignature::detect(bytes)
                && !is_expected(signature, name)
            {
                return Err(Failure::Mirror(format!("gave {signature} in place of the file")));
            }
            position += count as u64;
            if position > size {
                partial.truncate(0)?;
                return Err(Failure::Mirror(format!(
                    "gave more than the {size} bytes of the file"
                )));
            }
            partial.file().write_all(bytes)?;
            report(position);
            self.pace.check(count as u64)?;
        }
    }

    /// Requests the rest of the file; returns the position at which the response begins.
    fn request(&mut self, partial: &mut PartialFile) -> Result<(Response<Body>, u64), Failure> {
        let position = partial.len()?;
        let mut request = self
            .agent
            .get(self.address)
            // Without it, a server may compress the file once more.
            .header(header::ACCEPT_ENCODING, "identity");
        if position > 0 {
            request = request.header(header::RANGE, format!("bytes={position}-"));
        }
        let response = self
            .pace
            .time(|| request.call())
            .map_err(|error| Failure::Mirror(format!("did not answer: {error}")))?;
        match response.status() {
            StatusCode::PARTIAL_CONTENT if first_byte(&response) == Some(position) => {
                Ok((response, position))
            }
            // The whole file, even if only a part was requested.
            StatusCode::OK => Ok((response, 0)),
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT => {
                partial.truncate(0)?;
                Err(Failure::Mirror(format!(
                    "did not go on from byte {position}; try again from the start"
                )))
            }
            status => Err(Failure::Mirror(format!("answered {status}"))),
        }
    }
}

/// How fast a mirror sends, measured anew each time that the limit has passed.
struct Pace {
    limit: Duration,
    /// The time spent waiting for the mirror; what this machine does with the bytes is not its fault.
    waited: Duration,
    received: u64,
}

impl Pace {
    fn new(limit: Duration) -> Self {
        Self { limit, waited: Duration::ZERO, received: 0 }
    }

    fn time<T>(&mut self, wait: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let waited_for = wait();
        self.waited += start.elapsed();
        waited_for
    }

    /// Counts the bytes that have arrived.
    fn check(&mut self, count: u64) -> Result<(), Failure> {
        self.received += count;
        if self.waited < self.limit {
            return Ok(());
        }
        let least = u128::from(MIN_RATE) * self.waited.as_millis() / 1000;
        if u128::from(self.received) < least {
            return Err(Failure::Mirror(format!(
                "is too slow: {} bytes in {:.1?}, less than {MIN_RATE} per second",
                self.received, self.waited
            )));
        }
        *self = Self::new(self.limit);
        Ok(())
    }
}

/// The position at which a part of a file begins.
fn first_byte<T>(response: &Response<T>) -> Option<u64> {
    let range = response.headers().get(header::CONTENT_RANGE)?;
    let (first, _) = range.to_str().ok()?.strip_prefix("bytes ")?.split_once('-')?;
    first.parse().ok()
}

/// Whether a file of this name starts as it should.
fn is_expected(signature: FileSignature, name: &str) -> bool {
    match signature {
        FileSignature::Zip => name.ends_with(".zip"),
        FileSignature::Xz => name.ends_with(".xz"),
        _ => false,
    }
}

/// Whether a file is the published one, by its size and SHA-256.
fn is_published(mut file: &File, wanted: RemoteFile) -> io::Result<bool> {
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
