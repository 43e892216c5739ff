"""Knobs that come from the degrees of a graph, compared with every value: suites of warpath's own."""

from warpath.bench.claims import as_fast
from warpath.bench.suite import Case, Claim, Configuration, Suite
from warpath.bench.suites.listing import on_gpu, suite
from warpath.bench.suites.survey import EXPANDED
from warpath.planning.knobs import CHILD_GRID_THRESHOLDS, WIDTHS

_MDT = (4, 16, 64, 256)


def _suite(title: str, chosen: Configuration, *others: Configuration) -> Suite:
    labels = [one.label for one in (chosen, *others)]
    return Suite(
        title,
        tuple(Case(graph) for graph in EXPANDED),
        (chosen, *others),
        baseline=chosen.label,
        claims=tuple(
            Claim(f"{graph}: no other value is faster", as_fast(chosen.label, graph, labels))
            for graph in EXPANDED
        ),
    )


@suite("auto-width")
def width() -> Suite:
    """Virtual warps, their width from the degrees and given.

    One frontier of all vertices, as in survey-fig12. The rule: `warpath.planning.knobs.width`.
    """
    values = ("auto", *WIDTHS)
    return _suite(
        "auto knobs, width: lanes of virtual warps",
        *(on_gpu(f"width={one}", "expand", balance=f"virtual-warp:width={one}") for one in values),
    )


@suite("auto-child-grids")
def child_grids() -> Suite:
    """Dynamic parallelism, its threshold T_DP from the degrees and given; 0: no child grids.

    Breadth-first searches, top-down. The rule: `warpath.planning.knobs.child_grid_threshold`.
    """
    schedule = "dynamic-virtual-warp:dynamic_parallelism={},direction=top-down,small_frontiers=off,loop=host"
    values = ("auto", 0, *CHILD_GRID_THRESHOLDS)
    return _suite(
        "auto knobs, T_DP: the threshold of child grids",
        *(on_gpu(f"T_DP={one}", "bfs", schedule=schedule.format(one)) for one in values),
    )


@suite("auto-degree-threshold")
def degree_threshold() -> Suite:
    """Node splitting, its threshold MDT by the histogram of Mishra et al. and given.

    One frontier of all vertices, as in survey-fig12. The rule: `warpath.balance.degree_threshold`.
    """
    chosen, *others = (
        on_gpu(f"MDT={one or 'auto'}", "expand", balance=f"node-splitting:MDT={one}")
        for one in (0, *_MDT)
    )
    ranges = (
        on_gpu(f"MDT=auto, {bins} ranges", "expand", balance=f"node-splitting:bins={bins}")
        for bins in (10, 100)
    )
    return _suite(
        "auto knobs, MDT: the degree threshold of node splitting", chosen, *others, *ranges
    )
