//! Numbers of all types, and which of them an element type can represent.

use idx_data::{DType, Value};
use idx_std::ElementType;

use ElementType::{F32, F64, I8, I16, I32, U8};

fn fits(number: Value, element_type: ElementType) -> bool {
    let mut bytes = Vec::new();
    let fits = number.append_to(&mut bytes, element_type).is_ok();
    assert_eq!(bytes.len(), if fits { element_type.size() } else { 0 });
    if fits && number != Value::Float(-0.0) {
        let read = DType::Element(element_type).value(&bytes).unwrap();
        assert_eq!(read.to_f64(), number.to_f64());
    }
    fits
}

#[test]
fn each_type_has_its_own_extremes_and_none_beyond() {
    let extremes = [
        (U8, 0, 255),
        (I8, -128, 127),
        (I16, -32_768, 32_767),
        (I32, -2_147_483_648, 2_147_483_647),
        (F32, -(1 << 24), 1 << 24),
        (F64, -(1 << 53), 1 << 53),
    ];
    for (element_type, least, greatest) in extremes {
        for inside in [least, least + 1, greatest - 1, greatest] {
            assert!(fits(Value::Integer(inside), element_type));
        }
        for outside in [least - 1, greatest + 1] {
            assert!(!fits(Value::Integer(outside), element_type));
        }
    }
    assert!(fits(Value::Integer(1 << 63), F32));
    for beyond in [i128::from(u64::MAX), i128::from(i64::MAX), i128::MAX] {
        assert!(!fits(Value::Integer(beyond), F64));
    }
}

#[test]
fn floats_keep_their_value_or_do_not_fit() {
    for whole in [0.0, -0.0, 7.0, 255.0] {
        for element_type in ElementType::ALL {
            // 255 is none of i8.
            assert_eq!(
                fits(Value::Float(whole), element_type),
                element_type != I8 || whole < 128.0
            );
        }
    }
    for other in [0.5, 1e10 + 0.5, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        for integer in [U8, I8, I16, I32] {
            assert!(!fits(Value::Float(other), integer), "{other}");
        }
    }
    assert_eq!(Value::Float(f64::NAN).to_integer(), None);
    assert_eq!(Value::Float(2f64.powi(127)).to_integer(), None);
    assert_eq!(Value::Float(-2f64.powi(127)).to_integer(), Some(i128::MIN));
    assert!(fits(Value::Float(f64::INFINITY), F32));
    assert!(!fits(Value::Float(0.1), F32));
    assert!(!fits(Value::Float(f64::MAX), F32));
    let mut bytes = Vec::new();
    Value::Float(f64::NAN).append_to(&mut bytes, F32).unwrap();
    assert!(f32::from_be_bytes(bytes.try_into().unwrap()).is_nan());
}

#[test]
fn the_same_type_keeps_every_bit() {
    let signalling = [0x7F, 0x80, 0, 1, 0x80, 0, 0, 0];
    let mut bytes = Vec::new();
    DType::from(F32).convert(&signalling, F32, &mut bytes).unwrap();
    assert_eq!(bytes, signalling);
}

#[test]
fn the_integers_that_idx_has_not() {
    let values = [
        (DType::U16, &[255; 2][..], i128::from(u16::MAX)),
        (DType::U32, &[255; 4], i128::from(u32::MAX)),
        (DType::U64, &[255; 8], i128::from(u64::MAX)),
        (DType::I64, &[255; 8], -1),
    ];
    for (number_type, bytes, value) in values {
        assert_eq!(number_type.size(), bytes.len());
        assert_eq!(number_type.value(bytes), Some(Value::Integer(value)));
        assert_eq!(number_type.value(&bytes[1..]), None);
        assert_eq!(number_type.element_type(), None);
    }
}

/// All bytes of two, and the extremes of the others, read as Rust reads them.
#[test]
fn numbers_of_the_element_types() {
    let integer = |element_type, bytes: &[u8], value: i128| {
        let number = DType::from(element_type).value(bytes);
        assert_eq!(number, Some(Value::Integer(value)), "{element_type}");
    };
    for (high, low) in (0..=u8::MAX).flat_map(|high| (0..=u8::MAX).map(move |low| (high, low))) {
        integer(U8, &[low], low.into());
        integer(I8, &[low], low.cast_signed().into());
        integer(I16, &[high, low], i16::from_be_bytes([high, low]).into());
    }
    for value in [i32::MIN, -1, 0, 1, i32::MAX] {
        integer(I32, &value.to_be_bytes(), value.into());
    }
    for value in [0.0, -0.1, f32::MIN_POSITIVE, f32::MAX, f32::INFINITY] {
        let number = DType::from(F32).value(&value.to_be_bytes());
        assert_eq!(number, Some(Value::Float(value.into())));
        let number = DType::from(F64).value(&f64::from(value).to_be_bytes());
        assert_eq!(number, Some(Value::Float(value.into())));
    }
    for element_type in ElementType::ALL {
        let number_type = DType::from(element_type);
        assert_eq!(number_type.size(), element_type.size());
        assert_eq!(number_type.name(), element_type.name());
        assert_eq!(number_type.element_type(), Some(element_type));
        for size in (0..10).filter(|size| *size != element_type.size()) {
            assert_eq!(number_type.value(&vec![0; size]), None, "{element_type}");
        }
    }
}

/// Every type into every element type: all of a row, or those before the first that does not fit.
#[test]
fn conversions_stop_at_the_first_that_does_not_fit() {
    use DType::{I64, U16, U32, U64};
    let types = ElementType::ALL.map(DType::from);
    for number_type in types.into_iter().chain([U16, U32, U64, I64]) {
        let small = |value: u8| match number_type {
            DType::Element(F32) => f32::from(value).to_be_bytes().to_vec(),
            DType::Element(F64) => f64::from(value).to_be_bytes().to_vec(),
            _ => [&vec![0; number_type.size() - 1][..], &[value]].concat(),
        };
        for element_type in ElementType::ALL {
            let numbers = [small(0), small(100), small(127)].concat();
            let mut target = vec![9];
            number_type.convert(&numbers, element_type, &mut target).unwrap();
            let values: Vec<_> = target[1..].chunks(element_type.size()).collect();
            let values: Vec<_> = values.iter().map(|bytes| element_type.value(bytes)).collect();
            assert_eq!(values, [Some(0.0), Some(100.0), Some(127.0)]);
            assert_eq!(target[0], 9, "what was there stays");
        }
    }
    for (numbers, message) in [
        (&[0, 7, 1, 0, 0, 8][..], "256 does not fit u8"),
        (&[0, 7, 0xFF, 0xFF, 0, 8], "65535 does not fit u8"),
    ] {
        let mut target = Vec::new();
        let error = U16.convert(numbers, U8, &mut target).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.element_type, U8);
        assert_eq!(target, [7]);
    }
    let mut target = Vec::new();
    let numbers = [&f64::to_be_bytes(0.5)[..], &1e300f64.to_be_bytes()].concat();
    let error = DType::from(F64).convert(&numbers, F32, &mut target);
    assert_eq!(error.unwrap_err().to_string(), "1e300 does not fit f32");
    assert_eq!(target, 0.5f32.to_be_bytes());
}

#[test]
fn floats_and_integers_become_each_other_only_exactly() {
    for (integer, float) in [
        (0, Some(0.0)),
        (-5, Some(-5.0)),
        ((1 << 53) + 1, None),
        (1 << 53, Some(2f64.powi(53))),
        (i64::MAX.into(), None),
        (i64::MIN.into(), Some(-2f64.powi(63))),
        (1 << 63, Some(2f64.powi(63))),
        ((1 << 63) + (1 << 10), None),
        (-(1 << 63) - (1 << 11), Some(-2f64.powi(63) - 2f64.powi(11))),
        ((1 << 100) + (1 << 48), Some(2f64.powi(100) + 2f64.powi(48))),
        ((1 << 100) + (1 << 47), None),
        (i128::MIN, Some(-2f64.powi(127))),
        (i128::MAX, None),
    ] {
        assert_eq!(Value::Integer(integer).to_f64(), float);
        assert_eq!(Value::Integer(integer).to_integer(), Some(integer));
        if let Some(float) = float {
            assert_eq!(Value::Float(float).to_integer(), Some(integer));
        }
    }
    for float in [0.5, -0.1, f64::INFINITY, f64::NEG_INFINITY, f64::MAX] {
        assert_eq!(Value::Float(float).to_integer(), None, "{float}");
        assert_eq!(Value::Float(float).to_f64(), Some(float));
    }
}
