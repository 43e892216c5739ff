"""Small graphs of all kinds, for kernels that run in the emulator."""

import numpy as np

NAMES = (
    "one vertex", "self-loops", "path", "star", "hub", "parallel edges", "components",
    "random", "random, directed",
)  # fmt: skip


def ring(k, first=0):
    return [(first + i, first + (i + 1) % k) for i in range(k)]


def random_edges(rng, n, m):
    return [tuple(edge) for edge in rng.integers(0, n, (m, 2)).tolist()]


def multigraph(name, path, star, hub, beside_hub):
    """(source, target, number of vertices, whether directed) of one of `NAMES`.

    `path`, `star` and `hub` are how many vertices the path has, and the star's centre and the
    hub have as neighbours; `beside_hub` is the number of other edges there.
    """
    rng = np.random.default_rng(len(name))
    edges, n, directed = {
        "one vertex": ([], 1, False),
        "self-loops": ([(0, 0), (0, 0), (0, 1), (1, 1)], 3, False),
        "path": ([(i, i + 1) for i in range(path - 1)], path, False),
        "star": ([(0, i) for i in range(1, star)], star + 10, False),
        "hub": (
            [(0, i) for i in range(1, hub + 1)] + random_edges(rng, hub + 1, beside_hub),
            hub + 40, False,
        ),
        "parallel edges": (random_edges(rng, 12, 400), 14, True),
        "components": (ring(40) + ring(33, 40) + random_edges(rng, 30, 60), 130, False),
        "random": (random_edges(rng, 300, 1200), 333, False),
        "random, directed": (random_edges(rng, 300, 900), 333, True),
    }[name]  # fmt: skip
    source, target = np.array(edges, int).reshape(-1, 2).T
    return source, target, n, directed
