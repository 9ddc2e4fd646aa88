//! Names the types and statics of generated code after files.

use std::path::Path;

/// Returns the names of the record type and of the `static` for a file: `TrainImage` and `TRAIN_IMAGES` for
/// `train-images-idx3-ubyte`.
pub(super) fn names_of(path: &Path) -> [String; 2] {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let words: Vec<&str> = name
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .take_while(|word| !word.starts_with("idx"))
        .collect();
    let mut table = words.join("_").to_uppercase();
    let mut record: String = words.iter().map(|word| capitalised(word)).collect();
    if !table.starts_with(|first: char| first.is_ascii_alphabetic()) {
        table.insert_str(0, "RECORDS_");
        record.insert_str(0, "Records");
    }
    let table = table.trim_end_matches('_').to_string();
    let mut record = match record.strip_suffix('s') {
        Some(one) if !one.ends_with('s') => one.to_string(),
        _ => record,
    };
    // `Self` is a keyword, and the static needs another name.
    if record == "Self" || record == table {
        record.push_str("Record");
    }
    [record, table]
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at_checked(1).unwrap_or_default();
    first.to_uppercase() + rest
}
