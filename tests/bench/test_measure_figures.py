from dataclasses import replace
from pathlib import Path

from warpath.bench import measured
from warpath.bench.measure_figures import figures
from warpath.bench.suites import SUITES
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial

MACHINE = {"cpu": "a CPU", "cores": 4, "threads": 2, "gpu": "a GPU", "system": "Linux",
           "bandwidth": {"cuda": 1000.0}}  # fmt: skip


def trials(suite: str, label: str, seconds: list[float], by: str = "warpath", device: str = "cpu",
           status: str = "ok", name: str = "G", **extra: object) -> list[Trial]:  # fmt: skip
    graph = {
        "name": name, "kind": "generated", "scale": 0.5, "weights": "int32", "vertices": 8, "arcs": 8
    }  # fmt: skip
    about = {"label": label, "by": by, "algorithm": "bfs", "device": device}
    return [
        Trial(suite, graph, about, source, status, seconds=one, extra=extra, machine=MACHINE,
              when="2026-11-23T09:00:00Z")
        for source, one in enumerate(seconds)
    ]  # fmt: skip


def test_of_peers_and_sizes() -> None:
    peers = [
        *trials("peers", "bfs, warpath", [0.001, 0.002, 0.003]),
        *trials("peers", "bfs, scipy", [0.004, 0.004, 0.03], "scipy", version="1.17"),
        *trials("peers", "bfs, networkit", [1.0], "networkit", status="left-out"),
        *trials("peers", "bfs, cugraph", [1.0], "cugraph", "cuda"),  # ours was not measured there
    ]
    on_gpu = [
        *trials("peers", "bfs, warpath on a GPU", [0.001], device="cuda"),
        *trials("peers", "bfs, gunrock", [0.0045], "gunrock", "cuda", version="unknown"),
    ]
    growth = trials("growth", "BFS, CPU", [0.001, 0.002, 0.009])
    found = {
        name: Summary(SUITES[name](), some) for name, some in (("peers", peers), ("growth", growth))
    }
    scipy, size = figures(found)
    assert (scipy.table, scipy.graph, scipy.search) == ("peers", "G (×0.5)", "BFS, int32")
    assert (scipy.ms, scipy.peer, scipy.version, scipy.peer_ms) == (2.0, "SciPy", "1.17", 4.0)
    assert scipy.ratio == 4.0  # of 4, 2 and 10, source by source
    assert scipy.command == "warpath bench peers --scale 0.5"
    assert (scipy.machine, scipy.date) == ("2 cores of a CPU", "2026-11-23")
    (gunrock,) = figures({"peers": Summary(SUITES["peers"](), on_gpu)})
    assert (gunrock.table, gunrock.peer, gunrock.version) == ("gpu peers", "Gunrock", "")
    assert (gunrock.ms, gunrock.peer_ms, gunrock.ratio) == (1.0, 4.5, 4.5)
    assert gunrock.machine == "a GPU"
    assert (size.table, size.search, size.ms, size.arcs) == ("growth", "BFS", 2.0, 8)
    assert size.graph == "R-MAT, 2^7 edges"  # of 8 vertices


def test_of_gaps_kernels_on_a_gpu() -> None:
    ran = [
        *trials("gap", "PR, GPU", [2.0], device="cuda", name="kron"),
        *trials("gap", "TC, GPU", [4.0], device="cuda", name="kron"),
        *trials("gap", "TC, CPU", [8.0], name="kron"),
    ]
    ran = [replace(one, iterations=10) for one in ran]
    # Another library's kernels are no figures of ours, and their iterations are not known.
    ran += trials("gap", "PR, cuGraph", [1.0], "cugraph", device="cuda", name="kron")
    whole, iteration, triangles = figures({"gap": Summary(SUITES["gap"](), ran)})
    assert (whole.search, whole.ms, whole.peer, whole.peer_ms) == ("PR", 2000.0, "GAP", 20260.0)
    assert (iteration.search, iteration.ms, iteration.peer) == ("PR, one iteration", 200.0, "")
    # 8 vertices of 56 bytes and 8 arcs of 12.5, at 1,000 bytes a second.
    assert iteration.floor_ms == 548.0
    # 32 and 56: each edge is two arcs.
    assert (triangles.ms, triangles.floor_ms) == (4000.0, 704.0)


def test_a_new_figure_replaces_the_old_one() -> None:
    def one(table: str, graph: str, ms: float) -> measured.Measured:
        return measured.Measured(table, graph, "BFS", "cpu", "c", "m", "2026", ms=ms)

    old = [one("a", "G", 1), one("b", "G", 2), one("b", "H", 3)]
    new = [one("b", "G", 4), one("a", "H", 5)]
    found = measured.merge(old, new)
    assert found == [one("a", "G", 1), one("a", "H", 5), one("b", "G", 4), one("b", "H", 3)]


def test_lines_are_read_as_they_were_written(tmp_path: Path) -> None:
    full = measured.Measured("a", "G", "", "cpu", "c", "m", "d", ratio=2.0, bound="x", arcs=3)
    file = tmp_path / "a.jsonl"
    file.write_text(f"{full.as_json()}\n")
    assert measured.read(file) == [full]
    assert full.as_json().startswith('{"table": "a", "graph": "G", "search": ""')
