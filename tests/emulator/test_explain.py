"""Which lane visits which arc: the kernel behind ``warpath explain-balance``, and the pictures in the docs."""

import re
from pathlib import Path

import numpy as np
import pytest

from emulated_runtime import EmulatedRuntime
from warpath.balance import TECHNIQUES, lookup
from warpath.cli.explain_balance import DEGREES, picture
from warpath.cuda import explain
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.explain import THREADS
from warpath.cuda.instances import explain_kernel, profile_kernel
from warpath.cuda.profile import WARPS_PER_BLOCK, work_of_warps
from warpath.cuda.runtime import use
from warpath.graph.bfs_frontiers import Levels

DOCS = Path(__file__).resolve().parents[2] / "docs" / "load_balancing.md"
PAGE = DOCS.read_text()
DRAWN = re.findall(r"warpath explain-balance (\S+)\n(.*?)\n?```", PAGE, re.DOTALL)
SECTIONS = dict(re.findall(r"^### `([\w-]+)`\n(.*?)(?=^##)", PAGE, re.DOTALL | re.MULTILINE))
SHARED = {
    name: match[1]
    for name, text in SECTIONS.items()
    if (match := re.search(r"The picture is that\sof `([\w-]+)`", text))
}
BLOCKS = 2


@pytest.fixture(scope="module")
def runtime(emulator):
    """With kernels of each technique, and of those that are drawn."""
    whole = [technique() for technique in TECHNIQUES.values()]
    drawn = [lookup(name) for name, _ in DRAWN]
    kernels = [("explain.cuh", explain_kernel(each, THREADS)) for each in whole + drawn]
    kernels += [("profile.cuh", profile_kernel(4, each)) for each in whole]
    with EmulatedRuntime(emulator, kernels) as runtime:
        yield runtime


def who_visits(runtime, technique, degrees=DEGREES, seed=0):
    runtime.seed, runtime.blocks = seed, 1
    with use(runtime):
        return explain.who_visits(technique, degrees)


@pytest.mark.parametrize("name", TECHNIQUES)
def test_each_arc_has_its_thread(runtime, name):
    for seed in (0, 1):
        threads = who_visits(runtime, lookup(name), seed=seed)
        assert [len(arcs) for arcs in threads] == list(DEGREES)
        assert max(map(max, threads)) < THREADS


def test_what_the_papers_say(runtime):
    one_each = who_visits(runtime, lookup("thread-mapped"))
    assert [set(arcs.tolist()) for arcs in one_each] == [{i} for i in range(len(DEGREES))]
    for vertex, arcs in enumerate(who_visits(runtime, lookup("virtual-warp"))):
        first = vertex // 4 * 32 + vertex % 4 * 8  # eight lanes, four virtual warps in a warp
        assert arcs.tolist() == [first + i % 8 for i in range(len(arcs))]
    decomposed = np.concatenate(who_visits(runtime, lookup("workload-decomposition")))
    assert decomposed.tolist() == list(range(sum(DEGREES)))


@pytest.mark.parametrize("name", TECHNIQUES)
def test_the_work_of_warps_is_counted(runtime, name):
    """All arcs, in rows of one each at least; thread-mapped's as its heaviest lanes say."""
    degrees = np.tile(np.r_[np.ones(40, int), 300, np.arange(1, 100)], 8)
    row_offsets = np.r_[0, np.cumsum(degrees)].astype(np.uint32)
    n, arcs = len(degrees), int(degrees.sum())
    runtime.seed, runtime.blocks = 1, BLOCKS
    with use(runtime):
        graph = DeviceGraph.from_arrays(row_offsets, np.zeros(arcs, np.int32), directed=True)
        vertices = runtime.xp.arange(n, dtype=np.uint32)
        every = Levels(vertices, graph.row_offsets[:-1], np.array([0, n]), np.array([arcs]))
        (work,) = work_of_warps(graph, every, lookup(name))
    assert work.warps == BLOCKS * WARPS_PER_BLOCK
    assert work.arcs == arcs
    assert arcs <= 32 * work.rows <= 32 * arcs
    assert work.rows / work.warps <= work.longest_warp <= work.longest_block <= work.rows
    if name == "thread-mapped":
        heaviest = [degrees[first : first + 32].max() for first in range(0, n, 32)]
        expected = np.zeros(work.warps, int)
        np.add.at(expected, np.arange(len(heaviest)) % work.warps, heaviest)
        assert work.rows == expected.sum()
        assert work.longest_warp == expected.max()
        # Warps are numbered block after block in turn.
        assert work.longest_block == expected.reshape(-1, BLOCKS).sum(axis=0).max()


@pytest.mark.parametrize(("name", "drawn"), DRAWN, ids=[name for name, _ in DRAWN])
def test_pictures_in_the_docs_are_what_kernels_do(runtime, name, drawn):
    assert picture([arcs.tolist() for arcs in who_visits(runtime, lookup(name))]) == drawn


def test_each_technique_has_its_section_and_a_picture():
    """Its own, or by name that of another; but `auto`, which has none of its own."""
    names = [name for name in TECHNIQUES if name != "auto"]
    assert sorted(SECTIONS) == sorted(names)
    for name, text in SECTIONS.items():
        own = re.search(rf"^warpath explain-balance {name}(:|$)", text, re.MULTILINE)
        assert bool(own) != (name in SHARED)


@pytest.mark.parametrize(("name", "other"), SHARED.items())
def test_techniques_that_share_a_picture_do_the_same(runtime, name, other):
    one, another = (who_visits(runtime, lookup(balance)) for balance in (name, other))
    assert [edges.tolist() for edges in one] == [edges.tolist() for edges in another]


def test_the_table_has_all_knobs_and_their_values():
    listed = re.findall(r"^\| `([\w-]+)` \| [^|]+ \| ([^|]*) ?\|$", PAGE, re.MULTILINE)
    for name, technique in TECHNIQUES.items():
        (shown,) = [knobs for other, knobs in listed if other == name]
        defaults = technique()
        expected = [
            f"`{knob}` "
            + ", ".join(f"**{v}**" if v == getattr(defaults, knob) else str(v) for v in values)
            for knob, values in technique.choices().items()
        ]
        assert sorted(filter(None, shown.strip().split("; "))) == sorted(expected)
