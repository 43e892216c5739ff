"""Published BFS systems and frontier policies as configurations, by the names of `warpath.frontier`."""

from typing import Any

from warpath.bench.suite import Configuration
from warpath.bench.suites.registry import on_gpu
from warpath.frontier import PRESETS

TOPOLOGY_DRIVEN = {"frontier": "topology-driven"}
"""The option of a search that looks at every vertex in each level."""


def presets(**options: Any) -> tuple[Configuration, ...]:
    """A configuration for each preset."""
    return tuple(on_gpu(name, "bfs", preset=name, **options) for name in PRESETS)
