use std::path::Path;

use clap::ValueEnum;

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Plain IDX
    Idx,
    /// IDX, compressed
    #[value(name = "idx.gz", alias = "gz")]
    IdxGz,
    /// An array of NumPy
    Npy,
    /// One record a line
    Csv,
    /// A folder of pictures
    Png,
    /// A file, or a folder of shards
    Parquet,
}

impl Format {
    /// The format that a name asks for.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let name = path.to_string_lossy();
        if name.ends_with(std::path::is_separator) || path.is_dir() {
            return Some(Self::Png);
        }
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        match extension.to_str() {
            Some("npy") => Some(Self::Npy),
            Some("csv") => Some(Self::Csv),
            Some("parquet") => Some(Self::Parquet),
            Some("idx") => Some(Self::Idx),
            Some("gz") => match path.file_stem().map(Path::new).and_then(Self::of) {
                // Of these only IDX is compressed.
                Some(Self::Npy | Self::Csv | Self::Parquet) => None,
                _ => Some(Self::IdxGz),
            },
            _ => is_idx_name(&path.file_name()?.to_string_lossy()).then_some(Self::Idx),
        }
    }

    /// Whether labels can lie beside the records.
    pub(crate) fn holds_labels(self) -> bool {
        matches!(self, Self::Csv | Self::Png | Self::Parquet)
    }
}

/// Whether a name is like `train-images-idx3-ubyte` or `train-images.idx3-ubyte`.
fn is_idx_name(name: &str) -> bool {
    name.match_indices("idx").any(|(start, idx)| {
        let rest = name.get(start + idx.len()..).unwrap_or_default();
        let rank_left = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
        rank_left.len() < rest.len() && rank_left.starts_with('-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_format() {
        let table = [
            ("a.idx", Some(Format::Idx)),
            ("a.IDX", Some(Format::Idx)),
            ("train-images-idx3-ubyte", Some(Format::Idx)),
            ("train-images.idx3-ubyte", Some(Format::Idx)),
            ("labels-idx1-int", Some(Format::Idx)),
            ("train-images-idx3-ubyte.gz", Some(Format::IdxGz)),
            ("a.gz", Some(Format::IdxGz)),
            ("a.npy", Some(Format::Npy)),
            ("folder/a.csv", Some(Format::Csv)),
            ("a.parquet", Some(Format::Parquet)),
            ("a.csv/", Some(Format::Png)),
            (".", Some(Format::Png)),
            ("a.npy.gz", None),
            ("a.csv.gz", None),
            ("a.parquet.gz", None),
            ("idx-idx", None),
            ("idx3", None),
            ("a", None),
            ("-", None),
        ];
        for (name, format) in table {
            assert_eq!(Format::of(Path::new(name)), format, "{name}");
        }
    }
}
