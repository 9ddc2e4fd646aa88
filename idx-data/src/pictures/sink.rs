use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::mem::take;
use std::path::{Path, PathBuf};

use idx_std::ElementType;
use image::DynamicImage;
use image::codecs::png::PngEncoder;

use super::picture::of_record;
use crate::ImageLayout;
use crate::class_names::ClassNames;
use crate::error::{At, Error, ErrorKind};
use crate::folder::{CLASSES, LABELS};
use crate::options::CreateOptions;
use crate::record::{Record, RecordLayout, RecordSink};
use crate::threads::{BYTES, ITEMS, in_order};
use idx_std::__private::{AtomicFolder, Staged, threads};

/// Writes a picture for each record into a folder that appears when it is complete.
pub(crate) struct PicturesSink {
    path: PathBuf,
    folder: AtomicFolder,
    image: ImageLayout,
    record_size: u64,
    threads: usize,
    /// The files that are still to be written.
    waiting: Vec<(PathBuf, DynamicImage)>,
    next: u64,
    labels: Option<BufWriter<File>>,
    /// The names of the folders of classes, if each class has a folder.
    classes: Option<BTreeMap<i128, String>>,
}

impl PicturesSink {
    pub(crate) fn create(
        path: &Path,
        element_type: ElementType,
        layout: &RecordLayout,
        options: &CreateOptions,
    ) -> Result<Self, Error> {
        let image = image(element_type, layout).at(path)?;
        if options.by_class && options.label_type.is_none() {
            let message =
                "these records have no labels, so they have no classes; give their labels";
            return Err(ErrorKind::mismatch(message)).at(path);
        }
        let folder = AtomicFolder::create(path).at(path)?;
        if let Some(classes) = &options.classes {
            fs::write(folder.join(CLASSES), classes.to_text().at(path)?).at(path)?;
        }
        let mut labels = None;
        let names = options.classes.as_ref().and_then(ClassNames::folders);
        let classes = options.by_class.then(|| names.unwrap_or_default());
        if options.label_type.is_some() && !options.by_class {
            let mut file = BufWriter::new(File::create(folder.join(LABELS)).at(path)?);
            writeln!(file, "file,label").at(path)?;
            labels = Some(file);
        }
        Ok(Self {
            path: path.to_path_buf(),
            folder,
            image,
            record_size: layout.record_size().unwrap_or(u64::MAX),
            threads: threads::count(options.threads).get(),
            waiting: Vec::new(),
            next: 0,
            labels,
            classes,
        })
    }

    fn write(&mut self, record: &Record) -> Result<(), ErrorKind> {
        let (expected, found) = (self.record_size, record.bytes.len());
        if found as u64 != expected {
            return Err(idx_std::ErrorKind::record_size(expected, found).into());
        }
        record.expect_label(self.labels.is_some() || self.classes.is_some())?;
        // As many digits as MNIST needs, so that other programs sort the names correctly.
        let mut name = format!("{:05}.png", self.next);
        self.next += 1;
        if let (Some(classes), Some(label)) = (&mut self.classes, record.label) {
            let folder = classes.entry(label).or_insert_with(|| label.to_string());
            fs::create_dir_all(self.folder.join(&folder))?;
            name = format!("{folder}/{name}");
        }
        self.waiting.push((self.folder.join(&name), of_record(self.image, &record.bytes)));
        let is_large = self.waiting.len() as u64 * self.record_size >= BYTES;
        if is_large && self.waiting.len() >= self.threads || self.waiting.len() >= ITEMS {
            self.write_waiting()?;
        }
        if let (Some(labels), Some(label)) = (&mut self.labels, record.label) {
            writeln!(labels, "{name},{label}")?;
        }
        Ok(())
    }

    fn write_waiting(&mut self) -> Result<(), ErrorKind> {
        let waiting = take(&mut self.waiting);
        let write = |(path, image): &(PathBuf, DynamicImage)| write_picture(path, image);
        in_order(self.threads, &waiting, |picture| (picture, 0), write).into_iter().collect()
    }
}

fn write_picture(path: &Path, image: &DynamicImage) -> Result<(), ErrorKind> {
    // As a whole, because the encoder does not tell what is wrong with the disk at the end of a file.
    let mut bytes = Vec::new();
    image.write_with_encoder(PngEncoder::new(&mut bytes)).map_err(io::Error::other)?;
    Ok(fs::write(path, bytes)?)
}

/// The layout of the pixels in records that png can represent.
fn image(element_type: ElementType, layout: &RecordLayout) -> Result<ImageLayout, ErrorKind> {
    if element_type != ElementType::U8 {
        let message = format!("png holds u8, and these records are {element_type}");
        return Err(ErrorKind::ElementType(message));
    }
    let shape = layout.record_shape();
    ImageLayout::from_shape(shape).ok_or_else(|| ErrorKind::NotImages(shape.to_vec()))
}

impl RecordSink for PicturesSink {
    fn push(&mut self, record: &Record) -> Result<(), Error> {
        self.write(record).at(&self.path)
    }

    fn stage(mut self: Box<Self>) -> Result<Option<Staged>, Error> {
        self.write_waiting().at(&self.path)?;
        if let Some(labels) = &mut self.labels {
            labels.flush().at(&self.path)?;
        }
        Ok(Some(self.folder.stage()?))
    }
}
