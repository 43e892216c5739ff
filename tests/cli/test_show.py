import time

from warpath import kernel_cache
from warpath.cli.show import Stopwatch


def test_a_stopwatch_counts_compiling_apart() -> None:
    with Stopwatch() as watch:
        with kernel_cache.compiling():
            time.sleep(0.1)
        time.sleep(0.02)
    assert watch.elapsed >= 0.12
    assert 0.02 <= watch.seconds <= watch.elapsed - 0.1
