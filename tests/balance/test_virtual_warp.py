"""Virtual warps' knobs and memory."""

import numpy as np
import pytest

from balance_inputs import HostGraph
from warpath import balance
from warpath.balance.technique import TempStorage
from warpath.balance.virtual_warp import VirtualWarp

GRAPH = HostGraph(np.arange(11, dtype=np.uint64))


def test_by_default_no_remedy_is_on():
    assert balance.lookup("virtual-warp") == VirtualWarp(8, 0, 0)
    assert VirtualWarp().kernel == "VirtualWarp<8, 0, 0, 0>"
    assert VirtualWarp().temp_storage(np, GRAPH) == TempStorage()


def test_outliers_are_queued_with_prefix_sums():
    technique = balance.lookup("virtual-warp:width=32,defer_outliers=256,dynamic_distribution=8")
    assert technique.kernel == "VirtualWarp<32, 256, 8, 0>"
    assert technique.temp_storage(np, GRAPH) == TempStorage(workspace=10 * (4 + 8))


def test_a_work_queue_is_a_counter():
    assert VirtualWarp(dynamic_distribution=1).temp_storage(np, GRAPH) == TempStorage(workspace=1)


def test_variants_have_each_width_and_each_remedy():
    variants = list(VirtualWarp.variants())
    assert {variant.width for variant in variants} == {2, 4, 8, 16, 32}
    remedies = {(v.defer_outliers > 0, v.dynamic_distribution > 0) for v in variants}
    assert len(remedies) == 4


def test_threads_may_defer_outliers_too():
    technique = balance.lookup("thread-mapped:defer_outliers=256")
    assert technique.kernel == "ThreadMapped<256>"
    assert technique.temp_storage(np, GRAPH) == TempStorage(workspace=10 * (4 + 8))
    assert balance.lookup("thread-mapped").temp_storage(np, GRAPH) == TempStorage()


def test_who_draws_has_no_workload():
    with pytest.raises(ValueError, match="there is no warp_workload: leave one of them out"):
        balance.lookup("virtual-warp:dynamic_distribution=8,warp_workload=32")


def test_a_threshold_that_is_not_offered_is_named():
    with pytest.raises(ValueError, match="defer_outliers must be one of 0, 64, 256"):
        balance.lookup("virtual-warp:defer_outliers=3")
