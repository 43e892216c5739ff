"""Statements: from a syntax tree to typed ones."""

import ast
from collections.abc import Mapping

from warpath.language.expressions import Expressions
from warpath.language.races import Races
from warpath.language.refused import article, lost_update, named, race
from warpath.language.source import Source, assigned_in
from warpath.language.tree import (
    Assign,
    Atomic,
    Constant,
    Evaluate,
    Expression,
    For,
    If,
    Jump,
    Return,
    Statement,
    Store,
    While,
)
from warpath.language.types import (
    BOOL,
    INT,
    WIDE,
    Type,
    can_hold,
    either,
    is_float,
    is_integer,
    is_weak,
    stored,
)


class Statements(Expressions):
    """One pass over a function, for arguments of given types.

    Attributes
    ----------
    returned : list of str
        The types of what it returns.
    """

    def __init__(
        self,
        source: Source,
        given: Mapping[str, Type],
        weight: str,
        kinds: Mapping[str, str],
        result: str | None,
        races: Races,
    ) -> None:
        super().__init__(source, given, weight, kinds)
        self.result = result
        self.returned: list[str] = []
        self.races = races

    def body(self) -> tuple[Statement, ...]:
        """The statements of the function."""
        return self._block(self.source.body)

    def _block(self, nodes: list[ast.stmt]) -> tuple[Statement, ...]:
        made: list[Statement] = []
        for node in nodes:
            if isinstance(node, ast.Pass) or _is_docstring(node):
                continue
            made.append(self._statement(node))
        return tuple(made)

    def _statement(self, node: ast.stmt) -> Statement:
        match node:
            case ast.Return(value=value):
                if value is None:
                    return self._returns(node, Constant(BOOL, False), is_value=False)
                is_truth = self.result == BOOL
                return self._returns(node, self.condition(value) if is_truth else self.value(value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self._assign(node, name, self.value(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                return self._assign(node, name, self.value(value))
            case ast.Assign(targets=[ast.Subscript() as target], value=value):
                return self._store(target, self.value(value))
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                read = ast.copy_location(ast.Name(name, ast.Load()), target)
                sum_ = ast.copy_location(ast.BinOp(read, op, value), node)
                return self._assign(node, name, self.value(sum_))
            case ast.AugAssign(target=ast.Subscript() as target, op=op, value=value):
                return self._update(node, target, op, value)
            case ast.If(test=test, body=body, orelse=orelse):
                return self._branch(test, body, orelse)
            case ast.While(test=test, body=body, orelse=[]):
                condition = self.condition(test)
                with self.races.loop(_name_of_loop(node), assigned_in(node), condition):
                    return While(condition, self._loop(body))
            case ast.For(target=ast.Name(id=name), iter=steps, body=body, orelse=[]):
                return self._counted(node, name, steps, body)
            case ast.Break() | ast.Continue():
                self.races.leave()
                self.assigned |= self.source.assigned  # likewise
                return Jump("break" if isinstance(node, ast.Break) else "continue")
            case ast.Expr(value=value):
                made = self.value(value)
                if not isinstance(made, Atomic):
                    self.refuse(node, "this line computes something and does nothing with it")
                self.races.of(made)
                return Evaluate(made)
        if isinstance(node, ast.Assign):
            self.refuse(node, "an assignment has one name or element: write a line for each")
        self.refuse(
            node,
            f"{self.source.kind} has no {named(node)}: it has assignments, if, while, for … in range(…) and return",
        )

    def _returns(self, node: ast.AST, value: Expression, is_value: bool = True) -> Statement:
        self.races.of(value)
        self.races.leave()
        if is_value:
            self.returned.append(value.kind)
        self.assigned |= self.source.assigned  # what follows is not reached
        if self.result is None:
            return Return(value)
        return Return(
            self.truth(value) if self.result == BOOL else self.cast(node, value, self.result)
        )

    def _assign(self, node: ast.AST, name: str, value: Expression) -> Statement:
        if name in self.scalars or name in self.arrays:
            self.refuse(node, f"{name} is a parameter: give the new value another name")
        kind = self.locals.setdefault(name, value.kind)
        if is_weak(kind) or (is_integer(kind) and value.kind == WIDE):
            kind = self.locals[name] = either(kind, value.kind)
        elif not can_hold(kind, value.kind):
            self.refuse(
                node,
                f"{name} is {article(kind)} since it was first assigned, and this is {article(stored(value.kind))}: "
                f"begin with np.{stored(value.kind)}(…), or write np.{kind}(…) here",
            )
        self.assigned.add(name)
        self.races.assign(name, value)
        return Assign(name, self.cast(node, value, kind))

    def _branch(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> Statement:
        condition = self.condition(test)
        before = set(self.assigned)
        with self.races.under(condition):
            first = self._block(body)
        after_first, self.assigned = self.assigned, before
        with self.races.under(condition, holds=False):
            second = self._block(orelse)
        self.assigned = after_first & self.assigned
        for block, holds in ((body, True), (orelse, False)):
            if _leaves(block):
                self.races.after(condition, holds=not holds)
        self.races.forget(*assigned_in(*body, *orelse))
        return If(condition, first, second)

    def _loop(self, body: list[ast.stmt], *counters: str) -> tuple[Statement, ...]:
        before = set(self.assigned)
        self.assigned.update(counters)
        made = self._block(body)
        self.assigned = before  # it may not run at all
        return made

    def _counted(
        self, node: ast.For, name: str, steps: ast.expr, body: list[ast.stmt]
    ) -> Statement:
        if not (
            isinstance(steps, ast.Call)
            and self.known(steps.func) is range
            and 1 <= len(steps.args) <= 3
            and not steps.keywords
        ):
            self.refuse(node, "a loop goes over range(…): write `for i in range(n):`")
        ends = [self.value(arg) for arg in steps.args]
        for arg, end in zip(steps.args, ends, strict=True):
            if not is_integer(end.kind):
                self.refuse(arg, f"range(…) takes integers, not {article(end.kind)}")
        step = 1
        if len(ends) == 3:
            last = ends.pop()
            if not isinstance(last, Constant) or last.value == 0:
                self.refuse(node, "the step of range(…) is a number, and not 0: write it out")
            step = int(last.value)
        start, stop = ends if len(ends) == 2 else (Constant(INT, 0), ends[0])
        whole = [self.cast(node, end, "int64") for end in (start, stop)]
        if self.locals.get(name, INT) not in (INT, WIDE) or name in {*self.scalars, *self.arrays}:
            self.refuse(node, f"{name} has another type already: give the loop a name of its own")
        self.locals[name] = WIDE
        with self.races.loop(_name_of_loop(node), assigned_in(node), start, stop):
            self.races.assign(name, start, stop)
            if start == Constant(INT, 0) and step > 0 and name not in assigned_in(*body):
                self.races.count(name, stop)
            return For(name, whole[0], whole[1], step, self._loop(body, name))

    def _store(self, node: ast.Subscript, value: Expression) -> Statement:
        at = self.element(node)
        if not can_hold(at.kind, value.kind) and not (is_float(at.kind) and is_float(value.kind)):
            self.refuse(
                node,
                f"{at.array} holds {at.kind}, and this is {article(stored(value.kind))}: write np.{at.kind}(…)",
            )
        if self.races.store(at, value):
            self.refuse(node, race(node, self.source.on_edges, self.races.has_swap))
        return Store(at.array, at.index, self.cast(node, value, at.kind), at.line)

    def _update(
        self, node: ast.AugAssign, target: ast.Subscript, op: ast.operator, value: ast.expr
    ) -> Statement:
        if not self.races.is_alone(self.element(target).index):
            self.refuse(node, lost_update(target, op, value))
        read = ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
        return self._store(target, self.value(ast.copy_location(ast.BinOp(read, op, value), node)))


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether nothing that follows a block runs behind it."""
    match body[-1:]:
        case [ast.Return() | ast.Break() | ast.Continue()]:
            return True
        case [ast.If(body=first, orelse=other)]:
            return _leaves(first) and _leaves(other)
    return False


def _name_of_loop(node: ast.stmt) -> str:
    """A name that no variable has, the same in each pass."""
    return f"loop {node.lineno}:{node.col_offset}"


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
