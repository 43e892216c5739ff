"""What we conclude of a suite: text by hand, whose numbers come from the suite's trials.

Numbers stand as questions in double braces, so that a new run changes them as well:

``{{ H-BF / delta-stepping }}``
    How many times as long the first takes: "1.6 to 4.6", over all graphs where both were measured.
``{{ H-BF / Dijkstra @ msdoor; flickr }}``
    On these graphs.
``{{ H-BF @ msdoor }}``
    Milliseconds.
``{{ relaxations: H-BF / Dijkstra @ msdoor }}``
    A name in front says that it is a count instead of the time.
``{{ paper: H-BF / Dijkstra @ msdoor }}``
    What the paper prints.
``{{ best @ msdoor }}``
    The configuration that takes the least time.
"""

import re
from collections.abc import Callable

from warpath.bench.result_table import digits
from warpath.bench.suite import Suite
from warpath.bench.summary import Summary

_QUESTION = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.^-])\d+(?:,\d{3})*(?:\.\d+)?")
_CODE = re.compile(r"`[^`]*`|\[[^\]]*\]\([^)]*\)")
_PAPER, _BEST = "paper", "best"


def fill(text: str, found: Summary) -> str:
    """The text with its numbers.

    Raises
    ------
    ValueError
        A question about something that was not measured.
    """
    return _QUESTION.sub(lambda match: _answer(" ".join(match[1].split()), found), text)


def loose_numbers(text: str, suite: Suite) -> list[str]:
    """Numbers that no trial gives: neither an answer, nor a name or a number of the suite's own texts."""
    said = [suite.title, suite.about, suite.theirs, suite.ours, *(one.text for one in suite.claims)]
    said += [case.name for case in suite.cases] + [one.label for one in suite.configurations]
    known = set(_NUMBER.findall(" ".join(said)))
    return [
        one for one in _NUMBER.findall(_CODE.sub("", _QUESTION.sub("", text))) if one not in known
    ]


def _answer(question: str, found: Summary) -> str:
    asked, _, where = question.partition(" @ ")
    graphs = [one.strip() for one in where.split(";")] if where else found.graphs
    if asked == _BEST:
        return ", ".join(dict.fromkeys(f"`{found.ranked(graph)[0]}`" for graph in graphs))
    of, colon, labels = asked.partition(": ")
    if not colon or of in found.labels:
        of, labels = "", asked
    slow, ratio, fast = labels.partition(" / ")
    values = []
    for graph in graphs:
        value = _value(found, graph, slow, of)
        if ratio:
            other = _value(found, graph, fast, of)
            value = value / other if value is not None and other else None
        elif value is not None and not of:
            value *= 1e3
        if value is not None:
            values.append(value)
        elif where:
            raise ValueError(f"{{{{{question}}}}}: not measured on {graph!r}")
    if not values:
        raise ValueError(f"{{{{{question}}}}}: not measured")
    write = _rounded if ratio else digits
    return _span(values, write)


def _value(found: Summary, graph: str, label: str, of: str) -> float | None:
    if of == _PAPER:
        return found.suite.published.get((graph, label))
    if of:
        value = found.count(graph, label, of)
        return None if value is None else float(value)
    return found.seconds(graph, label)


def _span(values: list[float], write: Callable[[float], str]) -> str:
    low, high = write(min(values)), write(max(values))
    return low if low == high else f"{low} to {high}"


def _rounded(ratio: float) -> str:
    """Two digits behind the point below 2, else two or three digits in all."""
    return f"{ratio:.2f}" if ratio < 2 else f"{ratio:.1f}" if ratio < 10 else f"{ratio:,.0f}"
