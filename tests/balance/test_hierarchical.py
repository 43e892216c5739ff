"""Hierarchical processing: knobs and memory."""

import numpy as np
import pytest

from balance_inputs import HostGraph
from warpath import balance
from warpath.balance.hierarchical import Hierarchical


def test_the_threshold_is_the_knob_or_the_histogram_s():
    graph = HostGraph(np.r_[0, np.cumsum([1, 2, 2, 100])].astype(np.uint32))
    assert Hierarchical(bins=10).temp_storage(np, graph).prepared == (10,)
    assert Hierarchical(bins=1000).temp_storage(np, graph).prepared == (2,)
    assert Hierarchical(64).temp_storage(np, graph).prepared == (64,)


def test_two_lists_of_all_vertices():
    graph = HostGraph(np.arange(6, dtype=np.uint32))
    assert Hierarchical().temp_storage(np, graph).workspace == 2 * (4 + 4) * 5


def test_the_kernel_knows_when_to_switch():
    assert balance.lookup("hierarchical").kernel == "Hierarchical<1024>"
    assert balance.lookup("hierarchical:MDT=4,switch=0").kernel == "Hierarchical<0>"


def test_bins_are_for_the_histogram():
    with pytest.raises(ValueError, match="bins is for MDT=0, not 16"):
        balance.lookup("hierarchical:MDT=16,bins=10")
