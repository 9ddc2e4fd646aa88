//! A network of two layers that recognizes handwritten digits: integers only, 160 bytes in RAM, every tensor in
//! flash checked by the compiler. idx-data's example `quantized_network` trains it; both must compute the
//! same scores.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use firmware::{Outcome, ensure, print};
use idx_core::{IdxRecord, Records, be};

macro_rules! file {
    ($name:literal) => {
        Records::from_static(include_bytes!(concat!(env!("CLASSIFIER"), "/", $name)))
    };
}

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Digit([[u8; 28]; 28]);

/// The weights of one hidden value: a byte for each pixel.
type Picture = [i8; 784];

/// The scale and zero point of a record, or of all: a byte stands for `scale * (byte - zero_point)`.
type Quantization = [f32; 2];

static HIDDEN: [Picture; 32] = file!("hidden").to_array();
const HIDDEN_SCALES: [Quantization; 32] = file!("hidden.scale").to_array();
static HIDDEN_BIAS: [i32; 32] = file!("hidden.bias").to_array();
const VALUES_SCALE: [Quantization; 1] = file!("values.scale").to_array();
static OUTPUT: [[i8; 32]; 10] = file!("output").to_array();
const OUTPUT_SCALE: [Quantization; 1] = file!("output.scale").to_array();
static OUTPUT_BIAS: [i32; 10] = file!("output.bias").to_array();

static IMAGES: Records<Digit> = file!("images");
/// The sums of the first layer for each image, as computed by the host: rounded to bytes, they would hide a wrong
/// weight.
static SUMS: Records<[be::I32; 32]> = file!("sums");
/// The score of each class for each image, as computed by the host: the answers alone would not reveal most of the
/// wrong weights.
static SCORES: Records<[be::I32; 10]> =
    Records::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/scores")));

// The compiler also checks that the files belong together.
const _: () = assert!(IMAGES.len() == 100 && SUMS.len() == 100 && SCORES.len() == 100);

/// The factor from the sum of a hidden value to its byte, in units of 2^-32, and the zero point of its weights: the
/// compiler does the floating-point arithmetic, so that the processor need not.
static HIDDEN_STEPS: [(i32, i32); 32] = {
    let [[values_scale, 0.0]] = VALUES_SCALE else {
        panic!("a hidden value is a `u8`, so that its zero point is 0");
    };
    let mut steps = [(0, 0); 32];
    let mut index = 0;
    while index < steps.len() {
        let [scale, zero_point] = HIDDEN_SCALES[index];
        let factor = 1.0 / 255.0 * scale / values_scale * 4_294_967_296.0 + 0.5;
        assert!(0.0 < factor && factor < i32::MAX as f32);
        steps[index] = (factor as i32, zero_point as i32);
        index += 1;
    }
    steps
};

firmware::program!(run);

fn run() -> Outcome {
    let expected = SUMS.as_slice().iter().zip(SCORES.as_slice());
    for (digit, (expected_sums, expected)) in IMAGES.as_slice().iter().zip(expected) {
        let sums = sums(digit);
        for (sum, expected) in sums.iter().zip(expected_sums) {
            ensure(*sum == expected.get(), "a sum differs from the host's")?;
        }
        for (score, expected) in scores(&sums).zip(expected) {
            ensure(score == expected.get(), "a score differs from the host's")?;
        }
    }
    print!("the scores of {} digits are the host's\n", SCORES.len());
    Ok(())
}

/// The output of the first layer.
fn sums(digit: &Digit) -> [i32; 32] {
    let pixels = digit.0.as_flattened();
    let pixels_total = total(pixels);
    let mut sums = HIDDEN_BIAS;
    for ((sum, weights), (_, zero_point)) in sums.iter_mut().zip(&HIDDEN).zip(&HIDDEN_STEPS) {
        *sum += products(pixels, weights) - zero_point * pixels_total;
    }
    sums
}

/// The score of each class.
fn scores(sums: &[i32; 32]) -> impl Iterator<Item = i32> {
    let mut values = [0; 32];
    for ((value, sum), (factor, _)) in values.iter_mut().zip(sums).zip(&HIDDEN_STEPS) {
        let rounded = (i64::from(*sum) * i64::from(*factor) + (1 << 31)) >> 32;
        *value = rounded.clamp(0, 255) as u8;
    }
    const ZERO_POINT: i32 = OUTPUT_SCALE[0][1] as i32;
    let values_total = total(&values);
    // The ten scores have the same scale, so the greatest is the answer without it.
    let classes = OUTPUT.iter().zip(&OUTPUT_BIAS);
    classes
        .map(move |(weights, bias)| products(&values, weights) - ZERO_POINT * values_total + bias)
}

fn total(inputs: &[u8]) -> i32 {
    inputs.iter().copied().map(i32::from).sum()
}

/// No sum overflows an `i32`: 784 x 255 x 255 is a fortieth of its range.
fn products(inputs: &[u8], weights: &[i8]) -> i32 {
    let pairs = inputs.iter().zip(weights);
    let products = pairs.map(|(input, weight)| i32::from(*input) * i32::from(*weight));
    products.sum()
}
