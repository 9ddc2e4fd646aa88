"""Keras and torchvision read the folders that `idx convert` writes, with the records and labels of the sample.

PyTorch is too large to install for this, so torchvision's rule is written here (`ImageFolder`, `find_classes` and
`make_dataset`): folders in the order of their names are the classes 0, 1, ..., with the files of each in the order of
their paths.
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy
from PIL import Image

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "idx-cli" / "sample"
NAMES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


def idx_array(path):
    data = path.read_bytes()
    rank = data[3]
    shape = struct.unpack(f">{rank}I", data[4 : 4 + 4 * rank])
    return numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * rank).reshape(shape)


def image_folder(root):
    classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
    for label, name in enumerate(classes):
        for folder, _, files in sorted(os.walk(root / name, followlinks=True)):
            for file in sorted(files):
                yield numpy.asarray(Image.open(pathlib.Path(folder) / file)), label, name


def by_keras(root):
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    from tensorflow import keras

    read = keras.utils.image_dataset_from_directory
    options = {"color_mode": "grayscale", "image_size": (28, 28), "shuffle": False, "batch_size": None}
    dataset = read(root, verbose=False, **options)
    names = dataset.class_names
    for image, label in dataset.as_numpy_iterator():
        yield image[..., 0].astype(numpy.uint8), int(label), names[int(label)]


def main():
    idx = sys.argv[1]
    images, labels = (idx_array(SAMPLE / f"digits-{kind}-ubyte") for kind in ("images-idx3", "labels-idx1"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "names.txt").write_text("".join(f"{name}\n" for name in NAMES))
        convert = [idx, "convert", SAMPLE / "digits-images-idx3-ubyte", "--to", "png", "-o"]
        subprocess.run([*convert, folder / "numbers"], check=True)
        subprocess.run([*convert, folder / "words", "--classes", folder / "names.txt"], check=True)
        for root, class_of in ((folder / "numbers", str), (folder / "words", lambda label: NAMES[label])):
            # Other programs number the classes in the order of their names.
            classes = sorted({class_of(int(label)) for label in labels})
            order = sorted(range(len(labels)), key=lambda at: (class_of(int(labels[at])), at))
            for read in (image_folder, by_keras):
                found = list(read(root))
                assert len(found) == len(images), f"{read.__name__}: {len(found)} of {len(images)}"
                for at, (image, label, name) in zip(order, found):
                    expected = class_of(int(labels[at]))
                    assert (name, label) == (expected, classes.index(expected)), f"{root}: {at} is {name}"
                    assert (image == images[at]).all(), f"{root}: {at} differs in {read.__name__}"
        # And back.
        subprocess.run([idx, "convert", folder / "words", "-o", folder / "back-images-idx3-ubyte"], check=True)
        assert (folder / "back-labels-idx1-ubyte").exists()
    print(f"torchvision's rule and Keras read {len(images)} pictures in folders by number and by name")


main()
