//! Digits and tables in flash: checked by the compiler, borrowed in place, at any address.

#![no_std]
#![no_main]
#![forbid(unsafe_code)]

use core::hint::black_box;

use firmware::{At, Outcome, ensure, print};
use idx_core::{IdxRecord, Records, be};

#[derive(IdxRecord, Clone, Copy)]
#[repr(transparent)]
struct Digit([[u8; 28]; 28]);

#[derive(IdxRecord, Clone, Copy)]
struct Label(#[idx(range = 0..=9)] u8);

static DIGITS: Records<Digit> =
    Records::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/images")));
static LABELS: Records<Label> =
    Records::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/labels")));
/// The sum of each digit's pixels, as computed by the host.
static INK: Records<be::I32> =
    Records::from_static(include_bytes!(concat!(env!("OUT_DIR"), "/ink")));

// The compiler checks the files, and that they belong together.
const _: () = assert!(DIGITS.len() == LABELS.len() && DIGITS.len() == INK.len());

firmware::program!(run);

fn run() -> Outcome {
    show(3)?;
    for (digit, ink) in DIGITS.as_slice().iter().zip(INK.as_slice()) {
        let sum: i32 = digit.0.as_flattened().iter().copied().map(i32::from).sum();
        ensure(sum == ink.get(), "the ink of a digit differs from the host's")?;
    }
    tables()
}

/// Prints a digit, borrowed, under its label, copied.
fn show(index: usize) -> Outcome {
    let digit = DIGITS.as_slice().get(index).ok_or("there is no such digit")?;
    let label = LABELS.get(index).ok_or("there is no such label")?;
    print!("{}\n", label.0);
    for row in &digit.0 {
        for pixel in row {
            print!(
                "{}",
                match pixel {
                    0..64 => ' ',
                    64..160 => '+',
                    160.. => '#',
                }
            );
        }
        print!("\n");
    }
    Ok(())
}

/// Checks the other element types, each at an even and at an odd address.
fn tables() -> Outcome {
    macro_rules! table {
        ($file:literal, $borrowed:ty, $number:expr) => {{
            table!(At<0>, $file, $borrowed, $number);
        }
        {
            table!(At<1>, $file, $borrowed, $number);
        }};
        (At<$distance:literal>, $file:literal, $borrowed:ty, $number:expr) => {
            const SIZE: usize = include_bytes!(concat!(env!("OUT_DIR"), $file)).len();
            static FILE: At<$distance, SIZE> =
                At::new(include_bytes!(concat!(env!("OUT_DIR"), $file)));
            static RECORDS: Records<[$borrowed; 3]> = Records::from_static(&FILE.file);
            check(&FILE.file, RECORDS.as_slice(), $number)?;
        };
    }
    table!("/i8", i8, |number| number * 21);
    table!("/i16", be::I16, |number| i16::from(number) * 5_461);
    table!("/i32", be::I32, |number| i32::from(number) * 357_913_941);
    table!("/f32", be::F32, |number| f32::from(number) / 7.0);
    table!("/f64", be::F64, |number| f64::from(number) / 7.0);
    Ok(())
}

/// Compares a table with the numbers that the host wrote (`tables` in build.rs): once borrowed, and once parsed and
/// copied at run time.
fn check<E, B>(file: &[u8], borrowed: &[[B; 3]], number: impl Fn(i8) -> E) -> Outcome
where
    E: IdxRecord + PartialEq,
    B: Copy + Into<E>,
{
    let copied = Records::<[E; 3]>::parse(black_box(file)).map_err(|error| error.message())?;
    ensure(copied.len() == 4 && borrowed.len() == 4, "a table does not have 4 records")?;
    let records = copied.iter().zip(borrowed).enumerate();
    for ((index, (copied_in_turn, borrowed)), first) in records.zip([-6, -3, 0, 3]) {
        let expected = [first, first + 1, first + 2].map(&number);
        ensure(borrowed.map(B::into) == expected, "a borrowed record is wrong")?;
        ensure(copied_in_turn == expected, "a record of an iterator is wrong")?;
        ensure(copied.get(index) == Some(expected), "a copied record is wrong")?;
    }
    Ok(())
}
