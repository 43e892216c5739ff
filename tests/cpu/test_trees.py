import numpy as np

from warpath.cpu.trees import are_trees


def test_what_is_a_tree(threads):
    rows = [
        ([-1, 0, 1, 2], 0, True),
        ([-1, -1, -1, -1], 2, True),  # the root alone
        ([1, 2, -1, 0], 2, True),
        ([-1, 2, 1, 0], 0, False),  # a cycle apart from the root
        ([-1, 1, 0, 0], 0, False),  # a vertex before itself
        ([1, 0, -1, -1], 0, False),  # a cycle through the root
        ([-1, 2, -1, 0], 0, False),  # an end that is not the root
        ([-1, 0, 3, 2], 0, False),
    ]
    parents = np.array([row for row, _, _ in rows], np.int32)
    roots = np.array([root for _, root, _ in rows], np.int32)
    assert are_trees(roots, parents, threads).tolist() == [tree for _, _, tree in rows]


def test_every_row_is_looked_at_afresh(threads):
    path = np.arange(-1, 99, dtype=np.int32)
    around = path.copy()
    around[50] = 70
    parents = np.array([path, around, path, around, path])
    found = are_trees(np.zeros(5, np.int32), parents, threads)
    assert found.tolist() == [True, False, True, False, True]
