from collections.abc import Iterator
from os import PathLike
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Path: TypeAlias = str | PathLike[str]
_Array: TypeAlias = NDArray[Any]

class Error(ValueError):
    code: str

def load(path: _Path, limit: int | None = None) -> _Array: ...
def memmap(path: _Path) -> np.memmap[Any, np.dtype[Any]]: ...
def save(path: _Path, array: ArrayLike) -> None: ...
def open(path: _Path) -> Set: ...
def arrow(path: _Path) -> Any: ...  # a pyarrow.Table
def fetch(name: str, folder: _Path | None = None, mirror: str | None = None) -> Set: ...

class Set:
    images: _Array
    labels: NDArray[np.int64] | None
    classes: dict[int, str]
    parts: dict[str, Set]
    train: Set
    test: Set
    val: Set
    def __init__(
        self,
        images: _Array | None = None,
        labels: NDArray[np.int64] | None = None,
        classes: dict[int, str] | None = None,
        parts: dict[str, Set] | None = None,
    ) -> None: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice | _Array | list[int]) -> Set: ...
    def batches(self, size: int, shuffle: int | None = None) -> Iterator[Any]: ...
