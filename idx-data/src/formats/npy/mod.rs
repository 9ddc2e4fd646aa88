//! NumPy arrays in npy files, record by record.

mod header;
mod source;
mod sink;

pub(crate) use header::MAGIC;
pub(crate) use sink::NpySink;
pub(crate) use source::NpySource;
#[cfg(test)]
pub(crate) use tests::file;

#[cfg(test)]
mod tests {
    use super::MAGIC;

    /// Returns an npy file of version 1 as NumPy writes it, but without padding.
    pub(crate) fn file(
        descr: &str,
        fortran_order: bool,
        shape: &[u64],
        elements: &[u8],
    ) -> Vec<u8> {
        let order = if fortran_order { "True" } else { "False" };
        let sizes: String = shape.iter().map(|size| format!("{size},")).collect();
        let text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': ({sizes})}}");
        [&header_of(1, &text), elements].concat()
    }

    pub(super) fn header_of(version: u8, text: &str) -> Vec<u8> {
        let mut bytes = [MAGIC, &[version, 0]].concat();
        let length = if version == 1 { 2 } else { 4 };
        bytes.extend(text.len().to_le_bytes().into_iter().take(length));
        bytes.extend(text.as_bytes());
        bytes
    }
}
