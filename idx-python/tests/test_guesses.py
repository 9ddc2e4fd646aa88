"""Calls that users of NumPy, Keras, PyTorch, TensorFlow, pandas, scikit-learn or `datasets` write: each works, or its
error says what to write."""

import copy
import itertools
import json
import pathlib
import random
import re

import numpy as np
import pytest

import idxfile

IMAGES = np.random.default_rng(2).integers(0, 256, (10, 4, 3), "uint8")
LABELS = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3], "uint8")


@pytest.fixture
def names(tmp_path, monkeypatch):
    """The names that a guess may use: a set `d` of one part, a set `m` of two, and their files."""
    monkeypatch.chdir(tmp_path)
    for prefix in ["train", "t10k"]:
        idxfile.save(f"{prefix}-images-idx3-ubyte", IMAGES)
        idxfile.save(f"{prefix}-labels-idx1-ubyte", LABELS)
    both = idxfile.open(".")
    modules = {"idxfile": idxfile, "np": np, "copy": copy, "random": random, "islice": itertools.islice, "json": json, "pathlib": pathlib}
    return {**modules, "d": both.train, "m": both, "x": IMAGES, "y": LABELS, "path": "train-images-idx3-ubyte"}


RIGHT = [
    ("[label for image, label in d] == y.tolist()", True),
    ("[len(images) for images, labels in d.batches(4)]", [4, 4, 2]),
    ("[labels.tolist() for images, labels in d.batches(5, shuffle=False)]", [[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]]),
    ("[labels.tolist() for images, labels in d.batches(5, shuffle=np.False_)]", [[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]]),
    ("[i for i, (images, labels) in enumerate(d.batches(64))]", [0]),
    ("len(d.batches(4, drop_last=True))", 2),
    ("[[len(labels) for images, labels in batches] for batches in [d.batches(4, shuffle=1)] * 2]", [[4, 4, 2]] * 2),
    ("repr(d.batches(4))", "<3 batches of 4 records>"),
    ("repr(idxfile.records(path))", "<stream of records of (4, 3) uint8 with labels>"),
    ("[a.shape for a in d.arrays()]", [(10, 4, 3), (10,)]),
    ("list(zip(*d))[1] == tuple(y)", True),
    ("(d.images / 255).max() <= 1", True),
    ("d.images[..., None].shape", (10, 4, 3, 1)),
    ("np.stack([image for image, label in d]).shape", (10, 4, 3)),
    ("np.bincount(d.labels).tolist()", [0, 2, 1, 2, 1, 2, 1, 0, 0, 1]),
    ("len(d[d.labels == 5]), len(d[~(d.labels == 5)])", (2, 8)),
    ("len(d[[True] * 5 + [False] * 5]), len(d[range(3)])", (5, 3)),
    ("d[np.random.permutation(len(d))].labels.sum()", 39),
    ("random.choice(d)[1] in y", True),
    ("len(list(islice(d, 5)))", 5),
    ("next(reversed(d))[1]", 3),
    ("sorted(d, key=lambda pair: pair[1])[0][1]", 1),
    ("next(iter(d.batches(4)))[1].tolist()", [3, 1, 4, 1]),
    ("len(copy.deepcopy(d)), len(copy.copy(m))", (10, 2)),
    ("list(m), sorted(m), json.dumps(list(m))", (["train", "test"], ["test", "train"], '["train", "test"]')),
    ("'-'.join(m), {name: len(m[name]) for name in m}", ("train-test", {"train": 10, "test": 10})),
    ("{**m}.keys() == dict(m).keys() == m.keys()", True),
    ("[len(images) for images, labels in m.arrays()]", [10, 10]),
    ("[name for name, part in m.items()]", ["train", "test"]),
    ("idxfile.Set(d.images / 255, d.labels).images.dtype", np.float64),
    ("idxfile.Set(parts={'a': d, 'b': d}).a[0][1]", 3),
    ("idxfile.open(path, classes=np.array([str(n) for n in range(10)])).classes[3]", "3"),
    ("idxfile.open(path, shape=12).images.shape", (10, 12)),
    ("idxfile.Set(x, y, np.array(['cat', 'dog'])).classes", {0: "cat", 1: "dog"}),
    ("idxfile.Set(x, y, ['cat', 'dog'])[:3].classes", {0: "cat", 1: "dog"}),
    ("idxfile.open(path, classes=dict.fromkeys('abcdefghij').keys()).classes[3]", "d"),
    ("[len(images) for images, labels in idxfile.records(path, 10**30)]", [10]),
    ("idxfile.save(b'by-bytes.idx', x), idxfile.load('by-bytes.idx').shape", (None, (10, 4, 3))),
]


@pytest.mark.parametrize("guess, expected", RIGHT)
def test_a_guess_is_right(names, guess, expected):
    assert eval(guess, names) == expected


def test_a_set_is_opened_with_with(names):
    with idxfile.open(names["path"]) as data, idxfile.records(names["path"], 4) as records:
        assert len(data) == 10 and len(list(records)) == 3


REFUSED = [
    ("d.batches(batch_size=32)", TypeError, "there is no parameter batch_size; it is `size`"),
    ("d.batches(32, drop_remainder=True)", TypeError, "there is no parameter drop_remainder; it is `drop_last`"),
    ("d.batches(32, seed=1)", TypeError, "there is no parameter seed; `shuffle` is the seed"),
    ("d.batches(32, what=1)", TypeError, "there is no parameter what; there are size, shuffle and drop_last"),
    ("d.batches()", TypeError, "give the number of records in a batch, such as d.batches(64)"),
    ("d.batches(32.0)", TypeError, "the size of a batch is a whole number, not 32.0"),
    ("[image for image, label in m]", TypeError, "iterate over the records of one, such as d.train, or `d.arrays()`"),
    ("[1 for (x, y), (a, b) in [m]]", TypeError, "iterate over the records of one, such as d.train"),
    ("m.x_train", AttributeError, "`(x_train, y_train), (x_test, y_test) = d.arrays()`"),
    ("m.train_images", AttributeError, "`(x_train, y_train), (x_test, y_test) = d.arrays()`"),
    ("m[0]", TypeError, "no records of its own; take one, such as d.train"),
    ("m.valid", AttributeError, "this set has the parts train and test, and no valid"),
    ("idxfile.save('z', x, y)", TypeError, '`save("own-images-idx3-ubyte", images)`, `save("own-labels-idx1-ubyte",'),
    ("idxfile.save('z', (x, y))", ValueError, "a file is one array, with rows of one shape; images and labels are two files"),
    ("idxfile.save('z', d)", TypeError, "take its `images`, or its `labels`"),
    ("idxfile.save('z', x, compress=True)", TypeError, "a name that ends in .gz is compressed"),
    ("d.save('z')", AttributeError, "`idxfile.save(path, d.images)` writes one array"),
    ("idxfile.load(path, dtype='float32')", TypeError, 'convert the array, as in `load(path).astype("float32")`'),
    ("idxfile.load(path, what=1)", TypeError, "there is no parameter what; there are none but limit"),
    ("idxfile.load(path, mmap_mode='r')", TypeError, "`memmap(path)` maps a file"),
    ("idxfile.load(path, path)", TypeError, "`open(images, labels)` reads images with their labels"),
    ("idxfile.load(path, limit='1 GB')", TypeError, "`limit` is a number of bytes, such as 10**9, not '1 GB'"),
    ("idxfile.memmap(path, mode='r+')", TypeError, "there is no parameter mode"),
    ("idxfile.open(path, 'rb')", FileNotFoundError, "`open` has no mode"),
    ("idxfile.open([path, path])", TypeError, "the file of labels is a second one: `open(images, labels)`"),
    ("idxfile.open(path, size=(28, 28))", TypeError, "`idx convert --size 28x28` resizes pictures, and"),
    ("idxfile.open(path, batch_size=32)", TypeError, "`open(path).batches(64)` and `records(path, 64)` are batches"),
    ("idxfile.open(path, transform=abs)", TypeError, "change the array `images`, and make `Set(images, labels)`"),
    ("idxfile.open(path, return_X_y=True)", TypeError, "`x, y = open(path).arrays()`"),
    ("idxfile.open(path, streaming=True)", TypeError, "`records(path, size)` reads a file of any size in batches"),
    ("idxfile.open(path, classes=10)", TypeError, "`classes` is a list of names in the order of the labels, a dict from labels to names, or for `open` a file, not 10"),
    ("idxfile.open(path, classes={'cat', 'dog'})", TypeError, "`classes` is a list of names in the order of the labels, a dict"),
    ("idxfile.open(path, classes=[])", ValueError, "`classes` has no names; leave it out"),
    ("idxfile.open(path, classes={'cat': 0})", TypeError, "or for `open` a file; 'cat': 0 is not a label and its name"),
    ("idxfile.open(path, classes=[1, 2])", TypeError, "0: 1 is not a label and its name"),
    ("idxfile.open(path, classes=['cat', None])", TypeError, "1: None is not a label and its name"),
    ("idxfile.open(path, classes={10**40: 'cat'})", TypeError, "is not a label and its name"),
    ("idxfile.open(path, classes=b'cat')", TypeError, "`classes` is a list of names in the order of the labels, a dict"),
    ("idxfile.Set(x, y, {'cat', 'dog'})", TypeError, "`classes` is a list of names in the order of the labels, a dict"),
    ("idxfile.Set(x, y, 'classes.txt')", TypeError, "or for `open` a file, not 'classes.txt'"),
    ("idxfile.Set(x, y, [1, 2])", TypeError, "0: 1 is not a label and its name"),
    ("idxfile.Set(x, y, 10)", TypeError, "`classes` is a list of names in the order of the labels, a dict"),
    ("idxfile.Set(x, y, parts={'train': d})", TypeError, "a set of parts has no images, labels or classes of its own"),
    ("idxfile.Set(parts={0: d})", TypeError, "`parts` is a dict from names to sets"),
    ("idxfile.Set(path)", TypeError, "a set is made of arrays; `open(path)` reads one"),
    ("idxfile.Set(x, np.ma.array(y, mask=y == 3))", TypeError, "labels.compressed()"),
    ("idxfile.Set(x, y.reshape(-1, 1))", ValueError, "10 x 1 labels for 10 records; give `np.reshape(labels, -1)`"),
    ("idxfile.Set(x, np.eye(10)[y])", ValueError, "10 x 10 labels for 10 records; give `np.argmax(labels, 1)`, if they are one-hot"),
    ("idxfile.Set(parts=[d])", TypeError, "`parts` is a dict from names to sets"),
    ("idxfile.open('.', y)", ValueError, '.: these are the labels of one part; give them to it, as in `Set(open(..)["train"].images, labels)`'),
    ("idxfile.open(path, shape=2**32)", ValueError, "has a size below 0 or above 2**32 - 1"),
    ("idxfile.open(path, shape=(3, 4))", ValueError, "`d.images.transpose` to move the numbers, too, or `shape=(12,)`"),
    ("idxfile.open(path, label_column=10**30)", ValueError, "columns are counted from 0, or named"),
    ("idxfile.open(path, skip=[None])", TypeError, "or its position from 0, not None"),
    ("idxfile.open(path, skip=True)", TypeError, "`skip` is the name of a column, or its position from 0, not True"),
    ("idxfile.open(path, label_column=True)", TypeError, "or its position from 0, not True"),
    ("idxfile.load(path, True)", TypeError, "`limit` is a number of bytes, such as 10**9, not True"),
    ("d.batches(True)", TypeError, "the size of a batch is a whole number, not True"),
    ("d.batches(4, shuffle=np.True_)", TypeError, "shuffle is a seed, such as the number of the epoch"),
    ("idxfile.open(path, skip=b'train')", TypeError, "`skip` is the name of a column, or its position from 0"),
    ("idxfile.open(path, skip=pathlib.Path('train'))", TypeError, "`skip` is the name of a column, or its position from 0"),
    ("[idxfile.load(f) for f in [open(path, 'rb')] * 2]", ValueError, "`seek(0)` returns to its start"),
    ("[idxfile.open(f) for f in [open(path, 'rb')] * 2]", ValueError, "`seek(0)` returns to its start"),
    ("idxfile.open(path, open(path, 'rb'))", TypeError, "`load` makes an array of a file object or of bytes"),
    ("idxfile.open(path, labels=b'..')", TypeError, "`labels` is the path of a file or an array"),
    ("idxfile.fetch(7)", TypeError, "`name` is that of a data set, such as 'mnist', not 7"),
    ("idxfile.fetch('mnist', '.', mirror='localhost/mnist')", TypeError, "not 'localhost/mnist'"),
    ("idxfile.fetch('mnist', '.', mirror='')", TypeError, "`mirror` is the address of a folder"),
    ("idxfile.open(path, shape='28x28')", TypeError, "`shape` is the sizes of a record, such as (28, 28), not '28x28'"),
    ("idxfile.open(path, label_column=1.5)", TypeError, "`label_column` is the name of a column, or its position from 0"),
    ("len(idxfile.records(path))", TypeError, "`len(open(path))` counts the records"),
    ("idxfile.fetch('mnist', train=True)", TypeError, '`fetch("mnist").train` is a part'),
    ("idxfile.fetch('mnist', root='.')", TypeError, "there is no parameter root; it is `folder`"),
    ("idxfile.mnist.load_data()", AttributeError, 'idxfile has no mnist; `fetch("mnist")` is a set'),
    ("idxfile.train_images()", AttributeError, 'idxfile has no train_images; `fetch("mnist")` is a set'),
    ("idxfile.fetch('emnist', split='letters')", TypeError, '`fetch("emnist-letters")` is a set, and its `train` a part'),
    ("idxfile.read_idx(path)", AttributeError, "idxfile has no read_idx; `load(path)` reads an array"),
    ("idxfile.Set((x, y))", ValueError, "labels come second, as in `Set(images, labels)`"),
    ("idxfile.Set({'train': d})", TypeError, "a set of parts is `Set(parts={..})`"),
    ("idxfile.Set(parts={'train': (x, y)})", TypeError, "parts are sets; `Set(images, labels)` makes one"),
    ("d.train[0]", AttributeError, "no train; it was read as one part, which is this set itself"),
    ("d.x_train", AttributeError, "no x_train; it was read as one part: `x, y = d.arrays()`"),
    ("d.train_test_split(0.2)", AttributeError, "scikit-learn's `train_test_split(*d.arrays())` shuffles"),
    ("d.map(abs)", AttributeError, "change the array `images`, and make `Set(images, labels)`"),
    ("d.take(5)", AttributeError, "choose records, as in d[:1000]"),
    ("d.repeat().prefetch(1)", AttributeError, "iterate over `d.batches(64, shuffle=epoch)`"),
    ("d.to_pandas()", AttributeError, "`pandas.DataFrame(d.images.reshape(len(d), -1))` is a table"),
    ("d.to_tf_dataset()", AttributeError, "`tf.data.Dataset.from_tensor_slices(d.arrays())`"),
    ("d.with_format('torch')", AttributeError, "`torch.utils.data.DataLoader(d, batch_size=64)` takes a set"),
    ("d.class_names", AttributeError, "`classes` is a dict from a label to its name"),
    ("d.num_rows", AttributeError, "`len(d)` counts the records"),
    ("d.to_categorical()", AttributeError, "`np.eye(10)[d.labels]` is one-hot"),
    ("d.concatenate(d)", AttributeError, "join the arrays with `np.concatenate`"),
    ("idxfile.open(x, y)", TypeError, "a set of arrays is `Set(images, labels)`"),
    ("idxfile.save('z.idx.xz', x)", ValueError, "`save` writes IDX, plain or gzip; use a name such as a.idx or a.idx.gz"),
    ("idxfile.save('z.idx', x, overwrite=True)", TypeError, "there is no parameter overwrite; an existing file is replaced"),
    ("idxfile.load(path, count=10)", TypeError, "choose records of the array, as in `load(path)[:10]`"),
    ("idxfile.load_images(path)", AttributeError, "`load(path)` reads an array"),
    ("idxfile.fetch_openml('mnist_784')", AttributeError, '`fetch("mnist")` is a set'),
    ("idxfile.read_csv('t.csv')", AttributeError, "`open(path)` reads a set"),
    ("d.plot()", AttributeError, "matplotlib's `plt.imshow(d.images[0])` draws an image"),
]


@pytest.mark.parametrize("guess, kind, advice", REFUSED)
def test_an_error_says_what_to_write(names, guess, kind, advice):
    with pytest.raises(kind, match=re.escape(advice)):
        eval(guess, names)
