use std::str::FromStr;

use idx_std::NumberType;

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
        if self.sizes().is_empty() {
            return "one number".to_string();
        }
        let sizes: Vec<String> = self.sizes().iter().map(u32::to_string).collect();
        sizes.join(" x ")
    }

    /// How many numbers a record has, if that can be counted.
    pub(crate) fn numbers(&self) -> Option<u64> {
        count(self.sizes())
    }
}

pub(crate) fn count(sizes: &[u32]) -> Option<u64> {
    if sizes.contains(&0) {
        return Some(0);
    }
    let mut sizes = sizes.iter().copied().map(u64::from);
    sizes.try_fold(1u64, u64::checked_mul)
}

/// A record that is a picture, and how its numbers lie in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Image {
    /// Pictures one after the other, one for each colour.
    pub(crate) planes: u32,
    pub(crate) height: u32,
    pub(crate) width: u32,
    /// Numbers of a pixel side by side.
    pub(crate) channels: u32,
    /// The dimension of the height; that of the width follows.
    axis: usize,
}

impl Image {
    /// Two dimensions, or three of which the last or the first is that of 3 channels or of 1.
    pub(crate) fn of(layout: &Layout) -> Option<Self> {
        let (planes, height, width, channels, axis) = match *layout.sizes() {
            [height, width, 3] => (1, height, width, 3, 0),
            [3, height, width] => (3, height, width, 1, 1),
            [height, width] | [height, width, 1] => (1, height, width, 1, 0),
            [1, height, width] => (1, height, width, 1, 1),
            _ => return None,
        };
        (height > 0 && width > 0).then_some(Self {
            planes,
            height,
            width,
            channels,
            axis,
        })
    }

    /// The sizes of this record with its height and its width swapped.
    pub(crate) fn transposed(&self, sizes: &[u32]) -> Vec<u32> {
        let mut sizes = sizes.to_vec();
        sizes.swap(self.axis, self.axis + 1);
        sizes
    }

    /// Appends the record with its rows as columns.
    pub(crate) fn transpose(&self, record: &[u8], element_size: usize, target: &mut Vec<u8>) {
        let pixel = self.channels as usize * element_size;
        let row = self.width as usize * pixel;
        for plane in record.chunks_exact(row * self.height as usize) {
            for start in (0..row).step_by(pixel) {
                for row in plane.chunks_exact(row) {
                    target.extend_from_slice(row.get(start..start + pixel).unwrap_or_default());
                }
            }
        }
    }
}
