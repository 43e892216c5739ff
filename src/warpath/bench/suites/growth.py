"""How time grows with size: a suite of warpath's own."""

from math import log2

from warpath.bench.suite import Build, Case, Suite
from warpath.bench.suites.listing import on_cpu, on_gpu, suite
from warpath.typing import BuildDeviceName

EXPONENTS = (16, 18, 20, 22, 24, 26, 27, 29, 31)  # of numbers of edges
_LARGEST_ON_CPU = 27  # beyond it, drawing takes minutes on a few cores
_GPU_BYTES_PER_EDGE = (
    60  # building: 12 drawn, 16 of arcs twice, the rest sorting; reckoned, 2026-11
)
_EDGES_PER_VERTEX = 16
_MIN_EXPONENT = 6  # of vertices


def _rmat(edges: int) -> Build:
    from warpath import Graph, generate

    def build(scale: float, seed: int, device: BuildDeviceName) -> Graph:
        exponent = max(_MIN_EXPONENT, round(log2(edges * scale / _EDGES_PER_VERTEX)))
        return generate.rmat(
            exponent, _EDGES_PER_VERTEX, weights=(1, 255), seed=seed, device=device
        )

    return build


@suite("growth")
def growth() -> Suite:
    """Searches of R-MAT graphs of 2¹⁶ to 2³¹ edges, 16 for each vertex, with predecessors.

    Weights are 1 … 255. Graphs of more than 2²⁷ edges need a GPU that builds them: the largest one of 120 GiB.
    """
    return Suite(
        "growth: R-MAT graphs of more and more edges",
        tuple(
            Case(f"R-MAT, 2^{exponent} edges", build=_rmat(2**exponent), x=float(2**exponent),
                 recipe="R-MAT, Graph500's quarters, 16 edges for each vertex",
                 gpu_bytes=_GPU_BYTES_PER_EDGE * 2.0**exponent if exponent > _LARGEST_ON_CPU else 0.0)
            for exponent in EXPONENTS
        ),
        (
            on_gpu("BFS, GPU", "bfs", predecessors=True),
            on_gpu("SSSP, GPU", "sssp", predecessors=True),
            on_cpu("BFS, CPU", "bfs", predecessors=True),
            on_cpu("SSSP, CPU", "sssp", predecessors=True),
        ),
        plot="lines",
        x_label="edges",
    )  # fmt: skip
