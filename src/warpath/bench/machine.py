"""Where a trial ran, and by which code."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import warpath
from warpath import devices

_PACKAGES = (
    "numpy",
    "scipy",
    "numba",
    "cupy-cuda13x",
    "cupy-cuda12x",
    "cuda-core",
    "cuda-bindings",
)


@cache
def cpu_model() -> str:
    """What the processor calls itself."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():  # Linux
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def facts() -> dict[str, Any]:
    """``machine`` of a trial."""
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count() or 1,
        "threads": warpath.num_threads(),
        "gpu": None if devices.missing() else devices.require().model,
        "system": platform.platform(),
    }


@cache
def versions() -> dict[str, str]:
    """``versions`` of a trial: warpath's, Python's, and of packages that are installed."""
    found = {"warpath": warpath.__version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    if devices.missing() is None:
        import cupy

        found["cuda driver"] = str(cupy.cuda.runtime.driverGetVersion())
        found["cuda runtime"] = str(cupy.cuda.runtime.runtimeGetVersion())
    return found


@cache
def commit() -> str | None:
    """The commit of warpath's checkout, "+" after it if files differ; None for an installed one."""
    here = Path(warpath.__file__).parent

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(here), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    try:
        tracked = git("ls-files", "--error-unmatch", "__init__.py")
        return git("rev-parse", "HEAD").strip() + "+" * bool(
            tracked and git("status", "--porcelain", "--untracked-files=no", ".")
        )
    except (OSError, subprocess.CalledProcessError):
        return None


def now() -> str:
    """``when`` of a trial."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
