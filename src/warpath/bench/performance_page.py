"""The page of measured figures: tables and plots of the lines of one file."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from warpath.bench import performance_plots
from warpath.bench.measured import Measured
from warpath.bench.result_table import Grid, digits, times
from warpath.files import replacing

_NOTHING = "–"
# From one source its frontiers are so small that no balance expands them.
_NO_BALANCE = ("grid 2048²",)
_MUCH = 1.5  # times as fast as the default: then a setting is worth a row
Row = tuple[str, ...]
Rows = Callable[[Sequence[Measured]], list[Row]]


@dataclass(frozen=True)
class Part:
    """A section of the page.

    Attributes
    ----------
    table : str
        Whose figures it shows; none: the section is a plot alone.
    heading, about : str
    rows : callable
        The head and the rows of its table.
    plot : str
        One of `performance_plots.PLOTS`, in front of the table.
    """

    heading: str
    about: str
    table: str = ""
    rows: Rows | None = None
    plot: str = ""


def _ratios(found: Sequence[Measured]) -> list[Row]:
    """A row for each search of a graph, a column for each peer: how many times longer it takes."""
    peers = list(dict.fromkeys(_peer(one) for one in found))
    cells: dict[tuple[str, str], dict[str, Measured]] = {}
    for one in found:
        cells.setdefault((one.graph, one.search), {})[_peer(one)] = one
    rows: list[Row] = [("graph", "search", "warpath, ms", *peers)]
    for (graph, search), row in cells.items():
        ms = next((one.ms for one in row.values() if one.ms is not None), None)
        ratios = (times(row[peer].times_faster) if peer in row else _NOTHING for peer in peers)
        rows.append((graph, search, digits(ms), *ratios))
    return rows


def _peer(one: Measured) -> str:
    return f"{one.peer} {one.version}".strip()


def _floors(found: Sequence[Measured]) -> list[Row]:
    """Time and rate next to the floor, and what bounds the rest."""
    rows: list[Row] = [("graph", "search", "ms", "GTEPS", "floor, ms", "× floor", "what bounds it")]
    for one in found:
        ms = one.ms or 0.0
        rate = digits(one.arcs / ms / 1e6) if one.arcs else _NOTHING
        over = digits(ms / one.floor_ms) if one.floor_ms else _NOTHING
        rows.append(
            (one.graph, one.search, digits(one.ms), rate, digits(one.floor_ms), over, one.bound)
        )
    return rows


def _compared(found: Sequence[Measured]) -> list[Row]:
    """Time next to what computes the same, or as much, and next to the floor."""
    head = ("graph", "call", "ms", "next to", "its ms", "floor, ms", "× floor", "what bounds it")
    rows: list[Row] = [head]
    for one in found:
        over = digits(one.ms / one.floor_ms) if one.ms and one.floor_ms else _NOTHING
        peer, peer_ms, floor = one.peer or _NOTHING, digits(one.peer_ms), digits(one.floor_ms)
        rows.append((one.graph, one.search, digits(one.ms), peer, peer_ms, floor, over, one.bound))
    return rows


def _balances(found: Sequence[Measured]) -> list[Row]:
    """A row for each technique, a column for each graph; and for settings that change much."""
    known = {(one.balance, one.graph): one.ms for one in found if one.ms and one.search != "SSSP"}
    graphs = [graph for graph in dict.fromkeys(g for _, g in known) if graph not in _NO_BALANCE]

    def matters(balance: str) -> bool:
        default = balance.partition(":")[0]
        pairs = ((known.get((default, g)), known.get((balance, g))) for g in graphs)
        return any(slow and fast and slow >= _MUCH * fast for slow, fast in pairs)

    balances = dict.fromkeys(balance for balance, _ in known)
    rows: list[Row] = [("balance", *graphs)]
    for balance in balances:
        if ":" not in balance or matters(balance):
            cells = (digits(known.get((balance, graph))) for graph in graphs)
            rows.append((f"`{balance}`", *cells))
    return rows


def _relaxations(found: Sequence[Measured]) -> list[Row]:
    rows: list[Row] = [("matrix", "of", "ms", "10¹² relaxations a second")]
    return rows + [(one.graph, one.search, digits(one.ms), digits(one.trelax)) for one in found]


def _rates(found: Sequence[Measured]) -> list[Row]:
    rows: list[Row] = [("graph", "", "ms", "million edges a second")]
    return rows + [
        (one.graph, one.search, digits(one.ms), digits((one.arcs or 0) / (one.ms or 1) / 1e3))
        for one in found
    ]


def _values(found: Sequence[Measured]) -> list[Row]:
    return [("what", "measured", "on"), *((one.graph, one.value, one.machine) for one in found)]


PARTS = (
    Part(
        "Next to other libraries, on two cores",
        "The peers' times over warpath's. SciPy's BFS writes no distances and runs on one thread, as "
        "its Dijkstra does; it converts int32 weights in each call. NetworKit and GAPBS run 2 "
        "threads; GAPBS has the best of five Δ, writes predecessors of BFS alone and distances of "
        "SSSP alone. From run to run the ratios move by some 15 %.",
        "peers", _ratios, "peers",
    ),
    Part(
        "Next to other libraries, on one GPU",
        "Device time, by each one's own clock; warpath's with predecessors. Gunrock takes float32 weights, gives "
        "distances alone, and runs by its default balance; the last of three runs of a source counts.",
        "gpu peers", _ratios,
    ),
    Part(
        "NetworkX's functions",
        "On a graph whose conversion is cached, and with the conversion in the call.",
        "networkx", _ratios,
    ),
    Part("Between two vertices", "Medians of 20 random pairs.", "two vertices", _ratios),
    Part(
        "Measures of whole graphs, on two cores",
        "In hops, but for forests and all pairs; the least of five runs each, interleaved. GAPBS's components are Afforest's, by its own "
        "clock.",
        "measures", _ratios,
    ),
    Part("All pairs, on two cores", "", "all pairs", _ratios),
    Part(
        "Searches on one H200, and what bounds them",
        "Time on the device. `gpu_bfs.py` and `gpu_sssp.py` measure distances alone where no "
        "predecessors are named, the others with predecessors. The floor is what the "
        "search cannot do without: memory traffic at 4.3 TB/s, barriers of 1.0 µs, dependent loads "
        "of 0.6 µs, as the last column counts them.",
        "gpu search", _floors,
    ),
    Part(
        "Searches on several H200",
        "Time on the device of a launch on each GPU, next to one of the same GPUs; "
        "[how they search](distributed.md#how-several-gpus-search). The floor shares out the bytes of one "
        "GPU, at 4.3 TB/s on each, what a copy reaches there. A level or iteration has two barriers of all GPUs, which "
        "it does not count. Rows of four GPUs and of 64 edges are of an earlier build: without a prefilter, and before edges were told in lists. "
        "GPUs idle between these searches; those that follow each other at once start more together, "
        "and take two GPUs 0.3 ms less ([both](distributed.md#how-several-gpus-search)). "
        "BFS rows are of before GPUs wrote each other's bitmaps: since then two take 2.57 ms for R-MAT 27, at once, 4.6 times the floor, and 0.285 for "
        "R-MAT 23, 8.1 times. R-MAT 29 with 8 edges, by degree, takes one GPU 9.25 ms and two 6.53, by the call, 2.1 and 2.9 "
        "times a floor of 4.5 and 2.2 (2026-11-30).",
        "several gpus", _compared,
    ),
    Part(
        "GAP's kernels on one H200",
        "[GAP's graphs and rules](gap.md); BC is of four sources, SSSP of 8, not 64. Next to them GAP's own code on 20 cores, as published. The floor moves what the last column "
        "counts at the measured bandwidth, as if no cache held "
        "anything: kron's hubs are in the cache, so a kernel may be below it. What is gathered at random is bound by requests "
        "before bytes: of R-MAT and random graphs, `aggregate` reads 40 · 10⁹ places a second that L2 does not hold. PR takes its sums "
        "by propagation blocking instead, which reads no memory at random. Its call makes the blocks of edges first. In kron 27's that takes "
        "73 ms, and an iteration's sums 15.8 ms; to move the bytes takes 20 and 14.3. TC's floor has the first sector of each list that is looked up. On kron "
        "lists are long, and each neighbour in them is a look-up in shared memory, which the floor does not count.",
        "gap", _compared,
    ),
    Part(
        "Operators and centralities on one H200",
        "Time of the call. `visit` is a breadth-first search and `relax` Bellman-Ford with a frontier, "
        "both [operators](guides/operators.md) of one line of Python; `aggregate` sums int64 shares. "
        "The product is CuPy's, in float32.",
        "operators", _compared,
    ),
    Part(
        "Roofline",
        "Time over the bytes that a search must move if it reads each edge once, above the line of a "
        "copy. A dot below the line looks at fewer edges (bottom-up) or finds its data in the cache; "
        "a dot far above waits for barriers, or reads edges again.",
        plot="roofline",
    ),
    Part(
        "Growth with size",
        "R-MAT graphs with 16 edges per vertex.",
        plot="growth",
    ),
    Part(
        "Balances on one H200",
        "Milliseconds of BFS, top-down, and of settings that are 1.5 times faster than their technique's "
        "default on some graph. The road network has small frontiers, which no balance expands "
        "but child grids. Equal kernels differ by up to 5 %. `node-splitting` and `hierarchical` had ten ranges, "
        "`bins=10`. The lines have SSSP and all settings as well, the "
        "load imbalance, and a textbook's kernels. What to conclude: [load_balancing.md](load_balancing.md).",
        "balances", _balances,
    ),
    Part(
        "One H200 next to 16 cores of its host",
        "The CPU's time over the GPU's, both by warpath.",
        "gpu and cpu", _ratios,
    ),
    Part(
        "1,024 searches at once",
        "Milliseconds of a search where 1,024 run at once, one in each block, and how many times longer "
        "one takes where they run one after the other.",
        "batches", _ratios,
    ),
    Part(
        "All pairs on H200",
        "Blocked Floyd-Warshall, weights ≥ 0. Integer instructions bound it: of two relaxations, two "
        "additions and a minimum of three.",
        "gpu all pairs", _relaxations,
    ),
    Part("Building graphs on one H200", "", "building", _rates),
    Part("Memory, reading, starting", "", "other", _values),
)  # fmt: skip
_ABOUT = """\
Medians of 20 sources of the largest component, everything warm, answers verified outside the clock; on
the CPU with predecessors. Each section ends with the commands, the machine and the date. The figures are the
lines of [{0}]({0}), from which `warpath bench page {1} -o docs/performance.md` writes this page.
"""


def page(found: Sequence[Measured], source: str, folder: str) -> str:
    """The page.

    Parameters
    ----------
    found : sequence of Measured
    source : str
        The file of the figures, as the page links to it.
    folder : str
        The plots, likewise.
    """
    parts = ["# Performance\n", _ABOUT.format(source, f"docs/{source}")]
    named: set[Measured] = set()
    for part in PARTS:
        own = [one for one in found if one.table == part.table]
        shown = own or performance_plots.shown(part.plot, found)
        if not shown:
            continue
        parts += [f"## {part.heading}\n", f"{part.about}\n" if part.about else ""]
        if part.plot:
            parts.append(f"![{part.heading}]({folder}/{part.plot}.svg)\n")
        if part.rows is not None:
            parts.append(_markdown(part.rows(own)))
        # What an earlier section shows as well has its command there.
        parts.append(_origins(one for one in shown if one not in named))
        named |= set(shown)
    return "\n".join(one for one in parts if one)


def write(found: Sequence[Measured], source: str, file: Path) -> None:
    """The page to ``file``, its plots into the folder of that name without its suffix.

    Raises
    ------
    OSError
        If a file cannot be written.
    """
    folder = file.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(file) as stream:
        stream.write(page(found, source, folder.name).encode())
    for name in performance_plots.PLOTS:
        if performance_plots.shown(name, found):
            performance_plots.save(name, found, folder / f"{name}.svg")


def _markdown(rows: Sequence[Row]) -> str:
    head, *others = map(tuple, rows)
    return Grid(head, (tuple(others),)).markdown()


def _origins(found: Iterable[Measured]) -> str:
    """A line for each command: where and when."""
    origins = dict.fromkeys((one.command, one.machine, one.date, one.note) for one in found)
    return "".join(
        f"- `{command}`: {machine}, {date}{f'; {note}' if note else ''}\n"
        for command, machine, date, note in origins
    )
