from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exhaustive import few

RESULTS = ["r.npz", "r.csv", "r.parquet", "r.npy"]


@pytest.mark.parametrize("file", RESULTS)
@pytest.mark.parametrize("algorithm", ["bfs", "sssp"])
def test_what_is_written_verifies(
    run_json: Any, gr: Path, tmp_path: Path, algorithm: str, file: str
) -> None:
    result = tmp_path / file
    run_json(algorithm, gr, "-s", 0, "-o", result)
    told = [] if file.endswith("npz") else ["--algorithm", algorithm, "-s", 0]
    data = run_json("verify", gr, "--distance", result, *told)
    assert data["verified"] is True
    assert (data["algorithm"], data["source"]) == (algorithm, [0])
    assert data["predecessors"] is not file.endswith("npy")


@pytest.mark.parametrize("file", RESULTS)
@pytest.mark.parametrize("weights", [("1", "9"), ("0.1", "0.9")])
def test_several_sources(
    run: Any, run_json: Any, tmp_path: Path, file: str, weights: tuple[str, str]
) -> None:
    graph, result = tmp_path / "g.npz", tmp_path / file
    run("generate", "grid", "--rows", 9, "--keep", 0.8, "--weights", *weights, "-o", graph)
    sources = ["-s", 0, "-s", 40, "-s", 80]
    run("sssp", graph, *sources, "-o", result)
    told = [] if file.endswith("npz") else ["--algorithm", "sssp", *sources]
    assert run_json("verify", graph, "--distance", result, *told)["vertices"] == 3 * 81


def test_float32_survives_csv(run: Any, run_json: Any, tmp_path: Path) -> None:
    from warpath import Graph, generate, write

    g = generate.grid(9, weights=(0.1, 0.9))
    graph, result = tmp_path / "g.npz", tmp_path / "r.csv"
    write(Graph.from_edges(*g.edges()[:2], g.edges()[2].astype(np.float32), directed=False), graph)
    run("sssp", graph, "-s", 0, "-o", result)
    run_json("verify", graph, "--distance", result, "--algorithm", "sssp", "-s", 0)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("bfs", ["--depth-limit", 1]),
        ("sssp", ["--cutoff", 3]),
        ("sssp", ["--target", 1]),
        ("sssp", ["--target", 1, "--cutoff", 2]),
        ("sssp", ["--target", 5]),
        ("sssp", ["-s", 2, "--target", 1]),
        ("sssp", ["-s", 2, "--nearest", "--target", 1]),
        ("bfs", ["-s", 4, "--nearest", "--depth-limit", 1]),
    ],
)
def test_an_npz_tells_its_limits(
    run: Any, run_json: Any, gr: Path, tmp_path: Path, command: str, options: list[Any]
) -> None:
    result = tmp_path / "r.npz"
    run(command, gr, "-s", 0, *options, "-o", result)
    assert run_json("verify", gr, "--distance", result)["verified"] is True


@pytest.mark.parametrize("file", RESULTS)
@pytest.mark.parametrize(
    ("dtype", "algebra"),
    few(
        product(["i4", "f4"], ["widest", "minimax", "most-reliable", "reachability"]),
        [("i4", "widest"), ("f4", "most-reliable"), ("i4", "reachability")],
    ),
)
def test_algebras(
    run: Any, run_json: Any, tmp_path: Path, algebra: str, dtype: str, file: str
) -> None:
    from warpath import Graph, write

    graph, result = tmp_path / "g.npz", tmp_path / file
    weights = np.array([1, 0.5, 0.25] if dtype == "f4" else [1, 0, 1], dtype)
    write(Graph.from_edges([0, 1, 4], [1, 2, 3], weights), graph)
    run("sssp", graph, "-s", 0, "--algebra", algebra, "-o", result)
    told = ["verify", graph, "--distance", result]
    told += [] if file.endswith("npz") else ["--algorithm", "sssp", "-s", 0, "--algebra", algebra]
    data = run_json(*told)
    assert (data["verified"], data["algebra"]) == (True, algebra)
    if file == "r.npz":
        assert run_json(*told, "--algebra", "shortest", code=1)["error"]["broken"]


def test_limits_of_the_others_are_told(run: Any, run_json: Any, gr: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.csv"
    run("bfs", gr, "-s", 0, "--depth-limit", 1, "-o", result)
    told = ["verify", gr, "--distance", result, "--algorithm", "bfs", "-s", 0]
    assert run_json(*told, "--limit", 1)["verified"] is True
    assert run_json(*told, code=1)["error"]["broken"] == "closed"


def test_rows_in_another_order_are_refused(run: Any, tmp_path: Path) -> None:
    graph, result = tmp_path / "towns.csv", tmp_path / "r.csv"
    graph.write_text("from,to,km\nUlm,Bonn,5\nBonn,Jena,4\n")
    run("sssp", graph, "-s", "Ulm", "-s", "Bonn", "-o", result)
    told = ["verify", graph, "--distance", result, "--algorithm", "sssp", "-s", "Ulm", "-s", "Bonn"]
    run(*told)
    header, *rows = result.read_text().splitlines()
    result.write_text("\n".join([header, *rows[:3], rows[4], rows[3], rows[5]]))
    message = "r.csv: row 3 is of vertex 'Jena', not 'Bonn': rows have to be in the order"
    assert message in run(*told, code=2).stderr
    result.write_text("\n".join([header, *rows]).replace("Jena", "Gera"))
    assert "vertex[1] 'Gera' is not in the graph" in run(*told, code=2).stderr
    result.write_text("vertex,distance\nUlm,far\n")
    error = run(*told, code=2).stderr  # without Polars' hints
    assert error.rstrip().endswith(
        "could not parse `far` as dtype `i32` at column 'distance' (column number 2)"
    )


def test_a_wrong_answer_is_code_1(run: Any, run_json: Any, gr: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.npy"
    np.save(result, np.array([0, 1, 1, 3, -1, -1], np.int32))
    told = ["verify", gr, "--distance", result, "--algorithm", "bfs", "-s", 0]
    assert run_json(*told, code=1)["error"]["broken"] == "triangle"
    failed = run(*told, code=1)
    assert failed.stdout == ""
    assert failed.stderr.startswith("Error: triangle: distance[3] is 3")


def test_predecessors_in_a_file_of_their_own(run_json: Any, gr: Path, tmp_path: Path) -> None:
    distance, right, wrong = (tmp_path / f"{name}.npy" for name in ("d", "p", "q"))
    np.save(distance, np.array([0, 1, 1, 2, -1, -1], np.int32))
    np.save(right, np.array([-1, 0, 0, 1, -1, -1], np.int32))
    np.save(wrong, np.array([-1, 0, 0, 2, -1, -1], np.int32))
    told = ["verify", gr, "--distance", distance, "--algorithm", "bfs", "-s", 0, "--predecessor"]
    assert run_json(*told, right)["predecessors"] is True
    assert run_json(*told, wrong, code=1)["error"]["broken"] == "tight"


def test_a_source_given_outdoes_the_file(run: Any, run_json: Any, gr: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.npz"
    run("bfs", gr, "-s", 0, "-o", result)
    assert run_json("verify", gr, "--distance", result, "-s", 1, code=1)["error"]["broken"]


def test_rows_and_sources_must_be_as_many(run: Any, gr: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.npz"
    run("bfs", gr, "-s", 0, "-s", 1, "-o", result)
    failed = run("verify", gr, "--distance", result, "-s", 1, code=2)
    assert "2 rows of distances, but 1 sources" in failed.stderr


def test_for_people(run: Any, gr: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.npz"
    run("sssp", gr, "-s", 0, "-o", result)
    out = run("verify", gr, "--distance", result).stdout
    assert "the distances and predecessors are right" in " ".join(out.split())
