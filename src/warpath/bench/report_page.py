"""Pages of what was measured: one table of claims and verdicts, and behind it a page for each paper."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from warpath.bench import conclusion, figure, result_table
from warpath.bench.papers import PAPERS, paper_of
from warpath.bench.suite import Suite
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial, read
from warpath.files import replacing

VERDICTS = {True: "holds", False: "does not hold", None: "inconclusive"}
_HEAD = ("shown in", "claim", "verdict", "the paper ran", "we ran")
_READING = """\
A table of times shows how many times faster a row is than the one that is marked *ms*; in brackets the paper's ratio.
"""


def summaries(files: Iterable[str | Path], suites: Mapping[str, Any]) -> dict[str, Summary]:
    """The summary of each suite that has trials in the files, in the order of ``suites``.

    Where several files have the same configuration and graph, the last one's trials count.

    Parameters
    ----------
    files : iterable of path
        Lines of trials, also of a run that was cut off.
    suites : mapping of str to callable
        `warpath.bench.suites.SUITES`.

    Raises
    ------
    ValueError
        A line that is no trial, or of a suite that is not there; a file in which a graph has two sizes.
    """
    cells: dict[str, dict[tuple[str, str], list[Trial]]] = {}
    for file in files:
        own: dict[str, dict[tuple[str, str], list[Trial]]] = {}
        for trial in read(file):
            if trial.suite not in suites:
                raise ValueError(f"{file}: no suite is called {trial.suite!r}")
            key = str(trial.graph["name"]), str(trial.configuration["label"])
            own.setdefault(trial.suite, {}).setdefault(key, []).append(trial)
        for suite, found in own.items():
            known = cells.setdefault(suite, {})
            for key, trials in found.items():
                scales = sorted({one.graph["scale"] for one in trials if one.status != "left-out"})
                if len(scales) > 1:
                    several = " and ".join(f"{scale:g}" for scale in scales)
                    raise ValueError(
                        f"{file}: {', '.join(key)} is there at the scales {several}, which are no trials of "
                        "one graph: give each scale a file"
                    )
                # What was left out later does not hide what was measured.
                if key not in known or any(one.status != "left-out" for one in trials):
                    known[key] = trials
    made = {name: make() for name, make in suites.items()}
    return {
        name: Summary(suite, (one for trials in cells[source].values() for one in trials))
        for name, suite in made.items()
        if (source := name if name in cells else suite.trials_of) in cells
    }


def section(name: str, suite: Suite, found: Summary) -> str:
    """A suite in Markdown, a row for each configuration on each graph."""
    parts = [
        f"## {found.heading}\n", f"`warpath bench {name}`. {suite.about}\n",
        result_table.grid(found).markdown(), _claims(found), _notes(found),
    ]  # fmt: skip
    return "\n".join(filter(None, parts)) + "\n"


def pages(found: Mapping[str, Summary], notes: Path | None, folder: str) -> dict[str, str]:
    """The overview (""), and a page for each paper by its key.

    Parameters
    ----------
    found : mapping of str to Summary
        That of each suite.
    notes : path, optional
        A folder with what we conclude, by hand: ``NAME.md`` for each suite (see
        `warpath.bench.conclusion`), ``README.md`` for the overview.
    folder : str
        That of the papers' pages, as the overview links to them.
    """
    by_paper: dict[str, dict[str, Summary]] = {}
    for name, one in found.items():
        key = paper_of(name)
        if key is not None:
            by_paper.setdefault(key, {})[name] = one
    written = {"": _overview(by_paper, notes, folder)}
    drawn = _pictures(found)
    return written | {key: _paper(key, suites, notes, drawn) for key, suites in by_paper.items()}


def write(found: Mapping[str, Summary], notes: Path | None, file: Path) -> None:
    """The overview to ``file``, the papers' pages into the folder of that name without its suffix.

    Pictures stand in the same folder.

    Raises
    ------
    OSError
        If a file cannot be written.
    ValueError
        A conclusion about something that was not measured.
    """
    folder = file.with_suffix("")
    written = pages(found, notes, folder.name)
    folder.mkdir(parents=True, exist_ok=True)
    for key, text in written.items():
        with replacing(folder / f"{key}.md" if key else file) as stream:
            stream.write(text.encode())
    for name in filter(None, dict.fromkeys(_pictures(found).values())):
        figure.save(found[name], folder / f"{name}.svg")


def _overview(
    by_paper: Mapping[str, Mapping[str, Summary]], notes: Path | None, folder: str
) -> str:
    verdicts = [
        holds
        for suites in by_paper.values()
        for one in suites.values()
        for _, holds in result_table.claims(one)
    ]
    hold, fail, unknown = (verdicts.count(holds) for holds in VERDICTS)
    parts = ["# The papers' claims, asked again\n", _note(notes, "README")]
    parts.append(
        f"{hold} of {len(verdicts)} claims hold, {fail} do not hold, {unknown} are inconclusive.\n"
    )
    every = [t for suites in by_paper.values() for one in suites.values() for t in one.trials]
    parts.append(_where(every))
    for key, suites in by_paper.items():
        parts.append(f"## {PAPERS[key].title}\n")
        parts.append(f"[Tables and conclusions]({folder}/{key}.md)\n")
        parts.append(_claim_table(suites, f"{folder}/{key}.md"))
        silent = [
            _link(one, f"{folder}/{key}.md") for one in suites.values() if not one.suite.claims
        ]
        if silent:
            parts.append(f"Shown without a claim: {', '.join(silent)}.\n")
    return "\n".join(part for part in parts if part)


def _claim_table(suites: Mapping[str, Summary], page: str) -> str:
    """A row for each claim; what is the same for a suite stands in its first one."""
    rows: list[tuple[str, ...]] = []
    for one in suites.values():
        first = (_link(one, page), one.suite.theirs, one.suite.ours)
        for text, holds in result_table.claims(one):
            where, theirs, ours = first
            rows.append((where, text, f"**{VERDICTS[holds]}**", theirs, ours))
            first = ("", "", "")
    return result_table.Grid(_HEAD, (tuple(rows),)).markdown() if rows else ""


def _pictures(found: Mapping[str, Summary]) -> dict[str, str]:
    """The picture that each suite has instead of a table; "": a table, if anything was measured.

    A suite that shows another's trials has that of the first that does.
    """
    drawn: dict[str, str] = {}
    for name, one in found.items():
        source = one.suite.trials_of
        if not one.was_measured:
            drawn[name] = ""
        elif source:
            same = (other for other in drawn if found[other].suite.trials_of == source)
            drawn[name] = next(same, name)
        else:
            drawn[name] = name if _is_figure(one.suite) else ""
    return drawn


def _is_figure(suite: Suite) -> bool:
    """Lines, or dots of one graph: numbers of many graphs are easier to compare in a table."""
    is_small = len(suite.cases) == 1 and not suite.columns
    return suite.plot == "lines" or (suite.plot == "dots" and is_small)


def _paper(
    key: str, suites: Mapping[str, Summary], notes: Path | None, drawn: Mapping[str, str]
) -> str:
    trials = [t for one in suites.values() for t in one.trials]
    parts = [f"# {PAPERS[key].title}\n", f"{PAPERS[key].about}\n", _where(trials), _READING]
    for name, one in suites.items():
        about = one.suite.about.partition("\n\n")[0]
        parts += [f"## {_title(one)}\n", f"`warpath bench {name}`. {about}{_origin(one)}\n"]
        if drawn[name]:
            parts.append(f"![{_title(one)}]({drawn[name]}.svg)\n")
        elif one.was_measured:
            table = result_table.counts if one.suite.columns else result_table.matrix
            parts.append(table(one).markdown())
        parts.append(_notes(one))
        try:
            parts.append(_joined(conclusion.fill(_note(notes, name), one)))
        except ValueError as error:
            raise ValueError(f"{notes}, {name}.md: {error}") from None
    return "\n".join(part for part in parts if part)


def _claims(found: Summary) -> str:
    return "".join(f"- {VERDICTS[holds]}: {text}\n" for text, holds in result_table.claims(found))


def _notes(found: Summary) -> str:
    return "".join(f"- {line}\n" for line in result_table.remarks(found))


def _note(folder: Path | None, name: str) -> str:
    file = None if folder is None else folder / f"{name}.md"
    return file.read_text(encoding="utf-8").strip() + "\n" if file and file.exists() else ""


def _joined(text: str) -> str:
    """Each paragraph in one line: numbers make lines of any length."""
    paragraphs = (" ".join(one.split()) for one in text.split("\n\n"))
    return "\n".join(f"{one}\n" for one in paragraphs if one)


def _where(trials: list[Trial]) -> str:
    """Machines, versions and days of trials."""
    trials = [one for one in trials if one.status != "left-out"]
    if not trials:
        return ""
    machines = {
        (t.machine["gpu"], f"{t.machine['cores']} cores of {t.machine['cpu']}") for t in trials
    }
    shown = sorted(" and ".join(filter(None, one)) for one in machines)
    versions = {t.versions.get("warpath", "") for t in trials}
    days = _days(trials)
    return f"Measured on {'; '.join(shown)}; warpath {', '.join(sorted(versions))}; {days}.\n"


def _days(trials: list[Trial]) -> str:
    days = sorted({t.when[:10] for t in trials if t.status != "left-out"})
    return " to ".join(dict.fromkeys((days[0], days[-1]))) if days else ""


def _title(found: Summary) -> str:
    """The title of a suite on its paper's page: ``Table 2: shortest paths``."""
    title = found.suite.title.partition(", ")[2]
    return title[:1].upper() + title[1:]


def _origin(found: Summary) -> str:
    """What its graphs are, as its heading says elsewhere: " Graphs: some stand-ins."."""
    told = found.heading[len(found.suite.title) :].strip(" ()")
    return f" Graphs: {told}." if told else ""


def _link(found: Summary, page: str) -> str:
    """To the suite on its paper's page, by ``table 2``."""
    shown = found.suite.title.partition(", ")[2].partition(":")[0]
    return f"[{shown}]({page}#{_anchor(_title(found))})"


def _anchor(title: str) -> str:
    """As GitHub makes it of a heading."""
    kept = (letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return "".join(kept).replace(" ", "-")
