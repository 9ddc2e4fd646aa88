//! MNIST for burn: a data set, and how batches of it become tensors.

use burn::data::dataloader::batcher::Batcher;
use burn::data::dataset::{Dataset, DatasetError};
use burn::tensor::{Device, Int, Tensor, TensorData};
use idx_data::dataset::mnist::Image;
use idx_data::{Labeled, Normalize};

/// A class, 0 to 9.
type Label = u8;

/// Images and labels in the memory and the order of idx-std; `get` copies one pair.
#[derive(Debug)]
pub struct Digits(pub Labeled<Image, Label>);

impl Dataset<(Image, Label)> for Digits {
    fn get(&self, index: usize) -> Result<(Image, Label), DatasetError> {
        let digit = self.0.get(index);
        // As burn wants it.
        Ok(digit
            .unwrap_or_else(|| panic!("digit {index} is out of range; there are {}", self.0.len())))
    }

    fn len(&self) -> usize {
        self.0.len()
    }
}

/// Some digits, in the form that the network takes.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Digits x 1 channel x 28 rows x 28 columns.
    pub images: Tensor<4>,
    /// Their classes.
    pub labels: Tensor<1, Int>,
}

/// Makes batches of normalized pixels.
#[derive(Debug)]
pub struct Normalized(pub Normalize);

impl Batcher<(Image, Label), Batch> for Normalized {
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
