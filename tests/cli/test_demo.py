from typing import Any


def test_demo(run: Any, run_json: Any) -> None:
    data = run_json("demo", "--scale", 8, "--sources", 2)
    assert [(t["graph"], t["algorithm"]) for t in data["trials"]] == [
        ("road-like", "bfs"), ("road-like", "sssp"), ("power-law", "bfs"), ("power-law", "sssp"),
    ]  # fmt: skip
    assert all(trial["verified"] and trial["seconds"] > 0 for trial in data["trials"])
    assert data["graphs"][1]["vertices"] == 2**8
    assert all(trial["scipy_seconds"] > 0 for trial in data["trials"])
    out = run("demo", "--scale", 6, "--sources", 1).stdout
    assert "speed-up" in out
