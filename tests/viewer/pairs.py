"""Compares how the page and the command pair files. Each case is a folder: for each of its files of records, both have
the same labels with the same class names, or the same sentence."""
import gzip
import json
import struct
import subprocess
import tempfile
from pathlib import Path


def array(code, *sizes, numbers=None):
    count = 1
    for size in sizes:
        count *= size
    form = {8: "B", 9: "b", 11: "h", 12: "i", 13: "f", 14: "d"}[code]
    numbers = range(count) if numbers is None else numbers
    return bytes([0, 0, code, len(sizes)]) + struct.pack(f">{len(sizes)}I{count}{form}", *sizes, *numbers)


IMAGES = array(8, 3, 2, 2)
OTHER_IMAGES = array(8, 3, 2, 2, numbers=range(100, 112))
LABELS = array(8, 3, numbers=[2, 0, 1])
OTHER_LABELS = array(8, 3, numbers=[1, 1, 0])
QMNIST = array(12, 3, 8, numbers=[7, 4, 2609, 115, 55, 115, 0, 0, 2, 1, 2, 3, 50, 5, 0, 0, 1, 1, 2, 3, 49, 5, 0, 0])


def one_hot(*labels, code=8, width=4):
    return array(code, len(labels), width, numbers=[int(label == column) for label in labels for column in range(width)])


# The files of each case. The command opens each file of records by its path.
CASES = {
    "as MNIST names them": {"train-images-idx3-ubyte": IMAGES, "train-labels-idx1-ubyte": LABELS},
    "with a dot": {"train-images.idx3-ubyte": IMAGES, "train-labels.idx1-ubyte": LABELS},
    "the other separator": {"train-images.idx3-ubyte": IMAGES, "train-labels-idx1-ubyte": LABELS},
    "gzip and plain": {"t10k-images-idx3-ubyte.gz": gzip.compress(IMAGES), "t10k-labels-idx1-ubyte": LABELS},
    "an underscore": {"a_images-idx3-ubyte": IMAGES, "a_labels-idx1-ubyte": LABELS},
    "an underscore and a hyphen": {"a_images-idx3-ubyte": IMAGES, "a-labels-idx1-ubyte": LABELS},
    "capitals": {"A-IMAGES-IDX3-UBYTE": IMAGES, "A-LABELS-IDX1-UBYTE": LABELS},
    "no prefix": {"images-idx3-ubyte": IMAGES, "labels-idx1-ubyte": LABELS},
    "names that end in .idx": {"digits.idx": IMAGES, "digits-labels.idx": LABELS},
    "images in names that end in .idx": {"own-images.idx": IMAGES, "own-labels.idx": LABELS},
    "no word for images": {"own-idx3-ubyte": IMAGES, "own-labels-idx1-ubyte": LABELS},
    "labels of i32": {"own-images-idx3-ubyte": IMAGES, "own-labels-idx1-int": array(12, 3, numbers=[-1, 5, 2])},
    "labels of another prefix": {"train-images-idx3-ubyte": IMAGES, "t10k-labels-idx1-ubyte": LABELS},
    "a prefix within another": {"a-b-images-idx3-ubyte": IMAGES, "a-labels-idx1-ubyte": LABELS},
    "images glued to a word": {"trainimages-idx3-ubyte": IMAGES, "trainlabels-idx1-ubyte": LABELS},
    "two files of the same labels": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-labels-idx1-ubyte.gz": gzip.compress(LABELS)},
    "two files of other labels": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-labels.idx1-ubyte": OTHER_LABELS},
    "labels of other shapes": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-labels-idx2-int": QMNIST},
    "fewer labels": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": array(8, 2)},
    "more labels": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": array(8, 4)},
    "one column": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx2-int": array(12, 3, 1, numbers=[4, 5, 6])},
    "one-hot": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": one_hot(3, 0, 1)},
    "one-hot of f32": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": one_hot(3, 0, 1, code=13)},
    "one-hot of eight columns": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx2-int": one_hot(0, 7, 1, code=12, width=8)},
    "QMNIST": {"qmnist-train-images-idx3-ubyte": IMAGES, "qmnist-train-labels-idx2-int": QMNIST},
    "QMNIST's columns in another type": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": array(11, 3, 8, numbers=struct.unpack(">24i", QMNIST[12:]))},
    "three columns": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx2-int": array(12, 3, 3)},
    "one-hot and then not": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": array(8, 3, 2, numbers=[0, 1, 1, 0, 1, 1])},
    "three dimensions": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": array(8, 3, 2, 2)},
    "fractions": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": array(13, 3, numbers=[1, 2.5, 3])},
    "whole numbers of f64": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": array(14, 3, numbers=[1, 2, 3])},
    "classes of the file": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"cat\ndog\nbird\n"},
    "classes of the set": {"f-train-images-idx3-ubyte": IMAGES, "f-train-labels-idx1-ubyte": LABELS, "f-classes.txt": b"cat\r\ndog\r\n\r\n"},
    "classes of some labels": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": array(8, 3, numbers=[0, 2, 1]), "x-classes.txt": b"cat\ndog\n"},
    "labels that count from 1": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": array(8, 3, numbers=[1, 2, 2]), "x-classes.txt": b"cat\ndog\n"},
    "a label below 0": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-byte": array(9, 3, numbers=[-1, 1, 1]), "x-classes.txt": b"cat\ndog\n"},
    "both": {"f-train-images-idx3-ubyte": IMAGES, "f-train-labels-idx1-ubyte": LABELS, "f-classes.txt": b"a\nb\nc\n", "f-train-classes.txt": b"d\ne\nf\n"},
    "classes without a prefix": {"train-images-idx3-ubyte": IMAGES, "train-labels-idx1-ubyte": LABELS, "classes.txt": b"cat\ndog\nbird\n"},
    "classes of another prefix": {"a-images-idx3-ubyte": IMAGES, "a-labels-idx1-ubyte": LABELS, "classes.txt": b"cat\n", "b-classes.txt": b"cat\n"},
    "numbered classes": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"2: cat\n0: dog\n1: bird\n"},
    "a table in Markdown": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"| id | name |\n|---:|---|\n| 0 | cat |\n| 1 | dog |\n| 2 | bird |\n"},
    "a table of classes": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"index,name\n0,cat\n1,dog\n2,bird\n"},
    "a table of names and classes": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"name,index\ncat,0\ndog,1\nbird,2\n"},
    "numbers and colons": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"2:cat\n0:dog\n1:bird\n"},
    "equal signs": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"2=cat\n0=dog\n1=bird\n"},
    "dashes and quotes": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"2 - 'cat'\n0 - \"dog\"\n1 - bird\n"},
    "names first": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"cat: 2\ndog: 0\nbird: 1\n"},
    "groups with numbers": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"group 2\ngroup 0\ngroup 1\n"},
    "groups in the order of their bytes": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"group 0\ngroup 1\ngroup 2\n"},
    "names in one line": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": array(8, 3, numbers=[0, 0, 0]), "x-classes.txt": b"cat,dog,bird\n"},
    "a title and comments": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"# by me\nname\ncat\ndog\nbird\n"},
    "marks of a list": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"names:\n- cat\n- dog\n- bird\n"},
    "other marks of a list": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"* cat\n* dog\n* bird\n"},
    "a title with a colon": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"Class names:\ncat\ndog\nbird\n"},
    "a first line that is no name": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"My animals:\ncat\ndog\nbird\n"},
    "a first line that is a comment": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"#mine\ncat\ndog\nbird\n"},
    "source code": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"CLASSES = [\n'cat',\n'dog',\n'bird',\n]\n"},
    "a list with its own name": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"cat\ndog\nx-classes.txt\n"},
    "a list of JSON": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b'["cat", "hot \\"dog\\"",\n"bird"]\n'},
    "an object of JSON": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b'{\n"2": "cat",\n"0": "dog",\n"1": "bird"\n}\n'},
    "labels in JSON": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b'{"cat": 2, "dog": 0, "bird": 1}'},
    "commas": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"'cat',\n'dog',\n'bird'\n"},
    "quoted cells": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"label;name\n2;\"cat; big\"\n0;dog\n1;bird\n"},
    "code points of Unicode": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": "0,U+0061\n1,U+0062\n2,U+304A\n".encode()},
    "code points": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"0 48\n1 65 97\n2 66\n"},
    "a list of labels without names": {"x-images-idx3-ubyte": IMAGES, "x-labels-idx1-ubyte": LABELS, "x-classes.txt": b"cat\n"},
}


def by_the_command(idx, file):
    """Returns the labels with their class names, `None` without labels, or the start of the sentence."""
    done = subprocess.run([idx, "convert", file, "-o", "-", "--to", "csv"], capture_output=True, text=True)
    if done.returncode:
        path, _, sentence = done.stderr.strip().removeprefix("idx: ").partition(": ")
        return path.rsplit("/", 1)[-1] + ": " + sentence.partition(";")[0]
    header, *rows = (line.split(",") for line in done.stdout.splitlines())
    if header[0] != "label":
        return None
    with tempfile.TemporaryDirectory() as out:
        subprocess.run([idx, "convert", file, "-o", f"{out}/out-images-idx3-ubyte", "--labels-as", "i32"], check=True, stderr=subprocess.DEVNULL)
        list_of_names = Path(out, "out-classes.txt")
        names = list_of_names.read_text().splitlines() if list_of_names.exists() else []
    names = dict(enumerate(names))
    return [f"{row[0]} {names.get(int(row[0])) or ''}".strip() for row in rows]


def by_the_page(browser, path):
    browser.run("const choice = document.querySelector('#file'); choice.selectedIndex = [...choice.options].findIndex((file) => file.text == arguments[0]); choice.dispatchEvent(new Event('change'))", path)
    browser.wait("document.querySelector('#file').selectedOptions[0].text == " + json.dumps(path) + " && document.querySelectorAll('figure').length == 3")
    captions = browser.run("return [...document.querySelectorAll('figcaption b')].map((label) => label.textContent)")
    sentences = browser.run("return [...document.querySelectorAll('#sentences p')].map((line) => line.textContent.split(';')[0])")
    sentences = [sentence for sentence in sentences if "class names, but" not in sentence and "class name, but" not in sentence]
    if sentences:
        return "; ".join(sentences)
    return captions if any(captions) else None


def compare(browser, idx, folder, expect):
    compared = 0
    for name, files in CASES.items():
        for old in folder.iterdir():
            old.unlink()
        for path, content in files.items():
            (folder / path).write_bytes(content)
        browser.run("document.querySelector('#records').replaceChildren()")
        browser.choose([folder / path for path in files])
        browser.wait(f"document.querySelectorAll('figure').length >= 2 && !document.querySelector('#facts').textContent.startsWith('Reading')")
        images = [path for path in files if "label" not in path.lower() and "classes" not in path]
        for path in images:
            expect(f"{name}: {path}", by_the_page(browser, path), by_the_command(idx, folder / path))
            compared += 1
    print(f"viewer: {compared} files of {len(CASES)} sets have the labels, the classes or the sentence of the command")
