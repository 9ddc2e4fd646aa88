/// The pixels of a picture, row by row, in grey, or in red, green and blue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::formats) struct Picture {
    pub(super) height: u32,
    pub(super) width: u32,
    /// 1 or 3, and one more for transparency until `opaque` is called.
    pub(super) channels: usize,
    pub(in crate::formats) pixels: Vec<u8>,
}

impl Picture {
    pub(super) fn new(height: u32, width: u32, channels: usize, pixels: Vec<u8>) -> Self {
        debug_assert_eq!(pixels.len(), height as usize * width as usize * channels);
        Self { height, width, channels, pixels }
    }

    /// The shape of the record: h x w, or h x w x 3.
    pub(in crate::formats) fn shape(&self) -> Vec<u32> {
        let channels = (self.channels == 3).then_some(3);
        let sizes = [self.height, self.width].into_iter();
        sizes.chain(channels).collect()
    }

    /// Puts a picture with transparency onto a grey background.
    pub(super) fn opaque(mut self, background: u8) -> Self {
        if !matches!(self.channels, 2 | 4) {
            return self;
        }
        let channels = self.channels - 1;
        let mut pixels = Vec::with_capacity(self.pixels.len() / self.channels * channels);
        for pixel in self.pixels.chunks_exact(self.channels) {
            let Some((&alpha, colors)) = pixel.split_last() else {
                continue;
            };
            pixels.extend(colors.iter().map(|&color| mix(color, background, alpha)));
        }
        self.pixels = pixels;
        self.channels = channels;
        self
    }

    /// The brightness of each pixel, with the weights of ITU-R BT.601, as Pillow computes it.
    pub(super) fn grey(mut self) -> Self {
        if self.channels == 3 {
            let pixels = self.pixels.chunks_exact(3).map(|pixel| match *pixel {
                [red, green, blue] => brightness(red, green, blue),
                _ => 0,
            });
            self.pixels = pixels.collect();
            self.channels = 1;
        }
        self
    }

    /// The same picture with equal red, green and blue, if it is grey.
    pub(super) fn rgb(mut self) -> Self {
        if self.channels == 1 {
            self.pixels = self.pixels.iter().flat_map(|&grey| [grey; 3]).collect();
            self.channels = 3;
        }
        self
    }

    /// The bytes of a row.
    pub(super) fn row_size(&self) -> usize {
        self.width as usize * self.channels
    }
}

/// A color of this opacity in front of another.
fn mix(color: u8, background: u8, alpha: u8) -> u8 {
    let parts =
        u16::from(alpha) * u16::from(color) + u16::from(255 - alpha) * u16::from(background);
    // At most 255.
    u8::try_from((parts + 127) / 255).unwrap_or(u8::MAX)
}

/// With 16 bits after the point, rounded; the weights add up to 1.
fn brightness(red: u8, green: u8, blue: u8) -> u8 {
    let sum = 19595 * u32::from(red) + 38470 * u32::from(green) + 7471 * u32::from(blue);
    u8::try_from((sum + 0x8000) >> 16).unwrap_or(u8::MAX)
}
