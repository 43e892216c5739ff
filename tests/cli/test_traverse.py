from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import warpath
from exhaustive import slow

FAR = np.iinfo(np.int32).max


def test_bfs(run_json: Any, gr: Path) -> None:
    data = run_json("bfs", gr, "--source", 0, "--verify")
    assert data["graph"] == {
        "file": str(gr), "vertices": 6, "edges": 5, "arcs": 5, "directed": True, "weights": "int32",
    }  # fmt: skip
    assert data["answers"] == [{"source": 0, "reached": 4, "farthest": 2}]
    assert data["verified"] is True
    assert data["stats"]["seconds"] > 0


def test_sssp(run_json: Any, gr: Path) -> None:
    data = run_json("sssp", gr, "--source", 0)
    assert data["answers"] == [{"source": 0, "reached": 4, "farthest": 8}]
    assert data["verified"] is None


def test_several_sources(run_json: Any, gr: Path) -> None:
    data = run_json("sssp", gr, "-s", 0, "-s", 4, "--verify")
    assert data["answers"] == [
        {"source": 0, "reached": 4, "farthest": 8},
        {"source": 4, "reached": 2, "farthest": 1},
    ]


def test_the_nearest_of_several(run_json: Any, gr: Path) -> None:
    data = run_json("sssp", gr, "-s", 0, "-s", 4, "--nearest", "--verify")
    assert data["answers"] == [{"source": [0, 4], "reached": 6, "farthest": 8}]


def test_without_a_source_it_says_which(run: Any, run_json: Any, gr: Path) -> None:
    assert run_json("bfs", gr)["answers"][0]["source"] == 0
    assert "Source: 0, which has the most arcs" in run("bfs", gr).stdout
    assert "Source:" not in run("bfs", gr, "-s", 0).stdout


def test_limits_and_targets(run_json: Any, gr: Path) -> None:
    assert run_json("bfs", gr, "-s", 0, "--depth-limit", 1)["answers"][0]["reached"] == 3
    assert run_json("sssp", gr, "-s", 0, "--cutoff", 1)["answers"][0]["reached"] == 2
    (answer,) = run_json("sssp", gr, "-s", 0, "--target", 1, "--verify")["answers"]
    assert answer == {"source": 0, "reached": 3, "farthest": 3, "target": 1, "distance": 3}
    (answer,) = run_json("sssp", gr, "-s", 0, "--target", 5)["answers"]
    assert answer["distance"] is None


@pytest.mark.parametrize("direction", ["optimizing", "top-down", "bottom-up"])
def test_directions(run_json: Any, gr: Path, direction: str) -> None:
    data = run_json("bfs", gr, "-s", 0, "--schedule", f"direction={direction}")
    assert data["answers"][0]["reached"] == 4


def test_alpha_and_beta(run: Any, run_json: Any, gr: Path) -> None:
    data = run_json("bfs", gr, "-s", 0, "--schedule", "alpha=1e9,beta=1e9")
    assert "bottom-up" in data["stats"]["direction"]
    run("bfs", gr, "-s", 0, "--schedule", "direction=top-down,alpha=2", code=2)


@pytest.mark.parametrize(
    "command",
    [
        "bfs {} --schedule virtual-warp", "bfs {} --schedule loop=host",
        "bfs {} --schedule frontier=bitmap", "bfs {} --schedule duplicates=hash",
        "bfs {} --schedule enqueue=summed", "bfs {} --schedule small_frontiers=block",
        "bfs {} --schedule harish", "sssp {} --schedule virtual-warp:width=8,delta=2",
        "sssp {} --schedule loop=host", "sssp {} --method near-far",
        "path {} -s 0 -t 1 --schedule virtual-warp", "path {} -s 0 -t 1 --schedule loop=host --hops",
        "path {} -s 0 -s 4 -t 1 --schedule loop=host", "connected {} -s 0 -t 1 --schedule loop=host",
        "components {} --schedule virtual-warp", "profile bfs {} --schedule virtual-warp",
    ],
)  # fmt: skip
def test_what_only_gpus_have_needs_one(
    run_json: Any, gr: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("warpath.devices.missing", lambda: "there is no NVIDIA GPU")
    error = run_json(*command.format(gr).split(), code=2)["error"]
    assert error["type"] == "DeviceUnavailableError"
    assert "there is no NVIDIA GPU" in error["message"]


@pytest.mark.parametrize(
    "method", ["auto", "dijkstra", "delta-stepping", "bellman-ford", "bellman-ford-queueless",
               "sequential-bellman-ford"],
)  # fmt: skip
def test_methods(run_json: Any, gr: Path, method: str) -> None:
    data = run_json("sssp", gr, "-s", 0, "--method", method, "--verify")
    assert data["answers"][0]["farthest"] == 8


def test_delta_and_threads(run_json: Any, gr: Path) -> None:
    before = warpath.num_threads()
    data = run_json("sssp", gr, "-s", 0, "--schedule", "delta=2", "--threads", 1)
    assert data["stats"]["threads"] == 1
    assert warpath.num_threads() == before


def test_symmetrize(run_json: Any, gr: Path) -> None:
    data = run_json("bfs", gr, "-s", 3, "--symmetrize")
    assert (data["graph"]["directed"], data["answers"][0]["reached"]) == (False, 4)


def test_undirected(run_json: Any, tmp_path: Path) -> None:
    file = tmp_path / "e.el"
    file.write_text("0 1\n1 2\n")
    assert run_json("bfs", file, "-s", 2)["answers"][0]["reached"] == 1
    assert run_json("bfs", file, "-s", 2, "--undirected")["answers"][0]["reached"] == 3


def test_labels(run_json: Any, tmp_path: Path) -> None:
    file = tmp_path / "sparse.txt"
    file.write_text("# ids far apart\n100 7000\n7000 42\n")
    data = run_json("bfs", file, "--compact", "-s", 100, "-s", 42)
    assert [(a["source"], a["reached"]) for a in data["answers"]] == [(100, 3), (42, 1)]


def test_the_table_for_people(run: Any, gr: Path) -> None:
    out = run("sssp", gr, "-s", 0, "--verify").stdout
    assert "farthest" in out
    assert "Verified." in out


def test_brackets_in_a_file_name_are_not_markup(run: Any, gr: Path) -> None:
    odd = gr.rename(gr.with_name("g[red]:x:.gr"))
    assert "g[red]:x:.gr" in run("bfs", odd, "-s", 0).stdout


def test_each_iteration(run: Any, gr: Path) -> None:
    short, long = (run("bfs", gr, "-s", 0, *more).stdout for more in ([], ["--stats"]))
    assert len(long.splitlines()) > len(short.splitlines())


def test_output_npy(run: Any, gr: Path, tmp_path: Path) -> None:
    run("bfs", gr, "-s", 0, "-o", tmp_path / "r.npy")
    assert np.load(tmp_path / "r.npy").tolist() == [0, 1, 1, 2, -1, -1]


def test_output_npz(run: Any, gr: Path, tmp_path: Path) -> None:
    run("sssp", gr, "-s", 0, "-o", tmp_path / "r.npz")
    with np.load(tmp_path / "r.npz") as r:
        assert r["distance"].tolist() == [0, 3, 1, 8, FAR, FAR]
        assert r["predecessor"].tolist() == [-1, 2, 0, 1, -1, -1]
        assert r["distance"].dtype == r["predecessor"].dtype == np.int32
        assert (r["sources"].tolist(), str(r["algorithm"])) == ([0], "sssp")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_output_tables(run: Any, gr: Path, tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"r.{suffix}"
    run("sssp", gr, "-s", 0, "-o", file)
    table = pl.read_csv(file) if suffix == "csv" else pl.read_parquet(file)
    assert table.to_dict(as_series=False) == {
        "vertex": [0, 1, 2, 3, 4, 5],
        "distance": [0, 3, 1, 8, None, None],
        "predecessor": [None, 2, 0, 1, None, None],
    }
    run("bfs", gr, "-s", 0, "-s", 4, "-o", file)
    table = pl.read_csv(file) if suffix == "csv" else pl.read_parquet(file)
    assert table["source"].to_list() == [0] * 6 + [4] * 6
    assert table["distance"].to_list()[6:] == [None] * 4 + [0, 1]


@pytest.mark.parametrize("suffix", ["csv", "parquet", "npz", "npy"])
@pytest.mark.parametrize("names", [(100, 7000, 42), ("Ulm", "Bad Urach", "007")])
def test_output_with_labels(run: Any, tmp_path: Path, suffix: str, names: tuple[Any, ...]) -> None:
    file, out = tmp_path / "sparse.csv", tmp_path / f"r.{suffix}"
    u, v, w = names
    file.write_text(f"# Labels: {'text' if u == 'Ulm' else 'integers'}\n{u},{v},5\n{v},{w},2\n")
    run("sssp", file, "-s", u, "-o", out)
    if suffix in ("csv", "parquet"):
        table = pl.read_csv(out, infer_schema=False) if suffix == "csv" else pl.read_parquet(out)
        rows = table.select(pl.all().cast(pl.String)).sort("distance").rows()
        assert rows == [(str(u), "0", None), (str(v), "5", str(u)), (str(w), "7", str(v))]
    told = [] if suffix == "npz" else ["-s", u, "--algorithm", "sssp"]
    assert "are right" in run("verify", file, "--distance", out, *told).stdout
    run("sssp", file, "-s", v, "-s", u, "-o", out)
    told = told[2:] if suffix in ("csv", "parquet") else [*told[2:], "-s", v, "-s", u]
    assert "are right" in run("verify", file, "--distance", out, *told).stdout


def test_names(run: Any, run_json: Any, tmp_path: Path) -> None:
    file = tmp_path / "towns.csv"
    file.write_text("a,b,km\nUlm,Stuttgart,94\nStuttgart,Bonn,270\nUlm,Bonn,400\n")
    assert "names of columns" in run("sssp", file, "--source", "Ulm", code=2).stderr
    columns = ("--columns", "a,b,km")
    data = run_json("sssp", file, *columns, "--source", "Ulm", "--target", "Bonn")
    assert data["answers"] == [
        {"source": "Ulm", "reached": 3, "farthest": 364, "target": "Bonn", "distance": 364}
    ]
    data = run_json("path", file, *columns, "-s", "Ulm", "-t", "Bonn")
    assert (data["path"], data["distance"]) == (["Ulm", "Stuttgart", "Bonn"], 364)
    data = run_json("path", file, *columns, "-s", "Stuttgart", "-s", "Ulm", "-t", "Bonn")
    assert (data["path"], data["distance"]) == (["Stuttgart", "Bonn"], 270)
    assert "Source: Ulm, which has the most arcs" in run("bfs", file, *columns).stdout
    assert "'Köln' is not in the graph" in run("bfs", file, *columns, "-s", "Köln", code=2).stderr
    file.write_text("94,Ulm,Stuttgart\n270,Stuttgart,Bonn\n")
    data = run_json("sssp", file, "--columns", "1,2,0", "-s", "Ulm")
    assert data["answers"][0]["farthest"] == 364
    out = tmp_path / "d.csv"
    run("distances", file, "--columns", "1,2,0", "-s", "Ulm", "-t", "Bonn", "-t", "Ulm", "-o", out)
    assert pl.read_csv(out).rows() == [("Ulm", "Bonn", 364), ("Ulm", "Ulm", 0)]


@pytest.mark.parametrize(
    ("algebra", "worst", "to_1"),
    [("widest", 1, 4), ("reachability", True, True), *slow([("minimax", 5, 2)])],
)
def test_algebras(run: Any, run_json: Any, gr: Path, algebra: str, worst: Any, to_1: Any) -> None:
    told = ["sssp", gr, "-s", 0, "--algebra", algebra, "--verify"]
    data = run_json(*told)
    assert data["algebra"] == algebra
    assert data["answers"] == [{"source": 0, "reached": 4, "worst": worst}]
    assert run_json(*told, "--target", 1)["answers"][0]["distance"] == to_1
    assert "worst" in run(*told).stdout


def test_an_unknown_algebra(run: Any, gr: Path) -> None:
    failed = run("sssp", gr, "-s", 0, "--algebra", "longest", code=2)
    assert "unknown algebra 'longest'; choose one of shortest, widest" in failed.stderr


@pytest.mark.parametrize(
    ("method", "optimizations", "message"),
    [
        ("h-bf", "edge-classification+fast", "unknown optimization 'fast'"),
        ("near-far", "duplicate-removal", "not of 'near-far'"),
        ("near-far", "none", "not of 'near-far'"),
    ],
)
def test_optimizations_are_named_and_h_bfs(
    run: Any, gr: Path, method: str, optimizations: str, message: str
) -> None:
    schedule = f"optimizations={optimizations}"
    assert message in run("sssp", gr, "--method", method, "--schedule", schedule, code=2).stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("gunrock",), "no preset (harish, "),
        (("frontier=bitmap,duplicates=hash",), "frontier='bitmap' has no queue"),
        (("frontier=stack",), "unknown frontier 'stack'; choose one of vertex-queue"),
        (("harish", "--device", "cpu"), "is for --device cuda, not 'cpu'"),
        (("delta=3",), "bfs has no delta"),
        (("loop=host,loop=device",), "loop is given twice"),
    ],
)
def test_what_is_wrong_with_a_schedule_is_named(
    run: Any, gr: Path, options: tuple[str, ...], message: str
) -> None:
    assert message in run("bfs", gr, "-s", 0, "--schedule", *options, code=2).stderr


def test_a_profile_is_a_schedule(run: Any, run_json: Any, gr: Path, tmp_path: Path) -> None:
    profile, other = tmp_path / "profile.json", tmp_path / "other.el"
    run("advise", gr, "--seconds", 60, "--device", "cpu", "-o", profile)
    for algorithm in ("bfs", "sssp"):
        data = run_json(algorithm, gr, "-s", 0, "--schedule", profile, "--verify")
        assert data["answers"][0]["reached"] == 4
    other.write_text("0 1\n")
    error = run("bfs", other, "-s", 0, "--schedule", profile, code=2).stderr
    assert f"--schedule {profile}: the profile is of another graph" in " ".join(error.split())
    run("connected", gr, "-s", 0, "-t", 1, "--schedule", profile, code=2)
