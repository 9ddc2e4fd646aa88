/// How the elements of a record that is an image lie in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    /// Pictures one after the other, one for each colour.
    pub(crate) planes: usize,
    pub(crate) height: usize,
    pub(crate) width: usize,
    /// Elements of a pixel side by side.
    pub(crate) channels: usize,
    /// The dimension of the height; that of the width follows.
    axis: usize,
}

impl Image {
    /// Two dimensions, or three of which the last or the first is that of 3 channels or of 1; `None`
    /// if it is something else, or has no pixels.
    pub(crate) fn of(record_sizes: impl IntoIterator<Item = u32>) -> Option<Self> {
        let sizes = record_sizes.into_iter().map(usize::try_from);
        let sizes: Vec<usize> = sizes.collect::<Result<_, _>>().ok()?;
        let (planes, height, width, channels, axis) = match *sizes {
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

    /// Whether its pixels have a red, a green and a blue.
    pub(crate) fn is_coloured(self) -> bool {
        self.planes * self.channels == 3
    }

    /// Where the element of a pixel and a channel is in the record.
    pub(crate) fn place(self, pixel: usize, channel: usize) -> usize {
        match self.planes {
            1 => pixel * self.channels + channel,
            _ => channel * self.height * self.width + pixel,
        }
    }

    /// The sizes of a record with its height and its width swapped.
    pub(crate) fn transposed(self, record_sizes: &[u32]) -> Vec<u32> {
        let mut sizes = record_sizes.to_vec();
        sizes.swap(self.axis, self.axis + 1);
        sizes
    }

    /// Appends the record with its rows as columns.
    pub(crate) fn transpose(self, record: &[u8], element_size: usize, target: &mut Vec<u8>) {
        let pixel = self.channels * element_size;
        let row = self.width * pixel;
        for plane in record.chunks_exact(row * self.height) {
            for start in (0..row).step_by(pixel) {
                for row in plane.chunks_exact(row) {
                    target.extend_from_slice(row.get(start..start + pixel).unwrap_or_default());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_that_are_images() {
        let image = |planes, height, width, channels, axis| {
            Some(Image {
                planes,
                height,
                width,
                channels,
                axis,
            })
        };
        assert_eq!(Image::of([28, 20]), image(1, 28, 20, 1, 0));
        assert_eq!(Image::of([32, 30, 3]), image(1, 32, 30, 3, 0));
        assert_eq!(Image::of([3, 32, 30]), image(3, 32, 30, 1, 1));
        assert_eq!(Image::of([1, 32, 30]), image(1, 32, 30, 1, 1));
        assert_eq!(Image::of([32, 30, 1]), image(1, 32, 30, 1, 0));
        for none in [&[][..], &[8], &[0, 3], &[3, 0], &[2, 3, 4], &[2, 2, 2, 2]] {
            assert_eq!(Image::of(none.iter().copied()), None);
        }
    }

    #[test]
    fn rows_become_columns() {
        let transposed = |sizes: [u32; 3], record: &[u8]| {
            let mut target = Vec::new();
            let image = Image::of(sizes).unwrap();
            image.transpose(record, 1, &mut target);
            (image.transposed(&sizes), target)
        };
        assert_eq!(
            transposed([1, 2, 2], &[1, 2, 3, 4]),
            (vec![1, 2, 2], vec![1, 3, 2, 4])
        );
        // A pixel's channels stay together.
        let record = [1, 2, 3, 4, 5, 6];
        assert_eq!(
            transposed([2, 1, 3], &record),
            (vec![1, 2, 3], record.to_vec())
        );
        assert_eq!(
            transposed([3, 2, 1], &record),
            (vec![3, 1, 2], record.to_vec())
        );
    }
}
