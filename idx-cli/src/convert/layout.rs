use std::str::FromStr;

use idx_std::NumberType;

use crate::term::report::shape_text;

/// The sizes of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape(pub(crate) Vec<u32>);

impl FromStr for Shape {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let sizes = text.split('x').map(|size| size.trim().parse());
        let sizes: Result<Vec<u32>, _> = sizes.collect();
        sizes
            .map(Self)
            .map_err(|_| "write the sizes as whole numbers with x between them, such as 28x28")
    }
}

/// What each record of a file is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) number_type: NumberType,
    /// `None` is a file of rank 0, of a single element.
    pub(crate) record_shape: Option<Vec<u32>>,
}

impl Layout {
    pub(crate) fn sizes(&self) -> &[u32] {
        self.record_shape.as_deref().unwrap_or_default()
    }

    /// The shape of a record, for messages.
    pub(crate) fn shape(&self) -> String {
        shape_text(self.sizes())
    }

    /// How many numbers a record has, if that can be counted.
    pub(crate) fn numbers(&self) -> Option<u64> {
        count(self.sizes())
    }

    /// How many bytes a record has, if that can be counted.
    pub(crate) fn record_size(&self) -> Option<u64> {
        self.numbers()?.checked_mul(self.number_type.size() as u64)
    }
}

pub(crate) fn count(sizes: &[u32]) -> Option<u64> {
    if sizes.contains(&0) {
        return Some(0);
    }
    let mut sizes = sizes.iter().copied().map(u64::from);
    sizes.try_fold(1u64, u64::checked_mul)
}
