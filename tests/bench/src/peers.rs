//! Compares other readers of IDX with this one.

use std::fs::File;
use std::io::BufReader;

use idx_bench::data::Data;
use idx_decoder::{IDXDecoder, types::U8};
use idx_std::{Error, load};
use nalgebra::U3;

use crate::rounds::Group;

/// Readers of plain files. The one of .gz, `mnist_reader`, is measured by `processes`.
pub(crate) fn peers(data: &Data, rounds: usize) -> Result<(), Error> {
    let images = &data.images();
    let open = || BufReader::new(File::open(images).expect("the file is there"));
    Group::new("peers: train-images, 47 MB of u8, not compressed")
        .try_case("`load::<u8>`", || load::<u8>(images))
        .try_case("`open`", || idx_std::open(images))
        .case("idx-decoder 0.0.2, through a `BufReader`", || {
            let decoder = IDXDecoder::<_, U8, U3>::new(open()).expect("a file of u8 x 3");
            decoder.collect::<Vec<_>>()
        })
        .try_case("idx-lib 0.0.2, through a `BufReader`", || idx_lib::read_idx(&mut open()))
        .run(rounds);

    let folder = &data.folder();
    let files = &data.files();
    Group::new("peers: MNIST's four files, 55 MB of u8, not compressed")
        .case("`load::<u8>`", || {
            files.each_ref().map(|path| load::<u8>(path).expect("the file is whole"))
        })
        .case("mnist 0.6.0", || {
            let mut builder = mnist::MnistBuilder::new();
            builder.base_path(folder).training_set_length(60_000);
            builder.validation_set_length(0).test_set_length(10_000).finalize()
        })
        .case("rust-mnist 0.2.0", || rust_mnist::Mnist::new(folder))
        .run(rounds);
    Ok(())
}
