"""IDX files, the format of MNIST, as arrays of NumPy.

    images = idxfile.load("train-images-idx3-ubyte.gz")    # uint8, (60000, 28, 28)

Functions take paths as the built-in ``open`` does: a ``str`` or any ``os.PathLike``.
"""

from ._arrays import load, memmap, save
from ._native import Error

__all__ = ["Error", "load", "memmap", "save"]
