"""`Extension`: a Python function of a path's value and a weight, typed by these."""

from collections.abc import Callable
from typing import Any

from warpath.errors import OperatorError
from warpath.language.source import Source, frozen
from warpath.language.translate import translate
from warpath.language.tree import Function
from warpath.language.types import can_hold, is_float


class _Source(Source):
    kind = "extend"


class Extension:
    """What one more edge makes of a path's value: ``extend(d, w)`` of `warpath.Algebra`.

    Parameters
    ----------
    function : callable
        It takes two numbers. It may have what operators may have, but for arrays.

    Attributes
    ----------
    function : callable
        The same, but names outside of it stand for what they do now, for good.

    Raises
    ------
    OperatorError
        If it is no such function.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.source = _Source(function)
        self.source.function = self.function = frozen(self.source.function)
        self._typed: dict[tuple[str, str], Function] = {}
        if len(self.source.parameters) != 2:
            given = ", ".join(self.source.parameters)
            raise OperatorError(
                f"{self.source.name}({given}): extend takes two numbers, the value of a path and the weight of "
                "an edge: write lambda d, w: …"
            )

    def typed(self, value: str, weight: str) -> Function:
        """Translate it for dtypes of values and weights.

        Raises
        ------
        OperatorError
            If it has something that the language does not have, or returns nothing.
        """
        key = value, weight
        function = self._typed.get(key)
        if function is None or not self.source.still_says(function):
            given = dict(zip(self.source.parameters, key, strict=True))
            function = self._typed[key] = translate(self.source, given, use="value")
            if not function.result:
                raise OperatorError(f"{self.source.name}: extend returns a number")
        return function

    def fits(self, value: str, weight: str) -> bool:
        """Whether what it returns can be a value again."""
        result = self.typed(value, weight).result
        return result != "bool" and (is_float(value) or can_hold(value, result))
