"""Compares `idx convert` with NumPy, both ways, for npy and csv.

Usage: convert.py IDX FOLDER, the command and a folder for the files, which is created again. The arrays are the same in
each run.

NumPy writes each array as npy: in C or Fortran order, little-endian or big-endian, in version 1, 2 or 3. The command
converts it to IDX, which must have the same bits, and from IDX to the file that `numpy.save` writes, byte for byte. csv
is written by `savetxt` and read by `loadtxt`: a NaN must stay one, and all other numbers must keep their bits. NumPy's
other integers are converted.
"""

import collections
import itertools
import pathlib
import shutil
import subprocess
import sys

import numpy
from compare import ELEMENT_TYPES, RUST_TYPES, SEED, random_array, random_shape, read_by_numpy, same, written_by_numpy

ORDERS = list(itertools.product("CF", "<>", [(1, 0), (2, 0), (3, 0)]))
RANKS = range(5)
# Types that IDX does not have, and for each an IDX type that holds small values.
OTHER_INTEGERS = {"uint16": "i32", "uint32": "f64", "uint64": "i16", "int64": "i32", "bool": "u8"}


def main(idx, folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    random = numpy.random.default_rng(SEED)
    counts = collections.Counter()

    def convert(source, target, *options):
        subprocess.run([idx, "convert", source, "-o", target, *options], check=True)
        return target.read_bytes()

    def write_npy(path, array, order, byte_order, version):
        array = numpy.asarray(array.astype(array.dtype.newbyteorder(byte_order)), order=order)
        with path.open("wb") as file:
            numpy.lib.format.write_array(file, array, version=version)
        counts[f"npy of NumPy, {order} order"] += 1
        counts[f"npy of NumPy, {byte_order}"] += 1
        counts[f"npy of NumPy, version {version[0]}"] += 1

    for index, (element_type, rank, order) in enumerate(itertools.product(ELEMENT_TYPES, RANKS, ORDERS)):
        array = random_array(random, numpy.dtype(element_type), random_shape(random, rank))
        name = f"{index:03}-{element_type}-" + "x".join(map(str, array.shape))
        theirs, plain = folder / f"{name}.theirs.npy", folder / f"{name}.idx"
        write_npy(theirs, array, *order)
        assert convert(theirs, plain) == written_by_numpy(array), f"{plain} has other bits"

        ours, saved = folder / f"{name}.ours.npy", folder / f"{name}.saved.npy"
        numpy.save(saved, array)
        assert convert(plain, ours) == saved.read_bytes(), f"{ours} is not what NumPy saves"
        assert same(numpy.load(ours), array), f"NumPy reads {ours} otherwise"
        counts["npy of ours"] += 1

        if rank in (1, 2) and array.size:
            compare_csv(array, plain, name, folder, convert, counts)

    for index, (number_type, order) in enumerate(itertools.product(OTHER_INTEGERS, ORDERS)):
        array = random.integers(0, 2 if number_type == "bool" else 1000, (7, 2, 3)).astype(number_type)
        path, element_type = folder / f"other-{index}.npy", OTHER_INTEGERS[number_type]
        write_npy(path, array, *order)
        read = read_by_numpy(convert(path, path.with_suffix(".idx"), "--as", element_type))
        numpy.testing.assert_array_equal(read, array.astype(read.dtype), number_type)
        counts["other integers"] += 1

    compare_npz(idx, folder, random)
    counts["npz"] += 1
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))


def compare_npz(idx, folder, random):
    """Checks that our archive has the arrays of a set under Keras's names, and converts back to the same files."""
    arrays, files, back = {}, folder / "set", folder / "back"
    files.mkdir()
    for part, name, count in (("train", "train", 50), ("test", "t10k", 9)):
        x = random.integers(0, 256, (count, 5, 4)).astype("uint8")
        y = random.integers(0, 10, count).astype("uint8")
        for kind, array in (("images-idx3", x), ("labels-idx1", y)):
            header = bytes([0, 0, 8, array.ndim]) + b"".join(size.to_bytes(4, "big") for size in array.shape)
            (files / f"{name}-{kind}-ubyte").write_bytes(header + array.tobytes())
        arrays |= {f"x_{part}": x, f"y_{part}": y}
    subprocess.run([idx, "convert", files, "-o", folder / "set.npz"], check=True)
    with numpy.load(folder / "set.npz") as archive:
        assert sorted(archive.files) == sorted(arrays), archive.files
        for name, array in arrays.items():
            numpy.testing.assert_array_equal(archive[name], array, name, strict=True)
    subprocess.run([idx, "convert", folder / "set.npz", "--to", "idx", "-o", f"{back}/"], check=True)
    for path in files.iterdir():
        assert (back / path.name).read_bytes() == path.read_bytes(), path.name


def compare_csv(array, plain, name, folder, convert, counts):
    """Checks that NumPy reads our csv, and that we read NumPy's."""
    ours, theirs, back = (folder / f"{name}.{end}" for end in ["ours.csv", "theirs.csv", "back.idx"])
    # NumPy cannot know the shape of one column or one line.
    shape = ["--shape", str(array.shape[1])] if array.ndim == 2 else []
    convert(plain, ours)
    read = numpy.loadtxt(ours, array.dtype, delimiter=",", ndmin=array.ndim, skiprows=1)
    numpy.testing.assert_array_equal(read.reshape(array.shape), array, name, strict=True)

    numpy.savetxt(theirs, array, delimiter=",")
    element_type = RUST_TYPES[array.dtype.name]
    read = read_by_numpy(convert(theirs, back, "--as", element_type, *shape))
    numpy.testing.assert_array_equal(read.astype(array.dtype), array, name, strict=True)
    zeros = array == 0
    if array.dtype.kind == "f":
        assert (numpy.signbit(read)[zeros] == numpy.signbit(array)[zeros]).all(), f"{name}: signs of zeros"
    counts["csv both ways"] += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
