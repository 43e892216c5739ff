"""Published BFS systems as configurations, by the names of `warpath.schedule.PRESETS`."""

from typing import Any

from warpath.bench.suite import Configuration
from warpath.bench.suites.registry import on_gpu
from warpath.schedule import PRESETS


def presets(**options: Any) -> tuple[Configuration, ...]:
    """A configuration for each preset."""
    return tuple(on_gpu(name, "bfs", schedule=name, **options) for name in PRESETS)
