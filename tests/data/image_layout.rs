//! The records that are pictures, and the layout of their pixels.

use idx_data::ImageLayout;

#[test]
fn records_that_are_pictures() {
    // Returns the height, the width, if there are three channels, and the index of the last channel of pixel 1.
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
