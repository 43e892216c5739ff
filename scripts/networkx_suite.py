#!/usr/bin/env python3
"""Run NetworkX's own tests with warpath as the backend.

    scripts/networkx_suite.py                          # the installed NetworkX, what warpath has
    scripts/networkx_suite.py --versions 3.4 3.5 3.6   # each of these, installed in addition
    scripts/networkx_suite.py --all                    # all of NetworkX's tests

Each run is NetworkX's own recipe, in an empty folder, with `networkx_suite_plugin` to count the
calls of each function and to look for NumPy's scalars in what comes back. It fails if a test fails,
a function was not called, or a scalar was NumPy's.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = (
    "shortest_paths",
    "traversal",
    "centrality",
    "components",
    "link_analysis",
    "tree.tests.test_mst",
    "tests.test_cluster",
    "tests.test_core",
    "tests.test_dag",
    "tests.test_distance_measures",
    "tests.test_efficiency",
    "tests.test_mis",
    "tests.test_voronoi",
    "tests.test_wiener",
)


def installed(version: str, folder: Path) -> Path:
    """A folder with a NetworkX version alone; the rest is this interpreter's."""
    place = folder / version
    if not (place / "networkx").is_dir():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
        subprocess.run([*pip, str(place), f"networkx=={version}.*"], check=True)
    return place


def run(version: Path | None, tests: list[str], options: list[str]) -> int:
    """NetworkX's tests; the exit status of pytest."""
    path = [str(HERE), *([str(version)] if version else []), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {
        "NETWORKX_TEST_BACKEND": "warpath",
        "NETWORKX_FALLBACK_TO_NX": "True",
        "PYTHONPATH": os.pathsep.join(filter(None, path)),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "networkx_suite_plugin"]
    command += ["-p", "no:cacheprovider", *options, "--pyargs", *tests]
    with tempfile.TemporaryDirectory() as empty:
        return subprocess.run(command, cwd=empty, env=environment).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--versions", nargs="+", default=[""], help="3.4, 3.5, 3.6; default: the installed one"
    )
    parser.add_argument("--folder", type=Path, help="where to keep other versions")
    parser.add_argument(
        "--all", action="store_true", help="all tests, not only of what warpath has"
    )
    parser.add_argument("options", nargs="*", help="pytest's, after --")
    arguments = parser.parse_args()
    tests = ["networkx"] if arguments.all else [f"networkx.algorithms.{name}" for name in PACKAGES]
    status = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        for version in arguments.versions:
            print(f"NetworkX {version or '(installed)'}", flush=True)
            status |= run(installed(version, folder) if version else None, tests, arguments.options)
    return status


if __name__ == "__main__":
    sys.exit(main())
