//! Parses several arrays in one flash partition, each where the one before it ends, and checks that only the FF of
//! erased flash follow the last.

use idx_core::{ErrorKind, IdxRecord, Records};

/// The calibration of one sensor.
#[derive(IdxRecord, Debug, PartialEq)]
struct Correction {
    offset: i16,
    gain: i16,
}

/// The arrays of the partition; its bytes stay where they are.
struct Calibration<'a> {
    corrections: Records<'a, Correction>,
    channels: Records<'a, u8>,
}

impl<'a> Calibration<'a> {
    fn parse(partition: &'a [u8]) -> Result<Self, ErrorKind> {
        let (corrections, rest) = Records::parse_prefix(partition)?;
        let (channels, padding) = Records::parse_prefix(rest)?;
        // You decide what may follow the arrays: erased flash is FF, and here anything else is an error.
        let is_erased = padding.iter().all(|byte| *byte == 0xFF);
        if !is_erased {
            return Err(ErrorKind::TrailingBytes {
                offset: (partition.len() - padding.len()) as u64,
                count: padding.len() as u64,
            });
        }
        Ok(Self { corrections, channels })
    }
}

/// Stands in for the partition, whose address firmware gets from its linker script.
static PARTITION: [u8; 64] = {
    let mut partition = [0xFF; 64];
    let (files, _) = partition.split_at_mut(FILES.len());
    files.copy_from_slice(FILES);
    partition
};

const FILES: &[u8] = &[
    0, 0, 0x0B, 2, 0, 0, 0, 3, 0, 0, 0, 2, // i16, 3 records of 2
    0, 0, 0x01, 0x00, 0xFF, 0xFE, 0x01, 0x02, 0, 7, 0, 0xFD, // big-endian
    0, 0, 0x08, 1, 0, 0, 0, 3, // u8, 3 records
    4, 0, 2,
];

fn main() -> Result<(), ErrorKind> {
    let calibration = Calibration::parse(&PARTITION)?;
    let Calibration { corrections, channels } = &calibration;
    for (channel, Correction { offset, gain }) in channels.iter().zip(corrections) {
        println!("channel {channel}: offset {offset}, gain {gain}/256");
    }

    assert_eq!((channels.len(), corrections.len()), (3, 3));
    let second = Correction { offset: -2, gain: 258 };
    assert_eq!(corrections.get(1), Some(second));
    assert!(channels.iter().eq([4, 0, 2]));

    // A partition that was never written says so.
    let blank = Calibration::parse(&[0xFF; 64]).err();
    assert_eq!(blank, Some(ErrorKind::NotIdx { start: [0xFF; 4] }));
    Ok(())
}
