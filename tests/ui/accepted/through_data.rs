//! The derive through `idx_data` alone.

#[derive(idx_data::IdxRecord, Debug, PartialEq, Clone, Copy)]
#[repr(transparent)]
struct Digit([[u8; 2]; 2]);

#[derive(idx_data::IdxRecord, Debug, PartialEq, Clone, Copy)]
#[repr(u8)]
enum Answer {
    No,
    Yes,
}

#[test]
fn run() {
    let digits = idx_data::Records::<Digit>::parse(&[
        0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4,
    ]);
    assert_eq!(digits.unwrap().get(0), Some(Digit([[1, 2], [3, 4]])));
    let answers = idx_data::Records::<Answer>::parse(&[0, 0, 8, 1, 0, 0, 0, 2, 1, 0]);
    assert!(answers.unwrap().iter().eq([Answer::Yes, Answer::No]));
}
