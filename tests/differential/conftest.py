"""Random differentials: each case is drawn from a seed, until the time is up.

``WARPATH_SEED`` is the seed (0 by default; CI takes the date), ``WARPATH_SECONDS`` how long the tests
of a file go on together (1 by default). A failure's note names the case, which ``WARPATH_CASE``
repeats alone.
"""

import os
import time
from collections.abc import Callable
from itertools import count

import numpy as np
import pytest

SEED = int(os.environ.get("WARPATH_SEED", "0"))
SECONDS = float(os.environ.get("WARPATH_SECONDS", "1"))


def pytest_report_header() -> str:
    return f"differential: WARPATH_SEED={SEED} WARPATH_SECONDS={SECONDS:g}"


@pytest.fixture
def each_case(request, capsys):
    """``each_case(check)`` calls ``check(generator)`` for case after case of the seed."""

    def run(check: Callable[[np.random.Generator], None]) -> None:
        tests = sum(item.path == request.node.path for item in request.session.items)
        end = time.monotonic() + SECONDS / tests
        alone = os.environ.get("WARPATH_CASE")
        for case in count() if alone is None else [int(alone)]:
            try:
                check(np.random.default_rng([SEED, case]))
            except BaseException as error:
                where = f"WARPATH_SEED={SEED} WARPATH_CASE={case} pytest {request.node.nodeid}"
                error.add_note(f"to repeat this case: {where}")
                raise
            if time.monotonic() > end:
                break
        with capsys.disabled():
            print(f"\n{request.node.name}: {case + 1} cases of seed {SEED}", end="")

    return run
