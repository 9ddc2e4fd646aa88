"""Records with their labels, in memory."""

import operator
import os
from collections.abc import Mapping

import numpy as np

from . import _advice, _native
from ._arrays import error_of, is_whole, numpy_has_the_shape
from ._reading import Reading, is_for_file, labels_are_no_column, named_classes, parameters, understood


_NO_PARTS = "this set has no parts; take its `images`, `labels` or `classes`"


class NoFile:
    """An object that need not be closed: `with` works, and does nothing."""

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


class Set(NoFile):
    """Records with their labels, as ``open`` reads them; or a set of several parts, such as ``train`` and ``test``.

    ``images``
        array of all records, counted by the first dimension: for MNIST uint8 of shape (60000, 28, 28)
    ``labels``
        array of the labels, one for each record, or None; ``open`` makes it int64
    ``classes``
        dict from label to class name; empty if the classes have no names
    ``parts``
        dict from the name of a part to its set; empty if the set is one part
    ``reading``
        how ``open`` understood its inputs; empty for IDX, whose headers say how to read it

    ``len(d)`` counts the records. ``d[i]`` is an image and its label, or only the image if there are no labels, so
    ``torch.utils.data.DataLoader(d)`` takes a set as it is. ``d[10:20]``, ``d[[3, 7]]`` and ``d[mask]`` are sets.

    A set of several parts is a mapping: ``d.train`` is ``d["train"]``.

    >>> image, label = d[0]
    >>> threes = d[d.labels == 3]
    """

    def __init__(self, images=None, labels=None, classes=None, parts=None):
        if not (parts is None or isinstance(parts, Mapping) and all(isinstance(name, str) for name in parts)):
            raise TypeError("`parts` is a dict from names to sets")
        self.parts, self.reading = dict(parts or {}), Reading()
        if not all(isinstance(part, Set) for part in self.parts.values()):
            raise TypeError("parts are sets; `Set(images, labels)` makes one")
        if self.parts:
            if any(given is not None for given in (images, labels, classes)):
                raise TypeError("a set of parts has no images, labels or classes of its own; give them to a part")
            return
        if images is None:
            raise TypeError("a set has images, or parts")
        if isinstance(images, (str, os.PathLike)):
            raise TypeError("a set is made of arrays; `open(path)` reads one")
        if isinstance(images, Mapping):
            raise TypeError("a set of parts is `Set(parts={..})`")
        try:
            self.images = np.asanyarray(images)
        except ValueError:
            raise ValueError("images are one array of all records; labels come second, as in `Set(images, labels)`") from None
        self.classes = {} if classes is None else named_classes(classes)
        if isinstance(labels, np.ma.MaskedArray):
            raise TypeError("labels are not masked; leave such records out, as in `Set(images[~labels.mask], labels.compressed())`")
        self.labels = None if labels is None else np.asarray(labels)
        if self.images.ndim == 0:
            raise ValueError("a set has several records; the first dimension counts them")
        if labels is not None:
            _expect_labels(self.labels, len(self.images))

    def __getattr__(self, name):
        # Python asks this only for missing names. `vars`, because a set that is being unpickled has no parts yet.
        parts = vars(self).get("parts", {})
        if name in parts:
            return parts[name]
        if name.startswith("__"):
            raise AttributeError(name)
        instead = _advice.OF_PARTS.get(name, _one(parts)) if parts else _advice.ATTRIBUTES.get(name)
        raise AttributeError(f"this set has {_named(parts)}, and no {name}" + (f"; {instead}" if instead else ""))

    def __setattr__(self, name, value):
        # The part would be hidden by an attribute, and `d["train"]` would still be the old one.
        if name in vars(self).get("parts", {}):
            raise AttributeError(f'parts are not replaced; make a set with `Set(parts={{**d, "{name}": ..}})`')
        super().__setattr__(name, value)

    def __dir__(self):
        return [*super().__dir__(), *vars(self).get("parts", {})]

    def __repr__(self):
        if self.parts:
            return f"Set({', '.join(f'{name}: {part!r}' for name, part in self.parts.items())})"
        return f"<{len(self)} {records_text(self.images.shape[1:], self.images.dtype, self.labels is not None)}>"

    def __len__(self):
        return len(self.parts or self.images)

    def __bool__(self):
        return len(self) > 0

    def __iter__(self):
        return map(_PartName, self.parts) if self.parts else (self[index] for index in range(len(self)))

    def __contains__(self, item):
        if isinstance(item, str) or self.parts:
            return item in self.parts
        raise TypeError("a set does not compare records; use its images and labels")

    def keys(self):
        """Return the names of the parts."""
        return self._mapping().keys()

    def get(self, name, default=None):
        """Return the part of this name, or the default."""
        return self._mapping().get(name, default)

    def values(self):
        """Return the parts."""
        return self._mapping().values()

    def items(self):
        """Return the parts with their names."""
        return self._mapping().items()

    def _expect_records(self):
        if self.parts:
            raise TypeError(f"this set has {_named(self.parts)}, and no records of its own; {_one(self.parts)}")

    def _mapping(self):
        if not self.parts:
            raise TypeError(_NO_PARTS)
        return self.parts

    def __getitem__(self, index):
        if isinstance(index, str):
            if index in self.parts:
                return self.parts[index]
            raise KeyError(f"this set has {_named(self.parts)}, and no {index}" if self.parts else _NO_PARTS)
        self._expect_records()
        if isinstance(index, tuple) and len(index) == 1:
            [index] = index  # As `np.where` returns it.
        if is_whole(index):
            index = operator.index(index)
            return self.images[index] if self.labels is None else (self.images[index], int(self.labels[index]))
        if not isinstance(index, slice):
            # A list of no records has no type.
            chosen = np.asarray(index, None if np.size(index) else np.intp)
            if isinstance(index, tuple) or chosen.ndim != 1 or chosen.dtype.kind not in "iub":
                message = "records are chosen by a number, a slice, or a list or mask of one dimension"
                raise TypeError(f"{message}; for parts of images, index `images`")
            index = chosen
        chosen = Set(self.images[index], None if self.labels is None else self.labels[index])
        chosen.classes, chosen.reading = dict(self.classes), self.reading
        return chosen

    def arrays(self):
        """Return images and labels as a pair; for a set of parts, a pair for each part.

        >>> (x_train, y_train), (x_test, y_test) = fetch("mnist").arrays()
        """
        if self.parts:
            return tuple(part.arrays() for part in self.parts.values())
        return self.images, self.labels

    def batches(self, size=None, shuffle=None, drop_last=False, **unknown):
        """Return batches to iterate over: pairs of ``size`` images and their labels, or only images.

        ``shuffle`` is a seed, such as the number of the epoch: a seed gives the same order in every version.
        Without it, batches are in order, and views without a copy. The last batch may be smaller; ``drop_last`` leaves
        it out. Each iteration yields the same batches: make new ones for each epoch. ``len`` counts them.

        >>> for images, labels in d.batches(64, shuffle=epoch): ...
        """
        self._expect_records()
        _advice.expect_none(unknown, _advice.OF_BATCHES, "size, shuffle and drop_last")
        if size is None:
            raise TypeError("give the number of records in a batch, such as d.batches(64)")
        size, order = batch_size(size), None
        is_off = isinstance(shuffle, (bool, np.bool_)) and not shuffle
        if shuffle is not None and not is_off:
            if not is_whole(shuffle):
                raise TypeError("shuffle is a seed, such as the number of the epoch; the same seed gives the same order")
            if not 0 <= operator.index(shuffle) < 2**64:
                raise ValueError(f"the seed {shuffle} is not from 0 to 2**64 - 1")
            order = np.arange(len(self), dtype=np.uintp)
            _native.shuffle(order, operator.index(shuffle))
        return _Batches(self, size, order, drop_last)

    def __array__(self, dtype=None, copy=None):
        raise TypeError("a set is images with their labels; take its `images`, or its `labels`")


class _Batches:
    """Batches of known number, the same in each iteration."""

    def __init__(self, data, size, order, drop_last):
        self._data, self._size, self._order = data, size, order
        self._end = len(data) // size * size if drop_last else len(data)

    def __repr__(self):
        return f"<{len(self)} batches of {self._size} records>"

    def __len__(self):
        return -(-self._end // self._size)

    def __iter__(self):
        for start in range(0, self._end, self._size):
            chosen = slice(start, start + self._size)
            batch = self._data[chosen if self._order is None else self._order[chosen]]
            yield batch.images if batch.labels is None else (batch.images, batch.labels)


def _expect_labels(labels, count):
    """Check that there is one whole number for each of ``count`` records."""
    if labels.ndim == 0:
        raise TypeError("labels are an array or a list, with one label for each record")
    if labels.shape != (count,):
        found, advice = " x ".join(map(str, labels.shape)), "give one label for each record"
        if labels.ndim == 2 and len(labels) == count:
            one_hot = "give `np.argmax(labels, 1)`, if they are one-hot"
            advice = "give `np.reshape(labels, -1)`" if labels.shape[1] == 1 else one_hot
        raise ValueError(f"{found} labels for {count} records; {advice}")
    if labels.size and labels.dtype.kind not in "iub":
        numbers = "`astype(int)` makes them so"
        words = "`np.unique(labels, return_inverse=True)` numbers words"
        raise TypeError(f"labels are whole numbers, not {labels.dtype}; {numbers if labels.dtype.kind == 'f' else words}")


def records_text(shape, dtype, has_labels):
    """Return a description of records."""
    return f"records of {tuple(shape)} {dtype} with {'labels' if has_labels else 'no labels'}"


def _named(parts):
    return f"the parts {' and '.join(parts)}" if parts else "images, labels and classes"


def _one(parts):
    return f"take one, such as d.{next(iter(parts))}"


class _PartName(str):
    """The name of a part, as iteration over a set yields it. Unpacking it is an error: it was mistaken for a record."""

    __slots__ = ()

    def __iter__(self):
        raise TypeError(f"a set of parts yields their names; iterate over the records of one, such as d.{self}, or `d.arrays()`")


def batch_size(size):
    """Check the number of records in a batch, and return it."""
    if not is_whole(size):
        raise TypeError(f"the size of a batch is a whole number, not {size!r}")
    if operator.index(size) < 1:
        raise ValueError(f"a batch of {size} records; give 1 or more")
    # More than any input has.
    return min(operator.index(size), 2**63 - 1)


def open(
    path, labels=None, *, classes=None, label_column=None, column=None, skip=None, shape=None, header=None, dtype=None,
    limit=None, **unknown,
):
    """Read a whole data set into memory, check it, and return it as a ``Set``.

    ``path`` is one of these:

    - an IDX or npy file, plain or gzip, with its file of labels next to it, such as ``train-labels-idx1-ubyte.gz``
    - a folder with MNIST's four files: a set with ``train`` and ``test``; ``"mnist/:test"`` is one part
    - Keras's ``mnist.npz``, csv, or pictures in a folder for each class
    - the content of a file as ``bytes``, or a file object that reads bytes; for csv, its ``name`` must end in .csv

    ``print(d.reading)`` shows how a table, an archive or a folder was understood; these parameters say how it is meant:

    ``labels``
        a file of labels, an array of them, or False to leave them out; or a pattern such as ``"{}_*"``, if the names of
        pictures begin with their labels. By default, the labels that belong to the records
    ``classes``
        the class names: a list in the order of the labels, a dict from labels to names, or a file
    ``label_column``
        the labels' column: its name, or its position from 0; for pictures the level of the folders, 0 is the top
    ``column``
        the records' column, if they are in a single one
    ``skip``
        the columns, files or folders to leave out; ``[]`` leaves out none, not even row numbers
    ``shape``
        the shape of a record, such as ``(28, 28)``
    ``header``
        True if the first line of a table names its columns, and False if not
    ``dtype``
        the type of the numbers in csv and other text, such as ``"float32"``; by default uint8
    ``limit``
        the maximum number of bytes in a part's records, and the maximum number of its labels; set it for untrusted files

    Raises OSError and MemoryError, and Error for an input that is damaged, ambiguous or does not match, and for a
    parameter without effect.

    >>> open("mnist/").train.images.shape
    (60000, 28, 28)
    """
    if isinstance(path, (list, tuple)):
        raise TypeError("give one input; the file of labels is a second one: `open(images, labels)`")
    if hasattr(path, "__array__"):
        raise TypeError("`open` reads files; a set of arrays is `Set(images, labels)`")
    given = parameters(
        labels, classes, label_column=label_column, column=column, skip=skip, shape=shape, header=header, dtype=dtype,
        limit=limit, **unknown,
    )
    with labels_are_no_column(labels):
        found, inputs = _native.open(path, given)
    parts = {}
    for name, element_type, shape_found, (data, found_labels), class_names, reading in found:
        images = native_order(data.view(element_type))
        with numpy_has_the_shape(path):
            # A single number is one record.
            images = images.reshape(shape_found or [1])
        parts[name] = Set(images, found_labels, dict(class_names))
        parts[name].reading = understood(reading)
    data = parts.popitem()[1] if len(parts) == 1 else Set(parts=parts)
    if not is_for_file(labels):
        if data.parts:
            how = f'`Set(open(..)["{next(iter(data.parts))}"].images, labels)`'
            raise error_of(path, "mismatch", f"these are the labels of one part; give them to it, as in {how}")
        data = Set(data.images, labels, data.classes)
    data.reading = understood(inputs)
    if not is_for_file(labels):
        for one in data.reading:
            # The native part left out the labels of the input for those of the array.
            one["parameters"].pop("labels", None)
    return data


def native_order(array):
    """Bring an array of one dimension into native byte order, in place."""
    if array.dtype.isnative:
        return array
    step = 2**22  # Python looks for Ctrl-C between two pieces.
    for start in range(0, len(array), step):
        array[start : start + step].byteswap(inplace=True)
    return array.view(array.dtype.newbyteorder())
