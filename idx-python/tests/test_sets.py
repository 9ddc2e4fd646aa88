"""`open`, `Set` and `arrow`."""

import copy
import gzip
import io
import multiprocessing
import os
import pickle
import re
import struct
import subprocess
import sys
import time
import zipfile

import numpy as np
import pytest

import idxfile
from memory import grown

IMAGES = np.random.default_rng(1).integers(0, 256, (10, 4, 3), "uint8")
LABELS = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3], "uint8")


def save_pair(folder, prefix="train", images=IMAGES, labels=LABELS, end=""):
    folder.mkdir(exist_ok=True)
    idxfile.save(folder / f"{prefix}-images-idx3-ubyte{end}", images)
    idxfile.save(folder / f"{prefix}-labels-idx1-ubyte{end}", labels)
    return folder / f"{prefix}-images-idx3-ubyte{end}"


def expect_pair(data, images=IMAGES, labels=LABELS):
    assert len(data) == len(images)
    assert data.images.dtype == images.dtype and data.images.dtype.isnative
    assert np.array_equal(data.images, images) and data.images.flags.writeable
    assert data.labels.dtype == np.int64 and np.array_equal(data.labels, labels)


@pytest.mark.parametrize("end", ["", ".gz"])
def test_a_pair_is_found_by_its_names(tmp_path, end):
    expect_pair(idxfile.open(save_pair(tmp_path, end=end)))


def test_a_folder_has_its_parts(tmp_path):
    save_pair(tmp_path)
    save_pair(tmp_path, "t10k", IMAGES[:4], LABELS[:4], ".gz")
    data = idxfile.open(tmp_path)
    assert list(data.parts) == ["train", "test"]
    expect_pair(data.train)
    expect_pair(data.test, IMAGES[:4], LABELS[:4])
    expect_pair(idxfile.open(f"{tmp_path}/:test"), IMAGES[:4], LABELS[:4])
    assert "train: " in repr(data) and "10 records of (4, 3) uint8" in repr(data)
    for missing in ["images", "labels", "val"]:
        with pytest.raises(AttributeError, match=f"train and test, and no {missing}"):
            getattr(data, missing)
    pickled = pickle.dumps(data)
    expect_pair(pickle.loads(pickled).train)
    assert b"idxfile._" not in pickled and str(idxfile.Set) == "<class 'idxfile.Set'>"


def test_other_formats(tmp_path):
    np.savez(tmp_path / "mnist.npz", x_train=IMAGES, y_train=LABELS, x_test=IMAGES[:4], y_test=LABELS[:4])
    data = idxfile.open(tmp_path / "mnist.npz")
    expect_pair(data.train)
    expect_pair(data.test, IMAGES[:4], LABELS[:4])

    rows = [[label, *image.reshape(-1)] for label, image in zip(LABELS, IMAGES)]
    lines = [",".join(map(str, row)) for row in [["label", *(f"p{i}" for i in range(12))], *rows]]
    (tmp_path / "own.csv").write_text("\n".join(lines) + "\n")
    expect_pair(idxfile.open(tmp_path / "own.csv"), IMAGES.reshape(10, 12))

    # 2 x 1 gray pictures, in a format simple enough to write by hand: BMP of 24 bits.
    for name, gray in [("cat", 10), ("cat", 20), ("dog", 30)]:
        folder = tmp_path / "photos" / name
        folder.mkdir(parents=True, exist_ok=True)
        pixels = bytes([gray] * 6 + [0, 0])
        header = b"BM" + (54 + 8).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little") + (40).to_bytes(4, "little")
        header += (2).to_bytes(4, "little") + (1).to_bytes(4, "little") + b"\1\0\x18\0" + bytes(24)
        (folder / f"{gray}.bmp").write_bytes(header + pixels)
    data = idxfile.open(tmp_path / "photos")
    assert data.classes == {0: "cat", 1: "dog"} and data.labels.tolist() == [0, 0, 1]
    assert data.images.reshape(3, -1)[:, 0].tolist() == [10, 20, 30]


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "float32", "float64"])
@pytest.mark.parametrize("shape", [(), (3,), (3, 2), (2, 0)])
def test_every_type_is_in_native_order(tmp_path, dtype, shape):
    array = np.arange(np.prod(shape), dtype=dtype).reshape(shape) * 7
    idxfile.save(tmp_path / "array.idx", array)
    data = idxfile.open(tmp_path / "array.idx")
    assert data.labels is None and data.classes == {}
    assert data.images.dtype == dtype and data.images.shape == (shape or (1,))
    assert data.images.tobytes() == array.tobytes()
    if len(data) > 1:
        assert np.array_equal(data[1], array[1])


def test_indices_and_slices(tmp_path):
    data = idxfile.open(save_pair(tmp_path))
    for index in [0, -1, np.int64(3)]:
        image, label = data[index]
        assert np.array_equal(image, IMAGES[index]) and label == LABELS[index] and isinstance(label, int)
    for index in [slice(2, 5), slice(None, None, -2), [7, 1], LABELS == 5, np.array([0, 9])]:
        expect_pair(data[index], IMAGES[index], LABELS[index])
    with pytest.raises(IndexError):
        data[10]
    assert [label for _, label in data] == LABELS.tolist()


def test_batches(tmp_path):
    data = idxfile.open(save_pair(tmp_path))
    batches = list(data.batches(4))
    assert [len(images) for images, _ in batches] == [4, 4, 2]
    assert np.array_equal(np.concatenate([images for images, _ in batches]), IMAGES)

    orders = []
    for seed in [1, 1, 2]:
        images, labels = map(np.concatenate, zip(*data.batches(3, shuffle=seed)))
        order = [next(i for i in range(10) if np.array_equal(IMAGES[i], image)) for image in images]
        assert sorted(order) == list(range(10)) and np.array_equal(labels, LABELS[order])
        orders.append(order)
    assert orders[0] == orders[1] != orders[2]
    # The order of `Labeled::shuffled(1)`, which never changes.
    assert orders[0] == [9, 0, 1, 4, 8, 2, 3, 7, 6, 5]

    alone = idxfile.Set(IMAGES)
    assert [len(images) for images in alone.batches(9)] == [9, 1]
    with pytest.raises(ValueError):
        data.batches(0)
    with pytest.raises(TypeError, match="seed"):
        data.batches(2, shuffle=True)


def _worker(data, indices, results):
    results.put([(index, data[index]) for index in indices])


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_loader_with_two_processes(tmp_path, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system does not {method}")
    data = idxfile.open(save_pair(tmp_path))
    context = multiprocessing.get_context(method)
    results = context.Queue()
    workers = [context.Process(target=_worker, args=(data, range(start, 10, 2), results)) for start in [0, 1]]
    for worker in workers:
        worker.start()
    pairs = dict(results.get(timeout=60) + results.get(timeout=60))
    for worker in workers:
        worker.join(60)
        assert worker.exitcode == 0
    assert sorted(pairs) == list(range(10))
    for index, (image, label) in pairs.items():
        assert np.array_equal(image, IMAGES[index]) and label == LABELS[index]


def test_a_set_can_be_opened_in_a_forked_process(tmp_path):
    # The parent has already run threads.
    path = save_pair(tmp_path)
    idxfile.open(path)
    with multiprocessing.get_context("fork" if os.name != "nt" else "spawn").Pool(2) as pool:
        for data in pool.map(idxfile.open, [path, path]):
            expect_pair(data)


@pytest.mark.skipif("IDX" not in os.environ, reason="IDX names no command `idx`")
def test_refusals_have_the_sentences_of_the_command(tmp_path):
    counts = save_pair(tmp_path / "counts", labels=LABELS[:7])
    page = tmp_path / "page.idx.gz"
    page.write_text("<!DOCTYPE html>")
    for path in [counts, page]:
        with pytest.raises(idxfile.Error) as raised:
            idxfile.open(path)
        checked = subprocess.run([os.environ["IDX"], "check", path], capture_output=True, text=True)
        # `idx check` cannot leave out labels, so its sentence has no such advice.
        sentence = str(raised.value).removesuffix(", or leave the labels out with `labels=False`")
        assert (checked.returncode, checked.stderr) == (1, f"idx: {sentence}\n")


def test_several_sets_are_told_apart(tmp_path):
    for prefix in ["a-train", "b-train"]:
        save_pair(tmp_path, prefix)
    with pytest.raises(idxfile.Error, match=r":a\b"):
        idxfile.open(tmp_path)
    expect_pair(idxfile.open(f"{tmp_path}/:b"))


def test_errors_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        idxfile.open(tmp_path / "nothing")


def test_arrow_without_pyarrow_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        idxfile.arrow(save_pair(tmp_path))


def test_a_stream_of_arrow(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    path = save_pair(tmp_path)
    for stream in [idxfile.arrow(path), idxfile.arrow(save_pair(tmp_path / "gz", end=".gz"))]:
        for _ in range(2):  # each reads from the start
            table = pyarrow.table(stream)
            assert table.column_names == ["record", "label"] and len(table) == 10
            assert "record: list<" in repr(stream) and "label: int64" in repr(stream)
            assert table["record"].type == pyarrow.list_(pyarrow.uint8())
            assert table.schema.field("record").metadata == {b"shape": b"[4,3]"}
            assert table["record"].to_pylist() == IMAGES.reshape(10, 12).tolist()
            assert table["label"].to_pylist() == LABELS.tolist()

    empty = [np.zeros((0, 2, 2), "int8"), np.zeros((4, 0), "int8")]
    for array in [np.arange(6, dtype="float32").reshape(3, 2), np.arange(5, dtype="int16"), *empty]:
        idxfile.save(tmp_path / "other.idx", array)
        table = pyarrow.table(idxfile.arrow(tmp_path / "other.idx"))
        assert table.column_names == ["record"] and table["record"].to_pylist() == array.tolist()
    with pytest.raises(idxfile.Error, match="several parts; give one, such as .*:train"):
        save_pair(tmp_path, "t10k")
        idxfile.arrow(tmp_path)


@pytest.mark.parametrize("size", [10, 200_000])
def test_a_file_object_is_one_stream_of_arrow(tmp_path, size):
    """Failed before: the second reader began where the first had stopped."""
    pyarrow = pytest.importorskip("pyarrow")
    idxfile.save(tmp_path / "numbers.idx", np.arange(size * 25, dtype="int32").reshape(size, 25))
    content = (tmp_path / "numbers.idx").read_bytes()
    with open(tmp_path / "numbers.idx", "rb") as file:
        for given in [file, io.BytesIO(content)]:
            stream = idxfile.arrow(given)
            assert len(next(iter(stream))) > 0
            for read in [pyarrow.table, list, lambda stream: stream.reader()]:
                with pytest.raises(ValueError, match="^a file object is read once; give its path or bytes$"):
                    read(stream)
        file.seek(0)
        assert len(pyarrow.table(idxfile.arrow(file))) == size
    with pytest.raises(ValueError, match="a file object is read once"):
        pyarrow.table(pickle.loads(pickle.dumps(idxfile.arrow(io.BytesIO(content)))))
    stream = idxfile.arrow(content)
    assert [len(pyarrow.table(stream)) for _ in range(2)] == [size] * 2


def test_a_stream_of_arrow_has_many_batches(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    images = np.random.default_rng(2).integers(-1000, 1000, (3000, 100, 10), "int32")
    idxfile.save(tmp_path / "large.idx.gz", images)
    batches = list(idxfile.arrow(tmp_path / "large.idx.gz"))
    assert len(batches) == 3 and len(batches[0]) == 1048
    assert np.array_equal(np.concatenate([batch["record"].values for batch in batches]), images.reshape(-1))
    (tmp_path / "cut.idx").write_bytes((tmp_path / "large.idx.gz").read_bytes()[:-9])
    with pytest.raises(Exception, match="truncated"):
        pyarrow.table(idxfile.arrow(tmp_path / "cut.idx"))


@pytest.mark.parametrize("size", [1, 3, 10, 11])
@pytest.mark.parametrize("end", ["", ".gz"])
def test_records_come_in_batches(tmp_path, size, end):
    path = save_pair(tmp_path, end=end)
    batches = list(idxfile.records(path, size))
    assert [len(labels) for _, labels in batches] == [len(LABELS[start : start + size]) for start in range(0, 10, size)]
    assert np.array_equal(np.concatenate([images for images, _ in batches]), IMAGES)
    assert np.concatenate([labels for _, labels in batches]).tolist() == LABELS.tolist()
    alone = list(idxfile.records(path, size, labels=False))
    assert np.array_equal(np.concatenate(alone), IMAGES)
    with pytest.raises(idxfile.Error, match="with `limit`") as raised:
        list(idxfile.records(path, size, limit=11))
    assert raised.value.code == "record_limit_exceeded"


def test_a_stream_that_broke_off_is_not_at_its_end(tmp_path):
    """Failed before: a second loop over it found nothing, and said nothing."""
    path = save_pair(tmp_path, labels=LABELS, end=".gz")
    path.write_bytes(path.read_bytes()[:-9])
    stream = idxfile.records(path, 1)
    with pytest.raises(idxfile.Error, match="truncated"):
        list(stream)
    for _ in range(2):
        with pytest.raises(idxfile.Error, match="call `records` again") as raised:
            list(stream)
        assert raised.value.code == "failed_earlier"


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="this system does not list open files")
@pytest.mark.parametrize("end", ["", ".gz"])
@pytest.mark.parametrize("count", [0, 1, 10])
def test_a_stream_closes_its_files_after_with(tmp_path, end, count):
    """Failed before: the files stayed open as long as the stream was there."""
    path = save_pair(tmp_path, end=end)

    def opened():
        links = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
        return [link for link in map(os.path.realpath, links) if link.startswith(os.path.realpath(tmp_path))]

    with idxfile.records(path, 1) as stream:
        assert len(opened()) == 2
        assert len([next(stream) for _ in range(count)]) == count
    assert opened() == []
    for read in [next, list]:
        with pytest.raises(ValueError, match="closed at the end of its `with` block; call `records` again"):
            read(stream)
    with pytest.raises(RuntimeError, match="mine"), idxfile.records(path) as stream:
        raise RuntimeError("mine")
    assert opened() == []


def _read_all(stream, results):
    try:
        results.put(sum(len(batch) for batch in stream))
    except Exception as error:
        results.put(repr(error))


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system does not fork")
def test_a_stream_is_not_shared_by_processes(tmp_path):
    """Failed before: the gzip data was corrupt, as each process read pieces of it."""
    path = tmp_path / "numbers.gz"
    idxfile.save(path, np.random.default_rng(1).integers(0, 256, (2**13, 100), "uint8"))
    streams = [idxfile.records(path)]
    if pytest.importorskip("pyarrow"):
        streams.append(idxfile.arrow(path))
    context = multiprocessing.get_context("fork")
    for stream in streams:
        results = context.Queue()
        workers = [context.Process(target=_read_all, args=(stream, results)) for _ in range(2)]
        for worker in workers:
            worker.start()
        found = [results.get(timeout=60) for _ in workers]
        for worker in workers:
            worker.join(60)
        if stream is streams[0]:
            assert all("call `records` in each worker process" in error for error in found), found
            assert sum(len(batch) for batch in stream) == 2**13
            with pytest.raises(TypeError, match="in each worker process"):
                pickle.dumps(stream)
        else:
            assert found == [2**13] * 2, found
            assert sum(len(batch) for batch in pickle.loads(pickle.dumps(stream))) == 2**13


# Failed before: the content of a file was copied.
@pytest.mark.parametrize("name, given", [("zeros.gz", "path"), ("zeros", "open(path, 'rb').read()")])
def test_records_take_constant_memory(tmp_path, name, given):
    # 128 MiB in a gigabyte of address space would not say much; a fifth of it does.
    idxfile.save(tmp_path / name, np.zeros((2**17, 1024), "uint8"))
    work = "assert sum(len(batch) for batch in idxfile.records(given, 256)) == 2**17"
    assert grown(tmp_path / name, f"given = {given}", work) < 24 * 1024


def test_batches_that_are_kept_take_little_memory(tmp_path):
    """Failed before: each batch kept the memory of all records that were read ahead."""
    idxfile.save(tmp_path / "zeros", np.zeros((2**13, 1024), "uint8"))
    work = "kept = list(idxfile.records(path, 1)); assert len(kept) == 2**13"
    assert grown(tmp_path / "zeros", "", work) < 24 * 1024


@pytest.mark.parametrize("size", [1, 7, 999, 2500, 2501, 4999])
@pytest.mark.parametrize("end", ["", ".gz"])
def test_batches_across_what_is_read_at_once(tmp_path, size, end):
    images = np.random.default_rng(3).integers(0, 256, (5000, 20, 15), "uint8")
    path = save_pair(tmp_path, images=images, labels=(np.arange(5000) % 251).astype("uint8"), end=end)
    batches = list(idxfile.records(path, size))
    assert [len(labels) for _, labels in batches] == [min(size, 5000 - start) for start in range(0, 5000, size)]
    assert np.array_equal(np.concatenate([images for images, _ in batches]), images)
    assert np.array_equal(np.concatenate([labels for _, labels in batches]), np.arange(5000) % 251)


def test_engines_read_a_table(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    polars = pytest.importorskip("polars")
    digits = idxfile.arrow(save_pair(tmp_path))
    expected = {int(label): int(IMAGES[LABELS == label].sum()) for label in set(LABELS)}
    query = "select label, sum(list_sum(record)) from digits group by label"
    for _ in range(2):
        assert dict(duckdb.sql(query).fetchall()) == expected
    sums = polars.DataFrame(digits).group_by("label").agg(polars.col("record").list.eval(polars.element().cast(int)).list.sum().sum())
    assert dict(sums.rows()) == expected


def test_a_set_of_parts_is_a_mapping(tmp_path):
    save_pair(tmp_path)
    save_pair(tmp_path, "t10k", IMAGES[:4], LABELS[:4])
    data = idxfile.open(tmp_path)
    assert list(data) == list(data.keys()) == ["train", "test"] and len(data) == 2 and data
    assert data["train"] is data.train and "test" in data and "val" not in data
    assert [len(part) for part in data.values()] == [10, 4] and dict(data.items())["test"] is data.test
    (x_train, y_train), (x_test, y_test) = data.arrays()
    assert np.array_equal(x_train, IMAGES) and y_test.tolist() == LABELS[:4].tolist()
    assert len(x_test) == 4 and len(y_train) == 10
    for wrong in [lambda: data[0], lambda: data[:2], lambda: data.batches(2)]:
        with pytest.raises(TypeError, match="train and test.* such as d.train"):
            wrong()
    with pytest.raises(KeyError, match="no val"):
        data["val"]
    with pytest.raises(AttributeError, match="such as d.train"):
        data.images
    with pytest.raises(KeyError, match="no parts; take its `images`, `labels`"):
        data.train["labels"]
    with pytest.raises(AttributeError, match="images, labels and classes, and no targets; take its `labels`"):
        data.train.targets
    assert "train" in dir(data)
    for mapping in [data.test.keys, data.test.values, data.test.items, lambda: data.test.get("a"), lambda: dict(data.test)]:
        with pytest.raises(TypeError, match="no parts; take its `images`"):
            mapping()
    assert [len(part) for part in copy.deepcopy(data).values()] == [10, 4]


def test_a_set_has_a_label_for_each_record():
    for labels in [7, iter(LABELS)]:
        with pytest.raises(TypeError, match="labels are an array or a list"):
            idxfile.Set(IMAGES, labels)
    for labels in [LABELS[:5], LABELS.reshape(5, 2)]:
        with pytest.raises(ValueError, match="labels for 10 records"):
            idxfile.Set(IMAGES, labels)
    for labels in [LABELS / 2, LABELS.astype(float), [str(label) for label in LABELS]]:
        with pytest.raises(TypeError, match="labels are whole numbers, not "):
            idxfile.Set(IMAGES, labels)
    assert idxfile.Set(IMAGES, LABELS.tolist())[3][1] == 1
    assert idxfile.Set(IMAGES, LABELS, ["a", "b"]).classes == idxfile.Set(IMAGES, LABELS, {0: "a", 1: "b"}).classes
    assert idxfile.Set(IMAGES[:0], []).labels.tolist() == []
    with pytest.raises(TypeError):
        idxfile.Set()
    data = idxfile.Set(IMAGES, LABELS)
    for index in [(..., 0), (slice(None), 1), (5, 3), (), None, True, 1.0, [[1, 2]], "labels"]:
        with pytest.raises((TypeError, KeyError)):
            data[index]
    assert data[np.where(LABELS == 5)].labels.tolist() == [5, 5]
    assert len(data[[]]) == len(data[LABELS == 99]) == len(data[np.array([])]) == 0
    with pytest.raises(TypeError, match="images"):
        np.asarray(data)
    assert not data[:0] and data and [label for _, label in data] == LABELS.tolist()


def test_batches_have_a_length(tmp_path):
    data = idxfile.Set(IMAGES, LABELS)
    for size, drop_last, count in [(4, False, 3), (4, True, 2), (5, True, 2), (11, True, 0), (11, False, 1)]:
        batches = data.batches(size, shuffle=np.int64(3), drop_last=drop_last)
        assert len(batches) == count == len(list(batches))
    for seed in [-1, 2**64]:
        with pytest.raises(ValueError, match="seed"):
            data.batches(2, shuffle=seed)
    for seed in [1.5, np.random.default_rng(1), "1"]:
        with pytest.raises(TypeError, match="seed"):
            data.batches(2, shuffle=seed)


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="this system does not tell its memory")
def test_what_memory_does_not_hold_is_a_memory_error(tmp_path):
    count = 2**25
    (tmp_path / "x-images-idx3-ubyte").write_bytes(b"\0\0\x08\x03" + struct.pack(">3I", count, 0, 4))
    labels = gzip.compress(b"\0\0\x08\x01" + struct.pack(">I", count)) + gzip.compress(bytes(count), 1)
    (tmp_path / "x-labels-idx1-ubyte.gz").write_bytes(labels)
    program = """
import idxfile, numpy, resource, sys
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (128 << 20),) * 2)
many = idxfile.Set(numpy.broadcast_to(numpy.uint8(0), (1 << 28,)))
for work in [lambda: idxfile.open(sys.argv[1]), lambda: many.batches(64, shuffle=1)]:
    try: work()
    except MemoryError: print("MemoryError")
"""
    run = subprocess.run([sys.executable, "-c", program, tmp_path / "x-images-idx3-ubyte"], capture_output=True, text=True)
    assert run.stdout.split() == ["MemoryError"] * 2, run.stdout + run.stderr


def test_file_objects(tmp_path):
    path = save_pair(tmp_path, end=".gz")
    data = path.read_bytes()
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(path, "inner")
    with open(path, "rb") as file, gzip.open(path) as content, zipfile.ZipFile(tmp_path / "all.zip").open("inner") as member:
        for given in [file, content, member, io.BytesIO(data), data, bytearray(gzip.decompress(data)), memoryview(data)]:
            assert np.array_equal(idxfile.load(given), IMAGES)
    for given in [io.BytesIO(data), data]:
        found = idxfile.open(given)
        assert np.array_equal(found.images, IMAGES) and found.labels is None
        assert np.array_equal(np.concatenate(list(idxfile.records(io.BytesIO(data), 3))), IMAGES)
    assert np.array_equal(idxfile.open(data, labels=LABELS).labels, LABELS)
    np.savez(tmp_path / "parts.npz", x_train=IMAGES, y_train=LABELS, x_test=IMAGES[:4], y_test=LABELS[:4])
    parts = (tmp_path / "parts.npz").read_bytes()
    for given in [parts, io.BytesIO(parts)]:  # failed before, with the advice to give <bytes>:train
        found = idxfile.open(given)
        expect_pair(found.train)
        expect_pair(found.test, IMAGES[:4], LABELS[:4])
    for array in [IMAGES, np.arange(5, dtype=">i4"), np.float64(3), np.zeros((0, 2), "int8"), np.asfortranarray(IMAGES)]:
        file = io.BytesIO()
        idxfile.save(file, array)
        idxfile.save(tmp_path / "same", array)
        assert file.getvalue() == (tmp_path / "same").read_bytes()
    with pytest.raises(idxfile.Error, match="<bytes>.*truncated"):
        idxfile.load(gzip.decompress(data)[:-1])
    with open(tmp_path / "text", "w") as file:
        file.write("abc")
    with open(tmp_path / "text") as file, pytest.raises(TypeError, match="bytes"):
        idxfile.load(file)

    class Broken(io.RawIOBase):
        def read(self, size=-1):
            raise RuntimeError("mine")

    for read in [idxfile.load, idxfile.open]:
        with pytest.raises(RuntimeError, match="mine"):
            read(Broken())


class BytesPath:
    """A path of bytes, as `os.scandir(b".")` yields."""

    def __init__(self, path):
        self.path = os.fsencode(path)

    def __fspath__(self):
        return self.path


def test_a_path_may_have_bytes(tmp_path):
    """Failed before: only a `PathLike` with text was taken."""
    path, others = save_pair(tmp_path), tmp_path / "others.idx"
    idxfile.save(BytesPath(others), LABELS[::-1])
    (tmp_path / "names.txt").write_text("\n".join("abcdefghij"))
    assert np.array_equal(idxfile.load(BytesPath(path)), IMAGES)
    assert np.array_equal(idxfile.memmap(BytesPath(path)), IMAGES)
    assert np.array_equal(np.concatenate(list(idxfile.records(BytesPath(path), 3, labels=False))), IMAGES)
    data = idxfile.open(BytesPath(path), BytesPath(others), classes=BytesPath(tmp_path / "names.txt"))
    expect_pair(data, labels=LABELS[::-1])
    assert data.classes[9] == "j"
    for read in [idxfile.load, idxfile.open]:
        with pytest.raises(FileNotFoundError):
            read(BytesPath(tmp_path / "nothing"))
        for no_path in [7, None, object()]:
            with pytest.raises(TypeError, match="give a path"):
                read(no_path)


def test_the_advice_for_bytes_needs_no_path(tmp_path):
    """Failed before: the advice was <bytes>:train, or the bytes themselves followed by :train."""
    content, arrays = io.BytesIO(), io.BytesIO()
    np.savez(content, x_train=IMAGES, y_train=LABELS, x_test=IMAGES[:4], y_test=LABELS[:4])
    np.savez(arrays, some=IMAGES, more=IMAGES[:3])

    class Named(io.BytesIO):
        name = "a file of an archive.npz"

    idxfile.save(tmp_path / "labels.idx", LABELS)
    for given in [bytes, io.BytesIO, Named]:
        for read in [idxfile.records, lambda data: idxfile.open(data, tmp_path / "labels.idx")]:
            with pytest.raises(idxfile.Error, match=re.escape('several parts; take one, such as `open(..)["train"]`')):
                read(given(content.getvalue()))
        assert len(idxfile.open(given(content.getvalue()))["train"]) == 10
        with pytest.raises(idxfile.Error, match=r'^these are the labels of one part; give them to it, as in `Set\(open'):
            idxfile.open(given(content.getvalue()), LABELS)
        with pytest.raises(idxfile.Error, match=re.escape("`Set(numpy.load(file)['more'])`")):
            idxfile.open(given(arrays.getvalue()))
        with pytest.raises(idxfile.Error, match="^NumPy has no array of this shape"):
            idxfile.load(given(bytes([0, 0, 8, 70]) + bytes([0, 0, 0, 1]) * 70 + b"x"))
    path = tmp_path / "set.npz"
    path.write_bytes(content.getvalue())
    with open(path, "rb") as file, pytest.raises(idxfile.Error, match=f"such as {re.escape(str(path))}:train"):
        idxfile.records(file)


def test_how_an_input_is_read_can_be_said(tmp_path):
    path = save_pair(tmp_path)
    assert idxfile.open(path, labels=False).labels is None
    others = tmp_path / "others.idx"
    idxfile.save(others, LABELS[::-1])
    assert np.array_equal(idxfile.open(path, labels=others).labels, LABELS[::-1])
    assert np.array_equal(idxfile.open(path, labels=[1] * 10).labels, [1] * 10)
    with pytest.raises(ValueError, match="3 labels for 10 records"):
        idxfile.open(path, labels=[1, 2, 3])
    names = [f"class {label}" for label in range(10)]
    for classes in [names, dict(enumerate(names))]:
        assert idxfile.open(path, classes=classes).classes[9] == "class 9"
    (tmp_path / "names.txt").write_text("\n".join(names))
    assert idxfile.open(path, classes=tmp_path / "names.txt").classes[9] == "class 9"
    assert idxfile.open(path, shape=(2, 6)).images.shape == (10, 2, 6)
    assert idxfile.open(path, shape=12).images.shape == (10, 12)
    for limit, works in [(120, True), (119, False), (3, False)]:
        if works:
            expect_pair(idxfile.open(path, limit=limit))
        else:
            with pytest.raises(idxfile.Error, match="with `limit`"):
                idxfile.open(path, limit=limit)
    # Failed before: the size was one record more than the limit, whatever it was.
    (tmp_path / "some.csv").write_text("label,a\n" + "3,5\n" * 2**19)
    large = tmp_path / "large.idx"
    idxfile.save(large, np.zeros((1000, 1000), "uint8"))
    for given, limit, found in [
        (path, 119, "120 bytes, more than the limit of 119"),
        (large, 1000, "1000000 bytes, more than the limit of 1000"),
        (tmp_path / "some.csv", 499, "more than 499 bytes, the limit"),
    ]:
        with pytest.raises(idxfile.Error) as raised:
            idxfile.open(given, limit=limit)
        advice = "stream the file, or raise the limit with `limit`"
        assert str(raised.value) == f"{given}: the records have {found}; {advice}"
        assert raised.value.code == "limit_exceeded"
    # Failed before: the labels of records without bytes filled the memory, 8 bytes each.
    none = save_pair(tmp_path / "none", images=np.zeros((1000, 0, 4), "uint8"), labels=np.zeros(1000, "uint8"))
    assert len(idxfile.open(none, limit=1000).labels) == 1000
    with pytest.raises(idxfile.Error, match="1000 labels, more than the limit of 999.*with `limit`") as raised:
        idxfile.open(none, limit=999)
    assert raised.value.code == "limit_exceeded"
    with pytest.raises(idxfile.Error, match="`header` has no effect") as raised:
        idxfile.open(path, header=True)
    assert raised.value.code == "no_effect"
    idxfile.save(tmp_path / "columns.idx", np.arange(30, dtype="uint8").reshape(10, 3))
    assert idxfile.open(path, labels=tmp_path / "columns.idx", label_column=1).labels.tolist() == list(range(1, 30, 3))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("call", ["load", "save", "save gz", "open", "records", "arrow"])
def test_a_signal_ends_work_and_nothing_appears(tmp_path, call):
    """The call ends soon after Ctrl-C; then no thread works on, and the old file is there."""
    if call == "arrow":
        pytest.importorskip("pyarrow")
    zeros = gzip.compress(bytes(2**24), 1)
    header = b"\0\0\x08\x02" + struct.pack(">2I", 2**17, 2**15)
    (tmp_path / "long.gz").write_bytes(gzip.compress(header) + 256 * zeros)
    (tmp_path / "old").write_text("old")
    (tmp_path / "old.gz").write_text("old")
    before, work = {
        "load": ("", "idxfile.load('long.gz')"),
        "save": ("array = numpy.zeros((2**15, 2**15), 'uint8')", "idxfile.save('old', array)"),
        "save gz": ("array = numpy.random.default_rng(1).integers(0, 256, (2**12, 2**15), 'uint8')", "idxfile.save('old.gz', array)"),
        "open": ("", "idxfile.open('long.gz')"),
        "records": ("", "[None for _ in idxfile.records('long.gz')]"),
        "arrow": ("import pyarrow", "[None for _ in idxfile.arrow('long.gz')]"),
    }[call]
    program = f"""
import idxfile, numpy, os, signal, threading, time
sent = []
def stop():
    # Processor time, because other programs do not make it longer.
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)
# A job that a shell starts in the background does not have this handler.
signal.signal(signal.SIGINT, signal.default_int_handler)
{before}
timer = threading.Timer(0.3, stop)
timer.start()
try:
    {work}
    print("it was not interrupted")
except KeyboardInterrupt:
    took = time.process_time() - sent[0]
    timer.join()
    time.sleep(0.3)
    before = time.process_time()
    time.sleep(0.3)
    print(int(took < 0.5), int(time.process_time() - before < 0.1), len(os.listdir(".")), open("old").read(), open("old.gz").read())
"""
    run = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert run.stdout == "1 1 3 old old\n", run.stdout + run.stderr


def test_labels_may_stand_behind_the_images(tmp_path):
    images, labels = tmp_path / "a.idx", tmp_path / "b.idx"
    idxfile.save(images, np.zeros((2, 3, 3), "uint8"))
    idxfile.save(labels, np.array([7, 8], "uint8"))
    assert idxfile.open(images, labels).labels.tolist() == [7, 8]


def test_a_stream_says_how_it_becomes_a_table(tmp_path):
    pytest.importorskip("pyarrow")
    idxfile.save(tmp_path / "a.idx", np.zeros((2, 3, 3), "uint8"))
    with pytest.raises(AttributeError, match="pyarrow.table"):
        idxfile.arrow(tmp_path / "a.idx").to_pandas()
    for size in ["size", "batch_size"]:  # failed before: the advice for `batch_size` was `size`, which does not exist
        with pytest.raises(TypeError, match=r"`records\(path, size\)` reads batches of a chosen size"):
            idxfile.arrow(tmp_path / "a.idx", **{size: 3})


def test_sizes_below_0_are_told(tmp_path):
    idxfile.save(tmp_path / "a.idx", np.zeros((2, 3, 3), "uint8"))
    with pytest.raises(ValueError, match="a size below 0"):
        idxfile.open(tmp_path / "a.idx", shape=(-1, 3))


def test_parts_are_got_as_from_a_dict():
    part = idxfile.Set(np.zeros((2, 3)))
    both = idxfile.Set(parts={"train": part})
    assert both.get("train") is part and both.get("val") is None and both.get("val", 3) == 3


def test_a_part_is_not_replaced(tmp_path):
    """Failed before: `d.train` was the new part, and `d["train"]` the old one."""
    save_pair(tmp_path)
    save_pair(tmp_path, "t10k")
    d = idxfile.open(tmp_path)
    with pytest.raises(AttributeError) as raised:
        d.train = d.train[:3]
    assert str(raised.value) == 'parts are not replaced; make a set with `Set(parts={**d, "train": ..})`'
    assert d.train is d["train"] and len(d.train) == 10
    for same in [copy.copy(d), copy.deepcopy(d), pickle.loads(pickle.dumps(d))]:
        with pytest.raises(AttributeError, match="parts are not replaced"):
            same.test = None
    d = idxfile.Set(parts={**d, "train": d.train[:3]})
    assert [len(part) for part in d.values()] == [3, 10]
    d.train.labels = d.train.labels % 2
    assert d.train[0][1] == 1


def test_errors_of_a_call_say_what_to_give(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("a.npy", IMAGES)
    np.savez("a.npz", x=IMAGES, y=LABELS)
    (tmp_path / "t.csv").write_text("size,kind\n1,0\n2,1\n")
    (tmp_path / "folder").mkdir()
    path = save_pair(tmp_path)
    data = idxfile.open(path)
    for call, kind, message in [
        (lambda: idxfile.load("a.npy"), idxfile.Error, "a.npy: this is a NumPy array, not an IDX file; `open` reads it, and so does `numpy.load`"),
        (lambda: idxfile.load("a.npz"), idxfile.Error, "; `open` reads it, and so does `numpy.load`"),
        (lambda: idxfile.memmap("a.npy"), idxfile.Error, "; `open` reads it, and so does `numpy.load`"),
        (lambda: idxfile.load("t.csv"), idxfile.Error, "IDX files start with 00 00; `open` reads it"),
        (lambda: idxfile.load("folder"), IsADirectoryError, "[Errno 21] this is a folder; `open` reads the sets of folders: 'folder'"),
        (lambda: idxfile.load(open(path)), TypeError, 'reads text, not bytes; open the file as "rb"'),
        (lambda: idxfile.save(io.StringIO(), LABELS), TypeError, 'takes text; open the file as "wb"'),
        (lambda: idxfile.save("b.npy", LABELS), ValueError, "b.npy: `save` writes IDX, plain or gzip; use a name such as a.idx"),
        (lambda: idxfile.save("b.csv.gz", LABELS), ValueError, "b.csv.gz: `save` writes IDX, plain or gzip; use a name such as a.idx"),
        (lambda: idxfile.save(tmp_path / "b.CSV", LABELS), ValueError, "`save` writes IDX, plain or gzip; use a name such as a.idx"),
        (lambda: idxfile.open("t.csv", labels="kind"), FileNotFoundError, "a column of a table is `label_column='kind'`: 'kind'"),
        (lambda: idxfile.records("t.csv", labels="kind"), FileNotFoundError, "a column of a table is `label_column='kind'`: 'kind'"),
        (lambda: idxfile.open("t.csv", labels="no/kind"), FileNotFoundError, "there is no folder no; create it, or check the path: 'no/kind'"),
        (lambda: idxfile.save("no/a.idx", LABELS), FileNotFoundError, "there is no folder no; create it, or check the path: 'no/a.idx'"),
        (lambda: idxfile.open("t.csv", label_column=-1), ValueError, "`label_column` is -1; columns are counted from 0, or named"),
        (lambda: idxfile.open("t.csv", skip=["size", -1]), ValueError, "`skip` is -1; columns are counted from 0, or named"),
        (lambda: idxfile.open("t.csv", header=0), TypeError, "`header` is True if the first line names the columns, or False, not 0"),
        (lambda: idxfile.open("t.csv", dtype=int), TypeError, "IDX does not have int64; choose one of uint8,"),
        (lambda: idxfile.save("l.idx", data.labels), TypeError, 'float32, float64, as in `array.astype("int32")`'),
        (lambda: idxfile.open(path, dtype="float32"), idxfile.Error, "leave it out, and convert the array with `astype`"),
        (lambda: idxfile.open(path, limit=1e9), TypeError, "`limit` is a number of bytes, such as 10**9, not 1000000000.0"),
        (lambda: idxfile.records(path, limit=-1), TypeError, "`limit` is a number of bytes"),
        (lambda: idxfile.load(io.BytesIO()), idxfile.Error, "no bytes left; `seek(0)` returns to its start"),
        (lambda: idxfile.open(path, labels=True), TypeError, "`labels` is a file, an array or False;"),
        (lambda: idxfile.records(path, batch_size=4), TypeError, "there is no parameter batch_size; it is `size`"),
        (lambda: idxfile.open(path, label="kind"), TypeError, "it is `label_column` for a column, `labels` for a file"),
        (lambda: idxfile.records(path, train=True), TypeError, "a part is in the path, such as mnist/:train"),
        (lambda: idxfile.records(path, sep=";"), TypeError, "there is no parameter sep; there are labels, classes,"),
        (lambda: idxfile.records(path).images, AttributeError, "a stream has no images; iterate over its batches, or read all with `open`"),
        (lambda: idxfile.anything, AttributeError, "idxfile has no anything; it has load, save and memmap for arrays, and open,"),
        (lambda: data.x, AttributeError, "no x; take its `images`"),
        (lambda: data.shuffle(), AttributeError, "no shuffle; `d.batches(64, shuffle=1)` are shuffled batches"),
        (lambda: data.split(0.8), AttributeError, "no split; d[:800] and d[800:] are sets"),
        (lambda: data.anything, AttributeError, "this set has images, labels and classes, and no anything"),
    ]:
        with pytest.raises(kind) as raised:
            call()
        assert message in str(raised.value)
    assert not (tmp_path / "b.npy").exists()


def test_large_numbers_are_swapped_in_pieces():
    from idxfile._set import native_order

    numbers = np.arange(2**22 + 3, dtype=">i4")
    assert np.array_equal(native_order(numbers.copy()), numbers) and native_order(numbers.copy()).dtype.isnative
