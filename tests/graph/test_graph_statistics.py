import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpath as wp
from warpath.graph.graph_statistics import Statistics


@pytest.fixture
def directed():
    """Three parallel arcs, two equal self-loops, a vertex that is only reached, an isolated one."""
    source, target = [0, 0, 0, 1, 1, 3], [1, 1, 1, 1, 1, 2]
    return wp.Graph.from_edges(source, target, [4.5, 1, 2, -3, 0, 1], n=5)


def test_by_hand(directed):
    numbers = Statistics.of(directed)
    assert numbers == Statistics(
        directed=True,
        vertices=5,
        edges=6,
        arcs=6,
        average_degree=6 / 5,
        degree_deviation=np.std([3, 2, 0, 1, 0]),
        degree_mode=0,
        max_degree=3,
        self_loops=2,
        parallel_arcs=3,
        isolated_vertices=1,
        components=3,
        largest_component=2,
        diameter_at_least=None,
        weight_dtype="float64",
        weight_range=(-3.0, 4.5),
        nbytes=directed.nbytes,
        degree_histogram=((0, 2), (1, 1), (2, 1), (3, 1)),
    )


@given(st.integers(0, 2**32 - 1), st.integers(0, 15), st.integers(0, 40), st.booleans())
def test_by_definition(seed, n, m, directed):
    source, target = np.random.default_rng(seed).integers(0, max(n, 1), (2, m if n else 0))
    numbers = Statistics.of(wp.Graph.from_edges(source, target, n=n, directed=directed))
    matrix = np.zeros((n, n), int)
    np.add.at(matrix, (source, target), 1)
    if not directed:
        matrix = matrix + np.tril(matrix, -1).T + np.triu(matrix, 1).T
    degree = matrix.sum(axis=1)
    values, counts = np.unique(degree, return_counts=True)
    assert numbers.vertices == n
    assert numbers.edges == len(source)
    assert numbers.arcs == matrix.sum()
    assert numbers.average_degree == pytest.approx(degree.mean() if n else 0)
    assert numbers.degree_deviation == pytest.approx(degree.std() if n else 0)
    assert numbers.max_degree == max(degree, default=0)
    assert numbers.self_loops == np.trace(matrix)
    assert numbers.parallel_arcs == np.maximum(matrix - 1, 0).sum()
    assert numbers.isolated_vertices == np.sum(~matrix.any(axis=0) & ~matrix.any(axis=1))
    assert numbers.degree_histogram == tuple(zip(values.tolist(), counts.tolist(), strict=True))
    if n:
        assert numbers.degree_mode == values[counts.argmax()]


def test_rows_that_begin_with_their_predecessors_target():
    graph = wp.Graph.from_edges([0, 2, 2, 4], [3, 3, 3, 3], n=6)
    assert Statistics.of(graph).parallel_arcs == 1


def test_no_vertices():
    numbers = Statistics.of(wp.Graph.from_edges([], []))
    assert (numbers.vertices, numbers.average_degree, numbers.max_degree) == (0, 0, 0)
    assert (numbers.components, numbers.largest_component) == (0, 0)
    assert numbers.degree_histogram == ()
    assert "vertices" in str(numbers)


def test_plain_values_for_json(directed):
    numbers = Statistics.of(directed)
    plain = json.loads(json.dumps(numbers.as_dict()))
    assert plain == numbers.as_dict()
    assert plain["degree_histogram"] == [[0, 2], [1, 1], [2, 1], [3, 1]]
    assert plain["weight_range"] == [-3.0, 4.5]
    assert set(plain) == {field.name for field in dataclasses.fields(Statistics)}
    assert Statistics.of(directed.without_weights()).as_dict()["weight_range"] is None


def test_printed(directed):
    lines = dict(line.split("  ", 1) for line in str(Statistics.of(directed)).splitlines())
    table = {name.strip(): value.strip() for name, value in lines.items()}
    assert table["vertices"] == "5"
    assert table["kind"] == "directed"
    assert table["average degree"] == "1.20"
    assert table["largest component"] == "2 vertices"
    assert table["weights"] == "float64, -3.0 … 4.5"
    assert table["bytes, csr"] == "96"
    assert "diameter" not in table
    assert Statistics.of(directed.without_weights()).rows()[-5] == ("weights", "none")
    with_diameter = dataclasses.replace(Statistics.of(directed), diameter_at_least=1234)
    assert ("diameter", "≥ 1,234") in with_diameter.rows()


def test_frozen(directed):
    with pytest.raises(dataclasses.FrozenInstanceError):
        Statistics.of(directed).vertices = 3
