"""Graphs in several files: a folder, a pattern or a list of paths."""

import glob
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from warpath.errors import GraphFormatError
from warpath.graph.batches import EdgeBatches
from warpath.graph.check import wrong_kind
from warpath.graph.graph import Graph
from warpath.io import format_registry
from warpath.io.assembly import Listing
from warpath.io.format import Format
from warpath.io.source import File, Source

_HIDDEN = (".", "_")  # what begins names of files that hold no edges, as Spark's _SUCCESS


def parts_of(file: File | Sequence[File]) -> list[Path] | None:
    """The files that ``file`` stands for, in order; None if it is one file.

    Parameters
    ----------
    file : path, or sequence of paths
        A folder stands for its files, by name, without those that begin with a dot or an underscore. A
        pattern (with ``*``, ``?`` or ``[``) stands for what matches it, by name, unless a file is called so.

    Raises
    ------
    TypeError
        If it is neither.
    OSError
        If there are none.
    ValueError
        If a folder holds folders, or a list "-".
    """
    if not isinstance(file, (str, os.PathLike)):
        paths = listed(file)
        if not paths:
            raise ValueError("a list of no files: give at least one path")
        if Path("-") in paths:
            raise ValueError("standard input is no part of a graph: give paths")
        return paths
    name = os.fspath(file)
    if os.path.isdir(name):
        paths = sorted(path for path in Path(name).iterdir() if not path.name.startswith(_HIDDEN))
        for path in paths:
            if path.is_dir():
                raise ValueError(
                    f"{name}: {path.name} is a folder: give a pattern, as '{name}/*/*'"
                )
        if not paths:
            raise FileNotFoundError(2, "No files in the folder", name)
        return paths
    if glob.has_magic(name) and not os.path.exists(name):
        paths = sorted(
            Path(path) for path in glob.glob(name, recursive=True) if os.path.isfile(path)
        )
        if not paths:
            raise FileNotFoundError(2, "No file matches the pattern", name)
        return paths
    return None


def listed(files: Iterable[File]) -> list[Path]:
    """The paths of several files, of which an iterator gives each once.

    Raises
    ------
    TypeError
        If these are not several.
    """
    if not isinstance(files, Iterable):
        raise wrong_kind("a path, or several", files)
    return [Path(one) for one in files]


def read_parts(
    name: str, paths: Sequence[Path], known: Format | None, max_bytes: int | None, **options: Any
) -> Graph:
    """One graph of the edges that several files list.

    Parameters
    ----------
    name : str
        What messages call all of them.
    paths : sequence of path
    known : Format, optional
        By default each file's suffix or content decides, and they must agree.
    max_bytes : int, optional
        For each file.
    **options
        Those of the format.

    Raises
    ------
    GraphFormatError
        Also if a file holds a whole graph, or files contradict each other.
    """
    edges, limit = EdgeBatches(), 0
    listings: list[Listing] = []
    first: Format | None = None
    for path in paths:
        with Source(path, max_bytes) as source:
            chosen = known or format_registry.of_source(source)
            if chosen.list_edges is None:
                parts = [
                    other.name for other in format_registry.FORMATS if other.list_edges is not None
                ]
                raise source.error(
                    f"a {chosen.name} file holds a whole graph, not a part of one; these hold parts: "
                    f"{', '.join(parts)}"
                )
            first = first or chosen
            check_format(path, chosen, paths[0], first)
            options = format_registry.options_for(chosen, options)
            listing = chosen.list_edges(source, edges, **options)
            listings.append(listing)
            if options.get("directed") is None:
                check_agreement(path, listing, paths[0], listings[0])
            limit += source.limit
    assert first is not None
    whole = Listing(
        listings[0].directed,
        max(listing.n for listing in listings),
        any(listing.named for listing in listings),
    )
    return first.make_graph(Parts(name, limit), edges, whole, **options)


def check_format(path: Path, chosen: Format, first: Path, of_first: Format) -> None:
    """Refuse a part that is of another format than the first one."""
    if chosen is not of_first:
        raise GraphFormatError(str(path), None, f"is {chosen.name}, but {first} is {of_first.name}")


def check_agreement(path: Path, listing: Listing, first: Path, of_first: Listing) -> None:
    """Refuse a part that says otherwise than the first one whether the graph is directed."""
    if listing.directed is not of_first.directed:
        words = {
            True: "a directed graph",
            False: "an undirected graph",
            None: "nothing of directions",
        }
        raise GraphFormatError(
            str(path), None,
            f"says {words[listing.directed]}, but {first} {words[of_first.directed]}: pass directed=",
        )  # fmt: skip


class Parts(Source):
    """All parts, of which nothing is left to read; ``max_bytes`` is what they may take together."""

    def __init__(self, name: str, max_bytes: int) -> None:
        self.name, self.max_bytes = name, max_bytes
