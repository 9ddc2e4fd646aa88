"""The readings of inputs and their texts; each piece of advice in an error can be followed in Python."""

import io
import os
import pickle
import re
import struct

import numpy as np
import pytest

import idxfile

IMAGES = np.random.default_rng(1).integers(0, 256, (10, 4, 3), "uint8")
LABELS = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3], "uint8")

IRIS = "Id,length,width,Species\n1,5.1,3.5,setosa\n2,6.4,3.2,virginica\n3,4.9,3.0,setosa\n4,5.8,2.7,virginica\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder of the test, so that a sentence has short paths."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def bmp(gray):
    """A gray picture of 2 x 1 pixels, in a format simple enough to write by hand."""
    header = b"BM" + struct.pack("<IIIIii", 54 + 8, 0, 54, 40, 2, 1) + struct.pack("<HH", 1, 24) + bytes(24)
    return header + bytes([gray] * 6 + [0, 0])


def expect_same(one, other):
    assert list(one.parts) == list(other.parts) and one.classes == other.classes if not one.parts else True
    for part, same in zip(one.parts.values() or [one], other.parts.values() or [other]):
        assert np.array_equal(part.images, same.images) and part.images.dtype == same.images.dtype
        assert (part.labels is None) == (same.labels is None)
        assert part.labels is None or np.array_equal(part.labels, same.labels)


def test_a_table_says_how_it_was_understood(here):
    write(here / "iris.csv", IRIS)
    data = idxfile.open("iris.csv", dtype="float32")
    assert str(data.reading) == (
        "iris.csv: 4 records of 2 numbers; `Id` left out: row numbers; label `Species` (2 names) "
        "(header=True, label_column='Species', skip=['Id'])"
    )
    [understood] = data.reading
    assert understood["path"] == "iris.csv" and understood["alike"] == 0
    assert understood["parameters"] == {"header": True, "label_column": "Species", "skip": ["Id"]}
    subjects = [(one["subject"], one["by"]) for one in understood["statements"]]
    assert ("labels", "content") in subjects and ("left_out", "name") in subjects
    assert data[:2].reading == data.reading == pickle.loads(pickle.dumps(data)).reading
    expect_same(data, idxfile.open("iris.csv", dtype="float32", **understood["parameters"]))
    assert data.images.dtype == "float32" and data.images[0].tolist() == [np.float32(5.1), 3.5]
    batches = idxfile.records("iris.csv", 3, dtype="float32")
    assert batches.reading == data.reading and [len(labels) for _, labels in batches] == [3, 1]
    if pytest.importorskip("pyarrow"):
        assert idxfile.arrow("iris.csv", dtype=np.float32).reading == data.reading


@pytest.mark.parametrize(
    "given",
    [
        # Failed before: `labels=False` was among the parameters.
        {"labels": [1, 0, 1, 1]},
        {"labels": np.array([1, 0, 1, 1]), "classes": ["a", "b"], "header": True},
        {"labels": "labels.idx"},
        {"labels": False, "skip": "Id"},
        {"header": True, "skip": [], "label_column": 3},
        {"column": "width", "classes": None},
        {"label_column": "Species", "classes": ["virginica", "setosa"], "shape": (1, 2)},
    ],
)
def test_a_reading_is_fixed_by_its_parameters_and_the_given_ones(here, given):
    write(here / "iris.csv", IRIS)
    idxfile.save("labels.idx", LABELS[:4])
    given = {"dtype": "float32", **given}
    data = idxfile.open("iris.csv", **given)
    found = data.reading[0]["parameters"]
    assert set(given) & {"header", "skip", "label_column", "column"} <= set(found)
    expect_same(data, idxfile.open("iris.csv", **{**found, **given}))
    assert data.labels is None or "labels=" not in str(data.reading)


def test_parts_and_folders_say_how_they_were_understood(here):
    for part in ["train", "test"]:
        for index, name in enumerate(["cat", "dog", "cat"]):
            write(here / "photos" / part / name / f"{index}.bmp", bmp(index))
        write(here / "photos/README.md", "photos")
    data = idxfile.open("photos")
    text = str(data.reading)
    assert text.startswith("photos: ") and "train" in text and "cat" in text and "README.md left out" in text
    assert data.train.reading and idxfile.Set(parts=dict(data.items())).reading == ()
    expect_same(data, idxfile.open("photos", **data.reading[0]["parameters"]))
    assert idxfile.Set(IMAGES).reading == () and str(idxfile.Set(IMAGES).reading) == ""


def test_what_is_left_out_can_be_said(here):
    write(here / "iris.csv", IRIS)
    # Failed before: an iterator was empty after its first use, and nothing was left out.
    for skip in ["Id", 0, ["Id"], ["Id", "width"], [np.int64(0)], iter(["Id"]), {"Id"}]:
        data = idxfile.open("iris.csv", dtype="float32", skip=skip)
        assert data.images.shape == ((4,) if skip == ["Id", "width"] else (4, 2))
    assert idxfile.open("iris.csv", dtype="float32", skip=[]).images[:, 0].tolist() == [1, 2, 3, 4]
    assert idxfile.open("iris.csv", dtype="float32", column="width").images.tolist() == [3.5, np.float32(3.2), 3, np.float32(2.7)]
    idxfile.save("others.idx", LABELS)
    for name, value in {"skip": "Id", "dtype": "int8", "label_column": 1, "header": False, "classes": ["a", "b"], "labels": "{}_*"}.items():
        with pytest.raises(idxfile.Error, match=f"`{name}` has no effect") as raised:
            idxfile.open("others.idx", **{name: value})
        assert raised.value.code == "no_effect"
        with pytest.raises(idxfile.Error, match=f"`{name}` has no effect"):
            idxfile.records("others.idx", **{name: value})
    with pytest.raises(idxfile.Error, match="`classes` has no effect"):
        idxfile.open("iris.csv", dtype="float32", labels=False, classes=["a", "b"])
    with pytest.raises(TypeError, match="IDX does not have complex64; choose one of uint8,"):
        idxfile.open("iris.csv", dtype="complex64")
    with pytest.raises(TypeError, match="there is no parameter sep"):
        idxfile.records("iris.csv", sep=";")
    with pytest.raises(TypeError, match="`open` takes an array"):
        idxfile.records("others.idx", labels=LABELS)


def test_names_of_classes_number_them(here):
    write(here / "iris.csv", IRIS)
    for classes in [["virginica", "setosa"], {0: "virginica", 1: "setosa"}, {np.int64(1): "setosa", 0: "virginica"}]:
        data = idxfile.open("iris.csv", dtype="float32", classes=classes)
        assert data.labels.tolist() == [1, 0, 1, 0] and data.classes == {0: "virginica", 1: "setosa"}
        # Failed before: bytes and file objects kept the numbers of their order, and labels in an array had no names.
        file = io.BytesIO(IRIS.encode())
        file.name = "iris.csv"
        data = idxfile.open(file, dtype="float32", classes=classes)
        assert data.labels.tolist() == [1, 0, 1, 0] and data.classes == {0: "virginica", 1: "setosa"}
        assert idxfile.open(b"label,a\nsetosa,5\nvirginica,6\n", classes=classes).labels.tolist() == [1, 0]
        data = idxfile.open("iris.csv", [1, 0, 1, 1], dtype="float32", classes=classes)
        assert data.labels.tolist() == [1, 0, 1, 1] and data.classes == {0: "virginica", 1: "setosa"}
    for unnamed in [IRIS.encode(), io.BytesIO(IRIS.encode())]:
        with pytest.raises(idxfile.Error, match="give `open` a file object whose `name` ends in .csv"):
            idxfile.open(unnamed)
    (here / "names.txt").write_text("virginica\nsetosa\n")
    data = idxfile.open("iris.csv", np.array([1, 0, 1, 1]), dtype="float32", classes="names.txt")
    assert data.classes == {0: "virginica", 1: "setosa"}
    assert idxfile.records("iris.csv", dtype="float32").classes == {0: "setosa", 1: "virginica"}
    if pytest.importorskip("pyarrow"):
        assert idxfile.arrow("iris.csv", dtype="float32").classes == {0: "setosa", 1: "virginica"}
    numbers = idxfile.open("iris.csv", dtype="float32", classes={7: "setosa", -2: "virginica"})
    assert numbers.labels.tolist() == [7, -2, 7, -2]
    # Failed before: the advice was to write a line, as into a file.
    with pytest.raises(idxfile.Error, match="no name for the label 1; give a list that names each"):
        idxfile.open(b"label,a\n0,5\n1,6\n", classes=["cat"])


# Each piece of advice that the sentences of the crates have: what is read, the words that advise, and the parameters that
# follow them. The rest of the sentence is that of `idx check`.
ADVICE = {
    "header": ("t.csv", "0,1,2,3\n0,5,6,7\n1,5,6,7\n", {}, ["header=True", "header=False"]),
    "label column": ("t.csv", "a,b,c\nx,u,1\ny,v,2\nx,u,3\ny,w,4\n", {}, None),
    "a column that counts": ("t.csv", "amount,a,b\n1,5,6\n2,7,8\n3,9,9\n", {}, None),
    "a cell that is not a number": ("t.csv", "label,a,b\n1,5,6\n2,7,8\n" + "3,9,9\n" * 3000 + "4,x,1\n" + "3,9,9\n" * 3000, {}, None),
    "another type": ("t.csv", "label,a\n1,2.5\n2,3\n", {}, ["dtype='float32'"]),
    "a larger type": ("t.csv", "label,a\n1,2\n2,300\n", {}, ["dtype"]),
    "several arrays": ("t.npz", None, {}, None),
    "labels of another count": ("a-images-idx3-ubyte", None, {}, ["labels=False"]),
    "labels of several columns": ("b-images-idx3-ubyte", None, {}, ["label_column"]),
    "records of 65 MiB": ("large.idx", None, {}, ["limit"]),
    "all records": ("a-images-idx3-ubyte", None, {"labels": False, "limit": 119}, ["limit"]),
    "no numbers": ("t.csv", "", {}, ["shape"]),
    "many pixels": ("large.png", None, {}, ["limit"]),
    "an unfinished file": ("unfinished.idx", None, {}, ["idx repair"]),
    "a folder of several sets": ("parts", None, {}, None),
    "another size": ("sizes", None, {}, ["idx convert --size"]),
    "colors": ("colors", None, {}, ["idx convert --channels"]),
    "Parquet": ("t.parquet", b"PAR1" + bytes(20) + b"PAR1", {}, ["idx convert"]),
}
# The values for advice that has none.
FOLLOWED = {"shape": {"shape": 3}, "dtype": {"dtype": "float64"}, "label_column": {"label_column": 1}, "limit": {"limit": 1 << 30}}


def make_inputs(folder):
    idxfile.save(folder / "a-images-idx3-ubyte", IMAGES)
    idxfile.save(folder / "a-labels-idx1-ubyte", LABELS[:7])
    idxfile.save(folder / "b-images-idx3-ubyte", IMAGES)
    idxfile.save(folder / "b-labels-idx1-ubyte", np.arange(30, dtype="uint8").reshape(10, 3))
    np.savez(folder / "t.npz", some=IMAGES, more=IMAGES[:3])
    write(folder / "large.idx", b"\0\0\x08\x02" + struct.pack(">2I", 1, 65 << 20))
    os.truncate(folder / "large.idx", 12 + (65 << 20))
    write(folder / "unfinished.idx", b"\xff\xff\x88\x02\xff\xff\xff\xff\0\0\0\2" + bytes(4))
    (folder / "parts").mkdir()
    for prefix in ["c-train", "d-train"]:
        idxfile.save(folder / f"parts/{prefix}-images-idx3-ubyte", IMAGES)
        idxfile.save(folder / f"parts/{prefix}-labels-idx1-ubyte", LABELS)


def make_pictures(folder):
    Image = pytest.importorskip("PIL.Image")
    Image.new("1", (12000, 12000)).save(folder / "large.png")
    for name, modes, sizes in [("sizes", "LL", [2, 3]), ("colors", ["L", "RGB"], [2, 2])]:
        (folder / name).mkdir()
        for index in range(2):
            color = 7 if modes[index] == "L" else (1, 2, 3)
            Image.new(modes[index], (sizes[index], 2), color).save(folder / name / f"{index}.png")


@pytest.mark.parametrize("case", ADVICE)
def test_advice_names_what_python_has(here, case):
    path, content, given, expected = ADVICE[case]
    if path in ["sizes", "colors", "large.png"]:
        make_pictures(here)
    elif content is None:
        make_inputs(here)
    else:
        write(here / path, content)
    follow(path, given, expected or [])


def follow(path, given, expected=(), questions=2):
    """Two questions may follow each other."""
    # Without decoding all pixels.
    read = idxfile.records if path == "large.png" else idxfile.open
    with pytest.raises(idxfile.Error) as raised:
        read(path, **given)
    sentence = str(raised.value)
    # No option of the command, except after `idx convert`, and no call of the Rust crates.
    assert not re.search(r"(?<!idx convert )--\w|\w\([^)]*\)`", sentence), sentence
    advised = re.findall(r"`([^`]*)`", sentence)
    for words in expected:
        assert any(advice.startswith(words) for advice in advised), sentence
    others = re.findall("give one of them, such as (.*)", sentence)
    paths = others + [eval(advice) for advice in advised if advice[0] in "'\""]
    parameters = [FOLLOWED.get(advice) or eval(f"dict({advice})") for advice in advised if "=" in advice or advice in FOLLOWED]
    is_for_command = any(advice.startswith("idx ") for advice in advised)
    assert paths or parameters or is_for_command, sentence
    for path, more in [(path, more) for more in parameters] + [(path, {}) for path in paths]:
        try:
            read(path, **{**given, **more})
        except idxfile.Error:
            assert questions > 1
            follow(path, {**given, **more}, questions=questions - 1)
