"""The memory of a balance, for the emulator: what `warpath.cuda.balance_memory` makes on a device."""

from functools import cached_property

import numpy as np

from warpath.balance.technique import COUNTER_BYTES, TempStorage
from warpath.graph import sort


class HostGraph:
    """What a technique asks of a graph, of NumPy's arrays; its first arc may have any number."""

    def __init__(self, row_offsets):
        self.row_offsets = row_offsets
        self.num_vertices = len(row_offsets) - 1
        self.num_arcs = int(row_offsets[-1] - row_offsets[0])

    @cached_property
    def sources(self):
        """The source of each arc, counted from the first."""
        return sort.expand_sources(np, self.row_offsets - self.row_offsets[0], self.num_arcs)


def balance_inputs(technique, row_offsets):
    """Inputs that tests/emulator/shim/balance_memory.h reads.

    Parameters
    ----------
    technique : Technique
    row_offsets : uint32 or uint64 array, shape (n + 1,)
    """
    graph = HostGraph(row_offsets)
    storage = technique.temp_storage(np, graph)
    if storage == TempStorage():
        return {}
    words, arrays = [], {}
    for i, each in enumerate(storage.prepared):
        if isinstance(each, int):
            words.append(each)
            continue
        arrays[f"prepared_{i}"] = each
        # An array with an element an arc: arcs before the first one have none here.
        before = int(row_offsets[0]) * each.itemsize if each is vars(graph).get("sources") else 0
        words.append(-before % 2**64)
    return {
        "prepared": np.array(words, np.uint64),
        "workspace_bytes": COUNTER_BYTES + storage.workspace,
        **arrays,
    }
