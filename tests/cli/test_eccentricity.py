from pathlib import Path
from typing import Any

import pytest


def test_of_all_and_of_some(run_json: Any, gr: Path, tmp_path: Path) -> None:
    data = run_json("eccentricity", gr)
    assert data["eccentricity"] == [8, 5, 7, 0, 1, 0]
    assert (data["smallest"], data["largest"]) == (0, 8)
    assert run_json("eccentricity", gr, "--hops", "-v", 0)["eccentricity"] == [2]
    (tmp_path / "some.txt").write_text("2\n0\n")
    data = run_json("eccentricity", gr, "--vertices", tmp_path / "some.txt")
    assert (data["vertex"], data["eccentricity"]) == ([2, 0], [7, 8])


def test_a_vertex_that_is_not_there(run: Any, gr: Path) -> None:
    assert "out of range" in run("eccentricity", gr, "-v", 9, code=2).stderr


@pytest.mark.parametrize(("options", "expected"), [((), 17), (("--hops",), 2)])
def test_diameter(run: Any, run_json: Any, towns: Path, options: Any, expected: int) -> None:
    assert run_json("diameter", towns, "--undirected", *options)["diameter"] == expected
    out = run("diameter", towns, "--undirected", *options).stdout
    assert out.startswith(f"diameter {expected}, in ")
