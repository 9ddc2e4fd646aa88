"""The known data sets, downloaded with Python's own https."""

import hashlib
import http.client
import os
import secrets
import shutil
import time
import urllib.error
import urllib.request
import zipfile
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from . import _advice
from ._native import error, expect_alone, known, signature
from ._set import open as open_set

# The seconds for which a mirror may be silent. A whole file may take as long, and a second more for each 4 KiB.
_PATIENCE = 30
_SLOWEST = 4096
_PIECE = 1 << 18


def fetch(name, folder=None, mirror=None, **unknown):
    """Open a known data set, after downloading the files that are missing and checking all by their SHA-256.

    ``name`` is mnist, fashion-mnist, kmnist, qmnist, or one of emnist-letters, emnist-digits, emnist-balanced,
    emnist-mnist, emnist-bymerge and emnist-byclass, which come from one archive of 562 MB. Case and separators do not
    matter. A terminal shows the progress if ``tqdm`` is installed.

    ``folder`` has the files; by default, it is a folder of this name in ``~/.cache/idxfile``. ``mirror`` is the address
    of another folder with the files, used instead of the known ones.

    Raises Error with the code "fetch_failed" if no mirror has a file, "file_conflict" if another file has its name, and
    "mismatch" if another file would be read with the set.

    >>> image, label = fetch("mnist").train[0]
    """
    _advice.expect_none(unknown, _advice.OF_FETCH, "folder and mirror")
    if not isinstance(name, str):
        raise TypeError(f"`name` is that of a data set, such as 'mnist', not {name!r}")
    if mirror is not None and not (isinstance(mirror, str) and "://" in mirror):
        raise TypeError(f"`mirror` is the address of a folder, such as https://example.org/mnist/, not {mirror!r}")
    name, files, addresses, class_list = known(name)
    folder = Path.home() / ".cache" / "idxfile" / name if folder is None else Path(os.fsdecode(folder)).expanduser()
    with _new_folders(folder):
        expect_alone(name, folder)
        for file in files:
            _fetch_file(folder, *file, addresses if mirror is None else [mirror])
            if file[0].endswith(".zip"):
                _extract(folder / file[0], name, folder)
        if class_list:
            _write(folder / class_list[0], class_list[1].encode())
    return open_set(folder)


@contextmanager
def _new_folders(folder):
    """Make a folder and those above it. If the block fails, remove the new ones that are empty."""
    new = [one for one in [folder, *folder.parents] if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for one in new:
                one.rmdir()
        raise


def _fetch_file(folder, name, size, sha256, mirrors):
    path = folder / name
    if _is_there(path, sha256):
        return
    failures = []
    for mirror in mirrors:
        address = f"{mirror.rstrip('/')}/{name}"
        try:
            with _appearing(path) as file:
                _download(address, size, sha256, file)
            return
        except _MirrorFailed as failure:
            failures.append(f"{address} {failure}")
    reasons = "; ".join(failures)
    message = f"no mirror gave this file: {reasons}; try again later, or name another mirror"
    raise error("fetch_failed", f"{path}: {message}")


class _MirrorFailed(Exception):
    """A failure of one mirror; another one may work."""


def _download(address, size, sha256, file):
    digest = hashlib.sha256()
    with _progress(address, size) as progress:
        for piece in _pieces(address, size):
            digest.update(piece)
            file.write(piece)
            if progress is not None:
                progress.update(len(piece))
    if digest.hexdigest() != sha256:
        raise _MirrorFailed("gave another file, whose SHA-256 is not the published one")


def _progress(address, size):
    """Return a progress bar for a terminal, if tqdm is installed."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return nullcontext()
    return tqdm(total=size, unit="B", unit_scale=True, desc=address.rsplit("/", 1)[-1], disable=None, leave=False)


def _pieces(address, size):
    # Without the header, a server may compress the file once more.
    request = urllib.request.Request(address, headers={"Accept-Encoding": "identity", "User-Agent": "idxfile"})
    start, count = time.monotonic(), 0
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as response:
            # The first bytes show the format; then `read1` returns the bytes that have arrived. If there are too many,
            # it is another file.
            while count <= size and (piece := response.read1(_PIECE) if count else response.read(256)):
                found = None if count else signature(piece)
                if found not in (None, "a zip archive", "xz data"):
                    raise _MirrorFailed(f"gave {found} instead of the file")
                count += len(piece)
                yield piece
                if time.monotonic() - start > _PATIENCE + count / _SLOWEST:
                    raise _MirrorFailed(f"is too slow: {count} of {size} bytes came")
    except urllib.error.HTTPError as failure:
        raise _MirrorFailed(f"answered {failure.code} {failure.reason}") from None
    except (OSError, http.client.HTTPException) as failure:
        reason = getattr(failure, "reason", failure)
        raise _MirrorFailed(f"broke off after {count} of {size} bytes: {reason}") from None
    if count < size:
        raise _MirrorFailed(f"broke off after {count} of {size} bytes")


def _write(path, content):
    if not _is_there(path, hashlib.sha256(content).hexdigest()):
        with _appearing(path) as file:
            file.write(content)


def _is_there(path, sha256):
    digest = hashlib.sha256()
    if path.exists() and not path.is_file():
        raise error("not_a_regular_file", f"{path}: this is a folder, a pipe or a device, not a regular file; move it away")
    try:
        with open(path, "rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
    except FileNotFoundError:
        return False
    if digest.hexdigest() != sha256:
        message = "a file with this name exists, but it is not the published one; move it away"
        raise error("file_conflict", f"{path}: {message}")
    return True


@contextmanager
def _appearing(path):
    """Yield a file that gets its name when the block ends, and is removed if it fails."""
    hidden = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(hidden, "xb") as file:
            yield file
            # Otherwise an empty file could have the name after a power failure.
            file.flush()
            os.fsync(file.fileno())
        hidden.replace(path)
    finally:
        hidden.unlink(missing_ok=True)


def _extract(archive, name, folder):
    """Extract the files of one set from EMNIST's archive, whose hash was verified."""
    with zipfile.ZipFile(archive) as members:
        for member in members.namelist():
            path = folder / member.removeprefix("gzip/")
            is_wanted = path.name.startswith(f"{name}-") and path.name.endswith("ubyte.gz")
            if is_wanted and member == f"gzip/{path.name}" and not path.exists():
                with _appearing(path) as file, members.open(member) as content:
                    shutil.copyfileobj(content, file)
