"""Zhu et al.: Load-balanced breadth-first search on GPUs, WAIM 2014.

Expand by merge path, on a GTX 580; throughputs of 100 random sources. The text
at hand lacks the table. It says that the hybrid is 39 times as fast as one thread on the random graph,
up to 1.42 times as fast as Merrill et al.'s, and slower on two graphs of large diameter.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from warpath.bench.claims import SAME, as_fast, both, faster
from warpath.bench.suite import Build, Case, Claim, Suite
from warpath.bench.suites.listing import gtgraph, on_cpu, on_gpu, suite
from warpath.bench.summary import Summary
from warpath.typing import BuildDeviceName

if TYPE_CHECKING:
    from warpath.graph.graph import Graph

COUPLINGS = ("global", "balanced-gathering", "balanced-redistribution", "hybrid")
DEGREES = (2, 4, 8, 16, 32, 64)
LARGE_DIAMETER = ("germany.osm", "hugebubbles-00020")
# The text names random, rmat and those of large diameter; the others are Merrill et al.'s (`paper_graphs.catalog`).
TABLE_1 = (
    "random.2Mv.128Me", "rmat.2Mv.128Me", "kron_g500-logn20", "coPapersCiteseer", "audikw1",
    "cage15", "nlpkkt160", "kkt_power", *LARGE_DIAMETER,
)  # fmt: skip
_VERTICES = 2_000_000
_EVERY_LEVEL = "{},direction=top-down,small_frontiers=off".format


def _random(degree: int) -> Build:
    from warpath import generate

    def build(scale: float, seed: int, device: BuildDeviceName) -> "Graph":
        n = max(2 * degree, round(_VERTICES * scale))
        return generate.erdos_renyi(n, n * degree // 2, seed=seed, device=device)

    return build


def _rmat(degree: int) -> Build:
    return gtgraph(_VERTICES, degree / 2, directed=False)


def _couplings(number: int, family: str, build: Callable[[int], Build]) -> Suite:
    names = [f"{family}, degree {degree}" for degree in DEGREES]
    schedule = _EVERY_LEVEL("merge-path:coupling={}").format
    return Suite(
        f"load-balanced BFS, figure {number}: couplings on {family} graphs",
        tuple(
            Case(name, build=build(degree), recipe=f"{family} graph, 2 million vertices",
                 x=float(degree))
            for name, degree in zip(names, DEGREES, strict=True)
        ),
        (
            on_cpu("one thread", "bfs", threads=1, schedule="direction=top-down"),
            *(
                on_gpu(coupling, "bfs", schedule=schedule(coupling))
                for coupling in COUPLINGS
            ),
        ),
        baseline="global",
        plot="lines",
        x_label="mean degree",
        theirs="2 million vertices, degrees 2 … 64",
        ours="the same",
        claims=(
            Claim("balanced redistribution is the better one where degrees are large",
                  faster("balanced-redistribution", "balanced-gathering", names[-1:])),
            Claim("balanced gathering where they are small",
                  faster("balanced-gathering", "balanced-redistribution", names[:1])),
            Claim("the hybrid is the best, or as good, everywhere",
                  both(*(as_fast("hybrid", name, COUPLINGS) for name in names))),
        ),
    )  # fmt: skip


@suite("load-balanced-fig6")
def figure_6() -> Suite:
    """Couplings of redistribution and gathering on uniform random graphs of 2 million vertices."""
    return _couplings(6, "random", _random)


@suite("load-balanced-fig7")
def figure_7() -> Suite:
    """Couplings of redistribution and gathering on R-MAT graphs of 2²¹ vertices."""
    return _couplings(7, "R-MAT", _rmat)


@suite("load-balanced-table1")
def table_1() -> Suite:
    """The hybrid next to one thread and to Merrill et al.'s CTA+warp+scan. The text names four of the twelve graphs, the two random ones
    and the two of large diameter; the other six here are Merrill et al.'s, from the same collections.

    Both are balances of warpath here, with the same queue and barriers; CTA+warp+scan by contest, as Merrill et al.
    have it. Their own search is the preset "merrill" of survey-fig5.
    """
    others = [graph for graph in TABLE_1 if graph not in LARGE_DIAMETER]
    return Suite(
        "load-balanced BFS, table 1: next to Merrill et al.",
        tuple(Case(name) for name in TABLE_1),
        (
            on_cpu("one thread", "bfs", threads=1, schedule="direction=top-down"),
            on_gpu("CTA+warp+scan", "bfs", schedule=_EVERY_LEVEL("cta-warp-scan:gather=contest")),
            on_gpu("hybrid", "bfs", schedule=_EVERY_LEVEL("merge-path:coupling=hybrid")),
            on_gpu("warpath", "bfs"),
        ),
        baseline="one thread",
        theirs="12 graphs; Merrill et al.'s program; merge path on every level",
        ours="4 of them and 6 of Merrill et al.'s; `cta-warp-scan:gather=contest`",
        claims=(
            Claim("the hybrid is 39 times as fast as one thread on the random graph",
                  faster("hybrid", "one thread", ["random.2Mv.128Me"], 39)),
            Claim("it is faster than CTA+warp+scan on most graphs",
                  lambda found: _mostly(found, others)),
            Claim("and slower on germany.osm and hugebubbles-00020",
                  faster("CTA+warp+scan", "hybrid", LARGE_DIAMETER)),
        ),
    )  # fmt: skip


def _mostly(found: Summary, graphs: Sequence[str]) -> bool | None:
    ratios = [r for g in graphs if (r := found.ratio(g, "CTA+warp+scan", "hybrid")) is not None]
    return sum(ratio >= SAME for ratio in ratios) > len(ratios) / 2 if ratios else None
