"""The properties that every right answer has, and no wrong one has all of.

Each takes a `Claim`, some also some of its arcs, and returns what breaks it, or None. Each looks only at its own
matter and passes over what is another's, so that for each there are wrong answers
that it alone catches.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.display import counted
from warpath.errors import VerificationError
from warpath.graph.arrays import to_host
from warpath.verify.claim import Arcs, Claim
from warpath.verify.reach import reachable

Array = NDArray[Any]


def form(claim: Claim) -> str | None:
    """Distances and predecessors are arrays of the right shape and dtype."""
    shape = (claim.graph.num_vertices,)
    if claim.distance.shape != shape:
        return f"distance has shape {claim.distance.shape}, not {shape}"
    if claim.distance.dtype not in claim.dtypes:
        expected = " or ".join(str(dtype) for dtype in claim.dtypes)
        return f"distance has dtype {claim.distance.dtype}, not {expected}"
    if claim.predecessor is None:
        return None
    if claim.predecessor.shape != shape:
        return f"predecessor has shape {claim.predecessor.shape}, not {shape}"
    if claim.predecessor.dtype != np.int32:
        return f"predecessor has dtype {claim.predecessor.dtype}, not int32"
    return None


def source(claim: Claim) -> str | None:
    """Each source has distance 0, or what else a path without arcs is worth, and predecessor -1.

    One of several sources may have a negative distance, from another source.
    """
    for s in claim.sources:
        if claim.needs_arc[s]:
            continue
        if claim.distance[s] != claim.source_distance:
            return (
                f"distance[{s}] of the source is {claim.distance[s]}, not {claim.source_distance}"
            )
        if claim.predecessor is not None and claim.predecessor[s] != -1:
            return f"predecessor[{s}] of the source is {claim.predecessor[s]}, not -1"
    return None


def unreached(claim: Claim) -> str | None:
    """A vertex without a distance says so in the one agreed way, and has predecessor -1."""
    wrong = ~claim.reached & (claim.distance != claim.unreachable)
    if (v := _first(wrong)) is not None:
        return f"distance[{v}] is {claim.distance[v]}: neither a distance nor {claim.unreachable}"
    if claim.predecessor is not None:
        wrong = ~claim.reached & (claim.predecessor != -1)
        if (v := _first(wrong)) is not None:
            return f"{v} is unreached, but predecessor[{v}] is {claim.predecessor[v]}, not -1"
    return None


def limit(claim: Claim) -> str | None:
    """No distance exceeds the limit, or is worth less; that of a source is never beyond one."""
    if claim.limit is None:
        return None
    beyond = claim.measure.better(claim.limit, claim.distance)
    if (v := _first(claim.needs_arc & beyond)) is not None:
        return f"distance[{v}] is {claim.distance[v]}, beyond the limit {claim.limit}"
    return None


def closed(claim: Claim, arcs: Arcs) -> str | None:
    """No arc leads from a reached vertex to an unreached one (within the limit)."""
    escapes = ~arcs.target_reached
    if claim.limit is not None:
        escapes &= ~claim.measure.better(claim.limit, arcs.total)
    if (i := _first(escapes)) is None:
        return None
    u, v = arcs.source[i], arcs.target[i]
    return (
        f"{v} is unreached, but the arc {u} → {v} of weight {arcs.weight[i]} leads there "
        f"from distance {claim.distance[u]}"
    )


def overflow(claim: Claim, arcs: Arcs) -> str | None:
    """No sum d(u) + w falls below the smallest 64-bit integer; other integer values hold all weights."""
    if not claim.adds and claim.distance.dtype.kind == "i":
        ends = np.iinfo(claim.distance.dtype)
        for weight in claim.graph.weight_range:
            if not ends.min <= weight <= ends.max:
                return f"a weight is {weight}, but distances are {claim.distance.dtype}"
    if not claim.may_wrap:
        return None
    tail = claim.distance[arcs.source]
    below = tail < np.iinfo(np.int64).min - np.minimum(arcs.weight, 0)
    if (i := _first(below)) is None:
        return None
    u, v = arcs.source[i], arcs.target[i]
    return (
        f"distance[{u}] is {tail[i]}, and the arc {u} → {v} of weight {arcs.weight[i]} "
        "leads below what 64 bits hold"
    )


def triangle(claim: Claim, arcs: Arcs) -> str | None:
    """d(v) ≤ d(u) + w, or no worse, for each arc u → v between reached vertices."""
    if (
        i := _first(claim.measure.better(arcs.total, arcs.target_distance) & arcs.target_reached)
    ) is None:
        return None
    u, v = arcs.source[i], arcs.target[i]
    return (
        f"distance[{v}] is {arcs.target_distance[i]}, but the arc {u} → {v} of weight {arcs.weight[i]} "
        f"leads there from distance {claim.distance[u]}, in all {arcs.total[i]}"
    )


def predecessor(claim: Claim) -> str | None:
    """Each predecessor is -1 or a vertex; a reached vertex that is no source has one."""
    if claim.predecessor is None:
        return None
    n = claim.graph.num_vertices
    if (v := _first((claim.predecessor < -1) | (claim.predecessor >= n))) is not None:
        return f"predecessor[{v}] is {claim.predecessor[v]}, but the graph has {counted(n, 'vertex', 'vertices')}"
    if (v := _first(claim.needs_arc & (claim.predecessor == -1))) is not None:
        return f"predecessor[{v}] is -1, but {v} is reached and is no source"
    return None


def tight(claim: Claim, without: Array) -> str | None:
    """d(v) = d(u) + w, to the bit, for an arc from v's predecessor u (from any, without these).

    ``without`` are the vertices of which no such arc was seen.
    """
    if (v := _first(without)) is None:
        return None
    if claim.predecessor is None:
        return f"distance[{v}] is {claim.distance[v]}, but no arc into {v} gives that"
    u = int(claim.predecessor[v])
    if not claim.graph.has_edge(u, v):
        return f"predecessor[{v}] is {u}, but there is no arc {u} → {v}"
    return (
        f"distance[{v}] is {claim.distance[v]}, but no arc from predecessor[{v}] = {u} at "
        f"distance {claim.distance[u]} gives that"
    )


def rooted(claim: Claim) -> str | None:
    """The arcs that give the distances make a tree: no cycle of them hangs in the air.

    Where all of a vertex's distance comes from a better one there can be no cycle. Only
    weights of zero, or of both signs, or values that an arc leaves as they are let an answer
    justify itself in a circle.
    """
    if claim.predecessor is None:
        v = _first(_self_supporting(claim))
        return None if v is None else f"no path of arcs that give the distances leads to {v}"
    goes_up = claim.needs_arc & claim.has_predecessor
    xp = claim.xp
    parent = xp.where(goes_up, claim.predecessor, 0)
    if claim.measure.better(claim.distance[parent], claim.distance)[goes_up].all():
        return None
    # Pointer doubling: after k rounds each vertex knows its 2ᵏ-th ancestor. One that
    # has not arrived at the end (n) after n steps goes round a cycle.
    n = claim.graph.num_vertices
    ancestor = xp.append(xp.where(goes_up, claim.predecessor, n), n)
    for _ in range(n.bit_length()):
        ancestor = ancestor[ancestor]
    v = _first(ancestor < n)
    return None if v is None else f"the predecessors of {v} go round a cycle"


def _is_tight(claim: Claim, arcs: Arcs) -> Array:
    """Which arcs give their target's distance, and come from its predecessor where one is named."""
    tight = (arcs.target_distance == arcs.total) & arcs.target_reached
    if claim.predecessor is not None:
        tight &= claim.predecessor[arcs.target] == arcs.source
    return tight  # type: ignore[no-any-return]


def _self_supporting(claim: Claim) -> Array:
    """Vertices that have tight arcs into them, but no path of these from a vertex without any need."""
    xp, n = claim.xp, claim.graph.num_vertices
    has_tight, has_better = xp.zeros(n, bool), xp.zeros(n, bool)
    for arcs in claim.arcs():
        tight = _is_tight(claim, arcs)
        has_tight[arcs.target[tight]] = True
        tight &= claim.measure.better(claim.distance[arcs.source], arcs.target_distance)
        has_better[arcs.target[tight]] = True
    hanging = claim.needs_arc & has_tight
    if has_better[hanging].all():
        return xp.zeros_like(hanging)  # type: ignore[no-any-return]
    counts = np.zeros(n, np.int64)
    targets = []
    for arcs in claim.arcs():
        tight = _is_tight(claim, arcs)
        counts += np.bincount(to_host(arcs.source[tight]), minlength=n)
        targets.append(to_host(arcs.target[tight]))
    offsets = np.append(0, np.cumsum(counts))
    starts = np.flatnonzero(to_host(~hanging))
    return hanging & ~xp.asarray(reachable(offsets, np.concatenate(targets), starts))  # type: ignore[no-any-return]


def _first(wrong: Array) -> int | None:
    """The first index where ``wrong`` is true."""
    place = int(wrong.argmax()) if len(wrong) else 0
    return place if len(wrong) and wrong[place] else None


PROPERTIES: tuple[str, ...] = (
    "form", "source", "unreached", "limit", "closed", "overflow", "triangle", "predecessor", "tight", "rooted",
)  # fmt: skip
"""The names of the properties, in the order in which they are checked.

==============  ======================================================================
``form``        arrays of shape (n,) and of the right dtype
``source``      each source has distance 0, the path without arcs, and predecessor -1
``unreached``   unreached vertices say so in the one agreed way, with predecessor -1
``limit``       nothing is farther than ``cutoff`` or ``depth_limit``
``closed``      no arc leads from a reached vertex to an unreached one
``overflow``    no d(u) + w falls below what 64 bits hold
``triangle``    d(v) ≤ d(u) + w for each arc u → v
``predecessor`` each is -1 or a vertex; a reached vertex that is no source has one
``tight``       d(v) = d(u) + w, to the bit, along an arc from v's predecessor u
``rooted``      the predecessors make a tree
==============  ======================================================================

By another algebra than sums, + is what extends a path, ≤ "no worse than", and 0 the value of
the path without arcs.
"""


def broken(claim: Claim) -> Iterator[tuple[str, str]]:
    """The properties that do not hold, and how. Each arc is looked at once."""
    for holds in (form, source, unreached, limit):
        if (message := holds(claim)) is not None:
            yield holds.__name__, message
    of_arcs, said = (closed, overflow, triangle), {}
    without = claim.needs_arc.copy()
    if claim.predecessor is not None:
        without &= claim.has_predecessor
    for arcs in claim.arcs():
        for each in of_arcs:
            if each not in said and (message := each(claim, arcs)) is not None:
                said[each] = message
        without[arcs.target[_is_tight(claim, arcs)]] = False
    yield from ((each.__name__, said[each]) for each in of_arcs if each in said)
    last = (
        ("predecessor", predecessor(claim)),
        ("tight", tight(claim, without)),
        ("rooted", rooted(claim)),
    )
    yield from ((name, message) for name, message in last if message is not None)


def check(claim: Claim) -> None:
    """Check all `PROPERTIES`.

    Raises
    ------
    VerificationError
        On the first that does not hold.
    """
    with claim.on_its_device():
        for name, message in broken(claim):
            raise VerificationError(name, message)
