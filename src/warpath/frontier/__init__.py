"""What is active next: frontier policies of breadth-first search on a GPU, by name.

A policy says how the next frontier is made, a way to drop duplicates which vertices enter it. What each
does stands in a kernel header (``cuda/kernels/frontier``), with its paper; ``engine/program.cuh``
puts them together. `warpath.schedule.PRESETS` names the systems of the papers.
"""

from warpath.frontier.policy import (
    DEFAULT,
    DUPLICATES,
    FRONTIERS,
    Duplicates,
    Frontier,
    Policy,
    allowed,
)

__all__ = ["DEFAULT", "DUPLICATES", "FRONTIERS", "Duplicates", "Frontier", "Policy", "allowed"]
