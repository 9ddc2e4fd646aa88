"""Inputs of csv, tsv and Parquet with numbers."""

import numpy
import pyarrow
import pyarrow.parquet


def number(value):
    return repr(float(value)) if isinstance(value, numpy.floating) else str(value)


def text(rows, header, separator=",", end="\n"):
    lines = [header] if header else []
    return (end.join(separator.join(row) for row in [*lines, *rows]) + end).encode()


def write_text(inputs, name, array, labels, add):
    """A table whose lines are records, with labels in a column that is named, in the first, or in a file."""
    rows = [[number(value) for value in record] for record in array.reshape(len(array), -1)]
    columns = [f"pixel{at}" for at in range(len(rows[0]))]
    needs = ()
    if array.ndim > 2:
        needs += ("--shape", "x".join(map(str, array.shape[1:])))
    if array.dtype.kind != "u":
        needs += ("--as", {"i1": "i8", "i2": "i16", "i4": "i32", "f4": "f32", "f8": "f64"}[array.dtype.str[1:]])
    labeled = [[str(label), *row] for label, row in zip(labels, rows)]
    kind = len(inputs.all) % 4
    named = needs + ("--header",)
    if kind == 0:
        path = inputs.write(f"{name}-named.csv", text(labeled, ["label", *columns]))
        add("csv", path, owns_labels=True, needs=named)
    elif kind == 1:
        last = [[*row, str(label)] for label, row in zip(labels, rows)]
        path = inputs.write(f"{name}-last.csv", text(last, [*columns, "label"], end="\r\n"))
        add("csv", path, owns_labels=True, needs=named)
    elif kind == 2:
        add("csv", inputs.write(f"{name}-plain.csv", text(rows, None)[:-1]), needs=needs)
    else:
        path = inputs.write(f"{name}-first.csv", text(labeled, None))
        add("csv", path, owns_labels=True, needs=needs + ("--labels-out", "labels-out.idx"))
    if array.ndim == 1 or kind % 2:
        quoted = [[f'"{field}"' for field in row] for row in rows]
        add("tsv", inputs.write(f"{name}.tsv", text(quoted, columns, "\t")), needs=named)
    else:
        path = inputs.write(f"{name}-labels.tsv", text(labeled, ["label", *columns], ";" if kind else "\t"))
        add("tsv", path, owns_labels=True, needs=named)


def write_parquet(inputs, name, array, labels, add):
    """A tensor with a shape, or lists of one length or of any; in one file and in shards."""
    kind = len(inputs.all) % 3
    rows = numpy.ascontiguousarray(array).reshape(len(array), -1)
    flat = pyarrow.array(rows.reshape(-1))
    if array.ndim == 1:
        column = flat
    elif kind == 0:
        column = pyarrow.FixedShapeTensorArray.from_numpy_ndarray(numpy.ascontiguousarray(array))
    elif kind == 1:
        column = pyarrow.ListArray.from_arrays(numpy.arange(0, rows.size + 1, rows.shape[1], "i4"), flat)
    else:
        column = pyarrow.FixedSizeListArray.from_arrays(flat, rows.shape[1])
    table = pyarrow.table({"record": column, "label": pyarrow.array(labels.astype("i4"))})
    path = inputs.folder / f"{name}.parquet"
    needs = ("--shape", "x".join(map(str, array.shape[1:]))) if array.ndim > 2 and kind else ()
    pyarrow.parquet.write_table(table, path, compression=["zstd", "snappy", "none"][kind], row_group_size=7)
    add("parquet", f"in/{name}.parquet", owns_labels=True, needs=needs)
    if array.ndim == 3:
        folder = inputs.folder / f"{name}-shards"
        folder.mkdir()
        for part, start in enumerate(range(0, len(array), 10)):
            pyarrow.parquet.write_table(table.slice(start, 10), folder / f"part-{part:05}-of-00009.parquet")
        add("parquet", f"in/{name}-shards/", owns_labels=True, needs=needs)


def write(inputs):
    """Tables as other programs write them."""
    numbers = inputs.random.integers(0, 100, 30)
    table = pyarrow.table({"price": numbers.astype("i2")})
    pyarrow.parquet.write_table(table, inputs.folder / "scalars.parquet")
    inputs.add("parquet", "in/scalars.parquet", "i16", (), 30, [])
    cells = pyarrow.array([number.tobytes() * 4 for number in numbers.astype("u1")], pyarrow.binary(4))
    pyarrow.parquet.write_table(pyarrow.table({"record": cells}), inputs.folder / "bytes.parquet")
    inputs.add("parquet", "in/bytes.parquet", "u8", (4,), 30, [])
