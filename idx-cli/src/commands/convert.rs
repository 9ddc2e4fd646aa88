//! `idx convert`: inputs become one set, and the set becomes files, or one stream.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use idx_data::{
    Chance, Color, CreateOptions, Error, ErrorKind, Format, ImageLayout, Outputs, RecordLayout,
    RecordSelection, Set, Skipped, Source, Written, rank_in_name,
};
use idx_std::__private::counted;
use idx_std::ErrorKind as FileErrorKind;

use crate::args::{self, ConvertArguments, Opening};
use crate::term::console::{
    is_standard_output, place_of_output, refuse_own_output, refuse_terminal,
};
use crate::term::failure::{Failure, print_note, print_warning};
use crate::term::progress::{Progress, is_quiet};
use crate::term::reading::print_reading;
use crate::term::report::{grouped, grouped_count};
use crate::term::signals;
use crate::term::text::printable;

mod notes;

pub(crate) fn run(arguments: &ConvertArguments) -> Result<(), Failure> {
    signals::leave_nothing();
    if is_standard_output(output(arguments)) {
        refuse_own_output(&[&arguments.inputs[..], arguments.labels.files()].concat())?;
    }
    expect_whole_outputs(arguments)?;
    expect_labels_used(arguments)?;
    let opening = opening(arguments)?;
    let set = open(arguments, &opening)?;
    let understood = set.reading();
    print_reading(&understood);
    let is_chosen = is_chosen(arguments);
    let all = |source: &Source| source.facts().count.filter(|_| is_chosen);
    let parts: Vec<_> = set.parts().map(|(name, source)| (name.to_string(), all(source))).collect();
    let records = arguments.range.selection()?;
    let sets = choose(arguments, records.as_ref(), set)?;
    let mut notes = notes::of_choice(arguments, &sets);
    let sets = sets.into_iter().map(|set| change(arguments, set)).collect::<Result<Vec<_>, _>>()?;

    let format = format(arguments, sets.first())?;
    let facts = || sets.iter().flat_map(Set::parts).map(|(_, source)| source.facts());
    let names = facts().find_map(|facts| facts.classes.clone().filter(|_| facts.has_labels));
    let columns = facts().find_map(|facts| facts.columns.clone());
    let are_pictures = facts().any(|facts| facts.are_pictures);
    let mut outputs = Outputs::new(&create_options(arguments, format));
    for (set, path) in sets.into_iter().zip(all_outputs(arguments)) {
        add(&mut outputs, set, path, format)?;
    }
    arguments.reading.expect_effect("convert", &opening, &[understood], Some(&outputs))?;
    let written = outputs.write_with(|path, input| {
        // The records may go to the same terminal as the progress bar.
        let is_in_the_way = is_standard_output(path) && io::stdout().is_terminal();
        let mut progress = (!is_in_the_way).then(|| Progress::of(path, input));
        move |bytes| progress.iter_mut().for_each(|progress| progress.advance_record(bytes))
    })?;

    if are_pictures {
        notes.extend(written.iter().flat_map(|written| notes::of_pictures(written, arguments)));
    }
    notes.extend(written.iter().filter_map(notes::of_labels));
    notes.extend(names.iter().flat_map(|names| notes::of_names(names, &written)));
    let columns = columns.filter(|_| !arguments.reading.no_header);
    notes.extend(columns.iter().flat_map(|columns| {
        written.iter().filter_map(|one| notes::of_columns(columns, one, format))
    }));
    if is_chosen {
        // Each output has all parts, in their order.
        let written = written.iter().zip(parts.iter().cycle());
        notes.extend(written.filter_map(|(one, (part, _))| notes::of_nothing(one, part)));
    }
    if let Some(records) = &records {
        notes.extend(notes::of_range(arguments, records, &parts, &written));
    }
    print_written(&written, &parts);
    written.iter().filter_map(|one| misnamed(&one.path, &one.layout)).for_each(print_warning);
    notes.iter().for_each(print_note);
    // The outputs of the rest leave out the same files.
    let skipped = written.iter().take(parts.len()).flat_map(|written| &written.skipped);
    print_skipped(&skipped.collect::<Vec<_>>());
    Ok(())
}

/// Refuses an output that is named like a part, which only an input can be, and a second output next to a stream.
fn expect_whole_outputs(arguments: &ConvertArguments) -> Result<(), Failure> {
    let is_part = |path: &&Path| {
        let text = path.to_string_lossy();
        [".npz:", "/:"].iter().any(|start| text.contains(start))
    };
    if let Some(part) = all_outputs(arguments).find(is_part) {
        return Err(usage(&format!(
            "{part:?} is one part, and a set is written whole; write `-o set/train-images-idx3-ubyte --rest \
             set/t10k-images-idx3-ubyte`, and convert set/"
        )));
    }
    match arguments.rest.is_some() && is_standard_output(output(arguments)) {
        true => Err(usage("--rest needs two names of files or folders, its own and that of -o")),
        false => Ok(()),
    }
}

/// Refuses options for labels and class names that are not written: standard output has labels only in csv, and never
/// class names.
fn expect_labels_used(arguments: &ConvertArguments) -> Result<(), Failure> {
    let ConvertArguments { labels, choice, to, .. } = arguments;
    if choice.classes.are_given() || !is_standard_output(output(arguments)) {
        return Ok(());
    }
    let is_csv = *to == Some(Format::Csv);
    let has_labels = is_csv || choice.chance() != Chance::default();
    let text = if labels.classes.is_some() {
        "--classes has no effect on standard output; write a file"
    } else if !labels.files().is_empty() && !has_labels {
        "--labels has no effect on standard output; write csv, or a file"
    } else if arguments.relabel.is_some() && !is_csv {
        "--relabel has no effect on standard output; write csv, or a file"
    } else {
        return Ok(());
    };
    Err(usage(text))
}

/// Returns the options for reading the inputs.
fn opening(arguments: &ConvertArguments) -> Result<Opening, Failure> {
    let ConvertArguments { labels, reading, pictures, .. } = arguments;
    let opening = reading.opening(labels)?;
    let pictures = pictures.options(reading.limit.record_limit);
    let pictures = pictures.color_of_files(is_of_gray(arguments).then_some(Color::Gray));
    let records = opening.records.pictures(pictures).threads(threads(arguments));
    Ok(Opening { records, ..opening })
}

/// Opens and joins the inputs, with the labels and class names of the arguments.
fn open(arguments: &ConvertArguments, opening: &Opening) -> Result<Set, Failure> {
    let ConvertArguments { inputs, labels, .. } = arguments;
    if !labels.files().is_empty() && labels.files().len() != inputs.len() {
        return Err(usage(
            "--labels needs one file for each input, in their order: `-l FIRST -l SECOND`",
        ));
    }
    if let (None, [_, .., last]) = (&arguments.output, inputs.as_slice()) {
        return Err(unnamed_output(last));
    }
    opening.name_classes("convert", labels, opening.open_all(inputs, labels)?)
}

/// Returns the error for several inputs without an output. The user may expect the last one to be the output, as for
/// cp(1).
fn unnamed_output(last: &Path) -> Failure {
    let name = last.display();
    Failure::file(
        last,
        match last.exists() {
            true => format!(
                "several inputs need -o: to replace this file, `-o {name} --force`; to join the inputs, `-o` with \
                 another name, or `-o -`"
            ),
            false => format!("no such file; to write it, add -o: `-o {name}`"),
        },
    )
}

/// Returns whether some of the records are chosen.
fn is_chosen(arguments: &ConvertArguments) -> bool {
    let ConvertArguments { range, choice, .. } = arguments;
    choice.chance() != Chance::default() || range.is_given() || choice.classes.are_given()
}

/// Chooses records by the labels of the inputs, and relabels them. Returns a set for each output.
fn choose(
    arguments: &ConvertArguments,
    records: Option<&RecordSelection>,
    set: Set,
) -> Result<Vec<Set>, Failure> {
    let choice = &arguments.choice;
    let set = match records {
        Some(records) => set.map(|source| source.select(records.clone()))?,
        None => set,
    };
    let set = set.map(|source| choice.classes.of_classes(source))?;
    let set = match &arguments.relabel {
        Some(relabeling) => set.map(|source| source.relabel(relabeling.clone()))?,
        None => set,
    };
    let chance = choice.chance();
    Ok(match arguments.rest {
        _ if chance == Chance::default() => vec![set],
        Some(_) => Vec::from(set.divide(&chance)?),
        None => vec![set.choose(&chance)?],
    })
}

/// Takes the first records of a set, and changes them.
fn change(arguments: &ConvertArguments, set: Set) -> Result<Set, Error> {
    let changes = arguments.reading.changes(arguments.transpose.clone().unwrap_or_default());
    set.map(|source| {
        let source = match arguments.range.first {
            Some(count) => source.select(0..count)?,
            None => source,
        };
        without_channel(arguments, source.changed(&changes)?)
    })
}

fn output(arguments: &ConvertArguments) -> &Path {
    arguments.output.as_deref().unwrap_or(Path::new("-"))
}

/// Returns the output, and the output of the other records.
fn all_outputs(arguments: &ConvertArguments) -> impl Iterator<Item = &Path> {
    [output(arguments)].into_iter().chain(arguments.rest.as_deref())
}

/// Returns whether the name of the output says IDX with three dimensions: pictures without channels.
fn is_of_gray(arguments: &ConvertArguments) -> bool {
    let path = output(arguments);
    let format = arguments.to.or_else(|| Format::from_path(path));
    matches!(format, Some(Format::Idx | Format::IdxGz)) && rank_in_name(path) == Some(3)
}

/// Drops the dimension of the only channel, if the output has no channels and no option gives the shape.
fn without_channel(arguments: &ConvertArguments, source: Source) -> Result<Source, Error> {
    match *source.facts().layout.record_shape() {
        [height, width, 1] if is_of_gray(arguments) && arguments.reading.shape.is_none() => {
            source.reshaped([height, width])
        }
        _ => Ok(source),
    }
}

fn threads(arguments: &ConvertArguments) -> usize {
    arguments.threads.map_or(0, NonZeroUsize::get)
}

/// Returns the format of the output, or `None` if its name is enough to tell.
fn format(arguments: &ConvertArguments, set: Option<&Set>) -> Result<Option<Format>, Failure> {
    let path = output(arguments);
    let named = Format::from_path(path);
    let is_stream = path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    let of_shards = arguments.parquet.shards.map(|_| Format::Parquet);
    if let (None, Some(_), Some(named)) = (arguments.to, of_shards, named)
        && ![Format::Parquet, Format::Png].contains(&named)
    {
        return Err(usage(&format!(
            "--shards writes a folder of Parquet, and {path:?} is the name of {named}; name a folder, such as shards/"
        )));
    }
    if let Some(format) = arguments.to.or(of_shards) {
        // A folder with such a name would be a surprise.
        let is_like_picture = format == Format::Png && named.is_none() && is_picture(path);
        // Programs would try to decompress it.
        let is_like_gzip = format != Format::IdxGz && is_gz(path);
        return match (is_like_picture || is_like_gzip) && !is_stream {
            true => Err(unknown_format(path)),
            false => Ok(Some(format)),
        };
    }
    let are_images =
        |source: &Source| ImageLayout::from_shape(source.facts().layout.record_shape()).is_some();
    let are_pictures = || set.is_some_and(|set| set.parts().all(|(_, source)| are_images(source)));
    let may_be_folder = path.extension().is_none() && !is_stream && !is_only_extension(path);
    match named {
        // Nobody would find the hidden file.
        Some(Format::IdxGz) if is_only_extension(path) => Err(unknown_format(path)),
        _ if is_standard_output(path) => Ok(Some(Format::Idx)),
        Some(_) => Ok(None),
        None if may_be_folder && are_pictures() => Ok(Some(Format::Png)),
        None => Err(unknown_format(path)),
    }
}

/// Returns the options for writing the sets.
fn create_options(arguments: &ConvertArguments, format: Option<Format>) -> CreateOptions {
    CreateOptions::new()
        .format(format)
        .label_type(arguments.labels_as)
        .header(!arguments.reading.no_header)
        .create_new(!arguments.overwrite.force)
        .threads(threads(arguments))
        .layout(arguments.parquet.layout)
        .shards(arguments.parquet.shards)
}

fn add(
    outputs: &mut Outputs,
    set: Set,
    path: &Path,
    format: Option<Format>,
) -> Result<(), Failure> {
    if !is_standard_output(path) {
        let is_own = set.expect_outside(path.join("new")).is_err();
        let added = outputs.add_set(set, path).map(drop);
        let is_in_use =
            |error: &Error| matches!(error.kind(), ErrorKind::File(FileErrorKind::FolderInUse(_)));
        // A new folder in it, which the library advises, would be refused as well.
        if is_own && added.as_ref().is_err_and(is_in_use) {
            let text = "this is the folder of the input; name a new one outside it";
            return Err(Failure::file(path, text));
        }
        return Ok(added?);
    }
    if let Some(file) = place_of_output(path) {
        set.expect_outside(file)?;
    }
    if format != Some(Format::Csv) {
        refuse_terminal()?;
    }
    outputs.add_stream(set.only_part()?, path, Box::new(io::stdout()))?;
    Ok(())
}

/// Prints, in a terminal, what was written, and the number of records of the part that it was chosen from.
fn print_written(written: &[Written], parts: &[(String, Option<u64>)]) {
    if is_quiet() || !io::stderr().is_terminal() {
        return;
    }
    // Each output has all parts, in their order.
    for (Written { path, labels, layout, records: count, .. }, (part, all)) in
        written.iter().zip(parts.iter().cycle())
    {
        let all = all.map(|all| format!(" (of {})", grouped(all))).unwrap_or_default();
        let is_shared = written.iter().filter(|other| other.path == *path).count() > 1;
        let part = if is_shared { format!(":{part}") } else { String::new() };
        let shape = match layout.record_shape() {
            [] => String::new(),
            shape => format!(" {}", idx_std::Shape(shape)),
        };
        let records = format!("{}{all}, {}{shape}", grouped_count(*count, "record"), layout.dtype);
        let records = (!is_standard_output(path)).then_some((path, part, records));
        let labels = labels.as_ref();
        let labels = labels.map(|path| (path, String::new(), grouped_count(*count, "label")));
        for (path, part, text) in records.into_iter().chain(labels) {
            // If this fails, nobody can read it.
            let line = printable(&format!("{}{part}: {text}", path.display()));
            let _ = writeln!(io::stderr(), "{line}");
        }
    }
}

fn print_skipped(skipped: &[&Skipped]) {
    skipped.iter().for_each(print_warning);
    if !skipped.is_empty() {
        print_warning(format_args!("left out {}", counted(skipped.len() as u64, "picture")));
    }
}

/// Returns the warning for an IDX file whose number of dimensions is not the one in its name.
fn misnamed(path: &Path, layout: &RecordLayout) -> Option<String> {
    Format::from_path(path).filter(|named| matches!(named, Format::Idx | Format::IdxGz))?;
    let (named, rank) = (rank_in_name(path)?, layout.dims.len());
    let has = counted(rank as u64, "dimension");
    let text = format!("{}: the file has {has}, although the name says {named}", path.display());
    // Pictures that were read as a row of numbers.
    let side = match *layout.record_shape() {
        [size] if named == 3 => Some(size.isqrt()).filter(|side| side * side == size),
        _ => None,
    };
    let advice = side.map(|side| format!("; if they are pictures, use `--shape {side}x{side}`"));
    (named != rank).then(|| text + &advice.unwrap_or_default())
}

/// Returns whether a name is only an extension, such as `.npy` or `.idx.gz`.
fn is_only_extension(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_format = |stem: &str| {
        stem.starts_with('.') && Format::from_path(format!("x{stem}").as_ref()).is_some()
    };
    let is_compressed = || name.strip_suffix(".gz").is_some_and(is_format);
    name.starts_with('.') && (path.extension().is_none() || is_compressed())
}

/// Returns whether a name is that of one picture.
pub(super) fn is_picture(path: &Path) -> bool {
    ["png", "jpg", "jpeg"].into_iter().any(|extension| has_extension(path, extension))
}

/// Returns whether a name is that of a compressed file.
fn is_gz(path: &Path) -> bool {
    has_extension(path, "gz") && !path.is_dir()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Returns the error for an output whose name says no format, or a wrong one.
fn unknown_format(path: &Path) -> Failure {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    usage(&match extension.to_str() {
        Some("rs" | "h" | "mem") => {
            format!("{path:?} is source code, which `idx rust` writes from an IDX file")
        }
        _ if is_picture(path) => format!(
            "{path:?} is one picture; `idx show -o` draws all records in one, a folder such as out/ gets one \
             for each, and `-r 7 --to png -o -` writes record 7"
        ),
        _ if is_only_extension(path) => {
            format!("{path:?} is an extension without a name; a shell variable may be unset")
        }
        _ if is_gz(path) => format!(
            "{path:?}: only IDX is written as .gz, without --to or with `--to idx.gz`; leave .gz out, and compress \
             the file with `gzip`"
        ),
        _ => format!(
            "{path:?} says no format; end it in .idx, .npy, .npz, .csv, .parquet or /, or give --to"
        ),
    })
}

fn usage(text: &str) -> Failure {
    args::usage("convert", text)
}
