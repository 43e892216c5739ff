"""The technique that suits the frontier."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from warpath.balance.technique import Technique
from warpath.balance.two_phase_search import TwoPhaseSearch

# By `benchmarks/gpu_balances.py` on one H200: whole searches take at most 9 % longer than with the best
# technique of each graph. Frontier by frontier the rule takes 11 % longer than the best of each, the
# best thresholds for those graphs 10 %.
FEW_ARCS = 4  # of a vertex, or of a lane that shares one
MAX_TO_MEAN = 4  # of regular degrees: the largest is at most this times the mean


@dataclass(frozen=True)
class Auto(Technique):
    """Chooses in each iteration, by the frontier's vertices and arcs and the graph's degrees.

    Where the graph's ``degrees`` are regular: virtual warps of as many lanes as the frontier's mean
    degree fills with 4 each (one: thread-mapped). Else two-phase-search with eight shares,
    or merge-path where the frontier's vertices have 4 or less on average.
    ``r.stats.balance`` says what was taken.

    Delta-stepping has two-phase-search in all iterations, and so has every search for shortest
    paths where degrees are skewed. On two of the graphs of ``benchmarks/gpu_balances.py`` another
    one was faster by more than 1 %, by 5 % at most, and a kernel that has several was 3 to 10 %
    slower. Where they are regular, searches without buckets have thousands of small iterations, whose
    search for owners virtual warps spare: h-bf took 80 ms with two-phase-search and 28 with
    dynamic-virtual-warp on a stand-in of hugetrace_00000 (``warpath bench hbf-table3``).
    """

    name = "auto"
    paper = "all of them conclude that none wins everywhere"
    cost = "two comparisons per iteration; a kernel that has several techniques compiles longer"

    adapts = True  # always: by the degrees of a graph

    degrees: Literal["skewed", "regular"] = "skewed"

    @property
    def kernel(self) -> str:
        """The C++ type that does it, with the thresholds."""
        return f"Auto<warpath::Degrees::{self.degrees}, {FEW_ARCS}>"

    @property
    def taken(self) -> tuple[str, ...]:
        """Names of the techniques that it chooses from."""
        if self.degrees == "regular":
            return ("thread-mapped", "virtual-warp")
        return ("merge-path", "two-phase-search")

    def fitted(
        self, largest_degree: float, mean_degree: float, *, relaxes: str | None = None
    ) -> Technique:
        """With what the degrees of a graph say; or two-phase-search."""
        regular = is_regular(largest_degree, mean_degree)
        if relaxes is not None and (relaxes == "delta-stepping" or not regular):
            return TwoPhaseSearch()
        return _fit(self, regular)


def is_regular(largest_degree: float, mean_degree: float) -> bool:
    """Whether threads, or blocks, that get as many vertices each have similar work."""
    return largest_degree <= MAX_TO_MEAN * mean_degree


@cache
def _fit(auto: Auto, regular: bool) -> Auto:
    return replace(auto, degrees="regular" if regular else "skewed")
