"""Files ``*_gpu.py`` need a GPU: where there is none, each is imported and skipped as a whole."""

import platform
import shutil
from pathlib import Path

import pytest

from warpath import devices


class WithoutGpu(pytest.Module):
    """A file whose thousands of tests are not made."""

    def collect(self):
        assert self.obj  # its imports hold
        pytest.skip(f"no GPU: {devices.missing()}", allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector):
    if module_path.name.endswith("_gpu.py") and devices.missing() is not None:
        return WithoutGpu.from_parent(parent, path=module_path)
    return None


@pytest.fixture(scope="session")
def compiler():
    found = shutil.which("g++")
    if found is None or (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        pytest.skip("needs g++ on x86-64 Linux, where structs are laid out as for CUDA")
    return found
