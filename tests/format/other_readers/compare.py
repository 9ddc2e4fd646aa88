"""Tests other readers with the conformance vectors, and prints the results as a table in Markdown.

Usage: compare.py VECTORS PROGRAM MNIST, the folder with vectors.json, the program of src/main.rs, and the folder into
which `mnist` was installed, because its module has the same name as python-mnist's. Fails if idx-std fails a vector.

Each reader has ten seconds and 2 GiB for a vector. A reader without gzip passes the vectors in gzip by rejecting them.
"""

import collections
import hashlib
import importlib.util
import json
import math
import multiprocessing
import pathlib
import resource
import struct
import subprocess
import sys
import tempfile

import idx2numpy
import numpy
from mnist.loader import MNIST

TYPES = {"uint8": "u8", "int8": "i8", "int16": "i16", "int32": "i32", "float32": "f32", "float64": "f64"}
SECONDS = 10
MEMORY = 2 << 30
FOLDER, PROGRAM, MNIST_PACKAGE = sys.argv[1:]


def described(array):
    """Returns the element type, the sizes and the hash of an array."""
    array = numpy.asarray(array)
    name = TYPES[array.dtype.newbyteorder("=").name]
    little = array.astype(array.dtype.newbyteorder("<"))
    return name, list(array.shape), hashlib.sha256(little.tobytes()).hexdigest()


def with_idx2numpy(path):
    return described(idx2numpy.convert_from_file(str(path)))


def with_mnist(path):
    location = pathlib.Path(MNIST_PACKAGE) / "mnist/__init__.py"
    spec = importlib.util.spec_from_file_location("parse_idx", location)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with open(path, "rb") as file:
        return described(module.parse_idx(file))


def with_python_mnist(path):
    """Reads the vector as images or labels; the other file, which python-mnist needs as well, is made here."""
    data = path.read_bytes()
    (count,) = struct.unpack_from(">I", data, 4) if len(data) >= 8 else (0,)
    count = min(count, 10_000)
    with tempfile.NamedTemporaryFile() as other:
        is_labels = data[:4] == bytes([0, 0, 8, 1])
        sizes = [count, 1, 1] if is_labels else [count]
        other.write(bytes([0, 0, 8, len(sizes)]) + struct.pack(f">{len(sizes)}I", *sizes) + bytes(count))
        other.flush()
        files = [other.name, path] if is_labels else [path, other.name]
        images, labels = MNIST(".").load(*files)
    if is_labels:
        return described(numpy.array(labels, dtype=numpy.uint8))
    rows, columns = struct.unpack_from(">II", data, 8)
    pixels = numpy.array(images, dtype=numpy.uint8)
    return described(pixels.reshape(len(images), rows, columns))


def with_torchvision(path):
    """Takes the steps of `read_sn3_pascalvincent_tensor`, with NumPy in place of torch."""
    types = {8: ">u1", 9: ">i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
    data = path.read_bytes()
    magic = int.from_bytes(data[:4], "big")
    rank, code = magic % 256, magic // 256
    assert 1 <= rank <= 3
    assert 8 <= code <= 14
    sizes = [int.from_bytes(data[4 * (i + 1) : 4 * (i + 2)], "big") for i in range(rank)]
    elements = numpy.frombuffer(data, dtype=types[code], offset=4 * (rank + 1))
    assert elements.shape[0] == math.prod(sizes)
    return described(elements.reshape(sizes))


def with_frombuffer(path):
    """Reads as tutorials show: skips the magic number and trusts the sizes."""
    data = path.read_bytes()
    if data[3] == 1:
        return described(numpy.frombuffer(data, dtype=numpy.uint8, offset=8))
    count, rows, columns = struct.unpack_from(">III", data, 4)
    return described(numpy.frombuffer(data, dtype=numpy.uint8, offset=16).reshape(count, rows, columns))


def with_program(reader):
    def read(path):
        done = subprocess.run([PROGRAM, reader, path], capture_output=True, text=True)
        if done.returncode == 1:
            raise ValueError(done.stderr)
        if done.returncode != 0:
            raise SystemExit(done.stderr)
        name, sizes, sha256 = done.stdout.split(" ", 1)[0], *done.stdout.split(" ", 1)[1].rsplit(" ", 1)
        return name, json.loads(sizes), sha256.strip()

    return read


READERS = {
    "idx-std (this project)": with_program("idx-std"),
    "idx2numpy 1.2.3": with_idx2numpy,
    "`mnist` 0.2.2 (Python)": with_mnist,
    "torchvision's algorithm": with_torchvision,
    "idx-lib 0.0.2": with_program("idx-lib"),
    "idx-decoder 0.0.2": with_program("idx-decoder"),
    "python-mnist 0.7": with_python_mnist,
    "`numpy.frombuffer` of tutorials": with_frombuffer,
}


def read_in_child(read, path, sender):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        sender.send(("read", read(path)))
    except (MemoryError, SystemExit):
        sender.send(("crash", None))
    except Exception as error:
        sender.send(("rejected", str(error)))


def outcome(read, path, vector):
    """Returns what a reader does with a vector, as a word of the table."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.Process(target=read_in_child, args=(read, path, sender))
    child.start()
    sender.close()
    try:
        what, found = receiver.recv() if receiver.poll(SECONDS) else ("hangs", None)
    except EOFError:
        what, found = "crash", None
    child.kill()
    child.join()
    if what != "read":
        return what
    if not vector["valid"]:
        return "accepted"
    expected = vector["array"]
    name, sizes, sha256 = found
    # idx-lib does not give the type of an array without elements.
    same_type = name in ("", expected["element_type"])
    return "right" if same_type and (sizes, sha256) == (expected["sizes"], expected["elements_sha256"]) else "wrong"


def main():
    vectors = json.loads((pathlib.Path(FOLDER) / "vectors.json").read_text())["vectors"]
    groups = {
        "valid": [v for v in vectors if v["valid"] and "transport" not in v],
        "invalid": [v for v in vectors if not v["valid"] and "transport" not in v],
        "gzip": [v for v in vectors if "transport" in v],
    }
    print("| reader |", " | ".join(f"{name}: {len(group)}" for name, group in groups.items()), "|")
    print("| --- | --- | --- | --- |")
    ours = []
    for name, read in READERS.items():
        cells = []
        for group, members in groups.items():
            counts = collections.Counter()
            for vector in members:
                word = outcome(read, pathlib.Path(FOLDER) / vector["file"], vector)
                counts[word] += 1
                if read is READERS["idx-std (this project)"] and word != ("right" if vector["valid"] else "rejected"):
                    ours.append(f"{vector['name']}: {word}")
            good = ["right", "rejected"]
            words = sorted(counts, key=lambda word: (word not in good, word))
            cells.append(", ".join(f"{counts[word]} {word}" for word in words))
        print(f"| {name} |", " | ".join(cells), "|", flush=True)
    if ours:
        sys.exit("idx-std fails: " + ", ".join(ours))


if __name__ == "__main__":
    main()
