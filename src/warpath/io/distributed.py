"""Graphs of whose files each rank reads a share."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from warpath.distributed.construct import part_of_edges
from warpath.distributed.context import current
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.transport import Transport
from warpath.errors import GraphFormatError, RanksDisagreeError
from warpath.graph.batches import EdgeBatches
from warpath.graph.build import Batch
from warpath.graph.check import MAX_VERTICES
from warpath.io import format_registry
from warpath.io.assembly import NUMBERS_ONLY, Listing, check_vertices, graph_of_listing
from warpath.io.format import Format
from warpath.io.parts import Parts, check_agreement, check_format, listed, parts_of
from warpath.io.source import File, Source


class _Share(NamedTuple):
    """What a rank has read of a file.

    Attributes
    ----------
    listing : Listing
        What the file says: the same on all ranks that read a share of it.
    edges : int
        How many the share lists.
    max_bytes : int
        `Source.limit` of the file.
    """

    listing: Listing
    edges: int
    max_bytes: int


def read_distributed(
    file: File | Sequence[File],
    known: Format | None,
    max_bytes: int | None,
    *,
    directed: bool | None = None,
    compact: bool | None = None,
    **options: Any,
) -> DistributedGraph:
    """See `warpath.read`.

    With as many files as ranks or more, each rank reads some of them. Else it reads a share of each file; one
    that is compressed is read by one rank.
    """
    transport = current()
    if not isinstance(file, (str, os.PathLike)):
        file = listed(file)
    names = [os.fspath(one) for one in (file if isinstance(file, list) else [file])]
    with transport.together(
        "read", files=names, format=known and known.name, directed=directed, compact=compact, **options
    ):  # fmt: skip
        if compact:
            raise ValueError(
                "compact=True makes ids names, and distributed=True takes numbers of vertices: write "
                "wp.read(file, compact=True).without_labels() in another file, and read that"
            )
        paths = parts_of(file) or [Path(names[0])]
        if any(path == Path("-") or path.is_fifo() for path in paths):
            raise ValueError("standard input and pipes have no shares: give the path of a file")
        name = f"{len(paths)} files" if isinstance(file, list) else names[0]
        _check_same_files(transport, paths)
        chosen, compressed = _formats(transport, paths, known, max_bytes)
        _check_shares(chosen, paths[0], directed)
        options = format_registry.options_for(chosen, {"compact": False, **options})
        edges = EdgeBatches()
        shares: dict[int, _Share] = {}
        for i, path in enumerate(paths):
            share = _share_of(transport, i, len(paths), is_compressed=compressed[i])
            if share is not None:
                shares[i] = _list_share(
                    path, share, edges, chosen, max_bytes, options, are_numbers=compact is False
                )
        n, directed = _agreed(
            name, paths, transport.gather_objects((edges.largest + 1, shares)), directed
        )
        batches = _with_common_weights(transport, edges, name)
        del edges
        part = part_of_edges(transport, n, batches, directed=directed)
        return DistributedGraph(transport, part, directed)


def _check_same_files(transport: Transport, paths: Sequence[Path]) -> None:
    """Refuse files that are not the same on all ranks: shares of them would not fit together."""
    mine = [(path.name, path.stat().st_size) for path in paths]
    for rank, other in enumerate(transport.gather_objects(mine)):
        if other != mine:
            raise RanksDisagreeError(
                f"rank {transport.rank} sees the files {mine[:3]}, rank {rank} {other[:3]}"
            )


def _formats(
    transport: Transport, paths: Sequence[Path], known: Format | None, max_bytes: int | None
) -> tuple[Format, list[bool]]:
    """The format of all files, and whether each is compressed; each rank looks at some of them."""
    seen: dict[int, tuple[str, bool]] = {}
    for i in range(transport.rank, len(paths), transport.size):
        with Source(paths[i], max_bytes) as source:
            chosen = known or format_registry.of_source(source)
            seen[i] = chosen.name, bool(source.compression)
    everything = {i: said for one in transport.gather_objects(seen) for i, said in one.items()}
    formats = [format_registry.by_name(everything[i][0]) for i in range(len(paths))]
    for path, chosen in zip(paths, formats, strict=True):
        check_format(path, chosen, paths[0], formats[0])
    return formats[0], [everything[i][1] for i in range(len(paths))]


def _check_shares(chosen: Format, path: Path, directed: bool | None) -> None:
    """Refuse a format whose files cannot be read in shares."""
    if chosen.list_edges is None:
        parts = [one.name for one in format_registry.FORMATS if one.list_edges is not None]
        raise GraphFormatError(
            str(path), None,
            f"distributed=True reads {', '.join(parts)}, not {chosen.name}: warpath convert writes a "
            "file in one of these, and wp.distributed.distribute takes a graph that each rank has read",
        )  # fmt: skip
    if directed is False and chosen.make_graph is not graph_of_listing:
        raise ValueError(
            f"{path}: directed=False of {chosen.name} files looks for the reverse of each arc, which "
            "distributed=True cannot: format='edge-list' takes each line for an edge"
        )


def _share_of(
    transport: Transport, i: int, files: int, *, is_compressed: bool
) -> tuple[int, int] | None:
    """Which share of file ``i`` this rank reads: `Source`'s; None if it reads nothing of it."""
    if files < transport.size and not is_compressed:
        return transport.rank, transport.size
    return (0, 1) if i % transport.size == transport.rank else None


def _list_share(
    path: Path, share: tuple[int, int], edges: EdgeBatches, chosen: Format, max_bytes: int | None,
    options: dict[str, Any], *, are_numbers: bool,
) -> _Share:  # fmt: skip
    """Add a share of a file to ``edges``; with ``are_numbers`` ids are, also where the file says that they are names."""
    assert chosen.list_edges is not None
    before = len(edges)
    with Source(path, max_bytes, share) as source:
        listing = chosen.list_edges(source, edges, **options)
        if edges.named or (listing.named and not are_numbers):
            hint = "" if edges.named else "; compact=False takes integers as numbers"
            raise source.error(f"ids are names{NUMBERS_ONLY}{hint}")
        if edges.smallest < 0 or edges.largest >= MAX_VERTICES:
            vertex = min(edges.smallest, 0) or edges.largest
            raise source.error(f"vertex id {vertex}{NUMBERS_ONLY}, 0 … {MAX_VERTICES - 1}")
        return _Share(listing, len(edges) - before, source.limit)


def _agreed(
    name: str, paths: Sequence[Path], shares: Sequence[tuple[int, dict[int, _Share]]], directed: bool | None
) -> tuple[int, bool]:  # fmt: skip
    """The number of vertices, and whether the graph is directed.

    Parameters
    ----------
    name : str
        What messages call all files.
    shares : sequence of tuple
        Each rank's number of vertices by the ids that it has read, and its shares by their files.
    directed : bool or None
        What the caller says.

    Raises
    ------
    GraphFormatError
        If a file is truncated, files contradict each other, or there are more vertices than they may have.
    """
    n, max_bytes = max(count for count, _ in shares), 0
    first: Listing | None = None
    for i, path in enumerate(paths):
        of_file = [mine[i] for _, mine in shares if i in mine]
        listing = of_file[0].listing
        listing.check_complete(sum(one.edges for one in of_file), str(path))
        first = first or listing
        if directed is None:
            check_agreement(path, listing, paths[0], first)
        n = max(n, listing.n)
        max_bytes += of_file[0].max_bytes
    assert first is not None
    check_vertices(Parts(name, max_bytes), n)
    return n, first.directed is not False if directed is None else directed


def _with_common_weights(transport: Transport, edges: EdgeBatches, name: str) -> list[Batch]:
    """The batches, at least one; their weights have the dtype that holds those of all ranks."""
    edges.unify_weights()
    batches = list(edges)
    mine = (
        "" if not batches else "none" if batches[0].weight is None else batches[0].weight.dtype.str
    )
    blocks = transport.gather(np.frombuffer(mine.encode(), np.uint8))
    said = {block.tobytes().decode() for block in blocks} - {""}
    if "none" in said and len(said) > 1:
        raise GraphFormatError(name, None, "some edges have weights, and others none")
    none = np.empty(0, np.int32)
    if said <= {"none"}:
        return batches or [Batch(none, none, None)]
    dtype = np.result_type(*(np.dtype(name) for name in said))
    return [
        Batch(source, target, np.asarray(weight, dtype))
        for source, target, weight in batches or [Batch(none, none, none)]
    ]
