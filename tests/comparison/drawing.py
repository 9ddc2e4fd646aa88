"""How a line gets its options and inputs at random."""

import collections
import dataclasses
import random
import shlex

import options
from options import INPUTS, Context

# How often an option is drawn where it has no effect, a value that is refused, a file that is wrong.
WILD, BAD, ODD = 0.05, 0.03, 0.05


@dataclasses.dataclass
class Line:
    number: int
    command: str
    arguments: list
    given: dict  # the options by their long names
    input: str = None  # formats
    output: str = None
    standard_input: str = None
    existing: dict = dataclasses.field(default_factory=dict)  # what is there before: path and source
    useless: set = dataclasses.field(default_factory=set)  # options without effect
    paths: list = dataclasses.field(default_factory=list)  # of the inputs

    def __str__(self):
        line = shlex.join(["idx", *self.arguments])
        before = "".join(f"cp -r {source} {name}; " for name, source in self.existing.items())
        return before + line + (f" < {self.standard_input}" if self.standard_input else "")


def values(given):
    """Those of an option that may be there several times, or not at all."""
    return given if isinstance(given, list) else [given] if given else []


class Drawing:
    def __init__(self, inputs, seed):
        self.inputs = inputs
        self.random = random.Random(seed)
        self.options = collections.Counter()  # drawn so far, by the command and the name

    def some(self, command, at, least, most):
        """Adds options, the rarest first, most of them where they have an effect."""
        table = options.COMMANDS[command]
        for _ in range(self.random.randint(least, most)):
            wild = self.random.random() < WILD
            fit = [name for name in table if name not in at.given and not options.excluded(name, at.given)]
            fit = [name for name in fit if wild or table[name][0](at)]
            if not fit:
                return
            rarest = min(fit, key=lambda name: (self.options[command, name], self.random.random()))
            name = rarest if self.random.random() < 0.6 and not wild else self.random.choice(fit)
            bad = name in options.BAD and self.random.random() < BAD
            self.add(at, name, options.BAD[name] if bad else table[name][1])

    def add(self, at, name, values):
        at.given[name] = values(at) if callable(values) else self.random.choice(values) if values else None

    def texts(self, given):
        parts = []
        for name, value in given.items():
            short = options.SHORT.get(name)
            shown = short if short and self.random.random() < 0.4 else name
            if value is None:
                parts.append([shown])
            elif isinstance(value, list):
                parts.extend([shown, one] for one in value)
            elif shown.startswith("--") and (value.startswith("-") or self.random.random() < 0.2):
                parts.append([f"{shown}={value}"])
            else:
                parts.append([shown, value])
        self.random.shuffle(parts)
        return [text for part in parts for text in part]

    def line(self, at, paths, standard_input=None, existing=None):
        """The line of a context; sometimes its first file comes by standard input."""
        can_stream = not paths[0].endswith("/") and not paths[0].endswith((":x", "missing.idx"))
        if (
            standard_input is None
            and at.command not in ("repair", "rust", "fetch")
            and can_stream
            and self.random.random() < 0.12
        ):
            standard_input, paths = paths[0], ["-", *paths[1:]]
        if at.given.get("--records", "") == "@in/list.txt" and standard_input is None and self.random.random() < 0.4:
            at.given["--records"], standard_input = "@-", "in/list.txt"
        if isinstance(at.given.get("--labels"), str) and standard_input is None and self.random.random() < 0.06:
            standard_input, at.given["--labels"] = at.given["--labels"].removesuffix(":y"), "-"
        table = options.COMMANDS.get(at.command, {})
        useless = {name for name in at.given if name in table and not table[name][0](at)}
        tables = [*paths, standard_input, *values(at.given.get("--labels"))]
        if "--header" in at.given and at.output != "csv" and not any(str(path).endswith(options.TEXTS) for path in tables):
            useless.add("--header")
        texts = self.texts(at.given)
        arguments = [at.command, *paths, *texts] if self.random.random() < 0.7 else [at.command, *texts, *paths]
        formats = {"input": at.input.format if at.input else None, "output": at.output}
        paths = [standard_input if path == "-" else path for path in paths]
        return Line(
            0,
            at.command,
            arguments,
            dict(at.given),
            **formats,
            standard_input=standard_input,
            existing=existing or {},
            useless=useless,
            paths=paths,
        )

    def context(self, command, input, output=None):
        at = Context(command, input, output, labeled=input.owns_labels, random=self.random)
        for name, value in zip(input.needs, [*input.needs[1:], None]):
            known = name in options.COMMANDS[command]
            if name.startswith("--") and known and self.random.random() < 0.97:
                at.given[name] = None if value is None or value.startswith("--") else value
        return at

    def give_labels(self, at, chance):
        if at.input.labels_path and not at.input.owns_labels and self.random.random() < chance:
            stem = at.input.labels_path
            forms = [""] if stem.endswith(":y") else ["", ".gz", ".npy", "columns"]
            forms += [".csv"] if "--header" not in at.given and len(forms) > 1 else []
            form = self.random.choice(forms)
            at.given["--labels"] = stem.replace(".labels", ".columns") if form == "columns" else stem + form
            at.labeled = True

    def any_input(self, *formats):
        format = self.random.choice(formats or [*INPUTS, "csv", "tsv"])
        return self.random.choice(self.inputs.of(format))

    def odd_path(self):
        return self.random.choice(self.inputs.odd)
