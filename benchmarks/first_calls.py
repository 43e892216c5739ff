"""How long first calls take, where no kernel is compiled yet: README's lines, and one search.

    python benchmarks/first_calls.py [SRC ...] [--rounds 3]

Each SRC is a build's folder ``src``, by default this one's; its README is beside it. Every run is a new process
with an empty cache; builds take turns. Printed are medians in seconds: of wall time, and of CPU time.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

SEARCH = "import warpath as wp\nwp.bfs(wp.generate.grid(300, keep=0.9), 0)\n"


def readme_lines(src: Path) -> str:
    """The first block of Python in the README of a build."""
    text = (src.parent / "README.md").read_text(encoding="utf-8")
    block = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    if block is None:
        raise ValueError(f"{src.parent / 'README.md'} has no block of Python")
    return block.group(1)


def seconds(src: Path, code: str) -> tuple[float, float]:
    """Wall time and CPU time of some code in a new process."""
    with tempfile.TemporaryDirectory() as cache:
        variables = os.environ | {"PYTHONPATH": str(src), "NUMBA_CACHE_DIR": cache}
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run([sys.executable, "-c", code], env=variables, check=True, capture_output=True)
        wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here = Path(__file__).resolve().parents[1] / "src"
    parser.add_argument("builds", metavar="SRC", nargs="*", type=Path, default=[here])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    builds = [build.resolve() for build in options.builds]
    for name, code_of in (("README's lines", readme_lines), ("wp.bfs", lambda _: SEARCH)):
        rounds = [
            [seconds(build, code_of(build)) for build in builds] for _ in range(options.rounds)
        ]
        for build, figures in zip(builds, zip(*rounds, strict=True), strict=True):
            wall, cpu = (median(column) for column in zip(*figures, strict=True))
            print(f"{name:15} {wall:6.2f} s, CPU {cpu:6.2f} s  {build}")


if __name__ == "__main__":
    main()
