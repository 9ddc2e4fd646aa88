"""Records with their labels, in memory."""

import math
import operator

import numpy as np

from . import _native
from ._arrays import memmap, numpy_has_the_shape

class Set:
    """Records with their labels, as ``open`` reads them; or a set of several parts, such as ``train`` and ``test``.

    ``images``
        array of all records, the first dimension counts them: for MNIST uint8 of shape (60000, 28, 28)
    ``labels``
        int64 array of the labels, one for each record, or None
    ``classes``
        dict from a label to the name of its class; empty if they have no names
    ``parts``
        dict from a name to the set that is this part; ``d.train`` is ``d.parts["train"]``. Empty if the set is one part

    ``len(d)`` counts the records. ``d[i]`` is the pair of image and label (the image alone if there are no labels), so
    ``torch.utils.data.DataLoader(d)`` takes a set as it is, with worker processes, too. ``d[10:20]``, or any other index
    of NumPy, is a set of these records. A set of several parts has only ``parts``.

    >>> image, label = d[0]
    >>> threes = d[d.labels == 3]
    """

    def __init__(self, images=None, labels=None, classes=None, parts=None):
        self.parts = parts or {}
        if not self.parts:
            self.images, self.labels, self.classes = images, labels, classes or {}

    def __getattr__(self, name):
        # Only of what is not there. `vars`, because a set that is being unpickled has no parts yet.
        parts = vars(self).get("parts", {})
        if name in parts:
            return parts[name]
        has = f"the parts {' and '.join(parts)}" if parts else "one part"
        raise AttributeError(f"this set has {has}, and no {name}")

    def __repr__(self):
        if self.parts:
            return f"Set({', '.join(f'{name}: {part!r}' for name, part in self.parts.items())})"
        labels = "labels" if self.labels is not None else "no labels"
        return f"<{len(self)} records of {self.images.shape[1:]} {self.images.dtype} with {labels}>"

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        try:
            index = operator.index(index)
        except TypeError:
            labels = None if self.labels is None else self.labels[index]
            return Set(self.images[index], labels, self.classes)
        return self.images[index] if self.labels is None else (self.images[index], int(self.labels[index]))

    def batches(self, size, shuffle=None):
        """Iterate over pairs of arrays: ``size`` images and their labels, fewer in the last; images alone without labels.

        ``shuffle`` is a seed, such as the number of the epoch: the same seed gives the same order in every version, and
        the one of the Rust crates. Without it, batches are in order, and views without a copy.

        >>> for images, labels in d.batches(64, shuffle=epoch): ...
        """
        if isinstance(shuffle, bool):
            raise TypeError("shuffle is a seed, such as the number of the epoch; the same seed is the same order")
        if size < 1:
            raise ValueError(f"a batch of {size} records")
        order = None if shuffle is None else _native.order(len(self), shuffle)
        slices = (slice(start, start + size) for start in range(0, len(self), size))
        batches = (self[chosen if order is None else order[chosen]] for chosen in slices)
        return (batch.images if batch.labels is None else (batch.images, batch.labels) for batch in batches)


def open(path):
    """Read a data set into memory, from any format that the crates know, and check all of it.

    - a file of IDX or npy, plain or gzip, with the file of labels beside it, such as ``train-labels-idx1-ubyte.gz``
    - a folder with the four files of MNIST: a set with ``train`` and ``test``; ``"mnist/:test"`` is one part
    - ``mnist.npz`` as Keras has it, csv, a folder of pictures with a folder for each class

    Returns a Set. Other threads run meanwhile, and Ctrl-C interrupts it.

    Raises OSErrors of the system, and Error for what is damaged, ambiguous or does not match.

    >>> open("mnist/").train.images.shape
    (60000, 28, 28)
    """
    return _read(path)


def arrow(path):
    """Make a table of Arrow of a file or a set of one part, for DuckDB, Polars and all else that takes Arrow's streams.

    The column ``record`` has the elements of each record as a list, ``label`` the labels, if there are any. The elements of
    a plain file of uint8 or int8 are mapped and not copied; all else is read into memory first. Needs pyarrow.

    >>> digits = arrow("train-images-idx3-ubyte")
    >>> duckdb.sql("select label, count(*) from digits group by label")
    """
    import pyarrow

    data = _read(path, _mapped(path))
    records = data.images
    values = pyarrow.array(records.reshape(-1))
    if records.ndim > 1:
        length = math.prod(records.shape[1:])
        if length == 0:
            raise _native.error("unsupported", f"{path}: Arrow has no lists of 0 elements")
        values = pyarrow.FixedSizeListArray.from_arrays(values, length)
    columns = {"record": values} if data.labels is None else {"record": values, "label": data.labels}
    return pyarrow.table(columns)


def _mapped(path):
    """The records of a plain file, if Arrow can use the bytes as they are."""
    try:
        records = memmap(path)
    except (_native.Error, OSError):
        # Another format, gzip, or a folder; or an error that comes again where all is read.
        return None
    return records if records.ndim and records.itemsize == 1 else None


def _read(path, mapped=None):
    parts = {}
    for name, dtype, shape, data, labels, classes in _native.open(path, mapped is None):
        images = data.view(dtype) if mapped is None else mapped
        if not images.dtype.isnative:
            # In its place, without a second array.
            images = images.byteswap(inplace=True).view(images.dtype.newbyteorder())
        with numpy_has_the_shape(path):
            # A single number is one record.
            parts[name] = Set(images.reshape(shape or [1]), labels, dict(classes))
    return parts.popitem()[1] if len(parts) == 1 else Set(parts=parts)
