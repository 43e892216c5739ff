"""A race whose candidates take the time that a test says."""

from collections.abc import Callable
from typing import Any

import pytest

import warpath as wp
from warpath.bench import race
from warpath.bench.answers import Answers
from warpath.bench.candidates import Candidate

Planted = Callable[..., None]


@pytest.fixture
def graph() -> wp.Graph:
    return wp.generate.grid(30, weights=(1, 9), seed=1)


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Planted:
    """Let candidates take what a function of their label and the source says."""

    def plant(seconds: Callable[[str, int], float], wrong: Any = ()) -> None:
        def run(graph: Any, answers: Answers, runner: Candidate, source: int) -> Any:
            bad = runner.label in wrong
            return seconds(runner.label, source), "a wrong answer" if bad else None

        monkeypatch.setattr(race, "run", run)

    return plant
