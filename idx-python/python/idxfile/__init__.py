"""IDX files, the format of MNIST and similar data sets, as NumPy arrays.

    images = idxfile.load("train-images-idx3-ubyte.gz")    # uint8, (60000, 28, 28)
    mnist = idxfile.fetch("mnist")                         # mnist.train, mnist.test
    image, label = mnist.train[0]

Paths are, as for the built-in ``open``, a ``str`` or any ``os.PathLike``. ``load``, ``open``, ``records`` and ``arrow``
also take the content of a file as ``bytes``, or a file object that reads bytes.
"""

from . import _advice
from ._arrays import load, memmap, save
from ._fetch import fetch
from ._native import Error, __version__
from ._reading import Reading
from ._set import Set, open
from ._stream import arrow, records

__all__ = ["Error", "Reading", "Set", "__version__", "arrow", "fetch", "load", "memmap", "open", "records", "save"]

# Pickles keep these names, and this module's files may be renamed.
Reading.__module__ = Set.__module__ = __name__


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    functions = "it has load, save and memmap for arrays, and open, records, arrow and fetch for sets"
    raise AttributeError(f"idxfile has no {name}; {_advice.FUNCTIONS.get(name, functions)}")
