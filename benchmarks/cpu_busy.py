"""What does a search lose while other processes run on the cores, and are two threads slower than one?

Distances in the 1000² grid by BFS and by SSSP, with one thread and with all. Idle and busy phases alternate;
the busy process of a core only counts, and is bound to that core. Printed are medians in
milliseconds, and medians over the rounds of busy / idle, and of busy / busy with one thread. A fair share of
a core is half of it, so a loss of 2 is the least possible for long searches where every core is busy; a search as
short as a scheduler's time slice (4 ms at 250 Hz) loses one more slice or one less.

    python benchmarks/cpu_busy.py [--busy 2] [--rounds 5] [--repeats 20]
    taskset --cpu-list 0,1 python benchmarks/cpu_busy.py --busy 1
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
def busy_cores(count: int) -> Iterator[None]:
    cores = sorted(os.sched_getaffinity(0))[:count]
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
    parser.add_argument("--busy", type=int, help="how many cores are busy; by default all")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=20)
    args = parser.parse_args()
    count = len(os.sched_getaffinity(0)) if args.busy is None else args.busy
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
            with busy_cores(count if busy else 0):
                for name, threads in cases:
                    wp.set_num_threads(threads)
                    calls[name]()  # warm-up
                    ms = milliseconds(calls[name], args.repeats)
                    taken.setdefault((name, threads, busy), []).append(ms)
    print("| search | threads | idle, ms | busy, ms | busy / idle | busy / one thread |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, threads in cases:
        idle, shared, one = (
            taken[key] for key in ((name, threads, False), (name, threads, True), (name, 1, True))
        )
        loss, against_one = (
            median(a / b for a, b in zip(shared, other, strict=True)) for other in (idle, one)
        )
        print(
            f"| {name} | {threads} | {median(idle):.1f} | {median(shared):.1f} | {loss:.2f} "
            f"| {against_one:.2f} |"
        )


if __name__ == "__main__":
    main()
