import json
from pathlib import Path
from typing import Any

import pytest

from warpath.bench import trial
from warpath.bench.machine import facts, versions


def whole(**changes: Any) -> dict[str, Any]:
    graph = {
        "name": "G", "kind": "generated", "recipe": "", "scale": 1.0, "seed": 1,
        "vertices": 4, "arcs": 6, "directed": False, "weights": None,
    }  # fmt: skip
    way = {
        "label": "bfs", "by": "warpath", "algorithm": "bfs", "device": "cpu", "threads": None,
        "options": {},
    }  # fmt: skip
    made = trial.Trial("s", graph, way, seconds=0.5, machine=facts(), versions=versions())
    return json.loads(made.as_json()) | changes


def test_a_line_is_read_back() -> None:
    line = json.dumps(whole())
    assert (
        trial.from_line(line).as_json()
        == trial.Trial(
            **{key: value for key, value in whole().items() if key != "format"}
        ).as_json()
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 2}, "trial.format is 2, not 1"),
        ({"status": "fine"}, "trial.status is 'fine', none of"),
        ({"seconds": "long"}, "trial.seconds is 'long', not of type number or null"),
        ({"seconds": True}, "trial.seconds is True"),
        ({"extras": {}}, "trial has an unknown property 'extras'"),
        ({"graph": {"name": "G"}}, "trial.graph has no 'kind'"),
        ({"machine": {}}, "trial.machine has no 'cpu'"),
    ],
)
def test_the_schema_refuses(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        trial.check(whole(**changes))


def test_the_schema_is_one() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(trial.SCHEMA)
    jsonschema.validate(whole(), trial.SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(whole(status="fine"), trial.SCHEMA)


def test_a_file_names_its_bad_line(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(whole()) + "\n{}\n")
    with pytest.raises(ValueError, match="line 2: trial has no 'format'"):
        trial.read(file)
    file.write_text("".join(trial.lines([trial.from_line(json.dumps(whole()))])))
    assert len(trial.read(file)) == 1
