from warpath.balance import lookup
from warpath.balance.dynamic_virtual_warp import DynamicVirtualWarp


def test_variants_have_each_width_and_child_grids() -> None:
    variants = list(DynamicVirtualWarp.variants())
    plain = [v for v in variants if v == DynamicVirtualWarp(v.minimum)]
    assert [v.minimum for v in plain] == [2, 4, 8]
    assert any(each.launches_children for each in variants)
    assert any(each.warp_workload for each in variants)


def test_child_grids_are_another_kernel() -> None:
    technique = lookup("dynamic-virtual-warp:dynamic_parallelism=4096")
    assert technique.kernel == "DynamicVirtualWarp<4, 4096, 0, 0>"
    assert DynamicVirtualWarp().kernel == "DynamicVirtualWarp<4, 0, 0, 0>"


def test_edge_discover_may_be_taken() -> None:
    technique = lookup("dynamic-virtual-warp:edge_discover=1")
    assert technique.taken == ("dynamic-virtual-warp", "local-warp-search")
    assert DynamicVirtualWarp().taken == ("dynamic-virtual-warp",)
