"""The papers whose tables and figures suites repeat: the page that each has."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A page of the report.

    Attributes
    ----------
    title : str
    about : str
        The paper, its machine, and what kind of comparison is possible.
    """

    title: str
    about: str


PAPERS = {
    "survey": Paper(
        "Survey: graph algorithms on GPUs",
        "F. Busato, N. Bombieri: Graph algorithms on GPUs, chapter of Advances in GPU Research and "
        "Practice, 2017. Its figures are pictures; the claims are what its text says of them.",
    ),
    "hbf": Paper(
        "H-BF: Bellman-Ford on Kepler GPUs",
        "F. Busato, N. Bombieri: An efficient implementation of the Bellman-Ford algorithm for "
        "Kepler GPU architectures, IEEE TPDS 27(8), 2016. GTX 780, one core of a Phenom II, means of 100 "
        "sources. The paper does not give its weights; here they are 1 … 255.",
    ),
    "hong": Paper(
        "Hong et al.: virtual warps",
        "S. Hong, S. K. Kim, T. Oguntebi, K. Olukotun: Accelerating CUDA graph algorithms at maximum "
        "warp, PPoPP 2011. GTX 260; one thread of a Xeon E5345, which runs the same algorithm, is the "
        "baseline. Our virtual warps stage chunks in registers, as many vertices as they have lanes; the paper's in shared "
        "memory. Our outliers are visited in one pass after a barrier, each warp an equal share; the paper's by a kernel each.",
    ),
    "mishra": Paper(
        "Mishra et al.: strategies for skewed degrees",
        "Dynamic load balancing strategies for graph applications on GPUs. Tesla K20c, LonestarGPU's "
        "work-list algorithms. BS is `thread-mapped`, EP `edge-parallel`, WD "
        "`workload-decomposition:share=contiguous`, NS `node-splitting:bins=10`, HP `hierarchical:bins=10`. "
        "Our EP lists edges when a level begins; in the paper the thread that improves a vertex pushes them. Our HP's short "
        "lists go to interleaved WD, the paper's to its own WD.",
    ),
    "load-balanced": Paper(
        "Zhu et al.: BFS by merge path",
        "Load-balanced breadth-first search on GPUs, WAIM 2014. GTX 580, 100 sources.",
    ),
    "balance": Paper(
        "Balances: the papers' forms and ours",
        "Techniques whose form in the paper is a knob, measured next to our own form. What the forms are: "
        "[load balancing](../load_balancing.md#the-papers-form-and-ours).",
    ),
    "auto": Paper(
        "Knobs from a graph's degrees",
        "What the papers leave to the user, or to a rule that they ask for, here chosen from the degrees "
        "(`warpath.planning.knobs`, `warpath.balance.degree_threshold`), next to every other value.",
    ),
}
"""By the first part of their suites' names."""


def paper_of(suite: str) -> str | None:
    """The key of a suite's paper; None: it repeats none."""
    return next((key for key in PAPERS if suite.startswith(f"{key}-")), None)
