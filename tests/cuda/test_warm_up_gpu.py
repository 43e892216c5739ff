"""Compiling ahead on a device."""

import pytest

from warpath import kernel_cache
from warpath.algorithms import warm_up as ahead

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("name", dict(ahead._gpu_groups()))
def test_gpu_kernels(name):
    ahead._compile(name)
    assert any(file.suffix == ".cubin" for file in kernel_cache.kept)
