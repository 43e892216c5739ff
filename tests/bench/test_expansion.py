import numpy as np
import pytest

import warpath as wp
from warpath.bench.expansion import LEVEL, fanned_out


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("n", [1, 2, 8, 9, 10, 1000])
def test_a_root_reaches_all_vertices_on_one_level(n: int, directed: bool) -> None:
    graph = wp.generate.erdos_renyi(n, min(2 * n, n * (n - 1) // 2), directed=directed, seed=1)
    below = fanned_out(graph)
    assert below is fanned_out(graph)
    assert below.directed
    fans = below.num_vertices - n - 1
    assert abs(fans - n**0.5) <= 2
    assert below.num_arcs == graph.num_arcs + n + fans
    for v in range(n):
        np.testing.assert_array_equal(below.neighbors(v), graph.neighbors(v))
    found = wp.bfs(below, below.num_vertices - 1, device="cpu", schedule="direction=top-down")
    assert (found.distance[:n] == LEVEL).all()
    found.verify()
    assert found.stats.frontier[LEVEL] == n
    assert found.stats.edges[LEVEL] == graph.num_arcs
