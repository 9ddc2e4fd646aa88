"""Compares this project with NumPy, reading and writing random arrays.

Usage: compare.py REWRITE FOLDER, the program of `rewrite.rs` and a folder for the files, which is created again. The
arrays are the same in each run.

This script writes each array, by idx2numpy if that can write it, and every third one with Python's gzip. The program
reads it with all its readers and writes it again. The result must be the same file; idx2numpy and `numpy.frombuffer`
read it here. The bits are compared, so a NaN must keep its payload and a zero its sign.
"""

import collections
import gzip
import io
import math
import pathlib
import shutil
import subprocess
import sys

import idx2numpy
import numpy

ARRAYS = 648  # 12 for each element type and rank
SEED = 0x0803
ELEMENT_TYPES = {
    "uint8": 0x08,
    "int8": 0x09,
    "int16": 0x0B,
    "int32": 0x0C,
    "float32": 0x0D,
    "float64": 0x0E,
}
RUST_TYPES = dict(zip(ELEMENT_TYPES, ["u8", "i8", "i16", "i32", "f32", "f64"]))
RANKS = range(9)
# The record types of the program, by rank; each of these shapes is as likely as any other.
TYPED_RECORDS = {1: (), 2: (3,), 3: (2, 3), 4: (2, 0, 3)}


def random_shape(random, rank):
    """Returns sizes with a product of some thousands at most; one in fifteen is 0."""
    if rank and random.random() < 0.5 and rank in TYPED_RECORDS:
        return (int(random.integers(0, 50)), *TYPED_RECORDS[rank])
    largest = {0: 1, 1: 3000, 2: 60, 3: 14}.get(rank, 4)
    sizes = random.integers(1, largest, size=rank, endpoint=True)
    sizes[random.random(rank) < 1 / 15] = 0
    return tuple(int(size) for size in sizes)


def extremes(dtype):
    """Returns the values that a conversion is most likely to change."""
    if dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        return numpy.array([limits.min, limits.max, 0, 1], dtype)
    limits = numpy.finfo(dtype)
    values = [limits.min, limits.max, limits.tiny, limits.smallest_subnormal, -0.0]
    return numpy.array([*values, math.inf, -math.inf, math.nan], dtype)


def random_array(random, dtype, shape):
    """Returns random bits, so that floats are of all kinds, also NaN with payloads, and extremes."""
    count = math.prod(shape)
    values = numpy.frombuffer(random.bytes(count * dtype.itemsize), dtype).copy()
    chosen = random.random(count) < 0.2
    values[chosen] = random.choice(extremes(dtype), size=int(chosen.sum()))
    return values.reshape(shape)


def quiet(array):
    """Returns the array with quiet NaNs: idx2numpy converts each f32 to f64 and back, which makes them quiet."""
    if array.dtype != numpy.float32:
        return array
    bits = array.copy().view(numpy.uint32)
    bits[numpy.isnan(array)] |= 0x0040_0000
    return bits.view(numpy.float32)


def written_by_idx2numpy(array):
    file = io.BytesIO()
    idx2numpy.convert_to_file(file, array)
    return file.getvalue()


def written_by_numpy(array):
    start = bytes([0, 0, ELEMENT_TYPES[array.dtype.name], array.ndim])
    sizes = numpy.array(array.shape, ">u4").tobytes()
    return start + sizes + array.astype(array.dtype.newbyteorder(">")).tobytes()


def read_by_numpy(file):
    """Returns the array in a valid file, read by `frombuffer`."""
    code, rank = file[2:4]
    names = {code: name for name, code in ELEMENT_TYPES.items()}
    shape = numpy.frombuffer(file, ">u4", rank, 4)
    elements = numpy.frombuffer(file, numpy.dtype(names[code]).newbyteorder(">"), offset=4 + 4 * rank)
    return elements.reshape(shape)


def same(found, expected):
    """Compares shape, type and bits; the byte order may differ."""
    return (
        found.shape == expected.shape
        and found.dtype.newbyteorder("=") == expected.dtype
        and found.astype(expected.dtype).tobytes() == expected.tobytes()
    )


def as_matrix(array):
    """Returns the array in the shape that `to_matrix` gives it."""
    if array.ndim < 2:
        return array.astype(numpy.float64).reshape(1, -1)
    return array.astype(numpy.float64).reshape(array.shape[0], math.prod(array.shape[1:]))


def main(rewrite, folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    inputs, outputs = folder / "input", folder / "output"
    inputs.mkdir(parents=True)
    outputs.mkdir()

    random = numpy.random.default_rng(SEED)
    arrays, files = {}, {}
    counts = collections.Counter()
    for index in range(ARRAYS):
        element_type = list(ELEMENT_TYPES)[index % 6]
        rank = RANKS[index // 6 % len(RANKS)]
        array = random_array(random, numpy.dtype(element_type), random_shape(random, rank))
        if array.size and rank:  # what idx2numpy can write
            array = quiet(array)
            file = written_by_idx2numpy(array)
            assert file == written_by_numpy(array), f"idx2numpy and NumPy differ for {array!r}"
            counts["written by idx2numpy"] += 1
        else:
            file = written_by_numpy(array)
            counts["written by NumPy alone"] += 1
        name = f"{index:03}-{element_type}-" + "x".join(map(str, array.shape))
        arrays[name], files[name] = array, file
        zipped = index % 3 == 0
        (inputs / name).write_bytes(gzip.compress(file) if zipped else file)
        counts["gzip"] += zipped
        counts["without elements"] += array.size == 0
        counts["with NaN"] += bool(numpy.isnan(array).any())
        counts[element_type] += 1
        counts[f"rank {rank}"] += 1

    subprocess.run([rewrite, inputs, outputs], check=True)

    compared = 0
    for name, array in arrays.items():
        typed = array.ndim in TYPED_RECORDS and array.shape[1:] == TYPED_RECORDS[array.ndim]
        counts["typed records"] += typed
        for suffix in ["untyped", "untyped.gz", *(["typed", "typed.gz"] if typed else [])]:
            path = outputs / f"{name}.{suffix}"
            file = path.read_bytes()
            file = gzip.decompress(file) if suffix.endswith("gz") else file
            assert file == files[name], f"{path} is not the file that was read"
            assert same(idx2numpy.convert_from_string(file), array), f"idx2numpy reads {path} otherwise"
            assert same(read_by_numpy(file), array), f"NumPy reads {path} otherwise"
            compared += 1
        elements = (outputs / f"{name}.elements").read_bytes()
        assert elements == array.tobytes(), f"`load` has other elements of {name}"
        matrix = numpy.frombuffer((outputs / f"{name}.matrix").read_bytes())
        numpy.testing.assert_array_equal(matrix, as_matrix(array).ravel(), name, strict=True)
        compared += 2

    written = sum(1 for _ in outputs.iterdir())
    assert written == compared, f"{written} files were written, {compared} compared"
    print(f"{len(arrays)} arrays, {compared} files written by us: the same for NumPy {numpy.__version__}")
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))


if __name__ == "__main__":
    main(*sys.argv[1:])
