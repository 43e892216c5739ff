"""F. Busato, N. Bombieri: Graph algorithms on GPUs, chapter of Advances in GPU Research and
Practice, 2017.

Figures 5, 7 and 12 to 15 are pictures without numbers in the text at hand: what stands next to our
times is what the text says of them.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from warpath.bench.claims import SAME, Question, as_fast, both, counts_more, faster, fastest
from warpath.bench.suite import Build, Case, Claim, Configuration, Suite
from warpath.bench.suites import hbf
from warpath.bench.suites.listing import on_cpu, on_gpu, suite
from warpath.bench.summary import Summary
from warpath.schedule import PRESETS
from warpath.typing import BuildDeviceName

if TYPE_CHECKING:
    from warpath.graph.graph import Graph

WIDTHS = (2, 4, 8, 16, 32)
STATIC = ("thread-mapped", *(f"virtual-warp:width={width}" for width in WIDTHS))
CHILD_GRIDS = "dynamic-virtual-warp:dynamic_parallelism=auto"
SEMI_DYNAMIC = ("dynamic-virtual-warp", CHILD_GRIDS)
DYNAMIC = (
    "cta-warp-scan", "direct-search", "local-warp-search", "block-search", "two-phase-search",
    "multi-phase-search", "merge-path",
)  # fmt: skip
# The papers' forms, which the claims are about; multi-phase search has none but ours.
CONTEST, MULTI_PHASE = "cta-warp-scan:gather=contest", "multi-phase-search"
BLOCK_SEARCH = "block-search:slots=contiguous"
# The first has the papers' array of starts, the second threads that walk neighbouring items; no form has both.
TWO_PHASE = ("two-phase-search:partition=array", "multi-phase-search:searches=1,access=scattered")
PAPERS_DYNAMIC = (CONTEST, *TWO_PHASE, MULTI_PHASE)
# The figures leave direct search and block search out.
SHOWN = STATIC + SEMI_DYNAMIC + PAPERS_DYNAMIC
EXPANDED = ("great-britain_osm", "web-NotreDame", "circuit5M", "kron_g500-logn20")
"""The graphs of figures 12 to 15."""
BFS_GRAPHS = ("USA-road-d.CAL", "delaunay_n20", "msdoor", "flickr", "kron_g500-logn20")


@suite("survey-table1")
def table_1() -> Suite:
    """Space and costs of the representations.

    The table gives orders: of the space, of looking for an edge, of listing neighbours. Here are
    bytes, and nanoseconds per question on one core. A sweep, also on a GPU, is what the text says of layouts. It sums weight
    times target over all arcs of every vertex, and its nanoseconds are for one vertex. Graphs are
    uniform random ones of 16 edges per vertex, weights are int32. A matrix has room for the small one alone. Its
    2¹⁴ − 1 vertices fill no whole number of 128-byte lines, so rows need padding. A list of edges that is not sorted is
    read in a random order. A sweep by lists of edges adds to sums by an atomic for each arc.
    """
    from warpath import generate
    from warpath.bench.representations import FORMS, QUESTIONS

    def build(vertices: int) -> Build:
        def made(scale: float, seed: int, device: BuildDeviceName) -> "Graph":
            n = max(64, round((vertices + 1) * scale)) - 1
            return generate.erdos_renyi(n, 16 * n, weights=(1, 255), seed=seed, device=device)

        return made

    matrix, padded, lists, interleaved, edges, in_order, once = FORMS
    small, large = "G(2¹⁴ − 1, 2¹⁸ − 16)", "G(2²⁰ − 1, 2²⁴ − 16)"
    # Only a sweep needs weights; padding is for GPUs.
    asked = {padded: (), interleaved: QUESTIONS[2:]}

    def slower(slow: str, fast: str) -> Question:
        return counts_more(slow, fast, small, "ns each", SAME)

    def on_a_gpu(kind: str) -> str:
        return f"{kind}: sweep, GPU"

    def sooner(fast: str, slow: str) -> Question:
        return faster(on_a_gpu(fast), on_a_gpu(slow), [large])

    return Suite(
        "survey, table 1: representations",
        tuple(
            Case(name, build=build(vertices), recipe="uniform random, 16 edges per vertex")
            for name, vertices in ((small, 2**14 - 1), (large, 2**20 - 1))
        ),
        (
            *(
                Configuration(f"{kind}: {question}", "look", "cpu",
                              {"representation": kind, "question": question})
                for kind in FORMS
                for question in asked.get(kind, QUESTIONS)
            ),
            *(
                Configuration(on_a_gpu(kind), "look", "cuda",
                              {"representation": kind, "question": "sweep"})
                for kind in FORMS
            ),
        ),
        columns=("bytes", "ns each"),
        theirs="orders of space and time",
        ours="bytes, and nanoseconds on one core or a GPU",
        claims=(
            Claim("a matrix finds an edge sooner than lists do",
                  slower(f"{lists}: edge", f"{matrix}: edge")),
            Claim("lists find an edge sooner than a list of edges does",
                  slower(f"{edges}: edge", f"{lists}: edge")),
            Claim("lists give neighbours sooner than a matrix does",
                  slower(f"{matrix}: neighbours", f"{lists}: neighbours")),
            Claim("a sorted list of edges finds an edge sooner than one that is not sorted",
                  slower(f"{edges}: edge", f"{in_order}: edge")),
            Claim("a sweep over a matrix with padded rows is no slower on a GPU",
                  as_fast(on_a_gpu(padded), small, [on_a_gpu(padded), on_a_gpu(matrix)])),
            Claim("an array of structures makes a sweep over lists faster on a GPU",
                  sooner(interleaved, lists)),
            Claim("sorting makes a sweep over a list of edges faster on a GPU",
                  sooner(in_order, edges)),
            Claim("pairs that stand once take half the space",
                  counts_more(f"{in_order}: sweep", f"{once}: sweep", large, "bytes", 2 / SAME)),
            Claim("with half the accesses a sweep over them is faster on a GPU",
                  sooner(once, in_order)),
        ),
    )  # fmt: skip


# Merrill et al.'s other strategies; the preset is two-phase.
_MERRILL = {
    "expand-contract": "merrill:two-phase=off",
    "contract-expand": "merrill,frontier=contract-expand,duplicates=status-bitmap",
    "hybrid": "merrill,frontier=hybrid,duplicates=status-bitmap",
    "hybrid with culling": "merrill,frontier=hybrid",
}


def _presets(**options: Any) -> tuple[Configuration, ...]:
    """The published systems."""
    systems = {name: (name, one.differs) for name, one in PRESETS.items()} | {
        f"merrill, {name}": (schedule, "") for name, schedule in _MERRILL.items()
    }
    return tuple(
        on_gpu(label, "bfs", schedule=schedule, differs=differs, **options)
        for label, (schedule, differs) in systems.items()
    )


@suite("survey-table2")
def table_2() -> Suite:
    """What BFS systems do: the table's complexities, counted.

    The table compares work and space by orders, kinds of parallelism, duplicates and
    synchronisation of six systems, which are presets here, with two more. Counted are iterations, edges that were
    inspected, and bytes on the device next to the graph, on a road network and on a power-law graph.
    """
    return Suite(
        "survey, table 2: what BFS systems do",
        (Case("USA-road-d.CAL"), Case("kron_g500-logn20")),
        (
            on_cpu("sequential", "bfs", threads=1, schedule="direction=top-down"),
            *_presets(trace=True),
            on_gpu("warpath, top-down", "bfs", schedule="direction=top-down", trace=True),
        ),
        columns=("iterations", "relaxations", "workspace_bytes", "seconds"),
    )


@suite("survey-fig5")
def figure_5() -> Suite:
    """BFS systems against a sequential search.

    The figure has BFS-4K fastest on every graph. Its graphs are not named in the text: these are
    others, of small and large diameter. The systems are presets of warpath, which share its queues
    and barriers: what differs is their techniques, not how well each was written.
    """
    whole = "bfs-4k:edge-discover=on,dynamic-parallelism=on"
    systems = _presets()
    others = [one.label for one in systems if one.label != "bfs-4k"]
    return Suite(
        "survey, figure 5: BFS systems",
        tuple(Case(name) for name in BFS_GRAPHS),
        (
            on_cpu("sequential", "bfs", threads=1, schedule="direction=top-down"),
            on_cpu("warpath, CPU", "bfs"),
            *systems,
            on_gpu("bfs-4k, whole", "bfs", schedule=whole),
            on_gpu("warpath", "bfs"),
        ),
        baseline="sequential",
        theirs="graphs not named; BFS-4K with all its features",
        ours="presets; BFS-4K with all its features",
        claims=(
            Claim(
                "BFS-4K outperforms all the other implementations in every graph",
                both(*(faster("bfs-4k, whole", other, BFS_GRAPHS) for other in others)),
            ),
        ),
    )


@suite("survey-fig7")
def figure_7() -> Suite:
    """Shortest paths: the survey's figure is H-BF's figure 8, from the same measurements."""
    return replace(hbf.figure_8(), title="survey, figure 7: shortest paths")


def _balances(number: int, graph: str, *claims: Claim) -> Suite:
    """One of figures 12 to 15."""
    forms = (CONTEST, BLOCK_SEARCH, *TWO_PHASE)
    return Suite(
        f"survey, figure {number}: balances on {graph}",
        (Case(graph),),
        (
            on_cpu("CPU, one thread", "expand", threads=1),
            *(on_gpu(one, "expand", balance=one) for one in STATIC + SEMI_DYNAMIC + DYNAMIC + forms),
        ),
        baseline="thread-mapped",
        theirs="the original graph; with dynamic parallelism",
        ours="one frontier of all vertices; claims about the papers' forms, two of two-phase search",
        claims=(
            *claims,
            Claim("direct search and block search are much worse than the others",
                  both(*(faster(MULTI_PHASE, one, [graph], 2)
                         for one in ("direct-search", BLOCK_SEARCH)))),
            Claim("dynamic techniques are faster than dynamic parallelism",
                  both(*(faster(one, CHILD_GRIDS, [graph]) for one in PAPERS_DYNAMIC))),
            Claim("dynamic virtual warps are faster without it",
                  faster("dynamic-virtual-warp", CHILD_GRIDS, [graph])),
        ),
    )  # fmt: skip


def best_width(widths: Sequence[int], graph: str, balances: Sequence[str]) -> Question:
    """The best width is one of some: None where one of the others is as fast but for noise."""

    def holds(found: Summary) -> bool | None:
        ranked = found.ranked(graph, balances)
        those = [
            one for one in ranked if one in {f"virtual-warp:width={width}" for width in widths}
        ]
        others = [one for one in ranked if one not in those]
        if not those or not others:
            return None
        ratio = found.ratio(graph, those[0], others[0])
        return None if ratio is None or 1 / SAME < ratio <= SAME else ratio < 1

    return holds


def _on_low_degrees(graph: str, widths: tuple[int, ...]) -> tuple[Claim, ...]:
    """What the survey says of its first two graphs."""
    warps = [f"virtual-warp:width={width}" for width in WIDTHS]
    return (
        Claim(f"the best virtual warp is about as wide as the mean degree: {' or '.join(map(str, widths))}",
              best_width(widths, graph, warps)),
        Claim("CTA+warp+scan performs low: two-phase and multi-phase search are faster",
              both(*(faster(one, CONTEST, [graph]) for one in (*TWO_PHASE, MULTI_PHASE)))),
    )  # fmt: skip


@suite("survey-fig12")
def figure_12() -> Suite:
    """Load balancing on great-britain_osm: low and regular degrees.

    The survey measures each technique's expansion of a graph's work-items (its vertices) into work
    units (edges). So does this: all vertices are the frontier of one top-down iteration, which
    inspects each edge once. They come there from a root above the graph, two edges away. A search
    from all of them would mostly put them into the queue. Times are by the clock of the kernel. With dynamic parallelism,
    whose child grids end after it, a search of two levels is subtracted from one of three, by events. This
    graph has no vertex that would get one.
    """
    graph = EXPANDED[0]
    return _balances(
        12, graph,
        Claim("work-items to threads is the most efficient",
              fastest("thread-mapped", graph, SHOWN)),
        Claim("multi-phase search is the second", fastest(MULTI_PHASE, graph, SHOWN, place=2)),
        *_on_low_degrees(graph, (2, 4)),
    )  # fmt: skip


@suite("survey-fig13")
def figure_13() -> Suite:
    """Load balancing on web-NotreDame: low degrees of large deviation. See survey-fig12."""
    graph = EXPANDED[1]
    return _balances(
        13, graph,
        Claim("multi-phase search is the most efficient", fastest(MULTI_PHASE, graph, SHOWN)),
        Claim("it is almost twice as fast as two-phase search",
              both(*(faster(MULTI_PHASE, one, [graph], 1.7) for one in TWO_PHASE))),
        Claim("and as virtual warps of any width",
              both(*(faster(MULTI_PHASE, one, [graph], 1.7) for one in STATIC[1:]))),
        *_on_low_degrees(graph, (4, 8)),
    )  # fmt: skip


@suite("survey-fig14")
def figure_14() -> Suite:
    """Load balancing on circuit5M: low degrees and hubs. See survey-fig12."""
    graph = EXPANDED[2]
    return _balances(
        14, graph,
        Claim("multi-phase search is the most efficient", fastest(MULTI_PHASE, graph, SHOWN)),
        Claim("dynamic techniques are an order of magnitude faster than static ones",
              both(*(faster(fast, slow, [graph], 10) for fast in PAPERS_DYNAMIC for slow in STATIC))),
    )  # fmt: skip


@suite("survey-fig15")
def figure_15() -> Suite:
    """Load balancing on kron_g500-logn20: high degrees, a power law. See survey-fig12."""
    graph = EXPANDED[3]
    return _balances(
        15, graph,
        Claim("CTA+warp+scan is the most efficient", fastest(CONTEST, graph, SHOWN)),
        Claim("multi-phase search is comparable",
              faster(MULTI_PHASE, CONTEST, [graph], 1 / 1.25)),
        Claim("dynamic virtual warps are like virtual warps of 32",
              both(faster("dynamic-virtual-warp", "virtual-warp:width=32", [graph], 1 / 1.25),
                   faster("virtual-warp:width=32", "dynamic-virtual-warp", [graph], 1 / 1.25))),
    )  # fmt: skip
