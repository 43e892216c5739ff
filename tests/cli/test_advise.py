from pathlib import Path
from typing import Any

from warpath.bench.advise import Advice


def test_advise(run: Any, run_json: Any, gr: Path, tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    shown = run("advise", gr, "--device", "cpu", "--seconds", "60", "-o", file).stdout
    assert "Best: wp.sssp(graph, source, device='cpu'" in shown
    assert [*Advice.load(file).best] == ["bfs", "sssp"]
    data = run_json("advise", gr, "--algorithm", "bfs", "--device", "cpu", "--seconds", "60")
    assert [*data["best"]] == ["bfs"]
    assert data["file"]["vertices"] == 6
    assert "unknown device 'tpu'" in run("advise", gr, "--device", "tpu", code=2).output


def test_too_few_seconds_write_no_profile(run_json: Any, gr: Path, tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    error = run_json("advise", gr, "--device", "cpu", "--seconds", "1e-9", "-o", file, code=2)
    assert "enough to try 1 of 2 ways to run bfs on this graph" in error["error"]["message"]
    assert "--seconds" in error["error"]["message"]
    assert not file.exists()
