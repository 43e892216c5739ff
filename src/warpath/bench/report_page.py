"""A page of what was measured: each suite's table beside the paper's figures, its claims, conclusions."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from warpath.bench import result_table
from warpath.bench.suite import Suite
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial, read

VERDICTS = {True: "holds", False: "does not hold", None: "not measured"}


def summaries(files: Iterable[str | Path], suites: Mapping[str, Any]) -> dict[str, Summary]:
    """Of each suite that has trials in the files, in the order of ``suites``.

    Of a configuration on a graph that several files have, the last one's trials count.

    Parameters
    ----------
    files : iterable of path
        Lines of trials, also of a run that was cut off.
    suites : mapping of str to callable
        `warpath.bench.suites.SUITES`.

    Raises
    ------
    ValueError
        A line that is no trial, or of a suite that is not there.
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
                # What was left out later does not hide what was measured.
                if key not in known or any(one.status != "left-out" for one in trials):
                    known[key] = trials
    return {
        name: Summary(make(), (one for trials in cells[name].values() for one in trials))
        for name, make in suites.items()
        if name in cells
    }


def section(name: str, suite: Suite, found: Summary, *, whole: bool = True) -> str:
    """A suite in Markdown.

    Parameters
    ----------
    whole : bool
        True: a row a configuration on a graph. False: a column a graph.
    """
    shown = result_table.grid(found) if whole or suite.columns else result_table.matrix(found)
    parts = [f"## {found.heading}\n", f"`warpath bench {name}`. {suite.about}\n"]
    if not whole and not suite.columns:
        parts.append(result_table.caption(found) + "\n")
    parts.append(shown.markdown())
    listed = result_table.claims(found)
    if listed:
        parts.append("".join(f"- {VERDICTS[holds]}: {text}\n" for text, holds in listed))
    notes = [*result_table.failures(found), *result_table.left_out(found)]
    if notes:
        parts.append("".join(f"- {line}\n" for line in notes))
    return "\n".join(parts) + "\n"


def page(found: Mapping[str, Summary], notes: Path | None = None) -> str:
    """All suites, and in front of them where they ran and how many claims hold.

    Parameters
    ----------
    found : mapping of str to Summary
        Of each suite.
    notes : path, optional
        Of a folder with what we conclude, by hand: ``NAME.md`` for each suite, ``README.md`` for the
        page.
    """
    parts = ["# The papers' tables and figures, measured again\n"]
    parts += [_note(notes, "README"), _where(found), _overview(found)]
    for name, one in found.items():
        parts.append(section(name, one.suite, one, whole=False))
        parts.append(_note(notes, name))
    return "\n".join(f"{part.rstrip()}\n" for part in parts if part)


def _note(folder: Path | None, name: str) -> str:
    file = None if folder is None else folder / f"{name}.md"
    return file.read_text(encoding="utf-8").strip() + "\n" if file and file.exists() else ""


def _where(found: Mapping[str, Summary]) -> str:
    """Machines, versions and days of all trials."""
    trials = [trial for one in found.values() for trial in one.trials if trial.status != "left-out"]
    if not trials:
        return ""
    machines = {
        (t.machine["gpu"], f"{t.machine['cores']} cores of {t.machine['cpu']}") for t in trials
    }
    shown = sorted(" and ".join(filter(None, one)) for one in machines)
    versions = {t.versions.get("warpath", "") for t in trials}
    days = sorted({t.when[:10] for t in trials})
    span = days[0] if len(days) < 2 else f"{days[0]} to {days[-1]}"
    return f"Measured on {'; '.join(shown)}; warpath {', '.join(sorted(versions))}; {span}.\n"


def _overview(found: Mapping[str, Summary]) -> str:
    """How many claims of each suite hold."""
    lines = ["| suite | shows | claims that hold | do not | not measured |", "| --- " * 5 + "|"]
    for name, one in found.items():
        verdicts = [holds for _, holds in result_table.claims(one)]
        counts = " | ".join(str(verdicts.count(holds)) for holds in (True, False, None))
        lines.append(f"| [{name}](#{_anchor(one.heading)}) | {one.heading} | {counts} |")
    return "\n".join(lines) + "\n"


def _anchor(title: str) -> str:
    """As GitHub makes it of a heading."""
    kept = (letter for letter in title.lower() if letter.isalnum() or letter in " -_")
    return "".join(kept).replace(" ", "-")
