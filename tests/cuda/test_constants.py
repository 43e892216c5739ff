"""Constants that kernels and drivers share: C++ and Python have the same."""

import numpy as np

from struct_layouts import values
from warpath.balance import TECHNIQUES, technique
from warpath.cuda import (
    arguments,
    device_graph,
    execute,
    minplus,
    product,
    program_memory,
    queue_capacity,
    st,
    trace,
)

SHARED = {  # (header, expression): what Python has
    ("core/types.cuh", "warpath::invalid_vertex"): arguments.INVALID_VERTEX,
    ("frontier/buckets.cuh", "warpath::bucket_counters"): program_memory._BUCKET_COUNTERS,
    ("frontier/queue.cuh", "warpath::high_degree_edges"): queue_capacity.HIGH_DEGREE,
    ("frontier/queue.cuh", "warpath::QueueWriter<unsigned>::batch"): queue_capacity._BATCH[4],
    ("frontier/queue.cuh", "warpath::QueueWriter<warpath::Count>::batch"): queue_capacity._BATCH[8],
    ("frontier/queue.cuh", "warpath::BlockWriter<unsigned>::staging_size"): queue_capacity._BLOCK_BATCH,
    ("frontier/queue.cuh", "1ull << warpath::Tail<warpath::Count>::arc_bits"): device_graph.MOST_QUEUED_ARCS,
    ("frontier/queue.cuh", "1ull << (64 - warpath::Tail<warpath::Count>::arc_bits)"): device_graph.MOST_QUEUED,
    ("balance/balance.cuh", "warpath::workspace_counters"): technique.COUNTER_BYTES,
    ("engine/small_frontier.cuh", "warpath::max_cluster_blocks"): execute.CLUSTER,
    ("operators/visit_two_ended.cuh", "warpath::vertices_per_side_word"): st._VERTICES_PER_SIDE_WORD,
    ("core/types.cuh", "warpath::warp_lanes"): product.PACKED_STEPS,
}  # fmt: skip
NAMES = {  # of the trace, by number
    "warpath::trace_top_down": (trace._DIRECTIONS, "top-down"),
    "warpath::trace_bottom_up": (trace._DIRECTIONS, "bottom-up"),
    "warpath::trace_forward": (trace._DIRECTIONS, "forward"),
    "warpath::trace_backward": (trace._DIRECTIONS, "backward"),
    "warpath::mode_block": (trace._MODES, "block"),
    "warpath::mode_cluster": (trace._MODES, "cluster"),
    "warpath::mode_grid": (trace._MODES, "grid"),
} | {
    f"warpath::code_of::{name.replace('-', '_')}": (trace._BALANCES, name)
    for name in TECHNIQUES
    if name != "auto"  # it has those of the techniques that it chooses
}


def test_numbers(compiler):
    found = dict(zip(SHARED, values(compiler, list(SHARED)), strict=True))
    assert found == SHARED


def test_names_of_the_trace(compiler):
    headers = [("balance/balance.cuh", name) for name in NAMES]
    headers = [("engine/trace.cuh", name) if "code_of" not in name else (header, name) for header, name in headers]  # fmt: skip
    for number, (names, name) in zip(values(compiler, headers), NAMES.values(), strict=True):
        assert names[number] == name


def test_dtypes_of_words_are_as_large_as_said(compiler):
    asked = [("core/path_algebra.cuh", f"sizeof({word})") for word, *_ in minplus._WORDS.values()]
    sizes = [size for _, size, _ in minplus._WORDS.values()]
    assert values(compiler, asked) == sizes
    each = [f"warpath::WordOf<{word}>::distances" for word, *_ in minplus._WORDS.values()]
    assert values(compiler, [("core/path_algebra.cuh", one) for one in each]) == [
        count for *_, count in minplus._WORDS.values()
    ]
    for name, (_, size, count) in minplus._WORDS.items():
        assert np.dtype(name).itemsize * count == size
