"""An operator whose body is CUDA C++, as it is written."""

from collections.abc import Mapping

import numpy as np

from warpath.errors import OperatorError
from warpath.language.tree import Function, Verbatim
from warpath.language.types import DTYPES, ArrayOf, Type, is_float, stored


class CppSource:
    """The body of an operator in CUDA C++, and its parameters.

    Parameters
    ----------
    text : str
    parameters : str
        Their names, as in ``"u, v, w, distance"``.
    returns : str or None
        The dtype of what it returns; None: nothing, or on edges whether v enters the next frontier.

    Attributes
    ----------
    name : str
    vertices, parameters : tuple of str
    on_edges, takes_weight : bool
        As of `warpath.language.source.OperatorSource`.

    Raises
    ------
    OperatorError
        If the parameters are none of an operator, or the dtype is none.
    TypeError
        If the body or the parameters are no text.
    """

    name = "source"

    def __init__(self, text: str, parameters: str, returns: str | None) -> None:
        if not (isinstance(text, str) and isinstance(parameters, str)):
            raise TypeError(
                "source= and parameters= are texts, as in parameters='u, v, w, distance'"
            )
        names = [one.strip() for one in parameters.split(",")] if parameters.strip() else []
        if not all(one.isidentifier() and one.isascii() for one in names) or len(set(names)) != len(
            names
        ):
            raise OperatorError(
                f"parameters are names, each once, as in 'u, v, w, distance', not {parameters!r}"
            )
        self.on_edges = names[:2] == ["u", "v"]
        if not self.on_edges and names[:1] != ["v"]:
            raise OperatorError(
                f"source({', '.join(names)}): an operator on edges begins with u, v or u, v, w (from, to, weight), "
                "one on vertices with v"
            )
        self.text = text
        self.vertices = ("u", "v") if self.on_edges else ("v",)
        self.takes_weight = self.on_edges and names[2:3] == ["w"]
        self.parameters = tuple(names[len(self.vertices) + self.takes_weight :])
        self.returns = None if returns is None else _name_of(returns)
        if self.returns is not None and self.returns not in DTYPES:
            raise OperatorError(f"operators return {', '.join(DTYPES)}, not {returns!r}")

    def place_of_line(self, line: int) -> str:
        """A line, as a message names it."""
        return f"source:{line}"

    def typed(self, given: Mapping[str, Type], weight: str, use: str) -> Function:
        """The operator for arguments of certain types: see `warpath.language.translate.translate`."""
        result = self.returns or ""
        if use == "sum" and result and not is_float(result):
            result = "int64"
        return Function(
            name=self.name,
            on_edges=self.on_edges,
            arrays={name: kind.dtype for name, kind in given.items() if isinstance(kind, ArrayOf)},
            scalars={name: stored(kind) for name, kind in given.items() if isinstance(kind, str)},
            takes_weight=self.takes_weight,
            weight=weight,
            body=(Verbatim(self.text),),
            result=result,
        )


def _name_of(dtype: object) -> str:
    """A dtype's name, "" of what is none."""
    try:
        return np.dtype(dtype).name  # type: ignore[call-overload, no-any-return]
    except TypeError:
        return ""
