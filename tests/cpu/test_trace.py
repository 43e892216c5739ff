import numpy as np

from warpath.cpu.trace import BOTTOM_UP, TOP_DOWN, new_trace, record
from warpath.planning.memory import MAX_TRACE_ROWS


def test_a_row_for_each_iteration_and_one_more():
    assert new_trace(0).tolist() == [[0, 0, 0]]
    assert new_trace(4).shape == (5, 3)
    assert new_trace(4).dtype == np.int64


def test_record():
    trace = new_trace(3)
    record(trace, 0, 1, 5, TOP_DOWN)
    record(trace, 1, 4, 9, BOTTOM_UP)
    assert trace.tolist() == [[1, 5, TOP_DOWN], [4, 9, BOTTOM_UP], [0, 0, 0], [0, 0, 0]]


def test_the_last_row_takes_the_rest():
    trace = new_trace(10**9)
    assert len(trace) == MAX_TRACE_ROWS
    for iteration in range(MAX_TRACE_ROWS + 3):
        record(trace, iteration, 1, 2, TOP_DOWN)
    assert (trace[:-1, 0] == 1).all()
    assert trace[-1].tolist() == [4, 8, TOP_DOWN]
