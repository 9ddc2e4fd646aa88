"""Measures the memory that a program needs."""

import subprocess
import sys

import pytest

PROGRAM = """
import re, sys
import idxfile, numpy

def peak():
    # The peak of `getrusage` includes that of the process that started this one.
    try:
        return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)

path = sys.argv[1]
"""


def grown(path, before, work):
    """Returns the KiB by which `work` raises the peak of a program, after `before`. Both can use `path`."""
    pytest.importorskip("resource")
    lines = ["import resource", PROGRAM, before, "start = peak()", work, "print(peak() - start)"]
    run = subprocess.run([sys.executable, "-c", "\n".join(lines), path], capture_output=True, text=True, check=True)
    return int(run.stdout)
