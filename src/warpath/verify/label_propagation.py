"""Are these the communities of label propagation?"""

from typing import Any

import numpy as np

from warpath.errors import VerificationError
from warpath.graph.graph import Graph
from warpath.verify.simple import as_vertex_values, neighbours


def label_propagation(graph: Graph, labels: Any) -> None:
    """Check that no vertex has a label that fewer of its neighbours have than another label.

    Parameters
    ----------
    graph : Graph
        Directions, parallel edges and self-loops do not count.
    labels : integer array, shape (n,)
        The smallest vertex of each vertex's community.

    Raises
    ------
    VerificationError
        ``broken`` is ``frequent`` if more neighbours of a vertex have another label, ``smallest`` if a community is
        not called by its smallest vertex.
    ValueError
        An array of another shape or dtype.

    See Also
    --------
    warpath.label_propagation : Finds them.

    Notes
    -----
    O(n log n + m log m).

    Examples
    --------
    >>> import numpy as np, warpath as wp
    >>> wp.verify.label_propagation(wp.generate.grid(1, 4), np.array([0, 0, 2, 2]))
    """
    label = as_vertex_values(labels, graph, "labels", "integers").astype(np.int64)
    n = graph.num_vertices
    names, first = np.unique(label, return_index=True)
    for v in first[names != first][:1]:
        raise VerificationError(
            "smallest",
            f"labels[{v}] is {label[v]}, and vertex number {v} is the smallest with that label",
        )
    source, target = neighbours(graph)
    votes, counts = np.unique(source * max(n, 1) + label[target], return_counts=True)
    voter, choice = votes // max(n, 1), votes % max(n, 1)
    most, own = np.zeros(n, np.int64), np.zeros(n, np.int64)
    np.maximum.at(most, voter, counts)
    mine = choice == label[voter]
    own[voter[mine]] = counts[mine]
    for v in np.flatnonzero(own < most)[:1]:
        raise VerificationError(
            "frequent",
            f"{own[v]} neighbours of vertex number {v} have its label {label[v]}, and {most[v]} another",
        )
