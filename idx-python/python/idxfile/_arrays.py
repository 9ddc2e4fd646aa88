"""IDX files as arrays."""

import errno
import io
import operator
import os
from contextlib import contextmanager

import numpy as np

from . import _advice, _native

_TYPES = "uint8 int8 int16 int32 float32 float64".split()

# Names of formats that `save` does not write.
_OTHERS = tuple(".npy .npz .csv .tsv .txt .png .jpg .jpeg .parquet .zip .h5 .pt .xz .bz2 .zst".split())

# What `save` says to images with their labels.
_ONE = (
    "a file is one array, with rows of one shape; images and labels are two files, which `open` finds by their names: "
    '`save("own-images-idx3-ubyte", images)`, `save("own-labels-idx1-ubyte", labels.astype("uint8"))`'
)


def known_type(dtype, how=""):
    """Return the type in the byte order of this machine, if IDX has it. ``how`` is the advice if it has not."""
    native = np.dtype(dtype).newbyteorder("=")
    if native.name not in _TYPES:
        raise TypeError(f"IDX does not have {np.dtype(dtype)}; choose one of {', '.join(_TYPES)}{how}")
    return native


def _conversion(array):
    """Return the advice to convert these numbers to a type that keeps them, if there is one."""
    kind, bound = array.dtype.kind, 2**31
    if kind in "iu":
        fits = array.size == 0 or -bound <= array.min() and array.max() < bound
        name = "int32" if fits else "float64"
    else:
        name = {"b": "uint8", "f": "float32" if array.dtype.itemsize == 2 else "float64"}.get(kind)
    return f', as in `array.astype("{name}")`' if name else ""


def load(path, limit=None, **unknown):
    """Read a whole file, plain or gzip, and check it: an array of its shape and type, in native byte order.

    ``path`` may also be the content of a file as ``bytes``, or a file object that reads bytes, such as a member of a zip
    archive. ``limit`` is the most bytes that header and elements may have: set it for files that you do not trust.

    Raises OSErrors of the system, MemoryError, and Error if it is not a valid file.

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
    """Return whether this is one whole number. True and False are none, though Python counts with them."""
    return hasattr(value, "__index__") and not isinstance(value, (bool, np.bool_)) and not np.ndim(value)


def error_of(path, code, sentence):
    """Return an ``Error`` of an input, with its path if that is how it was given."""
    return _native.error(code, f"{path}: {sentence}" if isinstance(path, (str, os.PathLike)) else sentence)


@contextmanager
def numpy_has_the_shape(path):
    """Raise an ``Error`` for a shape that NumPy lacks: of up to 255 dimensions, or without records and of huge sizes."""
    try:
        with np.errstate(over="ignore"):
            yield
    except ValueError as error:
        raise error_of(path, "unsupported", f"NumPy has no array of this shape: {error}") from None


def memmap(path, **unknown):
    """Map a plain file into memory: a read-only ``numpy.memmap`` of the file's big-endian type, of any size at once.

    Raises what ``load`` raises, and Error with the code "gzip" for a compressed file.

    >>> memmap("train-images-idx3-ubyte")[59999].shape
    (28, 28)
    """
    _advice.expect_none(unknown, {}, "none but path: the file is mapped as it is, to be read alone")
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError("a file is mapped by its path (str or os.PathLike); `load` also takes its content or a file object")
    path = os.fsdecode(path)
    dtype, shape, start = _native.header(path)
    with numpy_has_the_shape(path):
        return np.memmap(path, dtype, "r", start, tuple(shape))


def save(path, array, *others, **unknown):
    """Write an array, or what ``numpy.asarray`` makes one of: gzip if the name ends in ``.gz``.

    The first dimension counts the records. The file appears when it is complete, and replaces one that is there.
    ``path`` may also be a file object that writes bytes: what it gets is plain, and ``gzip.open`` compresses it.

    Raises TypeError if the numbers are not uint8, int8, int16, int32, float32 or float64; OSErrors of the system; Error
    with the code "shape_too_large" if IDX has no such shape.

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
    known_type(array.dtype, _conversion(array))
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
        name = "name the file so, such as a.idx or a.idx.gz; `idx convert` writes others"
        raise ValueError(f"{path}: `save` writes IDX, plain or gzip; {name}")
    with _native.NewFile(path, header) as file:
        for count, records in _pieces(array):
            file.push(count, records)


def _pieces(array):
    """Give about 1 MiB of records at a time, with their number: Python looks for Ctrl-C between two pieces."""
    records, big_endian = np.atleast_1d(array), array.dtype.newbyteorder(">")
    step = max(1, 2**20 // max(1, records[:1].nbytes))
    for start in range(0, len(records), step):
        piece = records[start : start + step]
        yield len(piece), np.ascontiguousarray(piece, big_endian).reshape(-1).view(np.uint8)


def _write_all(file, data):
    """Write all bytes to a file object that may take fewer at once, as a file without a buffer does."""
    while data:
        count = file.write(data)
        if count == 0 or count is None and isinstance(file, io.RawIOBase):
            raise BlockingIOError(errno.EAGAIN, "the file object takes no more bytes now; make it blocking")
        # Many that take all do not say so.
        data = memoryview(data)[len(data) if count is None else count :]
