use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read};
use std::path::{Path, PathBuf};

use idx_core::ElementType;
use png::{BitDepth, ColorType, Encoder};

use crate::formats::class_names::ClassNames;
use crate::formats::error::{At, Error, ErrorKind, Setting};
use crate::formats::folder::{CLASSES, LABELS, has_extension};
use crate::formats::options::SinkOptions;
use crate::formats::ordered::Ordered;
use crate::formats::record::{Record, RecordLayout, RecordSink};
use crate::image_layout::ImageLayout;
use crate::io::{AtomicFolder, Staged, access, to_usize};

const EXTENSION: &str = "png";

/// The columns of the file of labels.
const COLUMNS: [&str; 2] = ["file", "label"];

/// The mark that this program wrote a picture: a keyword of the PNG specification and its text, their bytes
/// in the file, and their position after the signature, the header, and the length of their chunk.
const SOFTWARE: &str = "Software";
const PROGRAM: &str = "idx";
const MARK: &[u8] = b"tEXtSoftware\0idx";
const MARK_OFFSET: usize = 8 + 25 + 4;

/// Writes a picture for each record into a folder that appears when it is complete.
pub(in crate::formats) struct PicturesSink {
    path: PathBuf,
    /// Declared before the folder, which may be removed only after the last thread has written to it.
    encoder: Ordered<(PathBuf, Vec<u8>), Result<(), ErrorKind>>,
    folder: AtomicFolder,
    record_size: usize,
    create_new: bool,
    next: u64,
    labels: Option<csv::Writer<File>>,
    /// The names of the folders of classes, if each class has a folder.
    classes: Option<BTreeMap<i128, String>>,
}

impl PicturesSink {
    pub(in crate::formats) fn create(
        path: &Path,
        element_type: ElementType,
        layout: &RecordLayout,
        options: &SinkOptions,
    ) -> Result<Self, Error> {
        let image = image(element_type, layout).at(path)?;
        let record_size = layout.record_size().unwrap_or(u64::MAX);
        let record_size = to_usize(record_size).map_err(crate::ErrorKind::from);
        let record_size = record_size.map_err(crate::Error::from).at(path)?;
        if options.by_class && options.label_type.is_none() {
            let message =
                "these records have no labels, so they have no classes; give their labels";
            return Err(ErrorKind::mismatch(message)).at(path);
        }
        let folder = AtomicFolder::create(path).at(path)?;
        if let Some(classes) = &options.classes {
            let text = classes.to_text().map_err(|error| error.with_path(path))?;
            fs::write(folder.join(CLASSES), text).at(path)?;
        }
        let mut labels = None;
        let names = options.classes.as_ref().and_then(ClassNames::folders);
        let classes = options.by_class.then(|| names.unwrap_or_default());
        if options.label_type.is_some() && !options.by_class {
            let mut writer = csv::Writer::from_path(folder.join(LABELS)).at(path)?;
            writer.write_record(COLUMNS).at(path)?;
            labels = Some(writer);
        }
        let encoder = Ordered::new(options.threads, move |(file, pixels): (PathBuf, Vec<u8>)| {
            write_picture(&file, image, &pixels)
        });
        Ok(Self {
            path: path.to_path_buf(),
            encoder: encoder.for_items_of(record_size),
            folder,
            record_size,
            create_new: options.create_new,
            next: 0,
            labels,
            classes,
        })
    }

    fn write(&mut self, record: &Record) -> Result<(), ErrorKind> {
        let (expected, found) = (self.record_size, record.bytes.len());
        if found != expected {
            return Err(crate::Error::from(crate::ErrorKind::RecordSize { expected, found }).into());
        }
        // As many digits as MNIST needs, so that other programs sort the names correctly.
        let mut name = format!("{:05}.{EXTENSION}", self.next);
        self.next += 1;
        if let (Some(classes), Some(label)) = (&mut self.classes, record.label) {
            let folder = classes.entry(label).or_insert_with(|| label.to_string());
            fs::create_dir_all(self.folder.join(&folder))?;
            name = format!("{folder}/{name}");
        }
        let picture = (self.folder.join(&name), record.bytes.clone());
        self.encoder.give(picture)?.transpose()?;
        if let (Some(labels), Some(label)) = (&mut self.labels, record.label) {
            labels.write_record([name, label.to_string()])?;
        }
        Ok(())
    }
}

fn write_picture(file: &Path, image: ImageLayout, pixels: &[u8]) -> Result<(), ErrorKind> {
    let file = BufWriter::new(File::create(file)?);
    let size = |pixels| u32::try_from(pixels).map_err(io::Error::other);
    let mut encoder = Encoder::new(file, size(image.width())?, size(image.height())?);
    encoder.set_color(match image.is_color() {
        true => ColorType::Rgb,
        false => ColorType::Grayscale,
    });
    encoder.set_depth(BitDepth::Eight);
    encoder.add_text_chunk(SOFTWARE.to_string(), PROGRAM.to_string())?;
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&image.interleaved(pixels))?;
    writer.finish()?;
    Ok(())
}

/// The layout of the pixels in records that png can represent.
fn image(element_type: ElementType, layout: &RecordLayout) -> Result<ImageLayout, ErrorKind> {
    if element_type != ElementType::U8 {
        let message = format!("png holds u8, and these records are {element_type}");
        return Err(ErrorKind::unsupported(message).advise(Setting::ElementType));
    }
    ImageLayout::from_shape(layout.record_shape()).ok_or_else(|| {
        let message = format!("records of {} are not images", layout.shape_text());
        ErrorKind::unsupported(message).advise(Setting::Shape)
    })
}

impl RecordSink for PicturesSink {
    fn push(&mut self, record: &Record) -> Result<(), Error> {
        self.write(record).at(&self.path)
    }

    fn stage(mut self: Box<Self>) -> Result<Option<Staged>, Error> {
        while let Some(written) = self.encoder.take().at(&self.path)? {
            written.at(&self.path)?;
        }
        if let Some(labels) = &mut self.labels {
            labels.flush().at(&self.path)?;
        }
        Ok(Some(match self.create_new {
            true => self.folder.stage(|_| false),
            false => self.folder.stage(is_own),
        }))
    }
}

/// Whether this program wrote the file: a picture, labels of no other pictures, or names of classes beside or
/// above its pictures.
pub(in crate::formats) fn is_own(path: &Path) -> bool {
    if has_extension(path, EXTENSION) {
        let mut start = [0; MARK_OFFSET + MARK.len()];
        let read = access::open_regular(path).map(|mut file| file.read_exact(&mut start));
        return matches!(read, Ok(Ok(()))) && start.ends_with(MARK);
    }
    let name = path.file_name().unwrap_or_default();
    if name == CLASSES {
        let beside = || path.parent().into_iter().flat_map(files);
        let below = beside().flat_map(|folder| files(&folder));
        let is_picture = |path: PathBuf| has_extension(&path, EXTENSION) && is_own(&path);
        return beside().chain(below).any(is_picture);
    }
    let is_own_label = |row: csv::Result<csv::StringRecord>| {
        let name = row.ok().and_then(|row| Some(path.with_file_name(row.get(0)?)));
        name.is_some_and(|name| {
            !name.exists() || (has_extension(&name, EXTENSION) && is_own(&name))
        })
    };
    name == LABELS
        && access::open_regular(path).is_ok_and(|file| {
            let mut reader = csv::Reader::from_reader(file);
            let columns = reader.headers();
            columns.is_ok_and(|columns| *columns == COLUMNS[..])
                && reader.into_records().all(is_own_label)
        })
}

/// The entries of a folder; none if it cannot be read.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}
