"""Work items to threads."""

from dataclasses import dataclass

from warpath.balance.technique import Technique


@dataclass(frozen=True)
class ThreadMapped(Technique):
    """Each thread takes a frontier vertex and walks its arcs."""

    name = "thread-mapped"
    paper = "Harish & Narayanan, HiPC 2007; survey 5.1.1"
    cost = "nothing to compute; as slow as the largest vertex of a warp; loads do not coalesce"
