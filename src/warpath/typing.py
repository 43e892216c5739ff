"""The names that warpath's functions take, as types: for annotations, editors and type checkers.

Each list of names stands here once. Tables that say what a name means (such as
`warpath.planning.methods.METHODS`) have the same names in the same order, and the command
line offers them. This module imports nothing else, so that completion in a shell is quick.

Examples
--------
>>> from typing import get_args
>>> from warpath.typing import LoopName
>>> get_args(LoopName)
('device', 'host')
"""

from typing import Literal, get_args

DeviceName = Literal["auto", "cpu", "cuda"]
"""Where a search runs."""

ApspDeviceName = Literal["auto", "cpu", "cuda", "hybrid"]
"""Where `warpath.apsp` runs; "hybrid" is a GPU with the CPU's help."""

BuildDeviceName = Literal["cpu", "cuda"]
"""Where a graph is built and kept."""

MethodName = Literal[
    "auto", "delta-stepping", "dijkstra", "bellman-ford", "near-far", "bucketing",
    "parallel-dijkstra", "workfront-sweep", "h-bf", "bellman-ford-queueless", "sequential-bellman-ford",
]  # fmt: skip
"""How `warpath.sssp` finds paths: `warpath.planning.methods.METHODS`."""

PathMethodName = Literal[MethodName, "bidirectional"]
"""How `warpath.shortest_path` finds a path."""

ApspMethodName = Literal[
    "auto", "floyd-warshall", "blocked-floyd-warshall", "r-kleene", "repeated-squaring",
    "partitioned", "johnson", "sssp", "bfs",
]  # fmt: skip
"""How `warpath.apsp` finds paths: `warpath.planning.all_pairs.METHODS`."""

AlgebraName = Literal["shortest", "widest", "most-reliable", "minimax", "reachability"]
"""What a path is worth: `warpath.operators.algebras.ALGEBRAS`."""

DirectionName = Literal["top-down", "bottom-up", "optimizing"]
"""Which vertices a breadth-first search looks from."""

GpuExchangeName = Literal["nccl", "host"]
"""How arrays travel between the GPUs of ranks."""

PartitionName = Literal["blocks", "metis"]
"""Which vertices a part of a graph has."""

LoopName = Literal["device", "host"]
"""Whether one launch of a GPU does all iterations, or each has its own."""

BalanceName = Literal[
    "thread-mapped", "virtual-warp", "local-warp-search", "two-phase-search", "merge-path",
    "direct-search", "dynamic-virtual-warp", "multi-phase-search", "cta-warp-scan", "block-search",
    "workload-decomposition", "edge-parallel", "node-splitting", "hierarchical", "auto",
]  # fmt: skip
"""How a GPU's threads share the edges: `warpath.balance.TECHNIQUES`. Knobs may follow a name."""

FrontierName = Literal[
    "vertex-queue", "edge-queue", "contract-expand", "hybrid", "bitmap", "topology-driven",
]  # fmt: skip
"""How a GPU makes the next frontier: `warpath.frontier.FRONTIERS`."""

DuplicatesName = Literal[
    "status-bitmap", "none", "hash", "warp-culling", "history-culling",
    "warp-culling+history-culling", "lookup-compaction", "atomic",
]  # fmt: skip
"""How a GPU's queues drop duplicate vertices: `warpath.frontier.DUPLICATES`."""

EnqueueName = Literal["coalesced", "summed", "scattered", "blockwise", "warpwise"]
"""How a GPU writes vertices to a queue: `warpath.Schedule`."""

PresetName = Literal[
    "harish", "hong", "jia", "algebraic", "luo", "merrill", "bfs-4k", "load-balanced-bfs",
]  # fmt: skip
"""A paper's breadth-first search: `warpath.schedule.PRESETS`. Switches may follow a name."""

OptimizationName = Literal[
    "edge-classification", "duplicate-removal", "cache-modifiers", "coalesced-enqueue",
    "dynamic-virtual-warps", "warp-workload", "dynamic-parallelism", "stamps", "hash-duplicates",
    "warp-culling", "lookup-compaction", "bitmap-frontier", "edge-queue",
]  # fmt: skip
"""What the method "h-bf" does: `warpath.schedule.optimizations`."""

FormatName = Literal[
    "npz", "parquet", "matrix-market", "dimacs", "pace", "metis", "el", "wel", "sg", "wsg",
    "graphalytics", "edge-list",
]  # fmt: skip
"""The formats of files: `warpath.read`."""

MergeName = Literal["keep", "min", "sum"]
"""What becomes of parallel edges."""

OrderName = Literal["arcs", "edges"]
"""What the entries of an array of weights belong to: `warpath.Graph.with_weights`."""

SmallFrontiersName = Literal["off", "block", "cluster", "async"]
"""How a GPU expands frontiers of few edges: `warpath.Schedule`."""

SwitchName = Literal["on", "off"]
"""Whether a part of a search is there: `warpath.Schedule`."""

DeltaRule = Literal["davidson"]
"""Whose rule says how wide buckets are: `warpath.Schedule`."""

SearchName = Literal["bfs", "sssp"]
"""The searches that `warpath.advise` measures."""

PlannedName = Literal[
    "bfs",
    "sssp",
    "shortest_path",
    "st_connected",
    "k_shortest_paths",
    "distance_matrix",
    "apsp",
    "eccentricity",
    "diameter",
    "closeness",
    "harmonic",
    "betweenness",
    "edge_betweenness",
    "pagerank",
    "triangles",
    "clustering",
    "label_propagation",
    "maximal_independent_set",
    "core_numbers",
    "connected_components",
    "strongly_connected_components",
    "minimum_spanning_forest",
]
"""The functions of which `warpath.plan` knows what they would do."""

GraphName = Literal["binary-tree", "complete", "cycle", "path", "star", "karate", "petersen"]
"""Small known graphs: `warpath.generate.named`."""

DEVICES: tuple[DeviceName, ...] = get_args(DeviceName)
APSP_DEVICES: tuple[ApspDeviceName, ...] = get_args(ApspDeviceName)
BUILD_DEVICES: tuple[BuildDeviceName, ...] = get_args(BuildDeviceName)
DIRECTIONS: tuple[DirectionName, ...] = get_args(DirectionName)
ENQUEUES: tuple[EnqueueName, ...] = get_args(EnqueueName)
GPU_EXCHANGES: tuple[GpuExchangeName, ...] = get_args(GpuExchangeName)
LOOPS: tuple[LoopName, ...] = get_args(LoopName)
MERGES: tuple[MergeName, ...] = get_args(MergeName)
ORDERS: tuple[OrderName, ...] = get_args(OrderName)
PARTITIONS: tuple[PartitionName, ...] = get_args(PartitionName)
SMALL_FRONTIERS: tuple[SmallFrontiersName, ...] = get_args(SmallFrontiersName)
SWITCHES: tuple[SwitchName, ...] = get_args(SwitchName)
DELTA_RULES: tuple[DeltaRule, ...] = get_args(DeltaRule)
PLANNED: tuple[PlannedName, ...] = get_args(PlannedName)
SEARCHES: tuple[SearchName, ...] = get_args(SearchName)
