"""Operators whose bodies are CUDA C++: their parameters, their types, and what NVRTC says of them."""

from functools import partial

import numpy as np
import pytest

import warpath as wp
from warpath.balance import DEFAULT, lookup
from warpath.cuda import operators
from warpath.cuda.compile import compile_kernel
from warpath.cuda.instances import edge_operator_kernel, reduce_kernel, vertex_operator_kernel
from warpath.errors import OperatorError
from warpath.language.cpp import header
from warpath.language.types import ArrayOf

GRAPH = wp.generate.grid(3, weights=(1, 9))
RELAX = "return atomic_min(distance + v, distance[u] + w * factor);"


def typed(text, parameters, use="call", returns=None, **given):
    operator = wp.operator(source=text, parameters=parameters, returns=returns)
    return operator.typed(given, "int32", use)


def compiled(function, base, instance, *arguments):
    pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")
    path = operators.write_header(header(base, function, weighted=True))
    return compile_kernel(path, instance(*arguments), "sm_90", use_cache=False)


def test_a_body_on_edges_compiles():
    arrays = {"distance": ArrayOf("float32"), "factor": "weak int"}
    function = typed(RELAX, "u, v, w, distance, factor", **arrays)
    assert function.takes_weight
    assert function.scalars == {"factor": "int64"}
    compiled(function, "algorithms/edge_operator.cuh", edge_operator_kernel, 4, "EdgeOperator", lookup(DEFAULT))  # fmt: skip


def test_a_body_on_vertices_compiles():
    function = typed(
        "x[v] *= 2;\nreturn sqrtf(x[v]);", "v, x", x=ArrayOf("float32"), returns="float32"
    )
    assert function.result == "float32"
    compiled(function, "vertices.cuh", vertex_operator_kernel)
    compiled(function, "vertices.cuh", reduce_kernel, "Max", True)


def test_names_in_other_letters_compile():
    @wp.operator
    def widen(u, v, w, größe, λ):
        neu = min(größe[u], w * λ)
        return wp.atomic_max(größe, v, neu)

    function = widen.typed({"größe": ArrayOf("float32"), "λ": "weak int"}, "int32")
    compiled(function, "algorithms/edge_operator.cuh", edge_operator_kernel, 4, "EdgeOperator", lookup(DEFAULT))  # fmt: skip


@pytest.mark.parametrize(
    ("returns", "use", "result"),
    [(None, "call", ""), ("int32", "value", "int32"), ("int32", "sum", "int64"), ("float32", "sum", "float32")],
)  # fmt: skip
def test_what_it_returns(returns, use, result):
    assert typed("return 1;", "u, v", use, returns).result == result


def test_messages_of_the_compiler_name_the_users_line(monkeypatch):
    function = typed("int x = 5;\nreturn atomic_mix(y + v, x);", "u, v, y", y=ArrayOf("int32"))

    def kernel(path, instance, *arguments, blocks):
        return compile_kernel(path, instance(*arguments), "sm_90", use_cache=False)

    monkeypatch.setattr(operators, "kernel", kernel)
    pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")
    path = operators.write_header(header("algorithms/edge_operator.cuh", function))
    call = partial(operators._kernel, function, path, edge_operator_kernel, 4, "EdgeOperator")
    with pytest.raises(
        OperatorError, match=r'source\(2\): error: identifier "atomic_mix"'
    ) as found:
        call(lookup(DEFAULT), blocks=1)
    assert "return atomic_mix(y + v, x);" in str(found.value)
    assert "cuh" not in str(found.value)


def test_on_a_cpu_it_is_refused_by_name():
    relax = wp.operator(source=RELAX, parameters="u, v, w, distance, factor")
    degree = wp.operator(source="return 1;", parameters="v", returns="int32")
    with pytest.raises(OperatorError, match=r"CUDA C\+\+ runs on a GPU: give it CuPy's arrays"):
        wp.traverse(GRAPH, 0, relax, np.zeros(9, np.int32), 1)
    with pytest.raises(OperatorError, match=r"CUDA C\+\+ runs on a GPU"):
        wp.reduce(GRAPH, degree)
    with pytest.raises(OperatorError, match=r"CUDA C\+\+ is no Python function"):
        relax(0, 1)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({}, TypeError, "give wp.operator a function, or source="),
        ({"source": "", "parameters": "a, b"}, OperatorError, r"source\(a, b\): an operator on edges begins"),
        ({"source": "", "parameters": "u, v, 3"}, OperatorError, "parameters are names, each once"),
        ({"source": "", "parameters": "u, v, x, x"}, OperatorError, "parameters are names, each once"),
        ({"source": "", "parameters": "u, v", "returns": "int16"}, OperatorError, "operators return bool, int32"),
        ({"source": "", "parameters": "u, v", "returns": "text"}, OperatorError, "operators return bool.* not 'text'"),
        ({"source": "", "parameters": "u, v", "returns": 3}, OperatorError, "operators return bool.* not 3"),
        ({"source": "", "parameters": ["u", "v"]}, TypeError, "source= and parameters= are texts"),
        ({"source": 3, "parameters": "u, v"}, TypeError, "source= and parameters= are texts"),
    ],
)  # fmt: skip
def test_bad_input(given, error, message):
    with pytest.raises(error, match=message):
        wp.operator(**given)


def test_a_function_has_its_own_parameters():
    def visit(u, v):
        return True

    with pytest.raises(TypeError, match=r"give wp.operator a function, or source="):
        wp.operator(visit, source="return true;")
    with pytest.raises(TypeError, match=r"are for source="):
        wp.operator(visit, parameters="u, v")
