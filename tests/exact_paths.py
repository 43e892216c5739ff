"""Random multigraphs with weights near their dtypes' limits, and the lengths of paths by plain Python.

Python's integers are exact; floats are rounded as the distances' dtype does, from left to right.
"""

import math
import os
import sys
import warnings

import numpy as np

import warpath as wp

# A run of some seconds draws from what the other tests compile too.
WIDE = float(os.environ.get("WARPATH_SECONDS", "2")) > 10
INTEGERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32, np.uint64)
DTYPES = (None, *INTEGERS, np.float32, np.float64)
DISTANCES = (np.int32, np.int64, np.float32, np.float64)
SELECTING = {"widest": (min, max), "minimax": (max, min)}  # what extends a path; the better value


def pick(rng, choices):
    return choices[rng.integers(len(choices))]


def draw(rng, *, dtypes=DTYPES, directed=None, signed=None, small=False, most=12):
    """A random multigraph: isolated vertices, parallel edges, self-loops, weights near the limits."""
    n = int(rng.integers(1, most))
    m = int(rng.integers(0, 3 * n + 1))
    directed = bool(rng.integers(2)) if directed is None else directed
    dtype = pick(rng, dtypes)
    ends = rng.integers(0, n, (2, m))
    if dtype is None:
        return wp.Graph.from_edges(*ends, n=n, directed=directed)
    signed = rng.random() < 0.3 if signed is None else signed
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        top = float(np.finfo(dtype).max)
        tiny = float(np.finfo(dtype).smallest_subnormal)
        pools = [[0.0, 0.25, 1.0, 3.5], [0.1, 0.7, 1e-3], [tiny, 3 * tiny, 1.0, 0.0]]
        pools += [[top, top / 2, top / 3, 1.0], [top / n, top / (2 * n), 0.0]]
        if signed:
            pools = [[-2.0, -1.0, 0.0, 1.5, 3.0, 7.0]]
    else:
        top = min(int(np.iinfo(dtype).max), 2**63 - 1)
        near = [max(top - k, 0) for k in (0, 1, 2)]
        pools = [[0, 1, 2, 5], near, [0, 1, *near], [top // 2, top // 2 + 1, top // 3]]
        pools += [[top // n, top // max(n - 1, 1), top // (2 * n), 0]]
        if signed and dtype.kind == "i":
            least = -top - 1
            pools = [[-3, -1, 0, 2, 4, 7, 9], [least, -1, top], [least // 2, top // 2, -1, top]]
            pools += [[least // n, top // n, 0]]
    pool = pools[0] if small else pick(rng, pools)
    weights = np.array([pick(rng, pool) for _ in range(m)], dtype)
    return wp.Graph.from_edges(*ends, weights, n=n, directed=directed)


def arcs_of(graph, kind=None):
    """(source, target, weight) of each arc: Python's integers, or floats of the distances' dtype."""
    source, target, weight = graph.coo()
    if weight is None:
        weight = np.ones(len(source), int)
    weight = weight.tolist() if kind is None else list(weight.astype(kind))
    return list(zip(source.tolist(), target.tolist(), weight, strict=True))


def shortest(graph, source, dtype):
    """Distances from the nearest source: rounded as ``dtype`` does, or exact; None: no path.

    Raises OverflowError, or NegativeCycleError without a cycle.
    """
    sources = [source] if isinstance(source, int) else source
    rounds = np.dtype(dtype).kind == "f"
    arcs = arcs_of(graph, np.dtype(dtype).type if rounds else None)
    zero = np.dtype(dtype).type(0) if rounds else 0
    distance = [zero if v in sources else None for v in range(graph.num_vertices)]
    beyond = False
    with np.errstate(over="ignore"):
        for _ in range(graph.num_vertices + 1):
            changed, beyond = False, False
            for u, v, w in arcs:
                if distance[u] is None:
                    continue
                there = distance[u] + w
                if rounds and not np.isfinite(there):
                    beyond |= distance[v] is None
                elif distance[v] is None or there < distance[v]:
                    distance[v], changed = there, True
            if not changed:
                break
        else:
            raise wp.NegativeCycleError([])
    limits = None if rounds else np.iinfo(dtype)
    if beyond or (
        limits and any(d is not None and not limits.min <= d < limits.max for d in distance)
    ):
        raise OverflowError
    return distance


def selected(graph, source, algebra, dtype):
    """Values of the widest, or minimax, paths from one source; None: no path, or the source."""
    extend, better = SELECTING[algebra]
    arcs = arcs_of(graph, None if np.dtype(dtype).kind == "i" else np.dtype(dtype).type)
    best = math.inf if algebra == "widest" else -math.inf
    value = {source: best}
    for _ in range(graph.num_vertices):
        for u, v, w in arcs:
            if u in value and v != source:
                there = extend(value[u], w)
                value[v] = there if v not in value else better(value[v], there)
    return [None if v == source else value.get(v) for v in range(graph.num_vertices)]


def as_found(distance, dtype):
    """The oracle's distances as warpath has them."""
    dtype = np.dtype(dtype)
    none = np.inf if dtype.kind == "f" else np.iinfo(dtype).max
    return np.array([none if d is None else d for d in distance], dtype)


def as_limit(cutoff, dtype):
    """A cutoff as distances are compared with it: floats round it."""
    if dtype.kind == "i":
        return cutoff
    with np.errstate(over="ignore"):
        inside = abs(cutoff) <= sys.float_info.max
        return dtype.type(cutoff if inside else math.inf if cutoff > 0 else -math.inf)


def ask(call):
    """What a call answers, or the type of what it raises; a warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return call()
        except wp.NegativeCycleError:
            return wp.NegativeCycleError
        except OverflowError:
            return OverflowError


def expect(oracle, *args):
    try:
        return oracle(*args)
    except (OverflowError, wp.NegativeCycleError) as error:
        return type(error)


def is_negative(graph):
    return graph.weight_range[0] < 0


def may_refuse(graph, dtype):
    """Whether walks along negative weights may leave 64 bits, or round, before distances are known."""
    low, high = graph.weight_range
    longest = 3 * graph.num_vertices * max(abs(low), abs(high))
    return longest >= (2**62 if np.dtype(dtype).kind == "i" else 2 ** np.finfo(dtype).nmant)


def agree(found, rows, graph, dtype):
    """Whether a refusal is that of one of the oracle's rows, or excused by negative weights."""
    if isinstance(found, type) and any(found is row for row in rows):
        return True
    return is_negative(graph) and may_refuse(graph, dtype)


def fitting(rng, graph):
    """A dtype that distances of the graph may be asked for in."""
    floats = graph.weight_dtype is not None and graph.weight_dtype.kind == "f"
    own = (
        wp.sssp(wp.Graph.from_edges([], [], n=1), 0).distance.dtype
        if graph.weights is None
        else graph.weight_dtype
    )
    return np.dtype(pick(rng, DISTANCES[2:] if floats else DISTANCES) if WIDE else own)


def representable(graph, dtype):
    """Whether a float dtype holds the weights."""
    if graph.weights is None or np.dtype(dtype).kind == "i":
        return True
    with np.errstate(over="ignore"):
        return bool(np.isfinite(graph.weights.astype(dtype)).all())
