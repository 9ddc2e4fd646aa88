//! A small convolutional network for handwritten digits with burn, on the CPU:
//!
//! `cargo run --release --manifest-path tests/learning/burn/Cargo.toml -- FOLDER`
//!
//! The folder holds the four files of MNIST. The network trains on all training digits, for two epochs,
//! and is tested on all test digits. An accuracy below 98 % is an error.

#![forbid(unsafe_code)]

use std::error::Error;
use std::time::Instant;

use burn::data::dataloader::DataLoaderBuilder;
use burn::module::Module;
use burn::nn::loss::CrossEntropyLossConfig;
use burn::optim::{AdamConfig, GradientsParams};
use burn::tensor::Device;
use idx_data::Normalize;
use idx_data::dataset::Mnist;
use learn_with_burn::data::{Digits, Normalized};
use learn_with_burn::network::Network;

const EPOCHS: usize = 2;
const BATCH_SIZE: usize = 64;
const LEARNING_RATE: f64 = 1e-3;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1);
    let folder = folder.ok_or("usage: learn-with-burn FOLDER")?;
    let start = Instant::now();
    let mnist = Mnist::open(folder)?;
    let normalize = Normalize::from(&mnist.training.summary());
    let (learned, asked) = (mnist.training.len(), mnist.test.len());
    println!("read {} digits in {:.2} s", learned + asked, start.elapsed().as_secs_f32());

    let device = Device::flex();
    device.seed(1);
    let learning = device.clone().autodiff();
    let loader = |device| {
        DataLoaderBuilder::new(Normalized(normalize)).batch_size(BATCH_SIZE).set_device(device)
    };
    let training = loader(learning.clone()).shuffle(1).build(Digits(mnist.training));
    let test = loader(device).build(Digits(mnist.test));

    let start = Instant::now();
    let mut network = Network::new(&learning);
    let mut optimizer = AdamConfig::new().init();
    let loss = CrossEntropyLossConfig::new().init(&learning);
    let mut right = 0;
    for epoch in 1..=EPOCHS {
        for batch in training.iter() {
            let batch = batch?;
            let loss = loss.forward(network.forward(batch.images), batch.labels);
            let gradients = GradientsParams::from_grads(loss.backward(), &network);
            network = optimizer.step(LEARNING_RATE, network, gradients);
        }
        right = 0;
        let network = network.valid();
        for batch in test.iter() {
            let batch = batch?;
            let answers = network.forward(batch.images).argmax(1).flatten(0, 1);
            right += answers.equal(batch.labels).int().sum().into_scalar::<i32>();
        }
        println!(
            "{epoch}: learned {learned} digits, right about {right} of {asked} test digits, after {:.1} s",
            start.elapsed().as_secs_f32()
        );
    }
    if usize::try_from(right)? < asked * 98 / 100 {
        return Err("these are fewer than 98 %".into());
    }
    Ok(())
}
