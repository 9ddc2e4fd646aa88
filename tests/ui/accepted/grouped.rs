//! Types and bounds in parentheses, in the groups that a macro makes, by a macro, and through a trait.

#![allow(unused_parens)]

use idx_core::IdxRecord;

trait Sensor {
    type Element;
}

struct Thermometer;

impl Sensor for Thermometer {
    type Element = i16;
}

#[derive(IdxRecord, Debug, PartialEq)]
struct Parentheses {
    single: (u8),
    row: [(u8); 2],
    #[idx(range = ((1)..=(LAST)))]
    limited: (u8),
}

const LAST: u8 = 9;

macro_rules! readings {
    ($element:ty, $row:ty, $first:expr, $last:expr) => {
        #[derive(IdxRecord, Debug, PartialEq)]
        struct Readings {
            single: $element,
            row: $row,
            #[idx(range = $first..=$last)]
            limited: $element,
        }
    };
}

readings!(i8, [i8; 2], -1, -(-1));

#[derive(IdxRecord, Debug, PartialEq)]
struct Temperature(<Thermometer as Sensor>::Element);

macro_rules! row {
    () => {
        [u8; 2]
    };
}

#[derive(IdxRecord, Debug, PartialEq)]
struct Rows([row!(); 2]);

#[test]
fn run() {
    assert_eq!((Parentheses::ELEMENT, Parentheses::SHAPE), (idx_core::ElementType::U8, &[4][..]));
    let expected = Parentheses { single: 1, row: [2, 3], limited: 9 };
    assert_eq!(Parentheses::decode(&[1, 2, 3, 9]), Some(expected));
    assert_eq!(Parentheses::decode(&[1, 2, 3, 10]), None);

    let expected = Readings { single: 1, row: [2, 3], limited: -1 };
    assert_eq!(Readings::decode(&[1, 2, 3, 0xFF]), Some(expected));
    assert_eq!(Readings::decode(&[1, 2, 3, 0xFE]), None);

    assert_eq!(Rows::decode(&[1, 2, 3, 4]), Some(Rows([[1, 2], [3, 4]])));
    assert_eq!(Temperature::decode(&[0xFF, 0xFE]), Some(Temperature(-2)));
}
