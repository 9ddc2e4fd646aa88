"""The memory that a program takes."""

import subprocess
import sys

import pytest

PROGRAM = """
import re, sys
import idxfile, numpy

def peak():
    # What `getrusage` tells begins with the peak of the process that started this one.
    try:
        return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)

path = sys.argv[1]
"""


def grown(path, before, work):
    """The KiB that some work takes at its peak; `before` is done first. Both know the `path`."""
    pytest.importorskip("resource")
    lines = ["import resource", PROGRAM, before, "start = peak()", work, "print(peak() - start)"]
    run = subprocess.run([sys.executable, "-c", "\n".join(lines), path], capture_output=True, text=True, check=True)
    return int(run.stdout)
