from pathlib import Path
from typing import Any

from warpath.bench.advise import Advice


def test_advise(run: Any, run_json: Any, gr: Path, tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    shown = run("advise", gr, "--device", "cpu", "--seconds", "0.05", "-o", file).stdout
    assert "Best: wp.sssp(graph, source, device='cpu'" in shown
    assert [*Advice.load(file).best] == ["bfs", "sssp"]
    data = run_json("advise", gr, "--algorithm", "bfs", "--device", "cpu", "--seconds", "0.05")
    assert [*data["best"]] == ["bfs"]
    assert data["file"]["vertices"] == 6
    assert "unknown device 'tpu'" in run("advise", gr, "--device", "tpu", code=2).output
