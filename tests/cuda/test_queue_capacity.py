"""Queues of vertices that come several times: what they may hold is counted."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from warpath.cuda import queue_capacity
from warpath.cuda.queue_capacity import with_queue_capacity

H200 = 132  # multiprocessors


@dataclass
class Graph:
    """As much of a device's graph as is looked at; one vertex has all arcs."""

    num_vertices: int
    num_arcs: int
    row_offsets: Any = None
    derived: dict[Any, Any] = field(default_factory=dict)

    def __post_init__(self):
        if self.row_offsets is None:
            self.row_offsets = np.array([0, self.num_arcs], np.uint32)


@pytest.fixture(autouse=True)
def device(monkeypatch):
    here = SimpleNamespace(multiprocessors=H200)
    monkeypatch.setattr(queue_capacity.runtime, "current", lambda: here)


def test_a_warp_writes_at_most_a_batch_after_the_overflow():
    warps = H200 * 64
    graph, capacity = with_queue_capacity(Graph(1000, 5), None)
    assert graph.row_offsets.dtype == np.uint32
    assert capacity == 2 * 1000 + 64 * warps
    _, few = with_queue_capacity(Graph(1000, 5), 3)
    assert few == 2 * 1000 + 64 * 3 * 16
    _, blockwise = with_queue_capacity(Graph(1000, 5), None, by_blocks=True)
    assert blockwise == 2 * 1000 + 192 * warps


def test_arcs_beyond_32_bits_are_counted_in_64():
    """A hub of 100,029 arcs, as wiki-talk has: with such offsets a batch is half as large."""
    whole = Graph(2_400_000, 4_995_020)
    whole.derived["largest degree",] = 100_029
    graph, capacity = with_queue_capacity(whole, None)
    assert graph.row_offsets.dtype == np.uint64
    assert capacity == 2 * 2_400_000 + 32 * H200 * 64
    assert with_queue_capacity(whole, None)[0] is graph


def test_what_a_queue_cannot_count_is_refused():
    with pytest.raises(ValueError, match=r"might hold 270,340 vertices of .* it can count"):
        with_queue_capacity(Graph(2, 200_000), None)
    graph, _ = with_queue_capacity(Graph(2, 200_000), None, dedup_high_degree=True)
    assert graph.row_offsets.dtype == np.uint32
