//! Which records are pictures, and the layout of their pixels.

use idx_data::ImageLayout;

#[test]
fn records_that_are_pictures() {
    // Height and width, whether there are three channels, and where the last of pixel 1 is.
    let facts = |shape: &[u32]| {
        let image = ImageLayout::from_shape(shape).unwrap();
        let channel = if image.is_color() { 2 } else { 0 };
        (image.height(), image.width(), image.is_color(), image.index(1, channel))
    };
    assert_eq!(facts(&[28, 20]), (28, 20, false, 1));
    assert_eq!(facts(&[32, 30, 3]), (32, 30, true, 5));
    assert_eq!(facts(&[3, 32, 30]), (32, 30, true, 2 * 32 * 30 + 1));
    assert_eq!(facts(&[1, 32, 30]), (32, 30, false, 1));
    assert_eq!(facts(&[32, 30, 1]), (32, 30, false, 1));
    for none in [&[][..], &[8], &[0, 3], &[3, 0], &[2, 3, 4], &[2, 2, 2, 2]] {
        assert_eq!(ImageLayout::from_shape(none), None);
    }
}

#[test]
fn rows_become_columns() {
    let transposed = |shape: [u32; 3], record: &[u8]| {
        let mut target = Vec::new();
        let image = ImageLayout::from_shape(&shape).unwrap();
        image.transpose(record, 1, &mut target);
        (image.transposed_shape(&shape), target)
    };
    assert_eq!(transposed([1, 2, 2], &[1, 2, 3, 4]), (vec![1, 2, 2], vec![1, 3, 2, 4]));
    // A pixel's channels stay together.
    let record = [1, 2, 3, 4, 5, 6];
    assert_eq!(transposed([2, 1, 3], &record), (vec![1, 2, 3], record.to_vec()));
    assert_eq!(transposed([3, 2, 1], &record), (vec![3, 1, 2], record.to_vec()));
}
