//! Reads a file to its end, and reports what it is.

use std::io::Read;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::ImageLayout;
use crate::error::{At, Error, ErrorKind};
use crate::known::data_set::DataSet;
use crate::known::file::{KnownFile, identify_reader};
use crate::known::pair::{check_count, expect_labels_of, swapped};
use crate::names::folder::existing;
use crate::names::{FileKind, Name, Part, idx_end, labels_beside};
use crate::record::label::{LabelRows, label_columns, label_of, not_one_hot};
use crate::record::value::DType;
use idx_std::{HeaderBuf, Reader};

/// A file that was read to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The element type and the sizes.
    pub header: HeaderBuf,
    /// The well-known file with this content, if there is one.
    pub known: Option<KnownFile>,
    /// The SHA-256 of the decompressed bytes, if the file is compared with another, or has the size of a known one.
    pub(super) content: Option<String>,
    /// The first label that is not one of the data set in the file's name, and its record.
    wrong_label: Option<(u64, f64)>,
    /// The first record that cannot be a label, and its first number.
    not_label: Option<(u64, Vec<u8>)>,
}

impl CheckedFile {
    /// Reads a file to its end, in constant memory, and identifies it by the SHA-256 of its decompressed bytes, or of
    /// the compressed file that is published. Passes the records to `on_records`, in blocks as [`Reader::next_records`]
    /// returns them.
    ///
    /// # Errors
    ///
    /// The errors of reading the file record by record, and a reader that has already read records and cannot go back
    /// to the first ([`ErrorKind::File`]).
    ///
    /// ```
    /// use idx_data::{Reader, dataset::CheckedFile};
    ///
    /// let file = [0, 0, 0x08, 1, 0, 0, 0, 2, 7, 3];
    /// let mut sum = 0;
    /// let checked = CheckedFile::read("upload", Reader::new(&file[..])?, |records| {
    ///     sum += records.iter().map(|label| u64::from(*label)).sum::<u64>();
    /// })?;
    /// assert_eq!((checked.known, sum), (None, 10));
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    pub fn read<R: Read>(
        path: impl Into<PathBuf>,
        reader: Reader<R>,
        mut on_records: impl FnMut(&[u8]),
    ) -> Result<Self, Error> {
        Self::read_to_compare(path.into(), reader, false, &mut on_records)
    }

    /// Reads a file as [`read`](Self::read) does. If `is_compared`, the result has the SHA-256 of the content.
    pub(super) fn read_to_compare<R: Read>(
        path: PathBuf,
        reader: Reader<R>,
        is_compared: bool,
        on_records: &mut dyn FnMut(&[u8]),
    ) -> Result<Self, Error> {
        let header = reader.header().clone();
        let allowed = labels_named(&path);
        let (mut before, mut wrong_label, mut not_label) = (0, None, None);
        let mut rows = LabelRows::default();
        let mut check = |records: &[u8]| {
            if let (Some(allowed), None) = (&allowed, wrong_label) {
                let wrong = first_wrong_label(&header, records, allowed);
                wrong_label = wrong.map(|(record, label)| (before + record, label));
            }
            if not_label.is_none() {
                let found = first_not_label(&header, records, &mut rows);
                not_label = found.map(|(record, number)| (before + record, number.to_vec()));
            }
            before += header.whole_records(records.len() as u64);
            on_records(records);
        };
        let (known, content) = identify_reader(&path, reader, is_compared, &mut check)?;
        // The labels of a well-known file are correct.
        let wrong_label = wrong_label.filter(|_| known.is_none());
        Ok(Self { path, header, known, content, wrong_label, not_label })
    }

    /// Returns the part of a data set in the file's name: `train`, `test` or `val`.
    #[must_use]
    pub fn part(&self) -> Option<&'static str> {
        self.part_and_kind().map(|(part, _)| part.name())
    }

    /// Returns the part and the kind in the file's name: training or test, images or labels.
    pub(super) fn part_and_kind(&self) -> Option<(Part, FileKind)> {
        Name::parse(&self.path)?.part_and_kind()
    }

    pub(super) fn is(&self, kind: FileKind) -> bool {
        self.part_and_kind().is_some_and(|part| part.1 == kind)
    }

    /// Compares the content of the file with its name. `train-images-idx3-ubyte` promises training images, as bytes in
    /// three dimensions, and `emnist-letters-train-labels-idx1-ubyte` labels from 1 to 26. A name of another form
    /// promises nothing.
    ///
    /// # Errors
    ///
    /// Content that the name does not promise ([`other_data_set`](ErrorKind::code)), or a label that it does not allow
    /// ([`ErrorKind::LabelNotAllowed`]).
    pub fn expect_name(&self) -> Result<(), Error> {
        let wrong = self.name_mismatch().or_else(|| {
            let ((record, label), allowed) = self.wrong_label.zip(labels_named(&self.path))?;
            Some(ErrorKind::LabelNotAllowed { record, label, allowed })
        });
        wrong.map_or(Ok(()), Err).at(&self.path)
    }

    fn name_mismatch(&self) -> Option<ErrorKind> {
        let (named_rank, named_type) = Name::parse(&self.path)?.format()?;
        let part = self.part_and_kind();
        let (element_type, rank) = (self.header.element_type(), self.header.dims().len());
        let named_type = named_type.unwrap_or(element_type);
        match (part, part.zip(self.known)) {
            (Some((_, FileKind::Images)), _) if rank == 1 && named_rank > 1 => {
                Some(swapped(FileKind::Labels))
            }
            (Some((_, FileKind::Labels)), _) if rank >= 3 => Some(swapped(FileKind::Images)),
            _ if (named_type, named_rank) != (element_type, rank) => {
                let named = idx_end(named_type, named_rank);
                Some(other_content(&named, &idx_end(element_type, rank)))
            }
            (_, Some(((part, kind), known))) if (known.part, known.kind) != (part, kind) => {
                Some(other_content(&format!("{part} {kind}"), &known.to_string()))
            }
            _ => None,
        }
    }

    /// Returns whether this file has the labels of the other one: by their names, as in [`label_paths`], or by their
    /// content. If so, checks that each record has a label that is a class, and that both files are of one data set if
    /// the images are well known.
    ///
    /// # Errors
    ///
    /// With the path of the labels: a label count that differs from the image count ([`ErrorKind::LabelCount`]),
    /// records that [`Source::with_labels`](crate::Source::with_labels) does not take as labels, or labels of other
    /// images ([`other_data_set`](ErrorKind::code)).
    pub fn are_labels_of(&self, images: &Self) -> Result<bool, Error> {
        let absolute = std::path::absolute(&self.path).unwrap_or_default();
        let are_named = label_paths(&images.path).contains(&absolute);
        let have_labels = || match self.known {
            Some(known) => known.kind == FileKind::Labels,
            None => self.header.dims().len() == 1 && self.not_label.is_none(),
        };
        let are_images = || ImageLayout::from_shape(images.header.record_shape()).is_some();
        match are_named || have_labels() && are_images() {
            true => images.expect_labels(self).map(|()| true),
            false => Ok(false),
        }
    }

    /// Finds the labels next to these records, as [`open_set`](crate::open_set) does, reads them to their end, and
    /// checks that they belong together, as [`are_labels_of`](Self::are_labels_of) does. Returns `None` if there are
    /// none.
    ///
    /// # Errors
    ///
    /// Two different files of labels ([`several_files`](ErrorKind::code)), labels that cannot be read, and the errors
    /// of `are_labels_of`.
    ///
    /// ```no_run
    /// use idx_data::{Reader, dataset::CheckedFile};
    ///
    /// let path = "t10k-images-idx3-ubyte.gz";
    /// let images = CheckedFile::read(path, Reader::open(path)?, |_| ())?;
    /// if let Some(labels) = images.find_labels()? {
    ///     println!("the labels are in {}", labels.path.display());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_labels(&self) -> Result<Option<Self>, Error> {
        self.labels_found().map_err(|error| error.beside(&self.path))
    }

    fn labels_found(&self) -> Result<Option<Self>, Error> {
        let mut found: Option<Self> = None;
        let paths = existing(labels_beside(&self.path))?;
        let are_compared = paths.len() > 1;
        for path in paths {
            let reader = Reader::open_regular(&path)?;
            let labels = Self::read_to_compare(path.clone(), reader, are_compared, &mut |_| ())?;
            if let Some(first) = found.as_ref().filter(|first| first.content != labels.content) {
                return Err(ErrorKind::several_files(&first.path, &path)).at(&path);
            }
            labels.expect_name()?;
            self.expect_labels(&labels)?;
            found.get_or_insert(labels);
        }
        Ok(found)
    }

    /// Checks that there is a label for each of these images and, if the images are well known, that the labels are
    /// theirs.
    pub(super) fn expect_labels(&self, labels: &Self) -> Result<(), Error> {
        let columns = label_columns(labels.header.dims()).at(&labels.path)?;
        let count = |file: &Self| file.header.record_count().into();
        check_count((Some(&labels.path), count(labels)), (Some(&self.path), count(self)))?;
        if let Some((record, number)) = &labels.not_label {
            let dtype = labels.header.element_type().into();
            let wrong = match columns {
                1 => label_of(number, dtype).err(),
                columns => Some(not_one_hot(columns.into())),
            };
            let wrong = wrong.map(|kind| kind.at_position(*record));
            wrong.map_or(Ok(()), Err).at(&labels.path)?;
        }
        let known = labels.known;
        self.known.map_or(Ok(()), |images| {
            expect_labels_of((&labels.path, &labels.header, known), (&self.path, images))
        })
    }
}

/// Returns whether a file has a name like `train-labels-idx1-ubyte`, or `digits-labels.npy`.
#[must_use]
pub fn is_named_like_labels(path: impl AsRef<Path>) -> bool {
    Name::is_of_labels(path.as_ref())
}

/// Returns the absolute paths, in the same folder, where the labels of these records may be. The most likely path is
/// the first.
///
/// ```
/// use idx_data::dataset::label_paths;
///
/// let labels = std::path::absolute("d/own-labels.idx1-ubyte.gz")?;
/// assert!(label_paths("d/own-images-idx3-ubyte").contains(&labels));
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn label_paths(records: impl AsRef<Path>) -> Vec<PathBuf> {
    std::path::absolute(records).map(|path| labels_beside(&path)).unwrap_or_default()
}

/// Returns the first of these labels that is not allowed: its record, counted from 0, and its value.
///
/// QMNIST's labels have several columns; the first is the digit.
pub(super) fn first_wrong_label(
    header: &HeaderBuf,
    records: &[u8],
    allowed: &RangeInclusive<u8>,
) -> Option<(u64, f64)> {
    let element_type = header.element_type();
    let allowed = f64::from(*allowed.start())..=f64::from(*allowed.end());
    let record_size = header.record_size().and_then(|size| usize::try_from(size).ok())?;
    let mut labels = (0..).zip(records.chunks_exact(record_size.max(1)));
    labels.find_map(|(record, numbers)| {
        let label = element_type.value(numbers.get(..element_type.size())?)?;
        (!allowed.contains(&label)).then_some((record, label))
    })
}

/// Returns the first of these records that cannot be a label, and its first number. A single integer always can.
fn first_not_label<'a>(
    header: &HeaderBuf,
    records: &'a [u8],
    rows: &mut LabelRows,
) -> Option<(u64, &'a [u8])> {
    let dtype = DType::from(header.element_type());
    let columns = label_columns(header.dims()).ok()?;
    if columns == 1 && !header.element_type().is_float() {
        return None;
    }
    let record_size = usize::try_from(header.record_size()?).ok()?;
    let mut records = (0..).zip(records.chunks_exact(record_size.max(1)));
    let (record, numbers) = records.find(|(_, record)| rows.next(record, dtype).is_err())?;
    Some((record, numbers.get(..dtype.size())?))
}

/// Returns the valid labels for a file of labels, by the data set in its name.
fn labels_named(path: &Path) -> Option<RangeInclusive<u8>> {
    let name = Name::parse(path)?;
    let are_labels = matches!(name.part_and_kind(), Some((_, FileKind::Labels)));
    let data_set = DataSet::said_by_prefix(name.part().0).filter(|_| are_labels);
    data_set.map(DataSet::labels)
}

fn other_content(named: &str, found: &str) -> ErrorKind {
    ErrorKind::OtherDataSet(format!(
        "the name says {named}, but the content is {found}; correct the name"
    ))
}
