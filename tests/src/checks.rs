//! Properties that hold for all bytes, as functions that panic if they do not.
//!
//! Each is written here once and used by the fuzz target of its name (`tests/fuzz`), by the property tests
//! (`tests/std/properties.rs`), and by the replay of inputs that once broke something
//! (`tests/std/regressions.rs`). [`reference`](mod@reference), a second decoder that is too simple to be
//! wrong, decides on the content of a file and on the first error in it.

mod input;
pub mod reference;
#[macro_use]
mod sample;
mod readers;
mod flash;

mod header;
mod records;
mod prefix;
mod stream;
mod storage;
mod seek;
mod agreement;
mod gzip;
mod gzip_damage;
mod one_call;
mod round_trip;
mod csv;
mod data;
mod npy;
mod npz;
mod parquet;
mod pictures;
mod labels_csv;
mod seeds;

pub use agreement::agreement;
pub use csv::csv;
pub use gzip::gzip;
pub use gzip_damage::gzip_damage;
pub use header::header;
pub use labels_csv::labels_csv;
pub use npy::npy;
pub use npz::npz;
pub use one_call::{one_call, one_call_of};
pub use parquet::parquet;
pub use pictures::pictures;
pub use prefix::prefix;
pub use records::records;
pub use round_trip::{Array, round_trip, round_trip_of};
pub use seeds::Seed;
pub use seek::seek;
pub use storage::storage;
pub use stream::{stream, stream_in_pieces};

use seeds::{
    archives, arrays, elements, files, lines, lines_of_labels, pictures_of_all_formats, tables,
};

/// A check under the name of its fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The name of the function and of the fuzz target.
    pub name: &'static str,
    /// Panics if something that should hold for this input does not.
    pub run: fn(&[u8]),
    /// The start of its seeds: the bytes from which the check draws its options.
    starts: &'static [&'static [u8]],
    /// The rest of its seeds.
    contents: fn() -> Vec<Seed>,
}

/// All checks.
pub const CHECKS: [Check; 17] = [
    Check { name: "header", run: header, starts: &[&[]], contents: files },
    Check { name: "records", run: records, starts: &[&[]], contents: files },
    Check { name: "prefix", run: prefix, starts: &[&[]], contents: files },
    Check {
        name: "stream",
        run: stream,
        starts: &[&[0], &[1, 1], &[4, 3, 0, 2, 9]],
        contents: files,
    },
    Check {
        name: "storage",
        run: storage,
        starts: &[&[0, 0, 0], &[5, 0, 0], &[4, 3, 2], &[7, 9, 5]],
        contents: files,
    },
    Check {
        name: "seek",
        run: seek,
        starts: &[&[3, 1, 0, 2], &[4, 0, 1, 3, 200]],
        contents: files,
    },
    Check { name: "agreement", run: agreement, starts: &[&[]], contents: files },
    Check { name: "gzip", run: gzip, starts: &[&[]], contents: files },
    Check {
        name: "gzip_damage",
        run: gzip_damage,
        // Whole, with a wrong byte, and cut: in the header, in the data, and behind them.
        starts: &[&[0, 0, 0, 0, 0], &[6, 0, 12, 255, 0], &[9, 0, 3, 8, 1], &[6, 0, 0, 0, 1]],
        contents: files,
    },
    Check {
        name: "one_call",
        run: one_call,
        starts: &[
            &[0, 0, 0, 0, 0, 0],
            &[0, 6, 0, 12, 1, 0],
            &[0, 9, 0, 3, 8, 1],
            &[1, 6],
            &[2, 6],
            &[3],
        ],
        contents: files,
    },
    Check {
        name: "round_trip",
        run: round_trip,
        starts: &[
            &[0, 6, 0],
            &[1, 0, 1, 5],
            &[2, 1, 2, 3, 2],
            &[3, 9, 3, 2, 0, 3],
            &[4, 6, 8, 2, 1, 1, 2, 1, 1, 1, 2],
            &[5, 6, 2, 0, 7],
        ],
        contents: elements,
    },
    Check {
        name: "csv",
        run: csv,
        starts: &[&[0, 0, 0], &[2, 1, 2, 7, 1], &[4, 2, 1, 9], &[5, 3, 0], &[0, 6, 0]],
        contents: lines,
    },
    Check { name: "npy", run: npy, starts: &[&[0, 0], &[1, 2]], contents: arrays },
    Check { name: "npz", run: npz, starts: &[&[]], contents: archives },
    Check { name: "parquet", run: parquet, starts: &[&[]], contents: tables },
    Check {
        name: "pictures",
        run: pictures,
        starts: &[&[0], &[5], &[10], &[3], &[16]],
        contents: pictures_of_all_formats,
    },
    Check { name: "labels_csv", run: labels_csv, starts: &[&[]], contents: lines_of_labels },
];
