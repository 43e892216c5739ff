"""Direct search."""

from dataclasses import dataclass

from warpath.balance.technique import Technique


@dataclass(frozen=True)
class DirectSearch(Technique):
    """Each lane searches the whole frontier for the owner of each of its arcs."""

    name = "direct-search"
    paper = "survey 5.3.1"
    cost = "a binary search in global memory an arc; perfectly balanced whatever the degrees"
