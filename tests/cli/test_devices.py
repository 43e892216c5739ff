import os
from typing import Any

from warpath import devices


def test_devices(run: Any, run_json: Any) -> None:
    found = run_json("devices", "--threads", 1)
    cpu, *gpus = found["devices"]
    assert (cpu["name"], cpu["cores"], cpu["threads"]) == ("cpu", os.cpu_count(), 1)
    assert cpu["model"]
    assert [gpu["model"] for gpu in gpus] == [gpu.model for gpu in devices.devices()]
    assert found["missing"] == devices.missing()
    shown = run("devices").stdout
    assert "threads used" in shown
    assert ("No GPU: " in shown) == (not gpus)


def test_a_device_that_is_not_there(run: Any, gr: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(devices, "missing", lambda: "there is no NVIDIA GPU")
    result = run("bfs", gr, "--device", "cuda", code=2)
    assert "Error: --device cuda: there is no NVIDIA GPU" in result.output
    needs = "Error: only a GPU has balance='virtual-warp', loop='host': there is no NVIDIA GPU"
    for algorithm in ("bfs", "sssp"):
        result = run(algorithm, gr, "--schedule", "virtual-warp,loop=host", code=2)
        assert needs in result.output
    assert "'x' is no balance" in run("bfs", gr, "--schedule", "x", code=2).output
    assert "there is no NVIDIA GPU" in run("sssp", gr, "--device", "cuda", code=2).output
    for command in ("bfs", "sssp", "components"):
        assert "there is no NVIDIA GPU" in run(command, gr, "--devices", "0,1", code=2).output
    assert "neither a number" in run("bfs", gr, "--devices", "all", code=2).output
    assert "has no --devices" in run("components", gr, "--strong", "--devices", 2, code=2).output
    assert "part 1     GPU 1" in run("plan", gr, "--devices", "0,1").output  # for another machine
    search = "--search", "pagerank", "--devices", 2
    assert "--search pagerank has no --devices" in run("plan", gr, *search, code=2).output
