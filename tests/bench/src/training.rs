//! Measures an epoch of batches.

use std::hint::black_box;

use idx_bench::data::{Data, Digit};
use idx_data::{Labeled, Normalize};
use idx_std::{Error, IdxBuf};

use crate::rounds::Group;

/// An epoch of MNIST in random order.
pub(crate) fn batches(data: &Data, rounds: usize) -> Result<(), Error> {
    const BARE: &str = "a bare loop that gathers and divides by 255";
    const SIZE: usize = 128;
    let [images, labels, ..] = data.files();
    let file = idx_std::open(images)?;
    let payload = file.as_idx().payload();
    let copy = IdxBuf::from_bytes(file.bytes())?;
    let set = Labeled::<Digit, u8>::new(copy, idx_std::open(labels)?);
    let set = set.expect("labels of these images").shuffled(7);
    let order: Vec<usize> = (0..set.len()).filter_map(|index| set.file_index(index)).collect();
    let (mut bare, mut pixels) = (Vec::new(), Vec::new());
    Group::new("batches: an epoch of MNIST in random order, 128 at a time, as f32 from 0 to 1")
        .case(BARE, || {
            for batch in order.chunks(SIZE) {
                bare.clear();
                for index in batch {
                    let image = &payload[784 * index..][..784];
                    bare.extend(image.iter().map(|pixel| f32::from(*pixel) / 255.0));
                }
                black_box(&bare);
            }
        })
        .try_case("`pixels_into`", || {
            set.batches(SIZE).try_for_each(|batch| {
                batch.pixels_into(Normalize::UNIT, &mut pixels)?;
                black_box(&pixels);
                Ok::<_, idx_data::Error>(())
            })
        })
        .try_case("`pixels`", || {
            set.batches(SIZE)
                .try_for_each(|batch| batch.pixels(Normalize::UNIT).map(|all| drop(black_box(all))))
        })
        .try_case("`prepared_batches`, and nothing else", || {
            let prepare = |batch: Labeled<_, _>| batch.pixels(Normalize::UNIT);
            set.prepared_batches(SIZE, prepare)?
                .try_for_each(|all| all.map(|all| drop(black_box(all))))
        })
        .target("`pixels_into`", 0.5, BARE)
        .run(rounds);
    Ok(())
}
