"""Edges between names, there and back by files, against NetworkX's answers in these names."""

from itertools import pairwise

import networkx as nx
import pytest

import warpath as wp

KINDS = {
    "text": lambda rng, n: [f"{'x' * int(k % 3)} town {k}".strip() for k in rng.permutation(n)],
    "digits": lambda rng, n: [f"{k:03}" for k in rng.permutation(n)],
    "integers": lambda rng, n: (rng.permutation(n) * int(rng.integers(2, 2**40)) + 1).tolist(),
    "negative": lambda rng, n: (rng.permutation(n) - n // 2).tolist(),
}


def test_names(each_case, tmp_path):
    def check(rng):
        kind = str(rng.choice([*KINDS]))
        n, m = int(rng.integers(2, 12)), int(rng.integers(1, 25))
        names = KINDS[kind](rng, n)
        source, target = ([names[v] for v in row] for row in rng.integers(0, n, (2, m)))
        weights = rng.integers(0, 9, m).tolist()
        directed = bool(rng.integers(2))
        graph = wp.Graph.from_edges(source, target, weights, directed=directed, compact=True)
        suffix = str(rng.choice(["npz", "parquet", *([] if kind == "negative" else ["csv"])]))
        wp.write(graph, tmp_path / f"a.{suffix}")
        other = nx.MultiDiGraph() if directed else nx.MultiGraph()
        other.add_weighted_edges_from(zip(source, target, weights, strict=True))
        start = source[0]
        distance = nx.single_source_dijkstra_path_length(other, start)
        for one in (graph, wp.read(tmp_path / f"a.{suffix}")):
            found = wp.sssp(one, start)
            # No labels: the ids are 0 … n − 1 themselves.
            called = range(one.num_vertices) if one.labels is None else one.labels.tolist()
            assert {*called} == {*other}
            assert {v: found[v] for v in called if found[v] is not None} == distance
            for v in distance:
                walk = found.path(v)
                assert (walk[0], walk[-1]) == (start, v)
                assert all(one.has_edge(a, b) for a, b in pairwise(walk))
            rows = {row[0]: row[1] for row in found.to_frame().rows()}
            assert rows == {v: distance.get(v) for v in called}
        absent = "nowhere" if isinstance(start, str) else max(names) + 1
        with pytest.raises(ValueError, match=r"not in the graph|out of range"):
            wp.sssp(graph, absent)

    each_case(check)
