"""The formats, and the options of each command: where one has an effect, and values to draw."""

import dataclasses

INPUTS = ["idx", "idx.gz", "npy", "npz", "csv", "tsv", "pictures", "by-class", "parquet", "parquet-pictures"]
OUTPUTS = ["idx", "idx.gz", "npy", "csv", "png", "by-class", "parquet", "shards"]
NAMES = {
    "idx": ["out.idx", "out-images-idx3-ubyte", "out.idx"],
    "idx.gz": ["out.gz", "out-idx3-ubyte.gz", "out.idx.gz"],
    "npy": ["out.npy"],
    "csv": ["out.csv"],
    "png": ["out/"],
    "by-class": ["out/"],
    "parquet": ["out.parquet"],
    "shards": ["out/"],
}
STREAMED = ["idx", "idx.gz", "npy", "csv", "parquet"]
HOLD_LABELS = ("csv", "png", "by-class", "parquet", "shards")
TEXTS = ("csv", "tsv")
TYPES = ["u8", "i8", "i16", "i32", "f32", "f64"]
SIZES = ["8x7", "12x12", "6x10", "28x28", "3x3"]
# Those that change what is computed from pictures by rounding.
RESIZING = ("--size", "--fit", "--crop", "--pad", "--channels", "--background")


@dataclasses.dataclass
class Context:
    """What a line has so far."""

    command: str
    input: object
    output: str = None  # one of OUTPUTS
    labeled: bool = False  # there are labels, in the input or by --labels
    given: dict = dataclasses.field(default_factory=dict)  # options and their values
    random: object = None

    def writes_labels(self):
        """A file of IDX has none; the labels of images-idx3 go to a file of the usual name."""
        has_place = self.output in HOLD_LABELS or "--labels-out" in self.given
        return self.labeled and (has_place or "images-idx3" in self.given.get("--output", ""))

    def names_classes(self):
        """Whether the names of classes are written, or choose records."""
        return self.writes_labels() or (self.labeled and bool(self.given.keys() & {"--only", "--except", "--per-class"}))

    def decodes(self):
        """Whether there are files of pictures, not only records that are images."""
        return self.input.has_pictures

    def pictures(self):
        input = self.input
        return input.has_pictures or (
            input.element == "u8" and input.is_image and not self.given.keys() & {"--as", "--shape"}
        )

    def fits_mnist(self):
        return self.given.get("--fit") == "mnist"

    def has_background(self):
        return self.decodes() or "--pad" in self.given or self.given.get("--fit") == "contain"

    def keeps_type(self):
        return self.output not in ("png", "by-class")

    def choose(self, values):
        return self.random.choice(values)


def always(_):
    return True


def records(at):
    count = at.input.count
    few, many = at.random.randint(1, 4), at.random.randint(1, max(count, 1))
    ranges = [f"..{many}", f"{few}..", f"{few}..{few + 5}", f"-{few}..", f"{few}", f"{few},{few + 2},0", "@in/list.txt"]
    return at.choose(ranges)


def first(at):
    return str(at.random.randint(0, at.input.count))


def classes(at):
    known = [str(label) for label in at.input.labels]
    if at.input.has_pictures and at.input.classes and "--classes" not in at.given:
        known += at.input.classes[: len(known)]
    if not known:
        return "0"
    return ",".join(at.random.sample(known, at.random.randint(1, min(2, len(known)))))


def shape(at):
    size = 1
    for one in at.input.shape:
        size *= one
    exact = [f"{size}", f"1x{size}"] + [f"{n}x{size // n}" for n in (2, 3, 4, 7) if size % n == 0]
    return at.choose(exact + ["x".join(map(str, at.input.shape)) or "1"])


def labels_out(at):
    return at.choose(["labels-out.idx", "labels-out.npy", "labels-out.csv", "labels-out.gz", "out-labels-idx1-ubyte"])


def label_column(at):
    has_columns = str(at.given["--labels"]).endswith(".columns") if "--labels" in at.given else at.input.format in TEXTS
    return at.choose(["0", "1", "2"] if has_columns else ["0"])


def fit(at):
    return at.choose(["fill", "contain", "cover"]) if "--size" in at.given else "mnist"


def rest(at):
    names = {"idx": "rest.idx", "idx.gz": "rest.gz", "npy": "rest.npy", "csv": "rest.csv", "parquet": "rest.parquet"}
    return names.get(at.output, "rest/")


# Name: (where it has an effect, the values to draw or a function that draws one; None for a flag).
READING = {
    "--as": (Context.keeps_type, TYPES),
    "--scale": (Context.keeps_type, ["0..1", "-1..1", "0..255", "0..100"]),
    "--normalize": (Context.keeps_type, ["0.1307,0.3081", "0,2", "127.5,127.5", "-1,0.5"]),
    "--shape": (lambda at: not at.decodes() and at.keeps_type(), shape),
    "--header": (lambda at: at.input.format in TEXTS or at.output == "csv", None),
    "--record-limit": (always, ["64M", "1K", "1G", "2000", "64k", "100"]),
}
COMMON = {"--color": (always, ["auto", "always", "never"]), "--quiet": (always, None)}
RANGE = {"--records": (always, records), "--first": (always, first)}
LABELED = ["in/names.txt", "in/names.txt", "in/more-names.txt", "in/strange-names.txt"]
LABELS = {
    "--label-column": (lambda at: at.labeled and ("--labels" in at.given or at.input.format in TEXTS), label_column),
    "--classes": (lambda at: at.labeled, LABELED),
}
NAMED_CLASSES = {**LABELS, "--classes": (Context.names_classes, LABELED)}
CHOICE = {
    "--only": (lambda at: at.labeled, classes),
    "--except": (lambda at: at.labeled, classes),
    "--per-class": (lambda at: at.labeled, ["0", "1", "2", "3"]),
    "--split": (always, ["0.8", "0.5", "..0.75", "0.25..0.75", "0.1", "0", "1"]),
    "--sample": (always, ["0", "1", "5", "10", "1000"]),
    "--shuffle": (always, ["0", "1", "42", "18446744073709551615"]),
}
PICTURES = {
    "--skip-bad": (Context.decodes, None),
    "--max-pixels": (Context.decodes, ["100000", "1000000", "500", "144", "56"]),
    "--background": (lambda at: at.pictures() and at.has_background(), ["0", "255", "100"]),
    "--channels": (lambda at: at.pictures() and not at.fits_mnist(), ["grey", "rgb"]),
    "--crop": (Context.pictures, ["4x4", "5x3", "8x7", "1x2"]),
    "--pad": (Context.pictures, ["16x16", "20x14", "33x33"]),
    "--size": (lambda at: at.pictures() and not at.fits_mnist(), SIZES),
    "--fit": (lambda at: at.pictures() and ("--size" in at.given or "--channels" not in at.given), fit),
    "--invert": (Context.pictures, None),
    "--threshold": (Context.pictures, ["128", "1", "255", "0"]),
}
PARQUET = {
    "--layout": (lambda at: at.output in ("parquet", "shards"), ["list", "binary"]),
    "--row-group-records": (lambda at: at.output in ("parquet", "shards"), ["1", "5", "7", "1000"]),
    "--shards": (lambda at: at.output == "shards", ["1", "2", "3", "50"]),
    "--shard-records": (lambda at: at.output == "shards", ["1", "5", "7", "1000"]),
}
OUTPUT = {
    "--labels-out": (lambda at: at.labeled, labels_out),
    "--labels-as": (
        lambda at: at.labeled and (at.output in ("parquet", "shards") or "--labels-out" in at.given),
        TYPES,
    ),
    "--rest": (lambda at: "--split" in at.given or "--sample" in at.given, rest),
    "--rest-labels": (lambda at: at.labeled and "--rest" in at.given, ["rest-labels.idx", "rest-labels.csv"]),
    "--by-class": (lambda at: at.output == "by-class", None),
    "--transpose": (lambda at: at.input.is_image, None),
    "--force": (always, None),
    "--threads": (always, ["1", "2", "3", "8"]),
}
COMMANDS = {
    "convert": {**READING, **COMMON, **RANGE, **NAMED_CLASSES, **CHOICE, **PICTURES, **PARQUET, **OUTPUT},
    "show": {**READING, **COMMON, **RANGE, **LABELS, "--force": (lambda at: "--output" in at.given, None)},
    "stats": {**READING, **COMMON, **LABELS, "--json": (always, None)},
    "info": {**READING, **COMMON, "--json": (always, None), "--identify": (always, None), "--hex": (always, None)},
    "check": {
        **COMMON,
        "--json": (always, None),
        "--duplicates": (always, None),
        "--record-limit": READING["--record-limit"],
    },
    "diff": {**READING, **COMMON},
    "repair": {**COMMON, "--dry-run": (always, None)},
    "rust": {**COMMON, "--c": (always, None), "--mem": (always, None)},
}
# Values that are refused, or that few files can take.
BAD = {
    "--as": ["u16", "U8"],
    "--scale": ["1..0", "0", "5..5"],
    "--normalize": ["1,0", "1", "nan,1"],
    "--shape": ["3x5", "8x", "0x0", "4294967296"],
    "--record-limit": ["3", "64Q", "-1"],
    "--color": ["blue"],
    "--records": ["1000..", "..1000", "4..2", "one", "@in/missing", "@in/names.txt"],
    "--first": ["1000", "-1", "18446744073709551616"],
    "--label-column": ["9", "-1"],
    "--classes": ["in/few-names.txt", "in/missing", "in/odd/no-names.txt", "in/digits.idx"],
    "--only": ["99", "unicorn", "-1", ""],
    "--except": ["99", "unicorn", "-1", ""],
    "--per-class": ["60", "x"],
    "--split": ["1.5", "0.5..0.2", "nan"],
    "--sample": ["-1"],
    "--shuffle": ["18446744073709551616", "-1"],
    "--max-pixels": ["0"],
    "--background": ["300"],
    "--channels": ["cmyk"],
    "--crop": ["0x1", "40x40", "4"],
    "--pad": ["2x2", "0x0", "x"],
    "--size": ["0x4", "8x7x3"],
    "--fit": ["mnist", "cover"],
    "--threshold": ["256"],
    "--layout": ["tensor"],
    "--row-group-records": ["0"],
    "--shards": ["0"],
    "--shard-records": ["0"],
    "--labels-out": ["labels-out.parquet", "labels-out", "out.idx"],
    "--labels-as": ["u16"],
    "--rest": ["out.idx", "out/", "-", "rest"],
    "--threads": ["0"],
}
# Counted as well, but drawn with the inputs and the output.
DRAWN_APART = {
    "convert": ["--output", "--to", "--labels"],
    "show": ["--output", "--labels"],
    "stats": ["--labels"],
    "fetch": ["--mirror", "--force", "--quiet", "--color"],
}
SHORT = {"--records": "-r", "--first": "-n", "--labels": "-l", "--output": "-o", "--force": "-f", "--quiet": "-q"}
# Usually wrong together; now and then they are drawn all the same.
EXCLUSIVE = [
    {"--records", "--first"},
    {"--shards", "--shard-records"},
    {"--identify", "--as"},
    {"--identify", "--scale"},
    {"--identify", "--normalize"},
    {"--identify", "--shape"},
    {"--hex", "--as"},
    {"--hex", "--scale"},
    {"--hex", "--normalize"},
    {"--hex", "--shape"},
    {"--hex", "--identify"},
    {"--hex", "--json"},
    {"--c", "--mem"},
    {"--json", "--duplicates"},
    {"--only", "--except"},
]


def excluded(name, given):
    return any(name in pair and (pair - {name}) & given.keys() for pair in EXCLUSIVE)
