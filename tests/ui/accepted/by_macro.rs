//! Records that a macro writes, with parts of them from its caller.

use idx_core::{IdxRecord, Records};

macro_rules! label {
    ($name:ident, $integer:ty, $range:expr) => {
        #[derive(IdxRecord, Debug, PartialEq)]
        struct $name {
            free: $integer,
            #[idx(range = $range)]
            value: $integer,
        }
    };
}

label!(Digit, u8, 0..=9);
label!(Grade, i16, -5..=5);

#[test]
fn run() {
    let digits = Records::<Digit>::parse(b"\0\0\x08\x02\0\0\0\x01\0\0\0\x02\xFF\x09").unwrap();
    assert_eq!(digits.get(0), Some(Digit { free: 255, value: 9 }));
    assert_eq!(Digit::decode(&[9, 10]), None);
    assert_eq!(Grade::decode(&[0, 0, 0xFF, 0xFA]), None);
}
