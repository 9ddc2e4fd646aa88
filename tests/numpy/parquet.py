"""Compares `idx convert` to and from Parquet with NumPy and pyarrow.

Usage: parquet.py IDX FOLDER, the command with the feature `parquet` and a folder for the files, which is created again.
The arrays are the same in each run.

pyarrow must read the command's file as lists, a tensor or bytes of a fixed length, with the bits of the source; labels
too, from one file and from a folder of shards. The command must convert pyarrow's files back to the IDX file: tensors,
and lists of variable length with wider integers, as Spark writes them.
"""

import collections
import itertools
import math
import pathlib
import shutil
import subprocess
import sys

import numpy
import pyarrow
import pyarrow.parquet
from compare import ELEMENT_TYPES, RUST_TYPES, SEED, random_array, same, written_by_numpy

SHAPES = [(17,), (5, 3), (7, 2, 3), (4, 1, 2, 3), (0, 2, 3), (1, 28, 28)]
# Spark has neither unsigned integers nor a shape.
SPARK_TYPES = {"uint8": "int16", "int8": "int8", "int16": "int16", "int32": "int32", "float32": "float32"}
# The ways in which pyarrow may write pages: compression, version and dictionaries.
MANNERS = list(itertools.product(["zstd", "snappy", "none"], ["1.0", "2.0"], [True, False]))


def main(idx, folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    random = numpy.random.default_rng(SEED)
    counts = collections.Counter()

    def convert(*arguments):
        subprocess.run([idx, "convert", *arguments], check=True)

    for element_type, shape in itertools.product(ELEMENT_TYPES, SHAPES):
        array = random_array(random, numpy.dtype(element_type), shape)
        labels = random.integers(-1000, 1000, shape[0]).astype(numpy.int16)
        place = folder / (f"{element_type}-" + "x".join(map(str, shape)))
        place.mkdir()
        (place / "a.idx").write_bytes(written_by_numpy(array))
        (place / "l.idx").write_bytes(written_by_numpy(labels))
        compare_ours(place, array, labels, convert, counts)
        compare_theirs(place, array, labels, convert, counts)
        if element_type in SPARK_TYPES and array.ndim > 1:
            compare_spark(place, array, labels, convert, counts)

    print(f"pyarrow {pyarrow.__version__}: " + ", ".join(f"{count} {what}" for what, count in sorted(counts.items())))


def compare_ours(place, array, labels, convert, counts):
    """Checks that pyarrow reads what the command writes."""
    source = [place / "a.idx", "--labels", place / "l.idx"]
    convert(*source, "-o", place / "list.parquet")
    paths = [place / "list.parquet"]
    # Fewer records do not fill three shards.
    if len(array) >= 3:
        convert(*source, "-o", place / "shards/", "--shards", "3")
        paths.append(place / "shards")
    for path in paths:
        table = pyarrow.parquet.read_table(path)
        records = table.column("record").combine_chunks()
        if array.ndim > 1:
            assert records.type == pyarrow.list_(pyarrow.field("element", pyarrow.from_numpy_dtype(array.dtype)))
            assert set(records.value_lengths().to_pylist()) <= {math.prod(array.shape[1:])}
            found = records.flatten().to_numpy().reshape(array.shape)
        else:
            found = records.to_numpy()
        assert same(found, array), f"pyarrow reads {path} otherwise"
        assert same(table.column("label").to_numpy(), labels), f"the labels of {path} are others"
        compare_back(path, place, convert)
        counts["lists of ours"] += 1
    if array.ndim > 1:
        path = place / "tensor.parquet"
        convert(*source, "-o", path, "--layout", "tensor")
        records = pyarrow.parquet.read_table(path).column("record").combine_chunks()
        assert isinstance(records.type, pyarrow.FixedShapeTensorType), f"{path}: {records.type}"
        assert tuple(records.type.shape) == array.shape[1:], f"{path}: {records.type}"
        # pyarrow has no tensor without records.
        found = records.to_numpy_ndarray() if len(array) else array[:0]
        assert same(found, array), f"pyarrow reads {path} otherwise"
        compare_back(path, place, convert)
        counts["tensors of ours"] += 1
        path = place / "binary.parquet"
        convert(*source, "-o", path, "--layout", "binary")
        table = pyarrow.parquet.read_table(path)
        size = array.itemsize * math.prod(array.shape[1:])
        assert table.schema.field("record").type == pyarrow.binary(size), f"{path}: {table.schema}"
        found = b"".join(table.column("record").to_pylist())
        little = array.astype(array.dtype.newbyteorder("<"))
        assert found == little.tobytes(), f"the bytes of {path} are others"
        counts["bytes of ours"] += 1


def compare_theirs(place, array, labels, convert, counts):
    """Checks that the command reads the same array from pyarrow's files."""
    if array.ndim == 1:
        records = pyarrow.array(array)
    elif len(array):
        records = pyarrow.FixedShapeTensorArray.from_numpy_ndarray(array)
    else:
        return
    table = pyarrow.table({"record": records, "label": labels})
    for compression, version, dictionary in MANNERS:
        path = place / f"theirs-{compression}-{version}-{dictionary}.parquet"
        pyarrow.parquet.write_table(
            table, path, row_group_size=4, compression=compression, data_page_version=version, use_dictionary=dictionary
        )
        compare_back(path, place, convert)
        counts["of pyarrow"] += 1


def compare_spark(place, array, labels, convert, counts):
    """Checks that the command reads lists of variable length, with wider elements and without a shape."""
    wide = array.astype(SPARK_TYPES[array.dtype.name]).reshape(len(array), math.prod(array.shape[1:]))
    records = pyarrow.array(list(wide), pyarrow.list_(pyarrow.from_numpy_dtype(wide.dtype)))
    table = pyarrow.table({"record": records, "label": labels})
    path = place / "spark.parquet"
    pyarrow.parquet.write_table(table, path, compression="snappy", store_schema=False)
    sizes = "x".join(map(str, array.shape[1:]))
    compare_back(path, place, convert, "--shape", sizes, "--as", RUST_TYPES[array.dtype.name])
    counts["as Spark writes"] += 1


def compare_back(path, place, convert, *options):
    back = path.with_suffix(".idx"), path.with_name(f"{path.stem}-labels.idx")
    convert(path, "-o", back[0], *options)
    assert back[0].read_bytes() == (place / "a.idx").read_bytes(), f"{path} becomes another file"
    assert back[1].read_bytes() == (place / "l.idx").read_bytes(), f"{path} has other labels"


if __name__ == "__main__":
    main(*sys.argv[1:])
