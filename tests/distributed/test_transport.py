"""Exchange, agreement, and errors that reach all ranks."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import warpath as wp
from thread_ranks import answers_on, on_ranks
from warpath.distributed import context
from warpath.distributed.context import current, using
from warpath.distributed.threads import joined


def test_each_block_goes_to_its_rank():
    def exchanged():
        here = current()
        blocks = [np.full(10 * here.rank + q, 100 * here.rank + q) for q in range(here.size)]
        return here.exchange(blocks)

    for q, received in enumerate(answers_on(3, exchanged)):
        for rank, block in enumerate(received):
            assert block.tolist() == [100 * rank + q] * (10 * rank + q)


def test_sums_minima_and_maxima_are_the_same_on_all_ranks():
    def reduced():
        here = current()
        values = np.array([here.rank, 5 - here.rank])
        return [here.reduce(values, how).tolist() for how in ("sum", "min", "max")]

    assert answers_on(3, reduced) == [[[3, 12], [0, 3], [2, 5]]] * 3


@pytest.mark.parametrize("count", [1, 64, 65, 1000])
def test_many_numbers_are_reduced_as_few_are(count):
    rows = np.random.default_rng(count).integers(0, 99, (3, count))

    def reduced():
        return [current().reduce(rows[current().rank], how) for how in ("sum", "min", "max")]

    for total, least, most in answers_on(3, reduced):
        np.testing.assert_array_equal(total, rows.sum(0))
        np.testing.assert_array_equal(least, rows.min(0))
        np.testing.assert_array_equal(most, rows.max(0))


def in_threads(threads, function):
    with ThreadPoolExecutor(threads) as pool:
        return [one.result() for one in [pool.submit(function) for _ in range(threads)]]


def test_all_threads_of_a_process_are_the_rank_that_init_has_joined(monkeypatch):
    monkeypatch.setattr(context, "_of_process", None)
    here, _ = joined(2)
    assert in_threads(1, wp.distributed.size) == [1]
    context.use(here)
    assert in_threads(1, wp.distributed.size) == [2]
    assert wp.distributed.size() == 2
    with using(joined(3)[1]):
        assert wp.distributed.rank() == 1
        assert in_threads(1, wp.distributed.size) == [2]


def test_ranks_are_joined_before_graphs_are_made(monkeypatch):
    monkeypatch.setattr(context, "_of_process", None)
    graph = wp.generate.rmat(5, distributed=True)
    (again,), (_, one) = joined(1), joined(2)
    context.use(again)  # still alone
    assert wp.distributed.size() == 1
    monkeypatch.setattr(context, "_of_process", graph.transport)
    with pytest.raises(
        RuntimeError, match=r"distributed graphs before it was rank 1 of 2, .* call .*init first"
    ):
        context.use(one)
    assert wp.distributed.size() == 1


def test_threads_of_a_rank_make_their_calls_one_after_the_other():
    here, has_begun, ends = current(), threading.Event(), []

    def first():
        with here.together("first"):
            has_begun.set()
            time.sleep(0.1)
            ends.append("first")

    def second():
        has_begun.wait()
        with here.together("second"):
            ends.append("second")

    with ThreadPoolExecutor(2) as pool:
        for one in (pool.submit(second), pool.submit(first)):
            one.result()
    assert ends == ["first", "second"]


class _UnpicklableError(Exception):
    def __init__(self, one, two):
        super().__init__(one + two)


@pytest.mark.parametrize("exchanges", [0, 1, 3])
@pytest.mark.parametrize(
    ("error", "raised"),
    [(OSError("disk"), OSError), (_UnpicklableError("a", "b"), wp.RankFailedError)],
)
def test_the_error_of_one_rank_is_raised_by_all(exchanges, error, raised):
    def fails():
        here = current()
        try:
            with here.together("work"):
                if here.rank == 1:
                    for _ in range(exchanges):
                        here.gather(np.zeros(3))
                    raise error
                for _ in range(3):
                    here.gather(np.zeros(3))
        except Exception as caught:
            # The ranks are in step again.
            with here.together("other work"):
                return caught, int(here.reduce(1)[0])

    outcomes = answers_on(3, fails)
    assert [count for _, count in outcomes] == [3, 3, 3]
    assert outcomes[1][0] is error
    for rank in (0, 2):
        assert type(outcomes[rank][0]) is raised
        assert outcomes[rank][0].__notes__ == ["raised by rank 1 of 3"]


def test_a_rank_that_cannot_receive_stays_in_step():
    def fails():
        here = current()
        with here.together("work"):
            here.swap([np.zeros(1)] * here.size, receive)
            here.gather(np.zeros(1))

    def receive(blocks):
        if current().rank == 1:
            raise MemoryError("of rank 1")
        return blocks

    assert [str(error) for error in on_ranks(3, fails)] == ["of rank 1"] * 3


def test_the_first_of_several_errors_is_raised_by_all():
    def fails():
        here = current()
        with here.together("work"):
            if here.rank:
                raise ValueError(f"of rank {here.rank}")
            here.gather(np.zeros(1))

    assert [str(error) for error in on_ranks(3, fails)] == ["of rank 1"] * 3


def test_ranks_that_make_different_calls_disagree():
    def calls():
        here = current()
        with here.together("bfs", source=min(here.rank, 1)):
            pass

    for error in on_ranks(3, calls):
        assert isinstance(error, wp.RanksDisagreeError)
        said = "rank 0 calls bfs(source=0), rank 1 bfs(source=1): all ranks make the same calls"
        assert str(error).startswith(said)


def test_ranks_at_different_steps_of_a_call_disagree():
    def calls():
        here = current()
        with here.together("work"):
            if here.rank == 0:
                here.gather(np.zeros(1))

    for error in on_ranks(3, calls):
        assert isinstance(error, wp.RanksDisagreeError)


def test_a_rank_that_has_ended_fails_the_others():
    def calls():
        here = current()
        if here.rank == 2:
            raise KeyError("mine")
        for _ in range(2):
            with pytest.raises(wp.RankFailedError, match="rank 2 has ended"), here.together("work"):
                pass

    outcomes = on_ranks(3, calls)
    assert outcomes[:2] == [None, None]
    assert isinstance(outcomes[2], KeyError)


def test_a_call_inside_a_call_is_part_of_it():
    def calls():
        with current().together("outer"), current().together("inner", rank=current().rank):
            return int(current().reduce(1)[0])

    assert answers_on(2, calls) == [2, 2]
