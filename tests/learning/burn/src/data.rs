//! MNIST for burn: a data set, and how batches of it become tensors.

use burn::data::dataloader::batcher::Batcher;
use burn::data::dataset::{Dataset, DatasetError};
use burn::tensor::{Device, Int, Tensor, TensorData};
use idx_std::mnist::{Image, Label};
use idx_std::{Labeled, Normalize};

/// Images and labels where idx-std has them, in its order; only what is asked for is copied.
#[derive(Debug)]
pub struct Digits(pub Labeled<Image, Label>);

impl Dataset<(Image, Label)> for Digits {
    fn get(&self, index: usize) -> Result<(Image, Label), DatasetError> {
        let digit = self.0.get(index);
        // As burn wants it.
        Ok(digit.unwrap_or_else(|| panic!("there is no digit {index} of {}", self.0.len())))
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

/// Some digits, as the network takes them.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Digits x 1 channel x 28 rows x 28 columns.
    pub images: Tensor<4>,
    /// What they are.
    pub labels: Tensor<1, Int>,
}

/// Makes batches of pixels in this scale.
#[derive(Debug)]
pub struct Scaled(pub Normalize);

impl Batcher<(Image, Label), Batch> for Scaled {
    fn batch(&self, digits: Vec<(Image, Label)>, device: &Device) -> Batch {
        let pixels = digits.iter().flat_map(|(image, _)| image.as_flattened());
        let pixels: Vec<f32> = pixels.map(|pixel| self.0.apply(*pixel)).collect();
        let labels: Vec<i32> = digits.iter().map(|(_, label)| i32::from(*label)).collect();
        Batch {
            images: Tensor::from_data(TensorData::new(pixels, [digits.len(), 1, 28, 28]), device),
            labels: Tensor::from_data(TensorData::new(labels, [digits.len()]), device),
        }
    }
}
