"""The parameters that say how to read an input, and the reading that results."""

import operator
import os
from collections.abc import Mapping
from contextlib import contextmanager

import numpy as np

from . import _advice, _native
from ._arrays import expect_limit, is_whole, known_type

_PARAMETERS = "labels, classes, label_column, column, skip, shape, header, dtype and limit"


class Reading(tuple):
    """The reading of a set's inputs: a dict for each, or as ``str`` a line for each.

    IDX and npy files are not listed, because their headers say how to read them.

    ``path``
        the file or folder
    ``statements``
        how it was understood: dicts with a ``subject`` (records, labels, classes, parts or left_out), a ``text``, and
        what decided it, ``by`` (header, name, content or option)
    ``parameters``
        parameters of ``open`` that fix the reading: with them and the given ones, which they may repeat, the same bytes
        give the same records
    ``alike``
        the number of further inputs that were read the same way

    >>> given = {"dtype": "float32", "header": True}
    >>> [understood] = open("iris.csv", **given).reading
    >>> again = open("iris.csv", **{**understood["parameters"], **given})
    """

    __slots__ = ()

    def __str__(self):
        return "\n".join(map(_line, self))


def _line(understood):
    count = understood["alike"]
    more = f" and {count} {'input' if count == 1 else 'inputs'} like it" if count else ""
    statements = "; ".join(statement["text"] for statement in understood["statements"])
    parameters = ", ".join(f"{name}={value!r}" for name, value in understood["parameters"].items())
    return f"{understood['path']}{more}: {statements}" + (f" ({parameters})" if parameters else "")


def understood(inputs):
    """Return the reading that the native part reports."""
    return Reading(
        {
            "path": str(path),
            "statements": [dict(zip(("subject", "text", "by"), statement)) for statement in statements],
            "parameters": parameters,
            "alike": alike,
        }
        for path, alike, statements, parameters in inputs
    )


# The modes of Python's own `open`.
_MODES = ("r", "rb", "rt", "r+", "w", "wb", "a", "ab")


@contextmanager
def labels_are_no_column(labels):
    """If the file of labels is missing, add that its name may be meant for a column."""
    try:
        yield
    except FileNotFoundError as error:
        if error.filename != labels or not isinstance(labels, str) or os.path.basename(labels) != labels:
            raise
        column = f"no such file; a column of a table is `label_column={labels!r}`"
        sentence = "no such file; `open` has no mode: its second parameter is the labels" if labels in _MODES else column
        raise FileNotFoundError(error.errno, sentence, labels) from None


def is_for_file(labels):
    """Return whether the labels come from files."""
    return labels is None or labels is False or isinstance(labels, (str, os.PathLike))


def _listed(skip):
    is_one = isinstance(skip, (str, bytes)) or not np.iterable(skip)
    return [skip] if is_one else list(skip)


def named_classes(given):
    """Check the class names, and return them by label."""
    kinds = "`classes` is a list of names in the order of the labels, a dict from labels to names, or for `open` a file"
    if isinstance(given, (str, bytes, set, frozenset)) or not np.iterable(given):
        raise TypeError(f"{kinds}, not {given!r}")
    named = dict(given) if isinstance(given, Mapping) else dict(enumerate(given))
    for label, name in named.items():
        is_label = hasattr(label, "__index__") and -(2**127) <= operator.index(label) < 2**127
        if not is_label or not isinstance(name, str) or name.encode(errors="ignore").decode() != name:
            raise TypeError(f"{kinds}; {label!r}: {name!r} is not a label and its name")
    return named


def _sizes(shape):
    if shape is None:
        return None
    try:
        sizes = [operator.index(size) for size in np.atleast_1d(shape)]
    except TypeError:
        raise TypeError(f"`shape` is the sizes of a record, such as (28, 28), not {shape!r}") from None
    if not all(0 <= size < 2**32 for size in sizes):
        raise ValueError(f"the shape {tuple(sizes)} has a size below 0 or above 2**32 - 1; give each, such as (28, 28)")
    return sizes


def parameters(
    labels=None, classes=None, *, label_column=None, column=None, skip=None, shape=None, header=None, dtype=None, limit=None,
    instead=_advice.PARAMETERS, **unknown,
):
    """Check the parameters, and return them for the native part. ``instead`` has advice for unknown ones."""
    _advice.expect_none(unknown, instead, _PARAMETERS)
    if labels is True:
        raise TypeError("`labels` is a file, an array or False; leave it out to read the labels that belong to the records")
    if isinstance(labels, (bytes, bytearray, memoryview)) or hasattr(labels, "read"):
        raise TypeError("`labels` is the path of a file or an array; `load` makes an array of a file object or of bytes")
    if labels is False and classes is not None:
        raise _native.error("no_effect", "`classes` has no effect without labels; leave it out")
    if dtype is not None:
        dtype = known_type(dtype)
    if header is not None and not isinstance(header, (bool, np.bool_)):
        raise TypeError(f"`header` is True if the first line names the columns, or False, not {header!r}")
    skipped = None if skip is None else _listed(skip)
    one_each = [(name, one) for name, one in [("label_column", label_column), ("column", column)] if one is not None]
    for name, given in [*one_each, *(("skip", one) for one in skipped or [])]:
        if is_whole(given) and not 0 <= operator.index(given) < 2**63:
            raise ValueError(f"`{name}` is {given}; columns are counted from 0, or named")
        if not (isinstance(given, str) or is_whole(given)):
            raise TypeError(f"`{name}` is the name of a column, or its position from 0, not {given!r}")
    expect_limit(limit)
    if isinstance(classes, (str, os.PathLike)):
        classes = os.fsdecode(classes)
    elif classes is not None:
        classes = named_classes(classes)
        if not classes:
            raise ValueError("`classes` has no names; leave it out")
    return {
        "limit": limit,
        "with_labels": labels is not False and is_for_file(labels),
        "labels": os.fsdecode(labels) if isinstance(labels, (str, os.PathLike)) else None,
        "label_column": label_column,
        "column": column,
        "skip": skipped,
        "classes": classes,
        "shape": _sizes(shape),
        "header": header,
        "dtype": None if dtype is None else dtype.name,
    }
