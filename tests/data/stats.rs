//! `Stats`, `Summary` and `Histogram` against slow and simple references: integers by exact
//! fractions, floats by two passes with careful sums, bins by the width that the documentation promises.

use idx_data::stats::{Histogram, Stats, Summary};
use idx_std::ElementType;

use ElementType::{F32, F64, I8, I16, I32, U8};

fn is_float(element_type: ElementType) -> bool {
    matches!(element_type, F32 | F64)
}

/// The big-endian bytes of these values, which the element type has.
fn encoded(element_type: ElementType, values: &[f64]) -> Vec<u8> {
    let bytes = values.iter().flat_map(|value| match element_type {
        U8 => (*value as u8).to_be_bytes().to_vec(),
        I8 => (*value as i8).to_be_bytes().to_vec(),
        I16 => (*value as i16).to_be_bytes().to_vec(),
        I32 => (*value as i32).to_be_bytes().to_vec(),
        F32 => (*value as f32).to_be_bytes().to_vec(),
        F64 => value.to_be_bytes().to_vec(),
    });
    bytes.collect()
}

fn summary(element_type: ElementType, values: &[f64]) -> Summary {
    let mut stats = Stats::new(element_type);
    stats.push_bytes(&encoded(element_type, values));
    stats.summary()
}

// The references

/// `value` times 2 to the power of `exponent`, in two steps, as the power may be beyond an `f64`.
fn scaled(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2f64.powi(half) * 2f64.powi(exponent - half)
}

/// The mean and the deviation of integers, as exact fractions that are rounded at the end.
fn exact(values: &[f64]) -> (f64, f64) {
    let count = values.len() as i128;
    let sum: i128 = values.iter().map(|value| *value as i128).sum();
    let squares: i128 = values.iter().map(|value| (*value as i128).pow(2)).sum();
    let variance = (count * squares - sum * sum) as f64 / (count * count) as f64;
    let rest = sum.rem_euclid(count) as f64 / count as f64;
    (sum.div_euclid(count) as f64 + rest, variance.sqrt())
}

/// A sum that keeps what rounding takes from it (Neumaier).
fn careful_sum(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut lost) = (0.0f64, 0.0);
    for value in values {
        let next = sum + value;
        let (large, small) = if sum.abs() < value.abs() { (value, sum) } else { (sum, value) };
        lost += (large - next) + small;
        sum = next;
    }
    sum + lost
}

/// The mean and the deviation of finite floats, by two passes over the values, which are brought to
/// at most 1 before they are squared.
fn careful(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let exponent = greatest(values).log2().max(-1074.0) as i32 + 1;
    let values = || values.iter().map(|value| scaled(*value, -exponent));
    let mean = careful_sum(values()) / count;
    let missing = careful_sum(values().map(|value| value - mean)) / count;
    let squares = careful_sum(values().map(|value| (value - mean).powi(2))) / count;
    let deviation = (squares - missing * missing).max(0.0).sqrt();
    (scaled(mean + missing, exponent), scaled(deviation, exponent))
}

fn greatest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// Returns the bin of a value, if bins are as wide as 2 to the power of `exponent`.
fn bin(value: f64, exponent: i32) -> f64 {
    let place = scaled(value, -exponent);
    // A value too small for an f64 is still on its side of 0.
    if place == 0.0 && value < 0.0 { -1.0 } else { place.floor() }
}

/// The histogram of the documentation, by trying all widths: the exponent of the width, the number of
/// the first bin, and the counts.
fn bins(element_type: ElementType, values: &[f64], most: f64) -> (i32, f64, Vec<u64>) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The widths and the places that the elements can resolve.
    let (narrowest, last) = match element_type {
        F32 => (-1074, 2f64.powi(24)),
        F64 => (-1074, 2f64.powi(53)),
        _ => (0, f64::INFINITY),
    };
    let width = (narrowest..).find(|width| {
        let (first, end) = (bin(least, *width), bin(greatest, *width));
        first.abs() <= last && end.abs() <= last && end - first < most
    });
    let width = width.unwrap();
    let first = bin(least, width);
    let mut counts = vec![0; (bin(greatest, width) - first) as usize + 1];
    for value in values {
        counts[(bin(*value, width) - first) as usize] += 1;
    }
    (width, first, counts)
}

#[track_caller]
fn is_histogram(histogram: &Histogram, (width, first, counts): &(i32, f64, Vec<u64>)) {
    assert_eq!(histogram.width(), scaled(1.0, *width).min(f64::MAX));
    assert!(histogram.bins().map(|(_, count)| count).eq(counts.iter().copied()));
    assert!(counts[0] > 0 && counts[counts.len() - 1] > 0);
    let bound = |bin: usize| scaled(first + bin as f64, *width).clamp(f64::MIN, f64::MAX);
    let expected = counts.iter().enumerate();
    let expected = expected.map(|(bin, count)| (bound(bin)..bound(bin + 1), *count));
    assert!(histogram.bins().eq(expected), "{histogram:?}");
}

#[track_caller]
fn is_near(found: Option<f64>, expected: f64, tolerance: f64) {
    let found = found.unwrap();
    assert!((found - expected).abs() <= tolerance, "{found:?} and not {expected:?}");
}

/// Finite elements have the summary that the references give, in pieces of any size and in any order.
#[track_caller]
fn check(element_type: ElementType, values: &[f64]) {
    let found = summary(element_type, values);
    assert_eq!(found.count, values.len() as u64);
    assert_eq!((found.nan, found.infinite), (0, 0));
    assert_eq!(found.min, values.iter().copied().reduce(f64::min));
    assert_eq!(found.max, values.iter().copied().reduce(f64::max));
    is_histogram(&found.histogram, &bins(element_type, values, 256.0));
    for most in [0, 2, 3, 16, 100, 256, 1000] {
        let coarse = found.histogram.clone().coarser(most);
        let most = most.clamp(2, 256) as f64;
        is_histogram(&coarse, &bins(element_type, values, most));
    }
    let near = |found: &Summary| {
        let (mean, deviation, slack) = if is_float(element_type) {
            let (mean, deviation) = careful(values);
            // Blocks are added up as they come.
            (mean, deviation, greatest(values) * 1e-13 + 1e-323)
        } else {
            let (mean, deviation) = exact(values);
            (mean, deviation, 0.0)
        };
        let rounding = 4.0 * f64::EPSILON;
        is_near(found.mean, mean, mean.abs() * rounding + slack);
        is_near(found.standard_deviation, deviation, deviation * rounding + slack);
    };
    near(&found);

    let bytes = encoded(element_type, values);
    for elements in [1, 3, 1000, 1024] {
        let mut stats = Stats::new(element_type);
        for piece in bytes.chunks(elements * element_type.size()) {
            stats.push_bytes(piece);
        }
        assert_eq!(stats.summary(), found, "pieces of {elements}");
    }

    let mut backwards = values.to_vec();
    backwards.reverse();
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    for order in [backwards, sorted] {
        let reordered = summary(element_type, &order);
        near(&reordered);
        if is_float(element_type) {
            assert_eq!(reordered.histogram, found.histogram);
            assert_eq!((reordered.min, reordered.max), (found.min, found.max));
        } else {
            assert_eq!(reordered, found);
        }
    }
}

// Elements of all types

/// Pseudo-random numbers from 0 to 1 (SplitMix64), the same in each run.
fn fractions(seed: u64) -> impl Iterator<Item = f64> {
    (1u64..).map(move |step| {
        let mixed = (seed + step).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ mixed >> 31) >> 11) as f64 / 2f64.powi(53)
    })
}

/// The least and the greatest element that is finite.
fn extremes(element_type: ElementType) -> (f64, f64) {
    match element_type {
        U8 => (0.0, 255.0),
        I8 => (i8::MIN.into(), i8::MAX.into()),
        I16 => (i16::MIN.into(), i16::MAX.into()),
        I32 => (i32::MIN.into(), i32::MAX.into()),
        F32 => (f32::MIN.into(), f32::MAX.into()),
        F64 => (f64::MIN, f64::MAX),
    }
}

/// This many elements from `least` to `greatest`, which the type can represent.
fn elements(element_type: ElementType, least: f64, greatest: f64, count: usize) -> Vec<f64> {
    let elements = fractions(count as u64).take(count).map(|fraction| {
        // The difference of the extremes would be infinite.
        let element = least * (1.0 - fraction) + greatest * fraction;
        match element_type {
            F64 => element,
            F32 => (element as f32).into(),
            _ => element.floor(),
        }
    });
    elements.collect()
}

#[test]
fn all_types_in_their_whole_range() {
    for element_type in ElementType::ALL {
        let (least, greatest) = extremes(element_type);
        check(element_type, &[least]);
        check(element_type, &[greatest]);
        check(element_type, &[least, greatest]);
        check(element_type, &[greatest, greatest, least, greatest]);
        for count in [2, 100, 1023, 1024, 1025, 5000] {
            check(element_type, &elements(element_type, least, greatest, count));
        }
    }
}

#[test]
fn elements_close_together() {
    for element_type in ElementType::ALL {
        let (least, greatest) = extremes(element_type);
        for start in [0.0, 1.0, 100.0, greatest / 2.0, least] {
            let end = (start + 25.0).max(start * 1.000_001).min(greatest);
            for count in [3, 2100] {
                check(element_type, &elements(element_type, start, end, count));
            }
        }
    }
}

/// One element far from the others, before them and after them, so that bins must be joined late.
#[test]
fn elements_far_apart() {
    for element_type in ElementType::ALL {
        let (least, greatest) = extremes(element_type);
        for far in [least, greatest, least / 3.0, 101.0] {
            let far = elements(element_type, far, far, 1)[0];
            for start in [1.0, 2.0, 3.0, 4.0] {
                let mut values = elements(element_type, start, start + 9.0, 1500);
                values.push(far);
                check(element_type, &values);
            }
        }
    }
}

/// Blocks of floats, each greater than the one before it, or smaller.
#[test]
fn floats_that_grow_block_by_block() {
    for factor in [2.0, 7.0, 1000.0, 1e100] {
        let growing: Vec<f64> = fractions(1)
            .take(4000)
            .enumerate()
            .map(|(index, fraction)| fraction * f64::powi(factor, index as i32 / 1000))
            .collect();
        check(F64, &growing);
    }
}

#[test]
fn floats_at_the_ends_of_their_range() {
    let tiny = f64::from_bits(1);
    check(F64, &[1e300, -1e300, 5e299]);
    check(F64, &[f64::MAX, f64::MIN, f64::MAX, f64::MIN, 0.0]);
    check(F64, &[tiny]);
    check(F64, &[0.0, 2.0 * tiny]);
    check(F64, &[-tiny, tiny, 3.0 * tiny, 900.0 * tiny]);
    check(F64, &[f64::MIN_POSITIVE, -f64::MIN_POSITIVE, tiny]);
    check(F64, &[-tiny, 1.0, 1.0]);
    check(F64, &[tiny, 1e300, -tiny]);
    check(F64, &[0.0, -0.0]);
    check(F64, &[1.0]);
    check(F32, &[-4.0]);
    check(F32, &[f32::from_bits(1).into(), f32::MIN_POSITIVE.into()]);
    let subnormal: Vec<f64> = (0..3000).map(|index| f64::from_bits(index * 7919)).collect();
    check(F64, &subnormal);
}

// Figures that anyone can compute

/// The summary of these elements.
#[test]
fn means_and_deviations() {
    let greatest = f64::from(i32::MAX);
    let cases: [(ElementType, &[f64], f64, f64); 10] = [
        (U8, &[1.0, 1.0, 4.0], 2.0, 2f64.sqrt()),
        (I8, &[-128.0, 127.0], -0.5, 127.5),
        (I16, &[-1.0, 0.0, 1.0, 0.0], 0.0, 0.5f64.sqrt()),
        (I32, &[greatest, greatest - 1.0], greatest - 0.5, 0.5),
        (I32, &[-greatest - 1.0, greatest], -0.5, greatest + 0.5),
        (F32, &[0.5, 1.5], 1.0, 0.5),
        (F64, &[1e300, -1e300], 0.0, 1e300),
        (F64, &[f64::MAX, f64::MAX], f64::MAX, 0.0),
        (F64, &[f64::from_bits(2), 0.0], f64::from_bits(1), f64::from_bits(1)),
        // A plain sum of squares would lose the difference.
        (F64, &[1e9 + 1.0, 1e9 + 3.0], 1e9 + 2.0, 1.0),
    ];
    for (element_type, values, mean, deviation) in cases {
        let found = summary(element_type, values);
        assert_eq!(found.mean, Some(mean), "{values:?}");
        assert_eq!(found.standard_deviation, Some(deviation), "{values:?}");
    }
}

/// Numbers close to an integer, from either side, lose no digits of their deviation.
#[test]
fn one_element_beside_many_equal_ones() {
    for element_type in [I8, I16, I32] {
        for (many, one) in [(10.0, 9.0), (10.0, 11.0), (-10.0, -9.0), (-10.0, -11.0)] {
            let mut values = vec![many; 100_000];
            values.push(one);
            let found = summary(element_type, &values);
            let (mean, deviation) = exact(&values);
            let rounding = 4.0 * f64::EPSILON;
            is_near(found.mean, mean, 10.0 * rounding);
            is_near(found.standard_deviation, deviation, deviation * rounding);
        }
    }
}

/// No block has a deviation of its own: all of it lies between the blocks.
#[test]
fn blocks_of_equal_elements() {
    for element_type in ElementType::ALL {
        let values = [[0.0; 1024], [10.0; 1024]].concat();
        let found = summary(element_type, &values);
        assert_eq!(found.mean, Some(5.0), "{element_type}");
        assert_eq!(found.standard_deviation, Some(5.0), "{element_type}");
        let values = [&values[..], &[20.0; 512], &[-10.0; 512]].concat();
        if element_type != U8 {
            let found = summary(element_type, &values);
            assert_eq!(found.mean, Some(5.0), "{element_type}");
            is_near(found.standard_deviation, (275f64 / 3.0).sqrt(), 1e-14);
        }
    }
}

/// Sets of floats that lose digits in sums of squares, or overflow there.
#[test]
fn the_deviation_of_hostile_floats() {
    let noise = || fractions(5).take(40_000);
    let steps = (0..40_000).map(f64::from);
    let blocks = (0..40_000).map(|index| 1e10 + f64::from(index / 1024 % 2));
    for (values, is_equal) in [
        (vec![0.1; 4097], true),
        (vec![1e300 / 3.0; 1025], true),
        (steps.map(|step| 1e8 + step * 1e-6).collect(), false),
        (noise().map(|fraction| 1e9 + fraction * 1e-3).collect(), false),
        (blocks.collect(), false),
        (noise().map(|fraction| 1e15 + (fraction - 0.5) * 6.0).collect(), false),
        // The first is far from the others.
        ([0.0].into_iter().chain(noise().map(|fraction| 1e9 + fraction)).collect(), false),
    ] {
        let found = summary(F64, &values).standard_deviation;
        // Distances to one of the elements lose no digits.
        let distances: Vec<f64> = values.iter().map(|value| value - values[1]).collect();
        match is_equal {
            true => assert_eq!(found, Some(0.0)),
            false => {
                let (_, deviation) = careful(&distances);
                is_near(found, deviation, deviation * 1e-12);
            }
        }
    }
}

/// 0.1 three times is more than 0.3 in an `f64`.
#[test]
fn the_mean_lies_between_the_elements() {
    let mut rounded = 0;
    for (value, count) in [(0.1, 3), (-0.1, 3), (0.7, 10), (1e-310, 7)] {
        let sum: f64 = vec![value; count].iter().sum();
        rounded += u32::from(sum / count as f64 != value);
        let found = summary(F64, &vec![value; count]);
        assert_eq!(found.mean, Some(value));
        assert_eq!((found.min, found.max), (Some(value), Some(value)));
    }
    assert!(rounded > 0, "no mean had to be corrected");
}

#[test]
fn each_value_of_a_byte_has_a_bin() {
    for element_type in [U8, I8] {
        let mut stats = Stats::new(element_type);
        for byte in 0..=u8::MAX {
            stats.push_bytes(&vec![byte; 1 + usize::from(byte)]);
        }
        let histogram = stats.summary().histogram;
        assert_eq!(histogram.width(), 1.0);
        let mut counts: Vec<u64> = (1..=256).collect();
        if element_type == I8 {
            counts.rotate_left(128);
        }
        assert!(histogram.bins().map(|(_, count)| count).eq(counts));
    }
}

#[test]
fn bins_start_at_multiples_of_their_width() {
    let bins = |values: &[f64]| {
        let histogram = summary(I16, values).histogram;
        let bins = histogram.bins().filter(|(_, count)| *count > 0);
        bins.map(|(bin, count)| (bin.start, bin.end, count)).collect::<Vec<_>>()
    };
    let joined = vec![(0.0, 2.0, 1), (2.0, 4.0, 1), (300.0, 302.0, 1)];
    assert_eq!(bins(&[1.0, 2.0, 300.0]), joined);
    assert_eq!(bins(&[300.0, 2.0, 1.0]), joined);
    let below_zero = vec![(-4.0, -2.0, 1), (-2.0, 0.0, 2), (298.0, 300.0, 1)];
    assert_eq!(bins(&[-3.0, -1.0, -2.0, 299.0]), below_zero);
    let halves = summary(F32, &[-1.0, 0.5]).histogram.coarser(2);
    assert!(halves.bins().eq([(-1.0..0.0, 1), (0.0..1.0, 1)]));
}

#[test]
fn bins_beyond_the_last_float_end_at_it() {
    let histogram = summary(F64, &[f64::MAX, f64::MIN]).histogram.coarser(2);
    assert!(histogram.bins().eq([(f64::MIN..0.0, 1), (0.0..f64::MAX, 1)]));
}

// Elements that are left out

#[test]
fn what_is_not_finite_is_counted_and_left_out() {
    let (nan, infinity) = (f64::NAN, f64::INFINITY);
    for element_type in [F32, F64] {
        let values = [nan, 3.0, infinity, -nan, -1.0, -infinity, infinity, 4.0, nan];
        let found = summary(element_type, &values);
        let finite = summary(element_type, &[3.0, -1.0, 4.0]);
        assert_eq!((found.count, found.nan, found.infinite), (9, 3, 3));
        let mut expected = found.clone();
        (expected.count, expected.nan, expected.infinite) = (3, 0, 0);
        assert_eq!(expected, finite);

        let found = summary(element_type, &[nan, infinity]);
        assert_eq!((found.count, found.nan, found.infinite), (2, 1, 1));
        assert_eq!(found.min.or(found.max).or(found.mean).or(found.standard_deviation), None);
        assert_eq!(found.histogram.bins().count(), 0);
    }
}

#[test]
fn nothing_has_no_figures() {
    for element_type in ElementType::ALL {
        let empty = Stats::new(element_type).summary();
        assert_eq!((empty.count, empty.nan, empty.infinite), (0, 0, 0));
        assert_eq!(empty.min.or(empty.max).or(empty.mean).or(empty.standard_deviation), None);
        let histogram = empty.histogram.coarser(1);
        assert_eq!(histogram.bins().count(), 0);
    }
}

#[test]
fn a_part_of_an_element_is_left_out() {
    for element_type in ElementType::ALL {
        let bytes = encoded(element_type, &[1.0, 2.0]);
        for part in 0..element_type.size() {
            let mut stats = Stats::new(element_type);
            stats.push_bytes(&bytes[..element_type.size() + part]);
            assert_eq!(stats.summary(), summary(element_type, &[1.0]));
        }
    }
}

/// A summary covers the elements so far, and does not change the statistics.
#[test]
fn a_summary_on_the_way() {
    for element_type in ElementType::ALL {
        let values = elements(element_type, 0.0, 100.0, 1500);
        let mut stats = Stats::new(element_type);
        for (index, value) in values.iter().enumerate() {
            stats.push_bytes(&encoded(element_type, &[*value]));
            if index % 400 == 0 {
                assert_eq!(stats.summary(), summary(element_type, &values[..=index]));
            }
        }
        assert_eq!(stats.summary(), summary(element_type, &values));
        let shown = format!("{stats:?}");
        assert!(shown.contains("count: 1500"), "{shown}");
    }
}
