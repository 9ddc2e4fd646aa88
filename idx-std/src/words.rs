//! Words for messages: counts with their nouns, and untrusted text without control characters.

/// "1 byte", "2 bytes"
#[must_use]
pub fn counted(count: u64, unit: &str) -> String {
    match count {
        1 => format!("1 {unit}"),
        _ => format!("{count} {unit}s"),
    }
}

/// The text of a file or a caller with control and formatting characters escaped, as Rust writes them: also line
/// breaks, because the text after one would look like another line of the program.
#[must_use]
pub fn printable(text: &str) -> String {
    escaped(text, |character| character.escape_unicode().to_string())
}

/// The text with control and formatting characters escaped.
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

/// Neither a control character, nor one that reorders or hides the text around it.
fn is_harmless(character: char) -> bool {
    !character.is_control()
        && !matches!(
            character,
            '\u{AD}'
                | '\u{61C}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}'
        )
}
