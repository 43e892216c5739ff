"""What is active next: frontier policies of breadth-first search on a GPU, by name, and presets.

A policy says how the next frontier comes to be, a way to drop duplicates who enters it. What each
does stands in a kernel header (``cuda/kernels/frontier``), with its paper; ``engine/program.cuh``
puts them together. `warpath.frontier.presets` names the systems of the papers.
"""

from warpath.frontier.policy import (
    DEFAULT,
    DUPLICATES,
    FRONTIERS,
    Duplicates,
    Frontier,
    Policy,
    allowed,
    choose,
)
from warpath.frontier.presets import PRESETS, Preset, lookup

__all__ = [
    "DEFAULT",
    "DUPLICATES",
    "FRONTIERS",
    "PRESETS",
    "Duplicates",
    "Frontier",
    "Policy",
    "Preset",
    "allowed",
    "choose",
    "lookup",
]
