"""What is the fastest route where steep streets cost extra, and the steepest cannot be taken?"""

import warpath as wp

STEEP, TOO_STEEP, EXTRA = 60, 95, 25


def extend(time, street):
    if street > TOO_STEEP:
        return float("inf")
    return time + street + EXTRA if street > STEEP else time + street


rule = wp.Algebra(extend)
roads = wp.generate.grid(40, 40, weights=(10, 99), seed=1)
paths = wp.sssp(roads, 0, algebra=rule)
paths.verify()
print("to the opposite corner:", paths.distance[-1])
