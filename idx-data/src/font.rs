//! A font small enough for the captions of pictures of 28 x 28.

/// The size of a character in dots.
pub(super) const GLYPH_WIDTH: usize = 3;
pub(super) const GLYPH_HEIGHT: usize = 5;

/// The width of a text in dots, with a gap of one between two characters.
pub(super) fn text_width(text: &str) -> usize {
    (text.chars().count() * (GLYPH_WIDTH + 1)).saturating_sub(1)
}

/// Whether the font has all characters of a text.
pub(super) fn has_glyphs(text: &str) -> bool {
    text.chars().all(|character| glyph(character).is_some())
}

/// The rows of a character, a bit for each dot. Small letters look like capital ones.
pub(super) fn glyph(character: char) -> Option<[u8; GLYPH_HEIGHT]> {
    // An octal digit for each row.
    let rows: u32 = match character.to_ascii_uppercase() {
        '0' => 0o75557,
        '1' => 0o26227,
        '2' => 0o71747,
        '3' => 0o71317,
        '4' => 0o55711,
        '5' => 0o74717,
        '6' => 0o74757,
        '7' => 0o71222,
        '8' => 0o75757,
        '9' => 0o75717,
        'A' => 0o25755,
        'B' => 0o65656,
        'C' => 0o34443,
        'D' => 0o65556,
        'E' => 0o74647,
        'F' => 0o74644,
        'G' => 0o34553,
        'H' => 0o55755,
        'I' => 0o72227,
        'J' => 0o11152,
        'K' => 0o55655,
        'L' => 0o44447,
        'M' => 0o57755,
        'N' => 0o65555,
        'O' => 0o25552,
        'P' => 0o65644,
        'Q' => 0o25563,
        'R' => 0o65655,
        'S' => 0o34216,
        'T' => 0o72222,
        'U' => 0o55557,
        'V' => 0o55552,
        'W' => 0o55775,
        'X' => 0o55255,
        'Y' => 0o55222,
        'Z' => 0o71247,
        '-' => 0o00700,
        '_' => 0o00007,
        '+' => 0o02720,
        '/' => 0o11244,
        '.' => 0o00002,
        ',' => 0o00024,
        ':' => 0o02020,
        '\'' => 0o22000,
        '(' => 0o24442,
        ')' => 0o21112,
        ' ' => 0,
        _ => return None,
    };
    Some([12, 9, 6, 3, 0].map(|shift| (rows >> shift & 7) as u8))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_characters_are_there_and_look_different() {
        let characters = || ('0'..='9').chain('A'..='Z').chain("-_+/.,:'() ".chars());
        let glyphs: BTreeSet<_> = characters().filter_map(glyph).collect();
        assert_eq!(glyphs.len(), characters().count());
        assert!(('a'..='z').all(|letter| glyph(letter) == glyph(letter.to_ascii_uppercase())));
        assert_eq!(glyph('~'), None);
    }
}
