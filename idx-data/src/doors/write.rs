//! Writes a source, or a set, as one job: under a name, or to a writer.

use std::io::{self, Seek, Write};
use std::path::Path;

use crate::chain::Source;
use crate::doors::outputs::Outputs;
use crate::doors::set::Set;
use crate::doors::sink::{Written, expect_outside};
use crate::error::{Error, ErrorKind};
use crate::names::format::Format;
use crate::record::options::CreateOptions;

impl Source {
    /// Writes all records with their labels and class names. The name chooses the format. An existing file is replaced
    /// when the new one is complete.
    ///
    /// Labels and class names that the format cannot hold go to files next to the records: `own-labels-idx1-ubyte` and
    /// `own-classes.txt` for `own-images-idx3-ubyte`. All of them appear, or none does.
    ///
    /// ```
    /// use idx_data::open;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name| folder.path().join(name);
    /// # idx_std::save(path("a.idx"), &[3, 2], &[1_u8, 2, 3, 4, 5, 6])?;
    ///
    /// let written = open(path("a.idx"))?.select(1..)?.write(path("b.npy"))?;
    /// assert_eq!(written.records, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of reading, of [`Outputs::add`] and of [`Outputs::write`].
    pub fn write(self, path: impl AsRef<Path>) -> Result<Written, Error> {
        self.write_with(path, &CreateOptions::new())
    }

    /// Writes all records, as [`write`](Self::write) does, with options.
    ///
    /// # Errors
    ///
    /// The errors of [`write`](Self::write).
    pub fn write_with(
        self,
        path: impl AsRef<Path>,
        options: &CreateOptions,
    ) -> Result<Written, Error> {
        Outputs::new(options).add(self, path)?.write_one()
    }

    /// Writes all records in this format to a writer, such as `&mut Vec<u8>`.
    ///
    /// The writer gets the file when it is complete, and nothing after an error. IDX and npy are single arrays, without
    /// labels, as [`Written`] reports, and PNG is the picture of one record.
    ///
    /// To write csv line by line, and for options, see [`Outputs::add_stream`].
    ///
    /// # Errors
    ///
    /// The errors of reading, of [`Outputs::add_stream`] and of [`Outputs::write`].
    pub fn write_to(self, format: Format, mut writer: impl Write) -> Result<Written, Error> {
        let mut file = tempfile::tempfile().map_err(Error::temporary)?;
        let stream = Box::new(file.try_clone().map_err(Error::temporary)?);
        let mut outputs = Outputs::new(&CreateOptions::new().format(format));
        let written = outputs.add_stream(self, "", stream)?.write_one().map_err(of_the_copy)?;
        file.rewind().map_err(Error::temporary)?;
        io::copy(&mut file, &mut writer).map_err(ErrorKind::output)?;
        writer.flush().map_err(ErrorKind::output)?;
        Ok(written)
    }
}

/// Names the folder of the copy in the errors of writing it; the other errors are those of reading.
fn of_the_copy(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Output(_) => Error::temporary(error),
        _ => error,
    }
}

impl Set {
    /// Checks that a new file or folder is not in the folder of an input, which would then include it. All functions
    /// that write the set check this.
    ///
    /// # Errors
    ///
    /// A path in the folder of an input ([`mismatch`](ErrorKind::code)).
    pub fn expect_outside(&self, output: impl AsRef<Path>) -> Result<(), Error> {
        let output = output.as_ref();
        self.parts().try_for_each(|(_, source)| expect_outside(output, source.facts()))
    }

    /// Writes all parts, and returns the outputs in the order of the parts. The name chooses the format.
    ///
    /// | path | files |
    /// | --- | --- |
    /// | `mnist.npz` | the arrays `x_train`, `y_train`, `x_test` and `y_test`, as Keras has them |
    /// | `out/` | a folder of pictures for each part, with a folder for each class |
    /// | `out/` and the format IDX | MNIST's four files |
    /// | `out/` and another format | `out/train.csv`, `out/test.csv` |
    /// | any other | one file, for a set of one part |
    ///
    /// ```
    /// use idx_data::open_set;
    /// # let folder = tempfile::tempdir()?;
    /// # let path = |name: &str| folder.path().join(name);
    /// # std::fs::create_dir(path("mnist"))?;
    /// # for part in ["train", "t10k"] {
    /// #     idx_std::save(path(&format!("mnist/{part}-images-idx3-ubyte")), &[2, 2, 2], &[7_u8; 8])?;
    /// #     idx_std::save(path(&format!("mnist/{part}-labels-idx1-ubyte")), &[2], &[5_u8, 0])?;
    /// # }
    ///
    /// # #[cfg(feature = "npz")] {
    /// open_set(path("mnist"))?.write(path("mnist.npz"))?;
    /// assert_eq!(open_set(path("mnist.npz"))?.part("test")?.facts().count, Some(2));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`Outputs::add_set`] and [`Outputs::write`].
    pub fn write(self, path: impl AsRef<Path>) -> Result<Vec<Written>, Error> {
        self.write_with(path, &CreateOptions::new())
    }

    /// Writes all parts, as [`write`](Self::write) does, with options.
    ///
    /// # Errors
    ///
    /// The errors of [`write`](Self::write).
    pub fn write_with(
        self,
        path: impl AsRef<Path>,
        options: &CreateOptions,
    ) -> Result<Vec<Written>, Error> {
        Outputs::new(options).add_set(self, path)?.write()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_errors_of_writing_the_copy_name_its_folder() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let is_temporary = |error| matches!(of_the_copy(error).kind(), ErrorKind::Temporary(_));
        assert!(is_temporary(ErrorKind::output(full()).into()));
        assert!(!is_temporary(full().into()));
    }
}
