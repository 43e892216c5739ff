"""Compiled kernels outlive the process that compiled them."""

import json
import subprocess
import sys

import pytest

from oracles import METHODS

CALL = """
import json, time
began = time.perf_counter()
import warpath as wp
g = wp.Graph.from_edges([0, 1, 2], [1, 2, 0], [3, 4, 5], directed=True)
r = wp.{call}(g, 0, {arguments})
seconds = time.perf_counter() - began
from warpath.cpu import {module}
stats = {module}.{kernel}.stats
hits, misses = (sum(counter.values()) for counter in (stats.cache_hits, stats.cache_misses))
print(json.dumps([r.distance.tolist(), hits, misses, seconds]))
"""


@pytest.mark.parametrize(
    ("call", "arguments", "module", "kernel", "distance"),
    [
        ("bfs", "", "bfs", "_bfs", [0, 1, 2]),
        ("sssp", "", "delta_stepping", "_delta_stepping", [0, 3, 7]),
        ("sssp", "method='dijkstra'", "dijkstra", "_dijkstra", [0, 3, 7]),
        ("sssp", "method='bellman-ford'", "bellman_ford", "_bellman_ford", [0, 3, 7]),
        ("sssp", "method='bellman-ford-queueless'", "queueless", "_queueless", [0, 3, 7]),
        (
            "sssp",
            "method='sequential-bellman-ford'",
            "sequential_bellman_ford",
            "_sequential",
            [0, 3, 7],
        ),
    ],
    ids=["bfs", *(f"sssp by {method}" for method in METHODS)],
)
def test_a_second_process_compiles_nothing(call, arguments, module, kernel, distance):
    code = CALL.format(call=call, arguments=arguments, module=module, kernel=kernel)

    def process():
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
        return json.loads(done.stdout)

    process()
    found, hits, misses, seconds = process()
    assert found == distance
    assert (hits, misses) == (1, 0)
    print(f"{call} {arguments}: the second process's first call took {seconds:.2f} s")
