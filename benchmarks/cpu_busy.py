"""What does a search lose while another process runs on each core?

Distances in the 1000² grid by BFS and by SSSP, with one thread and with all. Idle and busy phases alternate;
the busy process of a core only counts, and is bound to that core. Printed are medians in
milliseconds, and the median over the rounds of (busy / idle). A fair share of a core is half of
it, so a loss of 2 is the least possible for long searches; a search as short as a scheduler's time slice (4 ms
at 250 Hz) loses one more slice or one less.

    python benchmarks/cpu_busy.py [--rounds 5] [--repeats 20]
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

import warpath as wp

COUNT = "import os; os.sched_setaffinity(0, {%d})\nwhile True: pass"
SETTLE = 0.5  # seconds until the busy processes are


@contextmanager
def busy_cores(busy: bool) -> Iterator[None]:
    cores = os.sched_getaffinity(0) if busy else ()
    processes = [subprocess.Popen([sys.executable, "-c", COUNT % core]) for core in cores]
    time.sleep(SETTLE)
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def milliseconds(call: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - begin))
    return median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=20)
    args = parser.parse_args()
    graph = wp.generate.grid(1000, weights=(1, 100))
    middle = 500 * 1000 + 500
    calls: dict[str, Callable[[], object]] = {
        "BFS": lambda: wp.bfs(graph, middle, device="cpu"),
        "SSSP": lambda: wp.sssp(graph, middle, device="cpu"),
    }
    cases = [(name, threads) for name in calls for threads in (1, wp.num_threads())]
    taken: dict[tuple[str, int, bool], list[float]] = {}
    for _ in range(args.rounds):
        for busy in (False, True):
            with busy_cores(busy):
                for name, threads in cases:
                    wp.set_num_threads(threads)
                    calls[name]()  # warm-up
                    ms = milliseconds(calls[name], args.repeats)
                    taken.setdefault((name, threads, busy), []).append(ms)
    print(
        "| search | threads | idle, ms | busy, ms | busy / idle |\n| --- | --- | --- | --- | --- |"
    )
    for case in cases:
        alone, shared = taken[*case, False], taken[*case, True]
        loss = median(s / a for s, a in zip(shared, alone, strict=True))
        print(
            f"| {case[0]} | {case[1]} | {median(alone):.1f} | {median(shared):.1f} | {loss:.2f} |"
        )


if __name__ == "__main__":
    main()
