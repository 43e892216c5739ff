"""Structs that kernels take or leave behind: C++ and Python lay them out as the same."""

import numpy as np
import pytest

from operator_bodies import VERTEX_CASES, typed
from struct_layouts import Declared, differences, values
from warpath.cuda import (
    apsp,
    arguments,
    batch,
    bfs,
    cycles,
    dense,
    edge_classes,
    elimination,
    explain,
    graph_sweeps,
    list_rows,
    multi_gpu,
    operators,
    product,
    profile,
    program,
    propagation_blocking,
    pull_level,
    st,
    trace,
    tree,
    triangles,
    walk,
)
from warpath.cuda.arguments import BOOL, F32, POINTER, U32, U64, Struct
from warpath.language import cpp

OFFSETS = {4: "unsigned", 8: "unsigned long long"}
DISTANCES = {"int32": "int", "int64": "long long", "float32": "float", "float64": "double"}
PLAIN = {  # (header, name): struct
    ("core/types.cuh", "Sources"): arguments.SOURCES,
    ("balance/balance.cuh", "BalanceMemory"): arguments.BALANCE_MEMORY,
    ("engine/trace.cuh", "TraceRow"): trace.TRACE_ROW,
    ("engine/trace.cuh", "TraceRows"): arguments.TRACE_ROWS,
    ("engine/trace.cuh", "Amount"): arguments.AMOUNT,
    ("algorithms/bfs_async.cuh", "AsyncBfsControl"): bfs.ASYNC_CONTROL,
    ("batch.cuh", "BatchControl"): batch.CONTROL,
    ("batch.cuh", "BatchTreeArguments<unsigned, int, long long>"): batch.batch_tree_arguments(
        np.dtype(np.int64)
    ),
    ("tree.cuh", "RootsArguments<double>"): tree.ROOTS_ARGUMENTS,
    (
        "tree.cuh",
        "TightSearchArguments<unsigned, float, float>",
    ): tree.tight_search_arguments(np.dtype(np.float32)),
    ("parent_cycle.cuh", "CycleControl"): cycles.CYCLE_CONTROL,
    ("parent_cycle.cuh", "CycleArguments"): cycles.CYCLE_ARGUMENTS,
    ("operators/arithmetic.cuh", "Vector<double>"): operators._VECTOR,
    ("walk.cuh", "WalkArguments"): walk.WALK_ARGUMENTS,
    ("explain.cuh", "ExplainArguments"): explain.EXPLAIN_ARGUMENTS,
    ("profile.cuh", "WarpWork"): profile.WARP_WORK,
    ("minplus.cuh", "ProductArguments<float>"): product.PRODUCT_ARGUMENTS,
    ("minplus.cuh", "PackArguments<warpath::Pair<warpath::Signed16>>"): product.PACK_ARGUMENTS,
    ("minplus.cuh", "LookArguments<warpath::Pair<warpath::Signed16>>"): product.look_arguments(
        np.dtype(np.int16)
    ),
    ("minplus.cuh", "LookArguments<double>"): product.look_arguments(np.dtype(np.float64)),
    ("dense.cuh", "FillArguments<unsigned, short>"): dense.fill_arguments(np.dtype(np.int16)),
    ("dense.cuh", "FillArguments<unsigned long long, double>"): dense.fill_arguments(
        np.dtype(np.float64)
    ),
    ("graph_sweeps.cuh", "SweepMatrixArguments"): graph_sweeps.SWEEP_MATRIX_ARGUMENTS,
    (
        "graph_sweeps.cuh",
        "SweepListsArguments<warpath::TwoArrays>",
    ): graph_sweeps.ARRAYS_ARGUMENTS,
    (
        "graph_sweeps.cuh",
        "SweepListsArguments<warpath::Interleaved>",
    ): graph_sweeps.INTERLEAVED_ARGUMENTS,
    ("graph_sweeps.cuh", "SweepEdgesArguments"): graph_sweeps.SWEEP_EDGES_ARGUMENTS,
    ("propagation_blocking.cuh", "SplitArguments"): propagation_blocking.SPLIT_ARGUMENTS,
    (
        "propagation_blocking.cuh",
        "PropagateArguments<float>",
    ): propagation_blocking.PROPAGATE_ARGUMENTS,
    (
        "propagation_blocking.cuh",
        "AccumulateArguments<float>",
    ): propagation_blocking.ACCUMULATE_ARGUMENTS,
    ("floyd_warshall.cuh", "CloseArguments<float>"): elimination.CLOSE_ARGUMENTS,
    ("floyd_warshall.cuh", "StepArguments<int>"): apsp.STEP_ARGUMENTS,
}
BY_OFFSET = {  # (header, name, further template arguments): struct of the offsets' size
    ("core/types.cuh", "Csr", ""): lambda offset: arguments.CSR,
    ("bfs.cuh", "MultiGpuBfsArguments", ""): multi_gpu.multi_gpu_bfs_arguments,
    ("traverse.cuh", "TraversalControl", ""): bfs.control_block,
    ("bfs.cuh", "BfsArguments", ""): bfs.bfs_arguments,
    ("algorithms/bfs_async.cuh", "BfsAsyncArguments", ""): lambda offset: bfs.ASYNC_ARGUMENTS,
    ("algorithms/two_ended.cuh", "TwoEndedControl", ""): st.st_control,
    ("st.cuh", "TwoEndedArguments", ""): lambda offset: st.ST_ARGUMENTS,
    ("tree.cuh", "TreeArguments", ", int, long long"): tree.tree_arguments,
    ("triangles.cuh", "TriangleArguments", ""): triangles.triangle_arguments,
    (
        "propagation_blocking.cuh",
        "TileArguments",
        "",
    ): propagation_blocking.tile_arguments,
    (
        "parent_cycle.cuh",
        "StaleParentsArguments",
        ", int, long long",
    ): cycles.stale_parents_arguments,
    ("edge_classes.cuh", "ClassifyArguments", ", int"): edge_classes.classify_arguments,
    (
        "edge_classes.cuh",
        "RelaxDeferredArguments",
        ", int, long long",
    ): edge_classes.relax_deferred_arguments,
    ("list_rows.cuh", "ListRowsArguments", ""): lambda offset: list_rows.LIST_ROWS_ARGUMENTS,
    ("profile.cuh", "ProfileArguments", ""): profile.profile_arguments,
    ("pull_level.cuh", "PullLevelArguments", ""): lambda offset: pull_level.PULL_LEVEL_ARGUMENTS,
}


def of_an_operator():
    """The structs of an operator that is written in Python."""
    case = VERTEX_CASES["floats"]
    function = typed(case.operator, case.arguments, case.graph)
    path, body = (
        operators.write_header(cpp.header("vertices.cuh", function)),
        operators._struct_of(function),
    )
    yield Declared(path, "warpath::UserOperator", body.dtype)
    whole = operators.vertex_arguments(body)
    yield Declared(path, "warpath::VertexArguments<warpath::UserOperator>", whole.dtype)


def declared():
    """Every struct that a driver fills or reads."""
    for (header, name), struct in PLAIN.items():
        yield Declared(header, f"warpath::{name}", struct.dtype)
    for size, offset in OFFSETS.items():
        for (header, name, more), struct in BY_OFFSET.items():
            yield Declared(header, f"warpath::{name}<{offset}{more}>", struct(size).dtype)
        for dtype, distance in DISTANCES.items():
            control = program.program_control(size, np.dtype(dtype).itemsize)
            whole = program.program_arguments(np.dtype(dtype))
            yield Declared(
                "engine/program_state.cuh",
                f"warpath::ProgramControl<{offset}, {distance}>",
                control.dtype,
            )
            algorithm = f"warpath::NearFarRelaxing<{distance}, {distance}, false>"
            name = f"warpath::ProgramArguments<{offset}, {algorithm}>"
            yield Declared("algorithms/sssp.cuh", name, whole.dtype)
            name = f"warpath::MultiGpuProgramArguments<{offset}, {algorithm}>"
            several = multi_gpu.multi_gpu_program_arguments(np.dtype(dtype))
            yield Declared("algorithms/sssp.cuh", name, several.dtype)
    yield from of_an_operator()
    for dtype, distance in DISTANCES.items():
        name = f"warpath::BatchArguments<unsigned, {distance}, {distance}>"
        yield Declared("batch.cuh", name, batch.batch_arguments(np.dtype(dtype)).dtype)


STRUCTS = list(declared())


def of_several_gpus():
    """What the host needs of structs that kernels alone fill: expressions of C++ and their values."""
    levels = multi_gpu.mailbox(bfs.LEVEL_COUNTERS)
    yield "warpath::max_gpus", multi_gpu.MAX_GPUS
    yield "sizeof(warpath::Mailbox<warpath::LevelCounters>)", levels.nbytes
    yield "offsetof(warpath::Mailbox<warpath::LevelCounters>, stop)", levels.offset("stop")
    for size, offset in OFFSETS.items():
        control = f"warpath::TraversalControl<{offset}>"
        summed = bfs.control_block(size, several_gpus=True)
        yield f"sizeof(warpath::SummedControl<{control}>)", summed.nbytes
        for dtype, distance in DISTANCES.items():
            width = np.dtype(dtype).itemsize
            control = f"warpath::ProgramControl<{offset}, {distance}>"
            summed = program.program_control(size, width, several_gpus=True)
            yield f"sizeof(warpath::SummedControl<{control}>)", summed.nbytes
            counters = multi_gpu.mailbox(program.program_counters(width))
            yield f"sizeof(warpath::Mailbox<warpath::ProgramCounters<{distance}>>)", counters.nbytes


def test_structs_of_several_gpus(compiler):
    expressions, expected = zip(*of_several_gpus(), strict=True)
    header = ["algorithms/sssp.cuh", "bfs.cuh"]
    pairs = [(header[i % 2], one) for i, one in enumerate(expressions)]  # both are included
    assert values(compiler, pairs) == list(expected)


def test_layouts(compiler):
    found = differences(compiler, STRUCTS)
    assert {one.name: lines for one, lines in zip(STRUCTS, found, strict=True) if lines} == {}


HEADER = """
enum Way : unsigned { up, down };
struct Inner { unsigned a, b; };
struct Outer {
    const int* values;
    bool flag;
    Way way;
    float few;
    Inner inner;
    unsigned long long counts[2];
    unsigned last;
    unsigned padding;
};
"""
INNER = {"a": U32, "b": U32}
OUTER = {
    "values": POINTER, "flag": BOOL, "way": U32, "few": F32, "inner": Struct(**INNER),
    "counts": (U64, 2), "last": U32, "padding": U32,
}  # fmt: skip


def swapped(fields, one, other):
    names = {one: other, other: one}
    return {names.get(name, name): fields[names.get(name, name)] for name in fields}


def without(fields, name):
    return {each: dtype for each, dtype in fields.items() if each != name}


FAULTS = {
    "two fields swapped": (swapped(OUTER, "flag", "way"), ["flag", "way"]),
    "two of one type swapped": (swapped(OUTER, "last", "padding"), ["last", "padding"]),
    "two swapped within a field": (
        OUTER | {"inner": Struct(**swapped(INNER, "a", "b"))}, ["inner.b", "inner.a"],
    ),
    "a missing field": (without(OUTER, "few"), ["", "inner", "inner.a", "inner.b"]),
    "a missing field that leaves a gap": (without(OUTER, "padding"), [""]),
    "a missing field within a field": (
        OUTER | {"inner": np.dtype({"names": ["a"], "formats": [U32], "itemsize": 8})}, ["inner"],
    ),
    "a field that C++ has not": (OUTER | {"more": U64}, ["", "more"]),
    "an integer for a float": (OUTER | {"few": U32}, ["few"]),
    "a byte for a bool": (OUTER | {"flag": "u1"}, ["flag"]),
    "a shorter array": (OUTER | {"counts": (U64, 1)}, ["", "counts", "last", "padding"]),
    "a wider field": (OUTER | {"last": U64}, ["", "last", "padding"]),
}  # fmt: skip


@pytest.fixture(scope="module")
def found(compiler, tmp_path_factory):
    folder = tmp_path_factory.mktemp("layouts")
    (folder / "outer.cuh").write_text(HEADER)
    dtypes = {"right": OUTER} | {name: fields for name, (fields, _) in FAULTS.items()}
    structs = [Declared("outer.cuh", "Outer", Struct(**fields).dtype) for fields in dtypes.values()]
    return dict(zip(dtypes, differences(compiler, structs, [folder]), strict=True))


def test_a_right_struct(found):
    assert found["right"] == []


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_struct_is_found(found, name):
    _, where = FAULTS[name]
    fields = {line.split(":")[0].removeprefix("Outer ") for line in found[name]}
    assert fields >= set(where)


def test_structs_are_filled_whole():
    pair = Struct(a=U32, b=POINTER)
    assert pair(b=2**40, a=3) == np.array([3, 2**40], np.uint64).tobytes()
    for wrong in ({}, {"a": 1}, {"a": 1, "c": 2}, {"a": 1, "b": 2, "c": 3}):
        with pytest.raises(TypeError, match="a struct of"):
            pair(**wrong)
    for wrong in ({}, {"b": 1}, {"a": 1, "b": 2}):
        with pytest.raises(TypeError, match="a struct of"):
            Struct(a=U32)(**wrong)


def test_structs_and_arrays_within_a_struct():
    pair = Struct(a="u1", b=F32)
    whole = Struct(flag=BOOL, pair=pair, counts=(U32, 2), end="i8")
    packed = whole(flag=True, pair=pair(a=7, b=1.5), counts=(8, 9), end=-1)
    (found,) = np.frombuffer(packed, whole.dtype)
    assert (found["flag"], found["pair"].item(), found["end"]) == (True, (7, 1.5), -1)
    assert found["counts"].tolist() == [8, 9]
    assert whole.nbytes == len(packed) == 32
