//! Words for messages: counts with their nouns, and untrusted text without control characters.

/// Returns a count with its noun: "1 byte", "2 bytes".
#[must_use]
pub fn counted(count: u64, unit: &str) -> String {
    match count {
        1 => format!("1 {unit}"),
        _ => format!("{count} {unit}s"),
    }
}

/// Escapes control and formatting characters, as Rust writes them, in text from a file or a caller. Line breaks are
/// escaped too: the text after one would look like another line of the program.
#[must_use]
pub fn printable(text: &str) -> String {
    escaped(text, |character| character.escape_unicode().to_string())
}

/// Escapes control and formatting characters with `escape`.
#[must_use]
pub fn escaped(text: &str, escape: impl Fn(char) -> String) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match is_harmless(character) {
            true => escaped.push(character),
            false => escaped += &escape(character),
        }
    }
    escaped
}

/// Returns whether a character shows as itself. Control characters do not, nor do characters that reorder or hide the
/// text around them, look like a space, or are unknown to the standard library.
fn is_harmless(character: char) -> bool {
    if character.is_ascii() {
        return !character.is_ascii_control();
    }
    // After a letter, because `escape_debug` escapes an accent at the start of a string.
    String::from_iter(['a', character]).escape_debug().nth(1) == Some(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The categories Cc, Cf, Zl and Zp of Unicode 16.
    const FORMATTING: [(u32, u32); 25] = [
        (0, 0x1F),
        (0x7F, 0x9F),
        (0xAD, 0xAD),
        (0x600, 0x605),
        (0x61C, 0x61C),
        (0x6DD, 0x6DD),
        (0x70F, 0x70F),
        (0x890, 0x891),
        (0x8E2, 0x8E2),
        (0x180E, 0x180E),
        (0x200B, 0x200F),
        (0x2028, 0x202E),
        (0x2060, 0x2064),
        (0x2066, 0x206F),
        (0xFEFF, 0xFEFF),
        (0xFFF9, 0xFFFB),
        (0x110BD, 0x110BD),
        (0x110CD, 0x110CD),
        (0x13430, 0x1343F),
        (0x1BCA0, 0x1BCA3),
        (0x1D173, 0x1D17A),
        (0xE0001, 0xE0001),
        (0xE0020, 0xE007F),
        // Unassigned, but reserved for formatting characters.
        (0x2065, 0x2065),
        (0xFFF0, 0xFFF8),
    ];

    #[test]
    fn no_formatting_character_of_unicode_is_left() {
        let mut kept = 0;
        for character in (0..=0x0010_FFFF).filter_map(char::from_u32) {
            let code = u32::from(character);
            let is_formatting =
                FORMATTING.iter().any(|(first, last)| (*first..=*last).contains(&code));
            let text = printable(&format!("a{character}b"));
            let escaped = format!("a\\u{{{code:x}}}b");
            assert!(!is_formatting || text == escaped, "{escaped}");
            assert!(text == escaped || text == format!("a{character}b"), "{escaped}");
            kept += u32::from(text != escaped);
        }
        assert!(kept > 140_000, "{kept}");
        // Names have only letters, accents after them, digits, signs and emoji.
        let names = "caf\u{e9} cafe\u{301} \u{5e9}\u{5c1} \u{4e2d}\u{6587} \u{1f600} \u{fe0f} '\"\\ \u{2126}";
        assert_eq!(printable(names), names);
    }
}
