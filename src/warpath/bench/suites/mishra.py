"""Dynamic load balancing strategies for graph applications on GPUs (Mishra et al.).

BS (thread-mapped), EP (edge-parallel), WD (workload decomposition, a thread's share contiguous as in the paper),
NS (node splitting) and HP (hierarchical) on a Tesla K20c, in LonestarGPU's work-list algorithms: workfront sweeps here. EP
lists the frontier's edges when a level begins; in the paper the thread that improves a vertex pushes them. HP leaves short lists
to WD as in section III-C, but with interleaved shares. The text at hand prints the table of graphs and, of the figures, what it
says about them.
"""

from collections.abc import Callable
from typing import Any

from warpath.bench.claims import both, faster, fastest, gain_between
from warpath.bench.suite import Case, Claim, Configuration, Suite, Weights
from warpath.bench.suites.listing import on_cpu, on_gpu, suite
from warpath.bench.summary import Summary

LOW_DIAMETER, ROADS, LARGE = (
    ("rmat20", "ER20", "ER23"),
    ("road-FLA", "road-W", "road-USA"),
    "Graph500",
)
GRAPHS = (*LOW_DIAMETER, *ROADS, LARGE)
STRATEGIES = {
    "BS": "thread-mapped", "EP": "edge-parallel", "WD": "workload-decomposition:share=contiguous",
    "NS": "node-splitting:bins=10", "HP": "hierarchical:bins=10",
}  # fmt: skip
OURS = {
    "WD, interleaved": "workload-decomposition",
    "NS, 1000 ranges": "node-splitting",
    "HP, 100 ranges": "hierarchical",
}
# As in the paper: the thread that finds a vertex pushes its edges, and the next level takes these.
_PUSHED = "thread-mapped,frontier=contract-expand"
NODE_BASED = ("BS", "WD", "NS", "HP")
# Table II: nodes and edges in millions; maximum, mean and deviation of outdegrees.
_TABLE_2 = {
    "rmat20": (1.05e6, 8.26e6, 1181, 8, 177.40),
    "road-FLA": (1.07e6, 2.71e6, 8, 3, 2.45),
    "road-W": (6.26e6, 15.12e6, 9, 4, 2.74),
    "road-USA": (23.95e6, 57.71e6, 9, 3, 2.74),
    "ER20": (1.05e6, 4.19e6, 15, 4, 4.47),
    "ER23": (8.39e6, 33.55e6, 10, 3, 4.46),
    "Graph500": (16.78e6, 335.0e6, 924_000, 20, 20_900),
}
_MDT = {"rmat20": 118, "ER23": 3}  # figure 10


def _cases(weights: Weights = None) -> tuple[Case, ...]:
    return tuple(Case(name, weights) for name in GRAPHS)


# Every level by the strategy, those of few edges as well.
_LEVELS = "{},direction=top-down,small_frontiers=off".format
_BFS = tuple(
    on_gpu(name, "bfs", schedule=_LEVELS(balance)) for name, balance in (STRATEGIES | OURS).items()
)


def _apart(
    algorithm: str, schedule: Callable[[str], str], **options: Any
) -> tuple[Configuration, ...]:
    """Each strategy's kernel alone, and what it makes of the graph first."""
    return tuple(
        on_gpu(f"{name}, kernel", f"{algorithm}-in-kernel", schedule=schedule(balance), trace=True, **options)
        for name, balance in STRATEGIES.items()
    ) + tuple(
        Configuration(f"{name}, preparation", "prepare-balance", "cuda", {"balance": STRATEGIES[name]})
        for name in ("EP", "NS", "HP")
    )  # fmt: skip


@suite("mishra-table2")
def table_2() -> Suite:
    """The graphs: nodes, edges, outdegrees; the paper's in brackets."""
    columns = ("vertices", "arcs", "largest", "degree", "deviation")
    return Suite(
        "Mishra et al., table II: the graphs",
        _cases(),
        (Configuration("statistics", "describe", "cpu", {"diameter": False}),),
        columns=columns,
        published={
            (name, column): float(value)
            for name, values in _TABLE_2.items()
            for column, value in zip(columns, values, strict=True)
        },
        plot="degrees",
    )


@suite("mishra-fig7")
def figure_7() -> Suite:
    """Strategies for shortest paths.

    The paper splits times into kernels and overhead. Here a strategy's row is a whole search; "kernel" is its time by
    the kernel's own clock, and "preparation" what it makes of the graph once: node splitting's nodes, edge-parallel's
    list of edges, a threshold. The paper's GPU had no room for EP, WD and NS on Graph500.
    """
    skewed = ("rmat20", "ER20", "ER23")
    return Suite(
        "Mishra et al., figure 7: strategies for SSSP",
        _cases("positive"),
        (
            on_cpu("Bellman-Ford, CPU", "sssp", method="bellman-ford", slow=True),
            *(
                on_gpu(name, "sssp", method="workfront-sweep", schedule=balance)
                for name, balance in (STRATEGIES | OURS).items()
            ),
            *_apart("sssp", str, method="workfront-sweep"),
        ),
        baseline="BS",
        theirs="kernels and overhead apart; EP, WD, NS do not fit on Graph500",
        ours="whole searches, kernels and preparation apart; EP lists edges when a level begins; HP ends with interleaved WD",
        claims=(
            Claim("every strategy is faster than the baseline",
                  both(*(faster(name, "BS", GRAPHS) for name in ("EP", "WD", "NS", "HP")))),
            Claim("EP is the best where it fits, taking 60 to 80 % less than the baseline",
                  both(*(fastest("EP", graph, tuple(STRATEGIES)) for graph in (*LOW_DIAMETER, *ROADS)),
                       gain_between("BS", "EP", (*LOW_DIAMETER, *ROADS), 2.5, 5))),
            Claim("of node-based ones WD is the best on rmat20, ER20 and ER23",
                  both(*(fastest("WD", graph, NODE_BASED) for graph in skewed))),
            Claim("and NS the worst of the new ones there",
                  both(faster("WD", "NS", skewed), faster("HP", "NS", skewed))),
            Claim("NS is the best node-based one on roads",
                  both(*(fastest("NS", graph, NODE_BASED) for graph in ROADS))),
            Claim("HP takes 48 to 75 % less than the baseline on Graph500",
                  gain_between("BS", "HP", [LARGE], 1.92, 4)),
        ),
    )  # fmt: skip


@suite("mishra-fig8")
def figure_8() -> Suite:
    """Strategies for breadth-first search, top-down. See mishra-fig7.

    EP lists the frontier's edges when a level begins; in the paper the thread that finds a vertex pushes them, which
    is a row of its own here.
    """
    return Suite(
        "Mishra et al., figure 8: strategies for BFS",
        _cases(),
        (
            on_cpu("CPU", "bfs", schedule="direction=top-down"),
            *_BFS,
            on_gpu("EP, pushed by the finder", "bfs", schedule=_LEVELS(_PUSHED)),
            *_apart("bfs", _LEVELS),
        ),
        baseline="BS",
        theirs="every level by the strategy; kernels and overhead apart",
        ours="the same; EP lists edges when a level begins, or has them pushed; HP ends with interleaved WD",
        claims=(
            Claim("EP takes 48 to 68 % less than the baseline on graphs of small diameter",
                  gain_between("BS", "EP", LOW_DIAMETER, 1.92, 3.13)),
            Claim("EP gains at most 10 % on roads", gain_between("BS", "EP", ROADS, 0, 1.1)),
            Claim("of node-based ones WD is the best on graphs of small diameter",
                  both(*(fastest("WD", graph, NODE_BASED) for graph in LOW_DIAMETER))),
            Claim("and NS on roads", both(*(fastest("NS", graph, NODE_BASED) for graph in ROADS))),
            Claim("HP is more than twice as fast as the baseline on Graph500",
                  faster("HP", "BS", [LARGE], 2)),
        ),
    )  # fmt: skip


@suite("mishra-fig9")
def figure_9() -> Suite:
    """Time, memory and complexity of each strategy on rmat20.

    The paper ranks them on three axes, the last by the authors' judgement. Here are seconds of a
    search, bytes next to the graph and the frontier, and lines of code. Those are of the strategy and not of the
    baseline: its kernel header, what that includes, and what prepares the graph.
    """
    return Suite(
        "Mishra et al., figure 9: time, memory, complexity",
        (Case("rmat20"),),
        (
            *(
                Configuration(f"{name}: costs", "balance-costs", "cpu", {"balance": balance})
                for name, balance in STRATEGIES.items()
            ),
            *_BFS,
        ),
        columns=("seconds", "bytes", "lines"),
    )


def _falls(found: Summary) -> bool | None:
    pairs = [
        [found.count(name, label, "deviation") for label in ("before", "after")] for name in _MDT
    ]
    if any(None in pair for pair in pairs):
        return None
    return all(after < before for before, after in pairs)


def _few_are_split(found: Summary) -> bool | None:
    shares = [found.count(name, "after", "split, %") for name in _MDT]
    return None if None in shares else all(share < 5 for share in shares)


@suite("mishra-fig10")
def figure_10() -> Suite:
    """Degrees before and after node splitting, vertices without edges counted, and the threshold that the histogram finds.

    The paper does not say how many ranges its histogram has. Its thresholds are those of 10: 118 is a tenth of the
    largest degree of rmat20, 3 that of ER23 times three. Also 100 and 1000.
    """
    return Suite(
        "Mishra et al., figure 10: degrees before and after node splitting",
        tuple(Case(name) for name in _MDT),
        (
            Configuration("before", "describe", "cpu", {"diameter": False}),
            Configuration("after", "split-degrees", "cpu", {"bins": 10}),
            Configuration("after, 100 ranges", "split-degrees", "cpu", {"bins": 100}),
            Configuration("after, 1000 ranges", "split-degrees", "cpu", {"bins": 1000}),
        ),
        columns=("MDT", "split, %", "vertices", "degree", "deviation", "largest"),
        published={(name, "MDT"): float(value) for name, value in _MDT.items()},
        plot="degrees",
        theirs="MDT 118 and 3; ranges of the histogram not given",
        ours="10 ranges, which make an MDT of 118 of the paper's largest degree",
        claims=(
            Claim("splitting makes degrees more regular (their deviation falls)",
                  _falls),
            Claim("less than 5 % of the nodes are split", _few_are_split),
        ),
    )  # fmt: skip


@suite("mishra-fig11")
def figure_11() -> Suite:
    """Work chunking: edge-parallel with one atomic per vertex against one per edge."""
    on, off = "edge-parallel", "edge-parallel:chunking=off"
    graphs = (*LOW_DIAMETER, *ROADS)
    return Suite(
        "Mishra et al., figure 11: work chunking",
        tuple(Case(name, "positive") for name in graphs),
        (
            on_cpu("Bellman-Ford, CPU", "sssp", method="bellman-ford", slow=True),
            on_gpu("chunking off", "sssp", method="workfront-sweep", schedule=off),
            on_gpu("chunking on", "sssp", method="workfront-sweep", schedule=on),
        ),
        baseline="chunking off",
        theirs="on: one atomic per node",
        ours="on: prefix sums, no atomic",
        claims=(
            Claim("chunking makes it 1.11 to 3.125 times faster",
                  both(*(gain_between("chunking off", "chunking on", [graph], 1.11, 3.125)
                         for graph in graphs))),
            Claim("1.82 times on average (1.5 to 2.2)",
                  gain_between("chunking off", "chunking on", graphs, 1.5, 2.2)),
        ),
    )  # fmt: skip
