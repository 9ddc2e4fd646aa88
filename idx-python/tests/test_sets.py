"""`open`, `Set` and `arrow`."""

import multiprocessing
import os
import pickle
import subprocess

import numpy as np
import pytest

import idxfile

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
    copy = pickle.loads(pickle.dumps(data))
    expect_pair(copy.train)


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
    # Its parent has run threads of its own before.
    path = save_pair(tmp_path)
    idxfile.open(path)
    with multiprocessing.get_context("fork" if os.name != "nt" else "spawn").Pool(2) as pool:
        for data in pool.map(idxfile.open, [path, path]):
            expect_pair(data)


@pytest.mark.skipif("IDX" not in os.environ, reason="IDX names no command `idx`")
def test_refusals_have_the_sentences_of_the_command(tmp_path):
    counts = save_pair(tmp_path / "counts", labels=LABELS[:7])
    cut = save_pair(tmp_path / "cut")
    cut.write_bytes(cut.read_bytes()[:-1])
    page = tmp_path / "page.idx.gz"
    page.write_text("<!DOCTYPE html>")
    for path in [counts, cut, page]:
        with pytest.raises(idxfile.Error) as raised:
            idxfile.open(path)
        checked = subprocess.run([os.environ["IDX"], "check", path], capture_output=True, text=True)
        assert (checked.returncode, checked.stderr) == (1, f"idx: {raised.value}\n")


def test_several_sets_are_told_apart(tmp_path):
    for prefix in ["a-train", "b-train"]:
        save_pair(tmp_path, prefix)
    with pytest.raises(idxfile.Error, match=r":a\b"):
        idxfile.open(tmp_path)
    expect_pair(idxfile.open(f"{tmp_path}/:b"))


def test_errors_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        idxfile.open(tmp_path / "nothing")


def test_a_table_of_arrow(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    path = save_pair(tmp_path)
    before = pyarrow.total_allocated_bytes()
    for table in [idxfile.arrow(path), idxfile.arrow(save_pair(tmp_path / "gz", end=".gz"))]:
        assert table.column_names == ["record", "label"] and len(table) == 10
        assert table["record"].type == pyarrow.list_(pyarrow.uint8(), 12)
        assert table["record"].to_pylist() == IMAGES.reshape(10, 12).tolist()
        assert table["label"].to_pylist() == LABELS.tolist()
        assert hasattr(table, "__arrow_c_stream__")
    assert pyarrow.total_allocated_bytes() == before  # it uses the memory of the file

    others = [np.arange(6, dtype="float32").reshape(3, 2), np.arange(5, dtype="int16"), np.zeros((0, 2, 2), "int8")]
    for array in others:
        idxfile.save(tmp_path / "other.idx", array)
        table = idxfile.arrow(tmp_path / "other.idx")
        assert table.column_names == ["record"] and table["record"].to_pylist() == array.tolist()
    idxfile.save(tmp_path / "other.idx", np.zeros((4, 0), "int8"))
    with pytest.raises(idxfile.Error, match="0 elements"):
        idxfile.arrow(tmp_path / "other.idx")


def test_engines_read_a_table(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    polars = pytest.importorskip("polars")
    digits = idxfile.arrow(save_pair(tmp_path))
    expected = {int(label): int(IMAGES[LABELS == label].sum()) for label in set(LABELS)}
    query = "select label, sum(list_sum(record::int[])) from digits group by label"
    assert dict(duckdb.sql(query).fetchall()) == expected
    sums = polars.from_arrow(digits).group_by("label").agg(polars.col("record").arr.sum().sum())
    assert dict(sums.rows()) == expected
