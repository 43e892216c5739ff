"""What a configuration does, by the name of its ``algorithm``: the call, its check, its counts."""

from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

import warpath
from warpath import devices
from warpath.balance import lookup
from warpath.balance.node_splitting import NodeSplitting, split
from warpath.bench import clock, code_size, every_vertex, representations
from warpath.bench.answers import Answers
from warpath.bench.expansion import LEVEL, fanned_out
from warpath.bench.measures import MEASURES
from warpath.bench.suite import Configuration
from warpath.bench.task import Call, Task
from warpath.planning.fitted_balance import fitted
from warpath.schedule import Schedule

_REPETITIONS = 5
_WARPS = 16  # of a block, at most
_TICK = 1e-9  # seconds of the clock: on tiny graphs a difference of times may be noise below 0


class InKernel(Task):
    """A traced search, of which the time by the kernel's own clock counts."""

    def seconds(self, answer: Any) -> float | None:
        """That of all iterations."""
        return float(answer.stats.nanoseconds.sum()) / 1e9


class Expand(Task):
    """All vertices are the frontier of one top-down iteration: each arc once, by a balance.

    It is a search of `warpath.bench.expansion.fanned_out`. On a GPU the time is that of the iteration
    by the kernel's clock. That stops before child grids have ended: with them it is what a search takes longer with the
    iteration than without, by events; on a CPU likewise, by the wall.
    """

    repetitions = _REPETITIONS

    def run(self, call: Call) -> Any:
        """A search from the root."""
        below, given = fanned_out(call.graph), dict(call.options)
        balance = given.pop("balance", None)
        if balance is not None:  # by the degrees of the frontier, not of what leads there
            balance = fitted(lookup(balance), call.graph)
        schedule = Schedule(balance=balance, direction="top-down")
        search = partial(
            warpath.bfs, below, below.num_vertices - 1, schedule=schedule, predecessors=False,
            **given,
        )  # fmt: skip
        on_device = call.options["device"] == "cuda"
        if on_device and not (balance is not None and balance.launches_children):
            return SimpleNamespace(found=search(depth_limit=LEVEL + 1), seconds=None)
        time = clock.on_device if on_device else clock.on_host
        _, before = time(partial(search, depth_limit=LEVEL))
        found, seconds = time(partial(search, depth_limit=LEVEL + 1))
        return SimpleNamespace(found=found, seconds=max(seconds - before, _TICK))

    def wrong(self, answers: Answers, source: int | None, answer: Any) -> str | None:
        """Its level is the distance of each vertex, and each arc was inspected there."""
        graph, found = answers.graph, answer.found
        if not bool((found.distance[: graph.num_vertices] == LEVEL).all()):
            return f"a vertex of the frontier is not at distance {LEVEL}"
        inspected = int(found.stats.edges[LEVEL])
        expected = graph.num_arcs
        return None if inspected == expected else f"{inspected} arcs inspected, not {expected}"

    def seconds(self, answer: Any) -> float | None:
        """The time of the iteration alone."""
        if answer.seconds is not None:
            return float(answer.seconds)
        return float(answer.found.stats.nanoseconds[LEVEL]) / 1e9

    def clock(self, answer: Any) -> str:
        """The kernel's, unless two searches were timed."""
        return "trace" if answer.seconds is None else "events"

    def counts(self, answer: Any) -> dict[str, Any]:
        """The counts of the iteration alone."""
        return {"iterations": 1, "relaxations": int(answer.found.stats.edges[LEVEL])}

    def arcs(self, answers: Answers, source: int | None) -> int | None:
        """All."""
        return answers.graph.num_arcs


class Connect(Task):
    """A search between two vertices: a source and the next one of the run."""

    def run(self, call: Call) -> Any:
        """`warpath.st_connected`."""
        assert call.source is not None
        target = call.sources[(call.sources.index(call.source) + 1) % len(call.sources)]
        return warpath.st_connected(call.graph, call.source, target, **call.options)

    def wrong(self, answers: Answers, source: int | None, answer: Any) -> str | None:
        """It is the distance of a breadth-first search that is right."""
        expected = answers.hops(answer.source, answer.target)
        found = answer.distance if answer.connected else None
        if isinstance(expected, str):
            return f"warpath's own answer: {expected}"
        return None if found == expected else f"the distance is {expected}, not {found}"


class Describe(Task):
    """A graph in numbers: see `warpath.statistics`."""

    repetitions = 1
    verifies = False
    searches = False
    timed = False

    def run(self, call: Call) -> Any:
        """Count."""
        return warpath.statistics(call.graph, **call.options)

    def wrong(self, answers: Answers, source: int | None, answer: Any) -> str | None:
        """Nothing is claimed."""
        return None

    def counts(self, answer: Any) -> dict[str, Any]:
        """The columns of a paper's table of graphs."""
        return {
            "extra": {
                "vertices": answer.vertices,
                "edges": answer.edges,
                "arcs": answer.arcs,
                "degree": answer.average_degree,
                "deviation": answer.degree_deviation,
                "largest": answer.max_degree,
                "diameter at least": answer.diameter_at_least,
                "histogram": [list(pair) for pair in answer.degree_histogram],
            }
        }

    def arcs(self, answers: Answers, source: int | None) -> int | None:
        """None are traversed."""
        return None


class SplitDegrees(Describe):
    """Degrees after node splitting: of nodes instead of vertices."""

    verifies = True

    def run(self, call: Call) -> Any:
        """The split's offsets, and its threshold; options are knobs of the technique."""
        most = NodeSplitting(**call.options).threshold(np, call.graph)
        is_split = float((call.graph.degree > most).mean()) if call.graph.num_vertices else 0.0
        offsets, first, _ = split(np, call.graph.row_offsets, most)
        # A vertex without arcs has no node, but is one of the graph's, of degree 0.
        idle = np.full(np.count_nonzero(first[1:] == first[:-1]), offsets[-1], offsets.dtype)
        return np.concatenate([offsets, idle]), most, is_split

    def wrong(self, answers: Answers, source: int | None, answer: Any) -> str | None:
        """The nodes have all arcs, and none has more than the threshold."""
        offsets, most, _ = answer
        degrees = np.diff(np.asarray(offsets).astype(np.int64))
        if int(degrees.sum()) != answers.graph.num_arcs:
            return f"the nodes have {degrees.sum()} arcs, not {answers.graph.num_arcs}"
        largest = int(degrees.max(initial=0))
        return None if largest <= most else f"a node has {largest} arcs, more than {most}"

    def counts(self, answer: Any) -> dict[str, Any]:
        """What figure 10 of Mishra et al. shows."""
        offsets, most, is_split = answer
        degrees = np.diff(np.asarray(offsets).astype(np.int64))
        histogram = np.bincount(degrees) if len(degrees) else np.zeros(1, np.int64)
        return {
            "extra": {
                "MDT": most,
                "split, %": 100 * is_split,
                "vertices": len(degrees),
                "degree": float(degrees.mean()) if len(degrees) else 0.0,
                "deviation": float(degrees.std()) if len(degrees) else 0.0,
                "largest": int(degrees.max(initial=0)),
                "histogram": [[int(d), int(histogram[d])] for d in np.flatnonzero(histogram)],
            }
        }


class EveryVertex(Task):
    """The search of `warpath.bench.every_vertex`."""

    searches = False

    def run(self, call: Call) -> Any:
        """Search."""
        assert call.source is not None
        return SimpleNamespace(distance=every_vertex.search(call.graph, call.source))

    def counts(self, answer: Any) -> dict[str, Any]:
        """The levels."""
        return {"iterations": int(answer.distance.max()) + 1}


class OnGrid(Task):
    """A search on a GPU by a smaller grid, its frontier not the default one.

    ``warps`` on each multiprocessor, 1 to 32, and the number of ``multiprocessors``; None: all. The hardware
    gives each multiprocessor one block before any gets a second.
    """

    searches = False

    def run(self, call: Call) -> Any:
        """A search that `warpath.bfs` would make, but for the grid."""
        from warpath.algorithms.common.result import Paths
        from warpath.algorithms.common.stats import Stopwatch
        from warpath.algorithms.traversal import gpu_bfs  # imports what drives a GPU
        from warpath.algorithms.traversal.bfs import bfs_problem

        assert call.source is not None
        problem = replace(
            bfs_problem(
                call.graph, call.source, predecessors=False, device="cuda",
                schedule=call.options["schedule"],
            ),
            grid=_grid(call.options["warps"], call.options["multiprocessors"]),
        )  # fmt: skip
        found = gpu_bfs.run(problem, problem.plan(problem.place), False, Stopwatch())
        return Paths(call.graph, call.source, found.distance, None, found.stats, weighted=False)


def _grid(warps: int, multiprocessors: int | None) -> tuple[int, int]:
    """Blocks, and threads of each: one block on each multiprocessor, or two of 16 warps."""
    here = devices.require().multiprocessors
    blocks = here if multiprocessors is None else min(multiprocessors, here)
    each = -(-warps // _WARPS)
    return each * blocks, warps // each * 32


class BalanceCosts(Describe):
    """What a balance needs in addition to time: bytes, and lines of code (`warpath.bench.code_size`)."""

    def run(self, call: Call) -> Any:
        """Ask the technique, and count."""
        technique = lookup(call.options["balance"])
        graph = call.graph
        arcs = SimpleNamespace(
            num_vertices=graph.num_vertices,
            num_arcs=graph.num_arcs,
            row_offsets=graph.row_offsets.astype(np.uint32),
            sources=graph.coo()[0],
        )
        storage = technique.temp_storage(np, arcs)
        prepared = sum(one.nbytes for one in storage.prepared if hasattr(one, "nbytes"))
        return prepared + storage.workspace, code_size.lines(type(technique))

    def counts(self, answer: Any) -> dict[str, Any]:
        """Both."""
        return {"extra": dict(zip(("bytes", "lines"), answer, strict=True))}


class Prepare(Describe):
    """What a balance makes of a graph once, on a GPU."""

    repetitions = _REPETITIONS
    timed = True

    def run(self, call: Call) -> Any:
        """Make it, of a graph that is there and has nothing of it."""
        import cupy

        from warpath.cuda.device_graph import DeviceGraph, on_device

        there = on_device(call.graph)
        plain = DeviceGraph.from_arrays(
            there.row_offsets, there.column_indices, directed=there.directed
        )
        return lookup(call.options["balance"]).temp_storage(cupy, plain)

    def counts(self, answer: Any) -> dict[str, Any]:
        """Bytes of it."""
        kept = sum(one.nbytes for one in answer.prepared if hasattr(one, "nbytes"))
        return {"extra": {"bytes": int(kept)}}


class Look(Describe):
    """Questions to a representation of a graph: see `warpath.bench.representations`."""

    repetitions = _REPETITIONS
    verifies = True
    searches = True  # its call takes a device
    timed = True

    def run(self, call: Call) -> Any:
        """Ask."""
        return representations.ask(call.graph, **call.options)

    def seconds(self, answer: Any) -> float | None:
        """The time of the questions, without making the representation."""
        return float(answer.seconds)

    def clock(self, answer: Any) -> str:
        """Events around the launch alone."""
        return "events"

    def wrong(self, answers: Answers, source: int | None, answer: Any) -> str | None:
        """All representations answer the same."""
        expected = representations.expected(answers.graph, answer.question)
        return None if answer.found == expected else f"found {answer.found}, not {expected}"

    def counts(self, answer: Any) -> dict[str, Any]:
        """Bytes, and nanoseconds per question."""
        return {
            "extra": {
                "bytes": answer.nbytes,
                "ns each": answer.seconds / answer.questions * 1e9,
            }
        }


TASKS: dict[str, Task] = {
    "bfs": Task("bfs"),
    "sssp": Task("sssp"),
    "expand": Expand("expand"),
    "st-connected": Connect("st-connected"),
    "describe": Describe("describe"),
    "split-degrees": SplitDegrees("split-degrees"),
    "bfs-every-vertex": EveryVertex("bfs"),
    "bfs-on-grid": OnGrid("bfs"),
    "bfs-in-kernel": InKernel("bfs"),
    "sssp-in-kernel": InKernel("sssp"),
    "balance-costs": BalanceCosts("balance-costs"),
    "prepare-balance": Prepare("prepare-balance"),
    "look": Look("look"),
    **MEASURES,
}


def options_of(configuration: Configuration) -> dict[str, Any]:
    """Keyword arguments of the call, its device among them if it is a search."""
    device = {"device": configuration.device} if TASKS[configuration.algorithm].searches else {}
    return device | dict(configuration.options)
