//! What is refused is refused in parentheses and in the groups that a macro makes, too.

#![allow(unused_parens)]

use idx_core::IdxRecord;

#[derive(IdxRecord)]
struct Parentheses {
    element: (u64),
    elements: [(u16); 2],
}

#[derive(IdxRecord)]
struct Deep(([([[[[[[[[u8; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]); 1]));

macro_rules! columns {
    ($name:ident, $element:ty, $last:expr) => {
        #[derive(IdxRecord)]
        struct $name {
            element: $element,
            #[idx(range = 0..=$last)]
            limited: u8,
        }
    };
}

columns!(Wide, u64, 9);

macro_rules! record {
    ($name:ident, $row:ty) => {
        #[derive(IdxRecord)]
        struct $name([$row; 1]);
    };
}

record!(Deeper, [[[[[[[[u8; 1]; 1]; 1]; 1]; 1]; 1]; 1]; 1]);

fn main() {}
