use idx_std::__private::counted;
use idx_std::{HeaderBuf, Shape};

/// A record and their number, in words: "28 x 28 u8" and "10 records".
pub(super) fn descriptions(header: &HeaderBuf) -> (String, String) {
    let element_type = header.element_type();
    let record = match header.dims() {
        [] | [_] => element_type.to_string(),
        _ => format!("{} {element_type}", Shape(header.record_shape())),
    };
    (record, counted(header.record_count().into(), "record"))
}
