//! Draws the sample set: two hundred digits in the manner of MNIST.
//!
//! A sample that is drawn needs no license and no download. The files next to this
//! one are what it draws, and a test compares them, so it has to come out the same
//! byte for byte everywhere: all of it is integer arithmetic, and chance comes from
//! a generator spelled out at the end.
//!
//! A digit is made in four steps, in the order of this file:
//!
//! 1. a skeleton, a few control points per stroke, is taken from `SHAPES`;
//! 2. a `Hand` sizes, slants and shifts those points, and shakes a little;
//! 3. `smooth` rounds the strokes into curves;
//! 4. `ink` darkens each pixel by its distance from the nearest stroke.

/// The number of digits in the sample: twenty of each class.
pub(crate) const COUNT: usize = 200;

/// Height and width of an image, in pixels.
pub(crate) const SIDE: usize = 28;

/// One drawn digit and the class it was drawn for.
pub(crate) struct Sample {
    /// Rows from the top, pixels from the left; 0 is paper, 255 is full ink.
    pub(crate) image: [[u8; SIDE]; SIDE],
    /// The digit shown, 0 to 9.
    pub(crate) label: u8,
}

/// Draws the whole sample, the same bytes every time.
///
/// Each block of ten holds every digit once, so any multiple of ten from the
/// front is a balanced set. The first block counts from 0 to 9, which makes it
/// easy to check by eye; the later ones are shuffled.
pub(crate) fn sample() -> Vec<Sample> {
    let mut chance = Chance(SEED);
    let mut labels = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    let mut samples = Vec::with_capacity(COUNT);
    while samples.len() < COUNT {
        samples.extend(labels.map(|label| Sample { image: draw(label, &mut chance), label }));
        chance.shuffle(&mut labels);
    }
    samples
}

/// Draws one specimen of a digit.
fn draw(label: u8, chance: &mut Chance) -> [[u8; SIDE]; SIDE] {
    let shapes = SHAPES[usize::from(label)];
    let shape = shapes[chance.below(shapes.len())];
    let hand = Hand::new(chance);
    let strokes: Vec<Vec<Point>> =
        shape.iter().map(|stroke| smooth(hand.trace(stroke, chance))).collect();
    ink(&strokes, hand.radius)
}

/// A place or a distance: rightwards, then downwards.
///
/// In [`SHAPES`] the unit is a hundredth of the digit's height. Everywhere
/// else it is 1/256 pixel, counted from the middle of the image.
type Point = (i64, i64);

/// One pixel, in 1/256 pixel.
const PIXEL: i64 = 256;

/// The strokes of one way to write a digit.
type Shape = &'static [&'static [Point]];

/// The ways to write each digit, by label.
///
/// A stroke runs from its first point to its last and is drawn towards the
/// points between without reaching them; a point given twice is reached, and
/// makes a corner. The box is 100 high and its middle is (50, 50).
#[rustfmt::skip] // A table: one stroke after another, not one number to a line.
const SHAPES: [&[Shape]; 10] = [
    &[ // 0: an oval; an egg, begun at the right
        &[&[(54, 0), (30, 0), (9, 50), (30, 100), (70, 100), (91, 50), (70, 0), (46, 0)]],
        &[&[(66, 6), (40, -6), (14, 24), (12, 70), (26, 102), (62, 104), (84, 76), (88, 30),
            (70, -2), (48, 4)]],
    ],
    &[ // 1: a plain stroke; with a flag; with flag and foot
        &[&[(50, 0), (50, 100)]],
        &[&[(32, 22), (46, 14), (54, 0), (54, 0), (52, 100)]],
        &[&[(30, 22), (44, 14), (52, 0), (52, 0), (51, 100)],
          &[(28, 100), (74, 100)]],
    ],
    &[ // 2: with a sharp foot; with a loop
        &[&[(20, 24), (22, 0), (76, -8), (84, 32), (62, 58), (18, 98), (18, 98), (84, 98)]],
        &[&[(20, 20), (30, -2), (76, -6), (80, 34), (56, 70), (32, 106), (4, 104), (8, 68),
            (42, 74), (58, 102), (90, 94)]],
    ],
    &[ // 3: round; with a flat top
        &[&[(20, 12), (40, -4), (80, -4), (82, 40), (56, 47), (42, 47), (42, 47), (60, 47),
            (88, 54), (84, 102), (40, 106), (16, 86)]],
        &[&[(22, 2), (78, 2), (78, 2), (46, 42), (46, 42), (84, 40), (88, 98), (48, 106),
            (18, 90)]],
    ],
    &[ // 4: open, in two strokes; closed, in one
        &[&[(28, 2), (18, 58), (18, 58), (84, 56)],
          &[(66, 4), (62, 100)]],
        &[&[(86, 66), (12, 66), (12, 66), (64, 0), (64, 0), (62, 100)]],
    ],
    &[ // 5: with the roof put on last; in one stroke
        &[&[(28, 4), (24, 46), (24, 46), (50, 34), (84, 42), (86, 96), (44, 108), (16, 88)],
          &[(28, 4), (78, 2)]],
        &[&[(80, 2), (34, 2), (34, 2), (26, 46), (26, 46), (62, 30), (86, 56), (76, 104),
            (36, 102), (18, 90)]],
    ],
    &[ // 6: with a curved back; with a straight one
        &[&[(70, 2), (42, 6), (18, 44), (14, 98), (54, 108), (82, 92), (80, 54), (48, 46),
            (24, 66), (24, 80)]],
        &[&[(58, 0), (26, 50), (14, 104), (58, 106), (84, 90), (72, 54), (36, 54), (24, 76)]],
    ],
    &[ // 7: plain; with a bar; with a hook and a curved back
        &[&[(18, 4), (82, 2), (82, 2), (44, 100)]],
        &[&[(18, 4), (82, 2), (82, 2), (44, 100)],
          &[(38, 52), (78, 50)]],
        &[&[(18, 18), (20, 2), (20, 2), (82, 4), (82, 4), (54, 40), (46, 100)]],
    ],
    &[ // 8: one line that crosses itself; two rings
        &[&[(74, 12), (58, -4), (22, -4), (20, 34), (50, 48), (86, 62), (84, 102), (50, 102),
            (16, 102), (14, 64), (50, 48), (78, 32), (82, 10), (66, 4)]],
        &[&[(52, 47), (34, 47), (20, 24), (34, 0), (66, 0), (80, 24), (64, 47), (48, 47)],
          &[(48, 47), (32, 47), (12, 74), (32, 101), (68, 101), (88, 74), (66, 47), (50, 47)]],
    ],
    &[ // 9: with a straight stem; with a curved tail
        &[&[(78, 22), (66, -4), (22, -4), (16, 52), (54, 58), (78, 34), (78, 8), (78, 8),
            (70, 100)]],
        &[&[(78, 26), (72, -4), (22, -6), (18, 52), (62, 56), (78, 20), (78, 20), (84, 66),
            (74, 106), (30, 98)]],
    ],
];

/// The way one specimen is written, set down once for all its strokes.
struct Hand {
    /// The step of one unit rightwards in a skeleton, in 1/256 pixel; the
    /// downward part turns the digit.
    right: Point,
    /// The step of one unit downwards; its leftward part slants the digit.
    down: Point,
    /// The place of the middle of the skeleton, in 1/256 pixel.
    middle: Point,
    /// Half the width of the pen, in 1/256 pixel.
    radius: i64,
}

impl Hand {
    /// Makes up a hand: a digit some 20 pixels high with its ink, mostly
    /// leaning forward a little, drawn with a pen of about two to three pixels.
    fn new(chance: &mut Chance) -> Self {
        Self {
            right: (43 + chance.swing(8), chance.swing(3)),
            down: (chance.swing(15) - 6, 44 + chance.swing(4)),
            middle: (chance.swing(400), chance.swing(300)),
            radius: 310 + chance.swing(80),
        }
    }

    /// Carries a stroke from the skeleton into the image, not quite steadily.
    fn trace(&self, stroke: &[Point], chance: &mut Chance) -> Vec<Point> {
        let place = |&(x, y): &Point| {
            let (x, y) = (x - 50, y - 50);
            (
                self.middle.0 + x * self.right.0 + y * self.down.0 + chance.swing(190),
                self.middle.1 + x * self.right.1 + y * self.down.1 + chance.swing(190),
            )
        };
        stroke.iter().map(place).collect()
    }
}

/// Rounds a stroke by cutting its corners over and over (Chaikin's algorithm).
///
/// Three rounds leave segments of about a pixel, finer than the pen.
fn smooth(mut stroke: Vec<Point>) -> Vec<Point> {
    for _ in 0..3 {
        let ends = (stroke.first().copied(), stroke.last().copied());
        let cuts = stroke.windows(2).flat_map(|pair| {
            let ((ax, ay), (bx, by)) = (pair[0], pair[1]);
            [((3 * ax + bx) / 4, (3 * ay + by) / 4), ((ax + 3 * bx) / 4, (ay + 3 * by) / 4)]
        });
        stroke = ends.0.into_iter().chain(cuts).chain(ends.1).collect();
    }
    stroke
}

/// Inks every pixel that the pen touches on its way along the strokes.
///
/// The edge of the pen fades over one pixel, half of it to either side.
fn ink(strokes: &[Vec<Point>], radius: i64) -> [[u8; SIDE]; SIDE] {
    let mut image = [[0; SIDE]; SIDE];
    // The middles of the pixels, seen from the middle of the image.
    let middles = || (-27..).step_by(2).map(|halves| halves * PIXEL / 2);
    for (row, y) in image.iter_mut().zip(middles()) {
        for (pixel, x) in row.iter_mut().zip(middles()) {
            let distance = strokes
                .iter()
                .flat_map(|stroke| stroke.windows(2))
                .map(|ends| distance_squared((x, y), ends[0], ends[1]))
                .min()
                .map_or(i64::MAX, i64::isqrt);
            let depth = (radius + PIXEL / 2).saturating_sub(distance).max(0);
            *pixel = u8::try_from(depth).unwrap_or(u8::MAX);
        }
    }
    image
}

/// The square of the distance from a place to the straight line between two
/// others, in (1/256 pixel)²; squared because that is enough to compare.
fn distance_squared(place: Point, from: Point, to: Point) -> i64 {
    let (along_x, along_y) = (to.0 - from.0, to.1 - from.1);
    let (x, y) = (place.0 - from.0, place.1 - from.1);
    // The nearest spot on the line is `part / whole` of the way along it; a
    // line without length is all one spot.
    let whole = (along_x * along_x + along_y * along_y).max(1);
    let part = (x * along_x + y * along_y).clamp(0, whole);
    let (off_x, off_y) = (x - along_x * part / whole, y - along_y * part / whole);
    off_x * off_x + off_y * off_y
}

/// The seed of the sample. Another seed is another sample.
const SEED: u64 = 784;

/// A source of chance that never changes: the `SplitMix64` generator.
struct Chance(u64);

impl Chance {
    /// The next 32 bits, the upper half of a `SplitMix64` number.
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 32) as u32
    }

    /// A number from 0 up to but not including `end`.
    fn below(&mut self, end: usize) -> usize {
        self.bits() as usize % end
    }

    /// A number up to `reach` either side of zero, a small one rather than a
    /// large one: people stray a little often and a lot seldom.
    fn swing(&mut self, reach: i64) -> i64 {
        let mut throw = || i64::from(self.bits()) % (reach + 1);
        throw() - throw()
    }

    /// Puts the labels in another order.
    fn shuffle(&mut self, labels: &mut [u8]) {
        for last in (1..labels.len()).rev() {
            labels.swap(last, self.below(last + 1));
        }
    }
}
