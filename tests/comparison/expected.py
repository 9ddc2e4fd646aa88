"""Differences on purpose: the lines that have one, the differences that it excuses, and the reason.

A rule answers which of the differences it excuses; whatever no rule excuses is unexpected. A rule that
excuses nothing in a whole run is named at the end, so that it can go.
"""

import json
import re

import options
import words


def printed_words(line, old, new, differences):
    """Reports for people were rewritten; the numbers in them are the same, and so are the pictures."""
    texts = [output.decode(errors="replace") for output in (old.output, new.output)]
    of_command = words.IN_NEW_WORDS.get(line.command)
    if line.command == "show":
        is_same = words.is_drawn_alike(*texts)
    elif line.command == "plain":
        is_same = words.is_drawn_alike(*map(words.info, texts))
    else:
        is_same = of_command is not None and of_command(texts[0]) == of_command(texts[1])
    return [one for one in differences if is_same and (one.kind, one.place) == ("text", "standard output")]


def sheet(line, old, new, differences):
    """A sheet has even rows, names in mixed case, and numbers only if asked; some could not be written before."""
    was_broken = line.command == "show" and b"bytes to be written" in old.messages
    is_mended = was_broken and (new.code == 0 or b"a pipe is read only once" in new.messages)
    is_drawn = line.command == "show" and old.code == new.code == 0
    # Row by row, so that a pipe gets what comes before an error.
    is_begun = line.command == "show" and old.code == new.code == 1 and new.output.startswith(b"\x89PNG")
    kinds = ["png"] if is_drawn else ["bytes"] if is_begun else []
    return differences if is_mended else [one for one in differences if one.kind in kinds]


def json_fields(line, old, new, differences):
    """Every error has its code; what was called `flash_bytes` is the size after gunzip."""
    fields = [one for one in differences if one.kind == "json field"]
    if not fields:
        return []
    objects = [[json.loads(text) for text in one.output.splitlines()] for one in (old, new)]
    expected = []
    for one, other in zip(*objects):
        if "error" in one and "error" in other:
            expected.append(f"{one.get('path')}: kind")
        if "flash_bytes" in one and one["flash_bytes"] == other.get("decompressed_bytes"):
            expected += [f"{one.get('path')}: {name}" for name in ("flash_bytes", "decompressed_bytes")]
    return [one for one in fields if one.place in expected]


def useless_option(line, old, new, differences):
    """An option that has no effect is wrong usage, or an error of the file: the message begins with it."""
    beginning = re.findall(rb"^idx: (?:\S*: )?(--.*)", new.messages, re.MULTILINE)
    named = [name for name in line.useless if any(re.match(rf"(--\S+ and )?{name} ".encode(), one) for one in beginning)]
    return differences if new.code in (1, 2) and named else []


def option_of_another_file(line, old, new, differences):
    """Of several files, some need not take an option."""
    needs = b"there are no labels for --label-column"
    is_needed = line.command == "stats" and len(line.paths) > 1 and needs in old.messages
    return differences if is_needed and new.code == 0 else []


def column_name(line, old, new, differences):
    """--label-column takes a name as well, so what is no number is one, which the file may not have."""
    is_name = line.given.get("--label-column", "").startswith("-")
    return differences if is_name and (old.code, new.code) == (2, 1) and b"have no names" in new.messages else []


def usual_labels(line, old, new, differences):
    """Labels are kept: they go to the file whose name follows from that of the images."""
    output = line.given.get("--output", "")
    if "images-idx3" not in output or "--labels-out" in line.given:
        return []
    kept = [output.replace("images-idx3", "labels-idx1"), "classes.txt"]
    if b"there are no labels for --classes" in old.messages:
        return differences
    lost = b"its labels are not written" in old.messages
    if new.code == 1 and lost:
        return differences if b"some inputs have labels and some do not" in new.messages else []
    messages = [one for one in differences if "message" in one.kind and (lost or b"classes.txt: " in new.messages)]
    return messages + [one for one in differences if one.kind == "extra file" and one.place in kept]


def folder_with_something(line, old, new, differences):
    """A folder as output is new or empty, with --force as well; what is in it stays as it is."""
    is_folder = line.output in ("png", "by-class", "shards")
    return differences if is_folder and line.existing and new.code == 1 and new.files == new.before else []


def repaired_folder(line, old, new, differences):
    """`repair` is for files of IDX alone; nothing completes what a kill interrupted."""
    has_folder = any(name.endswith("/") for name in old.before)
    return differences if line.command == "repair" and has_folder and new.code == 1 and new.files == new.before else []


def record_limit(line, old, new, differences):
    """--record-limit holds for pictures, for Parquet, and for what records become."""
    limit = line.given.get("--record-limit")
    is_named = limit and b"limit" in new.messages and limit[:-1].encode() in new.messages
    return differences if is_named and new.code == (2 if line.command == "diff" else 1) else []


def level_of_gray(line, old, new, differences):
    """`imageops` may round a level of gray differently; not --fit mnist, which stays exact."""
    is_resized = any(name in line.given for name in options.RESIZING)
    if (
        line.input not in ("pictures", "by-class", "parquet-pictures")
        or not is_resized
        or line.given.get("--fit") == "mnist"
    ):
        return []
    level = 1.0
    if "--scale" in line.given:
        low, high = (float(text) for text in re.fullmatch(r"(.*)\.\.(.*)", line.given["--scale"]).groups())
        level *= abs(high - low) / 255
    if "--normalize" in line.given:
        level /= abs(float(line.given["--normalize"].split(",")[1])) or 1.0
    if "--threshold" in line.given:
        level *= 255
    return [one for one in differences if one.distance is not None and one.distance <= level * 1.0001]


def numbers_of_csv(line, old, new, differences):
    """What is not 0 never becomes 0 or infinite."""
    return differences if "in/odd/tiny.csv" in line.paths and new.code == 1 else []


def header_of_csv(line, old, new, differences):
    """A header and lines with different numbers of columns, or a name that is empty, are refused."""
    files = {"in/odd/index.csv", "in/odd/no-name.csv", "in/odd/ragged.csv"}
    return differences if files & set(line.paths) and new.code in (1, 2) else []


def name_of_labels(line, old, new, differences):
    """With --header a csv of labels begins with their name, and so does another one of a column of integers."""
    places = ("standard output", old.output, new.output), *((name, old.files.get(name), text) for name, text in new.files.items())
    named = [place for place, one, text in places if one and text in (b"label\n" + one, b"label" + one.removeprefix(b"0"))]
    return [one for one in differences if "--header" in line.given and one.kind == "text" and one.place in named]


def names_of_numbers(line, old, new, differences):
    """A first line of csv that has only numbers may be a record, and is no line of names."""
    is_told = b"the first line has only numbers" in new.messages + new.output
    return differences if is_told and "--header" in line.given and new.code in (1, 2) else []


def labels_of_floats(line, old, new, differences):
    """Labels are not written as floats, which nothing reads as labels."""
    is_told = re.search(rb"labels are integers, and f(32|64) is for fractions", new.messages)
    return differences if is_told and "--labels-as" in line.given and new.code == 1 else []


def label_beside_a_shape(line, old, new, differences):
    """For a line of csv with one number more than the shape has, the advice is to name the column of its label."""
    advice = b"the lines have one number more than"
    is_advised = old.code == new.code and advice in new.messages + new.output
    return [one for one in differences if is_advised and one.kind == "numbers of a message"]


def column_of_parquet(line, old, new, differences):
    """--label-column chooses a column of the file, for Parquet as for csv; before, one of several in its labels."""
    is_parquet = any("parquet" in path or "shards" in path for path in line.paths)
    is_chosen = is_parquet and "--labels" not in line.given and "--label-column" in line.given
    told = (b"the labels are neither integers nor text", b"there is no column")
    return differences if is_chosen and any(text in new.messages for text in told) else []


def existing_output(line, old, new, differences):
    """Before inputs are read, it is known whether the output exists."""
    is_known = b"already exists" in new.messages and (old.code, new.code) == (1, 1) and new.files == new.before
    return differences if is_known and line.existing else []


def standard_input(line, old, new, differences):
    """The labels of records that come by standard input are not looked for there."""
    return differences if b"standard input was read already" in old.messages and new.code == 0 else []


def uncounted_records(line, old, new, differences):
    """`repair` keeps the records that the header counts, and the others only with --keep-all."""
    return differences if line.command == "repair" and b"more that the header does not count" in new.output else []


def no_picture(line, old, new, differences):
    """Where none of the pictures can be read, it is said how many were tried."""
    is_told = b"can be read; " in old.messages and b"none of the first " in new.messages
    return [one for one in differences if is_told and one.kind.startswith("numbers of")]


def before_an_error(line, old, new, differences):
    """`diff` prints what differs before the record that cannot be read."""
    is_more = line.command == "diff" and old.code == new.code == 2 and new.output.startswith(old.output)
    return [one for one in differences if is_more and one.place == "standard output"]


def before_reading(line, old, new, differences):
    """What the options alone make impossible is told before the inputs are read."""
    told = re.search(rb"normalized \w+ are fractions|--labels-as needs labels", new.messages)
    return differences if told and old.code != 0 and new.code != 0 else []


def half_floats(line, old, new, differences):
    """f16 is read as f32."""
    return differences if "in/odd/halves.npy" in line.paths and b"are <f2" in old.messages else []


def number_in_the_file(line, old, new, differences):
    """An error counts records as the file has them, not as they were chosen."""
    texts = [re.sub(rb"record \d+", b"record", one.messages.rpartition(b"; ")[0]) for one in (old, new)]
    is_chosen = line.given.keys() & {"--only", "--except", "--per-class", "--split", "--sample", "--shuffle"}
    return [one for one in differences if is_chosen and texts[0] == texts[1] and "message" in one.kind]


def labels_of_shards(line, old, new, differences):
    """The note about labels that are not written names the folder of shards, not the first of them."""
    is_note = all(b"labels are not written" in one.messages for one in (old, new)) and b".parquet" in old.messages
    return [one for one in differences if is_note and one.kind == "numbers of a message"]


def list_in_utf_8(line, old, new, differences):
    """A list of names that is not UTF-8 is told how to be saved."""
    is_list = b"list of class names; save it as UTF-8" in new.messages
    return [one for one in differences if is_list and one.kind.startswith("numbers of")]


def advice_for_firmware(line, old, new, differences):
    """The advice is the command that decompresses the file."""
    is_gzip = line.command == "rust" and b"firmware cannot read gzip" in new.messages
    return [one for one in differences if is_gzip and one.kind.startswith("numbers of")]


def last_digits(line, old, new, differences):
    """Moments are sums of distances to the first number, so they are rounded otherwise."""
    moments = [one for one in differences if one.kind == "json value" and one.place.endswith((" mean", " std"))]
    return [one for one in moments if is_rounded(*map(float, one.what.split(", now ")))]


def is_rounded(one, other):
    return abs(one - other) <= 1e-12 * max(abs(one), abs(other))


def named_option(line, old, new, differences):
    """The message names the option, and what it needs; a fraction may be a percentage."""
    told = rb"--(by-class|transpose) needs |--split <PART>': write a fraction"
    is_told = old.code == new.code != 0 and re.search(told, new.messages)
    return [one for one in differences if is_told and "message" in one.kind]


def other_records(line, old, new, differences):
    """Records of other types and sizes are not looked at for duplicates."""
    return differences if b"compare records of one type and size" in new.messages else []


def label_that_does_not_occur(line, old, new, differences):
    """The message has the number of the records in which the label was looked for."""
    was_told = re.search(rb"no record has the label (-?\d+)", old.messages)
    is_told = was_told and b"the label %s does not occur in the " % was_told[1] in new.messages
    return [one for one in differences if is_told and "message" in one.kind]


def other_name(line, old, new, differences):
    """A note tells where the name of an output says another format or rank."""
    notes = [text for text in new.messages.splitlines(keepends=True) if b", although the name says " in text]
    rest = b"".join(text for text in new.messages.splitlines(keepends=True) if text not in notes)
    lost = (b" its labels are not written", b" the labels are not written")
    is_same = rest == old.messages.replace(*lost)
    return [one for one in differences if notes and is_same and "message" in one.kind]


def layout_of_numbers(line, old, new, differences):
    """--layout says how records of several numbers are stored; single numbers have one way."""
    return differences if new.code == 2 and b"--layout needs records of several numbers" in new.messages else []


def column_of_given_labels(line, old, new, differences):
    """With --labels, --label-column is a column of theirs, and no column of the records is left out."""
    is_given = line.given.keys() >= {"--labels", "--label-column"}
    was_left_out = b"cannot have the shape" in old.messages or b"the only column is that of the labels" in old.messages
    return differences if is_given and was_left_out else []


def limit_of_a_line(line, old, new, differences):
    """A line of csv counts its bytes, and 8 for each column."""
    was_large = b"takes more memory than the limit" in old.messages
    return differences if was_large and b"takes more memory than the limit" not in new.messages else []


RULES = [
    printed_words,
    sheet,
    json_fields,
    useless_option,
    option_of_another_file,
    column_name,
    label_beside_a_shape,
    column_of_parquet,
    existing_output,
    standard_input,
    uncounted_records,
    no_picture,
    before_an_error,
    before_reading,
    usual_labels,
    folder_with_something,
    repaired_folder,
    record_limit,
    level_of_gray,
    numbers_of_csv,
    header_of_csv,
    name_of_labels,
    names_of_numbers,
    labels_of_floats,
    half_floats,
    number_in_the_file,
    labels_of_shards,
    list_in_utf_8,
    advice_for_firmware,
    last_digits,
    named_option,
    other_records,
    label_that_does_not_occur,
    other_name,
    layout_of_numbers,
    column_of_given_labels,
    limit_of_a_line,
]


def judge(line, old, new, differences):
    """The differences that are left, and the rules that excused the others."""
    used = []
    for rule in RULES:
        if not differences:
            break
        excused = rule(line, old, new, differences)
        if excused:
            used.append(rule.__name__)
            differences = [one for one in differences if not any(one is other for other in excused)]
    return differences, used
