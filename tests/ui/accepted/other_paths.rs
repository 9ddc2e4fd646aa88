//! The derive through `idx_std` alone, and under other names.

mod deeply {
    pub mod renamed {
        pub use idx_std::*;
    }
    pub mod mnist_io {
        pub use idx_core::*;
    }
}
use deeply::mnist_io;

#[derive(idx_std::IdxRecord, Debug, PartialEq, Clone, Copy)]
#[repr(transparent)]
struct ThroughStd([u8; 2]);

#[derive(idx_core::IdxRecord, Debug, PartialEq)]
#[idx(crate = "crate::accepted::other_paths::deeply::renamed")]
struct ByModule {
    a: u8,
    #[idx(range = 0..=1)]
    b: u8,
}

#[derive(idx_std::IdxRecord, Debug, PartialEq, Clone, Copy)]
#[idx(crate = "mnist_io")]
#[repr(u8)]
enum ByName {
    A = 1,
}

#[test]
fn run() {
    use idx_std::{IdxRecord as _, Records};
    assert_eq!(ThroughStd::decode(&[1, 2]), Some(ThroughStd([1, 2])));
    assert_eq!(ByModule::decode(&[1, 1]), Some(ByModule { a: 1, b: 1 }));
    assert_eq!(ByName::decode(&[1]), Some(ByName::A));
    let records = Records::<ThroughStd>::parse(b"\0\0\x08\x02\0\0\0\x01\0\0\0\x02ab").unwrap();
    assert_eq!(records.as_slice(), [ThroughStd(*b"ab")]);
}
