"""Differences on purpose: the lines that have one, the differences that it excuses, and the reason.

A rule answers which of the differences it excuses; whatever no rule excuses is unexpected. A rule that
excuses nothing in a whole run is named at the end, so that it can go.
"""

import re

import options


def useless_option(line, old, new, differences):
    """An option that has no effect is wrong usage: the message names it."""
    named = [name for name in line.useless if name.encode() in new.messages]
    return differences if new.code == 2 and named else []


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
    return differences if is_named and old.code == 0 and new.code == 1 else []


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
    files = {"in/odd/index.csv", "in/odd/no-name.csv"}
    return differences if files & set(line.paths) and new.code in (1, 2) else []


RULES = [
    useless_option,
    folder_with_something,
    repaired_folder,
    record_limit,
    level_of_gray,
    numbers_of_csv,
    header_of_csv,
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
