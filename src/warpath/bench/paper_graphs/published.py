"""What a paper's table says of a graph."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from warpath.graph.graph import Graph

# How far from the table's figures a graph of full size may be: of the figure, and, because
# figures are printed with one digit after the point, half of that digit. The largest degree of
# what is drawn is a matter of luck.
TOLERANCES = {"vertices": 0.02, "edges": 0.03, "degree": 0.03, "deviation": 0.1, "largest": 0.15}
_DIGIT = 0.05


@dataclass(frozen=True)
class Published:
    """A row of a paper's table; None where it does not print a figure.

    Attributes
    ----------
    vertices, edges : float
        As printed: mostly rounded. Edges are arcs: an undirected edge counts twice, as in all
        five papers.
    degree, deviation : float or None
        Mean and standard deviation of the (out-)degrees.
    largest : int or None
        The largest degree.
    diameter : int or None
    directed : bool
    family : str
        road, mesh, triangulation, circuit, social, web, citation, internet, rmat, kron, random.
    where : str
        The paper and its table, or where else the figures come from.
    doubts : dict of str to str
        Figures that cannot be right as they are printed, by attribute, and why. No stand-in is
        held to them.
    """

    vertices: float
    edges: float
    degree: float | None
    deviation: float | None
    largest: int | None
    diameter: int | None
    directed: bool
    family: str
    where: str
    doubts: Mapping[str, str] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """Arcs a vertex, by the two larger figures, which have more digits."""
        return self.edges / self.vertices

    def misses(self, graph: "Graph") -> dict[str, tuple[float, float]]:
        """Figures that a graph of full size misses by more than `TOLERANCES` allow.

        Returns
        -------
        dict
            By attribute: (found, printed). Figures that are not printed, or doubted, are not
            compared.
        """
        degree = graph.degree
        found = {
            "vertices": graph.num_vertices,
            "edges": graph.num_arcs,
            "degree": float(degree.mean()),
            "deviation": float(degree.std()),
            "largest": int(degree.max()),
        }
        missed = {}
        for name, allowed in TOLERANCES.items():
            printed = getattr(self, name)
            if printed is None or name in self.doubts:
                continue
            if abs(found[name] - printed) > allowed * printed + _DIGIT:
                missed[name] = (found[name], printed)
        return missed
