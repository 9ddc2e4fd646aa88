//! Writes a folder of PNG files, with a folder for each class, or one PNG to a stream.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::{fs, io};

use image::DynamicImage;
use image::codecs::png::PngEncoder;

use crate::ImageLayout;
use crate::error::{At, Error, ErrorKind};
use crate::formats::RecordSink;
use crate::formats::pictures::picture::{image, of_record};
use crate::formats::threads::{BYTES, ITEMS, count, in_order};
use crate::names::class_names::{CLASSES, ClassNames};
use crate::record::options::CreateOptions;
use crate::record::{Facts, Record};
use idx_std::__private::Staged;
use idx_std::AtomicFolder;

/// The maximum number of classes: labels with more values, each a folder, are not classes.
const MAX_CLASSES: usize = 10_000;

/// Writes a picture for each record to a folder that appears when it is complete. Labeled pictures go to a folder for
/// each class, as torchvision, Keras and Hugging Face read them.
pub(crate) struct PicturesSink {
    folder: AtomicFolder,
    image: ImageLayout,
    threads: usize,
    /// The files that are still to be written.
    waiting: Vec<(PathBuf, DynamicImage)>,
    next: u64,
    /// The class names, if they say more than the labels.
    list: Option<ClassNames>,
    /// The labels that folders with these names will be read as.
    labels: HashMap<String, i128>,
    /// The folder names of the classes that have names.
    names: BTreeMap<i128, String>,
    /// The classes that have a folder so far, with its name.
    classes: BTreeMap<i128, String>,
}

impl PicturesSink {
    pub(crate) fn create(
        path: &Path,
        facts: &Facts,
        options: &CreateOptions,
    ) -> Result<Self, Error> {
        let image = image(&facts.layout).at(path)?;
        let folder = AtomicFolder::create(path).at(path)?;
        let classes = facts.classes.as_ref().filter(|_| facts.has_labels);
        // Folders are named after the labels themselves, unless a list says which label each has.
        let list = classes.filter(|classes| classes.says_more()).cloned();
        if let Some(list) = &list {
            list.to_text().at(path)?;
        }
        Ok(Self {
            folder,
            image,
            threads: count(options.threads),
            waiting: Vec::new(),
            next: 0,
            names: classes.and_then(ClassNames::folders).unwrap_or_default(),
            labels: list.as_ref().map(ClassNames::labels_with_folders).unwrap_or_default(),
            list,
            classes: BTreeMap::new(),
        })
    }

    /// Returns the folder of a class. Creates it for the first record of the class.
    fn class(&mut self, label: i128) -> Result<String, ErrorKind> {
        if let Some(name) = self.classes.get(&label) {
            return Ok(name.clone());
        }
        if self.classes.len() >= MAX_CLASSES {
            let message = format!(
                "the labels have more than {MAX_CLASSES} values, and each would get a folder; write Parquet, or leave \
                 the labels out"
            );
            return Err(ErrorKind::unsupported(message));
        }
        let name = self.names.get(&label).cloned().unwrap_or_else(|| label.to_string());
        if let Some(other) = self.labels.get(&name).filter(|other| **other != label) {
            return Err(ErrorKind::unsupported(format!(
                "the folder {name} of the label {label} would be taken for the class {other}, which has this name; \
                 give another list of names"
            )));
        }
        if self.list.as_ref().is_some_and(|list| list.name(label).is_none()) && label < 0 {
            return Err(ErrorKind::unsupported(format!(
                "the label {label} has no name, and a list names labels from 0 on; leave its records out, or give \
                 another label"
            )));
        }
        fs::create_dir(self.folder.join(&name))?;
        self.classes.insert(label, name.clone());
        Ok(name)
    }

    /// Returns the list of class names, if one is needed to read the folders. A class without a name has its number as
    /// the name. A single folder needs a list that makes it a class.
    fn listed(&self) -> Option<ClassNames> {
        let is_only = || self.classes.len() == 1 && self.classes.keys().all(|label| *label >= 0);
        if self.list.is_none() && !is_only() {
            return None;
        }
        let mut list = self.list.clone().unwrap_or_default();
        for (label, name) in &self.classes {
            list.0.entry(*label).or_insert_with(|| name.clone());
        }
        Some(list)
    }

    fn write_waiting(&mut self) -> Result<(), ErrorKind> {
        let waiting = take(&mut self.waiting);
        let write = |(path, image): &(PathBuf, DynamicImage)| Ok(fs::write(path, encode(image)?)?);
        in_order(self.threads, &waiting, |picture| (picture, 0), write).into_iter().collect()
    }
}

/// Encodes a picture to memory, because the encoder hides an I/O error at the end of a file.
fn encode(image: &DynamicImage) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    image.write_with_encoder(PngEncoder::new(&mut bytes)).map_err(io::Error::other)?;
    Ok(bytes)
}

impl RecordSink for PicturesSink {
    fn push(&mut self, records: &Record, count: u64) -> Result<(), Error> {
        records.each(count, |record| {
            // As many digits as MNIST needs, so that other programs sort the names correctly.
            let mut name = format!("{:05}.png", self.next);
            if let Some(label) = record.label {
                name = format!("{}/{name}", self.class(label)?);
            }
            self.next += 1;
            self.waiting.push((self.folder.join(&name), of_record(self.image, &record.bytes)));
            let is_large = (self.waiting.len() * record.bytes.len()) as u64 >= BYTES;
            if is_large && self.waiting.len() >= self.threads || self.waiting.len() >= ITEMS {
                self.write_waiting()?;
            }
            Ok(())
        })
    }

    fn stage(mut self: Box<Self>) -> Result<Option<Staged>, Error> {
        self.write_waiting()?;
        if let Some(list) = self.listed() {
            let path = self.folder.join(CLASSES);
            fs::write(&path, list.to_text()?).map_err(ErrorKind::from)?;
        }
        Ok(Some(self.folder.stage()?))
    }
}

/// Writes the picture of the only record to a stream.
pub(crate) struct PictureSink {
    stream: Box<dyn Write + Send>,
    image: ImageLayout,
    png: Option<Vec<u8>>,
}

impl PictureSink {
    pub(crate) fn create(
        name: &Path,
        stream: Box<dyn Write + Send>,
        facts: &Facts,
    ) -> Result<Self, Error> {
        Ok(Self { stream, image: image(&facts.layout).at(name)?, png: None })
    }
}

impl RecordSink for PictureSink {
    fn push(&mut self, records: &Record, count: u64) -> Result<(), Error> {
        if count > 1 || self.png.is_some() {
            return Err(one_picture("and there are more records").into());
        }
        self.png = Some(encode(&of_record(self.image, &records.bytes))?);
        Ok(())
    }

    fn stage(mut self: Box<Self>) -> Result<Option<Staged>, Error> {
        let png = self.png.ok_or_else(|| one_picture("and there is no record"))?;
        self.stream.write_all(&png).map_err(ErrorKind::output)?;
        self.stream.flush().map_err(ErrorKind::output)?;
        Ok(None)
    }
}

fn one_picture(found: &str) -> ErrorKind {
    let message = format!("a stream has one picture, {found}; choose one, or write a folder");
    ErrorKind::unsupported(message)
}
