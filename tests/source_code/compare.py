"""Compiles the output of `idx rust --c` for a Cortex-M and an Arduino, and reads the output of `idx rust --mem` with a
Verilog simulator: all have the numbers of each valid conformance vector."""

import gzip
import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

FORMATS = {8: "B", 9: "b", 0x0B: "h", 0x0C: "i", 0x0D: "f", 0x0E: "d"}

BENCH = """
module bench;
  reg [{bit}:0] memory [0:{word}];
  integer i;
  initial begin
    $readmemh("numbers.mem", memory);
    for (i = 0; i <= {word}; i = i + 1) $display("%h", memory[i]);
  end
endmodule
"""


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    return done.returncode, done.stdout, done.stderr


def checked(command, **options):
    code, output, messages = run(command, **options)
    assert code == 0 and not messages, f"{command}: {code} {output} {messages}"
    return output


def numbers(path):
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    code, rank = data[2:4]
    return FORMATS[code], data[4 + 4 * rank :]


def same(one, other):
    return one == other or (math.isnan(one) and math.isnan(other))


def in_c(idx, path, form, payload, folder):
    (folder / "numbers.h").write_text(checked([idx, "rust", "--c", path]))
    name = re.search(r"\b(idx_\w+)\[", (folder / "numbers.h").read_text()).group(1)
    source = f'#include "numbers.h"\nextern "C" const void *use(void) {{ return {name}; }}\n'
    (folder / "numbers.cpp").write_text(source)
    (folder / "numbers.c").write_text(source.replace('extern "C" ', ""))
    strict = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fdata-sections", "-c"]
    count = len(payload) // struct.calcsize(form)
    expected = struct.unpack(f">{count}{form}", payload)
    arm = ("arm-none-eabi", ["gcc", "-std=c99", *strict, "numbers.c"], f".rodata.{name}")
    # On AVR, flash has its own addresses, and a double has only 32 bits, too few for the vectors of f64.
    avr = ("avr", ["g++", "-mmcu=atmega328p", *strict, "numbers.cpp"], ".progmem.data*")
    for target, (compiler, *options), section in (arm, *([] if form == "d" else [avr])):
        checked([f"{target}-{compiler}", *options, "-o", "numbers.o"], cwd=folder)
        copy = ["-O", "binary", "-j", section, "numbers.o", "numbers.bin"]
        checked([f"{target}-objcopy", *copy], cwd=folder)
        found = struct.unpack(f"<{count}{form}", (folder / "numbers.bin").read_bytes())
        assert all(map(same, expected, found)), f"{path}, {target}: {expected} became {found}"


def in_verilog(idx, path, form, payload, folder):
    size = struct.calcsize(form)
    words = len(payload) // size
    (folder / "numbers.mem").write_text(checked([idx, "rust", "--mem", path]))
    (folder / "bench.v").write_text(BENCH.format(bit=size * 8 - 1, word=words - 1))
    checked(["iverilog", "-o", "bench", "bench.v"], cwd=folder)
    found = checked(["vvp", "-n", "bench"], cwd=folder)
    assert bytes.fromhex(found) == payload, f"{path}: {payload.hex()} became {found}"


def main():
    idx = sys.argv[1]
    base = pathlib.Path(__file__).resolve().parent.parent / "format"
    vectors = json.loads((base / "vectors.json").read_text())["vectors"]
    compared = refused = 0
    for vector in vectors:
        path = base / vector["file"]
        if not vector["valid"]:
            for option in ("--c", "--mem"):
                assert run([idx, "rust", option, path])[0] == 1, path
            continue
        form, payload = numbers(path)
        for option, compare in (("--c", in_c), ("--mem", in_verilog)):
            if not payload:
                code, output, messages = run([idx, "rust", option, path])
                assert (code, output) == (1, "") and messages, path
                refused += 1
                continue
            with tempfile.TemporaryDirectory() as folder:
                compare(idx, path, form, payload, pathlib.Path(folder))
            compared += 1
    assert compared > 100, compared
    print(f"{compared} files have the same numbers in C and Verilog; {refused} cannot be an array")


main()
