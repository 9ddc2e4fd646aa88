//! Opens a file or folder of any format as a source.

use std::fs::File;
use std::io::{self, Cursor, Read};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
use std::path::{Path, absolute};
use std::time::SystemTime;

use crate::answer::ReadingOption;
use crate::chain::{CHANGED, Input, Source};
use crate::doors::detect::Content;
use crate::doors::set::Set;
use crate::error::{At, Error, ErrorKind};
use crate::formats::bytes::Bytes;
use crate::formats::idx::IdxSource;
use crate::formats::npy::NpySource;
use crate::formats::npz;
use crate::formats::raw::RawSource;
use crate::names::format::Format;
use crate::names::{Name, classes_beside};
use crate::reading::question::Question;
use crate::record::RecordSource;
use crate::record::image_layout::ImageLayout;
use crate::record::options::OpenOptions;
#[cfg(not(feature = "pictures"))]
use crate::record::{Change, Facts};
use idx_std::{ElementType, Reader, Shape};

#[cfg(feature = "csv")]
use crate::formats::csv;
#[cfg(feature = "parquet")]
use crate::formats::parquet;
#[cfg(feature = "pictures")]
use crate::formats::pictures::{
    LabeledFile, NamedLabels, Pictures, PicturesSource, adjusted, read_picture,
};

/// Opens a file of any format, or a folder of pictures or of Parquet files, with its labels.
///
/// The format is detected from the content; csv also from a name that ends in `.csv`. Numbers separated by spaces, as
/// `numpy.savetxt` and MATLAB write them, are read like csv. IDX, npy, csv and such text may be compressed with gzip.
/// If no file has this path, `FILE:ARRAY` is an array in the npz archive FILE, such as `mnist.npz:x_train`.
/// [`OpenOptions`] state what the content does not.
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
/// An input that cannot be read, or a damaged IDX file ([`File`](ErrorKind::File)); a damaged file of another format
/// ([`malformed`](ErrorKind::code)); a variant of a format that is not supported ([`unsupported`](ErrorKind::code)); an
/// input with several readings, and a table without a column that the options name ([`question`](ErrorKind::code));
/// other options that do not fit the input ([`mismatch`](ErrorKind::code)); a format whose feature is off
/// ([`Disabled`](ErrorKind::Disabled)).
pub fn open(path: impl AsRef<Path>) -> Result<Source, Error> {
    OpenOptions::new().open(path)
}

/// Opens records, with labels from another file.
///
/// Class names are read from a list next to the labels: `own-classes.txt` for `own-labels-idx1-ubyte`.
/// [`Source::with_classes`] gives other names, for instance those of the [`DataSet`](crate::dataset::DataSet) that
/// [`dataset::identify`](crate::dataset::identify) finds.
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
    OpenOptions::new().label(source, labels)
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

    /// Gives records the labels in a file, which these options open [as labels](Self::as_labels_of), and the class
    /// names next to it: `own-classes.txt` for `own-labels-idx1-ubyte`. If the first line of a table may have column
    /// names or a label, the number of records decides.
    ///
    /// # Errors
    ///
    /// The errors of [`open`](Self::open) and of [`Source::with_labels`].
    pub fn label(&self, records: Source, labels: impl AsRef<Path>) -> Result<Source, Error> {
        let path = labels.as_ref();
        let unnamed = Self { classes: None, ..self.clone() };
        let (records, labels) = unnamed.labels_of(records, |options| options.open(path))?;
        let are_named = self.beside && Name::is_of_labels(path);
        let lists = if are_named { classes_beside(path) } else { Vec::new() };
        Ok(self.named(self.with_first_list(records.with_labels(labels)?, lists)?))
    }

    /// Opens a file or folder without the files next to it.
    pub(crate) fn open_alone(&self, path: &Path) -> Result<Source, Error> {
        if path.is_dir() {
            return self.open_folder(path, None)?.only_part();
        }
        self.open_regular(path, path, 0)
    }

    /// Opens a file of an input. Its first record has the index `first`.
    pub(super) fn open_regular(
        &self,
        path: &Path,
        input: &Path,
        first: u64,
    ) -> Result<Source, Error> {
        let file = npz::split_array(path).map_or(path, |(archive, _)| archive);
        if !file.is_file() {
            let file = File::open(path).at(path)?;
            return self.open_stream_words(path, Box::new(file))?.only_part();
        }
        // The process may change its working directory before the file is opened again.
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
            _ => Err(ErrorKind::mismatch(CHANGED)).at(&name),
        };
        finish(format, Input::new(input, source, Some(Box::new(again))).from(first), size, self)
    }

    /// Opens a file of any format in memory, such as an upload. The name appears in messages, and helps to detect csv
    /// and pictures. For an npz archive it may also choose a part or an array, as in `a.npz:train`.
    ///
    /// ```
    /// use idx_data::{Format, OpenOptions};
    ///
    /// # #[cfg(feature = "csv")] {
    /// let upload = b"label,1x1,1x2\n7,0,255\n".to_vec();
    /// let mut npy = Vec::new();
    /// OpenOptions::new().open_bytes("a.csv", upload)?.write_to(Format::Npy, &mut npy)?;
    /// assert!(npy.ends_with(&[0, 255]));
    /// # }
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`open`](crate::open).
    pub fn open_bytes(
        &self,
        name: impl AsRef<Path>,
        bytes: impl Into<Vec<u8>>,
    ) -> Result<Source, Error> {
        self.open_stream(name, Box::new(Cursor::new(bytes.into())))
    }

    /// Opens a stream of any format. The name appears in messages, and helps to detect csv and pictures. For an npz
    /// archive it may also choose a part or an array: `a.npz:train`, `a.npz:x`.
    ///
    /// ```
    /// use idx_data::OpenOptions;
    ///
    /// // A download, a pipe, or standard input.
    /// let stream = std::io::Cursor::new(*b"\0\0\x08\x01\0\0\0\x02\x07\x02");
    /// let digits = OpenOptions::new().open_stream("labels-idx1-ubyte", Box::new(stream))?;
    /// assert_eq!(digits.facts().count, Some(2));
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`open`].
    pub fn open_stream(
        &self,
        name: impl AsRef<Path>,
        stream: Box<dyn Read + Send>,
    ) -> Result<Source, Error> {
        self.open_set_stream(name, stream)?.only_part()
    }

    /// Opens a stream. Labels that are words are not yet numbered by the class names in the options.
    pub(super) fn open_stream_words(
        &self,
        name: &Path,
        stream: Box<dyn Read + Send>,
    ) -> Result<Set, Error> {
        let content = Content::of(name, Bytes::Stream(stream), self)?;
        #[cfg(feature = "npz")]
        if content.format == Format::Npz {
            return self.open_npz_stream(name, content.bytes.into_file().at(name)?);
        }
        let (format, source) = open_content(name, content, self).at(name)?;
        let source = finish(format, Input::new(name, source, None), 0, self)?;
        Ok(self.named(source).into())
    }
}

/// The identity of a file. It changes if the file is replaced or written again.
#[derive(PartialEq)]
struct Identity {
    /// The device and the inode, where the system has them.
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

/// Opens an input that is not a folder. The caller adds the path to errors.
fn open_content(
    path: &Path,
    content: Content,
    options: &OpenOptions,
) -> Result<(Format, Box<dyn RecordSource>), Error> {
    let Content { format, start, known, bytes } = content;
    #[cfg(feature = "pictures")]
    let pictures = options.labels_of.as_deref().unwrap_or_default();
    let source: Box<dyn RecordSource> = match format {
        Format::Idx | Format::IdxGz => match bytes {
            Bytes::File(file) => Box::new(IdxSource::new(Reader::of_file(file)?, known)?),
            stream => Box::new(IdxSource::new(Reader::new(stream)?, known)?),
        },
        Format::Npy => Box::new(NpySource::new(bytes, options)?),
        #[cfg(feature = "npz")]
        Format::Npz => {
            let array = npz::split_array(path).map(|(_, array)| array);
            Box::new(npz::open_array(bytes.into_file()?.into(), array, options)?)
        }
        Format::Raw => {
            let dtype = options.raw.unwrap_or(ElementType::U8.into());
            let size = bytes.size(&start)?;
            let read = bytes.into_decompressed(&start)?;
            Box::new(RawSource::open(path, read, size, dtype, options)?)
        }
        #[cfg(feature = "pictures")]
        Format::Csv if !pictures.is_empty() => {
            let read = bytes.into_decompressed(&start)?;
            Box::new(NamedLabels::open(path, read, pictures, options)?)
        }
        #[cfg(feature = "csv")]
        Format::Csv => Box::new(csv::open(path, bytes, &start, options)?),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::open(path, bytes.into_file()?, options)?,
        #[cfg(feature = "pictures")]
        Format::Png => {
            let content = match bytes {
                Bytes::File(_) => None,
                Bytes::Stream(stream) => Some(read_picture(stream)?),
            };
            let files = vec![LabeledFile { content, ..LabeledFile::new(path.to_path_buf(), None) }];
            Box::new(PicturesSource::open(
                path,
                Pictures { files, ..Pictures::default() },
                options,
            )?)
        }
        #[allow(unreachable_patterns, reason = "unless a feature is off")]
        format => return Err(format.disabled().into()),
    };
    Ok((format, source))
}

/// Makes a source of an input, with the shape and the changes to pictures that the options ask for. `size` is 0 if it
/// is unknown.
pub(super) fn finish(
    format: Format,
    input: Input,
    size: u64,
    options: &OpenOptions,
) -> Result<Source, Error> {
    let mut source = Source::of(input, vec![format], size).limited(options)?;
    let is_array = format.is_array() || format == Format::Npz;
    // csv and Parquet select their columns themselves.
    let used: &[&str] = match format {
        _ if is_array => &["shape", "column"],
        Format::Raw => &["raw", "shape", "label_column", "skip"],
        Format::Csv => &["element_type", "header", "shape", "label_column", "column"],
        Format::Parquet => &["shape", "label_column", "column"],
        _ => &["shape"],
    };
    source = source.with_used_options(used.iter().copied());
    if is_array && let Some(column) = &options.column {
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
    if !are_files && !options.pictures.change_pictures() {
        return Ok(source);
    }
    source = source.with_used_options(options.pictures.used(are_files));
    if are_files {
        return Ok(source);
    }
    let (facts, change) = adjusted(source.facts(), options).at(source.path())?;
    Ok(match options.pictures.skip_bad {
        true => source.mapped_or_skipped(&facts, change),
        false => source.mapped(facts, change),
    })
}

#[cfg(not(feature = "pictures"))]
fn adjusted(_: &Facts, _: &OpenOptions) -> Result<(Facts, Change), ErrorKind> {
    Err(Format::Png.disabled())
}

/// Refuses a shape that has the sizes of the pictures in another order: a new shape does not move the numbers.
fn expect_in_order(pictures: &[u32], shape: &[u32]) -> Result<(), ErrorKind> {
    // A size of 1 may be anywhere.
    let [before, after] =
        [pictures, shape].map(|sizes| sizes.iter().filter(|size| **size != 1).collect::<Vec<_>>());
    let mut axes = Vec::new();
    for size in shape {
        let is_next = |axis: &usize| !axes.contains(axis) && pictures.get(*axis) == Some(size);
        axes.extend((0..pictures.len()).find(is_next));
    }
    let others = (0..pictures.len()).filter(|axis| !axes.contains(axis)).collect::<Vec<_>>();
    let is_one = |axis: &usize| pictures.get(*axis) == Some(&1);
    let are_permuted = before.len() == after.len() && others.iter().all(is_one);
    if before == after || !are_permuted || ImageLayout::from_shape(pictures).is_none() {
        return Ok(());
    }
    axes.extend(others);
    let (from, to) = (Shape(pictures), Shape(shape));
    let question = Question::new(format!(
        "the shape {to} would scramble pictures of {from}, because it does not move the numbers"
    ));
    let flat = vec![pictures.iter().product()];
    Err(question
        .or(ReadingOption::Transpose(axes), "to move the numbers, too")
        .or(ReadingOption::Shape(flat), "and then the shape, if these are not their sizes")
        .into())
}
