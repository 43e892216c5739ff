"""Ranks that are threads of the test's process."""

from concurrent.futures import ThreadPoolExecutor

from warpath.distributed.context import using
from warpath.distributed.threads import joined


def on_ranks(ranks, function):
    """What ``function()`` returns on each rank, or the exception that it raises there."""

    def one(transport):
        with using(transport):
            try:
                return function()
            except Exception as error:
                return error
            finally:
                transport.leave()

    with ThreadPoolExecutor(ranks) as pool:
        return list(pool.map(one, joined(ranks)))


def answers_on(ranks, function):
    """What ``function()`` returns on each rank."""
    outcomes = on_ranks(ranks, function)
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
    return outcomes
