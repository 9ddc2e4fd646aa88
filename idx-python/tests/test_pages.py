"""Every program of the pages runs as it stands, with the digits of the sample as `mnist/`."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import idxfile

ROOT = pathlib.Path(__file__).parents[2]
SAMPLE = ROOT / "idx-cli/sample"


def programs():
    for page in ["idx-python/README.md", "docs/python.md"]:
        text = (ROOT / page).read_text()
        for found in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            line = text[: found.start()].count("\n") + 2
            yield pytest.param(found[1], id=f"{page}:{line}")


def make_files(folder):
    images, labels = (idxfile.load(SAMPLE / f"digits-{kind}-ubyte") for kind in ["images-idx3", "labels-idx1"])
    (folder / "mnist").mkdir()
    for part in ["train", "t10k"]:
        idxfile.save(folder / f"mnist/{part}-images-idx3-ubyte.gz", images)
        idxfile.save(folder / f"mnist/{part}-labels-idx1-ubyte.gz", labels)


@pytest.mark.parametrize("program", list(programs()))
def test_a_program(tmp_path, program):
    for package in re.findall(r"^(?:import|from) (\w+)", program, re.MULTILINE):
        pytest.importorskip(package)
    make_files(tmp_path)
    environment = dict(os.environ, HOME=str(tmp_path))
    if "fetch(" in program:
        if "IDX_DATA" not in os.environ:
            pytest.skip("IDX_DATA names no folder")
        cache = tmp_path / ".cache/idxfile"
        cache.mkdir(parents=True)
        (cache / "mnist").symlink_to(pathlib.Path(os.environ["IDX_DATA"]) / "mnist")
    if "pictures/" in program:
        if "IDX" not in os.environ:
            pytest.skip("IDX names no command `idx`")
        subprocess.run([os.environ["IDX"], "convert", "mnist/", "-o", "pictures/"], cwd=tmp_path, check=True)
    (tmp_path / "program.py").write_text(program)
    run = subprocess.run([sys.executable, "program.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "Warning" not in run.stderr
