"""What a comparison found: a table for the terminal, and a file with each difference."""

import collections

import options

OPTION_TIMES, PAIR_TIMES, SUCCESSES = 20, 10, 900


class Report:
    def __init__(self):
        self.commands = collections.defaultdict(collections.Counter)
        self.kinds = collections.Counter()
        self.rules = collections.Counter()
        self.streams = collections.Counter()
        self.unexpected = []
        self.expected = []

    def add(self, line, old, new, differences, left, rules):
        counts = self.commands[line.command]
        counts["run"] += 1
        counts["succeeded"] += old.succeeded(line)
        counts["differ" if left else "on purpose" if differences else "identical"] += 1
        self.kinds.update({one.kind for one in left})
        self.rules.update(rules)
        self.streams["from standard input"] += line.standard_input is not None
        self.streams["to standard output"] += line.output is not None and line.given.get("--output", "-") == "-"
        if left:
            self.unexpected.append(described(line, old, new, left))
        elif differences:
            self.expected.append(described(line, old, new, differences, rules))

    def table(self):
        columns = ["run", "succeeded", "identical", "on purpose", "differ"]
        rows = [(command, *(counts[name] for name in columns)) for command, counts in self.commands.items()]
        rows.append(("all", *(sum(row[at] for row in rows) for at in range(1, 6))))
        text = f"{'':10}" + "".join(f"{name:>12}" for name in columns)
        text += "".join(f"\n{row[0]:10}" + "".join(f"{number:12}" for number in row[1:]) for row in rows)
        text += "\n" + ", ".join(f"{count} {what}" for what, count in self.streams.items())
        text += "".join(f"\nunexpected: {count} with {kind}" for kind, count in self.kinds.most_common())
        return text + "".join(f"\non purpose: {count} by {rule}" for rule, count in self.rules.most_common())

    def write(self, folder, drawn):
        (folder / "unexpected.txt").write_text("\n".join(self.unexpected))
        (folder / "on-purpose.txt").write_text("\n".join(self.expected))
        (folder / "coverage.txt").write_text("\n".join(f"{count:6} {what}" for what, count in coverage(drawn)))

    def succeeded(self):
        return sum(counts["succeeded"] for counts in self.commands.values())


def described(line, old, new, differences, rules=()):
    text = (
        f"# {line.number}{''.join(f', {rule}' for rule in rules)}\n{line}\n    exit code {old.code}, now {new.code}\n"
    )
    return text + "".join(f"    {one.kind}: {one.place} {one.what}\n" for one in differences)


def coverage(drawn):
    """How often each option of a command, and each pair of formats, was drawn."""
    names = {(command, name) for command, table in options.COMMANDS.items() for name in table}
    names |= {(command, name) for command, more in options.DRAWN_APART.items() for name in more}
    for command, name in sorted(names):
        yield f"{command} {name}", drawn.options[command, name]
    for input in options.INPUTS:
        for output in options.OUTPUTS:
            yield f"{input} to {output}", drawn.pairs[input, output]


def too_few(drawn):
    """What 1,500 lines have to cover and these do not."""
    for what, count in coverage(drawn):
        least = PAIR_TIMES if " to " in what else OPTION_TIMES
        if count < least:
            yield f"{what}: {count} times, not {least}"
