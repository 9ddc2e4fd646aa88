#!/usr/bin/env python3
"""The viewer in Chromium: its sentences are those of `idx check`, and its pictures those of the files.

    python3 tests/viewer/compare.py PAGE IDX BAD-FILES [MNIST]

BAD-FILES is the folder that the example `bad_files` wrote. With MNIST, the folder of the four .gz files, it also
opens these, and draws the pictures of the page into the folder of PAGE.
"""
import gzip
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import Browser

# The command reads these as other formats, npy and csv, so its sentences are about those.
OTHER_FORMATS = {"numpy", "text-that-is-no-server-message"}
SENTENCES = "[...document.querySelectorAll('section p')].map((line) => line.textContent)"
CAPTIONS = "[...document.querySelectorAll('figcaption')].map((line) => line.innerText)"
PIXELS = """const canvas = document.querySelectorAll('canvas')[arguments[0]];
    return [...canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data]"""


def header(code, *sizes):
    return bytes([0, 0, code, len(sizes)]) + struct.pack(f">{len(sizes)}I", *sizes)


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"viewer: {what}: {found!r} instead of {expected!r}")


def text(browser, selector):
    return browser.run(f"return document.querySelector('{selector}').textContent")


def show(browser, files, figures):
    browser.choose(files)
    browser.wait(f"document.querySelectorAll('figure').length == {figures}")


def more_bad_files(folder):
    """Those whose sentence has more than one form, or that are large."""
    start = header(8, 2, 8, 8)
    unfinished = b"\xFF\xFF\x88\x03\xFF\xFF\xFF\xFF" + start[8:]
    cut = gzip.compress(start + bytes(138))[:-3]
    noise = bytes(pixel * pixel * 7 >> 5 & 0xFF for pixel in range(400_000))
    many = header(8, 400, 1000) + noise
    members = b"".join(gzip.compress(many[at:at + 90_000]) for at in range(0, len(many), 90_000))
    flipped = bytearray(gzip.compress(many))
    flipped[len(flipped) // 2] ^= 0x55
    files = {
        "three-channels": start + bytes(3 * 128), "one-record-more": start + bytes(192),
        "none-counted": header(8, 0, 8, 8) + bytes(64), "extra-bytes-and-cut": cut,
        "unfinished": unfinished + bytes(197), "unfinished-with-one": unfinished + bytes(64),
        "unfinished-without-bytes": b"\xFF\xFF\x88\x02\xFF\xFF\xFF\xFF" + bytes(4), "unfinished-and-cut": unfinished[:9],
        "huge-and-cut": gzip.compress(header(14, 2**32 - 1, 2**20) + bytes(100))[:-9],
        "members-cut": members[:-100], "members-and-more": members + b"x", "damaged": bytes(flipped),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / "members-padded").write_bytes(members + bytes(512))  # nothing is wrong with it
    return len(files)


def sentences(browser, idx, bad_files, folder):
    count = len(list(bad_files.iterdir())) + more_bad_files(folder)
    files = sorted([*bad_files.iterdir(), *folder.iterdir()])
    browser.choose(files)
    browser.wait(f"{SENTENCES}.length >= {count}")
    found = dict(line.split(": ", 1) for line in browser.run(f"return {SENTENCES}"))
    for file in files:
        if file.name in OTHER_FORMATS:
            expect(file.name, "not an IDX file" in found[file.name], True)
            continue
        told = subprocess.run([idx, "check", file], capture_output=True, text=True).stderr
        # Where zlib-rs lost the reason, the browser has it.
        reason = re.compile("(?<=bytes: )(repeated call with bad state|invalid distance too far back)")
        expect(file.name, reason.sub("", found.get(file.name, "")), reason.sub("", told.strip().removeprefix(f"idx: {file}: ")))
    expect("files with a sentence", len(found), count)
    print(f"viewer: {count - len(OTHER_FORMATS)} bad files have the sentences of `idx check`")


def shapes(browser, folder):
    """What is drawn, and what is shown as numbers."""
    def draw(name, content):
        (folder / name).write_bytes(content)
        show(browser, [folder / name], 1)
        return browser.run(PIXELS, 0) if browser.run("return document.querySelector('canvas')") else text(browser, "pre")

    expect("gray", draw("gray", header(8, 1, 1, 2) + b"\0\xFF"), [0, 0, 0, 255, 255, 255, 255, 255])
    expect("colors last", draw("last", header(8, 1, 1, 1, 3) + b"\1\2\3"), [1, 2, 3, 255])
    expect("colors first", draw("first", header(8, 1, 3, 1, 2) + bytes(range(6))), [0, 2, 4, 255, 1, 3, 5, 255])
    expect("i16, scaled", draw("i16", header(11, 1, 1, 3) + struct.pack(">3h", -300, 0, 300))[::4], [0, 128, 255])
    expect("f32 with NaN", draw("f32", header(13, 1, 1, 3) + struct.pack(">3f", 2, float("nan"), 4))[::4], [0, 0, 255])
    expect("rank 0", draw("f64", header(14) + struct.pack(">d", -0.5)), "-0.5")
    expect("rank 2", draw("i32", header(12, 1, 3) + struct.pack(">3i", 7, -1, 2**31 - 1)), "7 -1 2147483647")
    expect("rank 5", draw("rank5", header(9, 1, 1, 1, 2, 2) + b"\1\2\3\xFF"), "1 2\n3 -1")
    print("viewer: 8 shapes are shown as they are")


def many_records(browser, folder):
    count = 100_000
    (folder / "own-images.idx").write_bytes(header(8, count, 2, 3) + bytes(range(250)) * (count * 6 // 250))
    (folder / "own-labels.idx").write_bytes(header(12, count) + b"".join(struct.pack(">i", i % 3 - 1) for i in range(count)))
    (folder / "own-classes.txt").write_text("cat\ndog\n")
    show(browser, [folder / f"own-{name}" for name in ("images.idx", "labels.idx", "classes.txt")], 120)
    expect("facts", text(browser, "#facts"), "u8, 100000 x 2 x 3, labels in own-labels.idx")
    browser.press("\uE010")  # End
    browser.wait(f"{CAPTIONS}.at(-1) == '-1 #99999'")
    browser.press("\uE012")  # left
    browser.wait(f"{CAPTIONS}[0] == '0 cat #99760'")
    expect("the last byte", browser.run(PIXELS, 0)[-4], (99760 * 6 + 5) % 250)
    browser.press("t")
    browser.wait("document.querySelector('canvas').width == 2")
    expect("transposed", browser.run(PIXELS, 0)[4::8][0], (99760 * 6 + 3) % 250)
    browser.run("const choice = document.querySelector('#class'); choice.value = 1; choice.dispatchEvent(new Event('change'))")
    browser.wait(f"{CAPTIONS}[0] == '1 dog #2'")
    expect("the second", browser.run(f"return {CAPTIONS}[1]"), "1 dog #5")
    expect("how many", text(browser, "#range"), "to 119 of 33333")
    browser.press("t")
    print("viewer: 100,000 records are paged through, by class as well")


def mnist(browser, folder, pictures, scheme):
    show(browser, sorted(folder.glob("*.gz")), 120)
    expect("sentences", browser.run(f"return {SENTENCES}"), [])
    for part in ("t10k", "train"):
        choice = f"[...choice.options].findIndex((file) => file.text.startsWith('{part}-images'))"
        browser.run(f"const choice = document.querySelector('#file'); choice.selectedIndex = {choice}; choice.dispatchEvent(new Event('change'))")
        browser.wait(f"document.querySelector('#facts').textContent.includes('{part}-labels') && {CAPTIONS}.length == 120")
        images = gzip.open(folder / f"{part}-images-idx3-ubyte.gz").read()
        labels = gzip.open(folder / f"{part}-labels-idx1-ubyte.gz").read()
        browser.wait(f"{CAPTIONS}[0] == '{labels[8]} #0'")
        expect(part, browser.run(f"return {CAPTIONS}"), [f"{label} #{index}" for index, label in enumerate(labels[8:128])])
        expect(part, browser.run(PIXELS, 119)[::4], list(images[16 + 119 * 784:][:784]))
    browser.picture(pictures / f"viewer-set-{scheme}.png")
    with tempfile.TemporaryDirectory() as bad:
        cut = Path(bad, "train-images-idx3-ubyte.gz")
        cut.write_bytes((folder / cut.name).read_bytes()[:5_000_000])
        page = Path(bad, "train-labels-idx1-ubyte.gz")
        page.write_text("<!DOCTYPE html><title>404</title>")
        browser.choose([cut, page])
        browser.wait(f"{SENTENCES}.length == 2 && {CAPTIONS}[0] == '#0'")
        browser.picture(pictures / f"viewer-bad-{scheme}.png")
    print(f"viewer: the four files of MNIST are shown as they are ({scheme})")


def main():
    page, idx, bad_files, *real = (Path(argument) for argument in sys.argv[1:])
    for scheme in ("light", "dark"):
        with Browser((900, 620), scheme == "dark") as browser, tempfile.TemporaryDirectory() as folder:
            browser.open(page)
            if scheme == "light":
                sentences(browser, idx, bad_files, Path(folder))
                shapes(browser, Path(folder))
                many_records(browser, Path(folder))
            if real:
                mnist(browser, real[0], page.parent, scheme)
            expect("errors of the page", browser.errors(), [])


main()
