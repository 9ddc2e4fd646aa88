//! Writes the record type and the `static` of a file as Rust source.

use std::ffi::OsStr;
use std::path::Path;
use std::{fmt, fs};

use crate::error::{Error, ErrorKind};
use crate::record::RecordLayout;
use crate::source_code::names::names_of;
use crate::stats::Stats;
use idx_std::__private::counted;
use idx_std::{ElementType, Reader};

/// The maximum number of distinct values for a file of rank 1 to be taken for labels.
const MAX_LABELS: usize = 100;

/// The maximum length for a record of one dimension to be taken for named columns.
const MAX_NAMED: u32 = 8;

/// The approximate number of labels from which on the compiler, which checks them one by one, reports a lint.
const LONG_CHECK: u64 = 1_000_000;

/// Rust source with the records of a file. `Display` writes its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustSource {
    /// The name of the record type.
    pub record_name: String,
    /// The name of the `static` of [`idx_std::Records`].
    pub records_name: String,
    text: String,
}

impl fmt::Display for RustSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns the record type, and the `static` that includes the file.
pub(super) fn source(path: &Path, folder: &Path, reader: Reader) -> Result<RustSource, Error> {
    let [record, table] = names_of(path);
    let refused = |message| Error::from(ErrorKind::unsupported(message)).with_path(path);
    if !path.is_file() {
        let message = "the program includes the file by its path; specify a file instead of a pipe";
        return Err(refused(message));
    }
    let included = included(path, folder).ok_or_else(|| {
        refused("the path is not UTF-8, so no program can include the file; rename it")
    })?;
    let header = reader.header();
    let (element_type, sizes) = (header.element_type(), header.record_shape());
    let shape = match sizes {
        [] => element_type.to_string(),
        _ => RecordLayout::new(element_type, header.dims()).to_string(),
    };
    let count = counted(header.record_count().into(), "record");
    let is_borrowed = !sizes.contains(&0);
    let element = match element_type {
        ElementType::U8 | ElementType::I8 => element_type.name().to_string(),
        _ if is_borrowed => format!("idx_core::be::{}", element_type.name().to_uppercase()),
        _ => element_type.name().to_string(),
    };
    let named = match *sizes {
        [size @ 2..=MAX_NAMED] if is_borrowed => named(&element, size, &record),
        _ => String::new(),
    };
    let array = |field, size: &u32| format!("[{field}; {size}]");
    let field = sizes.iter().rev().fold(element, array);
    let attributes = match is_borrowed {
        true => "#[derive(idx_core::IdxRecord, Clone, Copy, Debug)]\n#[repr(transparent)]",
        false => "#[derive(idx_core::IdxRecord, Debug)]",
    };
    let flash = counted(header.file_size(), "byte");
    let is_long = header.payload_size() > LONG_CHECK;
    let labels = match header.dims() {
        [_] => labels(reader)?,
        _ => None,
    };
    let allow = match labels.is_some() && is_long {
        true => "#[allow(long_running_const_eval)]\n",
        false => "",
    };
    let constraint = labels.map(|(min, max)| format!("#[idx(range = {min}..={max})] "));
    let constraint = constraint.unwrap_or_default();
    let text = format!(
        "/// {shape}.\n{attributes}\npub struct {record}({constraint}pub {field});\n{named}\n\
         /// {count}: {flash} of flash.\n{allow}pub static {table}: idx_core::Records<{record}> =\n    \
         idx_core::Records::from_static(include_bytes!({included}));\n"
    );
    Ok(RustSource { record_name: record, records_name: table, text })
}

/// Returns the same record type with a field for each column, as a comment: only the author of the file knows the
/// names.
fn named(element: &str, size: u32, record: &str) -> String {
    let fields: Vec<String> =
        ('a'..).zip(0..size).map(|(name, _)| format!("pub {name}: {element}")).collect();
    format!(
        "// Or, with the names of your columns:\n\
         // #[derive(idx_core::IdxRecord, Clone, Copy, Debug)]\n// #[repr(C)]\n\
         // pub struct {record} {{ {} }}\n",
        fields.join(", ")
    )
}

/// Returns the minimum and maximum, if the elements are labels.
fn labels(mut reader: Reader) -> Result<Option<(f64, f64)>, Error> {
    let element_type = reader.header().element_type();
    if element_type.is_float() {
        return Ok(None);
    }
    let mut stats = Stats::new(element_type);
    while let Some(records) = reader.next_records().transpose()? {
        stats.push_bytes(records);
    }
    let summary = stats.summary();
    let different = summary.histogram.bins().filter(|(_, count)| *count > 0).count();
    let are_labels = summary.histogram.width() <= 1.0 && different <= MAX_LABELS;
    Ok(summary.min.zip(summary.max).filter(|_| are_labels))
}

/// The maximum size of a Cargo.toml in bytes.
const MAX_MANIFEST: u64 = 1 << 20;

/// Returns the path for `include_bytes!`, or `None` if it is not UTF-8.
///
/// If one package contains both the file and the folder of the module, the path is relative to the package, so that the
/// package can be moved: the macro is expanded in the package of the module. Otherwise the path is absolute.
fn included(path: &Path, folder: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok()?;
    let module = std::path::absolute(folder).ok();
    let module = module.as_deref().and_then(package_of);
    let inside = package_of(path.parent()?)
        .filter(|package| Some(*package) == module)
        .and_then(|package| path.strip_prefix(package).ok());
    Some(match inside {
        Some(inside) => {
            // Every system accepts slashes between the parts of a path.
            let parts: Option<Vec<&str>> = inside.iter().map(OsStr::to_str).collect();
            let inside = format!("/{}", parts?.join("/"));
            format!("concat!(\n        env!(\"CARGO_MANIFEST_DIR\"),\n        {inside:?}\n    )")
        }
        None => format!("{:?}", path.to_str()?),
    })
}

/// Returns the folder of the package that a folder belongs to.
fn package_of(folder: &Path) -> Option<&Path> {
    folder.ancestors().find(|folder| {
        let manifest = folder.join("Cargo.toml");
        // An untrusted link may lead to an endless device or a pipe.
        let is_short =
            |metadata: fs::Metadata| metadata.is_file() && metadata.len() <= MAX_MANIFEST;
        let manifest =
            fs::metadata(&manifest).is_ok_and(is_short).then(|| fs::read_to_string(manifest));
        let manifest = manifest.and_then(Result::ok).unwrap_or_default();
        manifest.lines().any(|line| line.trim() == "[package]")
    })
}
