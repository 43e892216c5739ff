"""Each kernel of the papers' frontiers compiles, without a GPU, and keeps all in registers."""

from itertools import product

import pytest

from compiled import check_kernels
from exhaustive import EXHAUSTIVE
from warpath.balance import TECHNIQUES
from warpath.cuda.instances import bfs_levels_kernel
from warpath.frontier import FRONTIERS, Policy, allowed
from warpath.planning.breadth_first import complete_bfs
from warpath.schedule import PRESETS, parse

POLICIES = [
    (Policy(frontier, duplicates), direction)
    for frontier, one in FRONTIERS.items()
    for duplicates in one.duplicates
    for direction in (one.directions if frontier == "topology-driven" else ("top-down",))
]
SWITCHED = [
    complete_bfs(parse(f"{preset}:{switch}={'off' if one.default else 'on'}"))
    for preset, own in PRESETS.items()
    for switch, one in own.switches.items()
    if switch != "dynamic-parallelism"  # below
]
WHOLE_BFS_4K = complete_bfs(parse("bfs-4k:edge-discover=on,dynamic-parallelism=on"))
# Every policy with some balance or other, narrow and wide alternately; all if there is time.
SOME = [
    (4 + 4 * (k % 2), policy, way, list(TECHNIQUES.values())[k % len(TECHNIQUES)]())
    for k, (policy, way) in enumerate(POLICIES)
]
ALL = [
    (size, policy, way, technique())
    for size, (policy, way), technique in product((4, 8), POLICIES, TECHNIQUES.values())
]


def kernels(instances, kept=True):
    return [
        bfs_levels_kernel(size, policy.algorithm(way), technique, kept, kept)
        for size, policy, way, technique in instances
        if allowed(policy, way, technique) is None
    ]


@pytest.mark.slow
def test_every_policy_compiles_without_spills():
    check_kernels("sm_90", "algorithms/bfs_levels.cuh", kernels(ALL if EXHAUSTIVE else SOME))


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["sm_90", "sm_80"])
def test_presets_compile_without_spills(arch):
    names = [name for name in PRESETS if name != "load-balanced-bfs"]  # that is traverse.cuh's
    found = [complete_bfs(parse(name)) for name in names]
    instances = [(4, one.policy, one.direction, one.technique) for one in found]
    check_kernels(
        arch, "algorithms/bfs_levels.cuh", kernels(instances) + kernels(instances[:1], kept=False)
    )


@pytest.mark.slow
def test_what_is_switched_compiles_without_spills():
    instances = [
        (size, one.policy, one.direction, one.technique) for size, one in product((4, 8), SWITCHED)
    ]
    check_kernels("sm_90", "algorithms/bfs_levels.cuh", kernels(instances))


@pytest.mark.slow
def test_programs_with_child_grids_compile_without_spills():
    instances = [
        (size, one, "top-down", WHOLE_BFS_4K.technique)
        for size, one in (
            (4, WHOLE_BFS_4K.policy),
            (8, Policy(duplicates="atomic", enqueue="summed")),
        )
    ]
    check_kernels("sm_90", "algorithms/bfs_levels.cuh", kernels(instances), children=True)
