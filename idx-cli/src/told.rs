use std::fmt::Display;
use std::io::{self, Write};

use idx_std::ElementType;
use serde::Serialize;

use crate::console::{Console, Stop};

#[derive(Serialize)]
struct Failure<'a> {
    path: String,
    error: &'a str,
}

/// Prints what is told of a file, or what is wrong with it: as text, or in a line of JSON.
pub(crate) fn tell(
    told: Result<impl Serialize + Display, Stop>,
    json: bool,
    console: &mut Console,
) -> io::Result<()> {
    match told {
        Ok(told) if json => print_json(&told, console),
        Ok(told) => write!(console.output, "{told}"),
        Err(stop) => {
            if let (true, Stop::File { path, message }) = (json, &stop) {
                let path = path.display().to_string();
                print_json(
                    &Failure {
                        path,
                        error: message,
                    },
                    console,
                )?;
            }
            console.report(Err(stop))
        }
    }
}

fn print_json(value: &impl Serialize, console: &mut Console) -> io::Result<()> {
    serde_json::to_writer(&mut console.output, value)?;
    writeln!(console.output)
}

/// Which well-known file it is.
pub(crate) fn known_or_not(known: Option<&str>) -> &str {
    known.unwrap_or("not a well-known file")
}

/// "60000 x 28 x 28"
pub(crate) fn shape_text(shape: &[u32]) -> String {
    if shape.is_empty() {
        return "a single element".to_string();
    }
    let sizes: Vec<String> = shape.iter().map(u32::to_string).collect();
    sizes.join(" x ")
}

/// An element's value, as short as it is read back the same.
pub(crate) fn value_text(element_type: ElementType, value: f64) -> String {
    let is_plain = matches!(value.abs(), 0.0 | 1e-4..1e15) || !value.is_finite();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "an f64 would show digits that the f32 does not have"
    )]
    match (element_type, is_plain) {
        (ElementType::F32, true) => (value as f32).to_string(),
        (ElementType::F32, false) => format!("{:e}", value as f32),
        (_, true) => value.to_string(),
        (_, false) => format!("{value:e}"),
    }
}
