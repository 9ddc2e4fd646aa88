//! Numbers scaled, normalized, transposed and converted to another type.

use std::fs;

use idx_data::{Chance, Error, Record, TransformOptions, open};
use idx_std::ElementType;
use idx_tests::file;

use crate::common::{folder, numbers, opened};

#[test]
fn records_are_scaled_and_transposed() {
    let folder = folder(&[("one", &file(8, &[256, 1, 1], &(0..=255).collect::<Vec<u8>>()))]);
    let changed = |options: TransformOptions, byte: u8| {
        let byte = u64::from(byte);
        let source = opened(&folder, "one").select(byte..byte + 1).unwrap();
        let mut record = Record::default();
        assert!(source.changed(&options).unwrap().read(&mut record).unwrap());
        record.bytes
    };
    let unit = TransformOptions::new().scale([0.0, 1.0]);
    // Like `ToTensor` and `Normalize` of torchvision.
    let normalized = unit.clone().normalize([0.1307, 0.3081]).element_type(ElementType::F64);
    for byte in 0..=255 {
        let expected = f32::from(byte) / 255.0;
        assert_eq!(changed(unit.clone(), byte), expected.to_be_bytes());
        let expected = (f64::from(byte) / 255.0 - 0.1307) / 0.3081;
        assert_eq!(changed(normalized.clone(), byte), expected.to_be_bytes());
    }
    let turned = unit.scale([127.0, -128.0]).element_type(ElementType::I8);
    assert_eq!(changed(turned.clone(), 0), [127]);
    assert_eq!(changed(turned, 255), [128]);
    let integers = normalized.element_type(ElementType::U8);
    let error = opened(&folder, "one").changed(&integers).unwrap_err();
    assert!(error.to_string().contains("are fractions, and u8"));
    let transposed = TransformOptions::new().transpose(true);
    let transposed = opened(&folder, "one").changed(&transposed).unwrap();
    assert_eq!(transposed.facts().layout.dims, [256, 1, 1]);
    // Columns become rows, with elements of the new type.
    fs::write(folder.path().join("wide"), file(8, &[1, 2, 3], &[1, 2, 3, 4, 5, 6])).unwrap();
    let wider = TransformOptions::new().transpose(true).element_type(ElementType::I16);
    let mut record = Record::default();
    assert!(opened(&folder, "wide").changed(&wider).unwrap().read(&mut record).unwrap());
    assert_eq!(record.bytes, [0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6]);
}

#[test]
fn changed_numbers_stay_finite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbers.idx");
    type Numbers = Option<[f64; 2]>;
    let changed = |numbers: &[f64],
                   element_type: ElementType,
                   scale: Numbers,
                   normalize: Numbers| {
        idx_std::save(&path, &[1, 2], numbers).unwrap();
        let source = open(&path).unwrap();
        let options =
            TransformOptions::new().element_type(element_type).scale(scale).normalize(normalize);
        let mut source = source.changed(&options).unwrap();
        let mut record = Record::default();
        match source.read(&mut record) {
            Ok(_) => {
                let elements = record.bytes.chunks(element_type.size());
                Ok(elements.map(|bytes| element_type.value(bytes).unwrap()).collect::<Vec<_>>())
            }
            Err(error) => Err(error.sentence()),
        }
    };
    use ElementType::{F32, F64, U8};
    for (numbers, element_type, scale, normalize, expected) in [
        (
            [1e300, 0.5],
            F32,
            Some([0.0, 1.0]),
            None,
            "1e300 is not between 0 and 1, the default range of f64; give the range to scale from",
        ),
        (
            [0.5, -1e300],
            F32,
            None,
            Some([0.0, 2.0]),
            "-1e300 becomes -5e299, which does not fit f32; scale from another range, or choose another element type",
        ),
        (
            [3e38, 1.5],
            F32,
            Some([0.0, 255.0]),
            None,
            "3e38 is not between 0 and 1, the default range of f64; give the range to scale from",
        ),
        (
            [0.1, 1e300],
            F64,
            None,
            Some([0.0, 1e-300]),
            "1e300 becomes too large for f64; scale to a smaller range, or divide by a larger deviation",
        ),
        (
            [0.0, 0.1],
            F64,
            Some([-1e308, 1e308]),
            None,
            "0.0 becomes too large for f64; scale to a smaller range, or divide by a larger deviation",
        ),
        (
            [0.0, 1e300],
            U8,
            Some([0.0, 1e300]),
            None,
            "1e300 is not between 0 and 1, the default range of f64; give the range to scale from",
        ),
        (
            [0.0, 2.0],
            U8,
            Some([0.0, 255.0]),
            None,
            "2.0 is not between 0 and 1, the default range of f64; give the range to scale from",
        ),
        (
            [0.0, f64::INFINITY],
            U8,
            Some([0.0, 255.0]),
            None,
            "inf does not fit u8; choose another element type",
        ),
        (
            [0.0, f64::NAN],
            U8,
            Some([0.0, 255.0]),
            None,
            "NaN does not fit u8; choose another element type",
        ),
    ] {
        let found = changed(&numbers, element_type, scale, normalize);
        assert_eq!(found.unwrap_err(), format!("record 0: {expected}"));
    }
    for element_type in [F32, F64] {
        let infinite = [f64::NEG_INFINITY, f64::INFINITY];
        let found = changed(&infinite, element_type, Some([0.0, 2.0]), Some([1.0, 2.0]));
        assert_eq!(found.unwrap(), infinite);
        let found = changed(&[f64::NAN, -0.0], element_type, None, Some([0.0, 1.0])).unwrap();
        assert!(found[0].is_nan() && found[1].is_sign_negative());
    }
    // The largest f32, and what rounds to it.
    let largest = f64::from(f32::MAX);
    let found = changed(&[largest, largest * (1.0 + 1e-9)], F32, None, Some([0.0, 1.0]));
    assert_eq!(found.unwrap(), [largest; 2]);
}

#[test]
fn numbers_that_cannot_be_meant() {
    let (_folder, source) = numbers();
    let chance = Chance { part: Some(0.5..0.2), ..Chance::default() };
    let error = source.divide(&chance).unwrap_err();
    assert_eq!(error.kind().code(), "mismatch");
    assert_eq!(error.kind().to_string(), "the part 0.5..0.2 ends before it starts; swap its ends");
    let options = TransformOptions::new;
    for (options, expected) in [
        (
            options().scale([f64::NAN, 1.0]),
            "NaN is not finite; scale and normalize by finite numbers",
        ),
        (options().scale([0.0, f64::INFINITY]), "inf is not finite"),
        (options().normalize([0.5, f64::NAN]), "NaN is not finite"),
        (options().normalize([f64::NEG_INFINITY, 1.0]), "-inf is not finite"),
        (options().normalize([0.5, 0.0]), "numbers cannot be divided by a deviation of 0;"),
        (options().normalize([0.5, -0.25]), "numbers cannot be divided by a deviation of -0.25;"),
    ] {
        let (_folder, source) = numbers();
        let error = source.changed(&options).unwrap_err();
        assert_eq!(error.kind().code(), "mismatch");
        assert!(error.kind().to_string().starts_with(expected), "{error}");
    }
}

/// Records that are read several at a time change as single ones do, and the error about a number that does not fit
/// names its record.
#[test]
fn records_change_several_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let new = TransformOptions::new;
    let mut several = 0;
    for (shape, bad, options) in [
        (&[150_000][..], None, new().scale([0.0, 1.0])),
        (&[50_000, 3], None, new().element_type(ElementType::F64)),
        (&[5000, 2, 5, 3], None, new().transpose(true)),
        (&[5000, 2, 5, 3], None, new().transpose(true).normalize([0.5, 2.0])),
        (&[150_000], Some(143_210), new().element_type(ElementType::U8)),
        (&[50_000, 3], Some(143_222), new().element_type(ElementType::I8)),
        (&[50_000, 3], Some(143_222), new().scale([0.0, 3e38]).scale_from([0.0, 100.0])),
    ] {
        for name in ["a.idx", "a.npy", "a.idx.gz"] {
            let mut numbers: Vec<i16> = (0..150_000).map(|number| (number % 100) as i16).collect();
            if let Some(bad) = bad {
                numbers[bad] = 300;
            }
            let (path, idx) = (folder.path().join(name), folder.path().join("a.idx"));
            idx_std::save(&idx, shape, &numbers).unwrap();
            if path != idx {
                let written = open(&idx).unwrap().write(&path).unwrap();
                assert_eq!(written.records, shape[0] as u64);
                assert_eq!(written.layout, open(&path).unwrap().facts().layout);
            }
            let mut read = |many: bool| {
                let mut source = open(&path)?.changed(&options)?;
                let (mut bytes, mut record) = (Vec::new(), Record::default());
                loop {
                    let count = match many {
                        true => source.read_many(&mut record)?,
                        false => source.read(&mut record).map(u64::from)?,
                    };
                    if count == 0 {
                        return Ok::<_, Error>(bytes);
                    }
                    several += usize::from(count > 1);
                    bytes.extend_from_slice(&record.bytes);
                }
            };
            let [one_by_one, many] = [false, true].map(&mut read);
            match bad {
                None => assert_eq!(one_by_one.unwrap(), many.unwrap(), "{name} {shape:?}"),
                Some(bad) => {
                    let [error, other] = [one_by_one, many].map(Result::unwrap_err);
                    let size: usize = shape[1..].iter().product();
                    let record = error.position().unwrap().record;
                    assert_eq!(record, (bad / size) as u64, "{error}");
                    assert_eq!(error.to_string(), other.to_string());
                }
            }
        }
    }
    assert!(several > 25, "{several}");
}
