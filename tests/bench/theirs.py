"""The work of programs in Python, for `processes` to measure: whole files, batches, tables and jobs.

    theirs.py                    answers each line, a function and a path, with the nanoseconds
    theirs.py FUNCTION PATH      does the work once, in a process of its own

Each function takes the path of a file or of the folder with the data.
"""

import functools
import os
import subprocess
import sys
import time
from pathlib import Path

IMAGES = "train-images-idx3-ubyte"
LABELS = "train-labels-idx1-ubyte"


def numpy_fromfile(folder):
    import numpy
    return numpy.fromfile(folder / IMAGES, numpy.uint8, offset=16).reshape(-1, 28, 28)


def numpy_fromfile_f32(folder):
    import numpy
    return numpy.fromfile(folder / "images.f32", ">f4", offset=16).astype("f4").reshape(-1, 28, 28)


def numpy_gzip(folder):
    import gzip
    import numpy
    with gzip.open(folder / f"{IMAGES}.gz") as file:
        return numpy.frombuffer(file.read(), numpy.uint8, offset=16).reshape(-1, 28, 28)


def numpy_libdeflate(folder):
    import deflate
    import numpy
    unpacked = deflate.gzip_decompress((folder / f"{IMAGES}.gz").read_bytes())
    return numpy.frombuffer(unpacked, numpy.uint8, offset=16).reshape(-1, 28, 28)


def idx2numpy(folder):
    from idx2numpy import convert_from_file
    return convert_from_file(str(folder / IMAGES))


def idx2numpy_f32(folder):
    from idx2numpy import convert_from_file
    return convert_from_file(str(folder / "images.f32")).astype("f4")


def idx2numpy_gzip(folder):
    import gzip
    from idx2numpy import convert_from_file
    with gzip.open(folder / f"{IMAGES}.gz") as file:
        return convert_from_file(file)


# `idxfile` and the others, for a file that is plain or ends with `.gz`.


def idxfile_load(path):
    from idxfile import load
    return load(path)


def opened(path):
    import gzip
    return gzip.open(path) if path.suffix == ".gz" else open(path, "rb")


def idx2numpy_file(path):
    from idx2numpy import convert_from_file
    with opened(path) as file:
        return convert_from_file(file)


def numpy_by_hand(path):
    import numpy
    with opened(path) as file:
        data = file.read()
    shape = numpy.frombuffer(data, ">u4", count=data[3], offset=4)
    return numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * data[3]).reshape(shape)


def torchvision_way(path):
    """Reads as torchvision's MNIST does: decompresses to the disk, reads, copies into a `bytearray`."""
    import gzip
    import numpy
    if path.suffix == ".gz":
        with gzip.open(path) as file:
            path = path.with_suffix(".decompressed")
            path.write_bytes(file.read())
    data = path.read_bytes()
    shape = [int.from_bytes(data[4 * axis + 4:4 * axis + 8], "big") for axis in range(data[3])]
    array = numpy.frombuffer(bytearray(data), numpy.uint8, offset=4 * data[3] + 4)
    return array.reshape(shape)


def idxfile_alone(_path):
    import idxfile
    return idxfile


def python_mnist(folder):
    from mnist import MNIST
    return MNIST(str(folder)).load_training()


def python_mnist_gzip(folder):
    from mnist import MNIST
    return MNIST(str(folder), gz=True).load_training()


@functools.cache
def pytorch_images(folder):
    import torch
    return torch.from_numpy(numpy_fromfile(folder))


def pytorch_tensors(folder):
    import torch
    images = pytorch_images(folder)
    for chosen in torch.randperm(len(images)).split(128):
        images[chosen].float().div_(255)


@functools.cache
def pytorch_data_loader(folder):
    from torch.utils.data import DataLoader
    from torchvision.datasets import MNIST
    from torchvision.transforms import ToTensor
    (folder / "MNIST").mkdir()
    (folder / "MNIST" / "raw").symlink_to(folder)
    return DataLoader(MNIST(folder, transform=ToTensor()), batch_size=128, shuffle=True)


def pytorch_loader(folder):
    for _images, _labels in pytorch_data_loader(folder):
        pass


# Tables, which stay in memory as bytes. DuckDB takes its number of threads from polars's variable.


def columns(folder):
    with open(folder / "images.csv") as file:
        return file.readline().rstrip("\n").split(",")


def polars_read_csv(folder):
    import polars
    return polars.read_csv(folder / "images.csv", schema={name: polars.UInt8 for name in columns(folder)})


polars_table = functools.cache(polars_read_csv)


def polars_write_csv(folder):
    polars_table(folder).write_csv(folder / "polars.csv")


@functools.cache
def duckdb_connection():
    import duckdb
    return duckdb.connect(config={"threads": os.environ["POLARS_MAX_THREADS"]})


def duckdb_read_csv(folder):
    types = ", ".join(f"'{name}': 'UTINYINT'" for name in columns(folder))
    duckdb_connection().execute(
        f"CREATE OR REPLACE TABLE images AS FROM read_csv('{folder}/images.csv', "
        f"header = true, delim = ',', columns = {{{types}}})"
    )


duckdb_table = functools.cache(duckdb_read_csv)


def duckdb_write_csv(folder):
    duckdb_table(folder)
    duckdb_connection().execute(f"COPY images TO '{folder}/duckdb.csv' (HEADER true)")


# Parquet with lists of numbers, and labels next to them.


@functools.cache
def polars_lists(folder):
    import numpy
    import polars
    images = numpy.fromfile(folder / IMAGES, numpy.uint8)[16:].reshape(-1, 784)
    labels = numpy.fromfile(folder / LABELS, numpy.uint8)[8:]
    lists = polars.Series("image", images).cast(polars.List(polars.UInt8))
    return polars.DataFrame([polars.Series("label", labels), lists])


def polars_write_parquet(folder):
    # The level of `idx convert`.
    polars_lists(folder).write_parquet(folder / "polars.parquet", compression="zstd", compression_level=1)


def polars_read_parquet(folder):
    import polars
    return polars.read_parquet(folder / "images.parquet")


# Whole jobs.


def numpy_stats(path):
    """Computes minimum, maximum, mean and deviation in pieces, without a histogram."""
    import numpy
    types = {8: ">u1", 9: ">i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
    with open(path, "rb") as file:
        start = file.read(4)
        file.read(4 * start[3])
        least, most, count, total, squares = float("inf"), float("-inf"), 0, 0.0, 0.0
        while piece := file.read(1 << 17):
            numbers = numpy.frombuffer(piece, types[start[2]]).astype("f8")
            least, most = min(least, numbers.min()), max(most, numbers.max())
            count, total = count + numbers.size, total + numbers.sum()
            squares += numpy.dot(numbers, numbers)
    return least, most, total / count, (squares / count - (total / count) ** 2) ** 0.5


def numpy_memmap_shuffle(folder):
    import numpy
    images = numpy.memmap(folder / "large.idx", numpy.uint8, "r", offset=16).reshape(-1, 784)
    order = numpy.random.default_rng(1).permutation(len(images))
    with open(folder / "theirs.idx", "wb") as file:
        for some in numpy.array_split(order, max(len(order) // 4096, 1)):
            file.write(images[some])


def two_cats(folder):
    for _ in range(2):
        with open(folder / "theirs.idx", "wb") as file:
            subprocess.run(["cat", folder / "large.idx"], stdout=file, check=True)


def draw_photos(folder):
    """Draws 400 pictures of 1600 x 1200 with the noise and the slow changes of photographs."""
    import numpy
    from PIL import Image
    random_numbers = numpy.random.default_rng(1)
    folder.mkdir()
    y, x = numpy.mgrid[0:1200, 0:1600] / 400
    for index in range(400):
        shifts = random_numbers.uniform(0, 6, (3, 1, 1))
        light = 128 + 90 * numpy.sin(x + shifts) * numpy.cos(y * (1 + shifts / 6))
        light += random_numbers.normal(0, 6, light.shape)
        pixels = light.clip(0, 255).astype("u1").transpose(1, 2, 0)
        Image.fromarray(pixels).save(folder / f"{index}.jpg", quality=90)


def pillow_small(path, draft):
    from PIL import Image
    with Image.open(path) as picture:
        if draft:
            picture.draft("L", (28, 28))
        return picture.convert("L").resize((28, 28), Image.Resampling.BILINEAR).tobytes()


def pillow_photos(folder, draft=False):
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(2) as pool, open(folder.with_suffix(".theirs"), "wb") as file:
        file.writelines(pool.map(lambda path: pillow_small(path, draft), sorted(folder.iterdir())))


def pillow_photos_draft(folder):
    pillow_photos(folder, draft=True)


def worker():
    """Answers each line of standard input, a function and a path, with the nanoseconds of one call."""
    for line in sys.stdin:
        name, folder = line.rstrip("\n").split("\t")
        start = time.perf_counter_ns()
        result = globals()[name](Path(folder))
        elapsed = time.perf_counter_ns() - start
        del result
        print(elapsed, flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [name, path]:
            globals()[name](Path(path))
        case _:
            worker()
