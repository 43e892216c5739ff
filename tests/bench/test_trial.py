import json
import os
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
    file.write_text(trial.from_line(json.dumps(whole())).as_json() + "\n")
    assert len(trial.read(file)) == 1


LINE = json.dumps(whole(), ensure_ascii=False)


@pytest.mark.parametrize("size", [1, 5, 13, 60, len(LINE) - 30, len(LINE) - 1])
def test_nothing_is_joined_to_half_a_line(tmp_path: Path, size: int) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(LINE + "\n" + LINE[:size])
    assert len(trial.read(file)) == 1
    with trial.appending(file) as append:
        append(trial.from_line(LINE))
    assert file.read_text() == (LINE + "\n") * 2
    assert len(trial.read(file)) == 2


def test_half_a_line_may_end_within_a_letter(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    line = json.dumps(whole(suite="Δ"), ensure_ascii=False).encode()
    file.write_bytes(line + b"\n" + line[: line.index("Δ".encode()) + 1])
    assert [one.suite for one in trial.read(file)] == ["Δ"]


@pytest.mark.parametrize("text", ["", "notes", LINE, LINE + "\n", "notes\n"])
def test_what_is_no_half_of_a_trial_stays(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(text)
    with trial.appending(file) as append:
        append(trial.from_line(LINE))
    ended = text + "\n" * (text not in ("", LINE + "\n", "notes\n"))
    assert file.read_text() == ended + LINE + "\n"


@pytest.mark.skipif(os.name != "posix", reason="locks files")
def test_half_a_line_that_another_run_is_writing_stays(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    with trial.appending(file), file.open("a") as other:
        other.write(LINE[:60])
        other.flush()
        with trial.appending(file):
            pass
        other.write(LINE[60:] + "\n")
    assert len(trial.read(file)) == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_an_error_that_names_the_file() -> None:
    with pytest.raises(OSError, match="/dev/full"), trial.appending("/dev/full") as append:
        append(trial.from_line(LINE))
    with pytest.raises(FileNotFoundError, match="none/a"), trial.appending("/none/a"):
        pass
