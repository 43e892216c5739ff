"""Merge path's knobs."""

import numpy as np
import pytest

from balance_inputs import HostGraph
from warpath import balance
from warpath.balance.merge_path import MergePath
from warpath.balance.technique import TempStorage


def test_its_default_is_the_papers():
    assert balance.lookup("merge-path") == MergePath("hybrid", 10)
    assert str(MergePath("hybrid", 10)) == "merge-path"


def test_f0_is_for_hybrid_alone():
    assert balance.lookup("merge-path:coupling=hybrid,f0=5").f0 == 5
    with pytest.raises(ValueError, match="f0 is for coupling=hybrid, not balanced-gathering"):
        balance.lookup("merge-path:coupling=balanced-gathering,f0=5")


def test_variants_are_those_that_make_sense():
    assert [(variant.coupling, variant.f0) for variant in MergePath.variants()] == [
        ("global", 10), ("balanced-gathering", 10), ("balanced-redistribution", 10),
        ("hybrid", 5), ("hybrid", 10), ("hybrid", 20),
    ]  # fmt: skip


def test_the_kernels_coupling_is_a_member_of_its_enumeration():
    kernel = MergePath("balanced-gathering").kernel
    assert kernel == "MergePath<warpath::Coupling::balanced_gathering, 10>"


def test_an_unknown_coupling_is_named():
    with pytest.raises(ValueError, match=r"coupling must be one of global, .*'local'"):
        balance.lookup("merge-path:coupling=local")


@pytest.mark.parametrize(("dtype", "bytes"), [(np.uint32, 8), (np.uint64, 16)])
def test_coupling_global_has_a_place_for_each_arc(dtype, bytes):
    graph = HostGraph(np.array([0, 3, 7], dtype))
    assert MergePath("global").temp_storage(np, graph).workspace == 7 * bytes
    assert MergePath("hybrid").temp_storage(np, graph) == TempStorage()
    assert MergePath("global").lists
    assert not MergePath("hybrid").lists
