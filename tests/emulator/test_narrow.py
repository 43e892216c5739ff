"""Narrow levels (narrow.cuh): barriers that few graphs need."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

from warpath import Graph
from warpath.cuda.compile import KERNELS

HERE = Path(__file__).resolve().parent
MIDDLE = 120  # vertices: more than a warp's share of a queue that a block takes over at once
MANY = 1030  # arcs: more than `most_split` of narrow.cuh


def full_of_spills():
    """A hub, and behind it vertices that do not fit into a block's queue, each with a leaf.

    When a block takes the second level over from the grid's queue, each vertex of it spills to the
    front of that queue, where others may not have been read yet.
    """
    middle = np.arange(1, MIDDLE + 1)
    source = np.r_[np.zeros(MANY, int), np.repeat(middle, MANY)]
    target = np.r_[1 + np.arange(MANY) % MIDDLE, np.repeat(middle + MIDDLE, MANY)]
    return Graph.from_edges(source, target, n=2 * MIDDLE + 1, directed=True)


def test_a_queue_is_read_before_what_spills_overwrites_it(emulator, tmp_path):
    # The search of test_bfs.py, which checks its answer.
    spec = spec_from_file_location("searches", HERE / "test_bfs.py")
    searches = module_from_spec(spec)
    spec.loader.exec_module(searches)
    graph = full_of_spills()

    def search(program, seed):
        searches.search(
            program, "two_phase_search_distances", graph, [0], "top-down",
            seed=seed, blocks=1, block_items=graph.num_arcs,
        )  # fmt: skip

    source = emulator.only(tmp_path, HERE / "test_bfs.cpp", "two_phase_search")
    program = emulator.build(source)
    for seed in (0, 1):
        search(program, seed)
    barrier = "        meet();  // all have read the queue, so what spills may overwrite it\n"
    without = emulator.faulty(tmp_path, source, KERNELS / "narrow.cuh", barrier, "")
    # Threads in order: the first warp has appended before the second one reads.
    with pytest.raises(AssertionError):
        search(without, 0)
