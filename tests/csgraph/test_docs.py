"""Every example of docs/from_scipy.md runs, and its list of differences is that of the tests."""

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "from_scipy.md"


def test_examples():
    outcome = doctest.testfile(str(PAGE), module_relative=False, parser=_PythonBlocks())
    assert outcome.attempted >= 15
    assert outcome.failed == 0


class _PythonBlocks(doctest.DocTestParser):
    """Examples in blocks marked as Python; blocks of text need a GPU."""

    def parse(self, string, name="<string>"):
        blocks = re.findall(r"```python\n(.*?)```", string, re.DOTALL)
        return super().parse("\n".join(blocks), name)


def test_each_difference_is_tested():
    page = PAGE.read_text().split("## Where the answers differ")[1]
    rows = [line for line in page.splitlines() if line.startswith("| ")][2:]
    tests = re.findall(r"^def test_", (PAGE.parents[1] / "tests/csgraph/test_differences.py").read_text(), re.M)  # fmt: skip
    assert len(rows) == len(tests)
