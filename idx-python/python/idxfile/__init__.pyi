from collections.abc import Iterable, Iterator, Sequence, Mapping, KeysView, ValuesView, ItemsView
from os import PathLike
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias, TypedDict, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from typing_extensions import Never, Self, Unpack

# Wider than `IO[bytes]`: also what `gzip.open` returns.
class _Reads(Protocol):
    def read(self, size: int, /) -> bytes: ...

class _Writes(Protocol):
    def write(self, data: bytes, /) -> object: ...

_Path: TypeAlias = str | PathLike[str] | PathLike[bytes]
_Input: TypeAlias = _Path | bytes | bytearray | memoryview | _Reads
_Array: TypeAlias = NDArray[Any]
_Names: TypeAlias = Iterable[str] | Mapping[int, str]
_Classes: TypeAlias = _Path | _Names

class _Parameters(TypedDict, total=False):
    label_column: str | SupportsIndex | None
    column: str | SupportsIndex | None
    skip: str | SupportsIndex | Iterable[str | SupportsIndex] | None
    shape: Sequence[SupportsIndex] | _Array | SupportsIndex | None
    header: bool | None
    dtype: DTypeLike
    limit: SupportsIndex | None

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

# `Never`: an error says what to write instead of other parameters.
def load(path: _Input, limit: SupportsIndex | None = None, **unknown: Never) -> _Array: ...
def memmap(path: _Path, **unknown: Never) -> np.memmap[Any, np.dtype[Any]]: ...
def save(path: _Path | bytes | _Writes, array: ArrayLike, *others: Never, **unknown: Never) -> None: ...
def open(
    path: _Input,
    labels: _Path | Literal[False] | ArrayLike | None = None,
    *,
    classes: _Classes | None = None,
    **parameters: Unpack[_Parameters],
) -> Set: ...
def records(path: _Input, size: SupportsIndex = 1024, **parameters: Unpack[_StreamParameters]) -> _Records: ...
def arrow(path: _Input, **parameters: Unpack[_StreamParameters]) -> _ArrowStream: ...
def fetch(name: str, folder: _Path | None = None, mirror: str | None = None, **unknown: Never) -> Set: ...

class _Batches(Iterable[Any]):
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...

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
        classes: _Names | None = None,
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
        self,
        size: SupportsIndex | None = None,
        shuffle: SupportsIndex | None = None,
        drop_last: bool = False,
        **unknown: Never,
    ) -> _Batches: ...
