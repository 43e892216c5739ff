from pathlib import Path
from typing import Any

import pytest

from warpath import read


@pytest.mark.parametrize("suffix", [".mtx", ".gr.gz", ".npz", ".wel.zst", ".parquet"])
def test_the_graph_stays_the_same(run_json: Any, gr: Path, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"out{suffix}"
    data = run_json("convert", gr, file)
    assert data["graph"] == {
        "file": str(file), "vertices": 6, "edges": 5, "arcs": 5, "directed": True, "weights": "int32",
    }  # fmt: skip
    before, after = read(gr), read(file)
    assert after.column_indices.tolist() == before.column_indices.tolist()
    assert after.weights.tolist() == before.weights.tolist()


def test_there_and_back_by_name(run: Any, gr: Path, tmp_path: Path) -> None:
    run("convert", gr, tmp_path / "a", "--to-format", "matrix-market")
    run("convert", tmp_path / "a", tmp_path / "b.gr", "--format", "matrix-market")
    assert read(tmp_path / "b.gr").weights.tolist() == read(gr).weights.tolist()


def test_edges_are_changed_on_the_way(run_json: Any, tmp_path: Path) -> None:
    file, out = tmp_path / "g.wel", tmp_path / "out.npz"
    file.write_text("0 0 7\n0 1 5\n0 1 3\n1 2 2\n")
    assert run_json("convert", file, out)["graph"]["arcs"] == 4
    assert run_json("convert", file, out, "--drop-self-loops")["graph"]["arcs"] == 3
    run_json("convert", file, out, "--drop-self-loops", "--merge", "min")
    assert read(out).weights.tolist() == [3, 2]
    run_json("convert", file, out, "--drop-self-loops", "--merge", "sum")
    assert read(out).weights.tolist() == [8, 2]
    data = run_json("convert", file, out, "--symmetrize", "--drop-self-loops")
    assert (data["graph"]["directed"], data["graph"]["edges"]) == (False, 2)
    assert read(out).weights.tolist() == [3, 3, 2, 2]
    assert run_json("convert", file, out, "--drop-weights")["graph"]["weights"] is None


def test_undirected_graphs_stay_so(run_json: Any, tmp_path: Path) -> None:
    run_json("generate", "grid", "--rows", 4, "--weights", 1, 9, "-o", tmp_path / "g.npz")
    data = run_json("convert", tmp_path / "g.npz", tmp_path / "h.npz", "--merge", "min")
    assert (data["graph"]["directed"], data["graph"]["edges"]) == (False, 24)
