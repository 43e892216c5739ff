"""What a paper's table says of a graph."""

from collections.abc import Mapping
from dataclasses import dataclass, field


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
        """Arcs per vertex, by the two larger figures, which have more digits."""
        return self.edges / self.vertices
