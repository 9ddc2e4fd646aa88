/// "1 byte", "2 bytes"
#[must_use]
pub fn counted(count: u64, unit: &str) -> String {
    match count {
        1 => format!("1 {unit}"),
        _ => format!("{count} {unit}s"),
    }
}
