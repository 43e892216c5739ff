"""Downloading by Pooch: into a scratch folder, checked, unpacked, and only then into the cache."""

import shutil
import tarfile
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from warpath.datasets import cache
from warpath.datasets.registry import Dataset
from warpath.errors import GraphFormatError
from warpath.io.format import recognises_nothing
from warpath.io.format_registry import FORMATS
from warpath.io.source import Source, split_suffix
from warpath.io.text_blocks import shown
from warpath.progress import Progress

_CHUNK = 1 << 20  # bytes written at a time: large enough that Python's loop costs nothing
_HEAD = 1 << 16  # bytes by which a file is recognised: beyond any comments
_TIMEOUT = 30  # seconds without a byte; guess
_TRIES_AGAIN = 2  # after a broken connection; guess


def into_cache(dataset: Dataset) -> Path:
    """Download a dataset, check it, and keep the graph's file; see `warpath.datasets.fetch`."""
    known = cache.recorded(dataset)  # raises, before anything is downloaded, if it is damaged
    cache.folder().mkdir(parents=True, exist_ok=True)
    # In the cache's folder: moving a file within a disk copies nothing.
    with tempfile.TemporaryDirectory(dir=cache.folder(), prefix="download-") as scratch:
        download = _retrieve(dataset, Path(scratch))
        found = cache.sha256(download)
        _check_checksum(dataset, found, known)
        file = _unpack(dataset, download, Path(scratch)) if dataset.member else download
        if dataset.sha256 is None and known is None:
            _check_content(dataset, file)
        return cache.keep(dataset, file, found, partial(_check_checksum, dataset, found))


def _retrieve(dataset: Dataset, scratch: Path) -> Path:
    """Download into ``scratch``; a ConnectionError says what went wrong."""
    try:
        import pooch
        import requests
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"downloading {dataset.name!r} takes Pooch: pip install 'warpath[datasets]'",
            name=error.name,
        ) from error
    downloader = pooch.HTTPDownloader(
        progressbar=_Bar(dataset.name),
        chunk_size=_CHUNK,
        timeout=_TIMEOUT,
        # As it lies there: a server that unpacked a .gz would change its checksum.
        headers={"Accept-Encoding": "identity"},
    )
    logger = pooch.get_logger()
    level = logger.level
    logger.setLevel("WARNING")  # what it says of a missing checksum, the documentation says
    try:
        return Path(
            pooch.retrieve(dataset.url, None, "download", scratch, downloader=_again(downloader))
        )
    except requests.HTTPError as error:
        raise ConnectionError(
            f"the server does not give {dataset.name!r}, nothing was kept: {error}"
        ) from error
    except requests.RequestException as error:
        raise ConnectionError(
            f"the download of {dataset.name!r} from {dataset.url} failed, nothing was kept: {error}"
        ) from error
    finally:
        logger.setLevel(level)


def _again(downloader: Any) -> Any:
    """The downloader, which tries again where the connection broke."""
    import requests

    def attempt(url: str, output_file: str, pooch: Any) -> None:
        for left in reversed(range(1 + _TRIES_AGAIN)):
            try:
                downloader(url, output_file, pooch)
                return
            except requests.HTTPError:  # an answer, which the next one would repeat
                raise
            except requests.RequestException:
                if not left:
                    raise
            finally:
                downloader.progressbar.close()

    return attempt


def _unpack(dataset: Dataset, archive: Path, scratch: Path) -> Path:
    """The graph's file out of an archive, and nothing else."""
    file = scratch / "member"
    try:
        with tarfile.open(archive) as tar:
            member = tar.extractfile(str(dataset.member))
            if member is None:
                raise KeyError(f"{dataset.member} is no file")
            with member, file.open("wb") as out:
                shutil.copyfileobj(member, out, _CHUNK)
    except (KeyError, tarfile.TarError, EOFError, OSError) as error:
        raise ValueError(
            f"{dataset.url} is not the archive that it should be, nothing was kept: "
            f"no {dataset.member} can be read from it ({error})"
        ) from error
    return file


def _check_checksum(dataset: Dataset, found: str, known: dict[str, Any] | None) -> None:
    """Refuse a download that is not what the registry, else the record (``known``) says."""
    expected = dataset.sha256 or (known["sha256"] if known else None)
    if expected is not None and found != expected:
        raise ValueError(_mismatch(dataset, expected, found, known))


def _check_content(dataset: Dataset, file: Path) -> None:
    """Refuse, on first use, a file that is not what its name says: a login page, half an archive."""
    _, suffix, compression = split_suffix(Path(dataset.file))
    formats = [
        known
        for known in FORMATS
        if suffix in known.suffixes and known.sniff is not recognises_nothing
    ]
    what = (
        f"{dataset.url} is not the {suffix}{compression} file that it should be, nothing was kept"
    )
    try:
        with Source(file) as source:
            head = source.peek(_HEAD)
            right = source.compression == compression
            right &= not formats or any(known.sniff(head) for known in formats)
            if not right:
                raise ValueError(f"{what}: it begins with {shown(head)}")
            while source.read(_CHUNK):
                pass
    except GraphFormatError as error:
        raise ValueError(f"{what}: {error.message}") from error


def _mismatch(dataset: Dataset, expected: str, found: str, known: dict[str, Any] | None) -> str:
    if dataset.sha256 or known is None:
        whose = "warpath's registry expects"
        why = "it is damaged, or was packed again after that checksum was published"
        # No switch accepts it: what the registry vouches for is that checksum alone.
        advice = (
            "Try again; if it stays so and you trust the server, download it by other means and "
            f"give warpath.read the graph's file, {dataset.file}"
        )
    else:
        whose = f"the first download, of {known['when']}, had"
        why = "it is damaged or was replaced"
        advice = (
            "If you know that it was replaced, "
            f"warpath.datasets.forget({dataset.name!r}) drops what was recorded of it"
        )
    return (
        f"the download of {dataset.name!r} from {dataset.url} has the SHA-256 {found}, but {whose} "
        f"{expected}: {why}. Nothing was kept. {advice}"
    )


class _Bar:
    """Pooch's progress bar, shown by warpath's own."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._bar: Progress | None = None
        self.total: int | None = None

    def update(self, size: int) -> None:
        """Say that ``size`` more bytes came."""
        if self._bar is None:
            self._bar = Progress(self._name, self.total or None)
        self._bar.advance(size)

    def reset(self) -> None:
        """Begin again."""
        self.close()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
