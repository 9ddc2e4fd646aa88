//! Other formats as records with labels: read them, write them, and convert between them.
//!
//! [`open`] detects the format of a file or folder by its content and reads its records one by one;
//! [`create`] writes them. A record is big-endian bytes, as in IDX, and may have an integer as its label.
//!
//! ```
//! # #[cfg(feature = "pictures")] {
//! use idx_std::ElementType;
//! use idx_data::{Format, Labels, Record, RecordLayout, RecordSource};
//! use idx_data::{SinkOptions, SourceOptions, create, open};
//! # let folder = tempfile::tempdir()?;
//! # let pictures = folder.path().join("pictures");
//! # let table = folder.path().join("table.csv");
//!
//! // Two pictures with labels, in a folder.
//! let layout = RecordLayout::new(ElementType::U8, &[0, 2, 2]);
//! let options = SinkOptions { label_type: Some(ElementType::U8), ..SinkOptions::default() };
//! let mut sink = create(&pictures, Format::Png, &layout, &options)?;
//! sink.push(&Record { bytes: vec![0, 255, 255, 0], label: Some(7) })?;
//! sink.push(&Record { bytes: vec![9, 9, 9, 9], label: Some(3) })?;
//! sink.finish()?;
//!
//! // The folder as records, which become lines of csv.
//! let options = SourceOptions { labels: Labels::Marked, ..SourceOptions::default() };
//! let mut source = open(&pictures, &options)?;
//! assert_eq!((source.count(), source.has_labels()), (Some(2), true));
//! let mut sink = create(&table, Format::Csv, source.layout(), &SinkOptions::default())?;
//! let mut record = Record::default();
//! while source.read(&mut record)? {
//!     sink.push(&record)?;
//! }
//! sink.finish()?;
//! assert_eq!(std::fs::read_to_string(&table)?, "7,0,255,255,0\n3,9,9,9,9\n");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | format | feature | labels |
//! | --- | --- | --- |
//! | IDX, plain or gzip | | in a file of their own: [`open_labels`], [`Source::with_labels`] |
//! | npy, NumPy's arrays | | in a file of their own |
//! | npz, an archive of such arrays: `mnist.npz:x_train` is one of them | `npz` | in an array of their own |
//! | csv, one record a line | `csv` | the column that the first line names `label`, or else the first if they are [`Labels::Expected`]; or in a file of their own |
//! | folders of pictures | `pictures` | a file `labels.csv`, or a folder for each class |
//! | Parquet, a file or a folder of them | `parquet` | the column `label` |
//! | files of pictures in Parquet, as Hugging Face publishes them | `parquet`, `pictures` | the column `label` |
//!
//! An archive, whose first file is an array, is only read, as the format of that array.
//!
//! Without the feature of a format, reading or writing it is the error [`ErrorKind::Disabled`].

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

/// The value of an expression that needs a feature, boxed; or the error that the feature is disabled.
macro_rules! with_feature {
    ($feature:tt, $path:ident, [$($used:ident),*], $made:expr) => {{
        #[cfg(feature = $feature)]
        {
            let made = $made;
            made.map(|made| Box::new(made) as _)
        }
        #[cfg(not(feature = $feature))]
        {
            let _ = ($(&$used),*);
            let feature = $feature;
            Err(crate::Error::from(crate::ErrorKind::Disabled { feature }).with_path($path))
        }
    }};
}

mod error;
mod image_layout;
mod random;
pub mod npy;
pub mod stats;
mod class_names;
mod record;
mod options;
mod folder;
mod format;
mod idx;
mod npz;
#[cfg(feature = "pictures")]
mod threads;
#[cfg(feature = "csv")]
mod csv;
#[cfg(feature = "pictures")]
mod pictures;
#[cfg(feature = "parquet")]
mod parquet;
mod selection;
mod labels;
mod classes;
mod transform;
mod source;
mod chance;
mod open;
mod create;
mod labeled_sink;
mod source_code;
pub mod dataset;
mod labeled;

pub use chance::{Chance, Part};
pub use class_names::ClassNames;
pub use create::{create, create_stream, expect_apart};
pub use error::{Error, ErrorKind, Position, Setting};
pub use format::Format;
pub use image_layout::ImageLayout;
pub use labeled::{Labeled, LabeledReader, Normalize, PreparedBatches, SplitSize};
pub use labeled_sink::LabeledSink;
pub use labels::LabelColumn;
pub use open::{detect, detect_stream, names_array, open, open_labels, open_stream};
pub use options::{
    Color, Fit, Labels, Normalization, ParquetOptions, PictureOptions, RECORD_LIMIT, Scale, Shards,
    SinkOptions, SourceOptions, TransformOptions,
};
pub use record::{Record, RecordFacts, RecordLayout, RecordSink, RecordSource, Skipped};
pub use selection::{ParseSelectionError, RecordSelection};
pub use source::Source;
pub use source_code::{RustSource, rust_source};

// By glob, and the derive after it: an item named here wins over the glob.
#[cfg(feature = "derive")]
pub use idx_derive::IdxRecordData as IdxRecord;
pub use idx_std::*;
