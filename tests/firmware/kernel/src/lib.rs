//! A loop over many numbers, in a crate of its own: the program stays small at `opt-level = "z"`, and its Cargo.toml
//! sets `opt-level = 3` for this crate only. tests/firmware/size measures it.

#![no_std]
#![forbid(unsafe_code)]

/// Returns the dot product of weights, as `Records::to_array` decodes them, and inputs. Unrolled by four: with
/// link-time optimization, the opt-level of the program decides how loops are unrolled.
#[inline(never)]
pub fn dot(weights: &[i16], inputs: &[u8]) -> i32 {
    let (fours, weights) = weights.as_chunks::<4>();
    let (inputs_of_fours, inputs) = inputs.as_chunks::<4>();
    let mut sum = 0;
    for (weights, inputs) in fours.iter().zip(inputs_of_fours) {
        sum += products(weights, inputs);
    }
    sum + products(weights, inputs)
}

fn products(weights: &[i16], inputs: &[u8]) -> i32 {
    let pairs = weights.iter().zip(inputs);
    pairs.map(|(weight, input)| i32::from(*weight) * i32::from(*input)).sum()
}
