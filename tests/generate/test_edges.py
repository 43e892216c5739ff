"""Random graphs of which each rank draws its share."""

import numpy as np
import pytest

import warpath as wp
from thread_ranks import answers_on, on_ranks
from warpath.generate import edges


def arcs_of(parts):
    """The arcs that this rank holds, by ids: one row each."""
    return rows_of(*parts.part.graph.coo(), parts.part.ids)


def rows_of(source, target, weight, ids=None):
    ends = (source, target) if ids is None else (ids[source], ids[target])
    return np.column_stack([*ends, np.ones(len(source)) if weight is None else weight])


def ordered(rows):
    return rows[np.lexsort(rows.T[::-1])]


RMAT, RANDOM = wp.generate.rmat, wp.generate.erdos_renyi
CASES = [
    (RMAT, {"scale": 9, "weights": (1, 255)}),
    (RMAT, {"scale": 8, "edge_factor": 3, "directed": True, "weights": (0.0, 1.0)}),
    (RMAT, {"scale": 7, "n": 100, "simple": True, "weights": (1, 9)}),
    (RMAT, {"scale": 5, "edge_factor": 0}),
    (RMAT, {"scale": 9, "permute": False, "seed": 7, "a": 0.45, "b": 0.15, "c": 0.15}),
    (RMAT, {"scale": 0, "edge_factor": 3}),
    (RANDOM, {"n": 300, "m": 2000, "weights": (1, 255)}),
    (RANDOM, {"n": 20, "m": 380, "directed": True, "seed": 3}),  # all pairs
    (RANDOM, {"n": 50, "m": 400, "replace": True, "weights": (0.0, 1.0)}),
    (RANDOM, {"n": 0, "m": 0}),
]


@pytest.mark.parametrize(("generator", "options"), CASES)
def test_parts_make_the_same_graph(monkeypatch, generator, options):
    monkeypatch.setattr(edges, "_EDGES_AT_ONCE", 1000)
    whole = generator(**options)
    for ranks in (1, 3):
        parts = answers_on(ranks, lambda: arcs_of(generator(**options, distributed=True)))
        np.testing.assert_array_equal(
            ordered(np.concatenate(parts)), ordered(rows_of(*whole.coo()))
        )


@pytest.mark.parametrize("options", [{"weights": (1, 255)}, {"n": 100, "simple": True}])
def test_vertices_by_degree_cyclically(monkeypatch, options):
    """The same graph with other names, in one piece and on ranks."""
    monkeypatch.setattr(edges, "_EDGES_AT_ONCE", 100)
    options |= {"scale": 7, "edge_factor": 3, "seed": 2}
    source, target, weight = RMAT(**options | {"simple": False}).edges()
    n = options.get("n", 128)
    by_degree = np.argsort(
        -np.bincount(np.concatenate([source, target]), minlength=n), kind="stable"
    )
    for ranks in (1, 3):
        name = np.argsort(np.concatenate([by_degree[rank::ranks] for rank in range(ranks)]))
        wanted = wp.Graph.from_edges(
            name[source], name[target], weight, n=n, directed=False,
            drop_self_loops="simple" in options, merge="min" if "simple" in options else "keep",
        )  # fmt: skip
        made = (
            [rows_of(*RMAT(**options, by_degree=True).coo())]
            if ranks == 1
            else answers_on(
                ranks, lambda: arcs_of(RMAT(**options, by_degree=True, distributed=True))
            )
        )
        np.testing.assert_array_equal(
            ordered(np.concatenate(made)), ordered(rows_of(*wanted.coo()))
        )


def test_no_part_is_on_a_gpu():
    for generator, size in ((RMAT, (5,)), (RANDOM, (5, 7))):
        with pytest.raises(ValueError, match="device='cpu'"):
            generator(*size, distributed=True, device="cuda")


@pytest.mark.parametrize("option", ["seed", "by_degree"])
def test_ranks_that_ask_for_different_graphs_disagree(option):
    def made():
        value = [0, 1][wp.distributed.rank()]
        return RMAT(5, **{option: value if option == "seed" else bool(value)}, distributed=True)

    for error in on_ranks(2, made):
        assert isinstance(error, wp.RanksDisagreeError)
