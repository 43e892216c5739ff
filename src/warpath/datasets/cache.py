"""The folder of downloaded graphs, and a record of what each file was when it came.

``record.json`` has for each dataset the SHA-256 of the download, the name, the size and the
SHA-256 of the file that was kept, the url and the time.
"""

import hashlib
import json
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from warpath.datasets.registry import Dataset

_RECORD = "record.json"


def folder() -> Path:
    """Where graphs are kept: ``$WARPATH_DATASETS``, else ``warpath/datasets`` in the user's cache."""
    given = os.environ.get("WARPATH_DATASETS")
    if given:
        return Path(given)
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "warpath" / "datasets"


def recorded(dataset: Dataset) -> dict[str, Any] | None:
    """What the record says of a dataset."""
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


def keep(dataset: Dataset, file: Path, download_sha256: str) -> Path:
    """Move a file into its place and record it."""
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
    file.replace(path)
    _write(_read() | {dataset.name: entry})
    return path


def forget(dataset: Dataset) -> None:
    """Remove its file and its line of the record."""
    (folder() / dataset.file).unlink(missing_ok=True)
    record = _read()
    if record.pop(dataset.name, None) is not None:
        _write(record)


def sha256(path: Path) -> str:
    """Of a file, in hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read() -> dict[str, Any]:
    path = folder() / _RECORD
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ValueError(
            f"{path} is damaged ({error}): delete it; graphs are then downloaded again"
        ) from error
    return dict(record)


def _write(record: dict[str, Any]) -> None:
    """In one step, so that no reader sees half a record."""
    folder().mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=folder(), delete=False, encoding="utf-8") as stream:
        json.dump(record, stream, indent=2, sort_keys=True)
    Path(stream.name).replace(folder() / _RECORD)
