//! Inputs from memory, and outputs to it or to another writer.

use std::io::{self, Cursor, Seek, Write};
use std::path::Path;

use crate::chain::Source;
use crate::doors::outputs::Outputs;
use crate::doors::sink::Written;
use crate::error::{Error, ErrorKind};
use crate::names::format::Format;
use crate::record::options::{CreateOptions, OpenOptions};

impl OpenOptions {
    /// Opens a file that is in memory, such as an upload, in any format. The name is used in messages, and to detect
    /// csv and pictures as the name of a file does. In an archive of NumPy it also chooses a part or an array, as in
    /// `a.npz:train`.
    ///
    /// ```
    /// use idx_data::{Format, OpenOptions};
    ///
    /// # #[cfg(feature = "csv")] {
    /// let upload = b"label,1x1,1x2\n7,0,255\n".to_vec();
    /// let mut npy = Vec::new();
    /// OpenOptions::new().open_bytes("a.csv", upload)?.write_to(Format::Npy, &mut npy)?;
    /// assert!(npy.ends_with(&[0, 255]));
    /// # }
    /// # Ok::<(), idx_data::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of [`open`](crate::open).
    pub fn open_bytes(
        &self,
        name: impl AsRef<Path>,
        bytes: impl Into<Vec<u8>>,
    ) -> Result<Source, Error> {
        self.open_stream(name, Box::new(Cursor::new(bytes.into())))
    }
}

impl Source {
    /// Writes all records in this format to a writer, such as `&mut Vec<u8>`, which gets the file when it is complete, and
    /// nothing after an error. IDX and npy are single arrays, without labels, as [`Written`] says.
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
        let written = outputs.add_stream(self, "", stream)?.write();
        let written = written.map_err(|error| match error.kind() {
            ErrorKind::Output(_) => Error::temporary(error),
            _ => error,
        })?;
        file.rewind().map_err(Error::temporary)?;
        io::copy(&mut file, &mut writer).map_err(ErrorKind::output)?;
        writer.flush().map_err(ErrorKind::output)?;
        let failed = || Error::from(ErrorKind::mismatch("nothing was written"));
        written.into_iter().next().ok_or_else(failed)
    }
}
