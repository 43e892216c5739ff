"""The folder of downloaded graphs, and a record of what each file was when it came.

``record.json`` has for each dataset the SHA-256 of the download, the name, the size and the
SHA-256 of the file that was kept, the url and the time. ``record.lock`` is empty: it is locked while
the record is changed.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from warpath.datasets.registry import Dataset
from warpath.files import locked, replacing

_RECORD, _LOCK = "record.json", "record.lock"


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_size(value: Any) -> bool:
    return type(value) is int and value >= 0


def _is_sha256(value: Any) -> bool:
    return _is_text(value) and re.fullmatch("[0-9a-f]{64}", value) is not None


# What the record has of a dataset: how it is known, and what it is called.
_ENTRY: dict[str, tuple[Callable[[Any], bool], str]] = (
    dict.fromkeys(("url", "trusted", "file", "when"), (_is_text, "a text"))
    | dict.fromkeys(("sha256", "file_sha256"), (_is_sha256, "64 hexadecimal digits"))
    | {"bytes": (_is_size, "a number of bytes")}
)


def folder() -> Path:
    """Where graphs are kept: ``$WARPATH_DATASETS``, else ``warpath/datasets`` in the user's cache.

    Returns
    -------
    Path
        It need not exist.

    See Also
    --------
    fetch : Puts files there.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.datasets.folder().name
    'datasets'
    """
    given = os.environ.get("WARPATH_DATASETS")
    if given:
        return Path(given)
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "warpath" / "datasets"


def recorded(dataset: Dataset) -> dict[str, Any] | None:
    """What the record says of a dataset.

    Raises
    ------
    ValueError
        If the record is damaged.
    """
    return _read().get(dataset.name)


def present(dataset: Dataset) -> Path | None:
    """Its file, if it is there, of the recorded size, and the registry says nothing against it."""
    entry, path = recorded(dataset), folder() / dataset.file
    if entry is None or not path.is_file() or path.stat().st_size != entry["bytes"]:
        return None
    # Trusted on first use, before the registry had a checksum?
    if dataset.sha256 not in (None, entry["sha256"]):
        return None
    return path


def checked(dataset: Dataset) -> Path | None:
    """Its file, if it is there and every byte is as it was when it came."""
    path, entry = present(dataset), recorded(dataset)
    if path is None or entry is None or sha256(path) != entry["file_sha256"]:
        return None
    return path


def keep(
    dataset: Dataset,
    file: Path,
    download_sha256: str,
    check: Callable[[dict[str, Any] | None], None],
) -> Path:
    """Move a file into its place and record it.

    ``check`` is given what the record says of the dataset by now: another process may have
    downloaded it as well. It raises if that is something else.
    """
    entry = {
        "url": dataset.url,
        "sha256": download_sha256,
        "trusted": "by the registry" if dataset.sha256 else "on first use",
        "file": dataset.file,
        "bytes": file.stat().st_size,
        "file_sha256": sha256(file),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    path = folder() / dataset.file
    with _changing() as record:
        check(record.get(dataset.name))
        file.replace(path)
        record[dataset.name] = entry
    return path


def forget(dataset: Dataset) -> None:
    """Remove its file and its line of the record."""
    if not folder().is_dir():
        return
    with _changing() as record:
        (folder() / dataset.file).unlink(missing_ok=True)
        record.pop(dataset.name, None)


@contextmanager
def _changing() -> Iterator[dict[str, Any]]:
    """The record, for one thread of one process at a time; what it is at the end replaces it."""
    with locked(folder() / _LOCK):
        record = _read()
        before = dict(record)
        yield record
        if record != before:
            with replacing(folder() / _RECORD) as stream:
                stream.write(json.dumps(record, indent=2, sort_keys=True).encode())


def _read() -> dict[str, Any]:
    path = folder() / _RECORD
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        _check(record)
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{path} is damaged ({error}): delete it; graphs are then downloaded again"
        ) from error
    return dict(record)


def _check(record: Any) -> None:
    """Refuse what `keep` did not write."""
    if not isinstance(record, dict):
        raise ValueError(f"expected an object, not {record!r:.60}")
    for name, entry in record.items():
        if not isinstance(entry, dict):
            raise ValueError(f"{name}: expected an object, not {entry!r:.60}")
        for key, (is_one, what) in _ENTRY.items():
            if not is_one(entry.get(key)):
                raise ValueError(f"{name}.{key}: expected {what}, not {entry.get(key)!r:.60}")


def sha256(path: Path) -> str:
    """A file's SHA-256, in hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
