"""The technique that suits the frontier."""

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from warpath.balance.technique import Technique

# Within 1 % of the best thresholds that `benchmarks/gpu_balances.py` found on one H200.
FEW_ARCS = 4  # of a vertex, or of a lane that shares one
ALIKE = 4  # degrees are, if the largest is at most so many times the mean


@dataclass(frozen=True)
class Auto(Technique):
    """Chooses in each iteration, by the frontier's vertices and arcs and the graph's degrees.

    Where the graph's ``degrees`` are alike: virtual warps of as many lanes as the frontier's mean
    degree fills with `FEW_ARCS` each (one: thread-mapped). Else two-phase-search, or merge-path
    where the frontier's vertices have `FEW_ARCS` or less in the mean. ``r.stats.balance`` says
    what was taken.
    """

    name = "auto"
    paper = "all of them conclude that none wins everywhere"
    cost = "two comparisons an iteration; a kernel that has several techniques compiles longer"

    adapts = True

    degrees: Literal["any", "alike"] = "any"

    @property
    def kernel(self) -> str:
        """The C++ type that does it, with the thresholds."""
        return f"Auto<warpath::Degrees::{self.degrees}, {FEW_ARCS}>"

    @property
    def taken(self) -> tuple[str, ...]:
        """Names of the techniques that it chooses from."""
        if self.degrees == "alike":
            return ("thread-mapped", "virtual-warp")
        return ("merge-path", "two-phase-search")

    def fitted(self, largest_degree: float, mean_degree: float) -> Technique:
        """With what the degrees of a graph say."""
        return _fit(self, largest_degree <= ALIKE * mean_degree)


@cache
def _fit(auto: Auto, alike: bool) -> Auto:
    return replace(auto, degrees="alike" if alike else "any")
