import os
from typing import Any


def test_devices(run: Any, run_json: Any) -> None:
    (cpu,) = run_json("devices", "--threads", 1)["devices"]
    assert (cpu["name"], cpu["cores"], cpu["threads"]) == ("cpu", os.cpu_count(), 1)
    assert cpu["model"]
    assert "threads used" in run("devices").stdout
