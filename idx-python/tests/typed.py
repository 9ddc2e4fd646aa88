"""A program whose types `mypy --strict` checks; it is not run."""

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

try:
    idxfile.open("nothing")
except idxfile.Error as error:
    code: str = error.code
