"""What a run of the command leaves behind, and in what two runs differ."""

import dataclasses
import gzip
import io
import json
import os
import re
import shutil
import struct
import subprocess

import numpy
import pyarrow.parquet
from PIL import Image

SECONDS = 120
NUMBER = re.compile(rb"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
DTYPES = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}


@dataclasses.dataclass
class Outcome:
    code: int
    output: bytes
    messages: bytes
    before: dict  # the files by their paths: bytes, or None for a folder
    files: dict

    def succeeded(self, line):
        """`idx diff` has 1 for what differs."""
        return self.code == 0 or (line.command, self.code) == ("diff", 1)


@dataclasses.dataclass
class Difference:
    kind: str
    place: str
    what: str
    distance: float = None  # the greatest between two numbers, where only numbers differ


def run(binary, line, inputs, folder):
    """Runs a line in a fresh folder, in which `in` is that of the inputs."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "in").symlink_to(inputs)
    for name, source in line.existing.items():
        source = inputs / source.removeprefix("in/")
        if source.is_dir():
            shutil.copytree(source, folder / name)
        elif source.exists():
            shutil.copy(source, folder / name)
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "TMPDIR": "/tmp"}
    before = files(folder)
    path = folder / line.standard_input if line.standard_input else os.devnull
    try:
        with open(path, "rb") as file:
            run = subprocess.run(
                [binary, *line.arguments], stdin=file, capture_output=True, cwd=folder, env=environment, timeout=SECONDS
            )
        outcome = Outcome(run.returncode, run.stdout, run.stderr, before, files(folder))
    except subprocess.TimeoutExpired:
        outcome = Outcome("hangs", b"", b"", before, {})
    shutil.rmtree(folder)
    return outcome


def files(folder):
    found = {}
    for root, folders, names in os.walk(folder):
        here = os.path.relpath(root, folder)
        if here == ".":
            folders[:] = [name for name in folders if name != "in"]
            names = [name for name in names if name != "in"]
        else:
            found[here + "/"] = None
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                found[os.path.normpath(os.path.join(here, name))] = file.read()
    return found


def compare(line, old, new):
    """All differences; an empty list if there are none that a user could see."""
    found = []
    if old.code != new.code:
        found.append(Difference("exit code", "", f"{old.code}, now {new.code}"))
    if line.command == "words":
        if bool(old.output) != bool(new.output):
            found.append(Difference("words", "", f"{len(old.output)} bytes, now {len(new.output)}"))
        return found
    found += compare_messages(old.messages, new.messages)
    if "--json" in line.given:
        found += compare_json(old.output, new.output)
    else:
        found += compare_bytes("standard output", old.output, new.output)
    for name in sorted(old.files.keys() | new.files.keys()):
        if name not in new.files or name not in old.files:
            found.append(Difference("missing file" if name in old.files else "extra file", name, ""))
        elif old.files[name] != new.files[name]:
            found += compare_bytes(name, old.files[name], new.files[name])
    return found


def compare_messages(old, new):
    """The numbers in what was wrong, apart from those in the advice after it, and whether anything was said."""
    if bool(old) != bool(new):
        return [Difference("message", "", f"{old.decode()!r}, now {new.decode()!r}")]
    sentences = [b"\n".join(text.rpartition(b"; ")[0] or text for text in texts.splitlines()) for texts in (old, new)]
    for kind, texts in (("numbers of a message", sentences), ("numbers of advice", (old, new))):
        if sorted(NUMBER.findall(texts[0])) != sorted(NUMBER.findall(texts[1])):
            return [Difference(kind, "", f"{old.decode()!r}, now {new.decode()!r}")]
    return []


def compare_json(old, new):
    """Fields and values; of what an error says, the numbers."""
    try:
        objects = [[json.loads(text) for text in output.splitlines()] for output in (old, new)]
    except ValueError:
        return compare_bytes("standard output", old, new)
    if len(objects[0]) != len(objects[1]):
        return [Difference("json", "", f"{len(objects[0])} objects, now {len(objects[1])}")]
    found = []
    for one, other in zip(*objects):
        for name in sorted(one.keys() | other.keys()):
            place = f"{one.get('path')}: {name}"
            if name not in one or name not in other:
                found.append(Difference("json field", place, "missing" if name in one else "extra"))
            elif name == "error":
                texts = [str(value[name]).encode() for value in (one, other)]
                found += [dataclasses.replace(each, place=place) for each in compare_messages(*texts)]
            elif one[name] != other[name]:
                found.append(Difference("json value", place, f"{one[name]!r}, now {other[name]!r}"))
    return found


def compare_bytes(name, old, new):
    if old == new:
        return []
    for kind, start, read in READERS:
        if old.startswith(start) and new.startswith(start):
            try:
                values = read(old), read(new)
            except Exception as error:  # whatever a broken file makes of the library that reads it
                return [Difference(kind, name, f"cannot be read: {error!r}")]
            return compare_values(kind, name, *values)
    try:
        old.decode() + new.decode()
    except ValueError:
        return [Difference("bytes", name, f"{len(old)} bytes, now {len(new)}")]
    return compare_texts(name, old, new)


def compare_values(kind, name, old, new):
    """Two lists of what has to be the same, arrays among them; the bytes themselves may differ."""
    if kind in ("idx", "npy") and not old:
        return [Difference(kind, name, "bytes")]
    for part, one, other in zip(("form", "values", "more"), old, new):
        is_array = isinstance(one, numpy.ndarray)
        if is_array and one.shape == other.shape and one.dtype == other.dtype:
            if one.tobytes() != other.tobytes():
                if one.dtype.kind not in "uif":
                    return [Difference(kind, name, part)]
                differ = one != other
                apart = numpy.abs(one[differ].astype("f8") - other[differ].astype("f8"))
                distance = float(apart.max(initial=0.0))
                what = f"{int(differ.sum())} of {one.size} values, by at most {distance}"
                return [Difference(kind, name, what, distance)]
        elif is_array or one != other:
            texts = [value.dtype.str + str(value.shape) if is_array else str(value)[:300] for value in (one, other)]
            return [Difference(kind, name, f"{part}: {texts[0]}, now {texts[1]}")]
    # The bytes of these are part of what stays.
    return [Difference(kind, name, "other bytes")] if kind in ("idx", "npy") else []


def compare_texts(name, old, new):
    """csv and what is printed."""
    lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    if len(lines[0]) != len(lines[1]):
        return [Difference("text", name, f"{len(lines[0])} lines, now {len(lines[1])}")]
    at, one, other = next((at, *pair) for at, pair in enumerate(zip(*lines)) if pair[0] != pair[1])
    distance = None
    if NUMBER.sub(b"", old) == NUMBER.sub(b"", new):
        numbers = [[float(text) for text in NUMBER.findall(part)] for part in (old, new)]
        distance = max(abs(a - b) for a, b in zip(*numbers))
    what = f"line {at + 1}: {one[:150].decode(errors='replace')!r}, now {other[:150].decode(errors='replace')!r}"
    return [Difference("text", name, what, distance)]


def read_idx(data):
    rank = data[3]
    sizes = struct.unpack(f">{rank}I", data[4 : 4 + 4 * rank])
    array = numpy.frombuffer(data, DTYPES[data[2]], offset=4 + 4 * rank).reshape(sizes)
    return [data[:4], array]


def read_npy(data):
    array = numpy.load(io.BytesIO(data))
    return [data[: len(data) - array.nbytes], array]


def read_gzip(data):
    inner = gzip.decompress(data)
    return read_idx(inner) if inner.startswith(b"\0\0") else [inner]


def read_picture(data):
    image = Image.open(io.BytesIO(data))
    return [image.mode, numpy.asarray(image)]


def read_parquet(data):
    """Columns, and how many records a row group has; the values as bits, so that NaN is itself."""
    file = pyarrow.parquet.ParquetFile(io.BytesIO(data))
    schema = file.schema_arrow
    known = {key: value for key, value in (schema.metadata or {}).items() if key != b"ARROW:schema"}
    groups = [file.metadata.row_group(at).num_rows for at in range(file.metadata.num_row_groups)]
    form = [(field.name, str(field.type), field.nullable, field.metadata) for field in schema]
    form = [form, known, groups, file.metadata.num_rows]
    return [form, *(column_values(column) for column in file.read().columns)]


def column_values(column):
    column = column.combine_chunks()
    while hasattr(column, "storage"):
        column = column.storage
    flat = column
    while pyarrow.types.is_list(flat.type) or pyarrow.types.is_fixed_size_list(flat.type):
        flat = flat.flatten()
    try:
        return flat.to_numpy(zero_copy_only=False)
    except (TypeError, pyarrow.ArrowException):
        return column.to_pylist()


READERS = [
    ("gzip", b"\x1f\x8b", read_gzip),
    ("png", b"\x89PNG", read_picture),
    ("parquet", b"PAR1", read_parquet),
    ("npy", b"\x93NUMPY", read_npy),
    ("idx", b"\0\0", read_idx),
]
