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
lot, kiosk = np.random.default_rng(1).permutation(3600), np.full(3600, -1)
while (kiosk < 0).any():
    undecided, best = wp.Frontier(town, np.flatnonzero(kiosk < 0)), np.full(3600, -1)
    wp.advance(town, undecided, bid, lot, best)
    kiosk[(kiosk < 0) & (lot > best)] = 1
    wp.advance(town, wp.Frontier(town, np.flatnonzero(kiosk > 0)), exclude, kiosk)
print("kiosks:", kiosk.sum())
