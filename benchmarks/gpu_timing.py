"""Timing on a GPU, for the benchmarks in this folder."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import cupy as cp
import numpy as np

import warpath as wp

SOURCES = 20
ROUNDS = 9
# Longer to fill than a call takes on the host, so that the call's work is queued when it begins.
_BUSY_BYTES = 2**30
_busy: list[cp.ndarray] = []


def device_ms(call: Callable[[], object]) -> float:
    """What a call takes on the device, by events: without the host's time before its launch."""
    if not _busy:
        _busy.append(cp.empty(_BUSY_BYTES, np.uint8))
    begin, end = cp.cuda.Event(), cp.cuda.Event()
    _busy[0].fill(1)
    begin.record()
    call()
    end.record()
    end.synchronize()
    return float(cp.cuda.get_elapsed_time(begin, end))


def median_ms(call: Callable[[Any], object], sources: Sequence[Any]) -> float:
    """`device_ms`, the median of the sources, after a first call that compiles and copies."""
    call(sources[0])
    return float(np.median([device_ms(lambda s=source: call(s)) for source in sources]))  # type: ignore[misc]


def in_turns(
    calls: Mapping[str, Callable[[Any], object]], sources: Sequence[Any]
) -> dict[str, float]:
    """`device_ms` of calls that are warm: of each source the median of the rounds, the mean of these.

    Interleaved, since a GPU's clock varies: calls that are the same differ by some percent otherwise.
    """
    names = list(calls)
    times = {name: np.empty((ROUNDS, len(sources))) for name in names}
    for row in range(ROUNDS):
        first = row % len(names)
        for column, source in enumerate(sources):
            for name in names[first:] + names[:first]:
                times[name][row, column] = device_ms(lambda c=calls[name], s=source: c(s))  # type: ignore[misc]
    return {name: float(np.median(each, axis=0).mean()) for name, each in times.items()}


def call_ms(call: Callable[[], object]) -> float:
    """What a call and the wait for its answer take, by the host's clock."""
    cp.cuda.Device().synchronize()
    began = time.perf_counter()
    call()
    cp.cuda.get_current_stream().synchronize()
    return (time.perf_counter() - began) * 1e3


def median_call_ms(call: Callable[[], object], repeats: int = 5) -> float:
    """`call_ms`, the median, after a first call that compiles."""
    call()
    return float(np.median([call_ms(call) for _ in range(repeats)]))


def some_sources(graph: wp.Graph) -> tuple[list[int], int]:
    """(sources, the arcs of their component): that of the vertex with the most arcs."""
    offsets = cp.asarray(graph.resident.row_offsets)
    degree = offsets[1:] - offsets[:-1]
    reached = wp.bfs(graph, int(degree.argmax()), device="cuda", predecessors=False).distance >= 0
    members = cp.flatnonzero(reached).get()
    sources = np.random.default_rng(2).choice(members, SOURCES).tolist()
    return sources, int(degree[reached].astype(np.int64).sum())
