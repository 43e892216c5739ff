"""Options of the commands that run suites or show their results."""

import re

import click

from warpath.cli import options
from warpath.cli.name_types import Name
from warpath.typing import DEVICES


def _listed(_: click.Context, __: click.Parameter, text: str | None) -> tuple[str, ...]:
    """Parts at commas; those before a space are the names' own: "SSSP, GPU"."""
    return tuple(filter(None, re.split(r",(?! )", text or "")))


PICTURES = (".pdf", ".svg", ".png")
TEXTS = ("markdown", "latex", "csv")


def _can_draw(_: click.Context, __: click.Parameter, plot: str | None) -> str | None:
    """Refuse, before anything is measured, what could not be drawn."""
    from pathlib import Path

    if plot is None:
        return None
    suffix = Path(plot).suffix
    if suffix and suffix not in PICTURES and not Path(plot).is_dir():
        raise click.BadParameter(f"{plot}: a picture ends in {', '.join(PICTURES)}")
    from warpath.figures import new_figure

    try:
        new_figure()
    except ModuleNotFoundError as error:
        raise click.UsageError(str(error)) from None
    return plot


def _with_plot(context: click.Context, _: click.Parameter, rooflines: bool) -> bool:
    if rooflines and context.params.get("plot") is None:
        raise click.UsageError(
            "--rooflines are drawn next to what --plot draws: give --plot as well"
        )
    return rooflines


# What a command writes of its suites.
to_files = options.together(
    click.option("--markdown", type=click.Path(dir_okay=False, allow_dash=True),
                 help="Write tables in Markdown ('-': print them)."),
    click.option("--latex", type=click.Path(dir_okay=False, allow_dash=True),
                 help="Write tables in LaTeX, with the rules of booktabs ('-': print them)."),
    click.option("--csv", type=click.Path(dir_okay=False, allow_dash=True),
                 help="Write a line of values for each configuration on each graph ('-': print)."),
    click.option("--plot", type=click.Path(), metavar="FOLDER|FILE", callback=_can_draw,
                 is_eager=True,  # --rooflines looks at it
                 help="Draw a figure of each suite: into this folder as .png, or to this .pdf, .svg "
                      "or .png file (of several suites with their names added)."),
    click.option("--rooflines", is_flag=True, callback=_with_plot,
                 help="With --plot: draw times over the bytes that a search must move, as well."),
)  # fmt: skip

run_options = options.together(
    to_files,
    click.option("-o", "--output", type=click.Path(dir_okay=False),
                 help="Append one line of JSON per trial to this file."),
    click.option("--originals", is_flag=True,
                 help="The papers' own graphs, where they were fetched."),
    click.option("--configurations", callback=_listed, metavar="PART,PART",
                 help="Only configurations with one of these in their names."),
    click.option("--graphs", callback=_listed, metavar="PART,PART",
                 help="Only graphs with one of these in their names."),
    click.option("--keep-graphs", type=click.Path(file_okay=False), metavar="DIR",
                 help="Keep graphs here that take long to make, for other runs."),
    click.option("--budget", type=float,
                 help="Seconds for each suite, all but compiling counted; then nothing more is begun."
                      "  [default: 420; 30 with --quick, inf with --full]"),
    click.option("--limit", type=float,
                 help="Seconds that a configuration may measure on a graph.  [default: 10; 2 with --quick]"),
    click.option("--quick", is_flag=True, help="A tenth of the vertices, 5 sources."),
    click.option("--full", is_flag=True, help="100 sources, as the papers have."),
    click.option("--sources", type=int, help="Sources per graph.  [default: 20; of gap 64]"),
    click.option("--scale", type=float, help="Times the vertices of the paper's graphs.  [default: 1]"),
    click.option("--device", default="auto", show_default=True, type=Name(DEVICES),
                 help="cpu, cuda, or auto: all that can be used."),
    options.seed,
    options.threads,
    options.as_json,
)  # fmt: skip
