"""Shows that the comparison finds what a binary could break, and nothing where nothing is broken.

Each way to break the binary is a wrapper around it, and a run of the comparison has to report that kind
of difference.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

COUNT = 200
# How it is broken: the kind of difference that has to be reported, or none.
WAYS = {
    "not at all": None,
    "recompressed": None,
    "exit code": "exit code",
    "one level of gray": "png",
    "last value of IDX": "idx",
    "last value of npy": "npy",
    "last value in gzip": "gzip",
    "lines of csv swapped": "text",
    "records of Parquet reversed": "parquet",
    "file left behind": "extra file",
    "file missing": "missing file",
    "numbers of messages": "numbers of a message",
    "field of JSON": "json field",
    "value of JSON": "json value",
    "silent": "message",
    "not shuffled": "idx",
    "figures on standard output": "text",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("target/comparison"))
    given = parser.parse_args()
    here, old, failed = pathlib.Path(__file__).resolve(), given.old.resolve(), 0
    folder = given.folder.resolve() / "self-test"
    folder.mkdir(parents=True, exist_ok=True)
    for way, kind in WAYS.items():
        wrapper = folder / "broken"
        wrapper.write_text(
            f"#!/bin/sh\nexec {shlex.join([sys.executable, str(here), 'broken', str(old), way])} \"$@\"\n"
        )
        wrapper.chmod(0o755)
        command = [sys.executable, here.with_name("compare.py"), old, old if way == "not at all" else wrapper]
        run = subprocess.run([*command, "--folder", folder, "--count", str(COUNT)], capture_output=True, text=True)
        found = dict((kind, int(count)) for count, kind in re.findall(r"unexpected: (\d+) with (.*)", run.stdout))
        is_right = run.returncode == (1 if kind else 0) and (kind in found if kind else not found)
        failed += not is_right
        print(f"{'ok' if is_right else 'WRONG'}: {way}: {found or 'no difference'} {run.stderr}", flush=True)
    sys.exit(failed > 0)


def broken(old, way, arguments):
    """Runs the binary, then breaks what it left."""
    if way == "not shuffled":
        arguments = [
            text if not text.isdigit() or before != "--shuffle" else "7"
            for before, text in zip(["", *arguments], arguments)
        ]
        arguments = [re.sub("^--shuffle=.*", "--shuffle=7", text) for text in arguments]
    before = set(pathlib.Path(".").iterdir())
    run = subprocess.run([old, *arguments], capture_output=True)
    output, messages, code = run.stdout, run.stderr, run.returncode
    made = [path for path in pathlib.Path(".").iterdir() if path not in before]
    made = [file for path in made for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file()]
    for path in made:
        data = changed(way, path.read_bytes())
        path.unlink() if data is None else path.write_bytes(data)
    if way == "file left behind" and made:
        pathlib.Path(".out.tmp").write_bytes(b"")
    if way == "numbers of messages":
        messages = re.sub(rb"\d+", lambda number: number[0] + b"0", messages)
    if way == "silent":
        messages = b""
    if way == "field of JSON":
        output = output.replace(b'"shape"', b'"sizes"')
    if way == "value of JSON":
        output = output.replace(b'"element_type":"u8"', b'"element_type":"i8"')
    if way == "figures on standard output" and b"--json" not in b" ".join(map(str.encode, arguments)):
        output = re.sub(rb"(\d)\n", lambda last: b"%d\n" % (9 - int(last[1])), output)
    sys.stdout.buffer.write(output)
    sys.stderr.buffer.write(messages)
    sys.exit(3 if way == "exit code" and code else code)


def changed(way, data):
    """A file with this content, broken this way; None if it is removed."""
    import gzip

    last = bytes([data[-1] ^ 1]) if data else b""
    kinds = {"last value of IDX": b"\0\0", "last value of npy": b"\x93NUMPY"}
    if way in kinds and data.startswith(kinds[way]) and len(data) > 20:
        return data[:-1] + last
    if data.startswith(b"\x1f\x8b") and way in ("recompressed", "last value in gzip"):
        inner = gzip.decompress(data)
        return gzip.compress(inner if way == "recompressed" else inner[:-1] + bytes([inner[-1] ^ 1]), 1)
    if way == "one level of gray" and data.startswith(b"\x89PNG"):
        return brightened(data)
    if way == "records of Parquet reversed" and data.startswith(b"PAR1"):
        return reversed_records(data)
    if way == "lines of csv swapped" and data.count(b"\n") > 2 and b"," in data.split(b"\n")[0]:
        return b"\n".join([*data.split(b"\n")[1::-1], *data.split(b"\n")[2:]])
    return None if way == "file missing" and data.startswith(b"\0\0") else data


def brightened(data):
    import io

    import numpy
    from PIL import Image

    image = numpy.array(Image.open(io.BytesIO(data)))
    image.flat[0] ^= 1
    file = io.BytesIO()
    Image.fromarray(image).save(file, "PNG")
    return file.getvalue()


def reversed_records(data):
    import io

    import pyarrow.parquet

    table = pyarrow.parquet.read_table(io.BytesIO(data))
    file = io.BytesIO()
    pyarrow.parquet.write_table(table.take(list(range(table.num_rows))[::-1]), file)
    return file.getvalue()


if sys.argv[1:2] == ["broken"]:
    broken(sys.argv[2], sys.argv[3], sys.argv[4:])
else:
    main()
