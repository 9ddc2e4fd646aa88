//! Digits from everyday pictures, large and anywhere in them, for a classifier trained on MNIST.

use std::fs;
use std::path::Path;

use idx_data::dataset::Mnist;
use idx_data::dataset::mnist::Image;
use idx_data::{Fit, Labeled, OpenOptions, PictureOptions, Record};
use idx_tests::real_data;
use image::imageops::{FilterType, resize};
use image::{GrayImage, Luma};

/// The random numbers that make a picture of a digit, the same each time.
struct Random(u32);

impl Random {
    /// Returns a number below `end`.
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) % end
    }
}

/// A picture of 200 x 200 with the digit somewhere, dark on bright or bright on dark, and with the noise of a
/// camera.
fn photo(digit: &Image, random: &mut Random) -> GrayImage {
    let digit = GrayImage::from_raw(28, 28, digit.as_flattened().to_vec()).unwrap();
    let side = 84 + random.below(100);
    let digit = resize(&digit, side, side, FilterType::CatmullRom);
    let (left, top) = (random.below(200 - side), random.below(200 - side));
    let (paper, stroke) = match random.below(2) {
        0 => (215.0, 45.0),
        _ => (30.0, 225.0),
    };
    GrayImage::from_fn(200, 200, |x, y| {
        let within = |at: u32, start: u32| at.checked_sub(start).filter(|&at| at < side);
        let ink = match (within(x, left), within(y, top)) {
            (Some(x), Some(y)) => f32::from(digit.get_pixel(x, y).0[0]) / 255.0,
            _ => 0.0,
        };
        let noise = random.below(9) as f32 - 4.0;
        Luma([(paper + (stroke - paper) * ink + noise) as u8])
    })
}

/// The weights of ten classes for each pixel, and for one that is always 1.
type Model = Vec<[f32; 10]>;

fn scores(model: &Model, image: &[u8]) -> [f32; 10] {
    let mut scores = model[784];
    for (&pixel, weights) in image.iter().zip(model).filter(|(pixel, _)| **pixel > 0) {
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score += f32::from(pixel) / 255.0 * weight;
        }
    }
    scores
}

/// Softmax regression by stochastic gradient descent.
fn train(digits: &Labeled<Image, u8>) -> Model {
    let mut model = vec![[0.0; 10]; 785];
    for epoch in 0..4 {
        let rate = 0.02 * (1.0 - epoch as f32 / 4.0);
        for (image, label) in digits.iter() {
            let image = image.as_flattened();
            let mut step = scores(&model, image);
            let greatest = step.iter().copied().fold(f32::MIN, f32::max);
            step.iter_mut().for_each(|score| *score = (*score - greatest).exp());
            let sum: f32 = step.iter().sum();
            step.iter_mut().for_each(|score| *score *= rate / sum);
            step[usize::from(label)] -= rate;
            for (pixel, weights) in image.iter().chain(&[255]).zip(&mut model) {
                let ink = f32::from(*pixel) / 255.0;
                weights.iter_mut().zip(step).for_each(|(weight, step)| *weight -= step * ink);
            }
        }
    }
    model
}

fn is_right(model: &Model, image: &[u8], label: i128) -> bool {
    let scores = scores(model, image);
    let answer = (0..10).max_by(|&one, &other| scores[one].total_cmp(&scores[other]));
    answer == usize::try_from(label).ok()
}

/// Returns the percentage of pictures in a folder that the model gets right, of those that are not left out.
fn accuracy(model: &Model, folder: &Path, pictures: PictureOptions) -> f64 {
    let options = OpenOptions::new().pictures(pictures.skip_bad(true));
    let mut source = options.open(folder).unwrap();
    assert_eq!(source.facts().layout.record_shape(), [28, 28]);
    let (mut record, mut right, mut count) = (Record::default(), 0_u32, 0);
    while source.read(&mut record).unwrap() {
        right += u32::from(is_right(model, &record.bytes, record.label.unwrap()));
        count += 1;
    }
    count += source.skipped().len();
    f64::from(right) * 100.0 / count as f64
}

#[test]
#[ignore = "trains with 60,000 digits, and draws 2,500 pictures"]
fn large_digits_are_recognised_nearly_as_well_as_those_of_mnist() {
    let Some(folder) = real_data("own_digits", "mnist/train-images-idx3-ubyte.gz") else {
        return;
    };
    let mnist = Mnist::open(folder.parent().unwrap()).unwrap();
    let model = train(&mnist.training);
    // The first half of the test digits is easier than the second.
    let digits = || mnist.test.iter().step_by(4);
    let right = digits()
        .filter(|(image, label)| is_right(&model, image.as_flattened(), i128::from(*label)));
    let originals = right.count() as f64 * 100.0 / digits().len() as f64;

    let folder = tempfile::tempdir().unwrap();
    let mut random = Random(1);
    for (number, (image, label)) in digits().enumerate() {
        let class = folder.path().join(label.to_string());
        fs::create_dir_all(&class).unwrap();
        photo(&image, &mut random).save(class.join(format!("{number}.png"))).unwrap();
    }
    let fitted = accuracy(&model, folder.path(), PictureOptions::new().fit(Fit::Mnist));
    let scaled = accuracy(&model, folder.path(), PictureOptions::new().size([28, 28]));
    println!(
        "right about {originals:.2} % of the originals, {fitted:.2} % with `Fit::Mnist`, {scaled:.2} % scaled"
    );
    assert!(originals > 90.0 && fitted > originals - 1.0, "{originals} {fitted}");
    assert!(scaled < 50.0, "{scaled}");
}
