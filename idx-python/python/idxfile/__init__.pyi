from os import PathLike
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Path: TypeAlias = str | PathLike[str]

class Error(ValueError):
    code: str

def load(path: _Path, limit: int | None = None) -> NDArray[Any]: ...
def memmap(path: _Path) -> np.memmap[Any, np.dtype[Any]]: ...
def save(path: _Path, array: ArrayLike) -> None: ...
