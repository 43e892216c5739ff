"""Figures of Matplotlib, without a window, written as a whole; SVG for light and dark pages."""

from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warpath.files import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DOTS_AN_INCH = 150
# Text stays text, and the same figure is the same file.
_SVG: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "warpath",
    "font.family": "sans-serif",
}
# What Matplotlib draws in black and light grey, on a dark page.
_DARK = """<style>
@media (prefers-color-scheme: dark) {
  text { fill: #d0d7de; }
  [style*="stroke: #000000"] { stroke: #d0d7de !important; }
  [style*="fill: #000000"] { fill: #d0d7de !important; }
  [style*="stroke: #e5e5e5"], [style*="stroke: #e6e6e6"], [style*="stroke: #cccccc"] { stroke: #444c56 !important; }
}
</style>
"""


def new_figure() -> "Figure":
    """An empty one, without a window.

    Raises
    ------
    ModuleNotFoundError
        If matplotlib is missing: ``pip install 'warpath[plot]'``.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise ModuleNotFoundError("a plot needs matplotlib: pip install 'warpath[plot]'") from None
    return Figure(layout="constrained")


def write(figure: "Figure", file: str | Path) -> None:
    """Write it; the suffix says how, without one it is a PNG. An old file is replaced as a whole.

    Raises
    ------
    OSError
        If the file cannot be written.
    ValueError
        If Matplotlib does not know the suffix.
    """
    kind = Path(file).suffix[1:] or "png"
    with replacing(file) as stream:
        if kind == "svg":
            stream.write(_svg(figure).encode())
        else:
            figure.savefig(stream, format=kind, dpi=_DOTS_AN_INCH)


def _svg(figure: "Figure") -> str:
    """Without a background, legible on light and dark pages."""
    import matplotlib

    text = StringIO()
    with matplotlib.rc_context(_SVG):
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    head, style, rest = text.getvalue().partition("<defs>")
    return head + _DARK + style + rest
