import logging
from pathlib import Path
from typing import Any

import pytest

from warpath.algorithms import warm_up as ahead
from warpath.cli import show


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The devices that kernels were compiled for."""
    devices: list[str] = []

    def warm_up(device: str, progress: Any) -> ahead.Warm:
        devices.append(device)
        return ahead.Warm(3, 2_500_000, (Path("here"), Path("there")))

    monkeypatch.setattr(ahead, "warm_up", warm_up)
    return devices


def test_warm_up(run: Any, run_json: Any, asked: list[str]) -> None:
    shown = run("warm-up").stdout.splitlines()
    assert shown[0].startswith("3 kernels, 2.5 MB, ")
    assert shown[1:] == ["here", "there"]
    data = run_json("warm-up", "--device", "cuda")
    assert data.pop("seconds") >= 0
    assert data == {"kernels": 3, "bytes": 2_500_000, "folders": ["here", "there"]}
    assert asked == ["auto", "cuda"]


def test_what_the_library_logs_is_shown_on_a_terminal(
    run: Any, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log, shown = logging.getLogger("warpath"), []
    monkeypatch.setattr(ahead, "warm_up", lambda *_: log.warning("it takes long"))
    monkeypatch.setattr(show, "note", shown.append)
    with pytest.raises(AttributeError):  # nothing was returned
        run("warm-up")
    assert shown == ["it takes long"]
    assert not log.handlers


def test_nothing_is_logged_beside_json(
    run: Any, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = ahead.warm_up

    def warm_up(*given: Any) -> ahead.Warm:
        logging.getLogger("warpath").warning("it takes long")
        return original(*given)

    monkeypatch.setattr(ahead, "warm_up", warm_up)
    assert "it takes long" not in run("warm-up", "--json").output
    assert "it takes long" not in run("warm-up").output  # no terminal
