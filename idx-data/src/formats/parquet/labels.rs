//! The labels in the columns of a file: whole numbers, one-hot lists, or texts, whose distinct values are the classes.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::Schema;
use idx_std::ElementType;
use serde_json::json;

use crate::error::{Error, ErrorKind};
use crate::formats::parquet::arrays::{dtype, integers, null, records};
use crate::formats::parquet::file::{ParquetFile, damaged};
use crate::formats::parquet::schema::{LABEL, are_labels, item, layout};
use crate::names::class_names::{ClassNames, Texts};
use crate::reading::cell::{is_missing, is_word};
use crate::record::RecordLayout;
use crate::record::label::{LabelRows, not_label};
use crate::record::options::OpenOptions;
use crate::record::value::DType;

/// The number of labels to read at a time.
const BATCH_LABELS: usize = 8192;

/// The key under which Hugging Face stores the meaning of the columns.
pub(super) const FEATURES: &str = "huggingface";

pub(super) struct LabelColumns {
    pub(super) columns: Vec<usize>,
    form: LabelForm,
    /// The class names, unless they are only the labels.
    pub(super) classes: Option<ClassNames>,
    /// True if the labels in the file are these names.
    pub(super) have_names: bool,
}

enum LabelForm {
    Numbers(DType),
    /// Lists of numbers, or several columns, all of this layout.
    Rows(RecordLayout, LabelRows),
    /// The label for each text.
    Texts(BTreeMap<String, i128>),
}

impl LabelColumns {
    /// Opens the labels in these columns. Their class names may be in another column. Reads all labels that are text.
    pub(super) fn open(
        file: &ParquetFile,
        columns: Vec<usize>,
        names: Option<usize>,
    ) -> Result<Self, Error> {
        let mut labels = match columns[..] {
            [column] => Self::of_column(file, column)?,
            _ => Self::of_one_hot(file, columns)?,
        };
        if let Some(names) = names {
            labels.classes = Some(labels.named_by(file, names)?);
        }
        Ok(labels)
    }

    /// Opens one-hot labels in several columns, which are named after the classes.
    fn of_one_hot(file: &ParquetFile, columns: Vec<usize>) -> Result<Self, Error> {
        let layout = layout(file, &columns, &OpenOptions::default())?;
        let names = columns.iter().map(|column| file.schema.field(*column).name().clone());
        let classes = Some(ClassNames::new(names)?);
        let form = LabelForm::Rows(layout, LabelRows::default());
        Ok(Self { columns, form, classes, have_names: true })
    }

    fn of_column(file: &ParquetFile, column: usize) -> Result<Self, Error> {
        file.counts(&[column])?;
        let columns = vec![column];
        let labels = |form, classes| Self { columns, form, classes, have_names: false };
        let data_type = file.data_type(column);
        match dtype(data_type) {
            None if item(data_type).is_some() => {
                let layout = layout(file, &[column], &OpenOptions::default())?;
                Ok(labels(LabelForm::Rows(layout, LabelRows::default()), None))
            }
            _ if !are_labels(data_type) => {
                let message = "the labels are neither numbers nor text; write them as such, or choose another column";
                Err(ErrorKind::unsupported(message).into())
            }
            None => Self::of_texts(file, column),
            Some(dtype) => {
                let classes = named(&file.schema, file.schema.field(column).name());
                Ok(labels(LabelForm::Numbers(dtype), classes))
            }
        }
    }

    /// Reads texts as labels: integers are the labels themselves, and words are numbered in the order of their bytes,
    /// like folders of classes. A number among words is a word.
    fn of_texts(file: &ParquetFile, column: usize) -> Result<Self, Error> {
        let mut found = Texts::default();
        let mut batches = file.batches(&[column], BATCH_LABELS)?;
        while let Some(batch) = batches.next()? {
            let mut texts = batch.columns().iter().flat_map(|array| texts(array)).flatten();
            texts.try_for_each(|text| found.insert(text))?;
        }
        // An empty text is no label, as null is none.
        let are_words = found.texts.iter().any(|text| is_word(text));
        let is_fraction = |text: &&String| !text.is_empty() && text.parse::<i128>().is_err();
        if let Some(fraction) = found.texts.iter().find(is_fraction).filter(|_| !are_words) {
            return Err(not_label(&format!("{fraction:?}")).into());
        }
        let number =
            |text: &String| text.parse().ok().filter(|number: &i128| number.to_string() == *text);
        let numbers: Option<Vec<i128>> = found.texts.iter().map(number).collect();
        let classes = match numbers {
            Some(_) => None,
            None => Some(ClassNames::new(found.texts.iter().cloned())?),
        };
        let numbers = numbers.unwrap_or_else(|| (0..).take(found.texts.len()).collect());
        let labels = found.texts.into_iter().zip(numbers).collect();
        let have_names = classes.is_some();
        Ok(Self { columns: vec![column], form: LabelForm::Texts(labels), classes, have_names })
    }

    /// Reads the class names next to the labels, in a column of texts.
    fn named_by(&mut self, file: &ParquetFile, names: usize) -> Result<ClassNames, Error> {
        file.counts(&[names])?;
        let mut classes = ClassNames::default();
        let mut labels = file.batches(&self.columns, BATCH_LABELS)?;
        let mut beside = file.batches(&[names], BATCH_LABELS)?;
        let mut first = 0;
        while let (Some(numbers), Some(names)) = (labels.next()?, beside.next()?) {
            let found = self.of(numbers.columns(), first)?;
            for (record, (label, name)) in (first..).zip(found.iter().zip(texts(names.column(0)))) {
                let inserted = classes.insert(*label, name.unwrap_or_default());
                inserted.map_err(|error| error.at_position(record))?;
            }
            first += found.len() as u64;
        }
        classes.checked()
    }

    /// Returns the labels that are words, to check them; without those like NA, because a missing value would be null.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let names = self.classes.iter().filter(|_| self.have_names).flat_map(ClassNames::iter);
        names.map(|(_, name)| name).filter(|name| !is_missing(name))
    }

    /// Returns the element type of the labels, if IDX has it.
    pub(super) fn element_type(&self) -> Option<ElementType> {
        let dtype = match &self.form {
            LabelForm::Numbers(dtype) => *dtype,
            LabelForm::Rows(layout, _) => layout.dtype,
            LabelForm::Texts(_) => return None,
        };
        dtype.element_type().filter(|element_type| !element_type.is_float())
    }

    /// Returns the labels of arrays; the first one belongs to record `first`.
    pub(super) fn of(&mut self, columns: &[ArrayRef], first: u64) -> Result<Vec<i128>, Error> {
        let array = columns.first().ok_or_else(damaged)?;
        match &mut self.form {
            LabelForm::Numbers(dtype) => integers(array, *dtype, first),
            LabelForm::Rows(layout, rows) => {
                let numbers = records(columns, layout, first)?;
                let size = numbers.len().checked_div(array.len()).unwrap_or_default();
                let labels = (first..).zip(0..array.len()).map(|(record, row)| {
                    let row = numbers.get(row * size..(row + 1) * size).unwrap_or_default();
                    rows.next(row, layout.dtype).map_err(|kind| kind.at_position(record))
                });
                labels.collect()
            }
            LabelForm::Texts(labels) => {
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

fn texts(array: &dyn Array) -> impl Iterator<Item = Option<&str>> {
    array.as_string_view_opt().into_iter().flatten()
}

/// Returns the class names of a column, which Hugging Face stores in the metadata of a file.
fn named(schema: &Schema, column: &str) -> Option<ClassNames> {
    let features = schema.metadata().get(FEATURES)?;
    let features: serde_json::Value = serde_json::from_str(features).ok()?;
    let features = features.pointer("/info/features")?;
    let names = features.get(column)?.get("names")?.as_array()?;
    let names = names.iter().map(|name| Some(name.as_str()?.to_string()));
    let names = ClassNames::new(names.collect::<Option<Vec<_>>>()?).ok()?;
    names.says_more().then_some(names)
}

/// Returns such metadata for a file whose labels have these names.
pub(super) fn features(classes: &ClassNames) -> Result<String, ErrorKind> {
    let names = classes.to_list()?;
    let label = json!({ "names": names, "_type": "ClassLabel" });
    Ok(json!({ "info": { "features": { LABEL: label } } }).to_string())
}
