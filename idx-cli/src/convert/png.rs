use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Cursor};
use std::path::{Path, PathBuf};

use idx_std::ElementType;
use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};

use super::csv::io_error;
use super::folder::{self, NewFolder};
use super::layout::Layout;
use super::sink::Sink;
use super::source::{Record, Source, stop};
use crate::image::Image;
use crate::term::failure::Failure as Stop;

/// The file of the labels beside the pictures, and its columns.
const LABELS: &str = "labels.csv";
const COLUMNS: [&str; 2] = ["file", "label"];

/// The pictures of a folder, or of folders in it that are named by their label.
pub(crate) struct Folder {
    path: PathBuf,
    layout: Layout,
    pictures: Vec<Picture>,
    has_labels: bool,
    next: usize,
}

struct Picture {
    path: PathBuf,
    label: Option<i128>,
}

impl Folder {
    pub(crate) fn open(path: &Path, labels: bool) -> Result<Self, Stop> {
        let (files, folders) = entries(path)?;
        let mut pictures: Vec<Picture> = files
            .into_iter()
            .map(|path| Picture { path, label: None })
            .collect();
        let mut has_labels = false;
        if labels && path.join(LABELS).is_file() {
            read_labels(path, &mut pictures)?;
            has_labels = true;
        }
        for folder in folders {
            let (files, _) = entries(&folder)?;
            if files.is_empty() {
                continue;
            }
            if pictures
                .iter()
                .any(|picture| picture.path.parent() == Some(path))
            {
                let message = "there are png here and in folders; keep them in one place";
                return Err(Stop::file(path, message));
            }
            let name = folder.file_name().and_then(OsStr::to_str);
            let label = name.and_then(|name| name.parse().ok());
            if labels && label.is_none() {
                let message = "the name of this folder is no label; rename it to a whole number";
                return Err(Stop::file(&folder, message));
            }
            has_labels |= labels;
            pictures.extend(files.into_iter().map(|path| Picture { path, label }));
        }
        let Some(first) = pictures.first() else {
            return Err(Stop::file(
                path,
                "there is no .png or .parquet in this folder; name one with pictures or shards",
            ));
        };
        let mut bytes = Vec::new();
        let sizes = read_picture(&first.path, &mut bytes)?;
        Ok(Self {
            path: path.to_path_buf(),
            layout: Layout {
                number_type: ElementType::U8.into(),
                record_shape: Some(sizes),
            },
            pictures,
            has_labels,
            next: 0,
        })
    }
}

/// The png and the folders in a folder, in the order of their names.
fn entries(path: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Stop> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    let mut list = || {
        for entry in fs::read_dir(path)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if is_png(&path) {
                files.push(path);
            }
        }
        Ok(())
    };
    list().map_err(|error| stop(path, error))?;
    folder::sort(&mut files);
    folder::sort(&mut folders);
    Ok((files, folders))
}

fn is_png(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

/// Gives each picture of a folder the label that the file of labels has for it.
fn read_labels(folder: &Path, pictures: &mut [Picture]) -> Result<(), Stop> {
    let path = folder.join(LABELS);
    let wrong = |message: String| Stop::file(&path, message);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_path(&path)
        .map_err(|error| wrong(error.to_string()))?;
    let mut labels: HashMap<OsString, i128> = HashMap::new();
    for row in reader.records() {
        let row = row.map_err(|error| wrong(error.to_string()))?;
        let (Some(file), Some(Ok(label)), 2) = (row.get(0), row.get(1).map(str::parse), row.len())
        else {
            let row: Vec<&str> = row.iter().collect();
            return Err(wrong(format!(
                "`{}` is no name and label; write lines like 0.png,7",
                row.join(",")
            )));
        };
        labels.insert(file.into(), label);
    }
    for picture in &mut *pictures {
        let name = picture.path.file_name().unwrap_or_default();
        let Some(label) = labels.remove(name) else {
            let name = name.display();
            return Err(wrong(format!(
                "{name} has no label here; add a line, or remove the picture"
            )));
        };
        picture.label = Some(label);
    }
    match labels.keys().next() {
        None => Ok(()),
        Some(name) => {
            let name = name.display();
            Err(wrong(format!(
                "there is no {name} in the folder; remove the line, or add the picture"
            )))
        }
    }
}

impl Source for Folder {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn count(&self) -> Option<u64> {
        Some(self.pictures.len() as u64)
    }

    fn has_labels(&self) -> bool {
        self.has_labels
    }

    fn read(&mut self, record: &mut Record) -> Result<bool, Stop> {
        let Some(picture) = self.pictures.get(self.next) else {
            return Ok(false);
        };
        let sizes = read_picture(&picture.path, &mut record.bytes)?;
        if sizes != self.layout.sizes() {
            let found = Layout {
                record_shape: Some(sizes),
                ..self.layout.clone()
            };
            return Err(Stop::file(
                &picture.path,
                format!(
                    "the picture is {}, the first in {} is {}; crop or scale them alike",
                    found.shape(),
                    self.path.display(),
                    self.layout.shape()
                ),
            ));
        }
        record.label = picture.label;
        self.next += 1;
        Ok(true)
    }
}

/// Reads the pixels of a picture, and gives its shape: h x w, or h x w x 3.
fn read_picture(path: &Path, pixels: &mut Vec<u8>) -> Result<Vec<u32>, Stop> {
    let file = fs::read(path).map_err(|error| stop(path, error))?;
    // The most that deflate expands: of a header that promises more, no pixel is there.
    let most = file.len().saturating_mul(1032);
    let mut decoder = Decoder::new(Cursor::new(file));
    // A palette becomes its colours, and less than 8 bits become 8.
    decoder.set_transformations(Transformations::EXPAND);
    let wrong = |message: String| Stop::file(path, message);
    let damaged = |error: png::DecodingError| {
        wrong(format!(
            "{error}; the picture is no png, or cut; copy it again"
        ))
    };
    let mut reader = decoder.read_info().map_err(damaged)?;
    let channels = match reader.output_color_type() {
        (ColorType::Grayscale, BitDepth::Eight) => None,
        (ColorType::Rgb, BitDepth::Eight) => Some(3),
        (color, depth) => {
            return Err(wrong(format!(
                "the pixels are {color:?} of {} bits, which is neither grey nor red, green and blue \
                 of 8; convert the picture",
                depth as u8
            )));
        }
    };
    let size = reader.output_buffer_size();
    let size = size.filter(|_| reader.info().raw_bytes() <= most);
    let size = size.ok_or_else(|| wrong("the picture is cut; copy it again".to_string()))?;
    pixels.clear();
    pixels.resize(size, 0);
    reader.next_frame(pixels).map_err(damaged)?;
    reader.finish().map_err(damaged)?;
    let (height, width) = (reader.info().height, reader.info().width);
    Ok([height, width].into_iter().chain(channels).collect())
}

/// Writes a picture for each record into a folder that appears when all are there.
pub(crate) struct PngSink {
    path: PathBuf,
    folder: NewFolder,
    image: Image,
    next: u64,
    labels: Option<csv::Writer<File>>,
    /// Pixels with their colours side by side.
    pixels: Vec<u8>,
}

impl PngSink {
    pub(crate) fn create(
        path: &Path,
        element_type: ElementType,
        layout: &Layout,
        labels: bool,
    ) -> Result<Self, Stop> {
        if element_type != ElementType::U8 {
            let message =
                format!("png holds u8, and these records are {element_type}; say --as u8");
            return Err(Stop::file(path, message));
        }
        let Some(image) = Image::of(layout.sizes().iter().copied()) else {
            let shape = layout.shape();
            let message =
                format!("records of {shape} are no images; give them a shape with --shape");
            return Err(Stop::file(path, message));
        };
        let folder = NewFolder::create(path).map_err(|error| stop(path, error))?;
        let labels = if labels {
            let mut labels = csv::Writer::from_path(folder.file(LABELS))
                .map_err(|error| stop(path, io_error(error)))?;
            labels
                .write_record(COLUMNS)
                .map_err(|error| stop(path, io_error(error)))?;
            Some(labels)
        } else {
            None
        };
        Ok(Self {
            path: path.to_path_buf(),
            folder,
            image,
            next: 0,
            labels,
            pixels: Vec::new(),
        })
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        // As long as in MNIST, so that other programs sort them rightly.
        let name = format!("{:05}.png", self.next);
        self.next += 1;
        let file = BufWriter::new(File::create(self.folder.file(&name))?);
        let image = self.image;
        let size = |pixels| u32::try_from(pixels).map_err(io::Error::other);
        let mut encoder = Encoder::new(file, size(image.width)?, size(image.height)?);
        encoder.set_color(if image.is_coloured() {
            ColorType::Rgb
        } else {
            ColorType::Grayscale
        });
        encoder.set_depth(BitDepth::Eight);
        let pixels = if image.planes == 3 {
            let places = (0..image.height * image.width)
                .flat_map(|pixel| [0, 1, 2].map(|channel| image.place(pixel, channel)));
            self.pixels.clear();
            self.pixels
                .extend(places.filter_map(|place| record.bytes.get(place)));
            &self.pixels
        } else {
            &record.bytes
        };
        let mut writer = encoder.write_header().map_err(png_error)?;
        writer.write_image_data(pixels).map_err(png_error)?;
        writer.finish().map_err(png_error)?;
        if let (Some(labels), Some(label)) = (&mut self.labels, record.label) {
            let row = labels.write_record([name, label.to_string()]);
            row.map_err(io_error)?;
        }
        Ok(())
    }

    fn complete(mut self) -> io::Result<()> {
        if let Some(labels) = &mut self.labels {
            labels.flush()?;
        }
        self.folder
            .finish(|path| is_png(path) || path.file_name() == Some(OsStr::new(LABELS)))
    }
}

/// The error of the system that an error of PNG is; its kind tells a full disk.
fn png_error(error: png::EncodingError) -> io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

impl Sink for PngSink {
    fn push(&mut self, record: &Record) -> Result<(), Stop> {
        self.write(record).map_err(|error| stop(&self.path, error))
    }

    fn finish(self: Box<Self>) -> Result<(), Stop> {
        let path = self.path.clone();
        self.complete().map_err(|error| stop(&path, error))
    }
}
