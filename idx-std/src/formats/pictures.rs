use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Cursor, Read};
use std::path::{Path, PathBuf};

use idx_core::ElementType;
use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};

use super::error::{At, Error, ErrorKind, Setting};
use super::folder::{entries, has_extension};
use super::options::{Labels, SinkOptions};
use super::record::{Record, RecordLayout, RecordSink, RecordSource};
use crate::image_layout::ImageLayout;
use crate::io::{AtomicFolder, Staged};

const EXTENSION: &str = "png";

/// The file of the labels in the folder of the pictures, and its columns.
const LABELS: &str = "labels.csv";
const COLUMNS: [&str; 2] = ["file", "label"];

/// What tells that this program wrote a picture, a keyword of the PNG specification and its text; how they
/// lie in the file, and where: after the signature, the header, and the length of their chunk.
const SOFTWARE: &str = "Software";
const PROGRAM: &str = "idx";
const MARK: &[u8] = b"tEXtSoftware\0idx";
const MARK_OFFSET: usize = 8 + 25 + 4;

/// The pictures of a folder, or of its subfolders that are named by a label.
pub(super) struct PicturesSource {
    path: PathBuf,
    layout: RecordLayout,
    pictures: Vec<Picture>,
    has_labels: bool,
    next: usize,
}

struct Picture {
    path: PathBuf,
    label: Option<i128>,
}

impl PicturesSource {
    pub(super) fn open(path: &Path, labels: Labels) -> Result<Self, Error> {
        let labels = labels != Labels::Ignored;
        let (files, folders) = entries(path, EXTENSION).at(path)?;
        let is_flat = !files.is_empty();
        let mut pictures: Vec<Picture> = files
            .into_iter()
            .map(|path| Picture { path, label: None })
            .collect();
        let mut has_labels = false;
        if labels && path.join(LABELS).is_file() {
            let file = path.join(LABELS);
            read_labels(&file, &mut pictures).at(&file)?;
            has_labels = true;
        }
        for folder in folders {
            let (files, _) = entries(&folder, EXTENSION).at(&folder)?;
            if files.is_empty() {
                continue;
            }
            if is_flat {
                let message = "there are png files here and in folders; keep them in one place";
                return Err(ErrorKind::unsupported(message)).at(path);
            }
            let name = folder.file_name().and_then(OsStr::to_str);
            let label = name.and_then(|name| name.parse().ok());
            if labels && label.is_none() {
                let message = "class folders must be named by whole numbers; rename this one";
                return Err(ErrorKind::unsupported(message)).at(&folder);
            }
            has_labels |= labels;
            pictures.extend(files.into_iter().map(|path| Picture { path, label }));
        }
        let Some(first) = pictures.first() else {
            let message = "this folder has no .png or .parquet files; choose one with pictures or \
                           shards";
            return Err(ErrorKind::malformed(message)).at(path);
        };
        let shape = read_picture(&first.path, &mut Vec::new()).at(&first.path)?;
        let count = pictures.len() as u64;
        Ok(Self {
            path: path.to_path_buf(),
            layout: RecordLayout::of_records(ElementType::U8, Some(count), &shape),
            pictures,
            has_labels,
            next: 0,
        })
    }
}

/// Assigns to each picture of a folder its label from the file of labels.
fn read_labels(path: &Path, pictures: &mut [Picture]) -> Result<(), ErrorKind> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_path(path)?;
    let mut labels: HashMap<OsString, i128> = HashMap::new();
    for row in reader.records() {
        let row = row?;
        let (Some(file), Some(Ok(label)), 2) = (row.get(0), row.get(1).map(str::parse), row.len())
        else {
            let row: Vec<&str> = row.iter().collect();
            return Err(ErrorKind::malformed(format!(
                "`{}` is not a name and a label; write lines like 0.png,7",
                row.join(",")
            )));
        };
        labels.insert(file.into(), label);
    }
    for picture in &mut *pictures {
        let name = picture.path.file_name().unwrap_or_default();
        let Some(label) = labels.remove(name) else {
            return Err(ErrorKind::mismatch(format!(
                "{} has no label here; add a line, or remove the picture",
                name.display()
            )));
        };
        picture.label = Some(label);
    }
    match labels.keys().next() {
        None => Ok(()),
        Some(name) => Err(ErrorKind::mismatch(format!(
            "there is no {} in the folder; remove the line, or add the picture",
            name.display()
        ))),
    }
}

impl RecordSource for PicturesSource {
    fn layout(&self) -> &RecordLayout {
        &self.layout
    }

    fn count(&self) -> Option<u64> {
        Some(self.pictures.len() as u64)
    }

    fn has_labels(&self) -> bool {
        self.has_labels
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Error> {
        let Some(picture) = self.pictures.get(self.next) else {
            return Ok(false);
        };
        let shape = read_picture(&picture.path, &mut record.bytes).at(&picture.path)?;
        if shape != self.layout.record_shape() {
            let found = RecordLayout::of_records(ElementType::U8, None, &shape);
            let message = format!(
                "the picture is {}, the first in {} is {}; crop or scale them to one size",
                found.shape_text(),
                self.path.display(),
                self.layout.shape_text()
            );
            return Err(ErrorKind::mismatch(message)).at(&picture.path);
        }
        record.label = picture.label;
        self.next += 1;
        Ok(true)
    }
}

/// Reads the pixels of a picture, and returns its shape: h x w, or h x w x 3.
fn read_picture(path: &Path, pixels: &mut Vec<u8>) -> Result<Vec<u32>, ErrorKind> {
    let file = fs::read(path)?;
    // The maximum expansion of deflate: a header that claims more has no pixels for it.
    let max = file.len().saturating_mul(1032);
    let mut decoder = Decoder::new(Cursor::new(file));
    // Palettes become colors, and fewer than 8 bits become 8.
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info()?;
    let channels = match reader.output_color_type() {
        (ColorType::Grayscale, BitDepth::Eight) => None,
        (ColorType::Rgb, BitDepth::Eight) => Some(3),
        (color, depth) => {
            return Err(ErrorKind::unsupported(format!(
                "the pixels are {color:?} of {} bits; convert the picture to 8 bits, grey or RGB",
                depth as u8
            )));
        }
    };
    let size = reader.output_buffer_size();
    let size = size.filter(|_| reader.info().raw_bytes() <= max);
    let size =
        size.ok_or_else(|| ErrorKind::malformed("the picture is truncated; copy it again"))?;
    pixels.clear();
    pixels.resize(size, 0);
    reader.next_frame(pixels)?;
    reader.finish()?;
    let (height, width) = (reader.info().height, reader.info().width);
    Ok([height, width].into_iter().chain(channels).collect())
}

/// Writes a picture for each record into a folder that appears when it is complete.
pub(super) struct PicturesSink {
    path: PathBuf,
    folder: AtomicFolder,
    image: ImageLayout,
    create_new: bool,
    next: u64,
    labels: Option<csv::Writer<File>>,
    /// Pixels with their channels side by side.
    pixels: Vec<u8>,
}

impl PicturesSink {
    pub(super) fn create(
        path: &Path,
        element_type: ElementType,
        layout: &RecordLayout,
        options: &SinkOptions,
    ) -> Result<Self, Error> {
        let image = image(element_type, layout).at(path)?;
        let folder = AtomicFolder::create(path).at(path)?;
        let mut labels = None;
        if options.label_type.is_some() {
            let mut writer = csv::Writer::from_path(folder.join(LABELS)).at(path)?;
            writer.write_record(COLUMNS).at(path)?;
            labels = Some(writer);
        }
        Ok(Self {
            path: path.to_path_buf(),
            folder,
            image,
            create_new: options.create_new,
            next: 0,
            labels,
            pixels: Vec::new(),
        })
    }

    fn write(&mut self, record: &Record) -> Result<(), ErrorKind> {
        // As many digits as MNIST needs, so that other programs sort the names correctly.
        let name = format!("{:05}.{EXTENSION}", self.next);
        self.next += 1;
        let file = BufWriter::new(File::create(self.folder.join(&name))?);
        let (height, width) = (self.image.height(), self.image.width());
        let size = |pixels| u32::try_from(pixels).map_err(io::Error::other);
        let mut encoder = Encoder::new(file, size(width)?, size(height)?);
        encoder.set_color(match self.image.is_color() {
            true => ColorType::Rgb,
            false => ColorType::Grayscale,
        });
        encoder.set_depth(BitDepth::Eight);
        encoder.add_text_chunk(SOFTWARE.to_string(), PROGRAM.to_string())?;
        let pixels = if self.image.is_planar() {
            let indices = (0..height * width)
                .flat_map(|pixel| [0, 1, 2].map(|channel| self.image.index(pixel, channel)));
            self.pixels.clear();
            self.pixels
                .extend(indices.filter_map(|index| record.bytes.get(index)));
            &self.pixels
        } else {
            &record.bytes
        };
        let mut writer = encoder.write_header()?;
        writer.write_image_data(pixels)?;
        writer.finish()?;
        if let (Some(labels), Some(label)) = (&mut self.labels, record.label) {
            labels.write_record([name, label.to_string()])?;
        }
        Ok(())
    }
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
        if let Some(labels) = &mut self.labels {
            labels.flush().at(&self.path)?;
        }
        Ok(Some(match self.create_new {
            true => self.folder.stage(|_| false),
            false => self.folder.stage(is_own),
        }))
    }
}

/// Whether this program wrote the file: a picture, or labels of no other pictures.
pub(super) fn is_own(path: &Path) -> bool {
    if has_extension(path, EXTENSION) {
        let mut start = [0; MARK_OFFSET + MARK.len()];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
        return read.is_ok() && start.ends_with(MARK);
    }
    let is_own_label = |row: csv::Result<csv::StringRecord>| {
        let name = row
            .ok()
            .and_then(|row| Some(path.with_file_name(row.get(0)?)));
        name.is_some_and(|name| {
            !name.exists() || (has_extension(&name, EXTENSION) && is_own(&name))
        })
    };
    path.file_name() == Some(OsStr::new(LABELS))
        && csv::Reader::from_path(path).is_ok_and(|mut reader| {
            reader
                .headers()
                .is_ok_and(|columns| *columns == COLUMNS[..])
                && reader.into_records().all(is_own_label)
        })
}
