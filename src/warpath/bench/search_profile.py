"""Where a search spends its time: its iterations, one by one, and by what ran them."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warpath.bench.axes import COLORS, MARKERS, WIDTH, legend_beside, tidy
from warpath.figures import new_figure, write
from warpath.typing import SEARCHES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from warpath.algorithms.common.stats import Stats
    from warpath.graph.graph import Graph


@dataclass(frozen=True)
class Row:
    """One iteration, or all of one kind.

    Attributes
    ----------
    how : str
        Direction, mode and balance, as far as the engine has them.
    iterations, vertices, arcs : int
    microseconds : float or None
        None on the CPU, which does not time its iterations.
    """

    how: str
    iterations: int
    vertices: int
    arcs: int
    microseconds: float | None

    @property
    def gteps(self) -> float | None:
        """Arcs a nanosecond."""
        return self.arcs / self.microseconds / 1e3 if self.microseconds else None


@dataclass(frozen=True)
class Profile:
    """A search by its iterations.

    Attributes
    ----------
    title : str
    rows : tuple of Row
        One each; of long runs the last has all beyond the trace's end, and while blocks of a GPU
        run asynchronously a row is many levels (`warpath.algorithms.common.stats.Stats.iterations`).
    """

    title: str
    rows: tuple[Row, ...]

    def kinds(self) -> list[Row]:
        """Added up by ``how``, those that took longest (had most arcs) first."""
        grouped: dict[str, list[Row]] = {}
        for row in self.rows:
            grouped.setdefault(row.how, []).append(row)
        added = [_sum(how, rows) for how, rows in grouped.items()]
        return sorted(added, key=lambda row: -(row.microseconds or row.arcs))

    def waiting(self) -> float | None:
        """The share of the time, at most, that is barriers and other waiting.

        An estimate from the trace, which has no times of barriers. The shortest iteration of a
        kind (top-down by a cluster, …) does next to nothing but wait, and each other one of its
        kind waits as long. None: there are no times.
        """
        total = self.total().microseconds
        if not total:
            return None
        least = {
            kind.how: min(row.microseconds or 0.0 for row in self.rows if row.how == kind.how)
            for kind in self.kinds()
        }
        return sum(least[row.how] for row in self.rows) / total

    def total(self) -> Row:
        """All of it."""
        return _sum("all", self.rows)


def profile(graph: "Graph", algorithm: str, source: int, **options: Any) -> Profile:
    """Search with a trace, after a search that compiles and copies.

    Parameters
    ----------
    graph : Graph
    algorithm : {"bfs", "sssp"}
    source : int
    **options
        Passed to `warpath.bfs` or `warpath.sssp`.

    Raises
    ------
    ValueError
        Another algorithm, or what that one refuses.
    """
    import warpath

    if algorithm not in SEARCHES:
        raise ValueError(f"unknown algorithm {algorithm!r}; choose one of {', '.join(SEARCHES)}")
    search = getattr(warpath, algorithm)
    search(graph, source, **options)
    stats = search(graph, source, **options).stats
    return Profile(f"{stats.method} from {source} on {stats.device}", tuple(_rows(stats)))


def _rows(stats: "Stats") -> Iterator[Row]:
    named = [column for column in (stats.direction, stats.mode, stats.balance) if column]
    timed = len(stats.nanoseconds) > 0
    for i, (vertices, arcs) in enumerate(zip(stats.frontier, stats.edges, strict=True)):
        yield Row(
            " ".join(filter(None, (column[i] for column in named))),
            1, int(vertices), int(arcs), float(stats.nanoseconds[i]) / 1e3 if timed else None,
        )  # fmt: skip


def _sum(how: str, rows: "list[Row] | tuple[Row, ...]") -> Row:
    times = [row.microseconds for row in rows if row.microseconds is not None]
    return Row(
        how,
        sum(row.iterations for row in rows),
        sum(row.vertices for row in rows),
        sum(row.arcs for row in rows),
        sum(times) if times else None,
    )


_MOST_MARKERS = 60  # more would lie over each other


def draw(found: Profile) -> "Figure":
    """Frontiers, and times if there are some, over the iterations.

    Raises
    ------
    ModuleNotFoundError
        If matplotlib is missing.
    """
    timed = any(row.microseconds is not None for row in found.rows)
    figure = new_figure()
    figure.set_size_inches(WIDTH, 6 if timed else 3.5)
    panels = figure.subplots(2 if timed else 1, 1, squeeze=False, sharex=True)[:, 0]
    at = range(len(found.rows))
    few = len(found.rows) <= _MOST_MARKERS
    for name, color, marker in (("arcs", COLORS[1], "s"), ("vertices", COLORS[0], "o")):
        panels[0].plot(at, [getattr(row, name) for row in found.rows], color=color,
                       marker=marker if few else "", markersize=3, label=name)  # fmt: skip
    panels[0].set(yscale="symlog", ylabel="frontier")
    panels[0].set_ylim(bottom=0)
    legend_beside(panels[0])
    if timed:
        kinds = [row.how for row in found.kinds()]
        for i, how in enumerate(kinds):
            own = [j for j in at if found.rows[j].how == how]
            panels[1].plot(own, [found.rows[j].microseconds for j in own], MARKERS[i % len(MARKERS)],
                           color=COLORS[i % len(COLORS)], markersize=4, label=how or "search")  # fmt: skip
        panels[1].set(yscale="log", ylabel="µs")
        legend_beside(panels[1])
    panels[-1].set_xlabel("iteration")
    panels[-1].xaxis.get_major_locator().set_params(integer=True)
    for axes in panels:
        tidy(axes, "y")
    figure.suptitle(found.title)
    return figure


def save(found: Profile, file: str | Path) -> None:
    """Draw it to a file, whose suffix says how."""
    write(draw(found), file)
