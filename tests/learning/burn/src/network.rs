//! The network: two convolutions, each with a pool behind it, and two layers that see everything.

use burn::module::Module;
use burn::nn::conv::{Conv2d, Conv2dConfig};
use burn::nn::pool::{MaxPool2d, MaxPool2dConfig};
use burn::nn::{Linear, LinearConfig};
use burn::tensor::activation::relu;
use burn::tensor::{Device, Tensor};

/// The shapes behind each step: 28 x 28, 8 x 24 x 24, 8 x 12 x 12, 16 x 8 x 8, 16 x 4 x 4, 64, 10.
#[derive(Module, Debug)]
pub struct Network {
    strokes: Conv2d,
    shapes: Conv2d,
    pool: MaxPool2d,
    hidden: Linear,
    answer: Linear,
}

impl Network {
    /// One that has learned nothing.
    pub fn new(device: &Device) -> Self {
        Self {
            strokes: Conv2dConfig::new([1, 8], [5, 5]).init(device),
            shapes: Conv2dConfig::new([8, 16], [5, 5]).init(device),
            pool: MaxPool2dConfig::new([2, 2]).init(),
            hidden: LinearConfig::new(16 * 4 * 4, 64).init(device),
            answer: LinearConfig::new(64, 10).init(device),
        }
    }

    /// A score for each image and class.
    pub fn forward(&self, images: Tensor<4>) -> Tensor<2> {
        let strokes = self.pool.forward(relu(self.strokes.forward(images)));
        let shapes = self.pool.forward(relu(self.shapes.forward(strokes)));
        self.answer.forward(relu(self.hidden.forward(shapes.flatten(1, 3))))
    }
}
