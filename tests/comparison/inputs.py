"""The inputs: small files and folders of every format, the same for a seed."""

import dataclasses
import gzip
import io
import struct

import numpy

import pictures
import tables

CODES = {"u1": 8, "i1": 9, "i2": 11, "i4": 12, "f4": 13, "f8": 14}
NAMES = {"u1": "u8", "i1": "i8", "i2": "i16", "i4": "i32", "f4": "f32", "f8": "f64"}
SHAPES = {1: (24,), 2: (20, 6), 3: (18, 5, 4), 4: (12, 3, 4, 3)}
CLASSES = ["ant", "bee", "cat", "dog", "eel"]


@dataclasses.dataclass
class Input:
    """A file or folder, as the command is told about it."""

    format: str  # one of options.INPUTS
    path: str
    element: str
    shape: tuple  # of a record
    count: int
    labels: list  # those that occur; empty if there are none
    owns_labels: bool = False  # they are in the same file or folder
    labels_path: str = None
    classes: list = dataclasses.field(default_factory=list)
    needs: tuple = ()  # options without which it is not read as meant

    @property
    def is_folder(self):
        return self.path.endswith("/")

    @property
    def has_pictures(self):
        return self.format in ("pictures", "by-class", "parquet-pictures")

    @property
    def is_image(self):
        sizes = self.shape[:2] if len(self.shape) == 3 and self.shape[2] in (1, 3) else self.shape
        return len(sizes) == 2


def idx(array):
    big_endian = array.astype(array.dtype.newbyteorder(">"), copy=False)
    sizes = struct.pack(f">{array.ndim}I", *array.shape)
    return bytes([0, 0, CODES[array.dtype.str[1:]], array.ndim]) + sizes + big_endian.tobytes()


def zipped(data):
    return gzip.compress(data, mtime=0)


def npy(array):
    file = io.BytesIO()
    numpy.save(file, array)
    return file.getvalue()


class Inputs:
    """Writes them into a folder, and knows them all."""

    def __init__(self, folder, seed):
        self.folder = folder
        self.random = numpy.random.default_rng(seed)
        self.all = []
        self.write("names.txt", "".join(f"{name}\n" for name in CLASSES).encode())
        self.write("few-names.txt", b"ant\nbee\n")
        self.write("more-names.txt", "".join(f"{name}\n" for name in [*CLASSES, "fox", "gnu"]).encode())
        self.write("strange-names.txt", 'a b\n"q",c\nß\n../up\nant\n'.encode())
        self.write("list.txt", b"\n3\n0,1\n5..7\n")
        self.arrays()
        pictures.write(self)
        tables.write(self)
        self.data_set()
        self.odd = odd(self)
        self.unfinished = unfinished(self)

    def write(self, name, data):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return f"in/{name}"

    def add(self, *arguments, **options):
        self.all.append(Input(*arguments, **options))

    def of(self, format):
        return [one for one in self.all if one.format == format]

    def arrays(self):
        """The six types with one to four dimensions; images; values at the limits; with files of labels."""
        for dtype in CODES:
            for rank, shape in SHAPES.items():
                array = self.random.integers(0, 120, shape)
                if dtype.startswith("f") and rank == 4:
                    array = array / 128
                self.array(f"{NAMES[dtype]}-{rank}", array.astype(dtype), 3)
        integers = [numpy.iinfo(dtype) for dtype in ("i1", "i2", "i4")]
        for info in integers:
            wide = self.random.integers(info.min, info.max, (20, 6), endpoint=True)
            self.array(f"wide-{NAMES[info.dtype.str[1:]]}", wide.astype(info.dtype), 3)
        limits = [0.0, -0.0, 0.1, 1e30, -1e-30, float("nan"), float("inf"), float("-inf"), 255.5, 1 / 3]
        for dtype in ("f4", "f8"):
            self.array(f"wide-{NAMES[dtype]}", self.random.choice(limits, (20, 6)).astype(dtype), 3)
        self.array("digits", self.random.integers(0, 256, (60, 8, 7)).astype("u1"), 5)
        changed = self.random.integers(0, 256, (25, 8, 7)).astype("u1")
        self.array("more-digits", changed, 5)
        changed[[3, 4, 20], 2] += 1
        self.array("changed-digits", changed, 5)
        self.array("color", self.random.integers(0, 256, (24, 6, 5, 3)).astype("u1"), 5)
        self.array("ones", self.random.integers(0, 2, (30, 9, 9)).astype("u1"), 2)
        self.array("same", numpy.repeat(self.random.integers(0, 9, (6, 3)), 4, axis=0).astype("u1"), 2)

    def data_set(self):
        """A folder with the four files of a set, and one whose labels are too few."""
        for name, count in (("train", 20), ("t10k", 10)):
            images = self.random.integers(0, 256, (count, 28, 28)).astype("u1")
            labels = self.random.integers(0, 10, count).astype("u1")
            for folder, wrong in (("set", 0), ("wrong-set", 1)):
                self.write(f"{folder}/{name}-images-idx3-ubyte", idx(images))
                self.write(f"{folder}/{name}-labels-idx1-ubyte", idx(labels[wrong:]))

    def array(self, name, array, classes):
        labels = self.random.integers(0, classes, len(array)).astype("u1")
        columns = numpy.stack([labels, labels[::-1], numpy.arange(len(array))], axis=1)
        self.write(f"{name}.labels", idx(labels))
        self.write(f"{name}.labels.gz", zipped(idx(labels.astype("i2"))))
        self.write(f"{name}.labels.npy", npy(labels.astype("i4")))
        self.write(f"{name}.labels.csv", "".join(f"{label}\n" for label in labels).encode())
        self.write(f"{name}.columns", idx(columns.astype("i4")))
        known = (array.dtype.str[1:], array.shape[1:], len(array), sorted(set(labels.tolist())))
        known = (NAMES[known[0]], *known[1:])

        def add(format, path, **options):
            self.add(format, path, *known, labels_path=f"in/{name}.labels", classes=CLASSES[:classes], **options)

        add("idx", self.write(f"{name}.idx", idx(array)))
        halves = zipped(idx(array)[:50]) + zipped(idx(array)[50:]) + bytes(8)
        gzipped = zipped(idx(array)) if len(self.all) % 3 else halves
        add("idx.gz", self.write(f"{name}.gz", gzipped))
        order = {0: array, 1: array.astype(array.dtype.newbyteorder(">")), 2: numpy.asfortranarray(array)}
        add("npy", self.write(f"{name}.npy", npy(order[len(self.all) % 3])))
        archive = io.BytesIO()
        (
            numpy.savez(archive, x=array, y=labels)
            if len(self.all) % 2
            else numpy.savez_compressed(archive, x=array, y=labels)
        )
        add("npz", self.write(f"{name}.npz", archive.getvalue()) + ":x")
        self.all[-1].labels_path = f"in/{name}.npz:y"
        tables.write_text(self, name, array, labels, add)
        tables.write_parquet(self, name, array, labels, add)


def odd(inputs):
    """Files that are wrong, or that few programs write."""
    good = idx(numpy.arange(12, dtype="u1").reshape(4, 3))
    array = npy(numpy.arange(6, dtype="i2").reshape(2, 3))
    files = {
        "empty": b"",
        "text": b"hello\nworld\n",
        "zeros": bytes(40),
        "cut.idx": good[:-2],
        "cut-header.idx": good[:10],
        "left-over.idx": good + b"xyz",
        "type-0a.idx": b"\0\0\x0a\2" + good[4:],
        "magic.idx": b"\1" + good[1:],
        "claims.idx": b"\0\0\x08\2" + b"\xff" * 8 + b"12345678",
        "too-large.idx": b"\0\0\x0e\4" + b"\xff" * 16,
        "no-records.idx": b"\0\0\x08\3" + struct.pack(">3I", 0, 5, 4),
        "no-elements.idx": b"\0\0\x0c\2" + struct.pack(">2I", 7, 0),
        "rank-0.idx": b"\0\0\x0b\0\x12\x34",
        "rank-9.idx": b"\0\0\x08\x09" + struct.pack(">9I", 3, *[1] * 7, 2) + bytes(range(6)),
        "cut.gz": zipped(good)[:-9],
        "bad-sum.gz": zipped(good)[:-8] + b"\1\2\3\4" + zipped(good)[-4:],
        "garbage.gz": zipped(good) + b"garbage",
        "text.gz": zipped(b"hello\n"),
        "cut.npy": array[:-3],
        "left-over.npy": array + b"!",
        "strings.npy": npy(numpy.array(["a", "bc"])),
        "wide.npy": npy(numpy.arange(5, dtype="i8")),
        "bools.npy": npy(numpy.array([True, False, True])),
        "halves.npy": npy(numpy.array([0.5, 1.5], "f2")),
        "broken.npy": b"\x93NUMPY\1\0\x10\0{'descr': '<i4', ",
        "ragged.csv": b"1,2,3\n4,5\n",
        "words.csv": b"1,2,3\n4,five,6\n",
        "open-quote.csv": b'1,2\n3,"4\n5,6\n',
        "large.csv": b"1,300\n-1,2\n",
        "tiny.csv": b"1e-400,1\n2,1e400\n",
        "exact.csv": b"1.0,2e0,300e-2\n0x4,5,6\n",
        "index.csv": b"a,b,label\n1,10,20,3\n2,11,21,4\n",
        "no-name.csv": b",label,a\n0,1,5\n1,0,6\n",
        "header-only.csv": b"label,a,b\n",
        "empty.csv": b"",
        "bom.csv": b"\xef\xbb\xbflabel,a\n1,5\n2,6\n",
        "broken.parquet": b"PAR1 and nothing else PAR1",
        "broken.npz": b"PK\3\4 and nothing else",
        "no-names.txt": b"\n",
    }
    paths = [inputs.write(f"odd/{name}", data) for name, data in files.items()]
    (inputs.folder / "odd/folder").mkdir()
    return [*paths, "in/odd/folder/", "in/odd/missing.idx", "in/odd/missing/"]


def unfinished(inputs):
    """Files of IDX as a crash leaves them, and some that are whole."""
    good = idx(inputs.random.integers(0, 256, (10, 5)).astype("u1"))
    files = {
        "whole.idx": good,
        "whole.gz": zipped(good),
        "half-record.idx": good[:-3],
        "no-record.idx": good[:12],
        "left-over.idx": good + b"xy",
        "more-records.idx": good + bytes(10),
        "header.idx": good[:7],
        "unknown-count.idx": good[:4] + b"\xff\xff\xff\xff" + good[8:],
        "count-0.idx": good[:4] + bytes(4) + good[8:],
        "zero-start.idx": bytes(4) + good[4:],
        "writing.idx": b"\xff\xff\x88" + good[3:4] + bytes(4) + good[8:],
        "writing.gz": zipped(b"\xff\xff\x88" + good[3:4] + bytes(4) + good[8:]),
        "cut.gz": zipped(good)[:-9],
        "cut-payload.gz": zipped(good[:-3]),
        "more-records.gz": zipped(good + bytes(12)),
        "unknown-count.gz": zipped(good[:4] + b"\xff\xff\xff\xff" + good[8:]),
        "scalars.idx": idx(numpy.arange(9, dtype="i4"))[:-2],
        "text.idx": b"hello\n",
        "array.npy": npy(numpy.arange(4)),
    }
    return [inputs.write(f"unfinished/{name}", data) for name, data in files.items()]
