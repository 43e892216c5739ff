"""What a suite is: graphs × configurations, the paper's figures, and what the paper claims."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from warpath.typing import BuildDeviceName

if TYPE_CHECKING:
    from warpath.graph.graph import Graph

Build = Callable[[float, int, BuildDeviceName], "Graph"]
Weights = Literal["positive", "negative"] | None


@dataclass(frozen=True)
class Case:
    """A graph of a suite.

    Attributes
    ----------
    name : str
        As the paper names it; if there is no ``build``, one of `warpath.bench.paper_graphs`.
    weights : {"positive", "negative"} or None
        Added as `warpath.bench.paper_weights` says.
    build : callable, optional
        ``build(scale, seed, device)``: a graph of ``scale`` times the vertices, from a generator,
        made on a device if it can; the same graph on each.
    recipe : str
        What ``build`` does, in a sentence.
    x : float, optional
        Where it stands on the axis of a figure over graphs.
    gpu_bytes : float
        The memory of a GPU that builds it, at scale 1; without such a GPU the graph is left out. 0: any device
        builds it.
    """

    name: str
    weights: Weights = None
    build: Build | None = None
    recipe: str = ""
    x: float | None = None
    gpu_bytes: float = 0.0


@dataclass(frozen=True)
class Configuration:
    """One way to compute: a column of the paper's table, a dot of its figure.

    Attributes
    ----------
    label : str
    algorithm : str
        One of `warpath.bench.tasks.TASKS`.
    device : {"cpu", "cuda"}
    options : mapping
        Keyword arguments of the algorithm.
    by : str
        "warpath", or the name of a peer.
    threads : int, optional
        The CPU's; all by default.
    slow : bool
        It may take many times the limit: run it where it can be stopped
        (`warpath.bench.search_apart`).
    series : str
        The line of a figure that it belongs to; by default its label.
    x : float, optional
        Where it stands on the axis of a figure over configurations.
    differs : str
        What the paper's own does otherwise; the table says it.
    """

    label: str
    algorithm: str
    device: BuildDeviceName
    options: Mapping[str, Any] = field(default_factory=dict)
    by: str = "warpath"
    threads: int | None = None
    slow: bool = False
    series: str = ""
    x: float | None = None
    differs: str = ""


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, and whether the trials agree.

    Attributes
    ----------
    text : str
    holds : callable
        Takes a `warpath.bench.summary.Summary`: True, False, or None if it was not measured.
    """

    text: str
    holds: Callable[[Any], bool | None]  # a Summary has a suite


@dataclass(frozen=True)
class Suite:
    """A table or a figure of a paper.

    Attributes
    ----------
    title : str
        Paper, and number of the table or figure.
    cases, configurations : tuple
        Each configuration is measured on each graph.
    baseline : str
        The label that others are compared with.
    published : mapping of (graph, label) to seconds
        What the paper prints.
    quoted : mapping of a name to a mapping of (graph, label) to seconds
        Published elsewhere: a column of the table for each name.
    claims : tuple of Claim
    columns : tuple of str
        The columns of a table of counts: names of ``extra`` of a trial. Without, it is a table of times.
    plot : {"dots", "lines", "degrees"}
        Speed-ups over the baseline (without one times, or the counts), times over a size or a
        knob, numbers of vertices over their degrees.
    drawn : tuple of str
        Those of ``columns`` that dots show; by default all.
    x_label : str
        What stands on the axis of lines.
    theirs, ours : str
        The configuration of the paper, and ours where it differs, in a few words.
    trials_of : str
        Another suite, whose trials this one shows in another form.
    sources : int
        Vertices that searches start from by default; 0: as many as in any suite.
    about : str
        What the paper measured and what differs here; a suite's function says it in its docstring.
    """

    title: str
    cases: tuple[Case, ...]
    configurations: tuple[Configuration, ...]
    baseline: str = ""
    published: Mapping[tuple[str, str], float] = field(default_factory=dict)
    quoted: Mapping[str, Mapping[tuple[str, str], float]] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    columns: tuple[str, ...] = ()
    plot: Literal["dots", "lines", "degrees"] = "dots"
    drawn: tuple[str, ...] = ()
    x_label: str = ""
    theirs: str = ""
    ours: str = ""
    trials_of: str = ""
    sources: int = 0
    about: str = ""
