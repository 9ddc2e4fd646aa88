from collections.abc import Iterator, Sequence, Mapping, KeysView, ValuesView, ItemsView
from os import PathLike
from typing import IO, Any, Literal, SupportsIndex, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Path: TypeAlias = str | PathLike[str]
_Input: TypeAlias = _Path | bytes | bytearray | memoryview | IO[bytes]
_Array: TypeAlias = NDArray[Any]
_Classes: TypeAlias = _Path | Sequence[str]

__version__: str

class Error(ValueError):
    code: str

def load(path: _Input, limit: int | None = None) -> _Array: ...
def memmap(path: _Path) -> np.memmap[Any, np.dtype[Any]]: ...
def save(path: _Path | IO[bytes], array: ArrayLike) -> None: ...
def open(
    path: _Input,
    *,
    labels: _Path | Literal[False] | ArrayLike | None = None,
    label_column: str | int | None = None,
    classes: _Classes | Mapping[int, str] | None = None,
    shape: Sequence[int] | int | None = None,
    header: bool | None = None,
    limit: int | None = None,
) -> Set: ...
def records(
    path: _Input,
    size: int = 1024,
    *,
    labels: _Path | Literal[False] | None = None,
    label_column: str | int | None = None,
    classes: _Classes | None = None,
    shape: Sequence[int] | int | None = None,
    header: bool | None = None,
    limit: int | None = None,
) -> Iterator[Any]: ...
def arrow(
    path: _Input,
    *,
    labels: _Path | Literal[False] | None = None,
    label_column: str | int | None = None,
    classes: _Classes | None = None,
    shape: Sequence[int] | int | None = None,
    header: bool | None = None,
    limit: int | None = None,
) -> Any: ...  # an object with `__arrow_c_stream__`, `schema` and `reader()`
def fetch(name: str, folder: _Path | None = None, mirror: str | None = None) -> Set: ...

class Set:
    images: _Array
    labels: NDArray[np.int64]  # None without labels; most programs have them
    classes: dict[int, str]
    parts: dict[str, Set]
    train: Set
    test: Set
    val: Set
    def __init__(
        self,
        images: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        classes: Mapping[int, str] | None = None,
        parts: Mapping[str, Set] | None = None,
    ) -> None: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __contains__(self, item: object) -> bool: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> _Array: ...
    @overload
    def __getitem__(self, index: str) -> Set: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, index: slice | _Array | Sequence[int] | Sequence[bool]) -> Set: ...
    def keys(self) -> KeysView[str]: ...
    def values(self) -> ValuesView[Set]: ...
    def items(self) -> ItemsView[str, Set]: ...
    def arrays(self) -> Any: ...
    def batches(self, size: int, shuffle: int | None = None, drop_last: bool = False) -> Iterator[Any]: ...
