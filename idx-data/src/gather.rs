//! Sets and maps without a sort, and the value that all items share.

/// Collects into a set, a map, or one value.
pub(crate) trait Gather: Iterator + Sized {
    /// Inserts one item after the other. `collect` would sort them first, and a sort is 5 KB of code for each type.
    fn gather<C: Default + Extend<Self::Item>>(self) -> C {
        let mut gathered = C::default();
        gathered.extend(self);
        gathered
    }

    /// Returns the value of all items; `None` if they differ, or if there is none.
    fn common(mut self) -> Option<Self::Item>
    where
        Self::Item: PartialEq,
    {
        let first = self.next()?;
        self.all(|other| other == first).then_some(first)
    }
}

impl<I: Iterator> Gather for I {}
