from pathlib import Path
from typing import Any

import warpath as wp


def test_of_a_small_graph(run: Any, run_json: Any, gr: Path, tmp_path: Path) -> None:
    file = tmp_path / "forest.npz"
    data = run_json("spanning-forest", gr, "--symmetrize", "-o", file)
    assert (data["edges"], data["trees"], data["weight"]) == (4, 2, 9)
    assert wp.read(file).edges()[2].tolist() == [1, 2, 5, 1]
    assert "Written to" in run("spanning-forest", gr, "--symmetrize", "-o", file).stdout


def test_names_are_kept(run: Any, towns: Path, tmp_path: Path) -> None:
    file = tmp_path / "forest.csv"
    run("spanning-forest", towns, "--undirected", "-o", file)
    assert wp.read(file, directed=False).index("Ulm") == 4


def test_a_directed_graph_is_refused(run: Any, gr: Path) -> None:
    said = run("spanning-forest", gr, code=2).stderr
    assert "--symmetrize makes one" in said
    assert "Graph.from_edges" not in said
