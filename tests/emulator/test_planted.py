"""Each planted fault still has its place: a default run says so before those that build them."""

from importlib import import_module
from pathlib import Path

from planted import PLANTED

HERE = Path(__file__).resolve().parent


def test_what_a_fault_replaces_occurs_once():
    for path in HERE.glob("test_*.py"):
        if "from planted import" in path.read_text():
            import_module(f"emulator.{path.stem}")
    assert len(PLANTED) >= 100
    wrong = []
    for fault in dict.fromkeys(PLANTED):
        try:
            fault.text()
        except ValueError as error:
            wrong.append(str(error))
    assert wrong == []
