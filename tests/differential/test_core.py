"""Every algorithm of the CPU engine on small multigraphs, against plain Python.

Weights are of every dtype that `warpath.Graph` takes, near its limits, zero and negative. The
oracles add Python's integers, which are exact, or round as the distances' dtype does, from left
to right. Where a distance does not fit, both must say so.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import warpath as wp
from exact_paths import (
    SELECTING,
    WIDE,
    agree,
    arcs_of,
    as_found,
    as_limit,
    ask,
    draw,
    expect,
    fitting,
    is_negative,
    may_refuse,
    pick,
    representable,
    selected,
    shortest,
)
from warpath.algorithms.centrality.betweenness import other_arc

NON_NEGATIVE = ("auto", "delta-stepping", "dijkstra")
SIGNED = ("auto", "bellman-ford", "bellman-ford-queueless", "sequential-bellman-ford")
DENSE = ("floyd-warshall", "blocked-floyd-warshall", "r-kleene", "repeated-squaring", "partitioned")


def test_sssp(each_case):
    def check(rng):
        graph = draw(rng)
        n, dtype = graph.num_vertices, fitting(rng, graph)
        source = int(rng.integers(n))
        method = pick(rng, SIGNED if is_negative(graph) else NON_NEGATIVE + SIGNED[1:])
        if rng.random() < 0.2:
            source = rng.integers(0, n, 3).tolist()
        found = ask(lambda: wp.sssp(graph, source, nearest=True, method=method, dtype=dtype))
        if not representable(graph, dtype):
            assert found is OverflowError
            return
        expected = expect(shortest, graph, source, dtype)
        if isinstance(found, type) or isinstance(expected, type):
            assert agree(found, [expected], graph, dtype)
            return
        if not is_negative(graph) or dtype.kind == "i" or not may_refuse(graph, dtype):
            assert np.array_equal(found.distance, as_found(expected, dtype))
        found.verify()

    each_case(check)


def test_sssp_as_far_as_it_is_asked(each_case):
    def check(rng):
        graph = draw(rng, signed=False)
        n, dtype = graph.num_vertices, fitting(rng, graph)
        if not representable(graph, dtype):
            return
        source, target = (int(v) for v in rng.integers(0, n, 2))
        method = pick(rng, NON_NEGATIVE + SIGNED[1:])
        whole = expect(shortest, graph, source, np.float64 if dtype.kind == "f" else np.int64)
        tops = [0, 1, 5, 2.5, 2**31 - 1, 2**31, 2**63 - 2, 2**63, 10**400, math.inf, 1e300]
        if not isinstance(whole, type):
            tops += [d for d in whole if d is not None]
        cutoff = pick(rng, tops)
        found = ask(lambda: wp.sssp(graph, source, method=method, dtype=dtype, cutoff=cutoff))
        expected = expect(shortest, graph, source, dtype)
        if found is not OverflowError:
            found.verify()
            if expected is not OverflowError:
                limit = as_limit(cutoff, dtype)
                near = [d if d is not None and d <= limit else None for d in expected]
                assert np.array_equal(found.distance, as_found(near, dtype))
        else:
            assert expected is OverflowError
        found = ask(lambda: wp.sssp(graph, source, method=method, dtype=dtype, target=target))
        if found is OverflowError:
            assert expected is OverflowError
            return
        found.verify()
        if expected is not OverflowError:
            assert found.distance[target] == as_found(expected, dtype)[target]

    each_case(check)


def test_widest_and_minimax(each_case):
    def check(rng):
        graph = draw(rng, signed=bool(rng.integers(2)))
        n, dtype = graph.num_vertices, fitting(rng, graph)
        algebra = pick(rng, tuple(SELECTING)) if WIDE else "widest"
        method = pick(rng, NON_NEGATIVE + SIGNED[1:])
        source = int(rng.integers(n))
        cutoff = pick(rng, [None, 0, -1, 3, 0.5, 2**31, 2**63, 10**400, math.inf, -math.inf, 1e300])
        larger = algebra == "widest"
        low, high = graph.weight_range
        if dtype.kind == "i":
            ends = np.iinfo(dtype)
            none = ends.min if larger else ends.max
            told = all(ends.min <= w <= ends.max and w != none for w in (low, high))
        else:
            none, told = (-np.inf if larger else np.inf), representable(graph, dtype)
        arguments = {"algebra": algebra, "dtype": dtype, "cutoff": cutoff}
        found = ask(lambda: wp.sssp(graph, source, method=method, **arguments))
        if not told and (found is OverflowError or dtype.kind == "f"):
            assert found is OverflowError
            return
        values = selected(graph, source, algebra, dtype)
        if cutoff is not None:
            limit = as_limit(cutoff, dtype)
            values = [
                v if v is not None and (v >= limit if larger else v <= limit) else None
                for v in values
            ]
        expected = np.array([none if v is None else v for v in values], dtype)
        top, bottom = (np.inf, -np.inf) if dtype.kind == "f" else (ends.max, ends.min)
        expected[source] = top if larger else bottom
        assert np.array_equal(found.distance, expected)
        found.verify()
        columns = rng.integers(0, n, int(rng.integers(1, 4)))
        sources = [source] * int(rng.integers(1, 12))
        matrix = wp.distance_matrix(graph, sources, columns, **arguments)
        assert np.array_equal(matrix.distance, np.tile(expected[columns], (len(sources), 1)))

    each_case(check)


def test_most_reliable(each_case):
    def check(rng):
        dtypes = (np.float32, np.float64) if WIDE else (np.float32,)
        graph = draw(rng, dtypes=dtypes, small=True)
        weights = np.minimum(np.abs(graph.weights) / 4, 1).astype(graph.weight_dtype)
        small = np.finfo(graph.weight_dtype).smallest_subnormal
        weights[(weights == 0.25) & (rng.random(len(weights)) < 0.2 * rng.integers(2))] = small
        graph = wp.Graph.from_edges(*graph.coo()[:2], weights, n=graph.num_vertices)
        source = int(rng.integers(graph.num_vertices))
        method = pick(rng, NON_NEGATIVE + SIGNED[1:]) if WIDE else "auto"
        found = ask(lambda: wp.sssp(graph, source, algebra="most-reliable", method=method))
        exact = [Fraction(int(v == source)) for v in range(graph.num_vertices)]
        arcs = [(u, v, Fraction(float(w))) for u, v, w in arcs_of(graph)]
        for _ in exact:
            for u, v, w in arcs:
                exact[v] = max(exact[v], exact[u] * w)
        if found is OverflowError:
            assert any(0 < value < 4 * small for value in exact)
            return
        found.verify()
        assert np.array_equal(found.distance > 0, [value > 0 for value in exact])

    each_case(check)


def test_apsp(each_case):
    def check(rng):
        graph = draw(rng)
        n = graph.num_vertices
        method = pick(
            rng, ("auto", "sssp", "johnson", *DENSE) if WIDE else ("auto", "sssp", "johnson")
        )
        dtype = fitting(rng, graph)
        parents = bool(rng.integers(2))
        try:
            found = ask(
                lambda: wp.apsp(graph, method=method, dtype=dtype, exact=True, predecessors=parents)
            )
        except ModuleNotFoundError:
            return
        if not representable(graph, dtype):
            assert found is OverflowError
            return
        expected = [expect(shortest, graph, v, dtype) for v in range(n)]
        if found is OverflowError and method in DENSE:
            # Known to suffice is what a dense method's matrix must be.
            low, high = graph.weight_range
            bound = 8 * n * max(abs(low), abs(high))
            top = float(np.finfo(dtype).max) if dtype.kind == "f" else 2**63
            assert OverflowError in expected or bound >= top
            return
        if isinstance(found, type):
            assert agree(found, expected, graph, dtype)
            return
        assert not any(isinstance(one, type) for one in expected)
        found.verify()
        if not is_negative(graph) or dtype.kind == "i":
            assert np.array_equal(found.distance, [as_found(one, dtype) for one in expected])

    each_case(check)


def test_distance_matrix(each_case):
    def check(rng):
        graph = draw(rng)
        n, dtype = graph.num_vertices, fitting(rng, graph)
        if not representable(graph, dtype):
            return
        sources = rng.integers(0, n, int(rng.integers(1, 14)))
        targets = None if rng.random() < 0.3 else rng.integers(0, n, int(rng.integers(1, 14)))
        found = ask(lambda: wp.distance_matrix(graph, sources, targets, dtype=dtype))
        rows = [expect(shortest, graph, v, dtype) for v in sources.tolist()]
        if isinstance(found, type):
            assert agree(found, rows, graph, dtype)
            return
        columns = np.arange(n) if targets is None else targets
        for row, one in zip(found.distance, rows, strict=True):
            if one is not OverflowError or targets is None:  # columns may all be near
                assert not isinstance(one, type)
                if not is_negative(graph) or dtype.kind == "i":
                    assert np.array_equal(row, as_found(one, dtype)[columns])

    each_case(check)


def test_one_path(each_case):
    def check(rng):
        graph = draw(rng)
        n = graph.num_vertices
        source, target = (int(v) for v in rng.integers(0, n, 2))
        methods = (
            ("auto", *SIGNED[1:]) if is_negative(graph) else ("auto", "dijkstra", "delta-stepping")
        )
        method = pick(rng, methods)
        try:
            found = ask(lambda: wp.shortest_path(graph, source, target, method=method))
        except wp.NoPathError:
            found = None
        kind = graph.weight_dtype if graph.weights is not None else np.dtype(np.int64)
        kind = np.dtype(np.int64) if kind.kind == "i" else kind
        expected = expect(shortest, graph, source, kind)
        if isinstance(found, type):
            assert agree(found, [expected], graph, kind)
        elif found is None:
            assert expected is not OverflowError
            assert isinstance(expected, type) or expected[target] is None
        else:
            found.verify()
            if not isinstance(expected, type):
                assert is_negative(graph) or found.length == expected[target]
                assert found.length == expected[target] or kind.kind == "f"
        levels = shortest(graph.without_weights(), source, np.int32)
        assert wp.st_connected(graph, source, target).distance == levels[target]
        paths = wp.bfs(
            graph,
            source,
            schedule=wp.Schedule(direction=pick(rng, ("optimizing", "top-down", "bottom-up"))),
        )
        paths.verify()
        assert paths.distance.tolist() == [-1 if d is None else d for d in levels]

    each_case(check)


def simple_paths(graph, source, target, zero):
    """The length of each path without loops, of parallel arcs the lightest, from left to right."""
    lightest = {}
    for u, v, w in arcs_of(graph, None if zero == 0 and isinstance(zero, int) else type(zero)):
        lightest[u, v] = min(w, lightest.get((u, v), w))

    def walk(path, length):
        if path[-1] == target:
            yield length
            return
        for (u, v), w in lightest.items():
            if u == path[-1] and v not in path:
                yield from walk([*path, v], length + w)

    return sorted(walk([source], zero))


def test_k_shortest_paths(each_case):
    def check(rng):
        graph = draw(rng, most=7)
        n, k = graph.num_vertices, int(rng.integers(1, 8))
        source, target = (int(v) for v in rng.integers(0, n, 2))
        found = ask(lambda: wp.k_shortest_paths(graph, source, target, k))
        low, high = graph.weight_range
        bound = 2 * max(n - 1, 1) * max(abs(low), abs(high))
        floats = graph.weight_dtype is not None and graph.weight_dtype.kind == "f"
        top = float(np.finfo(graph.weight_dtype).max) if floats else 2**63 - 2
        if found is OverflowError:
            assert bound > top or (
                is_negative(graph) and may_refuse(graph, np.float64 if floats else np.int64)
            )
            return
        if found is wp.NegativeCycleError:
            back = expect(shortest, graph.reverse, target, np.float64 if floats else np.int64)
            assert back is wp.NegativeCycleError
            return
        zero = graph.weight_dtype.type(0) if floats else 0
        expected = simple_paths(graph, source, target, zero)[:k]
        assert found.lengths == [float(length) if floats else length for length in expected]
        if expect(shortest, graph, source, np.float64 if floats else np.int64) is not (
            wp.NegativeCycleError  # which does not lead to the target, but verify meets it
        ):
            found.verify()

    each_case(check)


def test_how_far_and_how_near(each_case):
    def check(rng):
        graph = draw(rng)
        n = graph.num_vertices
        kind = graph.weight_dtype if graph.weights is not None else np.dtype(np.int64)
        kind = np.dtype(np.int64) if kind.kind == "i" else kind
        rows = [expect(shortest, graph, v, kind) for v in range(n)]
        refused = [one for one in rows if isinstance(one, type)]
        found = ask(lambda: wp.eccentricity(graph))
        farthest = None
        if isinstance(found, type):
            assert agree(found, rows, graph, kind)
        else:
            assert not refused
            farthest = [max(d for d in row if d is not None) for row in rows]
            if not is_negative(graph) or kind.kind == "i":
                assert found.tolist() == farthest
        if is_negative(graph):
            for call in (wp.diameter, wp.closeness, wp.harmonic):
                with pytest.raises(ValueError, match="negative"):
                    call(graph)
            return
        found = ask(lambda: wp.diameter(graph))
        assert found is OverflowError if refused else found == max(farthest)
        for call, oracle in ((wp.closeness, closeness), (wp.harmonic, harmonic)):
            found = ask(lambda call=call: call(graph))
            back = [expect(shortest, graph.reverse, v, kind) for v in range(n)]
            if OverflowError in back:
                assert found is OverflowError
                continue
            expected = [oracle([d for d in row if d is not None], n) for row in back]
            if found is OverflowError:
                assert any(value > 1e307 for value in expected) or kind.kind == "f"
                assert max(
                    sum(Fraction(float(d)) for d in row if d) for row in back
                ) > 1e307 or any(value > 1e307 for value in expected)
                continue
            assert np.allclose(found, [float(value) for value in expected], rtol=1e-12, atol=0)

    each_case(check)


def closeness(distances, n):
    total = sum(
        Fraction(float(d)) if isinstance(d, np.floating) else Fraction(d) for d in distances
    )
    others = len(distances) - 1
    return Fraction(others * others, max(n - 1, 1)) / total if total else Fraction(0)


def harmonic(distances, n):
    return sum(
        1 / (Fraction(float(d)) if isinstance(d, np.floating) else Fraction(d))
        for d in distances
        if d
    )


def test_betweenness(each_case):
    def check(rng):
        graph = draw(rng, signed=False)
        n = graph.num_vertices
        if graph.num_arcs and graph.weight_range[0] <= 0:
            for call in (wp.betweenness, wp.edge_betweenness):
                with pytest.raises(ValueError, match="positive weights"):
                    call(graph)
            return
        floats = graph.weight_dtype is not None and graph.weight_dtype.kind == "f"
        kind = np.dtype(np.float64 if floats else np.int64)
        rows = [expect(shortest, graph, v, kind) for v in range(n)]
        if OverflowError in rows:
            for call in (wp.betweenness, wp.edge_betweenness):
                # A weight may be lost in a sum with a distance, too.
                assert ask(lambda call=call: lost(call, graph)) in (OverflowError, ValueError)
            return
        arcs = arcs_of(graph, np.float64 if floats else None)
        with np.errstate(over="ignore"):
            vanishes = any(
                row[u] is not None and row[u] + w == row[u] for row in rows for u, v, w in arcs
            )
        found = ask(lambda: lost(wp.betweenness, graph, normalized=False))
        on_arcs = ask(lambda: lost(wp.edge_betweenness, graph, normalized=False))
        if vanishes:
            assert found is ValueError
            assert on_arcs is ValueError
            return
        vertices, edges = dependencies(arcs, rows, n)
        if not graph.directed:
            other = other_arc(graph)
            vertices = [value / 2 for value in vertices]
            edges = [(edges[i] + edges[other[i]]) / 2 for i in range(len(edges))]
        assert np.allclose(found, [float(value) for value in vertices], rtol=1e-12, atol=1e-12)
        assert np.allclose(on_arcs, [float(value) for value in edges], rtol=1e-12, atol=1e-12)

    each_case(check)


def lost(call, graph, **options):
    """An answer, or ValueError where a weight is lost in a sum with a distance."""
    try:
        return call(graph, **options)
    except ValueError:
        return ValueError


def dependencies(arcs, rows, n):
    """Brandes' sums, in fractions."""
    vertices, edges = [Fraction(0)] * n, [Fraction(0)] * len(arcs)
    for source, row in enumerate(rows):
        with np.errstate(over="ignore"):
            tight = [
                (u, v, i)
                for i, (u, v, w) in enumerate(arcs)
                if row[u] is not None and row[u] + w == row[v]
            ]
        order = sorted((v for v in range(n) if row[v] is not None), key=row.__getitem__)
        count = [int(v == source) for v in range(n)]
        for v in order:
            count[v] += sum(count[a] for a, b, _ in tight if b == v)
        behind = [Fraction(0)] * n
        for v in reversed(order):
            for a, b, i in tight:
                if b == v:
                    part = Fraction(count[a], count[b]) * (1 + behind[b])
                    behind[a] += part
                    edges[i] += part
            if v != source:
                vertices[v] += behind[v]
    return vertices, edges


def test_forests_and_components(each_case):
    def check(rng):
        graph = draw(rng, directed=False)
        n = graph.num_vertices
        forest = wp.minimum_spanning_forest(graph)
        root = list(range(n))

        def find(v):
            while root[v] != v:
                v = root[v]
            return v

        total = 0
        for u, v, w in sorted(arcs_of(graph), key=lambda arc: arc[2]):
            if find(u) != find(v):
                root[find(u)] = find(v)
                total += Fraction(w)
        source, _, weight = forest.edges()
        mine = [1] * len(source) if weight is None else weight.tolist()
        assert sum(map(Fraction, mine)) == total
        of, count = wp.connected_components(graph)
        assert count == len({find(v) for v in range(n)}) == n - len(source)
        for u, v in itertools.combinations(range(n), 2):
            assert (of[u] == of[v]) == (find(u) == find(v))

    each_case(check)
