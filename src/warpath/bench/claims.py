"""What papers claim, as questions to a `Summary`: True, False, or None where it was not measured."""

from collections.abc import Callable, Mapping, Sequence
from statistics import geometric_mean

from warpath.bench.summary import Summary

Question = Callable[[Summary], bool | None]
# Times that are this close are the same: what repeats of a run differ by.
SAME = 1.05


def fastest(
    label: str, graph: str, among: Sequence[str] | None = None, *, place: int = 1
) -> Question:
    """On a graph it is faster than all others; at ``place`` 2 one other may be faster.

    None also where the next one is as fast but for noise: that is no answer.
    """

    def holds(found: Summary) -> bool | None:
        ratio = _over_rival(found, label, graph, among, place)
        if ratio is None or 1 / SAME < ratio <= SAME:
            return None
        return ratio < 1

    return holds


def as_fast(label: str, graph: str, among: Sequence[str]) -> Question:
    """On a graph nothing is faster by more than noise."""

    def holds(found: Summary) -> bool | None:
        ratio = _over_rival(found, label, graph, among)
        return None if ratio is None else ratio <= SAME

    return holds


def _over_rival(
    found: Summary, label: str, graph: str, among: Sequence[str] | None, place: int = 1
) -> float | None:
    """Its time over that of the fastest other, or of the one at ``place``."""
    ranked = found.ranked(graph, among)
    rivals = [one for one in ranked if one != label]
    if label not in ranked or len(rivals) < place:
        return None
    return found.ratio(graph, label, rivals[place - 1])


def faster(fast: str, slow: str, graphs: Sequence[str], by: float | None = None) -> Question:
    """On each of the graphs one takes at least ``by`` times as long as another.

    By default longer by more than noise; where both take as long but for noise, that is no answer.
    """
    most, least = (by, by) if by is not None else (SAME, 1 / SAME)

    def holds(found: Summary) -> bool | None:
        ratios = _ratios(found, slow, fast, graphs)
        # What was ended at the limit takes longer than its ratio says: by how much is not known.
        known = [(ratio, ended) for ratio, ended in ratios if ratio >= most or not ended]
        if any(ratio < least for ratio, _ in known):
            return False
        return True if known and all(ratio >= most for ratio, _ in known) else None

    return holds


def _ratios(
    found: Summary, slow: str, fast: str, graphs: Sequence[str]
) -> list[tuple[float, bool]]:
    """Where both were measured: how many times as long, and whether the slow one was ended."""
    ratios = []
    for graph in graphs:
        ratio, cell = found.ratio(graph, slow, fast), found.cell(graph, slow)
        if ratio is not None and cell is not None:
            ratios.append((ratio, cell.limit is not None))
    return ratios


def ahead_of_published(label: str, seconds: Mapping[str, float], by: float) -> Question:
    """On each graph that was measured at full size it is ``by`` times as fast as what is published."""

    def holds(found: Summary) -> bool | None:
        answers = []
        for graph, published in seconds.items():
            taken, cell = found.seconds(graph, label), found.cell(graph, label)
            if taken is None or cell is None or cell.trials[0].graph.get("scale", 1) != 1:
                continue
            answers.append(taken * by <= published)
        return all(answers) if answers else None

    return holds


def gain_between(slow: str, fast: str, graphs: Sequence[str], low: float, high: float) -> Question:
    """The gain, in the geometric mean over the graphs, is between two numbers."""

    def holds(found: Summary) -> bool | None:
        ratios = [ratio for ratio, ended in _ratios(found, slow, fast, graphs) if not ended]
        return low <= geometric_mean(ratios) <= high if ratios else None

    return holds


def counts_more(more: str, less: str, graph: str, name: str, by: float) -> Question:
    """One counts at least ``by`` times as much of something as another."""

    def holds(found: Summary) -> bool | None:
        many, few = found.count(graph, more, name), found.count(graph, less, name)
        return None if many is None or not few else many / few >= by

    return holds


def both(*questions: Question) -> Question:
    """All hold; None if one was not measured, or there is none."""

    def holds(found: Summary) -> bool | None:
        answers = [question(found) for question in questions]
        if False in answers:
            return False
        return None if None in answers or not answers else True

    return holds
