"""Operators that tests run on the CPU, on the emulator and on a GPU: all must give what plain Python gives."""

import warnings
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

import warpath as wp
from warpath.algorithms.primitives.arguments import argument

FAR = 2**29


@wp.operator
def visit(u, v, level):
    """Breadth-first search."""
    return wp.atomic_cas(level, v, -1, level[u] + 1)


@wp.operator
def relax(u, v, w, distance):
    """Shortest paths."""
    return wp.atomic_min(distance, v, distance[u] + w)


@wp.operator
def widen(u, v, w, width):
    """Widest paths."""
    return wp.atomic_max(width, v, min(width[u], w))


@wp.operator
def spread(u, v, bits):
    """Which of some sources reach a vertex."""
    return wp.atomic_or(bits, v, bits[u])


@wp.operator
def toll(u, v, w, distance, zone, price, factor, free):
    """Shortest paths with a price for each zone that is entered, where some are free."""
    cost = distance[u] + np.int64(w)
    if zone[u] != zone[v]:
        entered = zone[v]
        for i in range(3):
            if entered == free and i > 0:
                break
            cost += price[entered] * factor
    elif w > 200 and not zone[v] <= 0:
        cost = cost + 1
    return wp.atomic_min(distance, v, cost)


@wp.operator
def count(u, v, degree):
    """How many edges come in."""
    return wp.atomic_add(degree, v, 1) == 0


@wp.operator
def claim(u, v, parent, depth, order):
    """A tree: only the edge that claims a vertex writes to it."""
    if u != v and wp.atomic_cas(parent, v, -1, u):
        depth[v] = depth[u] + 1
        wp.atomic_max(order, 0, depth[v])
        return True
    return False


@wp.operator
def turn(u, v, colour, hub, state):
    """A hub's state goes from 0 to 1, and only then from a coloured vertex to 2: read too early, it stays at 1."""
    if hub[v] == 1 and colour[u] == 1:
        return wp.atomic_cas(state, v, 1, 2)
    return wp.atomic_cas(state, v, 0, 1)


@wp.operator
def integers(v, a, b, out, k):
    """Arithmetic of int32 and int64."""
    x = a[v] // (b[v] + 1) + a[v] % 7 - (a[v] >> 3) * np.int32(k)
    y = np.int64(a[v]) * b[v] ^ (np.int64(x) << 2) | 5
    if a[v] < b[v] or (b[v] > 3 and not a[v] <= 2):
        y = -y + abs(x) + max(a[v], b[v], 4) - min(a[v], 7)
    i = 0
    while i < 10:
        i += 1
        if i % 2 == 0:
            continue
        if i > 7:
            break
        y += i
    out[v] = y + ~i + len(a) + (a[v] == b[v])


@wp.operator
def floats(v, a, x, y, scale):
    """Arithmetic of float32 and float64."""
    z = x[v] * x[v] + x[v] * scale - x[v] / (np.float32(a[v]) + np.float32(0.5))
    root = np.sqrt(abs(z)) if a[v] > 3 else z
    y[v] = root + y[v] / 3 + a[v] / 7 - (1.5 if x[v] > 0 else y[v]) + float(a[v] // 2)


@wp.operator
def fill(v, x):
    """Zeros of either sign are equal."""
    return wp.atomic_cas(x, v, 0.0, 5.0)


@wp.operator
def is_odd(v, a):
    """A predicate."""
    return a[v] & 1


@wp.operator
def no_finite(v, y):
    """The floats that Python has no literals for."""
    y[v] = float("nan") if v % 3 == 0 else float("inf") if v % 3 == 1 else float("-inf")


@wp.operator
def renumber(v, x, k):
    """Reads first, then writes."""
    old = x[v]
    x[v] = 10 * old + v % k


@wp.operator
def weight(v, x):
    """A number for each vertex."""
    return x[v] * 2


@wp.operator
def carried(u, v, w, load):
    """What an edge brings."""
    return load[u] * w + load[v] // 8


@wp.operator
def known(u, v, name):
    """What an edge tells."""
    return name[u]


@wp.operator
def whole(v, x, narrow, wide):
    """Floats as integers."""
    narrow[v] = np.int32(x[v])
    wide[v] = int(x[v])


@wp.operator
def ordered(v, a, b):
    """Of the operands of an operation, the first is computed first."""
    found = 10 * wp.atomic_add(a, v, 1) - wp.atomic_add(a, v, 2)
    found = 3 * found + (a[v] - wp.atomic_add(a, v, 5))
    found = 3 * found + (7 * min(wp.atomic_add(a, v, 1), 50) + a[v])
    if wp.atomic_add(a, v, 100) < wp.atomic_add(a, v, -200) + a[v]:
        found += 1
    found = 3 * found + wp.atomic_add(a, wp.atomic_add(a, v, 1) - a[v] + v + 1, a[v])
    b[v] = found


@wp.operator
def ranges(v, start, stop, up, down, steps):
    """Loops over ranges whose length, or what follows them, no int64 is; at most 20 rounds."""
    rounds = 0
    for i in range(start[v], stop[v]):
        rounds += 1
        up[v] = i
        if rounds >= 20:
            break
    for i in range(start[v], stop[v], 2**62):
        rounds += 100
        up[v] = up[v] ^ i
    for i in range(stop[v], start[v], -(2**62)):
        rounds += 1000
        down[v] = i
    for i in range(stop[v] - 3, stop[v], 5):
        rounds += 10000
        down[v] = down[v] ^ i
    steps[v] = rounds


@wp.operator
def walk(v, offsets, columns, walks, length, seed):
    """A random walk from each vertex, by hashing."""
    at = v
    for i in range(length):
        walks[v * length + i] = at
        x = (np.int64(v) * length + i) * 0x5851F42D4C957F2D + seed
        x = (x ^ x >> 31) % (offsets[at + 1] - offsets[at] + 1)
        if x == 0:
            break
        at = columns[offsets[at] + x - 1]


WHOLE = [
    (x, min(max(int(x), -(2**31)), 2**31 - 1), min(max(int(x), -(2**63)), 2**63 - 1))
    for end in (2.0**31, 2.0**63, 1e20, 2.5)
    for x in (end, -end, np.nextafter(end, 0), -np.nextafter(end, 9e99))
]
"""Floats, and the integers of 32 and 64 bits that they become."""
WHOLE += [(np.nan, 0, 0), (np.inf, 2**31 - 1, 2**63 - 1), (-np.inf, -(2**31), -(2**63))]


@dataclass(frozen=True, eq=False)
class Case:
    """An operator, its arguments, and what they are afterwards in plain Python."""

    operator: Any
    graph: wp.Graph
    arguments: tuple
    sources: tuple = ()
    max_iterations: int = 1000
    inexact: tuple = ()  # arguments that depend on which thread comes first
    right: tuple | None = None  # what arguments are afterwards where plain Python gives errors

    def check(self, found):
        for i, (one, right) in enumerate(zip(found, self.expected[0], strict=True)):
            if isinstance(one, np.ndarray) and i not in self.inexact:
                assert np.array_equal(one, right, equal_nan=True), (self.operator, i)

    def check_frontier(self, left):
        assert sorted(left.tolist()) == sorted(self.expected[1])

    def check_out(self, out):
        assert out.tolist() == [type(out[0].item())(one) for one in self.expected[1]]

    @cached_property
    def expected(self):
        if self.right is not None:
            return self.right, None
        arguments = fresh(self.arguments)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # integers wrap
            left = self._traverse(arguments) if self.sources else self._compute(arguments)
        return arguments, left

    def _traverse(self, arguments):
        frontier, weights = list(self.sources), self.graph.weights
        offsets, indices = self.graph.row_offsets, self.graph.column_indices
        for _ in range(self.max_iterations):
            found = {}
            for u in frontier:
                for arc in range(offsets[u], offsets[u + 1]):
                    edge = [np.int32(u), indices[arc]]
                    if self.operator.source.takes_weight:
                        edge.append(np.int32(1) if weights is None else weights[arc])
                    if self.operator(*edge, *arguments):
                        found[int(indices[arc])] = True
            frontier = list(found)
            if not frontier:
                break
        return frontier

    def _compute(self, arguments):
        n = self.graph.num_vertices
        return [self.operator(np.int32(v), *arguments) for v in range(n)]


def fresh(arguments):
    """Copies of arrays."""
    return [one.copy() if isinstance(one, np.ndarray) else one for one in arguments]


def given_by(operator, arguments):
    """Arguments by the names of the parameters."""
    return dict(zip(operator.source.parameters, arguments, strict=True))


def typed(operator, arguments, graph, use="call"):
    """The operator's tree for these arguments."""
    values = zip(operator.source.parameters, arguments, strict=True)
    kinds = {name: argument(name, value)[1] for name, value in values}
    return operator.typed(kinds, str(graph.weight_dtype or np.dtype(np.int32)), use)


def _numbers(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(-(2**31), 2**31 - 1, n).astype(np.int32), rng


def _graph(dtype=None, seed=1):
    rng = np.random.default_rng(seed)
    source, target = rng.integers(0, 150, (2, 700))
    target[:200] = 7  # a hub
    weight = None if dtype is None else rng.integers(1, 255, 700).astype(dtype)
    return wp.Graph.from_edges(source, target, weight, n=160)


def _first(n, value, rest, dtype):
    array = np.full(n, rest, dtype)
    array[3] = value
    return array


def _traversals():
    n = 160
    plain = _graph()
    yield "visit", Case(visit, plain, (_first(n, 0, -1, np.int32),), (3,))
    # Each is several kernels to compile. Atomics of all dtypes have tests of their own.
    for operator, dtype, start, rest in (
        (relax, "int32", 0, FAR), (widen, "int64", FAR, 0),
        (widen, "float32", FAR, 0), (relax, "float64", 0, FAR),
    ):  # fmt: skip
        values = _first(n, start, rest, dtype)
        yield f"{operator.__name__}, {dtype}", Case(operator, _graph(dtype), (values,), (3,))
    yield (
        "relax, float32 by int32",
        Case(relax, _graph("int32"), (_first(n, 0, FAR, "float64"),), (3,)),
    )
    bits = np.zeros(n, np.int64)
    bits[[3, 9, 11]] = 1, 2, 4
    yield "spread", Case(spread, plain, (bits,), (3, 9, 11))
    zones = np.arange(n, dtype=np.int32) % 4
    prices = np.array([3, 20, 7, 50], np.int64)
    yield (
        "toll",
        Case(
            toll, _graph("int32"), (_first(n, 0, FAR, "int64"), zones, prices, 2, np.int32(3)), (3,)
        ),
    )
    sparse = wp.generate.erdos_renyi(
        n, n, directed=True, seed=1
    )  # a third of the vertices has no edge out
    level = np.full(n, -1, np.int32)
    level[::3] = 0
    yield "visit, sinks", Case(visit, sparse, (level,), tuple(range(0, n, 3)), max_iterations=1)
    yield "count", Case(count, plain, (np.zeros(n, np.int64),), tuple(range(n)), max_iterations=1)
    parent = _first(n, 3, -1, np.int32)
    depth = np.zeros(n, np.int32)
    order = np.zeros(1, np.int32)
    yield "turn", _turning()
    yield "claim", Case(claim, plain, (parent, depth, order), (3,), inexact=(0,))


def _turning(hubs=64, others=128):
    """0 → a → b → c: a looks at all hubs in vain, b makes them 1, among many others, c makes them 2."""
    hub = np.arange(4, 4 + hubs)
    rest = np.arange(4 + hubs, 4 + hubs + others)
    a, b, c = (np.full(k, i) for i, k in ((1, hubs), (2, hubs + others), (3, hubs)))
    source = np.concatenate(([0, 1, 2], a, b, c))
    target = np.concatenate(([1, 2, 3], hub, rest, hub, hub))
    n = 4 + hubs + others
    colour, is_hub = np.zeros(n, np.int32), np.zeros(n, np.int32)
    colour[[1, 3]] = is_hub[hub] = 1
    graph = wp.Graph.from_edges(source, target, n=n)
    return Case(turn, graph, (colour, is_hub, np.zeros(n, np.int32)), (0,))


def _computations():
    n = 300
    a, rng = _numbers(n)
    b = rng.integers(-50, 50, n).astype(np.int32)
    b[b == -1] = 3  # in Python division by zero is an error
    lone = wp.Graph.from_edges([], [], n=n)
    yield "integers", Case(integers, lone, (a, b, np.zeros(n, np.int64), 3))
    x, y = rng.normal(size=n).astype(np.float32), rng.normal(size=n)
    yield "floats", Case(floats, lone, (b, x, y, 0.7))
    yield "fill", Case(fill, lone, (np.where(b % 3 > 0, x, b * np.float32(0)),))
    yield "ordered", Case(ordered, lone, (np.arange(n), np.zeros(n, np.int64)))
    plain = _graph()
    walks = np.full(5 * plain.num_vertices, -1, np.int32)
    csr = plain.row_offsets.astype(np.int64), plain.column_indices
    yield "walk", Case(walk, plain, (*csr, walks, 5, 12345))
    yield "is_odd", Case(is_odd, lone, (a,))
    yield "weight", Case(weight, lone, (x,))
    yield "no_finite", Case(no_finite, lone, (x,))
    yield "renumber", Case(renumber, lone, (a, 3))
    ends = np.array(list(product([1 - 2**63, -(2**62), -1, 0, 5, 2**62, 2**63 - 1], repeat=2)))
    start, stop = ends[ends[:, 1] > 4 - 2**63].T.copy()
    none = wp.Graph.from_edges([], [], n=len(start))
    yield "ranges", Case(ranges, none, (start, stop, *np.zeros((3, len(start)), np.int64)))
    x, narrow, wide = map(np.array, zip(*WHOLE, strict=True))
    one_each = wp.Graph.from_edges([], [], n=len(x))
    zeros = np.zeros(len(x), np.int32), np.zeros(len(x), np.int64)
    yield "whole", Case(whole, one_each, (x, *zeros), right=(x, narrow, wide))


def aggregated(operator, graph, arguments, by, dtype, among=None):
    """What plain Python aggregates, of all edges or of those from some vertices."""
    out = np.full(graph.num_vertices, neutral(by, dtype), dtype)
    combine = COMBINE[by]
    weights = graph.weights
    for arc, (u, v) in enumerate(zip(*graph.coo()[:2], strict=True)):
        if among is not None and u not in among:
            continue
        w = [weights[arc]] if operator.source.takes_weight else []
        out[v] = combine(out[v], operator(u, v, *w, *arguments))
    return out


COMBINE = {"sum": np.add, "min": np.minimum, "max": np.maximum}


def neutral(by, dtype):
    """What a vertex has into which no edge comes."""
    if np.dtype(dtype).kind == "i" and by != "sum":
        return np.iinfo(dtype).max if by == "min" else np.iinfo(dtype).min
    return {"sum": 0, "min": np.inf, "max": -np.inf}[by]


def check_layers(name, layers, move=np.asarray):
    """Several layers at once, by `wp.aggregate`: each is what it is alone.

    Of all edges, for some vertices into what was there, of the edges from some, and of those from a few, which a GPU
    scatters. ``move`` takes arrays to a device.
    """
    operator, graph, (load,), by, dtype = AGGREGATIONS[name]
    rng = np.random.default_rng(layers)
    loads = [rng.permutation(load) for _ in range(layers)]
    given = move(np.stack(loads, axis=1).ravel())
    some = wp.Frontier(graph, np.arange(0, graph.num_vertices, 3))
    a_few = wp.Frontier(graph, some.vertices[:3])

    def found(**options):
        out = wp.aggregate(graph, operator, given, by=by, layers=layers, **options)
        return out.get() if hasattr(out, "get") else out

    def right(among=None):
        each = [aggregated(operator, graph, [one], by, dtype, among) for one in loads]
        return np.stack(each, axis=1)

    expected = np.full_like(right(), 7)
    before = move(expected.ravel())
    expected[some.vertices] = COMBINE[by](expected, right())[some.vertices]
    for one, other in (
        (found(), right()),
        (found(frontier=some, out=before), expected),
        (found(among=some), right(some.vertices)),
        (found(among=a_few), right(a_few.vertices)),
    ):
        assert np.array_equal(one, other.ravel(), equal_nan=True)


def check_neutral(layers, move=np.asarray):
    """It is the same whether vertices that bring 0 are looked at; ``move`` as above."""
    graph = wp.generate.rmat(8, 8, directed=True, seed=layers)
    n = graph.num_vertices
    load = np.random.default_rng(layers).integers(1, 99, n * layers)
    for count in (3, n // 2, n):
        among = wp.Frontier(graph, np.arange(count))
        some = move(np.where(np.arange(n * layers) < count * layers, load, 0))
        for frontier in (None, wp.Frontier(graph, np.arange(0, n, 2))):
            options = {"frontier": frontier, "among": among, "layers": layers}
            found = wp.aggregate(graph, known, some, others="neutral", **options)
            assert np.array_equal(found, wp.aggregate(graph, known, move(load), **options))


def check_elements(layers, move=np.asarray):
    """Several elements of a vertex, by `wp.compute` and `wp.reduce`, of all vertices and of some; ``move`` as above."""
    graph = wp.generate.grid(1, 1500)
    first = np.random.default_rng(layers).integers(0, 2**40, graph.num_vertices * layers)
    some = np.arange(1499, 0, -2, dtype=np.int32)
    for over, elements in (
        (graph, np.arange(len(first))),
        (wp.Frontier(graph, some), (some[:, None] * layers + np.arange(layers)).ravel()),
        (wp.Frontier(graph, []), some[:0]),
    ):
        x, right = move(first.copy()), first.copy()
        wp.compute(over, renumber, x, 3, layers=layers)
        right[elements] = 10 * right[elements] + elements % 3
        assert np.array_equal(x.get() if hasattr(x, "get") else x, right)
        assert wp.reduce(over, weight, x, layers=layers) == 2 * right[elements].sum()
        if len(elements):
            assert wp.reduce(over, weight, x, by="max", layers=layers) == 2 * right[elements].max()


def check_tensors(torch, device):
    """PyTorch's tensors are written where they lie, by each primitive."""
    graph = wp.generate.grid(1, 4)
    distance = torch.tensor([0, 9, 9, 9], dtype=torch.int32, device=device)
    left = wp.advance(graph, wp.Frontier(graph, 0), relax, distance)
    assert left.device == device
    assert distance.tolist() == [0, 1, 9, 9]  # each edge counts 1
    wp.traverse(graph, left, relax, distance)
    assert distance.tolist() == [0, 1, 2, 3]
    assert sorted(wp.filter(graph, is_odd, distance).vertices.tolist()) == [1, 3]
    assert wp.reduce(graph, weight, distance) == 12
    assert wp.aggregate(graph, known, distance).tolist() == [1, 2, 4, 2]
    zeros = torch.zeros(4, dtype=torch.float64, device=device)
    wp.compute(graph, fill, zeros)
    assert zeros.tolist() == [5.0] * 4


def _aggregations():
    rng = np.random.default_rng(5)
    load = rng.integers(-1000, 1000, 160).astype(np.int32)
    yield "sum", (carried, _graph("int32"), (load,), "sum", np.int64)
    yield "min", (carried, _graph("int32"), (load,), "min", np.int32)
    yield "max", (known, _graph("float32"), (load.astype(np.float64),), "max", np.float64)
    yield "min of float32", (known, _graph(), (load.astype(np.float32),), "min", np.float32)
    some_nan = rng.normal(size=160)
    some_nan[::12], some_nan[3::12] = np.nan, -np.nan
    for by, dtype in product(("min", "max"), ("float32", "float64")):
        yield f"{by} with NaN, {dtype}", (known, _graph(), (some_nan.astype(dtype),), by, dtype)


AGGREGATIONS = dict(_aggregations())
CASES = dict(_traversals())
VERTEX_CASES = dict(_computations())
