"""What an operator writes, and when that is done."""

from warpath.language.tree import Assign, Atomic, Evaluate, Function, Store, Verbatim, walk


def is_translated(function: Function) -> bool:
    """Whether it was written in Python: of a body in CUDA C++ it is not known what it writes."""
    return not any(isinstance(one, Verbatim) for one in function.body)


def written(function: Function) -> frozenset[str]:
    """The arrays that an operator writes."""
    parts = (part for statement in function.body for part in walk(statement))
    return frozenset(part.array for part in parts if isinstance(part, Store | Atomic))


def writes_late(function: Function) -> bool:
    """Whether it may write when it has returned: plainly, or by an atomic operation whose result it may not use."""
    for statement in function.body:
        for part in walk(statement):
            if isinstance(part, Store):
                return True
            if isinstance(part, Assign | Evaluate) and any(
                isinstance(one, Atomic) for one in walk(part.value)
            ):
                return True
    return False
