"""Makes system calls of the command fail, and kills it at each of them, with strace; then checks its messages and the
files on the disk. README.md says what must hold.

    python3 tests/faults/inject.py TARGET/debug/idx [--only COMMAND] [--log FILE]
"""

import argparse
import collections
import concurrent.futures
import gzip
import itertools
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

# The errors of each call. The command is also killed at each call.
ERRORS = {
    "read": ["EIO", "EINTR"],
    "pread64": ["EIO", "EINTR"],
    "write": ["ENOSPC", "EIO", "EINTR"],
    "openat": ["EMFILE", "EACCES", "EIO"],
    "close": ["EIO", "EINTR"],
    "fsync": ["EIO", "ENOSPC", "EINTR"],
    "fdatasync": ["EIO", "ENOSPC", "EINTR"],
    "syncfs": ["EIO", "ENOSPC"],
    "ftruncate": ["EIO", "EINTR"],
    "mkdir": ["ENOSPC", "EACCES"],
    "rename": ["EIO", "ENOSPC", "EACCES"],
    "renameat": ["EIO", "ENOSPC", "EACCES"],
    "renameat2": ["EIO", "ENOSPC", "EACCES"],
    "link": ["EIO", "ENOSPC", "EMFILE"],
    "linkat": ["EIO", "ENOSPC", "EMFILE"],
    "unlink": ["EIO", "EACCES"],
    "unlinkat": ["EIO", "EACCES"],
    "rmdir": ["EIO", "EACCES"],
    "getdents64": ["EIO"],
    "statx": ["EIO", "EACCES"],
    "lseek": ["EIO"],
    "flock": ["ENOLCK"],
    "clone": ["EAGAIN"],
    "clone3": ["EAGAIN"],
}
# The most faults of one system call; for a call that comes more often, they are spread evenly.
MOST_OF_ONE_CALL = 40
SECONDS = 60


def idx(code, sizes, payload):
    return bytes([0, 0, code, len(sizes)]) + struct.pack(f">{len(sizes)}I", *sizes) + payload


def images(start):
    return idx(8, [60, 4, 4], bytes((start + i) % 251 for i in range(60 * 16)))


def labels(start):
    return idx(8, [60], bytes((start + i) % 10 for i in range(60)))


def png(gray):
    def chunk(kind, content):
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(2 * bytes([0, gray, gray])))
    return b"\x89PNG\r\n\x1a\n" + header + pixels + chunk(b"IEND", b"")


def pair(start):
    return ("images-idx3-ubyte", images(start)), ("labels-idx1-ubyte", labels(start))


FILES = {
    "in/own-images-idx3-ubyte": images(0),
    "in/own-labels-idx1-ubyte": labels(0),
    "in/images.gz": gzip.compress(images(0), mtime=0),
    "in/lines.csv": b"".join(b"%d,%d,%d\n" % (i % 10, i, 255 - i) for i in range(60)),
    "in/cut": idx(8, [60, 4, 4], b"\7" * 600),
    "in/cut.gz": gzip.compress(idx(8, [60, 4, 4], b"\7" * 600), mtime=0),
    "other/own-images-idx3-ubyte": images(100),
    "other/own-labels-idx1-ubyte": labels(5),
    **{f"set/{part}-{name}": content for part, start in (("train", 0), ("t10k", 3)) for name, content in pair(start)},
    **{f"old/{part}-{name}": content for part, start in (("train", 9), ("t10k", 7)) for name, content in pair(start)},
    "other/images.gz": gzip.compress(images(100), mtime=0),
    "in/names": b"".join(b"class %d\n" % i for i in range(10)),
    "in/list": b"3\n5..20\n",
    **{f"listed/{i}.png": png(i) for i in range(9)},
    "listed/labels.csv": b"file,label\n" + b"".join(b"%d.png,%d\n" % (i, 9 - i) for i in range(9)),
    **{f"classes/{name}/{i}.png": png(i) for i in range(3) for name in ("ant", "bee", "cat")},
    "classes/classes.txt": b"cat\nbee\nant\n",
}
PAIR = "convert in/own-images-idx3-ubyte"
WRITTEN = "a-images-idx3-ubyte a-labels-idx1-ubyte"
FOUR = f"{PAIR} --split 80% --shuffle 1 -o train/a-images-idx3-ubyte --rest test/a-images-idx3-ubyte"
OUT = " ".join(f"out/{part}-{name}" for part in ("train", "t10k") for name in ("images-idx3-ubyte", "labels-idx1-ubyte"))
FOUR_WRITTEN = " ".join(f"{folder}/{name}" for folder in ("train", "test") for name in WRITTEN.split())


class Command:
    def __init__(self, line, sets=(), before="", stdin=None, repeats=False, failure=1):
        self.arguments = line.split()
        # Files that belong together: records, and the files next to them.
        self.sets = [one.split() for one in sets]
        # Commands that run first, to write files.
        self.before = [line.split() for line in before.splitlines()]
        self.stdin = stdin
        # True if it changes a file in place, so that another run of it continues.
        self.repeats = repeats
        # Its exit code for an error.
        self.failure = failure


COMMANDS = {
    "a pair": Command(f"{PAIR} --records 5.. -o a-images-idx3-ubyte", [WRITTEN]),
    "a pair over another": Command(
        f"{PAIR} --shuffle 1 -o a-images-idx3-ubyte -f",
        [WRITTEN],
        "convert other/own-images-idx3-ubyte -o a-images-idx3-ubyte",
    ),
    "a split in two folders": Command(FOUR, [FOUR_WRITTEN]),
    "a split over another": Command(f"{FOUR} -f", [FOUR_WRITTEN], FOUR.replace(" in/", " other/")),
    "pictures to a pair": Command(
        "convert p/ -o a-images-idx3-ubyte -f", [WRITTEN], f"{PAIR} -n 12 -o p/\n{PAIR} -o a-images-idx3-ubyte"
    ),
    "pictures by class": Command(f"{PAIR} -n 20 -o out/"),
    "shards of Parquet": Command(f"{PAIR} -o out/ --shards 3"),
    "Parquet to a pair": Command("convert a.parquet -o a-images-idx3-ubyte", [WRITTEN], f"{PAIR} -o a.parquet"),
    "csv to a pair": Command(
        "convert in/lines.csv --label-column 0 -o a-images-idx2-ubyte.gz",
        ["a-images-idx2-ubyte.gz a-labels-idx1-ubyte.gz"],
    ),
    "csv over another": Command(f"{PAIR} -o a.csv -f", (), "convert other/own-images-idx3-ubyte -o a.csv"),
    "npz over another": Command(f"{PAIR} -o a.npz -f", (), "convert other/own-images-idx3-ubyte -o a.npz"),
    "a set to npz": Command("convert set -o a.npz -f", (), "convert old -o a.npz"),
    "a set to a folder": Command("convert set --to idx -o out/", [OUT]),
    "a set over its folder": Command("convert set --to idx -o out/ -f", [OUT], "convert old --to idx -o out/"),
    "gzip to npy": Command("convert in/images.gz -o a.npy -f", (), "convert other/images.gz -o a.npy"),
    "standard input to gzip": Command(
        "convert - -o a.idx.gz -f", (), "convert other/images.gz -o a.idx.gz", "in/own-images-idx3-ubyte"
    ),
    "npy to standard output": Command("convert in/images.gz --to npy"),
    "a sheet": Command("show in/own-images-idx3-ubyte -n 20 -o sheet.png"),
    "repair": Command("repair in/cut", repeats=True),
    "repair of gzip": Command("repair in/cut.gz"),
    "check": Command("check in/own-images-idx3-ubyte in/own-labels-idx1-ubyte"),
    "check of a set": Command("check set"),
    "check of csv": Command("check in/lines.csv"),
    "stats": Command("stats in/own-images-idx3-ubyte"),
    "stats of npz": Command("stats a.npz", before=f"{PAIR} -o a.npz"),
    "info": Command("info in/own-images-idx3-ubyte"),
    "info of gzip": Command("info in/images.gz"),
    "info of csv": Command("info in/lines.csv"),
    "info of a set": Command("info set"),
    "info as JSON, identified": Command("info --json --identify in/images.gz"),
    "a file alone": Command("in/own-images-idx3-ubyte"),
    "a set alone": Command("set"),
    "show": Command("show in/own-images-idx3-ubyte -r @in/list"),
    "diff": Command("diff set:train set.npz:train", before="convert set -o set.npz", failure=2),
    "source code": Command("rust --c in/own-images-idx3-ubyte in/own-labels-idx1-ubyte"),
    "given labels and names": Command(
        "convert in/images.gz -l in/own-labels-idx1-ubyte --classes in/names -o a.csv -f", ["a.csv a-classes.txt"]
    ),
    "listed pictures": Command("convert listed -o a-images-idx3-ubyte", [WRITTEN]),
    "pictures of classes": Command(
        "convert classes -o a-images-idx3-ubyte", [f"{WRITTEN} a-classes.txt"]
    ),
}


def tree(folder):
    """Returns the files in a folder with their content, and the names of its hidden files."""
    found, hidden = {}, []
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.name.startswith("."):
            hidden.append(name)
        elif not name.startswith(".") and "/." not in name:
            found[name] = "folder" if path.is_dir() else path.read_bytes()
    return found, hidden


class Case:
    """A command with the folder that it starts in, and what it does if nothing fails."""

    def __init__(self, binary, name, command, scratch):
        self.binary, self.name, self.command, self.scratch = binary, name, command, scratch
        self.start = scratch / name.replace(" ", "-")
        for path, content in FILES.items():
            (self.start / path).parent.mkdir(parents=True, exist_ok=True)
            (self.start / path).write_bytes(content)
        for folder in ("train", "test"):
            (self.start / folder).mkdir()
        for line in command.before:
            subprocess.run([binary, *line], cwd=self.start, check=True, capture_output=True)
        self.old = tree(self.start)[0]
        self.code, self.output, _, (self.new, hidden), self.trace = self.run("-y")
        assert self.code == 0 and not hidden, f"{name}: {self.code} {hidden}"

    def run(self, *options):
        """Runs the command under strace in a copy of its folder."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            copy, trace = pathlib.Path(folder, "copy"), pathlib.Path(folder, "trace")
            temporary = pathlib.Path(folder, "temporary")
            temporary.mkdir()
            shutil.copytree(self.start, copy)
            stdin = open(copy / self.command.stdin) if self.command.stdin else subprocess.DEVNULL
            strace = ["strace", "-f", "-qq", "-o", trace, *options]
            try:
                done = subprocess.run(
                    [*strace, self.binary, *self.command.arguments],
                    cwd=copy, stdin=stdin, capture_output=True, timeout=SECONDS,
                    env={**os.environ, "TMPDIR": str(temporary)},
                )
            except subprocess.TimeoutExpired:
                return "no end", b"", "", tree(copy), ""
            found, hidden = tree(copy)
            # A file left in TMPDIR counts as hidden.
            hidden += [path.name for path in temporary.iterdir()]
            if self.command.repeats and done.returncode != 0:
                # Another run must do the rest.
                subprocess.run([self.binary, *self.command.arguments], cwd=copy, capture_output=True)
                again = tree(copy)[0]
                if found not in (self.old, self.new) and again == self.new:
                    found = again
            return done.returncode, done.stdout, done.stderr.decode(), (found, hidden), trace.read_text()

    def faults(self):
        """Yields each call that can fail, and the option of strace that makes it fail."""
        counts, first = collections.defaultdict(collections.Counter), collections.Counter()
        main, is_started = None, False
        for line in self.trace.splitlines():
            match = re.match(r"(\d+) +(\w+)\((.*)", line)
            if not match:
                continue
            thread, call, rest = match.groups()
            main = main or thread
            counts[thread][call] += 1
            if thread == main and not is_started:
                first[call] += 1
                # The last call of the runtime, before `main` of the program.
                is_started = call == "sigaltstack"
        for call, errors in ERRORS.items():
            last = max(count[call] for count in counts.values())
            numbers = range(first[call] + 1, last + 1)
            step = max(1, -(-len(numbers) // MOST_OF_ONE_CALL))
            for number in numbers[::step]:
                for error in errors:
                    yield call, f"{call}:error={error}:when={number}"
                yield call, f"{call}:signal=KILL:when={number}"

    def outcome(self, code, output, messages, disk):
        """Returns the outcome of a run, which is a column of the table."""
        found, hidden = disk
        states = {self.state(path, found) for one in self.command.sets for path in one}
        records = {self.state(one[0], found) for one in self.command.sets}
        if code == 0:
            return "right" if (found, output, hidden) == (self.new, self.output, []) else "WRONG: exit 0"
        # The standard library panics if a folder that it has listed cannot be closed.
        if code == 101 and "unexpected error during closedir" in messages:
            return "panic: old" if found == self.old and not hidden else "WRONG: panic"
        if code not in (self.command.failure, -9):
            return f"WRONG: exit {code}"
        if found not in (self.old, self.new):
            is_torn = not states or "torn" in states or {"old", "new"} <= states
            if is_torn or ("none" in states and records - {"none"}):
                return "WRONG: half a set"
        if code == -9:
            if len(hidden) > max(1, sum(len(one) for one in self.command.sets)):
                return "WRONG: hidden files"
            return {True: "killed: old", False: "killed: no records"}[found == self.old] if found != self.new else "killed: new"
        if not messages.startswith("idx: "):
            return "WRONG: no message"
        if found == self.old and not hidden:
            return "told: old"
        if found == self.new and not hidden:
            return "told: new"
        if all(name.split("/")[-1] in messages for name in hidden):
            return "told: names what is left"
        return "WRONG: not told what is left"

    def state(self, path, found):
        content = found.get(path)
        known = {"none": None, "old": self.old.get(path), "new": self.new.get(path)}
        return next((name for name, expected in known.items() if content == expected), "torn")


class Rivals:
    """Two commands with the same outputs in opposite order: afterwards, all files are from one of the two."""

    ROUNDS = 40
    RECORDS = ["a/one-images-idx3-ubyte", "b/two-images-idx3-ubyte"]
    OUTPUTS = [*RECORDS, "a/one-labels-idx1-ubyte", "b/two-labels-idx1-ubyte"]

    def __init__(self, binary, scratch):
        self.binary, self.start = binary, scratch / "rivals"
        for path, content in FILES.items():
            (self.start / path).parent.mkdir(parents=True, exist_ok=True)
            (self.start / path).write_bytes(content)
        for folder in ("a", "b"):
            (self.start / folder).mkdir()
        self.lines = [self.line("in", *self.RECORDS), self.line("other", *self.RECORDS[::-1])]

    def line(self, source, chosen, rest):
        return f"convert {source}/own-images-idx3-ubyte --split 80% -f -o {chosen} --rest {rest}".split()

    def alone(self, line):
        with tempfile.TemporaryDirectory(dir=self.start.parent) as folder:
            copy = pathlib.Path(folder, "copy")
            shutil.copytree(self.start, copy)
            subprocess.run([self.binary, *line], cwd=copy, check=True)
            return tree(copy)

    def outcomes(self):
        """Yields the outcome of each round, in which names change slowly; every fourth kills one of the two."""
        alone = [self.alone(line) for line in self.lines]
        for turn in range(self.ROUNDS):
            with tempfile.TemporaryDirectory(dir=self.start.parent) as folder:
                copy = pathlib.Path(folder, "copy")
                shutil.copytree(self.start, copy)
                subprocess.run([self.binary, *self.lines[turn % 2]], cwd=copy, check=True)
                slow = "inject=linkat,renameat2:delay_exit=5000"
                kill = ["-e", f"inject=fsync:signal=KILL:when={4 + turn // 2 % 6}"]
                strace = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", slow]
                options = [kill if turn % 4 == 1 else [], []]
                running = [
                    subprocess.Popen([*strace, *options, self.binary, *line], cwd=copy, stderr=subprocess.PIPE)
                    for line, options in zip(self.lines, options)
                ]
                messages = [process.communicate()[1] for process in running]
                codes = [process.returncode for process in running]
                found = tree(copy)
                yield self.outcome(codes, messages, found, alone), f"{codes} {messages} {found[0].keys()} {found[1]}"

    def outcome(self, codes, messages, disk, alone):
        if disk in alone and codes == [0, 0]:
            return "two commands: all of one"
        present = [output for output in self.OUTPUTS if output in disk[0]]
        is_of_one = any(all(disk[0][output] == files[output] for output in present) for files, _ in alone)
        # Only the command that made the old files knows which of them are records.
        if is_of_one and -9 in codes:
            return f"two commands, one killed: {'all' if len(present) == 4 else 'some'} of one, none of the other"
        return "WRONG: a mixture"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("binary", type=lambda path: str(pathlib.Path(path).resolve()))
    arguments.add_argument("--only")
    arguments.add_argument("--log", default=os.devnull)
    arguments = arguments.parse_args()
    table, wrong = collections.defaultdict(collections.Counter), []
    rounds = collections.Counter()
    log = open(arguments.log, "w")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, command in COMMANDS.items():
            if arguments.only not in (None, name):
                continue
            case = Case(arguments.binary, name, command, pathlib.Path(scratch))

            def try_it(fault, case=case):
                call, option = fault
                # Each thread counts its own calls, so a second one may fail as well, such as one that cleans up.
                for _ in range(5):
                    code, output, messages, disk, trace = case.run("-e", f"inject={option}")
                    if trace.count("INJECTED") < 2:
                        break
                if "INJECTED" not in trace and code == 0:
                    return call, option, "not reached", messages, disk
                # If standard error fails as well, it may have no message, or only the first word.
                if re.search(r"write\(2, .*INJECTED", trace):
                    messages = "idx: "
                return call, option, case.outcome(code, output, messages, disk), messages, disk

            for call, option, outcome, messages, (found, hidden) in pool.map(try_it, case.faults()):
                table[call][outcome] += 1
                line = f"{name}: {option}: {outcome}: {messages.strip()} {sorted(found)} {hidden}"
                print(line, file=log, flush=True)
                if outcome.startswith("WRONG"):
                    wrong.append(line)
        if arguments.only is None:
            for outcome, line in Rivals(arguments.binary, pathlib.Path(scratch)).outcomes():
                rounds[outcome] += 1
                if outcome.startswith("WRONG"):
                    wrong.append(line)
    outcomes = sorted(set(itertools.chain(*table.values())))
    print("\t".join(["call", *outcomes]))
    for call in [*table, "all"]:
        counts = table[call] if call != "all" else sum(table.values(), collections.Counter())
        print("\t".join([call, *(str(counts[outcome]) for outcome in outcomes)]))
    print(*(f"{outcome}\t{count}" for outcome, count in rounds.items()), sep="\n")
    print(*wrong[:20], sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
