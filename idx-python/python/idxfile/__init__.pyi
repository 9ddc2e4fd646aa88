from collections.abc import Iterator, Sequence, Mapping, KeysView, ValuesView, ItemsView
from os import PathLike
from typing import IO, Any, Literal, SupportsIndex, TypeAlias, TypedDict, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from typing_extensions import Never, Self, Unpack

_Path: TypeAlias = str | PathLike[str]
_Input: TypeAlias = _Path | bytes | bytearray | memoryview | IO[bytes]
_Array: TypeAlias = NDArray[Any]
_Classes: TypeAlias = _Path | Sequence[str] | Mapping[int, str]

class _Parameters(TypedDict, total=False):
    label_column: str | int | None
    column: str | int | None
    skip: str | int | Sequence[str | int] | None
    shape: Sequence[int] | int | None
    header: bool | None
    dtype: DTypeLike
    limit: int | None

class _StreamParameters(_Parameters, total=False):
    labels: _Path | Literal[False] | None
    classes: _Classes | None

class _Statement(TypedDict):
    subject: Literal["records", "labels", "classes", "parts", "left_out"]
    text: str
    by: Literal["header", "name", "content", "option"]

class _Understood(TypedDict):
    path: str
    statements: list[_Statement]
    parameters: dict[str, Any]
    alike: int

class Reading(tuple[_Understood, ...]): ...

class _NoFile:
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...

class _Records(_NoFile, Iterator[Any]):
    reading: Reading
    classes: dict[int, str]
    def __next__(self) -> Any: ...

class _ArrowStream:
    reading: Reading
    classes: dict[int, str]
    schema: Any
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def reader(self) -> Any: ...

__version__: str

class Error(ValueError):
    code: str

# `Never`: what other names of parameters mean, an error says.
def load(path: _Input, limit: int | None = None, **unknown: Never) -> _Array: ...
def memmap(path: _Path, **unknown: Never) -> np.memmap[Any, np.dtype[Any]]: ...
def save(path: _Path | IO[bytes], array: ArrayLike, *others: Never, **unknown: Never) -> None: ...
def open(
    path: _Input,
    labels: _Path | Literal[False] | ArrayLike | None = None,
    *,
    classes: _Classes | None = None,
    **parameters: Unpack[_Parameters],
) -> Set: ...
def records(path: _Input, size: int = 1024, **parameters: Unpack[_StreamParameters]) -> _Records: ...
def arrow(path: _Input, **parameters: Unpack[_StreamParameters]) -> _ArrowStream: ...
def fetch(name: str, folder: _Path | None = None, mirror: str | None = None, **unknown: Never) -> Set: ...

class _Batches(Iterator[Any]):
    def __len__(self) -> int: ...
    def __next__(self) -> Any: ...

class Set(_NoFile):
    images: _Array
    labels: NDArray[np.int64]  # None without labels; most programs have them
    classes: dict[int, str]
    parts: dict[str, Set]
    reading: Reading
    train: Set
    test: Set
    val: Set
    def __init__(
        self,
        images: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        classes: Mapping[int, str] | Sequence[str] | None = None,
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
    def get(self, name: str, default: Any = None) -> Any: ...
    def values(self) -> ValuesView[Set]: ...
    def items(self) -> ItemsView[str, Set]: ...
    def arrays(self) -> Any: ...
    def batches(
        self, size: int | None = None, shuffle: int | None = None, drop_last: bool = False, **unknown: Never
    ) -> _Batches: ...
