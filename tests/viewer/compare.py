#!/usr/bin/env python3
"""Compares the viewer in Chromium and Firefox: its sentences with those of `idx check`, its pairs with those of the
command, and its pictures with the files.

    python3 tests/viewer/compare.py PAGE IDX BAD-FILES AXE [DATA]

BAD-FILES is the folder that the example `bad_files` wrote, AXE the script of axe-core. DATA has the folders `mnist` and
`fashion-mnist` with their four .gz files, which are opened too. Pictures of the page go to the folder of PAGE.
"""
import gzip
import re
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pairs
from browser import Chromium, Firefox

# The command reads these as other formats, npy and csv, so its sentences are about those.
OTHER_FORMATS = {"numpy", "text-that-is-no-server-message"}
SENTENCES = "[...document.querySelectorAll('#sentences p')].map((line) => line.textContent)"
CAPTIONS = "[...document.querySelectorAll('figcaption')].map((line) => line.innerText)"
PIXELS = """const canvas = document.querySelectorAll('#records canvas')[arguments[0]];
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
    """Writes bad files whose sentence has more than one form, and large ones."""
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
        if re.search(r"`idx (convert FILE -r \.\.\d+ -o NEW|repair)` keeps", told):
            # The viewer writes no files, and has room for the library's whole sentence.
            expect(file.name, " truncated" in found[file.name], True)
            continue
        # Only the browser keeps the reason; zlib-rs loses it.
        reason = re.compile("(?<=bytes: )(repeated call with bad state|invalid distance too far back)")
        expect(file.name, reason.sub("", found.get(file.name, "")), reason.sub("", told.strip().removeprefix(f"idx: {file}: ")))
    expect("files with a sentence", len(found), count)
    print(f"viewer: {count - len(OTHER_FORMATS)} bad files have the sentences of `idx check`")


def shapes(browser, folder):
    """Checks which records are drawn, and which are shown as numbers."""
    def draw(name, content):
        (folder / name).write_bytes(content)
        browser.run("document.querySelector('#records').replaceChildren()")
        show(browser, [folder / name], 1)
        return browser.run(PIXELS, 0) if browser.run("return !!document.querySelector('#records canvas')") else text(browser, "#records code")

    expect("gray", draw("gray", header(8, 1, 1, 2) + b"\0\xFF"), [0, 0, 0, 255, 255, 255, 255, 255])
    expect("colors last", draw("last", header(8, 1, 1, 1, 3) + b"\1\2\3"), [1, 2, 3, 255])
    expect("colors first", draw("first", header(8, 1, 3, 1, 2) + bytes(range(6))), [0, 2, 4, 255, 1, 3, 5, 255])
    expect("i16, scaled", draw("i16", header(11, 1, 1, 3) + struct.pack(">3h", -300, 0, 300))[::4], [0, 128, 255])
    expect("f32 with NaN", draw("f32", header(13, 1, 1, 3) + struct.pack(">3f", 2, float("nan"), 4))[::4], [0, 0, 255])
    expect("rank 0", draw("f64", header(14) + struct.pack(">d", -0.5)), "-0.5")
    expect("f32", draw("f32-numbers", header(13, 1, 3) + struct.pack(">3f", 0.1, -1e30, 16777216)), "0.1 -1e+30 16777216")
    expect("rank 2", draw("i32", header(12, 1, 3) + struct.pack(">3i", 7, -1, 2**31 - 1)), "7 -1 2147483647")
    expect("rank 5", draw("rank5", header(9, 1, 1, 1, 2, 2) + b"\1\2\3\xFF"), "1 2\n3 -1")
    expect("colors with opacity", draw("rgba", header(8, 1, 1, 1, 4) + b"\1\2\3\xFF"), [1, 2, 3, 255])
    expect("a volume", draw("volume", header(8, 1, 2, 1, 2) + b"\1\2\3\4")[::4], [1, 2, 3, 4])

    expect("784 numbers", draw("flat", header(8, 1, 784) + bytes(i % 251 for i in range(784))).split()[:4], ["0", "1", "2", "3"])
    expect("ways to show them", browser.run("return [...document.querySelectorAll('#view option')].map((way) => way.text)"), ["as numbers", "as 28 x 28"])
    expect("as a picture", show_as(browser, 1)[4 * 28 * 27::4], [i % 251 for i in range(27 * 28, 784)])
    draw("cifar", header(8, 1, 3072) + bytes(i // 1024 for i in range(3072)))
    expect("ways to show colors", browser.run("return [...document.querySelectorAll('#view option')].map((way) => way.text)"),
           ["as numbers", "as 3 x 32 x 32", "as 32 x 32 x 3"])
    expect("as colors", show_as(browser, 1)[-4:], [0, 1, 2, 255])
    print("viewer: 13 shapes are shown as they are")


def show_as(browser, way):
    browser.run("const choice = document.querySelector('#view'); choice.value = arguments[0]; choice.dispatchEvent(new Event('change'))", way)
    browser.wait("document.querySelector('#records canvas')")
    return browser.run(PIXELS, 0)


def without_records(browser, folder):
    """Files without anything to draw say so."""
    (folder / "none").write_bytes(header(8, 0, 28, 28))
    show(browser, [folder / "none"], 0)
    browser.wait("document.querySelector('#facts').textContent.endsWith('no records')")
    expect("facts", text(browser, "#facts"), "u8, 0 x 28 x 28: no records")
    (folder / "some-classes.txt").write_text("cat\ndog\n")
    browser.choose([folder / "some-classes.txt"])
    browser.wait(f"{SENTENCES}.length == 1")
    expect("a list alone", browser.run(f"return {SENTENCES}[0].split(';')[0]"),
           "some-classes.txt: 2 class names, but no labels for them")
    print("viewer: files without records, and a list of classes alone, have a sentence")


def truncated(browser, folder):
    """The labels of records that are missing are not counted, and no such record is shown."""
    (folder / "cut-images-idx3-float").write_bytes(header(13, 10, 2, 2) + struct.pack(">20f", *range(20)))
    show(browser, [folder / "cut-images-idx3-float"], 5)
    expect("facts", text(browser, "#facts"), "f32, 10 x 2 x 2; drop cut-labels-idx1-ubyte with it to see the labels")
    (folder / "cut-labels-idx1-ubyte").write_bytes(header(8, 10) + bytes([0, 1] * 5))
    show(browser, [folder / "cut-images-idx3-float", folder / "cut-labels-idx1-ubyte"], 5)
    expect("counts", browser.run("return [...document.querySelectorAll('#classes button')].map((one) => one.innerText)"),
           ["all 5", "0 3", "1 2"])
    browser.click("#classes button[value='1']")
    browser.wait(f"{CAPTIONS}.length == 2")
    expect("the records of a class", browser.run(f"return {CAPTIONS}"), ["1 #1", "1 #3"])
    print("viewer: a truncated file has the records that it has")


def places(browser, folder):
    """The place of a record and its numbers are those of the file."""
    name = "packed-idx2-float"  # the content says that it is gzip
    (folder / name).write_bytes(gzip.compress(header(13, 400, 2) + struct.pack(">800f", *(1000.00006 + i for i in range(800)))))
    show(browser, [folder / name], 300)
    expect("nine digits", text(browser, "#records code"), "1000.00006 1001.00006")
    browser.click("figure button")
    browser.wait("document.querySelector('dialog').open")
    expect("the place", text(browser, "#place"), "f32, 2, from byte 12 on of the decompressed file")
    browser.click("#close")
    browser.run("const first = document.querySelector('#first'); first.value = '1.5'; first.dispatchEvent(new Event('change'))")
    browser.wait(f"{CAPTIONS}[0] == '#1'")
    expect("the record", text(browser, "#records code"), "1002.00006 1003.00006")
    browser.click("figure button")
    browser.wait("document.querySelector('dialog').open")
    (folder / "unfinished.idx").write_bytes(b"\xFF\xFF\x88\x02\xFF\xFF\xFF\xFF\0\0\0\2" + bytes(7))
    show(browser, [folder / "unfinished.idx"], 3)
    expect("an unfinished file", text(browser, "#facts"), "u8, 3 x 2")
    expect("a record of the file of before", browser.run("return document.querySelector('dialog').open"), False)
    print("viewer: records are where the page says")


def downloaded_twice(browser, folder):
    """Browsers number what they download again, and people number their sets."""
    for name, content in pairs.CASES["as MNIST names them"].items():
        for number in [" (1)", "(2)"] if "labels" in name else [" (1)"]:
            (folder / f"{name}{number}").write_bytes(content)
    show(browser, sorted(folder.glob("train-*")), 3)
    expect("labels of both", browser.run(f"return {CAPTIONS}"), ["2 #0", "0 #1", "1 #2"])
    for year, labels in [(2023, pairs.LABELS), (2024, pairs.OTHER_LABELS)]:
        (folder / f"d ({year})-images.idx").write_bytes(pairs.IMAGES)
        (folder / f"d ({year})-labels.idx").write_bytes(labels)
    browser.choose(sorted(folder.glob("d (*")))
    browser.wait(f"document.querySelectorAll('#file option').length == 2 && {CAPTIONS}[0] == '2 #0'")
    expect("sentences", browser.run(f"return {SENTENCES}"), [])
    print("viewer: numbers of downloads are no part of a name, other numbers are")


def dropped(browser):
    """Drops files, and a folder, whose other files have a sentence only if it has no IDX file. Failed before: nothing
    happened, because Chromium reads no entries for a page that is a file."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent, "project")
        (folder / "inner").mkdir(parents=True)
        (folder / "README.md").write_text("My digits\n")
        browser.drop([folder])
        browser.wait(f"{SENTENCES}.length == 1")
        (folder / "inner/digits.idx").write_bytes(pairs.IMAGES)
        (folder / "inner/digits-labels.idx").write_text("<!DOCTYPE html>")
        browser.drop([folder])
        browser.wait(f"{CAPTIONS}.length == 3")
        expect("sentences", browser.run(f"return {SENTENCES}.map((line) => line.split(':')[0])"), ["project/inner/digits-labels.idx"])
        (folder / "inner/digits-labels.idx").write_bytes(pairs.LABELS)
        browser.drop(sorted((folder / "inner").iterdir()))
        browser.wait(f"{CAPTIONS}[0] == '2 #0'")
        expect("sentences", browser.run(f"return {SENTENCES}"), [])
        browser.choose([folder], "#open-folder")
        browser.wait("document.querySelector('#file').textContent == 'project/inner/digits.idx'")
    print("viewer: files and folders are dropped, without what else folders have")


def dropped_in_firefox(browser):
    """Drops a file by an event, because no driver of Firefox can drop one. Firefox reads entries."""
    browser.run("""const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([new Uint8Array([0, 0, 8, 1, 0, 0, 0, 2, 7, 8])], 'own.idx'));
        dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))""")
    browser.wait("document.querySelector('#facts').textContent == 'u8, 2'")
    print("viewer: a file is dropped")


def changed(browser, folder):
    """A file that is written again while the page shows it has a sentence."""
    path = folder / "changed.idx"
    path.write_bytes(header(8, 1000, 2) + bytes(2000))
    show(browser, [path], 300)
    path.write_bytes(header(8, 1000, 2) + bytes(20))
    browser.click("#on")
    browser.wait(f"{SENTENCES}.length == 1")
    expect("a sentence", browser.run(f"return {SENTENCES}"), [f"{path.name}: the file has changed since it was dropped; drop it again"])
    browser.run("window.problems = []")
    browser.run("""const dataTransfer = new DataTransfer();
        dataTransfer.items.add('some text', 'text/plain');
        dispatchEvent(new DragEvent('drop', { dataTransfer, cancelable: true }))""")
    browser.wait("document.querySelector('#facts').textContent == 'There are no files here; drop IDX files.'")
    expect("what was there", browser.run(f"return {CAPTIONS}.length"), 300)
    print("viewer: a file that changed, and a drop without files, have a sentence")


def members(browser, folder):
    """Files of many gzip members, as bgzip writes them; and a picture of 12 million pixels."""
    noise = bytes(pixel * pixel * 7 >> 5 & 0xFF for pixel in range(784_000))
    content = header(8, 60_000, 28, 28) + noise * 60
    (folder / "many-members.gz").write_bytes(b"".join(gzip.compress(content[at:at + 65_280], 1) for at in range(0, len(content), 65_280)))
    start = time.monotonic()
    show(browser, [folder / "many-members.gz"], 120)
    expect("a sentence", browser.run(f"return {SENTENCES}"), [])
    took, count = time.monotonic() - start, -(-len(content) // 65_280)
    expect("the last pixel", (browser.press("\uE010"), browser.wait(f"{CAPTIONS}.at(-1).endsWith('#59999')"), browser.run(PIXELS, 119)[-4])[-1], noise[-1])
    print(f"viewer: {count} gzip members of 47 MB in {took:.1f} s")
    (folder / "large").write_bytes(header(8, 1, 3000, 4000) + bytes(3000 * 3999) + bytes([7]) * 3000)
    browser.run("window.longest = 0; let last = performance.now(); clearInterval(window.clock);"
                "window.clock = setInterval(() => { longest = Math.max(longest, performance.now() - last); last = performance.now() }, 5)")
    browser.choose([folder / "large"])
    browser.wait("document.querySelector('#records canvas')?.width == 4000")
    expect("the last pixel", browser.run("return document.querySelector('#records canvas').getContext('2d').getImageData(3999, 2999, 1, 1).data[0]"), 7)
    print(f"viewer: 3000 x 4000 pixels; the longest pause of the page was {browser.run('return longest'):.0f} ms")


def first_page(browser, folder, name):
    """The sample, a click on a record, and a folder."""
    browser.picture(folder / f"viewer-start-{name}.png")
    browser.click("#sample")
    browser.wait("document.querySelectorAll('figure').length == 20")
    expect("the sample", browser.run(f"return {CAPTIONS}.slice(0, 10)"), [f"{digit} #{digit}" for digit in range(10)])
    expect("counts", browser.run("return [...document.querySelectorAll('#classes button')].map((one) => one.innerText)"),
           ["all 20", *(f"{digit} 2" for digit in range(10))])
    browser.picture(folder / f"viewer-sample-{name}.png")
    browser.click("figure:nth-of-type(4) button")
    browser.wait("document.querySelector('dialog').open")
    expect("the record", text(browser, "#record"), "Record 3: 3")
    expect("where it is", text(browser, "#place"), "u8, 28 x 28, from byte 2,368 on")
    sample = Path(__file__).parents[2] / "idx-cli/sample/digits-images-idx3-ubyte"
    numbers = browser.run("return document.querySelector('dialog pre').textContent").split()
    expect("its numbers", [int(number) for number in numbers], list(sample.read_bytes()[16 + 3 * 784:16 + 4 * 784]))
    beyond = "return document.querySelector('dialog').getBoundingClientRect().right > document.documentElement.clientWidth"
    expect("a record beyond the edge", browser.run(beyond), False)
    browser.picture(folder / f"viewer-record-{name}.png")
    browser.press("\uE014")  # right
    browser.wait("document.querySelector('#record').textContent == 'Record 4: 4'")
    browser.click("#close")


def accessible(browser, axe):
    """axe-core finds nothing at the start, with records, and with one record."""
    for state, prepare in {"start": "", "records": "#sample", "record": "figure button"}.items():
        if prepare:
            browser.click(prepare)
            browser.wait("document.querySelectorAll('figure').length == 20")
        browser.run(axe.read_text() + "; window.found = undefined; axe.run().then((result) => { window.found = result.violations })")
        browser.wait("!!window.found")
        found = browser.run("return found.map(({ id, impact, nodes }) => [impact, id, nodes[0].html.slice(0, 90)])")
        expect(f"axe-core at {state}", found, [])
    browser.click("#close")
    print("viewer: axe-core finds nothing")


def folders(browser, data, expect_labels):
    """Two sets whose files have the same names: told apart by their folders, and refused without them."""
    both = [data / name / f"t10k-{kind}-ubyte.gz" for name in ("mnist", "fashion-mnist") for kind in ("images-idx3", "labels-idx1")]
    browser.choose(both)
    browser.wait(f"{SENTENCES}.length > 0")
    sentences = browser.run(f"return {SENTENCES}")
    expect("two sets of one name", [sentence.split(";")[0] for sentence in sentences],
           ["t10k-images-idx3-ubyte.gz: t10k-images-idx3-ubyte.gz and t10k-images-idx3-ubyte.gz differ, and either could be meant"])
    with tempfile.TemporaryDirectory() as parent:
        for file in both:
            folder = Path(parent, "sets", file.parent.name)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / file.name).write_bytes(file.read_bytes())
        browser.choose([Path(parent, "sets")], "#open-folder")
        browser.wait(f"document.querySelectorAll('#file option').length == 2 && {CAPTIONS}[0] == '9 #0'")
        expect("sentences", browser.run(f"return {SENTENCES}"), [])
        expect("Fashion-MNIST", browser.run(f"return {CAPTIONS}.slice(0, 4)"), expect_labels)
    print("viewer: two sets with the same names are told apart by their folders")


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
    browser.wait("document.querySelector('#records canvas').width == 2")
    expect("transposed", browser.run(PIXELS, 0)[4::8][0], (99760 * 6 + 3) % 250)
    browser.click("#classes button[value='1']")
    browser.wait(f"{CAPTIONS}[0] == '1 dog #2'")
    expect("the second", browser.run(f"return {CAPTIONS}[1]"), "1 dog #5")
    expect("how many", text(browser, "#range"), "to 119 of 33333")
    browser.click("#classes button[value='0']")
    browser.wait(f"{CAPTIONS}[0] == '0 cat #1'")
    expect("the class", browser.run("return [...document.querySelectorAll('#classes [aria-pressed=true]')].map((one) => one.value)"), ["0"])
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
    page, idx, bad_files, axe, *data = (Path(argument).resolve() for argument in sys.argv[1:])
    for kind in (Chromium, Firefox):
        for scheme in ("light", "dark"):
            with kind((900, 620), scheme == "dark") as browser, tempfile.TemporaryDirectory() as folder:
                folder = Path(folder)
                print(f"viewer: {kind.__name__}, {scheme}")
                browser.open(page)
                first_page(browser, page.parent, f"{kind.__name__.lower()}-{scheme}")
                if scheme == "light":
                    shapes(browser, folder)
                    many_records(browser, folder)
                    without_records(browser, folder)
                    truncated(browser, folder)
                    places(browser, folder)
                    downloaded_twice(browser, folder)
                    changed(browser, folder)
                    members(browser, folder)
                if scheme == "light" and kind is Chromium:
                    with tempfile.TemporaryDirectory() as cases:
                        pairs.compare(browser, idx, Path(cases), expect)
                    with tempfile.TemporaryDirectory() as more:
                        sentences(browser, idx, bad_files, Path(more))
                    dropped(browser)
                if scheme == "light" and kind is Firefox:
                    dropped_in_firefox(browser)
                accessible(browser, axe)
                if data and kind is Chromium:
                    mnist(browser, data[0] / "mnist", page.parent, scheme)
                    folders(browser, data[0], ["9 #0", "2 #1", "1 #2", "1 #3"])
                expect("errors of the page", browser.errors(), [])
    with Chromium((390, 700)) as browser, tempfile.TemporaryDirectory() as folder:
        browser.open(page)
        first_page(browser, page.parent, "narrow")
        path = Path(folder, "a_name_of_some_length_" * 5 + "images-idx3-ubyte")
        path.write_bytes(pairs.IMAGES)
        show(browser, [path], 3)
        expect("scrolling sideways", browser.run("return document.documentElement.scrollWidth > innerWidth"), False)


main()
