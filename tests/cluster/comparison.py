"""Compares what an engine computes from the shards with the source, and prints a line for each comparison."""

import gzip
import json
import math
import pathlib
import subprocess
import sys
import time

import numpy

HEADER = 16  # the bytes before the pixels: the magic number and three sizes


class Comparison:
    """Compares the results of an engine with those of `idx stats` and NumPy for the source."""

    def __init__(self, engine, idx, images, labels):
        self.engine = engine
        self.idx = idx
        self.images = decompressed(images)
        self.labels = decompressed(labels)
        self.is_equal = True
        _, self.count, self.height, self.width = map(int, numpy.frombuffer(self.images, ">u4", 4))
        pixels = numpy.frombuffer(self.images, numpy.uint8, offset=HEADER).reshape(self.count, -1)
        self.mean_image = pixels.sum(axis=0, dtype=numpy.int64) / self.count
        stats = subprocess.run([idx, "stats", images, "--labels", labels, "--json"], check=True, stdout=subprocess.PIPE)
        self.stats = json.loads(stats.stdout)

    def label_counts(self, what, compute):
        """Compares the counts: `compute` returns pairs of a label and a count."""
        found = self.timed(what, lambda: {str(label): count for label, count in compute()})
        self.say(found == self.stats["labels"])

    def mean_images(self, what, compute):
        """Compares the mean of each pixel, which `compute` returns: equal to NumPy's, as sums of bytes are exact."""
        found = self.timed(what, lambda: numpy.array(compute()))
        mean_of_all = math.fsum(found) / len(found)
        self.say(
            numpy.array_equal(found, self.mean_image) and math.isclose(mean_of_all, self.stats["mean"], rel_tol=1e-9)
        )

    def back(self, what, path, write, *options):
        """Checks that `idx convert` turns the file that `write` writes, `path`, into the source again."""
        self.timed(what, write)
        images, labels = pathlib.Path("back.idx"), pathlib.Path("back-labels.idx")
        shape = ["--shape", f"{self.height}x{self.width}"]
        subprocess.run([self.idx, "convert", path, "-o", images, *shape, *options, "--force"], check=True)
        self.say(images.read_bytes() == self.images and labels.read_bytes() == self.labels)

    def timed(self, what, work):
        start = time.monotonic()
        result = work()
        seconds = time.monotonic() - start
        print(f"{self.engine:<16}{what:<52}{seconds:7.2f} s", end="", flush=True)
        return result

    def say(self, is_equal):
        print("  equal" if is_equal else "  DIFFERENT", flush=True)
        self.is_equal &= is_equal

    def finish(self):
        if not self.is_equal:
            sys.exit("what differs is marked above")


def decompressed(path):
    content = pathlib.Path(path).read_bytes()
    return gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
