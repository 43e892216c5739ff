"""What the figures of a paper's table allow, and what a graph of full size misses of them."""

import warpath as wp
from warpath.bench.paper_graphs import Published

# How far from the table's figures a graph of full size may be: of the figure, and, because
# figures are printed with one digit after the point, half of that digit. The largest degree of
# what is drawn is a matter of luck.
TOLERANCES = {"vertices": 0.02, "edges": 0.03, "degree": 0.03, "deviation": 0.1, "largest": 0.15}
_DIGIT = 0.05


def misses(table: Published, graph: wp.Graph) -> dict[str, tuple[float, float]]:
    """By attribute (found, printed) where they differ by more than `TOLERANCES`; none that is doubted."""
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
        printed = getattr(table, name)
        if printed is None or name in table.doubts:
            continue
        if abs(found[name] - printed) > allowed * printed + _DIGIT:
            missed[name] = (found[name], printed)
    return missed


def most_deviation(mean: float, largest: float) -> float:
    """The largest deviation that numbers in 0 … largest with that mean can have.

    All are 0 or ``largest`` then (Bhatia, Davis: A better bound on the variance, 2000).
    """
    return float((mean * (largest - mean)) ** 0.5)
