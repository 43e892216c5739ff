"""Virtual warp-centric programming: the kernel that docs/load_balancing.md shows."""

import re
from pathlib import Path

import numpy as np
import pytest

from exhaustive import slow
from multigraphs import NAMES, multigraph
from oracles import levels
from planted import Fault
from warpath import Graph

DOCS = Path(__file__).resolve().parents[2] / "docs" / "load_balancing.md"
WIDTHS = (2, 4, 8, 16, 32)
CASES = """
#include "core/virtual_warp.cuh"
using namespace warpath;
constexpr unsigned threads = 64;
{kernel}
template <unsigned width>
void search(const emulate::Input& in, emulate::Output& out) {{
    auto levels = in.array<int>("levels");
    const auto rows = in.array<unsigned>("rows"), columns = in.array<unsigned>("columns");
    const auto n = static_cast<unsigned>(levels.size());
    int goes_on = 1;
    for (int current = 0; goes_on; ++current) {{
        goes_on = 0;
        emulate::launch(in.count("blocks"), threads, 1, 0, in.seed(), warp_bfs<width>, n, current,
                        levels.data(), rows.data(), columns.data(), &goes_on);
    }}
    out.array("levels", levels);
}}
{cases}
"""


def program_of(emulator, folder, include=()):
    """A case for each width."""
    kernel = re.search(r"```cuda\n(.*?)```", DOCS.read_text(), re.DOTALL)[1]
    cases = [f"EMULATOR_TEST(width_{w}) {{ search<{w}>(in, out); }}" for w in WIDTHS]
    source = folder / "test_virtual_warp.cpp"
    source.write_text(CASES.format(kernel=kernel, cases="\n".join(cases)))
    return emulator.build(source, include=include)


def search(program, width, name, seed, blocks=2):
    """Levels from vertex 0, and those that are right."""
    source, target, n, directed = multigraph(name, path=40, star=500, hub=600, beside_hub=100)
    graph = Graph.from_edges(source, target, n=n, directed=directed)
    start = np.full(n, -1, np.int32)
    start[0] = 0
    found = program.run(
        f"width_{width}", seed=seed, blocks=blocks, levels=start,
        rows=graph.row_offsets.astype(np.uint32), columns=graph.column_indices.astype(np.uint32),
    )  # fmt: skip
    return found["levels"], levels(graph, 0)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_papers_bfs(emulator, tmp_path, width):
    program = program_of(emulator, tmp_path)
    for seed, name in enumerate(NAMES):
        found, expected = search(program, width, name, seed)
        assert np.array_equal(found, expected)


SYNC = "        __syncwarp(mask());\n"
LOOP = "        for (Index i = lane(); i < count; i += lanes) item(i);\n"
MUTANTS = {
    which: Fault("core/virtual_warp.cuh", SYNC + LOOP + SYNC, rest)
    for which, rest in (("before", LOOP + SYNC), ("after", SYNC + LOOP))
}


@pytest.mark.parametrize("which", ["before", *slow(["after"])])
def test_lanes_meet_around_a_simd_phase(emulator, tmp_path, which):
    program = program_of(emulator, tmp_path, [emulator.mutant(tmp_path, MUTANTS[which])])
    with emulator.finding():
        for seed in range(24):  # two virtual warps, so that each has several chunks
            found, expected = search(program, 32, "random", seed, blocks=1)
            assert np.array_equal(found, expected)
