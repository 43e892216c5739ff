"""How much of a forest burns? Fire jumps to a neighbouring tree with probability p."""

import numpy as np

import warpath as wp


@wp.operator
def burn(u, v, state, seed, limit):
    # A number of the pair of trees that looks random (Knuth's multiplicative hashing).
    luck = ((u * 1640531527 ^ v * 1013904223) + seed) * 1103515245 >> 8 & 0xFFFF
    return luck < limit and wp.atomic_cas(state, v, 0, 1)


forest = wp.generate.grid(300, 300)
for p in (0.4, 0.5, 0.6):
    state = np.zeros(forest.num_vertices, np.int32)
    state[45_150] = 1
    steps = wp.traverse(forest, 45_150, burn, state, 12345, int(p * 2**16))
    print(f"p = {p}: {state.mean():.0%} burnt in {steps} steps")
