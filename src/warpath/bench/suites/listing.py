"""Where suites are listed, and how their configurations are written down."""

import inspect
from collections.abc import Callable
from dataclasses import replace
from math import log2
from typing import TYPE_CHECKING, Any

from warpath.bench.suite import Build, Configuration, Suite
from warpath.typing import BuildDeviceName

if TYPE_CHECKING:
    from warpath.graph.graph import Graph

_LEAST_SCALE = 6  # of R-MAT: 64 vertices

_NO_TREE = (
    "st-connected",
    "expand",
    "bfs-every-vertex",
)  # which take neither predecessors nor trace

SUITES: dict[str, Callable[[], Suite]] = {}
"""Each makes its suite, whose ``about`` is the function's docstring."""


def suite(name: str) -> Callable[[Callable[[], Suite]], Callable[[], Suite]]:
    """List a function as the suite ``name``."""

    def listed(make: Callable[[], Suite]) -> Callable[[], Suite]:
        def made() -> Suite:
            return replace(make(), about=inspect.cleandoc(make.__doc__ or ""))

        made.__doc__ = make.__doc__
        SUITES[name] = made
        return made

    return listed


def on_gpu(
    label: str,
    algorithm: str,
    *,
    x: float | None = None,
    series: str = "",
    differs: str = "",
    **options: Any,
) -> Configuration:
    """A search on a GPU: distances alone, no trace, unless ``options`` say otherwise."""
    plain = {} if algorithm in _NO_TREE else {"predecessors": False, "trace": False}
    return Configuration(
        label, algorithm, "cuda", plain | options, x=x, series=series, differs=differs
    )


def on_cpu(
    label: str,
    algorithm: str,
    *,
    threads: int | None = None,
    slow: bool = False,
    x: float | None = None,
    series: str = "",
    **options: Any,
) -> Configuration:
    """A search on the CPU: distances alone, unless ``options`` say otherwise."""
    plain = {} if algorithm in _NO_TREE else {"predecessors": False}
    return Configuration(
        label, algorithm, "cpu", plain | options, threads=threads, slow=slow, x=x, series=series
    )


def gtgraph(vertices: float, edges: float, *, directed: bool) -> Build:
    """R-MAT with GTgraph's probabilities, the nearest power of two vertices, and ``edges`` edges per vertex."""

    def build(scale: float, seed: int, device: BuildDeviceName) -> "Graph":
        from warpath import generate

        exponent = max(_LEAST_SCALE, round(log2(vertices * scale)))
        return generate.rmat(
            exponent, edges, a=0.45, b=0.15, c=0.15, directed=directed, seed=seed, device=device
        )

    return build
