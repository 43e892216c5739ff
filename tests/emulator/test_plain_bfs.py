"""The plain kernels that benchmarks/gpu_plain.py holds the balances against, and their launches."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from exhaustive import few
from oracles import levels
from warpath import Graph, balance

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
PLAIN = runpy.run_path(str(BENCHMARKS / "plain_bfs.py"))
TECHNIQUES = PLAIN["TECHNIQUES"]
PARTITIONED = [name for name in TECHNIQUES if name.startswith(("two-", "multi-", "merge-"))]
# By default each with the first setting of its knobs.
FIRST = {name.partition(":")[0]: name for name in reversed(list(TECHNIQUES))}
SOME = few(TECHNIQUES, FIRST.values())
# So that few vertices need all there is.
SMALL = {"MDT": 3, "SWITCH_BELOW": 4, "WALKERS": 100, "CHUNK": 2, "T_DP": 50}


@pytest.fixture(scope="module")
def program(emulator):
    return emulator.build(Path(__file__).with_suffix(".cpp"), include=[BENCHMARKS])


def launcher(program, seed):
    """Launch in the emulator; arrays that a kernel writes are updated."""

    def launch(name, threads, *arguments):
        named = {f"a{i}": argument for i, argument in enumerate(arguments)}
        blocks = -(-threads // PLAIN["BLOCK"])
        for key, array in program.run(name, seed=seed, blocks=blocks, **named).items():
            named[key][...] = array

    return launch


@pytest.fixture
def search_of(program, monkeypatch):
    """Make a search of a graph by a technique."""
    for name, value in SMALL.items():
        monkeypatch.setitem(PLAIN["_hierarchical"].__globals__, name, value)

    def make(graph, technique, seed=0):
        offsets, columns = (a.astype(np.uint32) for a in (graph.row_offsets, graph.column_indices))
        return PLAIN["PlainSearch"](np, launcher(program, seed), technique, offsets, columns)

    return make


@pytest.fixture(scope="module")
def graph():
    """Random, with a vertex for a block, some for warps, and two more."""
    rng = np.random.default_rng(1)
    n, wide = 500, (0, 400, *[60] * 5)
    edges = [rng.integers(0, n, (1000, 2))]
    edges += [np.c_[np.full(k, v), rng.integers(0, n, k)] for v, k in enumerate(wide)]
    source, target = np.concatenate(edges).T
    return Graph.from_edges(source, target, n=n + 2, directed=False)


def test_names_are_those_of_our_balances():
    for name in TECHNIQUES:
        assert str(balance.lookup(name)) == name


@pytest.mark.parametrize("technique", SOME)
def test_distances(search_of, graph, technique):
    search = search_of(graph, technique, seed=3)
    search.run([0])
    right = levels(graph, 0)
    np.testing.assert_array_equal(search.distance, right)
    search.distance[:] = 7
    search.repeat()
    np.testing.assert_array_equal(search.distance, right)


@pytest.mark.parametrize("technique", SOME)
def test_from_several_sources_together(search_of, graph, technique):
    sources = [1, graph.num_vertices - 1, 20, 30, 40, 50]
    search = search_of(graph, technique)
    search.run(sources)
    each = np.stack([levels(graph, source) for source in sources])
    each[each < 0] = np.iinfo(np.int32).max
    right = each.min(axis=0)
    right[right == np.iinfo(np.int32).max] = -1
    np.testing.assert_array_equal(search.distance, right)


@pytest.mark.parametrize("technique", SOME)
def test_from_a_vertex_without_arcs(search_of, graph, technique):
    alone = graph.num_vertices - 1
    search = search_of(graph, technique)
    search.run([alone])
    np.testing.assert_array_equal(search.distance, levels(graph, alone))


@pytest.mark.parametrize("technique", PARTITIONED)
def test_sources_of_one_arc_each(search_of, technique):
    """As many vertices as a block can have, and a few for the next one."""
    n = PLAIN["BLOCK"] * PLAIN["ARCS_PER_THREAD"] + 3
    sources = np.arange(n)
    search = search_of(Graph.from_edges(sources, sources + n, n=2 * n), technique, seed=5)
    search.run(sources)
    np.testing.assert_array_equal(search.distance, np.repeat([0, 1], n))


def test_hybrid_takes_both_couplings(search_of, graph):
    """Balanced redistribution where a level has more than f0 items per vertex."""
    search = search_of(graph, "merge-path")
    visit, taken = search.visit, []

    def noted(kernel, threads, level, prefix, items, places, ends):
        taken.append((items > PLAIN["F0"] * level.size, bool(ends)))
        visit(kernel, threads, level, prefix, items, places, ends)

    search.visit = noted
    search.run([0])
    assert set(taken) == {(False, False), (True, True)}
