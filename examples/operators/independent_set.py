"""Which squares of a town get a kiosk, so that no two are neighbours and none can be added? Luby's algorithm."""

import numpy as np

import warpath as wp


@wp.operator
def bid(u, v, lot, best):
    wp.atomic_max(best, v, lot[u])


@wp.operator
def exclude(u, v, kiosk):
    wp.atomic_cas(kiosk, v, -1, 0)


town = wp.generate.grid(60, 60, keep=0.9, seed=2)
n = town.num_vertices
lot, kiosk = np.random.default_rng(1).permutation(n), np.full(n, -1, np.int32)
while (kiosk < 0).any():
    undecided, best = wp.Frontier(town, np.flatnonzero(kiosk < 0)), np.full(n, -1)
    wp.advance(town, undecided, bid, lot, best)
    winners = np.flatnonzero((kiosk < 0) & (lot > best))
    kiosk[winners] = 1
    wp.advance(town, wp.Frontier(town, winners), exclude, kiosk)
print("kiosks:", kiosk.sum())
