"""What `test_rank_processes_gpu.py` runs on several processes; its argument says what."""

import os
import sys
import time
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import warpath as wp
from distributed_cases import GRAPHS
from warpath.cuda.multi_gpu import Companion
from warpath.distributed.context import current


def answers():
    for name, make in GRAPHS.items():
        graph = make()
        partition = "metis" if name == "grid" and find_spec("pymetis") else "blocks"
        parts, source = wp.distributed.distribute(graph, partition), graph.num_vertices // 2
        for search, check in (wp.bfs, wp.verify.bfs), (wp.sssp, wp.verify.sssp):
            answer = search(parts, source, device="cuda")
            answer.verify()
            distance = answer.distance.get()
            assert (distance == search(graph, source, device="cpu").distance).all()
            check(graph, source, distance, answer.predecessor.get())
        print("passed", name, flush=True)
    assert current().gpu.together is not None


def generated():
    graph = wp.generate.rmat(16, weights=(1, 255), seed=1, distributed=True)
    whole = wp.generate.rmat(16, weights=(1, 255), seed=1)
    for search in (wp.bfs, wp.sssp):
        for source in range(0, 60, 20):  # memory of a search before is used again
            answer = search(graph, source, device="cuda")
            answer.verify()
            mine = search(whole, source, device="cpu").distance[graph.vertices]
            assert (answer.own_distance.get() == mine).all()
    print("passed", flush=True)


def killed():
    """Rank 1 ends in a search while the others wait for it on their GPUs."""
    graph = wp.generate.rmat(14, seed=1, distributed=True)
    wp.bfs(graph, 0, device="cuda")
    print("begins", flush=True)

    def end():
        time.sleep(1)
        os.kill(os.getpid(), 9)

    if wp.distributed.rank() == 1:
        Companion.launching = lambda one, peers: end
    try:
        wp.bfs(graph, 0, device="cuda")
    except wp.RankFailedError as error:
        print("passed", error, flush=True)


wp.distributed.init()
{"answers": answers, "generated": generated, "killed": killed}[sys.argv[1]]()
