"""Inputs of pictures: folders in several layouts, and Parquet with pictures."""

import io
import json

import numpy
import pyarrow
import pyarrow.parquet
from PIL import Image

FORMATS = {"png": "PNG", "jpg": "JPEG", "bmp": "BMP", "gif": "GIF"}
MODES = {"png": ["L", "RGB", "RGBA", "LA", "P", "1", "I;16"], "jpg": ["L", "RGB"], "bmp": ["L", "RGB"], "gif": ["P"]}


def picture(inputs, mode, height, width):
    random = inputs.random
    if mode == "I;16":
        return Image.fromarray(random.integers(0, 65536, (height, width)).astype("u2"))
    image = Image.fromarray(random.integers(0, 256, (height, width, 4)).astype("u1"), "RGBA")
    return image.convert("RGB").convert(mode) if mode in ("L", "P", "1") else image.convert(mode)


def encoded(image, kind):
    file = io.BytesIO()
    image.save(file, FORMATS[kind])
    return file.getvalue()


def several(inputs, count, modes, sizes):
    """The bytes of pictures with the ends of their names."""
    for _ in range(count):
        kind = inputs.random.choice(list(modes))
        mode = inputs.random.choice(modes[kind])
        height, width = sizes[inputs.random.integers(len(sizes))]
        yield kind, encoded(picture(inputs, str(mode), height, width), str(kind))


def write(inputs):
    grey = {"png": ["L"]}
    color = {"png": ["RGB"], "jpg": ["RGB"]}
    deep, modes = MODES, {**MODES, "png": ["L", "RGB", "RGBA", "P", "1"]}
    one, two, many = [(8, 7)], [(12, 12)], [(8, 7), (12, 12), (5, 9), (20, 3), (1, 1), (16, 31)]
    flat(inputs, "grey", grey, one, False)
    flat(inputs, "color", color, two, True)
    flat(inputs, "mixed", modes, many, True)
    flat(inputs, "mixed-modes", deep, one, False)
    by_class(inputs, "animals", ["ant", "bee", "cat"], grey, one)
    by_class(inputs, "numbers", ["0", "1", "7"], color, two)
    by_class(inputs, "mixed-animals", ["bee", "cat", "zebra fish"], modes, many)
    by_class(inputs, "one-size", ["ant", "bee", "cat", "dog"], modes, two)
    in_parquet(inputs, "flowers", grey, one, ["rose", "tulip"])
    in_parquet(inputs, "colors", color, two, None)
    in_parquet(inputs, "mixed-flowers", {"png": ["L", "RGB"], "jpg": ["L"]}, many, ["rose", "tulip", "iris"])
    damaged(inputs)


def shape(modes, sizes):
    return () if len(sizes) > 1 else (*sizes[0], 3) if "RGB" in modes["png"][:1] else sizes[0]


def flat(inputs, name, modes, sizes, is_labeled):
    labels, lines = [], ["file,label"]
    for at, (kind, data) in enumerate(several(inputs, 14, modes, sizes)):
        inputs.write(f"{name}/{at}.{kind}", data)
        labels.append(int(inputs.random.integers(0, 3)))
        lines.append(f"{at}.{kind},{labels[-1]}")
    if is_labeled:
        inputs.write(f"{name}/labels.csv", "\n".join(lines).encode())
    classes = ["ant", "bee", "cat"] if is_labeled else []
    labels = sorted(set(labels)) if is_labeled else []
    known = ("u8", shape(modes, sizes), 14, labels)
    inputs.add("pictures", f"in/{name}/", *known, owns_labels=is_labeled, classes=classes)


def by_class(inputs, name, classes, modes, sizes):
    for at, (kind, data) in enumerate(several(inputs, 15, modes, sizes)):
        inputs.write(f"{name}/{classes[at % len(classes)]}/{at}.{kind}", data)
    numbers = [int(text) for text in classes if text.isdigit()]
    labels = numbers or list(range(len(classes)))
    known = ("u8", shape(modes, sizes), 15, labels)
    inputs.add("by-class", f"in/{name}/", *known, owns_labels=True, classes=[] if numbers else classes)


def in_parquet(inputs, name, modes, sizes, classes):
    rows = [
        {"bytes": data, "path": f"{at}.{kind}"} for at, (kind, data) in enumerate(several(inputs, 13, modes, sizes))
    ]
    count = len(classes or [0, 1, 2])
    table = pyarrow.table(
        {
            "image": pyarrow.array(rows, pyarrow.struct([("bytes", pyarrow.binary()), ("path", pyarrow.string())])),
            "label": pyarrow.array([at % count for at in range(13)], pyarrow.int64()),
        }
    )
    if classes:
        label = {"names": classes, "_type": "ClassLabel"}
        features = {"info": {"features": {"image": {"_type": "Image"}, "label": label}}}
        table = table.replace_schema_metadata({"huggingface": json.dumps(features)})
    pyarrow.parquet.write_table(table, inputs.folder / f"{name}.parquet", row_group_size=5)
    known = ("u8", shape(modes, sizes), 13, list(range(count)))
    path = f"in/{name}.parquet"
    inputs.add("parquet-pictures", path, *known, owns_labels=True, classes=classes or [])


def damaged(inputs):
    """A folder in which some pictures cannot be read, and one of them is no picture."""
    good = list(several(inputs, 8, {"png": ["L"]}, [(8, 7)]))
    for at, (kind, data) in enumerate(good):
        inputs.write(f"damaged/{at}.{kind}", data[: len(data) // 2] if at in (2, 5) else data)
    inputs.write("damaged/6.jpg", b"no picture")
    inputs.write("damaged/notes.txt", b"notes\n")
    inputs.add("pictures", "in/damaged/", "u8", (8, 7), 6, [], needs=("--skip-bad",))
