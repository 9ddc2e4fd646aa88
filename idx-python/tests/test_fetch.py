"""`fetch` from local servers, some of which send wrong files."""

import hashlib
import os
import pathlib
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

import idxfile
from idxfile import _fetch, _native

NAMES = [f"{part}-{kind}-ubyte.gz" for part in ["train", "t10k"] for kind in ["images-idx3", "labels-idx1"]]


@pytest.fixture
def published(tmp_path, monkeypatch):
    """Makes a small data set that the table takes for MNIST, with its names. Returns the content of each file."""
    folder = tmp_path / "published"
    folder.mkdir()
    for name, count in zip(NAMES, [6, 6, 4, 4]):
        shape = (count, 28, 28) if "images" in name else count
        array = np.random.default_rng(count).integers(0, 10, shape, "uint8")
        idxfile.save(folder / name, array)
    files = {name: (folder / name).read_bytes() for name in NAMES}
    table = [(name, len(data), hashlib.sha256(data).hexdigest()) for name, data in files.items()]
    monkeypatch.setattr(_fetch, "known", lambda name: (name, table, ["http://127.0.0.1:9/"], None))
    return files


@pytest.fixture
def mirror():
    """Yields a function that starts a server, which answers by the given function, and returns its address."""
    servers = []

    def start(answer):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                answer(self, self.path.rpartition("/")[2])

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/data"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def send(handler, data, length=None):
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(data) if length is None else length))
    handler.end_headers()
    handler.wfile.write(data)


def test_a_set_is_downloaded_once(tmp_path, published, mirror):
    requests = []

    def answer(handler, name):
        requests.append(name)
        assert handler.headers["Accept-Encoding"] == "identity"
        send(handler, published[name])

    folder = tmp_path / "new" / "mnist"
    for _ in range(2):
        data = idxfile.fetch("mnist", folder, mirror(answer))
        assert (len(data.train), len(data.test)) == (6, 4)
        image, label = data.train[0]
        assert image.shape == (28, 28) and isinstance(label, int)
    assert requests == NAMES
    assert sorted(path.name for path in folder.iterdir()) == sorted(NAMES)
    # With the mode of any new file.
    other = folder / "other"
    other.touch()
    assert (folder / NAMES[0]).stat().st_mode == other.stat().st_mode


def test_the_folder_is_in_the_cache_if_none_is_named(tmp_path, published, mirror, monkeypatch):
    monkeypatch.setattr(pathlib.Path, "home", lambda: tmp_path)
    idxfile.fetch("mnist", mirror=mirror(lambda handler, name: send(handler, published[name])))
    assert len(list((tmp_path / ".cache/idxfile/mnist").iterdir())) == 4


def test_a_folder_of_the_user_is_not_made_here(tmp_path, published, mirror, monkeypatch):
    """Failed before: the files were in a folder `~` of the current one."""
    monkeypatch.chdir(tmp_path)
    for variable in ["HOME", "USERPROFILE"]:
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    idxfile.fetch("mnist", "~/sets", mirror(lambda handler, name: send(handler, published[name])))
    assert len(list((tmp_path / "home/sets").iterdir())) == 4 and not (tmp_path / "~").exists()


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path, published, mirror, monkeypatch):
    """Failed before: nothing was synced, and the next call refuses a file that a power failure has emptied."""
    found, fsync = [], os.fsync

    def sync(file):
        found.append(sorted(path.name for path in tmp_path.glob("set/[!.]*")))
        fsync(file)

    monkeypatch.setattr(os, "fsync", sync)
    idxfile.fetch("mnist", tmp_path / "set", mirror(lambda handler, name: send(handler, published[name])))
    assert found == [sorted(NAMES[:count]) for count in range(4)]


def changed(data):
    return data[:-1] + bytes([data[-1] ^ 1])


def drip(handler, data):
    handler.send_response(200)
    handler.end_headers()
    for byte in data:
        handler.wfile.write(bytes([byte]))
        time.sleep(0.01)


@pytest.mark.parametrize(
    "lie, sentence",
    [
        (lambda handler, data: send(handler, b"<!DOCTYPE html><p>Moved"), "gave a web page instead of the file"),
        (lambda handler, data: handler.send_error(404), "answered 404"),
        (lambda handler, data: send(handler, changed(data)), "whose SHA-256 is not the published one"),
        (lambda handler, data: send(handler, data + b"x"), "whose SHA-256 is not the published one"),
        (lambda handler, data: send(handler, data[:20]), "broke off after 20 of "),
        (lambda handler, data: send(handler, data[:20], len(data)), "broke off after 20 of "),
        (lambda handler, data: send(handler, b""), "broke off after 0 of "),
        (lambda handler, data: handler.wfile.write(b"\x00\x01 no HTTP\r\n"), "broke off after 0 of "),
        (lambda handler, data: time.sleep(5), "broke off after 0 of "),
        (drip, "is too slow"),
        (lambda handler, data: drip(handler, b"<!DOCTYPE html>"), "gave a web page instead of the file"),
    ],
)
def test_a_mirror_that_lies_leaves_nothing(tmp_path, published, mirror, monkeypatch, lie, sentence):
    monkeypatch.setattr(_fetch, "_PATIENCE", 1.5)
    monkeypatch.setattr(_fetch, "_SLOWEST", 1 << 20)
    folder = tmp_path / "new" / "mnist"
    with pytest.raises(idxfile.Error) as raised:
        idxfile.fetch("mnist", folder, mirror(lambda handler, name: lie(handler, published[name])))
    assert raised.value.code == "fetch_failed"
    assert sentence in str(raised.value) and NAMES[0] in str(raised.value)
    # Failed before: the new folders stayed, empty.
    assert not folder.parent.exists()


def test_the_next_mirror_is_tried(tmp_path, published, mirror, monkeypatch):
    table = _fetch.known("mnist")[1]
    lying = mirror(lambda handler, name: send(handler, b"<html>"))
    honest = mirror(lambda handler, name: send(handler, published[name]))
    monkeypatch.setattr(_fetch, "known", lambda name: (name, table, [lying, honest], None))
    assert len(idxfile.fetch("mnist", tmp_path / "mnist").test) == 4


def test_classes_have_names(tmp_path, published, mirror, monkeypatch):
    table = _fetch.known("mnist")[1]
    names = ("classes.txt", "".join(f"the class {label}\n" for label in range(10)))
    address = mirror(lambda handler, name: send(handler, published[name]))
    monkeypatch.setattr(_fetch, "known", lambda name: ("a set of its own", table, [address], names))
    for _ in range(2):
        assert idxfile.fetch("mnist", tmp_path / "mnist").test.classes[9] == "the class 9"


def test_another_file_of_that_name_stays(tmp_path, published, mirror):
    folder = tmp_path / "mnist"
    folder.mkdir()
    (folder / NAMES[0]).write_text("mine")
    with pytest.raises(idxfile.Error) as raised:
        idxfile.fetch("mnist", folder, mirror(lambda handler, name: send(handler, published[name])))
    assert raised.value.code == "file_conflict"
    assert (folder / NAMES[0]).read_text() == "mine"


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="every folder can be written")
def test_a_folder_that_cannot_be_written_is_an_error_of_the_system(tmp_path, published, mirror):
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        idxfile.fetch("mnist", tmp_path, mirror(lambda handler, name: send(handler, published[name])))


def test_the_archive_of_emnist_is_extracted(tmp_path, published, mirror, monkeypatch):
    import io
    import zipfile

    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as members:
        for name, data in published.items():
            name = "emnist-letters-" + name.replace("t10k", "test")
            members.writestr(f"gzip/{name}", data)
            members.writestr(f"gzip/{name.replace('letters', 'digits')}", data)
        members.writestr("../emnist-letters-outside-ubyte.gz", b"")
        members.writestr("gzip/emnist-letters-mapping.txt", b"")
    data = archive.getvalue()
    table = [("gzip.zip", len(data), hashlib.sha256(data).hexdigest())]
    monkeypatch.setattr(_fetch, "known", lambda name: (name, table, [], ("emnist-letters-classes.txt", "\n" + "\n".join("abcdefghij"))))
    folder = tmp_path / "emnist"
    for _ in range(2):
        data_set = idxfile.fetch("emnist-letters", folder, mirror(lambda handler, name: send(handler, data)))
        assert (len(data_set.train), len(data_set.test)) == (6, 4)
    assert len(list(folder.iterdir())) == 6


def test_the_table_is_that_of_the_crates():
    _, files, addresses, (name, names) = _native.known("fashion-mnist")
    assert [name for name, _, _ in files] == NAMES
    assert str(name) == "classes.txt" and names.splitlines()[9] == "Ankle boot"
    assert _native.known("mnist")[3] is None and _native.known("emnist-letters")[1][0][0] == "gzip.zip"
    assert files[3][1] == 5148 and all(len(sha256) == 64 for _, _, sha256 in files)
    assert all(address.startswith("http") and address.endswith("/") for address in addresses)
    with pytest.raises(idxfile.Error, match="mnist, fashion-mnist"):
        idxfile.fetch("nist")


@pytest.mark.skipif("IDX_DATA" not in os.environ, reason="IDX_DATA names no folder")
def test_mnist_itself(tmp_path, mirror):
    folder = pathlib.Path(os.environ["IDX_DATA"]) / "mnist"
    address = mirror(lambda handler, name: send(handler, (folder / name).read_bytes()))
    data = idxfile.fetch("mnist", tmp_path, address)
    assert data.train.images.shape == (60000, 28, 28) and data.train[0][1] == 5
    assert len(data.test) == 10000 and set(data.test.labels) == set(range(10))


def test_no_other_records_are_read_with_the_files(tmp_path):
    """Fashion-MNIST's class names would belong to a table, and MNIST's labels to other images."""
    table = tmp_path / "train.csv"
    table.write_text("label,a\n0,1\n1,3\n")
    with pytest.raises(idxfile.Error, match="train.csv would be read with this new file") as raised:
        idxfile.fetch("fashion-mnist", tmp_path, "http://127.0.0.1:9/")
    assert raised.value.code == "mismatch" and os.listdir(tmp_path) == ["train.csv"]
    table.unlink()
    idxfile.save(tmp_path / "train-images-idx3-ubyte", np.zeros((2, 28, 28), "uint8"))
    with pytest.raises(idxfile.Error, match="this file is not of MNIST, and would be read with it"):
        idxfile.fetch("mnist", tmp_path, "http://127.0.0.1:9/")
    assert os.listdir(tmp_path) == ["train-images-idx3-ubyte"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes that have names")
def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / NAMES[0])
    with pytest.raises(idxfile.Error, match="not a regular file"):
        idxfile.fetch("mnist", tmp_path, "http://127.0.0.1:9/")
