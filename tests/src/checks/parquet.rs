//! Checks of Parquet: records come back, and damaged files are refused.

use idx_core::ElementType;
use idx_data::{ColumnLayout, CreateOptions, Facts, Format, Record, RecordLayout, Sink};

use super::data::{options, read_file};
use super::input::Input;

/// Records in Parquet are those that were written. A file that starts like Parquet is read as it is: no panic, the same
/// from a file and from a stream, and each record as large as the file says at first.
///
/// Draws the element type, the shape, whether there are labels, and how records are stored.
/// Without the feature `parquet` of idx-data there is nothing to check.
///
/// # Panics
///
/// If not.
pub fn parquet(input: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    if input.starts_with(b"PAR1") {
        std::fs::write(&path, input).expect("a file");
        read_file(&path, &options());
        return;
    }
    let Some((layout, records)) = write(&path, Input::new(input)) else {
        return;
    };
    let found = read_file(&path, &options()).expect("it was written");
    assert_eq!(found.layout, RecordLayout { dims: layout.dims, ..found.layout.clone() });
    assert!(found.records == records && !found.is_damaged);
}

/// Writes the records that are drawn; `None` if this program cannot.
pub(super) fn write(
    path: &std::path::Path,
    mut input: Input<'_>,
) -> Option<(RecordLayout, Vec<Record>)> {
    let element_type = ElementType::ALL[usize::from(input.byte() % 6)];
    let way = input.byte();
    let shape: Vec<u32> = input.list().iter().take(3).map(|size| u32::from(size % 5)).collect();
    let size = shape.iter().product::<u32>() as usize * element_type.size();
    let label = |index: usize| (way & 1 == 1).then_some(index as i128 % 7);
    let payload = input.rest();
    let mut records: Vec<Record> = vec![];
    let count = payload.len().checked_div(size).unwrap_or(payload.len()).min(64);
    for index in 0..count {
        let bytes = payload[index * size..][..size].to_vec();
        let mut record = Record::new(bytes, label(index));
        record.index = index as u64;
        records.push(record);
    }
    let dims = [&[u32::try_from(count).expect("few")], &shape[..]].concat();
    let layout = RecordLayout::new(element_type, &dims);
    let mut facts = Facts::new(layout.clone(), None);
    facts.has_labels = way & 1 == 1;
    let column = match way >> 1 & 3 {
        0 => ColumnLayout::List,
        1 => ColumnLayout::Tensor,
        _ => ColumnLayout::Binary,
    };
    let options = CreateOptions::new().format(Format::Parquet).layout(column);
    let mut sink = Sink::create(path, &facts, &options).ok()?;
    for record in &records {
        sink.push(record).expect("a record");
    }
    sink.finish().expect("a finished file");
    Some((layout, records))
}
