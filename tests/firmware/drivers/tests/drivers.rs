//! Tests the library on this computer, with simulated devices.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::io::{Cursor, Read, Write};

use embedded_graphics::mock_display::MockDisplay;
use embedded_graphics::pixelcolor::{Gray8, GrayColor, Rgb565};
use embedded_graphics::prelude::Point;
use embedded_hal::digital::{self, OutputPin};
use embedded_hal::spi::{self, Operation, SpiDevice};
use embedded_sdmmc::{Block, BlockCount, BlockDevice, BlockIdx, TimeSource, Timestamp};
use idx_core::stream::ReadError;
use idx_core::{ErrorKind, IdxRecord, Records};
use idx_with_drivers::{Digit, Measurement, display, flash_chip, sd_card};

static FILE: &[u8] = include_bytes!("../../../../idx-cli/sample/digits-images-idx3-ubyte");
static DIGITS: Records<Digit> = Records::from_static(FILE);

#[test]
fn a_display_shows_the_digit() {
    let mut gray = MockDisplay::<Gray8>::new();
    display::draw(&mut gray, &DIGITS.as_slice()[3], Point::new(30, 20)).unwrap();
    for (y, row) in (20..).zip(DIGITS.as_slice()[3].0) {
        for (x, pixel) in (30..).zip(row) {
            let shown = gray.get_pixel(Point::new(x, y)).unwrap();
            assert_eq!(shown.luma(), pixel, "at {x}, {y}");
        }
    }
    assert_eq!(gray.affected_area().size.width, 28);

    let mut color = MockDisplay::<Rgb565>::new();
    display::draw(&mut color, &DIGITS.as_slice()[3], Point::zero()).unwrap();
    assert_eq!(color.get_pixel(Point::zero()), Some(Rgb565::new(0, 0, 0)));
}

#[test]
fn an_sd_card_has_the_digits() {
    let mut digits = DIGITS.iter();
    let card = SdCard::new(FILE);
    sd_card::for_each_digit(&card, Clock, |pixels| {
        assert_eq!(Digit::decode(pixels), digits.next());
    })
    .unwrap();
    assert!(digits.next().is_none());

    let card = SdCard::new(&FILE[..2000]);
    let error = sd_card::for_each_digit(&card, Clock, |_| {}).unwrap_err();
    let ReadError::Format(error) = error else { panic!("{error}") };
    let (needed, found) = (200 * 784, 2000 - 16);
    assert_eq!(error.kind(), ErrorKind::Truncated { needed, found });
}

/// The power fails at every block that is written; the log goes on after the next start, and loses no measurement that
/// it called safe.
#[test]
fn a_log_on_an_sd_card_survives() {
    let measurement = |index: i32| Measurement { milliseconds: index * 10, millivolts: -index };
    let found = |card: &SdCard| -> Vec<Measurement> {
        // Until the first one is safe, there may be no file, or a torn header.
        let Some(log) = card.read("LOG.IDX") else { return Vec::new() };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.idx");
        std::fs::write(&path, log).unwrap();
        let Ok(repair) = idx_std::repair(&path) else { return Vec::new() };
        let records = path.with_file_name("records.idx");
        repair.write_to(&records).unwrap();
        let reader = idx_std::Reader::open(&records).unwrap();
        reader.records().unwrap().collect::<Result<_, _>>().unwrap()
    };
    let mut writes = 0;
    loop {
        let card = SdCard { writes: Cell::new(writes), ..SdCard::new(FILE) };
        let mut safe = 0;
        let outcome = sd_card::log(&card, Clock, (0..5).map(measurement), || safe += 1);
        let before = found(&card);
        assert!(before.len() >= safe, "{safe} measurements were safe, {} are there", before.len());
        assert!((0..).map(measurement).zip(&before).all(|(wanted, found)| wanted == *found));

        card.writes.set(u32::MAX);
        let next = before.len() as i32;
        sd_card::log(&card, Clock, (next..next + 3).map(measurement), || {}).unwrap();
        assert_eq!(found(&card), Vec::from_iter((0..next + 3).map(measurement)));
        if outcome.is_ok() {
            assert_eq!(safe, 5);
            break;
        }
        writes += 1;
    }
    assert!(writes > 10, "the power failed {writes} times");
}

#[test]
fn a_flash_chip_has_the_digits() {
    for index in [0, 7, 199] {
        let digit = flash_chip::digit(Spi, Pin, Pin, index).unwrap();
        assert_eq!(DIGITS.get(index as usize), Some(digit));
    }
    assert!(flash_chip::digit(Spi, Pin, Pin, 200).is_err());
}

/// A card with one FAT16 partition, which holds the file.
struct SdCard {
    bytes: RefCell<Vec<u8>>,
    /// The number of blocks that can still be written before the power fails.
    writes: Cell<u32>,
}

#[derive(Debug)]
struct PowerFailure;

impl std::fmt::Display for PowerFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the power failed")
    }
}

impl std::error::Error for PowerFailure {}

const PARTITION: usize = 2048 * 512;

impl SdCard {
    fn new(file: &[u8]) -> Self {
        let mut partition = Cursor::new(vec![0; 16 << 20]);
        let options = fatfs::FormatVolumeOptions::new().fat_type(fatfs::FatType::Fat16);
        fatfs::format_volume(&mut partition, options).unwrap();
        let volume = fatfs::FileSystem::new(&mut partition, fatfs::FsOptions::new()).unwrap();
        let mut target = volume.root_dir().create_file("DIGITS.IDX").unwrap();
        target.write_all(file).unwrap();
        drop(target);
        volume.unmount().unwrap();

        let partition = partition.into_inner();
        let mut card = vec![0; PARTITION];
        // The first entry of the partition table: FAT16, its first block, and the number of blocks.
        card[450] = 0x0E;
        card[454..458].copy_from_slice(&(PARTITION as u32 / 512).to_le_bytes());
        card[458..462].copy_from_slice(&(partition.len() as u32 / 512).to_le_bytes());
        card[510..512].copy_from_slice(&[0x55, 0xAA]);
        card.extend(partition);
        Self { bytes: card.into(), writes: Cell::new(0) }
    }

    /// Returns the bytes that a desktop reads from a file.
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let mut partition = Cursor::new(self.bytes.borrow()[PARTITION..].to_vec());
        let volume = fatfs::FileSystem::new(&mut partition, fatfs::FsOptions::new()).unwrap();
        let mut file = volume.root_dir().open_file(name).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}

impl BlockDevice for &SdCard {
    type Error = PowerFailure;

    fn read(&self, blocks: &mut [Block], start: BlockIdx) -> Result<(), PowerFailure> {
        let card = self.bytes.borrow();
        for (block, bytes) in blocks.iter_mut().zip(card.chunks(512).skip(start.0 as usize)) {
            block.contents.copy_from_slice(bytes);
        }
        Ok(())
    }

    fn write(&self, blocks: &[Block], start: BlockIdx) -> Result<(), PowerFailure> {
        let mut card = self.bytes.borrow_mut();
        for (block, bytes) in blocks.iter().zip(card.chunks_mut(512).skip(start.0 as usize)) {
            self.writes.set(self.writes.get().checked_sub(1).ok_or(PowerFailure)?);
            bytes.copy_from_slice(&block.contents);
        }
        Ok(())
    }

    fn num_blocks(&self) -> Result<BlockCount, PowerFailure> {
        Ok(BlockCount(self.bytes.borrow().len() as u32 / 512))
    }
}

struct Clock;

impl TimeSource for Clock {
    fn get_timestamp(&self) -> Timestamp {
        Timestamp::from_fat(0, 0)
    }
}

/// A bus with a W25Q32 that answers one command: read from an address on.
struct Spi;

impl spi::ErrorType for Spi {
    type Error = Infallible;
}

impl SpiDevice for Spi {
    fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        let [Operation::Write([0x03, address @ ..]), Operation::Read(bytes)] = operations else {
            panic!("the chip knows no {operations:?}")
        };
        let address = address.iter().fold(0, |address, byte| address << 8 | u32::from(*byte));
        // Erased flash is FF.
        for (address, byte) in (address..).zip(bytes.iter_mut()) {
            let offset = address.checked_sub(flash_chip::OFFSET);
            *byte = *offset.and_then(|offset| FILE.get(offset as usize)).unwrap_or(&0xFF);
        }
        Ok(())
    }
}

struct Pin;

impl digital::ErrorType for Pin {
    type Error = Infallible;
}

impl OutputPin for Pin {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
