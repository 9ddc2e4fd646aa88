//! The files that are measured: MNIST, or files of its sizes.

use std::env;
use std::fs::{self, File};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

use flate2::bufread::GzDecoder;
use idx_std::{Error, IdxRecord, RecordWriter, WriteOptions};
use tempfile::TempDir;

/// A record of MNIST's images.
pub type Digit<E = u8> = [[E; 28]; 28];

/// The names of MNIST's four files, and their records.
const FILES: [(&str, u32); 4] = [
    (TRAIN_IMAGES, 60_000),
    ("train-labels-idx1-ubyte", 60_000),
    ("t10k-images-idx3-ubyte", 10_000),
    ("t10k-labels-idx1-ubyte", 10_000),
];
const TRAIN_IMAGES: &str = "train-images-idx3-ubyte";

/// A temporary folder with MNIST, or with files of its sizes: compressed and not, and as other types.
#[derive(Debug)]
pub struct Data {
    folder: TempDir,
}

impl Data {
    /// The files below `IDX_DATA`, or made-up ones if the variable is not set.
    pub fn new() -> Result<Self, Error> {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        fill(folder.path())?;
        Ok(Self { folder })
    }

    /// The four files, not compressed; with a slash at the end, which one of the peers needs.
    pub fn folder(&self) -> String {
        format!("{}/", self.folder.path().display())
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn files(&self) -> [PathBuf; 4] {
        FILES.map(|(name, _)| self.file(name))
    }

    /// The training images, 47 MB.
    pub fn images(&self) -> PathBuf {
        self.file(TRAIN_IMAGES)
    }

    pub fn images_gz(&self) -> PathBuf {
        self.file(&format!("{TRAIN_IMAGES}.gz"))
    }

    /// The first training images with elements of type `E`, 47 MB of them.
    pub fn typed<E: IdxRecord + Copy + From<u8>>(&self, extension: &str) -> Result<PathBuf, Error> {
        typed::<E>(self.folder.path(), extension)
    }
}

/// A description of the data.
pub fn origin() -> &'static str {
    match env::var_os("IDX_DATA") {
        Some(_) => "MNIST itself",
        None => "files of MNIST's sizes with made-up content, as IDX_DATA names no folder",
    }
}

/// Puts the four files into a folder, compressed and not.
pub fn fill(folder: &Path) -> Result<(), Error> {
    let real = env::var_os("IDX_DATA").map(|data| Path::new(&data).join("mnist"));
    for (name, records) in FILES {
        let gz = folder.join(format!("{name}.gz"));
        match &real {
            Some(real) => {
                let real = real.join(format!("{name}.gz"));
                let copied = fs::read(&real).and_then(|bytes| fs::write(&gz, bytes));
                copied.unwrap_or_else(|error| panic!("{}: {error}", real.display()));
            }
            None if name.contains("images") => make_up::<Digit>(&gz, records, |seed| {
                let mut image = [[0; 28]; 28];
                draw(seed, image.as_flattened_mut());
                image
            })?,
            None => make_up::<u8>(&gz, records, |seed| (seed % 10) as u8)?,
        }
        let unpacked = File::open(&gz).and_then(|file| {
            let mut bytes = Vec::new();
            GzDecoder::new(BufReader::new(file)).read_to_end(&mut bytes)?;
            // Written at once and synced, as the other files are, so that the system treats all of them the same and
            // is not busy with them when they are read.
            let mut plain = File::create(folder.join(name))?;
            plain.write_all(&bytes)?;
            plain.sync_all()
        });
        unpacked.unwrap_or_else(|error| panic!("{}: {error}", gz.display()));
    }
    Ok(())
}

/// Writes the first images with elements of type `E`, 47 MB of them, compressed and not.
pub fn typed<E: IdxRecord + Copy + From<u8>>(
    folder: &Path,
    extension: &str,
) -> Result<PathBuf, Error> {
    let path = folder.join(format!("images.{extension}"));
    let gz = folder.join(format!("images.{extension}.gz"));
    if !path.exists() {
        let images = idx_std::open(folder.join(TRAIN_IMAGES))?;
        let images = images.records::<Digit>()?;
        let mut plain = RecordWriter::create(&path)?;
        let mut packed = RecordWriter::create(&gz)?;
        for image in images.iter().take(images.len() / size_of::<E>()) {
            let image: Digit<E> = image.map(|row| row.map(E::from));
            plain.push(&image)?;
            packed.push(&image)?;
        }
        plain.finish()?;
        packed.finish()?;
    }
    Ok(path)
}

fn make_up<T: IdxRecord>(path: &Path, records: u32, make: impl Fn(u32) -> T) -> Result<(), Error> {
    let dims = [&[0], T::SHAPE].concat();
    let options = WriteOptions::new().level(1);
    let mut writer = options.create(path, T::ELEMENT, &dims)?.records::<T>()?;
    for seed in 0..records {
        writer.push(&make(seed))?;
    }
    writer.finish()?;
    Ok(())
}

/// Fills in bytes that compress about as MNIST does: ink in the middle of a line, and paper around it.
pub fn draw(seed: u32, image: &mut [u8]) {
    let mut random = seed.wrapping_mul(0x9E37_79B9) | 1;
    for line in image.chunks_mut(28) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        let start = 8 + (random % 8) as usize;
        let ink = random.to_ne_bytes();
        for (pixel, value) in line.iter_mut().skip(start).zip(ink.into_iter().chain([255, 254])) {
            *pixel = value;
        }
    }
}
