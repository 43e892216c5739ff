"""Graphs of whose files each rank reads a share."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from warpath.distributed.construct import part_of_edges
from warpath.distributed.context import current
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.transport import Transport
from warpath.errors import RanksDisagreeError
from warpath.graph.batches import EdgeBatches
from warpath.graph.build import Batch
from warpath.io import format_registry
from warpath.io.assembly import Listing, graph_of_listing
from warpath.io.format import Format
from warpath.io.parts import parts_of
from warpath.io.source import File, Source


def read_distributed(
    file: File | Sequence[File],
    known: Format | None,
    max_bytes: int | None,
    *,
    directed: bool | None = None,
    **options: Any,
) -> DistributedGraph:
    """See `warpath.read`.

    With as many files as ranks or more, each rank reads some of them. Else it reads a share of each file; one
    that is compressed is read by one rank.
    """
    transport = current()
    names = [os.fspath(one) for one in ([file] if isinstance(file, (str, os.PathLike)) else file)]
    with transport.together(
        "read", files=names, format=known and known.name, directed=directed, **options
    ):
        paths = parts_of(file) or [Path(names[0])]
        if Path("-") in paths:
            raise ValueError("standard input has no shares: give a path")
        _check_same_files(transport, paths)
        edges, listings = EdgeBatches(), list[Listing]()
        for i, path in enumerate(paths):
            found = _list_share(
                transport, i, path, len(paths), edges, known, max_bytes, directed, options
            )
            if found is not None:
                listings.append(found)
        named = options.get("compact")
        if named is None:
            named = edges.named or any(one.named for one in listings)
        if named or edges.named:
            raise ValueError("ids are names: distributed=True takes numbers of vertices")
        here = edges.number(compact=False, n=None)[0]
        n = int(transport.reduce(np.array([max([here, *(one.n for one in listings)])]), "max")[0])
        if directed is None:
            directed = _agreed(transport, listings)
        batches = _with_common_weights(transport, edges)
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


def _list_share(
    transport: Transport, i: int, path: Path, files: int, edges: EdgeBatches, known: Format | None,
    max_bytes: int | None, directed: bool | None, options: dict[str, Any],
) -> Listing | None:  # fmt: skip
    """Add this rank's share of file ``i`` to ``edges``; what the file says, None if it has no share."""
    is_mine = i % transport.size == transport.rank
    if files >= transport.size and not is_mine:
        return None
    with Source(path, max_bytes) as source:
        chosen = known or format_registry.of_source(source)
        is_cut = files < transport.size and not source.compression
    if chosen.list_edges is None:
        parts = [one.name for one in format_registry.FORMATS if one.list_edges is not None]
        raise source.error(f"distributed=True reads {', '.join(parts)}, not {chosen.name}")
    if directed is False and chosen.make_graph is not graph_of_listing:
        raise ValueError(
            f"directed=False of {chosen.name} files looks for the reverse of each arc, which "
            "distributed=True cannot: read edge-list or parquet files"
        )
    format_registry.check_options(chosen, options)
    if not is_cut and not is_mine:
        return None
    share = (transport.rank, transport.size) if is_cut else None
    with Source(path, max_bytes, share) as source:
        return chosen.list_edges(source, edges, **options)


def _agreed(transport: Transport, listings: list[Listing]) -> bool:
    """Whether the graph is directed, if files say it and all that do say the same."""
    says = {one.directed for one in listings}
    said = set().union(*transport.gather_objects(says)) - {None}
    if len(said) > 1:
        raise ValueError(
            "some files say that the graph is directed, some that it is not: pass directed="
        )
    return said != {False}


def _with_common_weights(transport: Transport, edges: EdgeBatches) -> list[Batch]:
    """The batches, at least one; their weights have the dtype that holds those of all ranks."""
    edges.unify_weights()
    batches = list(edges)
    mine = (
        "" if not batches else "none" if batches[0].weight is None else batches[0].weight.dtype.str
    )
    blocks = transport.gather(np.frombuffer(mine.encode(), np.uint8))
    said = {block.tobytes().decode() for block in blocks} - {""}
    if "none" in said and len(said) > 1:
        raise ValueError("some edges have weights, and others none")
    none = np.empty(0, np.int32)
    if said <= {"none"}:
        return batches or [Batch(none, none, None)]
    dtype = np.result_type(*(np.dtype(name) for name in said))
    return [
        Batch(source, target, np.asarray(weight, dtype))
        for source, target, weight in batches or [Batch(none, none, none)]
    ]
