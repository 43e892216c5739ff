"""What people read is plain English: pages, docstrings, help, messages, comments.

The lint looks for words of a dialect that this project once had. In all but comments it also looks for lines that
end with "of", for sentences that begin with "Of", and for sentences of more than `MAX_WORDS` words.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAX_WORDS = 35

# A word, and what to write instead. Words that are also plain English (keep, open, first, turn) stand
# here only in the phrases in which they were jargon.
WORDS = {
    r"adrift|drift(s|ed|ing)?": "asynchronous, block-local",
    r"narrow (level|frontier|iteration)s?": "small frontier",
    r"lone search(es)?": "single-block search",
    r"patience": "search_budget, delay",
    r"calm": "consecutive_small_splits",
    r"crowd(s|ed|ing)?": "queue overflow",
    r"blind(ly)?": "count-only",
    r"admit(s|ted)?": "filter",
    r"(take|takes|took|taking|in) turns": "alternate, double-buffered, interleaved",
    r"nobody|who(so)?ever|whom|(?<!those )(?<!people )(?<!anyone )who": "no vertex, the thread",
    r"alike": "regular (degrees), the same",
    r"worth it|it pays|at home": "faster, resident",
    r"dealt|deals? out": "distribute",
    r"beside": "next to, compared with, in addition to",
    r"anew": "again",
    r"so many": "N, this number",
    r"(both|each) ways?": "in both directions",
    r"busiest (warp|block|thread)|evenness": "load imbalance",
    r"kin": "methods, by name",
    r"tempting": "wrong, slow",
    r"in the mean": "on average",
    r"(one|bytes?|bits?|arcs?|edges?|items?|words?|rows?|registers?|barriers?|launch(es)?|search(es)?|sources?|atomics?)"
    r" an? (vertex|thread|arc|edge|item|warp|lane|block|level|iteration|row|call|source|run)": "per",
}  # fmt: skip
ANY_WORD = re.compile(rf"\b(?:{'|'.join(WORDS)})\b", re.IGNORECASE)


class Text(NamedTuple):
    """A paragraph, a list item, a table's cell or a message, and where it stands."""

    place: str
    line: int
    text: str


def wrong_words(text: Text) -> Iterator[str]:
    """The words that should be others, a line each."""
    prose = plain(text.text)
    if not ANY_WORD.search(prose):  # nearly all; each word alone takes five times as long
        return
    for words, but in WORDS.items():
        for match in re.finditer(rf"\b(?:{words})\b", prose, re.IGNORECASE):
            yield f"{text.place}:{text.line}: {match[0]!r}: write {but}"


def faults(text: Text) -> Iterator[str]:
    """What is wrong with a text, a line each."""
    yield from wrong_words(text)
    where = f"{text.place}:{text.line}: "
    prose = plain(text.text)
    for line in text.text.splitlines():
        if line.endswith(" of"):
            yield f"{where}a line ends with 'of': {line[-40:]!r}"
    for sentence in re.split(r"(?<=[.!?])[\"')]*\s+", prose):
        words = len(re.findall(r"\S*\w\S*", sentence))
        if words > MAX_WORDS:
            yield f"{where}{words} words: {sentence[:60]!r}"
        if sentence.startswith("Of "):
            yield f"{where}begins with 'Of': {sentence[:60]!r}"


def plain(text: str) -> str:
    """One line; a piece of code, or a computed figure of a conclusion, as one word; a link as its text."""
    text = re.sub(r"\{\{.+?\}\}", "figure", text, flags=re.DOTALL)
    text = re.sub(r"(:\w+:)?(``.+?``|`[^`]+`)", "code", text, flags=re.DOTALL)
    return " ".join(re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text).split())


def paragraphs(place: str, text: str, first: int = 1) -> Iterator[Text]:
    """Paragraphs, list items and cells of tables; no code, no doctests, no headings."""
    held: list[str] = []
    start, indent, fence, rst_table = first, 0, False, False
    for number, line in enumerate([*text.splitlines(), ""], first):
        words = line.strip()
        fence ^= words.startswith("```")
        ruler = re.fullmatch(r"=+( +=+)+", words) is not None
        rst_table = (rst_table or ruler) and bool(words)
        code = fence or words.startswith(("```", ">>> ", "... ", "#"))
        cells = re.split(r"(?<!\\)\|", words.strip("|")) if words.startswith("|") else []
        item = re.match(r"([-*]|\d+\.) ", words)
        margin = len(line) - len(line.lstrip())
        if held and (not words or code or ruler or cells or item or margin != indent):
            yield Text(place, start, "\n".join(held))
            held = []
        if code or rst_table or not words or set(words) <= {*"-=~ |:"}:
            continue
        if cells:
            yield from (Text(place, number, cell) for cell in cells)
            continue
        if not held:
            start, indent = number, margin + (len(item[0]) if item else 0)
        held.append(words.removeprefix(item[0]) if item else words)


def in_source(place: str, source: str) -> Iterator[Text]:
    """Docstrings, texts of errors and warnings, and ``help=``."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef():
                if said := ast.get_docstring(node):
                    yield from paragraphs(place, said, node.body[0].lineno)
            case ast.Raise(exc=ast.Call(args=[*spoken])):
                yield from messages(place, spoken)
            case ast.Call(func=ast.Attribute(attr="warn" | "warning"), args=[said, *_]):
                yield from messages(place, [said])
            case ast.keyword(arg="help" | "short_help", value=said):
                yield from messages(place, [said])


def messages(place: str, spoken: list[ast.expr]) -> Iterator[Text]:
    for one in spoken:
        if text := "".join(literals(one)):
            yield Text(place, one.lineno, text)


def literals(node: ast.expr) -> Iterator[str]:
    """The text of a string; a value in it counts as a word."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.FormattedValue():
            yield "value"
        case ast.JoinedStr(values=parts):
            for part in parts:
                yield from literals(part)
        case ast.BinOp(left=left, right=right):
            yield from literals(left)
            yield from literals(right)


def comments(place: str, source: str) -> Iterator[Text]:
    """Comments of Python and of C++; lines of comment alone that follow each other are one."""
    lines = source.splitlines()
    if place.endswith(".py"):
        tokens = tokenize.generate_tokens(io.StringIO(source).readline)
        found = {one.start[0]: one.string for one in tokens if one.type == tokenize.COMMENT}
    else:
        parts = ((number, *line.partition("//")) for number, line in enumerate(lines, 1))
        found = {number: sign + text for number, _, sign, text in parts if sign}
    alone = {number for number, text in found.items() if lines[number - 1].strip() == text}
    held: list[str] = []
    for number, text in found.items():
        held.append(text.lstrip("#/ "))
        if not {number, number + 1} <= alone:
            yield Text(place, number - len(held) + 1, "\n".join(held))
            held = []


def in_file(file: Path) -> list[str]:
    place, text = file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")
    if file.suffix == ".md":
        return [fault for one in paragraphs(place, text) for fault in faults(one)]
    read = in_source(place, text) if file.suffix == ".py" else ()
    return [fault for one in read for fault in faults(one)] + [
        fault for one in comments(place, text) for fault in wrong_words(one)
    ]


def files() -> list[Path]:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return pages + [one for suffix in ("py", "cuh") for one in (ROOT / "src").rglob(f"*.{suffix}")]


def test_pages_and_source_are_plain_english():
    found = [fault for file in files() for fault in in_file(file)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The blocks go adrift.", "'adrift'"),
        ("It takes 8 bytes a vertex.", "'bytes a vertex'"),
        ("Both stand beside it.", "'beside'"),
        ("A thread that nobody waits for.", "'nobody'"),
        ("Weights, each of\nthem positive.", "a line ends with 'of'"),
        ("First. Of several sources, the nearest.", "begins with 'Of'"),
        ("one " * 36 + "end.", "37 words"),
        ("| a | so many |", "'so many'"),
        ("- one\n- it pays", "'it pays'"),
    ],
)
def test_what_the_lint_finds(text, said):
    (found,) = [fault for one in paragraphs("page", text) for fault in faults(one)]
    assert found.startswith("page:")
    assert said in found


@pytest.mark.parametrize(
    "text",
    [
        "It takes 8 bytes per vertex, next to `beside`.",
        "one " * 20 + "end.\n\n" + "one " * 20 + "end.",
        "```\nadrift\n```",
        ">>> adrift",
        "# So many",
        "one " * 30 + "{{ time of one / time of all @ the graph }} end.",
        "[here](https://beside.example)",
        "====  ====\nso    many\n====  ====\n1     beside\n====  ====",
    ],
)
def test_what_the_lint_passes(text):
    assert [fault for one in paragraphs("page", text) for fault in faults(one)] == []


def test_where_the_lint_looks_in_source():
    source = '''
def f():
    """Nobody."""
    raise ValueError(f"{f} dealt " + "with")
    warnings.warn("calm")
    option(help="beside", other="adrift")
    "adrift"
'''
    found = [fault for one in in_source("f.py", source) for fault in faults(one)]
    assert [fault.split("'")[1] for fault in found] == ["Nobody", "dealt", "calm", "beside"]


@pytest.mark.parametrize(
    ("place", "source", "said"),
    [
        ("f.py", "x = 1  # a bit a vertex\ny = '# beside'\n", ["f.py:1: 'bit a vertex'"]),
        (
            "f.py",
            "# read by so\n# many threads\nx = 1\n# calm\n",
            ["f.py:1: 'so many'", "f.py:4: 'calm'"],
        ),
        ("f.cuh", "// nobody\nint who;  // waits\n", ["f.cuh:1: 'nobody'"]),
    ],
)
def test_where_the_lint_looks_in_comments(place, source, said):
    found = [fault for one in comments(place, source) for fault in wrong_words(one)]
    assert [fault.partition(": write")[0] for fault in found] == said
