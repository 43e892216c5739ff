"""What a paper's table says of a graph (H-BF, table 1), and a little more."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpath.display import ReprMixin, Row, counted
from warpath.graph.components import connected_components

if TYPE_CHECKING:
    from warpath.graph.graph import Graph


@dataclass(frozen=True, repr=False)
class Statistics(ReprMixin):
    """A graph in numbers. Degrees are out-degrees; ``print`` shows a table.

    Attributes
    ----------
    directed : bool
    vertices, edges, arcs : int
        An undirected edge is two arcs, an undirected self-loop one.
    average_degree, degree_deviation : float
        Mean and (population) standard deviation of the degrees.
    degree_mode : int
        The degree that most vertices have; the smallest of several.
    max_degree : int
    self_loops : int
    parallel_arcs : int
        Arcs beyond the first from one vertex to another.
    isolated_vertices : int
        Vertices without any arc, in or out.
    components, largest_component : int
        Number of weakly connected components, and vertices of the largest.
    diameter_at_least : int or None
        A lower bound of the (finite) diameter in arcs; None where it was not computed.
    weight_dtype : str or None
    weight_range : tuple or None
        Smallest and largest weight.
    nbytes : dict
        Bytes of each representation: see `Graph.nbytes`.
    degree_histogram : tuple of (degree, vertices)
        Ascending; only degrees that occur.
    """

    directed: bool
    vertices: int
    edges: int
    arcs: int
    average_degree: float
    degree_deviation: float
    degree_mode: int
    max_degree: int
    self_loops: int
    parallel_arcs: int
    isolated_vertices: int
    components: int
    largest_component: int
    diameter_at_least: int | None
    weight_dtype: str | None
    weight_range: tuple[Any, Any] | None
    nbytes: dict[str, int]
    degree_histogram: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, graph: "Graph") -> "Statistics":
        """All but the diameter, in O(n + m)."""
        degree = graph.degree
        touched = degree > 0
        if graph.directed:
            touched[graph.column_indices] = True
        counts = np.bincount(degree, minlength=1)
        labels, components = connected_components(graph)
        return cls(
            directed=graph.directed,
            vertices=graph.num_vertices,
            edges=graph.num_edges,
            arcs=graph.num_arcs,
            average_degree=float(degree.mean()) if len(degree) else 0.0,
            degree_deviation=float(degree.std()) if len(degree) else 0.0,
            degree_mode=int(counts.argmax()),
            max_degree=int(degree.max(initial=0)),
            self_loops=graph.num_self_loops,
            parallel_arcs=_parallel_arcs(graph),
            isolated_vertices=int(np.count_nonzero(~touched)),
            components=components,
            largest_component=int(np.bincount(labels, minlength=1).max()),
            diameter_at_least=None,
            weight_dtype=None if graph.weights is None else str(graph.weights.dtype),
            weight_range=None if graph.weights is None else graph.weight_range,
            nbytes=graph.nbytes,
            degree_histogram=tuple((int(d), int(counts[d])) for d in np.flatnonzero(counts)),
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON."""
        plain = asdict(self)
        plain["degree_histogram"] = [list(pair) for pair in self.degree_histogram]
        if self.weight_range is not None:
            plain["weight_range"] = list(self.weight_range)
        return plain

    def _line(self) -> str:
        parts = (
            counted(self.vertices, "vertex", "vertices"),
            counted(self.edges, "edge"),
            "directed" if self.directed else "undirected",
            counted(self.components, "component"),
        )
        return ", ".join(parts)

    def _rows(self) -> list[Row]:
        return self.rows()

    def rows(self) -> list[tuple[str, str]]:
        """The table's rows, name and value, without the histogram."""
        rows = [
            ("kind", "directed" if self.directed else "undirected"),
            ("vertices", f"{self.vertices:,}"),
            ("edges", f"{self.edges:,}"),
            ("arcs", f"{self.arcs:,}"),
            ("average degree", f"{self.average_degree:.2f}"),
            ("standard deviation", f"{self.degree_deviation:.2f}"),
            ("degree mode", f"{self.degree_mode:,}"),
            ("maximum degree", f"{self.max_degree:,}"),
            ("self-loops", f"{self.self_loops:,}"),
            ("parallel arcs", f"{self.parallel_arcs:,}"),
            ("isolated vertices", f"{self.isolated_vertices:,}"),
            ("components", f"{self.components:,}"),
            ("largest component", f"{self.largest_component:,} vertices"),
        ]
        if self.diameter_at_least is not None:
            rows.append(("diameter", f"≥ {self.diameter_at_least:,}"))
        if self.weight_range is None:
            rows.append(("weights", "none"))
        else:
            low, high = self.weight_range
            rows.append(("weights", f"{self.weight_dtype}, {low:,} … {high:,}"))
        rows += [(f"bytes, {name}", f"{size:,}") for name, size in self.nbytes.items()]
        return rows

    def __str__(self) -> str:
        rows = self.rows()
        width = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{width}}  {value}" for name, value in rows)


def _parallel_arcs(graph: "Graph") -> int:
    """Arcs whose target is that of the arc before them in the same row."""
    indices: NDArray[np.int32] = graph.column_indices
    same = indices[1:] == indices[:-1]
    # Where a row begins, the arc before belongs to another one.
    begins = graph.row_offsets[1:-1]
    same[begins[(begins > 0) & (begins < len(indices))] - 1] = False
    return int(np.count_nonzero(same))
