//! The notes of `idx convert` after its work: results that may surprise, though nothing went wrong.

use std::path::Path;

use idx_data::{
    Chance, ClassNames, ElementType, Format, ImageLayout, OpenOptions, Record, RecordLayout,
    RecordSelection, Set, Source, Written, rank_in_name,
};

use crate::args::{ConvertArguments, PictureArguments, ReadingArguments};
use crate::commands::convert::all_outputs;
use crate::records::selection::{Length, beyond};
use crate::term::failure::note;

/// The number of pictures that are looked at.
const SEEN: u64 = 10;

/// The number of pixels above which a picture is probably larger than intended.
const LARGE: usize = 512 * 512;

/// The maximum number of names of classes or columns to print.
const NAMES: usize = 20;

/// Returns the notes on the chosen records.
pub(super) fn of_choice(arguments: &ConvertArguments, sets: &[Set]) -> Vec<String> {
    let is_split = arguments.choice.chance().part.is_some();
    let split = sets.iter().zip(all_outputs(arguments)).filter(|_| is_split);
    let thin = split.flat_map(|(set, path)| of_part(set, path));
    let normalized = sets.iter().find_map(|set| of_normalizing(set, &arguments.reading));
    thin.chain(of_first(arguments)).chain(normalized).collect()
}

/// Notes that a shuffled sample of each class is not a random one.
fn of_first(arguments: &ConvertArguments) -> Option<String> {
    let (count, _) = arguments.choice.classes.per_class.zip(arguments.choice.chance().seed)?;
    let text = format!(
        "these are the first {count} of each class, in random order; for random ones, shuffle into a file first"
    );
    Some(note(all_outputs(arguments).next()?, text))
}

/// Notes that a part of a randomly split set has no record of some classes.
fn of_part(set: &Set, path: &Path) -> Vec<String> {
    let of_source = |(part, source): (&str, &Source)| {
        let facts = source.facts();
        let absent = &facts.absent_classes;
        // A part without any record has a note of its own.
        let class = absent.first().filter(|_| facts.count != Some(0))?;
        let lack = match absent.len() {
            1 => format!("no record of class {class}"),
            count => format!("no record of {count} classes, such as {class}"),
        };
        Some(match part {
            "" => note(path, format_args!("this part has {lack}")),
            part => note(path, format_args!("the part {part} has {lack}")),
        })
    };
    set.parts().filter_map(of_source).collect()
}

/// Notes that an output has no records; it may be that of a part of a set.
pub(super) fn of_nothing(written: &Written, part: &str) -> Option<String> {
    let part = if part.is_empty() { String::new() } else { format!(" of the part {part}") };
    let text = format!("no record{part} was chosen");
    (written.records == 0).then(|| note(&written.path, text))
}

/// Notes that the range goes beyond the records of a part.
pub(super) fn of_range(
    arguments: &ConvertArguments,
    records: &RecordSelection,
    parts: &[(String, Option<u64>)],
    written: &[Written],
) -> Vec<String> {
    let ConvertArguments { range, choice, .. } = arguments;
    let is_only_choice = choice.chance() == Chance::default()
        && !choice.classes.are_given()
        && range.first.is_none();
    // The output of the rest has the same parts.
    let written = parts.iter().zip(written);
    let notes = written.filter_map(|((_, all), one)| {
        let read = is_only_choice.then_some(Length::Read(one.records));
        beyond(&one.path, records, all.map(Length::All).or(read)?)
    });
    notes.collect()
}

/// Notes that the labels are in no output: a stream of IDX or npy is one array.
pub(super) fn of_labels(written: &Written) -> Option<String> {
    let text = "the labels are not in it; a stream has labels only in csv, and `--no-labels` leaves them out";
    written.dropped_labels.then(|| note(&written.path, text))
}

/// Notes that whole numbers were normalized by a mean and a deviation from 0 to 1: they rarely have such small ones.
fn of_normalizing(set: &Set, reading: &ReadingArguments) -> Option<String> {
    let [mean, deviation] = reading.normalizes_unscaled()?;
    let is_small = (0.0..=1.0).contains(&mean) && deviation <= 1.0;
    let is_whole =
        |layout: &RecordLayout| !layout.dtype.element_type().is_some_and(ElementType::is_float);
    let (_, source) = set.parts().find(|(_, source)| is_whole(&source.facts().layout))?;
    is_small.then(|| {
        let text = format!(
            "{mean} and {deviation} normalize values from 0 to 1, and these are {}; to scale them first, use `--scale 0..1`",
            source.facts().layout.dtype
        );
        note(source.path(), text)
    })
}

/// Returns the first names of classes: after the file that has all of them, and after each file that lacks them.
pub(super) fn of_names(names: &ClassNames, written: &[Written]) -> Vec<String> {
    let list = written.iter().find_map(|written| written.classes.as_deref());
    let lacks = |written: &&Written| written.dropped_classes && !written.dropped_labels;
    let mut lacking: Vec<&Path> = written.iter().filter(lacks).map(|one| &*one.path).collect();
    // Parts of one archive.
    lacking.dedup();
    let mut names = names.iter().map(|(label, name)| format!("{label} {name}"));
    let first: Vec<String> = names.by_ref().take(NAMES).collect();
    let first = format!("{}{}", first.join(", "), names.next().map_or("", |_| ", ..."));
    let list = list.map(|path| format!("{}: {first}", path.display()));
    let text = format!("the names of the classes are not in it: {first}");
    let lacking = lacking.into_iter().map(|path| note(path, &text));
    list.into_iter().chain(lacking).collect()
}

/// Notes that csv does not have the column names that were read.
pub(super) fn of_columns(
    columns: &[String],
    written: &Written,
    format: Option<Format>,
) -> Option<String> {
    let format = format.or_else(|| Format::from_path(&written.path));
    // Other formats have no line of names, and the columns of a picture are pixels.
    let is_csv = format == Some(Format::Csv);
    let is_row = matches!(written.layout.record_shape(), [_]);
    let is_own = columns.iter().zip(1..).all(|(name, place)| *name == format!("x{place}"));
    let more = if columns.len() > NAMES { ", ..." } else { "" };
    let first: Vec<&str> = columns.iter().take(NAMES).map(String::as_str).collect();
    let text = format!("the names of the columns are not in it: {}{more}", first.join(", "));
    (is_csv && is_row && !is_own).then(|| note(&written.path, text))
}

/// Returns the notes on the pictures of a new file.
pub(super) fn of_pictures(written: &Written, arguments: &ConvertArguments) -> Vec<String> {
    let Some(image) = ImageLayout::from_shape(written.layout.record_shape()) else {
        return Vec::new();
    };
    let note = |text: &str| note(&written.path, text);
    let (height, width) = (image.height(), image.width());
    let is_large = arguments.pictures.size.is_none()
        && height * width > LARGE
        && Format::from_path(&written.path) != Some(Format::Png);
    let large = is_large.then(|| {
        note(&format!(
            "each picture has {height} x {width} pixels; to make them smaller, use `--size` or `--fit mnist`"
        ))
    });
    let light = is_on_paper(written, image, &arguments.pictures).unwrap_or(false).then(|| {
        note(
            "the pictures are dark on light, and MNIST is bright on black; use `--fit mnist` for letters and digits, \
             or `--invert`",
        )
    });
    light.into_iter().chain(large).collect()
}

/// Returns whether gray pictures under a name like MNIST's have a light edge that the arguments do not ask for.
fn is_on_paper(
    written: &Written,
    image: ImageLayout,
    arguments: &PictureArguments,
) -> Option<bool> {
    let is_meant = arguments.fit.is_some() || arguments.invert;
    let is_gray = written.layout.dtype.element_type() == Some(ElementType::U8) && !image.is_color();
    // Opening a pipe would wait for its next writer forever.
    if is_meant || !is_gray || rank_in_name(&written.path) != Some(3) || !written.path.is_file() {
        return Some(false);
    }
    let set = OpenOptions::new().labels(false).open_set(&written.path).ok()?;
    let mut source = set.only_part().ok()?.select(0..SEEN).ok()?;
    let (height, width) = (image.height(), image.width());
    let is_edge = |index: &usize| {
        let (row, column) = (index / width, index % width);
        row == 0 || row + 1 == height || column == 0 || column + 1 == width
    };
    let (mut sum, mut pixels) = (0, 0);
    let mut record = Record::default();
    while source.read(&mut record).ok()? {
        for (_, pixel) in record.bytes.iter().enumerate().filter(|(index, _)| is_edge(index)) {
            (sum, pixels) = (sum + u64::from(*pixel), pixels + 1);
        }
    }
    Some(sum > pixels * u64::from(u8::MAX / 2))
}
