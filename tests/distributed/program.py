"""What `test_mpi.py` runs on several processes: the conformance set, or what its argument says."""

import os
import signal
import sys

import numpy as np

import warpath as wp

sys.path.insert(0, os.path.dirname(os.path.dirname(__file__)))
from distributed_cases import GRAPHS, check


def conformance():
    for name, make in GRAPHS.items():
        graph = make()
        check(graph, graph.num_vertices // 2)
        if wp.distributed.rank() == 0:
            print("passed", name, flush=True)


def generated():
    parts = wp.generate.rmat(11, weights=(1, 255), distributed=True)
    whole = wp.generate.rmat(11, weights=(1, 255))
    np.testing.assert_array_equal(wp.sssp(parts, 0).distance, wp.sssp(whole, 0).distance)


def fails(how):
    graph = wp.distributed.distribute(wp.generate.rmat(10, weights=(1, 9)))
    wp.bfs(graph, 0)
    if wp.distributed.rank() == 1:
        if how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "raises":
            raise KeyError("of rank 1 alone")
        if how == "leaves":
            return
        wp.sssp(graph, 1)
    wp.sssp(graph, 0)


if __name__ == "__main__":
    wp.distributed.init()
    task = sys.argv[1]
    if task == "conformance":
        conformance()
    elif task == "generated":
        generated()
    else:
        fails(task)
