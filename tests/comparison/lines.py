"""Random command lines, the same for a seed."""

import collections

import options
from drawing import ODD, Drawing, Line
from options import INPUTS, NAMES, OUTPUTS, STREAMED, Context

# Of 100 lines; the rest are `fetch`, and what only has to exit alike.
SHARES = {"convert": 59, "show": 8, "stats": 6, "info": 8, "check": 4, "diff": 6, "repair": 3, "rust": 4}


class Lines(Drawing):
    def __init__(self, inputs, seed, only=None):
        super().__init__(inputs, seed)
        self.pairs = collections.Counter()
        self.only = only

    def draw(self, count):
        commands = [command for command, share in SHARES.items() for _ in range(share)]
        commands += ["other"] * (100 - len(commands))
        for number in range(count):
            if number % 100 == 0:
                self.random.shuffle(commands)
            line = getattr(self, "other" if commands[number % 100] == "other" else commands[number % 100])()
            line.number = number
            self.options.update((line.command, name) for name in line.given)
            if line.output:
                self.pairs[line.input, line.output] += 1
            if not self.only or self.only in (line.command, line.input, line.output):
                yield line

    def convert(self):
        least = min(self.pairs[pair] for pair in ((a, b) for a in INPUTS for b in OUTPUTS))
        rare = [(a, b) for a in INPUTS for b in OUTPUTS if self.pairs[a, b] == least]
        format, output = self.random.choice(rare)
        fit = self.inputs.of(format)
        if output in ("png", "by-class"):
            fit = [
                one
                for one in fit
                if one.is_image and "wide" not in one.path and "f32-4" not in one.path or one.has_pictures
            ]
        input = self.random.choice(fit)
        at = self.context("convert", input, output)
        self.give_labels(at, 0.95 if output == "by-class" else 0.6)
        if output in ("png", "by-class") and input.element != "u8":
            at.given["--as"] = "u8"
        if input.has_pictures and not input.shape and self.random.random() < 0.9:
            at.given.update(
                {"--size": self.random.choice(options.SIZES), "--channels": self.random.choice(["grey", "rgb"])}
            )
        elif input.has_pictures and self.random.random() < 0.5:
            at.given["--channels"] = self.random.choice(["grey", "rgb"])
        paths = [input.path]
        if not input.needs and self.random.random() < 0.2:
            paths += self.joined(at)
        existing = self.output(at)
        if "--labels" in at.given and output not in options.HOLD_LABELS:
            at.given["--labels-out"] = options.labels_out(at)
        self.some("convert", at, 0, 4)
        needs_both = "--labels-out" in at.given or (at.labeled and self.random.random() < 0.8)
        if "--rest" in at.given and needs_both and self.random.random() < 0.9:
            at.given.setdefault("--rest-labels", "rest-labels.idx")
        if "--rest-labels" in at.given and self.random.random() < 0.9:
            at.given.setdefault("--labels-out", "labels-out.npy")
        if self.random.random() < ODD:
            paths[self.random.randrange(len(paths))] = self.odd_path()
        return self.line(at, paths, existing=existing)

    def joined(self, at):
        """More inputs of the same records, in any format, with one file of labels or several."""
        if at.input.has_pictures:
            return [at.input.path]
        same = lambda one: (one.element, one.shape) == (at.input.element, at.input.shape)
        others = [
            one for one in self.inputs.all if same(one) and not one.needs and one.labels_path and not one.owns_labels
        ]
        if not others:
            return []
        more = self.random.choices(others, k=self.random.randint(1, 2))
        if "--labels" in at.given:
            at.given["--labels"] = [at.given["--labels"], *(one.labels_path for one in more)]
        return [one.path for one in more]

    def output(self, at):
        """Draws --output and --to; the files that are there before."""
        output, existing = at.output, {}
        name = self.random.choice(NAMES[output])
        to = {"by-class": "png", "shards": "parquet"}.get(output, output)
        if output in STREAMED and self.random.random() < 0.15:
            name = "-"
            if output != "idx" or self.random.random() < 0.5:
                at.given["--to"] = to
        elif self.random.random() < 0.12:
            name = self.random.choice(["out", "out.bin"]) if not name.endswith("/") else "out"
            at.given["--to"] = to
        if name != "-" or self.random.random() < 0.5:
            at.given["--output"] = name
        if output == "by-class":
            at.given["--by-class"] = None
        if output == "shards":
            name = self.random.choice(["--shards", "--shard-records"])
            self.add(at, name, options.PARQUET[name][1])
        chance = self.random.random()
        if at.given.get("--output", "-") != "-" and chance < 0.08:
            folders = ["in/odd/folder", "in/grey", "in/animals"]
            is_folder = output in ("png", "by-class", "shards")
            existing[at.given["--output"].rstrip("/")] = self.random.choice(folders if is_folder else ["in/list.txt"])
            if chance < 0.06:
                at.given["--force"] = None
        return existing

    def show(self):
        input = self.any_input()
        at = self.context("show", input)
        self.give_labels(at, 0.5)
        if self.random.random() < 0.4:
            at.given["--output"] = self.random.choice(["sheet.png", "sheet.png", "-"])
        self.some("show", at, 1, 4)
        paths = [input.path]
        if "--labels" not in at.given and self.random.random() < 0.15:
            paths.append(self.any_input().path)
        if self.random.random() < ODD:
            paths[0] = self.odd_path()
        exists = at.given.get("--output") == "sheet.png" and self.random.random() < 0.3
        return self.line(at, paths, existing={"sheet.png": "in/list.txt"} if exists else None)

    def stats(self):
        input = self.any_input()
        at = self.context("stats", input)
        self.give_labels(at, 0.75)
        return self.looked_at("stats", at)

    def info(self):
        return self.looked_at("info", self.context("info", self.any_input()))

    def looked_at(self, command, at):
        self.some(command, at, 1, 4)
        paths = [at.input.path]
        if "--labels" not in at.given and self.random.random() < 0.2:
            paths.append(self.any_input().path)
        if self.random.random() < 4 * ODD:
            paths[-1] = self.odd_path()
        return self.line(at, paths)

    def check(self):
        at = self.context("check", self.any_input("idx", "idx.gz"))
        self.some("check", at, 1, 3)
        if "--duplicates" in at.given:
            at.input = self.any_input()
        pairs = [[at.input.path], [at.input.path, at.input.labels_path or "in/list.txt"]]
        sets = [
            ["in/set/"],
            ["in/wrong-set/"],
            ["in/set/train-images-idx3-ubyte"],
            ["in/wrong-set/t10k-images-idx3-ubyte"],
        ]
        odd = [[self.odd_path()], [at.input.path, self.odd_path()]]
        return self.line(at, self.random.choice(pairs * 3 + sets + odd))

    def diff(self):
        """The same records in two formats, records that differ, and others."""
        groups = ["digits", "changed-digits", "more-digits", "u8-2", "i16-3", "f32-4", "wide-f64", "color", "same"]
        group = self.random.choice(groups)
        partner = {"changed-digits": "more-digits", "more-digits": "changed-digits"}.get(group, group)
        of = lambda name: [one for one in self.inputs.all if one.path.startswith((f"in/{name}.", f"in/{name}-"))]
        one, other = self.random.choice(of(group)), self.random.choice(of(partner))
        if self.random.random() < 0.25:
            one, other = self.any_input(), self.any_input()
        at = self.context("diff", one)
        for name, value in self.context("diff", other).given.items():
            at.given.setdefault(name, value)
        self.some("diff", at, 1, 3)
        paths = [one.path, other.path if self.random.random() > ODD else self.odd_path()]
        return self.line(at, paths)

    def repair(self):
        sources = self.random.sample(self.inputs.unfinished, self.random.choice([1, 1, 2]))
        if self.random.random() < 0.15:
            sources = [self.random.choice(["in/animals", "in/digits-shards"])]
        existing = {source.rsplit("/", 1)[1]: source for source in sources}
        at = Context("repair", None, random=self.random)
        self.some("repair", at, 1, 3)
        return self.line(at, list(existing), existing=existing)

    def rust(self):
        at = self.context("rust", self.any_input("idx", "idx", "idx", "idx.gz"))
        self.some("rust", at, 1, 3)
        paths = [at.input.path]
        if self.random.random() < 0.25:
            paths.append(self.any_input("idx").path)
        if self.random.random() < 2 * ODD:
            paths[0] = self.odd_path()
        return self.line(at, paths)

    def other(self):
        """`fetch` without a network, which is wrong usage alone; and no command at all."""
        if self.random.random() < 0.85:
            given = {"--mirror": "http://127.0.0.1:9", "--force": None, "--quiet": None, "--color": "never"}
            at = Context("fetch", None, given=given, random=self.random)
            return self.line(at, self.random.choice([["unknown-set", "folder"], ["mnist"], ["mnist", "a", "b"]]))
        # Of what has other words in each version, only the exit code is compared.
        words = [["completions", "bash"], ["completions", "zsh"], ["--help"], ["-h"], ["--version"], ["show", "--help"]]
        plain = [["nonsense"], ["completions", "tcsh"], [], ["in/digits.idx"], ["in/digits.idx", "in/color.gz"]]
        command, arguments = self.random.choice(
            [("words", each) for each in words] + [("plain", each) for each in plain]
        )
        return Line(0, command, arguments, {})
