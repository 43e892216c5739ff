"""S. Hong, S. K. Kim, T. Oguntebi, K. Olukotun: Accelerating CUDA graph algorithms at maximum warp,
PPoPP 2011.

Their breadth-first search looks at every vertex in each level (topology-driven), on a GTX 260; the same on one
thread of a Xeon E5345 is what its speed-ups are over. The text at hand has the figures' captions and what is
said of them, few numbers. Means of one search there, medians of several sources here.

A virtual warp stages its chunk of vertices in registers here, so a chunk has as many vertices as the warp has lanes;
in the paper it is in shared memory. With dynamic distribution the chunk that is drawn is visited in such pieces. Outliers are
visited in one pass after a barrier, each warp an equal share of their edges; in the paper each has a kernel of its own.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from warpath.bench.claims import SAME, Question, both, faster, fastest, gain_between
from warpath.bench.suite import Case, Claim, Configuration, Suite
from warpath.bench.suites.listing import gtgraph, on_cpu, on_gpu, suite
from warpath.bench.suites.survey import best_width
from warpath.bench.summary import Summary

_STAGED = "chunks staged in registers"
_OUTLIERS = "outliers in one pass after a barrier, each warp an equal share"

GRAPHS = ("RMAT", "Random", "LiveJournal", "Patents")
WIDTHS = (2, 4, 8, 16, 32)
THRESHOLDS = (64, 256, 1024, 4096)
CHUNKS = (256, 512, 1024, 2048)
FEW = (1, 8, 32)  # vertices of a chunk, not in the paper
ONE_THREAD = on_cpu("one thread", "bfs-every-vertex", threads=1)
BASELINE, WARP = "thread-mapped", "virtual-warp:width=32"
DYNAMIC = f"{WARP},dynamic_distribution=256"
_MULTIPROCESSORS = 132  # of an H200: where lines stand
_MOST_THREADS = 256  # of the paper's UltraSPARC T2+
_DEGREE = 12  # of RMAT and Random, as in table 2
_VERTICES = 4_000_000  # likewise


def _search(
    balance: str, label: str = "", *, x: float | None = None, series: str = ""
) -> Configuration:
    """A topology-driven search on a GPU."""
    return on_gpu(
        label or balance, "bfs", x=x, series=series,
        schedule=f"{balance},frontier=topology-driven,direction=top-down",
    )  # fmt: skip


def _deferring(balance: str, threshold: int) -> str:
    """With outliers deferred."""
    separator = "," if ":" in balance else ":"
    return f"{balance}{separator}defer_outliers={threshold}"


@suite("hong-fig7a")
def figure_7a() -> Suite:
    """Deferring outliers, virtual warps and dynamic distribution, against one thread of the CPU.

    All look at every vertex in each level, the CPU's thread as well. The paper does not give its threshold and
    chunk here: 1,024 edges, 256 vertices.
    """
    deferred = _deferring(WARP, 1024)
    mostly_even = ("Random", "Patents")
    return Suite(
        "Hong et al., figure 7a: what each technique gains",
        tuple(Case(name) for name in GRAPHS),
        (
            ONE_THREAD,
            _search(BASELINE),
            _search(_deferring(BASELINE, 1024)),
            _search(WARP),
            _search(deferred),
            _search(DYNAMIC),
            on_gpu("warpath", "bfs"),
        ),
        baseline="one thread",
        theirs="topology-driven; chunks staged in shared memory; a kernel for each outlier",
        ours=f"{_STAGED}, one vertex per lane; {_OUTLIERS}",
        claims=(
            Claim("deferring makes the baseline 1.9 times faster on RMAT",
                  faster(_deferring(BASELINE, 1024), BASELINE, ["RMAT"], 1.9)),
            Claim("virtual warps of 32 are much faster on RMAT and LiveJournal",
                  faster(WARP, BASELINE, ["RMAT", "LiveJournal"], 2)),
            Claim("they are slower on Patents", faster(BASELINE, WARP, ["Patents"])),
            Claim("dynamic distribution makes RMAT faster still", faster(DYNAMIC, WARP, ["RMAT"])),
            Claim("it costs more than it gains on Random and Patents",
                  faster(WARP, DYNAMIC, mostly_even)),
            Claim("deferring with virtual warps gains little (less than 1.25 times on RMAT)",
                  gain_between(WARP, deferred, ["RMAT"], 0, 1.25)),
        ),
    )  # fmt: skip


@suite("hong-fig7b")
def figure_7b() -> Suite:
    """How wide a virtual warp should be."""
    balances = [BASELINE, *(f"virtual-warp:width={width}" for width in WIDTHS)]
    widths = (1, *WIDTHS)
    return Suite(
        "Hong et al., figure 7b: the width of a virtual warp",
        tuple(Case(name) for name in GRAPHS),
        (
            ONE_THREAD,
            *(
                _search(balance, x=float(width), series="virtual warps")
                for balance, width in zip(balances, widths, strict=True)
            ),
        ),
        baseline="one thread",
        plot="lines",
        x_label="threads of a virtual warp",
        theirs="topology-driven, widths 1 … 32",
        ours=f"the same; {_STAGED}",
        claims=(
            Claim("on RMAT 32 is best", fastest(WARP, "RMAT", balances)),
            Claim("on Random about the mean degree (12) is: 8 or 16", best_width((8, 16), "Random", balances)),
            Claim("on Patents about the mean degree (6) is: 4 or 8", best_width((4, 8), "Patents", balances)),
            Claim("the best width outperforms the baseline on every graph",
                  lambda found: _best_beats(found, balances[1:])),
        ),
    )  # fmt: skip


@suite("hong-fig8a")
def figure_8a() -> Suite:
    """How many edges make an outlier, on RMAT."""
    series = {"one thread for each vertex": BASELINE, "virtual warps of 32": WARP}
    return Suite(
        "Hong et al., figure 8a: the threshold of deferring",
        (Case("RMAT"),),
        (
            ONE_THREAD,
            *(
                _search(_deferring(balance, threshold), x=float(threshold), series=name)
                for name, balance in series.items()
                for threshold in THRESHOLDS
            ),
        ),
        baseline="one thread",
        plot="lines",
        x_label="edges of an outlier, at least",
        theirs="deferring with and without virtual warps; a kernel for each outlier",
        ours=f"{_STAGED}; {_OUTLIERS}",
        claims=(
            Claim("without virtual warps the time depends on the threshold (more than 1.5 times)",
                  _spread([_deferring(BASELINE, t) for t in THRESHOLDS], least=1.5)),
            Claim("with them it does not (less than 1.25 times)",
                  _spread([_deferring(WARP, t) for t in THRESHOLDS], most=1.25)),
        ),
    )  # fmt: skip


@suite("hong-fig8b")
def figure_8b() -> Suite:
    """How many vertices a virtual warp draws at once from the common counter, on RMAT.

    The paper's chunks are of 256 to 2,048 vertices for a warp; here also fewer.
    """
    balances = {chunk: f"{WARP},dynamic_distribution={chunk}" for chunk in (*FEW, *CHUNKS)}
    return Suite(
        "Hong et al., figure 8b: the chunk of dynamic distribution",
        (Case("RMAT"),),
        (
            ONE_THREAD,
            _search(WARP, "static"),
            *(
                _search(balance, x=float(chunk), series="dynamic")
                for chunk, balance in balances.items()
            ),
        ),
        baseline="one thread",
        plot="lines",
        x_label="vertices of a chunk",
        theirs="chunks of 256 to 2,048 vertices",
        ours="chunks of 1 to 2,048 vertices, staged in registers a piece at a time",
        claims=(
            Claim("from 256 to 2,048 the time is rather insensitive to the chunk (less than 1.25 times)",
                  _spread([balances[chunk] for chunk in CHUNKS], most=1.25)),
        ),
    )  # fmt: skip


def _scaling() -> tuple[Configuration, ...]:
    return (
        ONE_THREAD,
        _search(BASELINE),
        _search("virtual-warp:width=16"),
        _search(WARP),
        _search(DYNAMIC),
    )


@suite("hong-fig8c")
def figure_8c() -> Suite:
    """R-MAT graphs of more and more vertices, twelve edges each."""
    counts = tuple(2.0**exponent for exponent in (18, 19, 20, 21, 22))
    names = [f"RMAT, 2^{count.hex().partition('p+')[2]} vertices" for count in counts]
    return Suite(
        "Hong et al., figure 8c: numbers of vertices",
        tuple(
            Case(name, build=gtgraph(count, _DEGREE, directed=True), recipe="R-MAT, 12 edges per vertex", x=count)
            for name, count in zip(names, counts, strict=True)
        ),
        _scaling(),
        baseline="one thread",
        plot="lines",
        x_label="vertices",
        theirs="growing R-MAT graphs",
        ours=f"2¹⁸ to 2²² vertices; {_STAGED}",
        claims=(
            Claim("virtual warps gain more over one thread where graphs are larger",
                  lambda found: _grows(found, names)),
        ),
    )  # fmt: skip


@suite("hong-fig8d")
def figure_8d() -> Suite:
    """R-MAT graphs of four million vertices and more and more edges."""
    degrees = (2, 4, 8, 12, 16, 24)
    names = [f"RMAT, {degree} edges per vertex" for degree in degrees]
    narrow = "virtual-warp:width=16"
    return Suite(
        "Hong et al., figure 8d: numbers of edges",
        tuple(
            Case(name, build=gtgraph(_VERTICES, degree, directed=True), x=float(degree),
                 recipe="R-MAT of the same vertices")
            for name, degree in zip(names, degrees, strict=True)
        ),
        _scaling(),
        baseline="one thread",
        plot="lines",
        x_label="edges per vertex",
        theirs="growing mean degrees",
        ours=f"2 to 24; {_STAGED}",
        claims=(
            Claim("where degrees are small, warps of 16 are faster than of 32",
                  faster(narrow, WARP, names[:2])),
            Claim("where they are large, dynamic distribution gains",
                  faster(DYNAMIC, WARP, names[-1:])),
        ),
    )  # fmt: skip


@suite("hong-fig9")
def figure_9() -> Suite:
    """Threads of a CPU next to a GPU.

    All run the same algorithm. The paper's CPUs are two Xeon E5345 (8 cores) and an UltraSPARC T2+ (256
    threads); here is the one that runs this, up to as many threads as it has cores.
    """
    counts = [2**power for power in range(_MOST_THREADS.bit_length())]
    return Suite(
        "Hong et al., figure 9: threads of a CPU",
        tuple(Case(name) for name in GRAPHS),
        (
            _search(DYNAMIC),
            on_gpu("warpath", "bfs"),
            *(
                on_cpu(f"{count} threads" if count > 1 else "one thread", "bfs-every-vertex",
                       threads=count, x=float(count), series="CPU")
                for count in counts
            ),
        ),
        baseline="one thread",
        plot="lines",
        x_label="threads",
        theirs="two Xeon E5345 and an UltraSPARC T2+",
        ours=f"16 cores of a Xeon, the GPU's host; {_STAGED}",
        claims=(
            Claim("eight threads are about twice as fast as one (1.5 to 3 times)",
                  gain_between("one thread", "8 threads", GRAPHS, 1.5, 3)),
            Claim("the GPU is faster than all of the CPU",
                  lambda found: _beats_threads(found, DYNAMIC)),
        ),
    )  # fmt: skip


@suite("hong-fig10")
def figure_10() -> Suite:
    """Warps on each multiprocessor, and multiprocessors, against time, on RMAT.

    The search with dynamic distribution of figures 7 to 9. First all multiprocessors have 1 to 32 warps each,
    then some have 16. The paper also has a second GPU.
    """
    warps, few = (1, 2, 4, 8, 16, 32), (1, 4, 16, 33, 66)
    every = {count: _on_each(count) for count in warps}
    some = {count: f"{count} multiprocessors" if count > 1 else "1 multiprocessor" for count in few}

    def on_grid(
        label: str, warps: int, multiprocessors: int | None, x: float, series: str
    ) -> Configuration:
        schedule = f"{DYNAMIC},frontier=topology-driven,direction=top-down"
        options = {"warps": warps, "multiprocessors": multiprocessors, "schedule": schedule}
        return Configuration(label, "bfs-on-grid", "cuda", options, x=x, series=series)

    return Suite(
        "Hong et al., figure 10: warps and multiprocessors",
        (Case("RMAT"),),
        (
            *(on_grid(label, count, None, float(count * _MULTIPROCESSORS), "all multiprocessors")
              for count, label in every.items()),
            *(on_grid(label, 16, count, 16.0 * count, "16 warps on each multiprocessor")
              for count, label in some.items()),
        ),
        plot="lines",
        x_label="warps",
        theirs="24 multiprocessors of 1 to 32 warps, and fewer of 16",
        ours=f"the same on 132; {_STAGED}",
        claims=(
            Claim("more than eight warps on each multiprocessor gain little (less than 1.25 times)",
                  gain_between(every[8], every[32], ["RMAT"], 0, 1.25)),
            Claim("more multiprocessors are faster, up to all of them",
                  both(*(faster(more, fewer, ["RMAT"])
                         for fewer, more in pairwise((*some.values(), every[16]))))),
        ),
    )  # fmt: skip


def _on_each(warps: int) -> str:
    return f"{warps} warps on each" if warps > 1 else "1 warp on each"


@suite("hong-fig11")
def figure_11() -> Suite:
    """Virtual warps for breadth-first search, shortest paths and s-t connectivity, on RMAT.

    Against the thread-mapped version of the same, as in the paper. All look at every vertex in each
    iteration but searches between two vertices, which have queues and go on at the end with fewer
    edges. Its other applications are no graph algorithms: they are examples (`examples/virtual_warps`).
    """

    def of(algorithm: str, balance: str) -> Configuration:
        if algorithm == "bfs":
            return _search(balance, f"bfs, {balance}")
        options: dict[str, Any] = {"schedule": balance}
        if algorithm == "sssp":
            options["method"] = "bellman-ford-queueless"
        return on_gpu(f"{algorithm}, {balance}", algorithm, **options)

    algorithms = ("bfs", "sssp", "st-connected")
    balances = (BASELINE, *(f"virtual-warp:width={width}" for width in (8, 16, 32)))
    return Suite(
        "Hong et al., figure 11: BFS, SSSP, STCON",
        (Case("RMAT", "positive"),),
        (
            on_cpu("bfs, CPU", "bfs"),
            on_cpu("sssp, CPU", "sssp"),
            on_cpu("st-connected, CPU", "st-connected"),
            *(of(algorithm, balance) for algorithm in algorithms for balance in balances),
        ),
        theirs="topology-driven",
        ours=f"{_STAGED}; s-t connectivity with queues, which stage nothing",
        claims=tuple(
            Claim(f"{algorithm}: virtual warps of 32 are faster than thread-mapped",
                  faster(f"{algorithm}, {WARP}", f"{algorithm}, {BASELINE}", ["RMAT"]))
            for algorithm in algorithms
        ),
    )  # fmt: skip


def _spread(labels: Sequence[str], least: float = 1.0, most: float = float("inf")) -> Question:
    """On RMAT the slowest of some takes ``least`` to ``most`` times as long as the fastest."""

    def holds(found: Summary) -> bool | None:
        times = [seconds for label in labels if (seconds := found.seconds("RMAT", label))]
        return least <= max(times) / min(times) <= most if len(times) > 1 else None

    return holds


def _best_beats(found: Summary, balances: Sequence[str]) -> bool | None:
    """On each graph some width is faster than the baseline."""
    ratios = [
        found.ratio(graph, BASELINE, ranked[0])
        for graph in GRAPHS
        if (ranked := found.ranked(graph, balances))
    ]
    known = [ratio for ratio in ratios if ratio is not None]
    if any(ratio <= 1 / SAME for ratio in known):
        return False
    return True if known and all(ratio >= SAME for ratio in known) else None


def _grows(found: Summary, names: Sequence[str]) -> bool | None:
    first = found.ratio(names[0], "one thread", WARP)
    last = found.ratio(names[-1], "one thread", WARP)
    if first is None or last is None or 1 / SAME < last / first < SAME:
        return None
    return last > first


def _beats_threads(found: Summary, best: str) -> bool | None:
    """Whatever number of threads there was on the machine of the trials."""
    labels = [
        label
        for label in found.labels
        if label.endswith((" thread", " threads"))
        and any(found.seconds(graph, label) for graph in GRAPHS)
    ]
    return both(*(faster(best, label, GRAPHS) for label in labels))(found)
