"""``warpath demo``: two graphs, two algorithms, verified, compared with SciPy's times."""

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.name_types import examples
from warpath.cli.show import duration, emit, note, working
from warpath.display import counted

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph

_WEIGHTS = (1, 255)  # as the Graph500's and the GAP benchmark's: one byte, no zero


@click.command(
    epilog=examples(
        "warpath demo --scale 10",
    )
)
@click.option(
    "--scale",
    type=click.IntRange(1, 24),
    default=18,
    show_default=True,
    help="2^scale vertices in the power-law graph, about 4 · 2^scale in the road-like one.",
)
@click.option(
    "--sources",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="How many sources; times are medians over them.",
)
@options.seed
@options.threads
@options.as_json
def demo(scale: int, sources: int, seed: int) -> None:
    """Race SciPy on two graphs, verified.

    BFS and SSSP on a road-like and a power-law graph.
    """
    import warpath

    begin = perf_counter()
    graphs, trials = [], []
    for kind, make in _makers(scale, seed).items():
        with working(f"Making the {kind} graph"):
            graph = make()
        graphs.append({"graph": kind, "vertices": graph.num_vertices, "edges": graph.num_edges})
        for algorithm in ("bfs", "sssp"):
            note(f"{algorithm} on the {kind} graph …")
            trials.append({"graph": kind, **_trial(graph, algorithm, sources, seed)})
    data = {
        "graphs": graphs,
        "trials": trials,
        "threads": warpath.num_threads(),
        "seconds": perf_counter() - begin,
    }
    emit(data, lambda screen: _render(data, screen))


def _makers(scale: int, seed: int) -> dict[str, Callable[[], "Graph"]]:
    from warpath import generate

    side = round(1000 * 2 ** ((scale - 18) / 2))  # 1000² vertices where R-MAT has 2¹⁸
    return {
        "road-like": lambda: generate.grid(side, keep=0.9, weights=_WEIGHTS, seed=seed),
        "power-law": lambda: generate.rmat(scale, weights=_WEIGHTS, seed=seed),
    }


def _trial(graph: "Graph", algorithm: str, sources: int, seed: int) -> dict[str, Any]:
    """One algorithm on one graph, ours and SciPy's, from the same vertices of a large component.

    Raises
    ------
    VerificationError
        If one of our answers is wrong.
    """
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order, dijkstra

    import warpath

    ours = getattr(warpath, algorithm)
    begin = perf_counter()
    hub = ours(graph, int(graph.degree.argmax()))
    first_call = perf_counter() - begin
    reached = np.flatnonzero(hub.reached)
    starts = np.random.default_rng(seed).choice(reached, sources).tolist()
    matrix = csr_array(graph.to_scipy(), dtype=np.float64)  # SciPy's own type: no conversion timed

    def theirs(source: int) -> Any:
        if algorithm == "bfs":
            return breadth_first_order(matrix, source)
        return dijkstra(matrix, indices=source, return_predecessors=True)

    our_times, their_times = [], []
    for source in starts:
        begin = perf_counter()
        answer = ours(graph, source)
        our_times.append(perf_counter() - begin)
        answer.verify()
        begin = perf_counter()
        theirs(source)
        their_times.append(perf_counter() - begin)
    seconds, scipy_seconds = median(our_times), median(their_times)
    return {
        "algorithm": algorithm,
        "method": answer.stats.method,
        "sources": starts,
        "first_call_seconds": first_call,
        "seconds": seconds,
        "scipy_seconds": scipy_seconds,
        "speed_up": scipy_seconds / seconds,
        "verified": True,
    }


def _render(data: dict[str, Any], screen: "Console") -> None:
    from rich.table import Table

    for graph in data["graphs"]:
        screen.print(f"{graph['graph']}: {graph['vertices']:,} vertices, {graph['edges']:,} edges")
    table = Table("graph", "algorithm", "warpath", "SciPy", "speed-up", "first call")
    for trial in data["trials"]:
        table.add_row(
            trial["graph"],
            trial["algorithm"],
            duration(trial["seconds"]),
            duration(trial["scipy_seconds"]),
            f"{trial['speed_up']:.1f}×",
            duration(trial["first_call_seconds"]),
        )
    screen.print(table)
    screen.print(
        f"Medians over {counted(len(data['trials'][0]['sources']), 'source')}, "
        f"{counted(data['threads'], 'thread')}, "
        "distances and predecessors, every answer verified. The first call of a new "
        "installation compiles; the second program finds that on disk. "
        f"In all {duration(data['seconds'])}."
    )
