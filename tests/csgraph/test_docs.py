"""The list of differences in docs/guides/scipy.md is that of the tests."""

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "guides" / "scipy.md"


def test_each_difference_is_tested():
    page = PAGE.read_text().split("## Where the answers differ")[1]
    rows = [line for line in page.splitlines() if line.startswith("| ")][2:]
    tests = re.findall(r"^def test_", (HERE / "test_differences.py").read_text(), re.MULTILINE)
    assert len(rows) == len(tests)
