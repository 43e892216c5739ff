from typing import Any

import pytest

from warpath import balance, devices
from warpath.cli.explain_balance import DEGREES, picture


@pytest.mark.parametrize("name", balance.TECHNIQUES)
def test_every_technique_is_explained(run: Any, name: str) -> None:
    shown = run("explain-balance", name).stdout
    assert shown.startswith(f"{name}: ")
    assert "Paper: " in shown
    assert "`" not in shown
    for knob in balance.TECHNIQUES[name].choices():
        assert f"{knob} = " in shown


def test_knobs_may_be_given(run_json: Any) -> None:
    found = run_json("explain-balance", "virtual-warp:width=16")
    assert found["balance"] == "virtual-warp:width=16"
    assert found["knobs"]["width"] == {"value": 16, "choices": ["auto", 2, 4, 8, 16, 32]}


def test_an_unknown_one_is_refused(run: Any) -> None:
    assert "unknown balance 'x'" in run("explain-balance", "x", code=2).output


def test_without_a_gpu_it_says_why_there_is_no_picture(
    run: Any, run_json: Any, monkeypatch: Any
) -> None:
    monkeypatch.setattr(devices, "missing", lambda: "there is no NVIDIA GPU")
    assert "No picture: there is no NVIDIA GPU" in run("explain-balance", "direct-search").stdout
    assert run_json("explain-balance", "direct-search")["threads"] is None


@pytest.mark.gpu
@pytest.mark.skipif(devices.missing() is not None, reason=f"no GPU: {devices.missing()}")
@pytest.mark.parametrize("name", balance.TECHNIQUES)
def test_a_gpu_shows_who_visits_each_arc(run_json: Any, name: str) -> None:
    threads = run_json("explain-balance", name)["threads"]
    assert [len(arcs) for arcs in threads] == list(DEGREES)


def test_a_picture_breaks_long_lines() -> None:
    lines = picture([list(range(13)), [32]]).splitlines()
    assert [line.split() for line in lines[1:]] == [["0:12"], ["vertex", "1", "1:0"]]
