"""IDX files as arrays."""

import errno
import io
import operator
import os
from contextlib import contextmanager

import numpy as np

from . import _advice, _native

_TYPES = "uint8 int8 int16 int32 float32 float64".split()
_CHOICE = f"; choose one of {', '.join(_TYPES)}"

# Names of formats that `save` does not write.
_OTHERS = tuple(".npy .npz .csv .tsv .txt .png .jpg .jpeg .parquet .zip .h5 .pt .xz .bz2 .zst".split())

# The advice of `save` for images with their labels.
_ONE = (
    "a file is one array, with rows of one shape; images and labels are two files, which `open` finds by their names: "
    '`save("own-images-idx3-ubyte", images)`, `save("own-labels-idx1-ubyte", labels.astype("uint8"))`'
)


def known_type(dtype, array=None):
    """Return the type in native byte order, if IDX has it; else raise a TypeError, with advice for an array of it."""
    native = np.dtype(dtype).newbyteorder("=")
    if native.name not in _TYPES:
        raise TypeError(f"IDX does not have {np.dtype(dtype)}{_CHOICE if array is None else _conversion(array)}")
    return native


def _conversion(array):
    """Return advice to convert these numbers to a type that keeps each of them, if there is one."""
    kind, least, most = array.dtype.kind, 0, 0
    if kind in "iu" and array.size:
        least, most = int(array.min()), int(array.max())
    if kind == "f" and array.dtype.itemsize == 2:
        name = "float32"
    elif kind == "f" and not _keeps_all(array) or least < -(2**53) or most > 2**53:
        return ", nor a type that keeps all of these numbers; `numpy.save` writes them"
    elif kind in "iu" and -(2**31) <= least and most < 2**31:
        name = "int32"
    else:
        name = {"i": "float64", "u": "float64", "f": "float64", "b": "uint8"}.get(kind)
    return _CHOICE + (f', as in `array.astype("{name}")`' if name else "")


def _keeps_all(array):
    """Return whether float64 keeps these numbers of a longer type."""
    with np.errstate(over="ignore", under="ignore"):
        return np.array_equal(array, array.astype("float64"), equal_nan=True)


def load(path, limit=None, **unknown):
    """Read and check a whole IDX file, plain or gzip, and return its array in native byte order.

    ``path`` may also be the content of a file as ``bytes``, or a file object that reads bytes, such as a member of a zip
    archive. ``limit`` is the maximum number of bytes of header and elements: set it for untrusted files.

    Raises OSError and MemoryError, and Error if the file is not valid.

    >>> load("t10k-labels-idx1-ubyte.gz").shape
    (10000,)
    """
    _advice.expect_none(unknown, _advice.OF_LOAD, "none but limit")
    if isinstance(limit, (str, os.PathLike)) and os.path.exists(limit):
        raise TypeError("`load` reads one file; `open(images, labels)` reads images with their labels")
    expect_limit(limit)
    data, dtype, shape = _native.load(path, limit)
    with numpy_has_the_shape(path):
        return data.view(np.dtype(dtype).newbyteorder("=")).reshape(shape)


def expect_limit(limit):
    if limit is not None and not (is_whole(limit) and 0 <= operator.index(limit) < 2**64):
        raise TypeError(f"`limit` is a number of bytes, such as 10**9, not {limit!r}")


def is_whole(value):
    """Return whether this is a single whole number. True and False are not, though Python computes with them."""
    return hasattr(value, "__index__") and not isinstance(value, (bool, np.bool_)) and not np.ndim(value)


def error_of(path, code, sentence):
    """Return an ``Error`` about an input, with its path if it was given as one."""
    return _native.error(code, f"{os.fsdecode(path)}: {sentence}" if isinstance(path, (str, os.PathLike)) else sentence)


@contextmanager
def numpy_has_the_shape(path):
    """Raise an ``Error`` for a shape that NumPy lacks: too many dimensions, or huge sizes in an empty array."""
    try:
        with np.errstate(over="ignore"):
            yield
    except ValueError as error:
        raise error_of(path, "unsupported", f"NumPy has no array of this shape: {error}") from None


def memmap(path, **unknown):
    """Map a plain IDX file of any size into memory, as a read-only ``numpy.memmap`` of its big-endian type.

    Raises what ``load`` raises, and Error with the code "gzip" for a compressed file.

    >>> memmap("train-images-idx3-ubyte")[59999].shape
    (28, 28)
    """
    _advice.expect_none(unknown, {}, "none but path: the file is mapped as it is, read-only")
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError("a file is mapped by its path (str or os.PathLike); `load` also takes its content or a file object")
    path = os.fsdecode(path)
    dtype, shape, start = _native.header(path)
    with numpy_has_the_shape(path):
        return np.memmap(path, dtype, "r", start, tuple(shape))


def save(path, array, *others, **unknown):
    """Write an array as an IDX file, compressed by gzip if its name ends in ``.gz``.

    ``array`` is an array, or what ``numpy.asarray`` turns into one; its first dimension counts the records. The file
    appears when it is complete, and replaces an existing one. ``path`` may also be a file object that writes bytes. It
    gets plain IDX; one from ``gzip.open`` compresses that.

    Raises TypeError if the numbers are not uint8, int8, int16, int32, float32 or float64; OSError; and Error with the
    code "shape_too_large" if IDX has no such shape.

    >>> save("weights.idx", np.zeros((10, 784), "float32"))
    """
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("IDX has no masked values; give them numbers with `array.filled(0)`")
    if isinstance(array, (str, os.PathLike)):
        raise TypeError("the path comes first: `save(path, array)`")
    _advice.expect_none(unknown, _advice.OF_SAVE, "path and array")
    if others:
        raise TypeError(_ONE)
    try:
        array = np.asarray(array)
    except ValueError:
        raise ValueError(_ONE) from None
    known_type(array.dtype, array)
    header = _native.header_of(array.dtype.name, array.shape)
    if hasattr(path, "write"):
        if hasattr(path, "encoding"):
            raise TypeError('the file object takes text; open the file as "wb"')
        _write_all(path, header)
        for _, records in _pieces(array):
            _write_all(path, records.tobytes())
        return
    path = os.fsdecode(path)
    if path.lower().removesuffix(".gz").endswith(_OTHERS):
        name = "use a name such as a.idx or a.idx.gz; `idx convert` writes others"
        raise ValueError(f"{path}: `save` writes IDX, plain or gzip; {name}")
    with _native.NewFile(path, header) as file:
        for count, records in _pieces(array):
            file.push(count, records)


def _pieces(array):
    """Yield about 1 MiB of records at a time, with their number: between two pieces, Python looks for Ctrl-C."""
    records, big_endian = np.atleast_1d(array), array.dtype.newbyteorder(">")
    step = max(1, 2**20 // max(1, records[:1].nbytes))
    for start in range(0, len(records), step):
        piece = records[start : start + step]
        yield len(piece), np.ascontiguousarray(piece, big_endian).reshape(-1).view(np.uint8)


def _write_all(file, data):
    """Write all bytes to a file object that may take fewer at once, as an unbuffered file does."""
    while data:
        count = file.write(data)
        if count == 0 or count is None and isinstance(file, io.RawIOBase):
            raise BlockingIOError(errno.EAGAIN, "the file object takes no more bytes now; make it blocking")
        # Many file objects that take all bytes return None.
        data = memoryview(data)[len(data) if count is None else count :]
