//! Checks of pictures: read or refused, in bounded memory.

use idx_data::{Color, CreateOptions, Facts, Fit, Format, PictureOptions, Sink};

use super::data::{contents, options};
use super::input::Input;

/// A picture of any format is read or refused: no panic, and little memory. A PNG of it is the same picture.
///
/// Draws how it is read.
///
/// # Panics
///
/// If not.
pub fn pictures(input: &[u8]) {
    let mut input = Input::new(input);
    let way = input.byte();
    let fits = [Fit::Fill, Fit::Contain, Fit::Cover, Fit::Mnist];
    let fit = fits[usize::from(way & 3)];
    let size = (way & 3 != 0).then_some([5, 3]).filter(|_| fit != Fit::Mnist);
    let color = match way & 12 {
        0 => None,
        4 => Some(Color::Rgb),
        _ => Some(Color::Gray),
    };
    let read = PictureOptions::new().max_pixels(1u64 << 16).background(way);
    let changed = read.clone().color(color).fit(fit).size(size).skip_bad(way & 16 != 0);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in");
    std::fs::create_dir(&path).expect("a folder");
    std::fs::write(path.join("0.png"), input.rest()).expect("a file");
    let options = options().labels(false);
    let Some(found) = contents(options.clone().pictures(changed).open(&path), 0) else {
        return;
    };
    let written = folder.path().join("out");
    let create_options = CreateOptions::new().format(Format::Png).threads(1);
    let facts = Facts::new(found.layout, None);
    let mut sink = Sink::create(&written, &facts, &create_options).expect("a folder");
    for record in &found.records {
        sink.push(record).expect("a picture");
    }
    sink.finish().expect("a finished folder");
    if !found.records.is_empty() {
        let again = contents(options.pictures(read).open(&written), 0);
        let again = again.expect("what was written");
        assert_eq!(again.records, found.records);
    }
}
