"""Calls of operators that use an index out of range, in each primitive."""

import numpy as np

import warpath as wp


@wp.operator
def beyond(u, v, x):
    return x[v + 20] > 0


@wp.operator
def in_front(u, v, x):
    return x[v - 20] > 0


@wp.operator
def carried(u, v, x):
    return x[v + 20]


@wp.operator
def claim(u, v, x):
    return wp.atomic_cas(x, v + 20, 0, 1)


@wp.operator
def store(v, x):
    x[v + 20] = 1


@wp.operator
def far(v, x):
    return x[np.int64(v) + 4294967296]


GRAPH = wp.generate.grid(3, 3)
LENGTH = 9  # of x, an int64 array
CALLS = {
    "advance": lambda x: wp.advance(GRAPH, wp.Frontier(GRAPH), beyond, x),
    "advance, bottom-up": lambda x: wp.advance(
        GRAPH, wp.Frontier(GRAPH), beyond, x, schedule="direction=bottom-up"
    ),
    "advance, atomic": lambda x: wp.advance(GRAPH, wp.Frontier(GRAPH), claim, x),
    "traverse": lambda x: wp.traverse(GRAPH, 0, in_front, x),
    "aggregate": lambda x: wp.aggregate(GRAPH, carried, x),
    "compute": lambda x: wp.compute(GRAPH, store, x),
    "filter": lambda x: wp.filter(GRAPH, far, x),
    "reduce": lambda x: wp.reduce(GRAPH, far, x),
}
MESSAGE = r"out_of_range.py:\d+: \w+: index -?\d+ is out of range: x has 9 elements"
