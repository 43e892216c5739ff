"""Who visits which arc: the kernel behind ``warpath explain-balance``, and the pictures in the docs."""

import re
from pathlib import Path

import numpy as np
import pytest

from balance_inputs import balance_inputs
from warpath.balance import TECHNIQUES, lookup
from warpath.cli.explain_balance import DEGREES, picture

DOCS = Path(__file__).resolve().parents[2] / "docs" / "load_balancing.md"
DRAWN = re.findall(r"warpath explain-balance (\S+)\n(vertex .*?)\n```", DOCS.read_text(), re.DOTALL)
THREADS, BLOCKS = 64, 2
CASE = """
EMULATOR_TEST({name}) {{
    const auto vertices = in.array<Vertex>("vertices");
    const auto offsets = in.array<unsigned>("row_offsets");
    std::vector<unsigned> thread_of(offsets.back(), 12345), arrived(1);
    BalanceInput memory(in);
    emulate::launch(1, {threads}, 1, 0, in.seed(), explain<{kernel}, {threads}>, vertices.data(),
                    offsets.data(), static_cast<unsigned>(vertices.size()), thread_of.data(),
                    arrived.data(), memory.prepared(), memory.workspace());
    out.array("thread_of", thread_of);
}}
"""
PROFILE = """
EMULATOR_TEST({name}_profile) {{
    const auto vertices = in.array<Vertex>("vertices");
    const auto offsets = in.array<unsigned>("row_offsets");
    std::vector<unsigned> arrived(1);
    std::vector<WarpWork> work({blocks} * {threads} / warp_lanes);
    BalanceInput memory(in);
    emulate::launch({blocks}, {threads}, 1, 0, in.seed(), profile<unsigned, {kernel}, {threads}>, vertices.data(),
                    offsets.data(), static_cast<unsigned>(vertices.size()), offsets.back(), offsets.data(),
                    static_cast<unsigned>(vertices.size()), work.data(), arrived.data(), memory.prepared(), memory.workspace());
    std::vector<Count> words;
    for (const auto& each : work) words.insert(words.end(), {{each.rows, each.arcs}});
    out.array("work", words);
}}
"""


def name_of(technique):
    return re.sub(r"\W", "_", str(technique))


@pytest.fixture(scope="module")
def program(emulator, tmp_path_factory):
    """A case for each technique, and for those that are drawn."""
    whole = {technique() for technique in TECHNIQUES.values()}
    drawn = {lookup(name) for name, _ in DRAWN}
    cases = [
        case.format(name=name_of(each), kernel=each.kernel, threads=THREADS, blocks=BLOCKS)
        for case, techniques in ((CASE, whole | drawn), (PROFILE, whole))
        for each in techniques
    ]
    source = tmp_path_factory.mktemp("explain") / "test_explain.cpp"
    head = '#include "explain.cuh"\n#include "profile.cuh"\n#include "balance_memory.h"\nusing namespace warpath;\n'
    source.write_text(head + "".join(sorted(cases)))
    return emulator.build(source)


def who_visits(program, technique, degrees=DEGREES, seed=0):
    """As `warpath.cuda.explain.who_visits`."""
    row_offsets = np.r_[0, np.cumsum(degrees)].astype(np.uint32)
    found = program.run(
        name_of(technique), seed=seed, vertices=np.arange(len(degrees), dtype=np.uint32),
        row_offsets=row_offsets, **balance_inputs(technique, row_offsets),
    )  # fmt: skip
    return np.split(found["thread_of"], row_offsets[1:-1])


@pytest.mark.parametrize("name", TECHNIQUES)
def test_each_arc_has_its_thread(program, name):
    for seed in (0, 1):
        threads = who_visits(program, lookup(name), seed=seed)
        assert [len(arcs) for arcs in threads] == list(DEGREES)
        assert max(map(max, threads)) < THREADS


def test_what_the_papers_say(program):
    one_each = who_visits(program, lookup("thread-mapped"))
    assert [set(arcs.tolist()) for arcs in one_each] == [{i} for i in range(len(DEGREES))]
    for vertex, arcs in enumerate(who_visits(program, lookup("virtual-warp"))):
        first = vertex // 4 * 32 + vertex % 4 * 8  # eight lanes, four virtual warps in a warp
        assert arcs.tolist() == [first + i % 8 for i in range(len(arcs))]
    decomposed = np.concatenate(who_visits(program, lookup("workload-decomposition")))
    assert decomposed.tolist() == list(range(sum(DEGREES)))


@pytest.mark.parametrize("name", TECHNIQUES)
def test_the_work_of_warps_is_counted(program, name):
    """All arcs, in rows of one each at least; thread-mapped's as its heaviest lanes say."""
    degrees = np.r_[np.ones(40, int), 300, np.arange(1, 100)]
    row_offsets = np.r_[0, np.cumsum(degrees)].astype(np.uint32)
    technique = lookup(name)
    found = program.run(
        f"{name_of(technique)}_profile", seed=1, vertices=np.arange(len(degrees), dtype=np.uint32),
        row_offsets=row_offsets, **balance_inputs(technique, row_offsets),
    )  # fmt: skip
    rows, arcs = found["work"].reshape(-1, 2).astype(int).T
    assert len(rows) == BLOCKS * THREADS // 32
    assert arcs.sum() == degrees.sum()
    assert (rows <= arcs).all()
    assert (arcs <= 32 * rows).all()
    if name == "thread-mapped":
        heaviest = [degrees[first : first + 32].max() for first in range(0, len(degrees), 32)]
        expected = np.zeros(len(rows), int)
        np.add.at(expected, np.arange(len(heaviest)) % len(rows), heaviest)
        of_blocks = expected.reshape(-1, BLOCKS).T  # warps are numbered block after block in turn
        assert rows.tolist() == of_blocks.ravel().tolist()


@pytest.mark.parametrize(("name", "drawn"), DRAWN, ids=[name for name, _ in DRAWN])
def test_pictures_in_the_docs_are_what_kernels_do(program, name, drawn):
    assert picture([arcs.tolist() for arcs in who_visits(program, lookup(name))]) == drawn


def test_each_technique_has_its_section_and_picture():
    """But `auto`, which has none of its own; and what the page asks for is there."""
    page = DOCS.read_text()
    names = [name for name in TECHNIQUES if name != "auto"]
    sections = re.findall(r"^### `([\w-]+)`\n(.*?)(?=^##)", page, re.DOTALL | re.MULTILINE)
    assert sorted(name for name, _ in sections if name in TECHNIQUES) == sorted(names)
    for name, text in sections:
        assert re.search(rf"^warpath explain-balance {name}(:|$)", text, re.MULTILINE)
        assert [lookup(called).name for called in re.findall(r'balance="(.+?)"', text)] == [name]
