from pathlib import Path
from typing import Any


def test_a_path_or_none(run: Any, run_json: Any, gr: Path) -> None:
    data = run_json("connected", gr, "-s", 0, "-t", 3, "--verify")
    assert (data["connected"], data["distance"], data["verified"]) == (True, 2, True)
    data = run_json("connected", gr, "-s", 0, "-t", 5, "--verify")
    assert (data["connected"], data["distance"]) == (False, None)
    assert run("connected", gr, "-s", 0, "-t", 2).stdout == "A path of 1 arc leads to 2.\n"
    assert run("connected", gr, "-s", 0, "-t", 5).stdout == "No path leads to 5.\n"


def test_by_name(run_json: Any, towns: Path) -> None:
    data = run_json("connected", towns, "-s", "Ulm", "-t", "Kiel")
    assert (data["source"], data["target"], data["distance"]) == ("Ulm", "Kiel", 2)
