//! The labels in a column of a file: integers, or text, whose distinct values are the classes.

use std::collections::BTreeMap;

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_schema::{DataType, Schema};
use idx_std::ElementType;
use serde_json::json;

use crate::error::{Error, ErrorKind};
use crate::formats::parquet::arrays::{dtype, integers, null};
use crate::formats::parquet::file::{ParquetFile, damaged};
use crate::names::class_names::ClassNames;
use crate::record::value::DType;

/// The name of the column of labels that this program writes.
pub(super) const LABEL: &str = "label";

/// The maximum size of all names of classes together in bytes, as in a file of them.
const MAX_NAMES: usize = 1 << 20;

/// The number of labels to look through at a time.
const BATCH_LABELS: usize = 8192;

/// The key under which Hugging Face stores what the columns mean.
pub(super) const FEATURES: &str = "huggingface";

pub(super) struct LabelColumn {
    pub(super) column: usize,
    kind: Kind,
    /// The names of the classes, unless they are the numbers of the labels.
    pub(super) classes: Option<ClassNames>,
}

enum Kind {
    Integers(DType),
    /// The label of each text.
    Texts(BTreeMap<String, i128>),
}

impl LabelColumn {
    /// The labels in this column; text is looked through from the first record to the last.
    pub(super) fn open(file: &ParquetFile, column: usize) -> Result<Self, Error> {
        file.counts(&[column])?;
        let data_type = file.data_type(column);
        match dtype(data_type) {
            _ if !are_labels(data_type) => {
                let message = "the labels are neither integers nor text; write them as such, or choose another column";
                Err(ErrorKind::unsupported(message).into())
            }
            None => Self::of_texts(file, column),
            Some(dtype) => {
                let classes = named(&file.schema, file.schema.field(column).name());
                Ok(Self { column, kind: Kind::Integers(dtype), classes })
            }
        }
    }

    /// Texts that are integers are the labels themselves; else they are numbered in the order of their bytes, as
    /// folders of classes are.
    fn of_texts(file: &ParquetFile, column: usize) -> Result<Self, Error> {
        let mut labels = BTreeMap::new();
        let mut batches = file.batches(&[column], BATCH_LABELS)?;
        let mut size = 0;
        while let Some(batch) = batches.next()? {
            for text in batch.columns().iter().flat_map(|array| texts(array)).flatten() {
                if !labels.contains_key(text) {
                    size += text.len();
                    labels.insert(text.to_string(), 0);
                }
            }
            if size > MAX_NAMES {
                let message = "the labels have more than 1 MiB of different names; write classes";
                return Err(ErrorKind::unsupported(message).into());
            }
        }
        let number =
            |text: &String| text.parse().ok().filter(|number: &i128| number.to_string() == *text);
        let numbers: Option<Vec<i128>> = labels.keys().map(number).collect();
        let classes = match numbers {
            Some(_) => None,
            None => Some(ClassNames::new(labels.keys().cloned())?),
        };
        let numbers = numbers.unwrap_or_else(|| (0..).take(labels.len()).collect());
        labels.values_mut().zip(numbers).for_each(|(label, number)| *label = number);
        Ok(Self { column, kind: Kind::Texts(labels), classes })
    }

    /// The element type of the labels, if IDX has it.
    pub(super) fn element_type(&self) -> Option<ElementType> {
        match &self.kind {
            Kind::Integers(dtype) => dtype.element_type(),
            Kind::Texts(_) => None,
        }
    }

    /// The labels of an array; the first one belongs to record `first`.
    pub(super) fn of(&self, array: &dyn Array, first: u64) -> Result<Vec<i128>, Error> {
        match &self.kind {
            Kind::Integers(dtype) => integers(array, *dtype, first),
            Kind::Texts(labels) => {
                let texts = (first..).zip(texts(array));
                let label = |(record, text): (u64, Option<&str>)| {
                    let text = text.filter(|text| !text.is_empty());
                    let text = text.ok_or_else(|| null("the label", record))?;
                    labels.get(text).copied().ok_or_else(|| damaged().into())
                };
                texts.map(label).collect()
            }
        }
    }
}

/// Whether a column of this type can have labels.
pub(super) fn are_labels(data_type: &DataType) -> bool {
    use ElementType::{F32, F64};
    match dtype(data_type) {
        Some(dtype) => !matches!(dtype, DType::F16 | DType::Element(F32 | F64)),
        None => *data_type == DataType::Utf8,
    }
}

fn texts(array: &dyn Array) -> impl Iterator<Item = Option<&str>> {
    array.as_string_opt::<i32>().into_iter().flatten()
}

/// The names of the classes in a column, which Hugging Face stores in the metadata of a file.
fn named(schema: &Schema, column: &str) -> Option<ClassNames> {
    let features = schema.metadata().get(FEATURES)?;
    let features: serde_json::Value = serde_json::from_str(features).ok()?;
    let features = features.pointer("/info/features")?;
    let names = features.get(column)?.get("names")?.as_array()?;
    let names = names.iter().map(|name| Some(name.as_str()?.to_string()));
    let names = ClassNames::new(names.collect::<Option<Vec<_>>>()?).ok()?;
    names.says_more().then_some(names)
}

/// The same metadata for a file whose labels have these names; `None` if they name labels below 0 or too large ones.
pub(super) fn features(classes: &ClassNames) -> Option<String> {
    let names = classes.to_list()?;
    let label = json!({ "names": names, "_type": "ClassLabel" });
    Some(json!({ "info": { "features": { LABEL: label } } }).to_string())
}
