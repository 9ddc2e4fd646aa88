"""What is printed for people, in the words that it has now: the old output in these words is the new output."""

import re

RAMP = " .:-=+*#%@"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
BAR = re.compile(r"(%  )[#█▏▎▍▌▋▊▉]+$", re.MULTILINE)


def without_escapes(text):
    return ESCAPE.sub("", text)


def info(text):
    """The size of the decompressed file stands beside that of the file; the payload is what lies in records."""
    text = re.sub(r"^  payload .*\n", "", without_escapes(text), flags=re.MULTILINE)
    text = re.sub(
        r"^  flash +(\d+ bytes?)\n(  file .*), gzip$", r"\2, gzip of \1", text, flags=re.MULTILINE
    )
    text = text.replace("magic number, decompressed", "magic number (after gunzip)")
    return re.sub(r"^  flash .*\n|, not compressed$", "", text, flags=re.MULTILINE)


def stats(text):
    """Keys are dimmed, and bars end at the last column."""
    return BAR.sub(r"\1", without_escapes(text))


def diff(text):
    """What differs is named: the types if the shapes are the same."""
    same_shape = re.match(r"records: (.*)\b(\w+) and \1(\w+)\n", text)
    if same_shape:
        text = f"{same_shape[2]} and {same_shape[3]}\n" + text[same_shape.end() :]
    text = re.sub(r"^(?:records|the (?:types|shapes) differ): ", "", text)
    return text.replace("; --as f64 compares the numbers", "")


def repair(text):
    """FFFFFFFF stands for a number that its writer did not know."""
    return text.replace("; the header counts 4294967295", "; the file was not finished")


def rust(text):
    """A record of at most eight numbers is offered with named fields, in a comment."""
    return re.sub(r"^// Or, with the names of your columns:\n(?:// .*\n)+", "", text, flags=re.MULTILINE)


def show(text):
    """Captions have no colon without a label, and no line is empty."""
    lines = [line.rstrip() for line in without_escapes(text).splitlines()]
    return "\n".join(caption(line) for line in lines if line)


def caption(line):
    return re.sub(r"\s+", " ", re.sub(r"(\d+):(?= *$|  )", r"\1", line)) if re.match(r"\d+(:| {2,}|$)", line) else line


def is_drawn_alike(old, new):
    """The same pictures; photographs were drawn as negatives."""
    lines = show(old).split("\n"), show(new).split("\n")
    return len(lines[0]) == len(lines[1]) and all(map(is_line_alike, *lines))


def is_line_alike(old, new):
    if old == new or "▀" in old + new:
        return old.count("▀") == new.count("▀")
    width = max(len(old), len(new))
    pairs = list(zip(old.ljust(width), new.ljust(width)))
    is_negative = lambda one, other: one in RAMP and other == RAMP[-1 - RAMP.index(one)]
    # Spaces are between pictures as well.
    return all(is_negative(*pair) or pair == (" ", " ") for pair in pairs)


def check(text):
    """A data set whose files are all there is complete."""
    return re.sub(r"(: ok: .*), whole, (\d+ training)", r"\1, complete, \2", text)


IN_NEW_WORDS = {command.__name__: command for command in (info, stats, diff, repair, rust, check)}
