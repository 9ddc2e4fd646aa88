//! Opens a file or folder of any format as a source.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::mem::replace;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, absolute};
use std::time::SystemTime;

use crate::answer::ReadingOption;
use crate::chain::{CHANGED, Input, Source};
use crate::error::{At, Error, ErrorKind};
use crate::formats::Again;
use crate::formats::idx::IdxSource;
use crate::formats::npy::{MAGIC as NPY_MAGIC, NpySource};
use crate::formats::npz;
use crate::formats::raw::RawSource;
use crate::known::file::{KnownFile, START_SIZE};
use crate::names::folder::{has_extension, is_picture};
use crate::names::format::{Format, is_spaced, is_table, may_be_table, starts_like_table};
use crate::reading::question::Question;
use crate::record::image_layout::ImageLayout;
use crate::record::options::OpenOptions;
use crate::record::{Change, Facts, RecordSource};
use idx_std::__private::Source as FileBytes;
use idx_std::is_gzip;
use idx_std::{ElementType, FileSignature, Reader, Shape};

#[cfg(feature = "csv")]
use crate::formats::csv;
#[cfg(feature = "parquet")]
use crate::formats::parquet;
#[cfg(feature = "pictures")]
use crate::formats::pictures::{
    LabeledFile, NamedLabels, Pictures, PicturesSource, adjusted, is_picture as is_picture_content,
    read_picture,
};

/// The first bytes of every Parquet file.
const PARQUET_MAGIC: &[u8] = b"PAR1";

/// Opens a file of any format, or a folder of pictures or of Parquet files, with its labels.
///
/// The format is detected from the content; csv also from a name that ends in `.csv`. Numbers separated by spaces, as
/// `numpy.savetxt` and MATLAB write them, are read like csv. IDX, npy, csv and such text may be compressed with gzip.
/// If no file has the path, `FILE:ARRAY` names an array in NumPy's archive FILE, such as `mnist.npz:x_train`.
/// [`OpenOptions`] add facts that the content does not state.
///
/// ```
/// use idx_data::open;
/// # let folder = tempfile::tempdir()?;
/// # let path = |name: &str| folder.path().join(name);
/// # idx_std::save(path("train-images-idx3-ubyte"), &[2, 2, 2], &[7_u8; 8])?;
///
/// let images = open(path("train-images-idx3-ubyte"))?;
/// assert_eq!(images.facts().layout.to_string(), "2 x 2 u8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```no_run
/// idx_data::open("photos/")?.write("own-images-idx3-ubyte")?;
/// # Ok::<(), idx_data::Error>(())
/// ```
///
/// # Errors
///
/// An input that cannot be read, or a damaged file of IDX ([`File`](ErrorKind::File)); a damaged file of another format
/// ([`malformed`](ErrorKind::code)); a variant that cannot be read ([`unsupported`](ErrorKind::code)); options that ask
/// for something that the input does not have ([`mismatch`](ErrorKind::code)); a format whose feature is off
/// ([`Disabled`](ErrorKind::Disabled)).
pub fn open(path: impl AsRef<Path>) -> Result<Source, Error> {
    OpenOptions::new().open(path)
}

/// Opens records, and their labels from another file. Their classes get names by [`Source::with_classes`], for instance
/// those of the [`DataSet`](crate::dataset::DataSet) that [`dataset::identify`](crate::dataset::identify) finds.
///
/// ```
/// use idx_data::{Labeled, open_pair};
/// # let folder = tempfile::tempdir()?;
/// # let path = |name: &str| folder.path().join(name);
/// # idx_std::save(path("train-images-idx3-ubyte"), &[2, 2, 2], &[7_u8; 8])?;
/// # idx_std::save(path("train-labels-idx1-ubyte"), &[2], &[5_u8, 0])?;
///
/// let pairs = open_pair(path("train-images-idx3-ubyte"), path("train-labels-idx1-ubyte"))?;
/// let digits: Labeled<[[u8; 2]; 2], u8> = pairs.only(["5"])?.collect()?;
/// assert_eq!(digits.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The errors of [`open`] and of [`Source::with_labels`].
pub fn open_pair(records: impl AsRef<Path>, labels: impl AsRef<Path>) -> Result<Source, Error> {
    let (records, labels) = (records.as_ref(), labels.as_ref());
    let source = OpenOptions::new().labels(false).open(records)?;
    let labels = OpenOptions::new().as_labels_of(source.facts()).open(labels)?;
    source.with_labels(labels)
}

impl OpenOptions {
    /// Opens a file or folder, as the function [`open`] does.
    ///
    /// # Errors
    ///
    /// The errors of [`open`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Source, Error> {
        self.open_set(path)?.only_part()
    }

    /// Opens a file or folder, without the files beside it.
    pub(crate) fn open_alone(&self, path: &Path) -> Result<Source, Error> {
        if path.is_dir() {
            return self.open_folder(path, None)?.only_part();
        }
        self.open_regular(path, path, 0)
    }

    /// Opens a file whose records are those of this input from this index on.
    pub(super) fn open_regular(
        &self,
        path: &Path,
        input: &Path,
        first: u64,
    ) -> Result<Source, Error> {
        let file = file_of(path);
        if !file.is_file() {
            return self.open_stream(path, Box::new(File::open(path).at(path)?));
        }
        // This process may go to another folder until it is opened again.
        let again = (path.to_path_buf(), absolute(file).at(path)?, self.clone());
        let open = move || {
            let (path, file, options) = &again;
            let file = File::open(file).at(path)?;
            let identity = Identity::of(&file).at(path)?;
            let content = Content::of(path, Bytes::File(file), options)?;
            let (format, source) = open_content(path, content, options).at(path)?;
            Ok::<_, Error>((identity, format, source))
        };
        let (opened, format, source) = open()?;
        let size = opened.size;
        let name = path.to_path_buf();
        let again = move || match open()? {
            (identity, _, source) if identity == opened => Ok(source),
            _ => Err(Error::from(ErrorKind::mismatch(CHANGED)).with_path(&name)),
        };
        finish(format, Input::new(input, source, Some(Box::new(again))).from(first), size, self)
    }

    /// Opens a stream; the name is used in messages, and may say that the stream is csv. From an archive of NumPy it
    /// chooses as the path of a file does: `a.npz:train`, `a.npz:x`.
    ///
    /// # Errors
    ///
    /// The errors of [`open`].
    pub fn open_stream(
        &self,
        name: impl AsRef<Path>,
        stream: Box<dyn Read + Send>,
    ) -> Result<Source, Error> {
        let name = name.as_ref();
        let content = Content::of(name, Bytes::Stream(stream), self)?;
        #[cfg(feature = "npz")]
        if content.format == Format::Npy && npz::is_archive(&content.start) {
            return self.open_archived(name, content.bytes.into_file().at(name)?);
        }
        let (format, source) = open_content(name, content, self).at(name)?;
        finish(format, Input::new(name, source, None), 0, self)
    }

    /// Detects the format of a stream, and returns the stream from its start on. The name may say that it is csv, or a
    /// picture.
    ///
    /// ```
    /// use idx_data::{Format, OpenOptions};
    ///
    /// let stream = Box::new(&b"7,0,255\n"[..]);
    /// let (format, stream) = OpenOptions::new().detect_stream("digits.csv", stream)?;
    /// assert_eq!(format, Format::Csv);
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A stream that cannot be read.
    pub fn detect_stream(
        &self,
        name: impl AsRef<Path>,
        stream: Box<dyn Read + Send>,
    ) -> Result<(Format, Box<dyn Read + Send>), Error> {
        let name = name.as_ref();
        let Content { format, bytes, .. } = Content::of(name, Bytes::Stream(stream), self)?;
        Ok((format, bytes.into_read()))
    }
}

/// Returns the file at a path, which may name an array of that archive.
fn file_of(path: &Path) -> &Path {
    npz::split_array(path).map_or(path, |(archive, _)| archive)
}

/// The identity of a file, which changes if another file takes its place or it is written again.
#[derive(PartialEq)]
struct Identity {
    /// The device and the number of the file, where the system has them.
    #[cfg(unix)]
    place: (u64, u64),
    size: u64,
    modified: Option<SystemTime>,
}

impl Identity {
    fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Self {
            #[cfg(unix)]
            place: (metadata.dev(), metadata.ino()),
            size: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }
}

/// The bytes of an input that is not a folder, from the first one on.
enum Bytes {
    File(File),
    Stream(Box<dyn Read + Send>),
}

impl Bytes {
    fn into_read(self) -> Box<dyn Read + Send> {
        match self {
            Self::File(file) => Box::new(file),
            Self::Stream(stream) => stream,
        }
    }

    /// Returns the bytes, decompressed if they start like gzip.
    fn into_decompressed(self, start: &[u8]) -> Result<Box<dyn Read + Send>, idx_std::ErrorKind> {
        Ok(match is_gzip(start) {
            true => Box::new(FileBytes::new(self.into_read())?),
            false => self.into_read(),
        })
    }

    /// Returns a function that reads the bytes of a file once more, from its start.
    fn again(&self, start: &[u8]) -> io::Result<Option<Again>> {
        let Self::File(file) = self else {
            return Ok(None);
        };
        let (mut file, start) = (file.try_clone()?, start.to_vec());
        Ok(Some(Box::new(move || {
            file.rewind()?;
            Ok(Self::File(file).into_decompressed(&start)?)
        })))
    }

    /// Returns a plain file, to understand a table by its middle and its end.
    #[cfg(feature = "csv")]
    fn plain_file(&self, start: &[u8]) -> io::Result<Option<File>> {
        match self {
            Self::File(file) if !is_gzip(start) => file.try_clone().map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the number of bytes, if it is known before they are read.
    fn size(&self, start: &[u8]) -> io::Result<Option<u64>> {
        match self {
            Self::File(file) if !is_gzip(start) => Ok(Some(file.metadata()?.len())),
            _ => Ok(None),
        }
    }

    /// Returns the file, or a temporary copy of the stream: some formats have a part at their end that is read first.
    fn into_file(self) -> Result<File, Error> {
        match self {
            Self::File(file) => Ok(file),
            Self::Stream(mut stream) => {
                let mut file = tempfile::tempfile().map_err(Error::temporary)?;
                io::copy(&mut stream, &mut file)?;
                Ok(file)
            }
        }
    }
}

/// An input that is not a folder.
struct Content {
    format: Format,
    /// The first bytes.
    start: Vec<u8>,
    bytes: Bytes,
}

impl Content {
    fn of(path: &Path, mut bytes: Bytes, options: &OpenOptions) -> Result<Self, Error> {
        // With room for them, they are read in one call.
        let mut start = Vec::with_capacity(START_SIZE);
        let is_file = matches!(bytes, Bytes::File(_));
        match &mut bytes {
            Bytes::File(file) => {
                file.take(START_SIZE as u64).read_to_end(&mut start).at(path)?;
                file.rewind().at(path)?;
            }
            // More of it may come late.
            Bytes::Stream(stream) => {
                let length = FileSignature::START as u64;
                stream.take(length).read_to_end(&mut start).at(path)?;
                let rest = replace(stream, Box::new(io::empty()));
                *stream = Box::new(Cursor::new(start.clone()).chain(rest));
            }
        }
        if is_file && npz::split_array(path).is_some() && !npz::is_archive(&start) {
            let message = "only an archive of NumPy (.npz) has arrays with names; give the name of the file \
                           alone";
            return Err(ErrorKind::mismatch(message)).at(path);
        }
        let format = options.raw.map_or_else(|| format_of(path, &start, options), |_| Format::Raw);
        Ok(Self { format, start, bytes })
    }

    /// Returns the well-known file of IDX that starts like this.
    fn known(&self) -> Option<KnownFile> {
        if !matches!(self.format, Format::Idx | Format::IdxGz) {
            return None;
        }
        let mut content = Vec::new();
        let mut source = FileBytes::new(&self.start[..]).ok()?;
        // The bytes before the end of this start, or before damage.
        let _ = source.append(&mut content, START_SIZE as u64);
        KnownFile::from_start(&content)
    }
}

/// Opens an input that is not a folder; the path is for messages, and the caller adds it to an error.
fn open_content(
    path: &Path,
    content: Content,
    options: &OpenOptions,
) -> Result<(Format, Box<dyn RecordSource>), Error> {
    let known = content.known();
    let Content { format, start, bytes } = content;
    let source: Result<Box<dyn RecordSource>, Error> = match format {
        Format::Npy if npz::is_archive(&start) => {
            let file = bytes.into_file()?;
            let array = npz::split_array(path).map(|(_, array)| array);
            with_feature!("npz", path, [file, array], npz::open_array(file, array, options))
        }
        Format::Npy => Ok(match bytes {
            Bytes::File(file) => Box::new(NpySource::new(FileBytes::of_file(file)?, options)?),
            Bytes::Stream(read) => Box::new(NpySource::new(FileBytes::new(read)?, options)?),
        }),
        Format::Parquet => {
            let file = bytes.into_file()?;
            with_feature!("parquet", path, [file], parquet::open(path, file, options))
        }
        Format::Raw => {
            let element_type = options.raw.unwrap_or(ElementType::U8);
            let size = bytes.size(&start)?;
            let read = bytes.into_decompressed(&start)?;
            Ok(Box::new(RawSource::open(read, size, element_type, options)?))
        }
        Format::Csv => {
            let again = bytes.again(&start)?;
            #[cfg(feature = "csv")]
            let file = bytes.plain_file(&start)?;
            #[cfg(not(feature = "csv"))]
            let file = ();
            let read = bytes.into_decompressed(&start)?;
            #[cfg(feature = "pictures")]
            if let Some(pictures) = options.labels_of.as_deref().filter(|files| !files.is_empty()) {
                let labels = NamedLabels::open(path, read, pictures, options)?;
                return Ok((format, Box::new(labels)));
            }
            with_feature!("csv", path, [read, again, file], {
                csv::open(path, csv::TableText { read, again, file }, options)
            })
        }
        Format::Png => with_feature!("pictures", path, [bytes, options], {
            let file = LabeledFile::new(path.to_path_buf(), None);
            let content = match bytes {
                Bytes::File(_) => None,
                Bytes::Stream(stream) => Some(read_picture(stream)?),
            };
            let files = vec![LabeledFile { content, ..file }];
            PicturesSource::open(path, Pictures { files, ..Pictures::default() }, options)
        }),
        _ => Ok(match bytes {
            Bytes::File(file) => Box::new(IdxSource::new(Reader::of_file(file)?, known)?),
            Bytes::Stream(read) => Box::new(IdxSource::new(Reader::new(read)?, known)?),
        }),
    };
    Ok((format, source?))
}

/// Returns the format of an input that is not a folder: the one place that decides it. If it is no other format, it is
/// IDX.
fn format_of(path: &Path, start: &[u8], options: &OpenOptions) -> Format {
    if is_picture(path) {
        return Format::Png;
    }
    if is_gzip(start) {
        let mut content = Vec::new();
        // The bytes before the end of this start, or before damage. Few bytes may become many.
        let _ = FileBytes::new(start)
            .and_then(|mut source| source.append(&mut content, START_SIZE as u64));
        return match () {
            () if content.starts_with(NPY_MAGIC) => Format::Npy,
            () if may_be_csv(path, &content) && (is_table(path) || is_spaced(&content)) => {
                Format::Csv
            }
            () => Format::IdxGz,
        };
    }
    match start {
        _ if start.starts_with(NPY_MAGIC) || npz::is_archive(start) => Format::Npy,
        _ if start.starts_with(PARQUET_MAGIC) => Format::Parquet,
        _ if is_csv(path, start, options) => Format::Csv,
        #[cfg(feature = "pictures")]
        _ if is_picture_content(start) => Format::Png,
        _ => Format::Idx,
    }
}

/// Returns the input, of this size as far as it is known, with the shape and the changes of pictures that the options
/// ask for.
pub(super) fn finish(
    format: Format,
    input: Input,
    size: u64,
    options: &OpenOptions,
) -> Result<Source, Error> {
    let mut source = Source::of(input, vec![format], size).limited(options)?;
    // csv and Parquet take their columns themselves.
    let used: &[&str] = match format {
        Format::Raw => &["raw", "shape", "label_column"],
        Format::Csv => &["element_type", "header", "shape", "label_column", "column"],
        Format::Parquet => &["shape", "label_column", "column"],
        Format::Idx | Format::IdxGz | Format::Npy => &["shape", "column"],
        _ => &["shape"],
    };
    source = source.using(used.iter().copied());
    let has_numbers = matches!(format, Format::Idx | Format::IdxGz | Format::Npy);
    if has_numbers && let Some(column) = &options.column {
        source = source.column(column.clone())?;
    }
    if let Some(shape) = &options.shape {
        expect_in_order(source.facts().layout.record_shape(), shape).at(source.path())?;
        source = source.reshaped(shape)?;
    }
    if options.are_labels() {
        return source.into_labels();
    }
    let are_files = source.facts().are_pictures;
    if are_files {
        return Ok(source.using(options.pictures.used(are_files)));
    }
    if !options.pictures.change_pictures() {
        return Ok(source);
    }
    source = source.using(options.pictures.used(are_files));
    let (path, facts) = (source.path(), source.facts());
    let adjusted: Result<Box<(Facts, Change)>, Error> =
        with_feature!("pictures", path, [facts], adjusted(facts, options).at(path));
    let (facts, change) = *adjusted?;
    Ok(match options.pictures.skip_damaged {
        true => source.mapped_or_skipped(&facts, change),
        false => source.mapped(facts, change),
    })
}

/// Refuses a shape that only has the sizes of pictures in another order: their numbers stay where they are.
fn expect_in_order(pictures: &[u32], shape: &[u32]) -> Result<(), ErrorKind> {
    // A size of 1 may stand anywhere.
    let [before, after] =
        [pictures, shape].map(|sizes| sizes.iter().filter(|size| **size != 1).collect::<Vec<_>>());
    let mut axes = Vec::new();
    for size in shape {
        let is_next = |axis: &usize| !axes.contains(axis) && pictures.get(*axis) == Some(size);
        axes.extend((0..pictures.len()).find(is_next));
    }
    let is_same = before == after || axes.len() != pictures.len() || shape.len() != pictures.len();
    if is_same || ImageLayout::from_shape(pictures).is_none() {
        return Ok(());
    }
    let (from, to) = (Shape(pictures), Shape(shape));
    let question = Question::new(format!(
        "the shape {to} would scramble pictures of {from}, whose numbers keep their order"
    ));
    let flat = vec![pictures.iter().product()];
    Err(question
        .or(ReadingOption::Transpose(axes), "to move the numbers along")
        .or(ReadingOption::Shape(flat), "and then the shape, if these are not their sizes")
        .into())
}

/// Returns whether these first bytes, decompressed, are not those of IDX, a web page, a server's message or the like,
/// and the name is not that of IDX.
fn may_be_csv(path: &Path, start: &[u8]) -> bool {
    // Any name that ends in .gz may be that of compressed IDX; the part before it says more.
    let stem = path.file_stem().filter(|_| has_extension(path, "gz"));
    let name = stem.map_or(path, Path::new);
    let is_idx_name = matches!(Format::from_path(name), Some(Format::Idx));
    !is_idx_name && !start.starts_with(&[0, 0]) && FileSignature::detect(start).is_none()
}

/// Returns whether plain bytes that start like this are csv.
fn is_csv(path: &Path, start: &[u8], options: &OpenOptions) -> bool {
    let is_named = is_table(path);
    let may_be = may_be_csv(path, start) && (is_named || !has_extension(path, "gz"));
    let is_said = || options.header.is_some() || may_be_table(path);
    may_be && (is_named || starts_like_table(start, is_said()))
}
