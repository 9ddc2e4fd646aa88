/// What is wrong with the header of an npy file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NpyError {
    /// The first bytes are not those of an npy file.
    #[error("this is not an npy file; write it with `numpy.save`")]
    NotNpy,
    /// The file ends within its header.
    #[error("the header of the npy file is truncated; download or copy the file again")]
    Truncated,
    /// A version other than 1, 2 and 3.
    #[error(
        "this npy file has version {major}, but only 1 to 3 are known; write it with an older NumPy"
    )]
    Version {
        /// The number before the point.
        major: u8,
    },
    /// The text of the header is not a dictionary of `descr`, `fortran_order` and `shape`.
    #[error("the header of the npy file is invalid; write it again with `numpy.save`")]
    Header,
    /// The elements are not numbers, or of a type without an equivalent.
    #[error(
        "the elements of this npy file are {descr}, which IDX cannot hold; convert them in NumPy with \
         `astype`"
    )]
    ElementType {
        /// What NumPy calls it.
        descr: String,
    },
    /// The header claims more than 1 MiB.
    #[error(
        "the header of the npy file has {size} bytes, and more than 1 MiB is not read; write it again with \
         `numpy.save`"
    )]
    #[non_exhaustive]
    HeaderTooLarge {
        /// Its size in bytes.
        size: u32,
    },
    /// There are more dimensions than the 255 that IDX can have; NumPy has at most 64.
    #[error("the array has {found} dimensions, and the maximum is 255; reshape it in NumPy")]
    #[non_exhaustive]
    TooManyDimensions {
        /// The number of dimensions.
        found: usize,
    },
    /// There are more dimensions than the 64 of NumPy, or the 32 of those before NumPy 2, in a file to be written.
    #[error(
        "NumPy has at most 64 dimensions, and these are {found}; write IDX, or merge some of them"
    )]
    #[non_exhaustive]
    TooManyForNumpy {
        /// The number of dimensions.
        found: usize,
    },
    /// An array in Fortran order, which is needed as a whole, is larger than the limit for a record.
    #[error(
        "the array is in Fortran order, so that all of its {needed} bytes are needed at a time, and the limit is \
         {limit}; write it with `numpy.ascontiguousarray`, or raise the limit"
    )]
    #[non_exhaustive]
    FortranOrder {
        /// The size of the array in bytes.
        needed: u64,
        /// The maximum number of bytes.
        limit: u64,
    },
    /// The sizes multiply to more bytes than 64 bits can count.
    #[error(
        "the payload size in the header of the npy file overflows 64 bits; write the file again with \
         `numpy.save`"
    )]
    TooLarge,
}
