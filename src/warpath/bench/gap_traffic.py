"""What each of GAP's kernels must move through a GPU's memory: a reckoning, for the floors of figures."""

from typing import NamedTuple

_SECTOR = 32  # bytes that move for one number in a place of its own


class Traffic(NamedTuple):
    """Bytes that a kernel moves at least, if nothing that it gathers is in a cache.

    Attributes
    ----------
    of_vertex, of_arc : float
    says : str
        What they are.
    """

    of_vertex: float
    of_arc: float
    says: str

    def ms(self, vertices: int, arcs: int, bandwidth: float) -> float:
        """Milliseconds at ``bandwidth`` bytes a second."""
        return (vertices * self.of_vertex + arcs * self.of_arc) / bandwidth * 1e3


TRAFFIC = {
    "BFS": Traffic(
        8 + 4 + 4 + _SECTOR, 0, "a vertex: offset, distance, predecessor, a sector of columns"
    ),
    "SSSP": Traffic(
        8 + 2 * _SECTOR,
        4 + 4,
        "an arc once: column, weight; a vertex: a sector of distances, read, written",
    ),
    "CC": Traffic(
        8 + 4 + 4 * _SECTOR, 0, "a vertex: offset, label, sectors of two arcs and labels"
    ),
    "PR, one iteration": Traffic(
        2 * 4 + 3 * 8 + 2 * 8 + 8,
        2 * 2 + 2 * 4 + 4 / 8,
        "an arc: two numbers of 16 bits, a share written, read",
    ),
    "BC": Traffic(
        4 * 28, 2 * (4 + _SECTOR), "an arc twice: column, a sector with numbers of four sources"
    ),
    "TC": Traffic(
        3 * 8 + 8,
        4 + (4 + 4 + 3 * _SECTOR) / 2,
        "an arc: column; an edge: written, read, sectors of its end's degree, offset and first neighbours",
    ),
}
"""By kernel. Of TC's lists it has the first sector; how long they are depends on the graph."""
