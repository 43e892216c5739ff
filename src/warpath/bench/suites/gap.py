"""The GAP benchmark suite's six kernels on its five graphs: a suite of warpath's own."""

from collections.abc import Iterator, Mapping
from math import log2
from typing import TYPE_CHECKING, Any

from warpath.bench.claims import ahead_of_published
from warpath.bench.suite import Build, Case, Claim, Configuration, Suite
from warpath.bench.suites.listing import suite
from warpath.typing import BuildDeviceName

if TYPE_CHECKING:
    from warpath.graph.graph import Graph

_WEIGHTS = (1, 255)  # GAP's
_MIN_EXPONENT = 6
_GRAPHS = ("kron", "urand", "twitter", "web", "road")
# Name, algorithm, and what a GPU and a CPU are asked for.
_KERNELS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("BFS", "bfs", {"predecessors": True, "trace": False}),
    ("SSSP", "sssp", {"predecessors": False, "trace": False}),
    ("CC", "components", {}),
    ("PR", "pagerank", {"tolerance": 1e-4}),
    ("BC", "betweenness", {}),
    ("TC", "triangles", {}),
)
# Seconds on 20 cores of an Intel Xeon E5-2698 v4 (2.2 GHz, 40 threads), in the order of `_GRAPHS`:
# github.com/GraphBLAS/LAGraph, src/benchmark/GAP_2024.txt, commit c9acd62; rows "GAP:2021" (GAP's own code, gcc 9.3) and
# "v8.1.0" (LAGraph 1.1 draft with SuiteSparse:GraphBLAS 8.1, June 2023).
GAP_SECONDS = {
    "BFS": (0.309, 0.542, 0.209, 0.341, 0.316),
    "BC": (31.140, 46.484, 11.035, 2.974, 1.612),
    "CC": (0.531, 1.653, 0.229, 0.237, 0.046),
    "PR": (20.256, 25.438, 15.024, 5.148, 1.043),
    "SSSP": (4.977, 7.283, 1.962, 0.781, 0.265),
    "TC": (361.216, 21.831, 77.734, 21.834, 0.031),
}
LAGRAPH_SECONDS = {
    "BFS": (0.546, 1.200, 0.362, 0.747, 3.139),
    "BC": (24.028, 33.327, 9.317, 6.446, 33.955),
    "CC": (2.88, 3.728, 1.375, 2.048, 0.756),
    "PR": (21.711, 28.152, 16.985, 9.186, 1.263),
    "SSSP": (16.041, 25.418, 7.476, 8.083, 32.404),
    "TC": (871.287, 32.643, 223.688, 33.087, 0.194),
}


def _rmat(exponent: int, edge_factor: float, *, directed: bool, a: float, b: float) -> Build:
    """R-MAT, simple; b twice."""

    def build(scale: float, seed: int, device: BuildDeviceName) -> "Graph":
        from warpath import generate

        return generate.rmat(
            _at_scale(exponent, scale), edge_factor, a=a, b=b, c=b, directed=directed, simple=True,
            weights=_WEIGHTS, seed=seed, device=device,
        )  # fmt: skip

    return build


def _uniform(scale: float, seed: int, device: BuildDeviceName) -> "Graph":
    from warpath import generate

    n = 2 ** _at_scale(27, scale)
    return generate.erdos_renyi(n, 16 * n, weights=_WEIGHTS, seed=seed, device=device)


def _roads(scale: float, seed: int, device: BuildDeviceName) -> "Graph":
    from warpath.bench import paper_graphs
    from warpath.bench.paper_weights import weighted

    return weighted(paper_graphs.graph("road-USA", scale, seed, device=device)[0], "positive")


def _at_scale(exponent: int, scale: float) -> int:
    return max(_MIN_EXPONENT, exponent + round(log2(scale)))


def _cases() -> tuple[Case, ...]:
    return (
        Case("kron", build=_rmat(27, 16, directed=False, a=0.57, b=0.19),
             recipe="R-MAT with Graph500's quarters, 2²⁷ vertices, 16 edges per vertex, as GAP draws it"),
        Case("urand", build=_uniform, recipe="G(2²⁷, 2³¹), as GAP draws it but without parallel edges"),
        Case("twitter", build=_rmat(26, 21.9, directed=True, a=0.57, b=0.19),
             recipe="directed R-MAT, 2²⁶ vertices and GAP's 1,468 M edges"),
        Case("web", build=_rmat(26, 28.8, directed=True, a=0.65, b=0.15),
             recipe="directed R-MAT, more skewed, 2²⁶ vertices and GAP's 1,930 M edges; without the locality of a crawl"),
        Case("road", build=_roads, recipe="a stand-in of road-USA, which is GAP's; weights drawn"),
    )  # fmt: skip


def _configurations() -> Iterator[Configuration]:
    for kernel, algorithm, options in _KERNELS:
        yield Configuration(f"{kernel}, GPU", algorithm, "cuda", options)
        yield Configuration(f"{kernel}, CPU", algorithm, "cpu", options)
        yield Configuration(f"{kernel}, cuGraph", algorithm, "cuda", by="cugraph")


def _published(seconds: Mapping[str, tuple[float, ...]]) -> dict[tuple[str, str], float]:
    """Seconds on a CPU, next to warpath's on a GPU and on a CPU."""
    return {
        (graph, f"{kernel}, {where}"): one
        for kernel, row in seconds.items()
        for graph, one in zip(_GRAPHS, row, strict=True)
        for where in ("GPU", "CPU")
    }


def _claims() -> Iterator[Claim]:
    for kernel in GAP_SECONDS:
        for who, seconds in (("GAP's code", GAP_SECONDS), ("LAGraph", LAGRAPH_SECONDS)):
            yield Claim(
                f"{kernel} on one GPU is ten times as fast as {who} on 20 cores, on each graph that ran at full size",
                ahead_of_published(
                    f"{kernel}, GPU", dict(zip(_GRAPHS, seconds[kernel], strict=True)), by=10
                ),
            )


@suite("gap")
def gap() -> Suite:
    """The GAP benchmark suite: BFS, SSSP, components, PageRank, betweenness, triangles on five graphs.

    GAP's rules (S. Beamer, K. Asanović, D. Patterson, arXiv 1508.03619): searches from 64 sources, which have
    edges; PageRank to a change of 10⁻⁴, components and betweenness (four sources) 16 times, triangles 3 times. Weights are
    1 … 255. The graph, its reverse, and for triangles the simple graph are made outside the clock, as is each check; the
    choice of Δ and the order of vertices by degree are inside. kron and urand are GAP's; road, twitter and web are
    stand-ins of their sizes. "Paper" is GAP's own code and "LAGraph" is LAGraph, on 20 cores, at full size, as
    LAGraph's authors measured both.
    """
    return Suite(
        "GAP: six kernels on five graphs",
        _cases(),
        tuple(_configurations()),
        published=_published(GAP_SECONDS),
        quoted={"LAGraph": _published(LAGRAPH_SECONDS)},
        claims=tuple(_claims()),
        sources=64,
    )
