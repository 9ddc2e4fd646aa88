"""Compares two binaries of the command on random lines; see README.md.

Exit code: 0 no unexpected difference, 1 some, 2 the lines do not cover what they have to.
"""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import sys
import time

import expected
import lines
import outcomes
import report
from inputs import Inputs

ENOUGH = 1500


def arguments():
    parser = argparse.ArgumentParser(description="Compares two binaries of the command `idx` on random lines.")
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=ENOUGH)
    parser.add_argument("--only", metavar="FORMAT", help="lines with this format or command alone")
    parser.add_argument("--line", type=int, help="this line alone; its files stay")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("target/comparison"))
    return parser.parse_args()


def compared(folder, inputs, old, new):
    """Runs and judges one line after the other, some at a time."""

    def one(line):
        # One after the other in a folder of one name, which may occur in what they say.
        here = folder / "runs" / str(line.number)
        runs = [outcomes.run(binary, line, inputs, here) for binary in (old, new)]
        differences = outcomes.compare(line, *runs)
        return line, *runs, differences, *expected.judge(line, *runs, differences)

    return one


def main():
    given = arguments()
    start, folder = time.monotonic(), given.folder.resolve()
    for name in ("inputs", "runs"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir(parents=True)
    drawn = lines.Lines(Inputs(folder / "inputs", given.seed), given.seed, given.only)
    chosen = list(drawn.draw(given.count))
    if given.line is not None:
        chosen = [line for line in chosen if line.number == given.line]
    found = report.Report()
    one = compared(folder, folder / "inputs", given.old.resolve(), given.new.resolve())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(one, chosen):
            found.add(*result)
    found.write(folder, drawn)
    print(found.table())
    print(f"{time.monotonic() - start:.0f} s; differences in {folder}/unexpected.txt, on-purpose.txt; coverage.txt")
    if given.line is not None:
        print("\n".join(found.unexpected + found.expected))
    is_whole = given.count >= ENOUGH and given.only is None and given.line is None
    missing = list(report.too_few(drawn)) if is_whole else []
    if is_whole and found.succeeded() < report.SUCCESSES:
        missing.append(f"{found.succeeded()} lines succeed with the old binary, not {report.SUCCESSES}")
    print("".join(f"not covered: {what}\n" for what in missing), end="")
    unused = [rule.__name__ for rule in expected.RULES if is_whole and rule.__name__ not in found.rules]
    print("".join(f"excuses nothing: {rule}\n" for rule in unused), end="")
    print(f"{len(chosen)} lines, {len(found.unexpected)} unexplained")
    sys.exit(1 if found.unexpected else 2 if missing else 0)


main()
