//! Sets and maps without a sort.

/// Collects into a set or map.
pub(crate) trait Gather: Iterator + Sized {
    /// Inserts one item after the other. `collect` would sort them first, and a sort is 5 KB of code for each type.
    fn gather<C: Default + Extend<Self::Item>>(self) -> C {
        let mut gathered = C::default();
        gathered.extend(self);
        gathered
    }
}

impl<I: Iterator> Gather for I {}
