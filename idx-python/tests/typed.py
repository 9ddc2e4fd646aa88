"""A program whose types `mypy --strict` checks; it is not run."""

import gzip
import mmap
import zipfile
from pathlib import Path

import numpy as np

import idxfile

images = idxfile.load("train-images-idx3-ubyte.gz", limit=1 << 30)
idxfile.save(Path("copy.idx"), images[:10])
idxfile.save("list.idx", np.asarray([1.0, 2.0], np.float32))
start: int = idxfile.memmap("copy.idx").offset

mnist = idxfile.fetch("mnist", folder=Path("mnist"), mirror="http://localhost/")
image, label = mnist.train[0]
some: idxfile.Set = mnist.train[:10]
names: list[str] = [mnist.test.classes[label] for label in range(10)]
for batch_images, batch_labels in idxfile.open("mnist/").train.batches(64, shuffle=1):
    print(batch_images.shape, batch_labels.dtype)
print(len(mnist.train), idxfile.arrow("copy.idx"))
for image, label in mnist.train:
    print(image.shape, label)
print(mnist.train.labels.sum(), (mnist.train.labels == 3).mean(), mnist["train"], mnist.train[np.int64(3)])
(x_train, y_train), (x_test, y_test) = mnist.arrays()
parts: list[str] = list(mnist)
with idxfile.open("mnist/:test") as test:
    count: int = len(test.batches(64, drop_last=True))
threes: idxfile.Set = mnist.train[mnist.train.labels == 3]
given: idxfile.Set = idxfile.open(b"..", labels=False, shape=(28, 28), limit=1 << 30)
pair: idxfile.Set = idxfile.open("x-images.idx", Path("x-labels.idx"))
table: idxfile.Set = idxfile.open("t.csv", dtype="float32", header=True, label_column=0, skip=["id", 3], classes={0: "cat"})
said: str = str(table.reading) + table.reading[0]["path"] + table.reading[0]["statements"][0]["text"]
again: idxfile.Set = idxfile.open("t.csv", **table.reading[0]["parameters"])
readings: list[idxfile.Reading] = [idxfile.records("t.csv", skip="id").reading, idxfile.arrow("t.csv", column=3).reading]
for images, labels in idxfile.records("copy.idx", 64, label_column="label"):
    print(images.shape, labels)
with open("copy.idx", "rb") as file:
    print(idxfile.load(file), idxfile.__version__)
with open("copy.idx", "wb") as file:
    idxfile.save(file, [1.0, 2.0])
with gzip.open("copy.gz") as content, zipfile.ZipFile("a.zip").open("inner") as member:
    pairs = [idxfile.load(content), idxfile.load(member), idxfile.load(mmap.mmap(0, 1))]
with gzip.open("copy.gz", "wb") as content:
    idxfile.save(content, images)
numbered: idxfile.Set = idxfile.open("t.csv", skip={"id"}, label_column=np.int64(1), shape=np.array([2, 3]), limit=np.int64(9))
for images, labels in numbered.batches(np.int64(64), shuffle=False):
    print(images.shape, labels)

try:
    idxfile.open("nothing")
except idxfile.Error as error:
    code: str = error.code
