//! The shapes that are images, and where their rows, columns and channels are.

/// The arrangement of rows, columns and channels in a record that is a picture.
///
/// A record of two dimensions is a picture; so is a record of three whose first or last dimension has the
/// size 3 or 1, the number of channels.
///
/// ```
/// use idx_data::ImageLayout;
///
/// let image = ImageLayout::from_shape(&[32, 30, 3]).expect("height, width and three channels");
/// assert_eq!((image.height(), image.width(), image.is_color()), (32, 30, true));
/// // The green of the second pixel.
/// assert_eq!(image.index(1, 1), 4);
/// assert_eq!(ImageLayout::from_shape(&[8]), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageLayout {
    /// The number of planes of one channel each, one after the other.
    planes: usize,
    height: usize,
    width: usize,
    /// The number of interleaved channels of a pixel.
    channels: usize,
    /// The dimension of the height; that of the width follows.
    axis: usize,
}

impl ImageLayout {
    /// Returns the layout of records of this shape; `None` if they are not pictures, or have no pixels.
    #[must_use]
    pub fn from_shape(record_shape: &[u32]) -> Option<Self> {
        let (planes, height, width, channels, axis) = match *record_shape {
            [height, width, 3] => (1, height, width, 3, 0),
            [3, height, width] => (3, height, width, 1, 1),
            [height, width] | [height, width, 1] => (1, height, width, 1, 0),
            [1, height, width] => (1, height, width, 1, 1),
            _ => return None,
        };
        (height > 0 && width > 0).then_some(Self {
            planes,
            height: usize::try_from(height).ok()?,
            width: usize::try_from(width).ok()?,
            channels,
            axis,
        })
    }

    /// Returns the number of rows.
    #[must_use]
    pub const fn height(self) -> usize {
        self.height
    }

    /// Returns the number of pixels in a row.
    #[must_use]
    pub const fn width(self) -> usize {
        self.width
    }

    /// Returns whether its pixels have the channels red, green and blue.
    #[must_use]
    pub const fn is_color(self) -> bool {
        self.planes * self.channels == 3
    }

    /// Returns the index, within the record, of the element of a pixel and a channel.
    #[must_use]
    pub const fn index(self, pixel: usize, channel: usize) -> usize {
        match self.planes {
            1 => pixel * self.channels + channel,
            _ => channel * self.height * self.width + pixel,
        }
    }

    /// Returns the pixels of a record of bytes, with the colors of each pixel side by side.
    pub(crate) fn interleaved(self, record: &[u8]) -> Vec<u8> {
        if self.planes == 1 {
            return record.to_vec();
        }
        let color = |index: usize| record.get(index).copied().unwrap_or_default();
        let pixels = 0..self.height * self.width;
        let colors = pixels.map(|pixel| [0, 1, 2].map(|channel| color(self.index(pixel, channel))));
        colors.collect::<Vec<_>>().into_flattened()
    }

    /// Returns the order of `rank` dimensions with height and width swapped.
    pub(crate) fn swapped(self, rank: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..rank).collect();
        debug_assert!(self.axis + 1 < rank, "the shape it was made from");
        if let Some(sides) = order.get_mut(self.axis..self.axis + 2) {
            sides.reverse();
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::ImageLayout;

    #[test]
    fn colors_come_side_by_side() {
        let image = ImageLayout::from_shape(&[3, 1, 2]).unwrap();
        assert_eq!(image.interleaved(&[1, 4, 2, 5, 3, 6]), [1, 2, 3, 4, 5, 6]);
    }
}
