"""Which graphs can be downloaded, and from where: ``registry.toml``."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath


@dataclass(frozen=True)
class Dataset:
    """A published graph.

    Attributes
    ----------
    name : str
    url : str
        A file, or an archive (tar).
    member : str or None
        For an archive: the path of the graph's file in it.
    sha256 : str or None
        The SHA-256 of what the url leads to; None where it is not known.
    directed : bool or None
    compact : bool
        What `warpath.read` is told.
    """

    name: str
    url: str
    member: str | None = None
    sha256: str | None = None
    directed: bool | None = None
    compact: bool = False

    @property
    def file(self) -> str:
        """What the graph's file is called in the cache."""
        return PurePosixPath(self.member or self.url).name


@cache
def datasets() -> dict[str, Dataset]:
    """All of them by name, in the registry's order."""
    text = Path(__file__).with_name("registry.toml").read_text(encoding="utf-8")
    return {name: Dataset(name, **row) for name, row in tomllib.loads(text).items()}


def lookup(name: str) -> Dataset:
    """The dataset of that name; a ValueError lists the choices."""
    known = datasets()
    if name not in known:
        raise ValueError(f"unknown dataset {name!r}: choose one of {', '.join(known)}")
    return known[name]
