"""Records of an input of any size, in batches."""

import math
import os

import numpy as np

from . import _advice, _native
from ._arrays import error_of, numpy_has_the_shape
from ._reading import is_for_file, labels_are_no_column, parameters, understood
from ._set import NoFile, batch_size, native_order, records_text


def records(path, size=1024, **parameters):
    """Iterate over the records of a file or a set of one part, in constant memory.

    Yields pairs of arrays: ``size`` images and their labels, fewer at the end; or only images, if there are no labels.
    Takes the parameters of ``open``, except that ``labels`` cannot be an array, and ``limit`` is the maximum number of
    bytes of one record. ``reading`` and ``classes`` are as in a ``Set``. A ``with`` block closes the files at its end.

    >>> for images, labels in records("train-images-idx3-ubyte.gz", 256): ...
    """
    size = batch_size(size)
    return _Records(path, _stream(path, parameters, _advice.OF_RECORDS), size)


# Two processes would share the position in one open file, and each would read pieces of it.
_ONE_PROCESS = "a stream is read by the process that opened it; call `records` in each worker process"


class _Records(NoFile):
    """An iterator that says how its input was understood."""

    def __init__(self, path, stream, size):
        dtype, shape, has_labels, classes = stream.head()
        self.reading, self.classes = understood(stream.reading()), dict(classes)
        self._text = f"<stream of {records_text(shape, np.dtype(dtype).name, has_labels)}>"
        self._path, self._has_failed, self._is_closed = path, False, False
        self._batches = _batches(path, stream, size, os.getpid())

    def __repr__(self):
        return self._text

    def __exit__(self, *error):
        self._is_closed = True
        self._batches.close()  # drops the native stream, which closes its files

    def __reduce__(self):
        raise TypeError(_ONE_PROCESS)

    def __getattr__(self, name):
        # Python asks this only for missing names.
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"a stream has no {name}; iterate over its batches, or read all with `open`")

    def __len__(self):
        raise TypeError("the number of batches is known at the end; `len(open(path))` counts the records")

    def __iter__(self):
        return self

    def __next__(self):
        if self._is_closed:
            raise ValueError("this stream was closed at the end of its `with` block; call `records` again")
        if self._has_failed:
            raise error_of(self._path, "failed_earlier", "this stream broke off before its end; call `records` again")
        self._has_failed = True  # Until this succeeds: a generator that failed looks as if it ended.
        batch = next(self._batches, None)
        self._has_failed = False
        if batch is None:
            raise StopIteration
        images, labels = batch
        return images if labels is None else (images, labels)


def _stream(path, given, instead):
    if not is_for_file(given.get("labels")):
        raise TypeError("the labels of a stream are a file, a pattern or False; `open` takes an array")
    given = parameters(**given, instead=instead)
    with labels_are_no_column(given["labels"]):
        return _native.stream(path, given)


def _batches(path, stream, size, process):
    dtype, shape, _, _ = stream.head()
    while True:
        if os.getpid() != process:
            raise RuntimeError(_ONE_PROCESS)
        if (batch := stream.next(size)) is None:
            return
        count, (data, labels) = batch
        with numpy_has_the_shape(path):
            images = native_order(data.view(dtype)).reshape(count, *shape)
        yield images, labels


# The bytes in an Arrow batch: enough for an engine, and little memory.
_BATCH = 1 << 22


class ArrowStream:
    """Records as an Arrow stream, in constant memory. Each reader reads from the start; a file object has only one."""

    def __init__(self, path, given):
        try:
            import pyarrow
        except ImportError as error:
            raise ImportError("`arrow` needs pyarrow; `pip install pyarrow` installs it") from error
        self._path, self._given, self._process = path, given, os.getpid()
        self._stream = _stream(path, given, _advice.OF_ARROW)
        self.reading = understood(self._stream.reading())
        dtype, shape, has_labels, classes = self._stream.head()
        self.classes = dict(classes)
        elements = math.prod(shape)
        if elements >= 2**31:
            message = f"a record has {elements} elements, more than an Arrow list holds; give a smaller `shape`"
            raise error_of(path, "unsupported", message)
        self._elements = elements if shape else None
        self._rows = max(1, _BATCH // max(1, elements * np.dtype(dtype).itemsize))
        values = pyarrow.from_numpy_dtype(np.dtype(dtype).newbyteorder("="))
        self._values = values
        metadata = {"shape": str(shape).replace(" ", "")} if shape else None
        fields = [pyarrow.field("record", pyarrow.list_(values) if shape else values, metadata=metadata)]
        self.schema = pyarrow.schema(fields + ([pyarrow.field("label", pyarrow.int64())] if has_labels else []))

    def __getattr__(self, name):
        # Python asks this only for missing names.
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"a stream has no {name}; `pyarrow.table(stream)` is a table in memory")

    def __repr__(self):
        return f"<stream of Arrow: {', '.join(f'{field.name}: {field.type}' for field in self.schema)}>"

    def __getstate__(self):
        return {**vars(self), "_stream": None}

    def __arrow_c_stream__(self, requested_schema=None):
        return self.reader().__arrow_c_stream__(requested_schema)

    def __iter__(self):
        return iter(self.reader())

    def reader(self):
        """Return a new ``pyarrow.RecordBatchReader``."""
        import pyarrow

        # The constructor has opened the input for the first reader, in this process. `pop` gives it to one thread only.
        opened = vars(self).pop("_stream", None)
        if opened is None or os.getpid() != self._process:
            if hasattr(self._path, "read"):
                raise ValueError("a file object is read once; give its path or bytes")
            opened = _stream(self._path, self._given, _advice.OF_ARROW)
        return pyarrow.RecordBatchReader.from_batches(self.schema, self._batches(opened, os.getpid()))

    def _batches(self, stream, process):
        import pyarrow

        for images, labels in _batches(self._path, stream, self._rows, process):
            values = pyarrow.array(images.reshape(-1), self._values)
            if self._elements is not None:
                offsets = np.arange(len(images) + 1, dtype=np.int32) * np.int32(self._elements)
                values = pyarrow.ListArray.from_arrays(offsets, values)
            yield pyarrow.record_batch([values] if labels is None else [values, pyarrow.array(labels)], self.schema)


def arrow(path, **parameters):
    """Stream a file or a set of one part to DuckDB, Polars and others that take Arrow streams.

    The column ``record`` has the elements of each record as a list, and ``label`` the labels, if there are any. Only a
    few megabytes are in memory at a time. Each query reads the input again, but a file object is read once. Takes the
    parameters of ``records``, has the same ``reading`` and ``classes``, and needs pyarrow; ``pyarrow.table(arrow(path))``
    is a table in memory.

    >>> digits = arrow("train-images-idx3-ubyte")
    >>> duckdb.sql("select label, count(*) from digits group by label")
    """
    return ArrowStream(path, parameters)
