"""What is the cheapest route where entering another district costs a toll?"""

import numpy as np

import warpath as wp

TOLL = 500


@wp.operator
def drive(u, v, w, cost, district):
    toll = TOLL if district[u] != district[v] else 0
    return wp.atomic_min(cost, v, cost[u] + w + toll)


roads = wp.generate.grid(40, 40, weights=(10, 99), seed=1)
district = np.arange(1600) // 10 % 4
cost = np.full(1600, np.iinfo(np.int64).max)
cost[0] = 0
wp.traverse(roads, 0, drive, cost, district)
print("to the opposite corner:", cost[-1])
