"""Figures of Matplotlib, without a window, written as a whole."""

from pathlib import Path
from typing import TYPE_CHECKING

from warpath.files import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DOTS_AN_INCH = 150


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
    with replacing(file) as stream:
        figure.savefig(stream, format=Path(file).suffix[1:] or "png", dpi=_DOTS_AN_INCH)
