from warpath.bench import result_table
from warpath.bench.condense import condense
from warpath.bench.suite import Suite
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial


def test_medians_make_the_same_table() -> None:
    def one(label: str, source: int, **given: object) -> Trial:
        return Trial("s", {"name": "G"}, {"label": label}, source, **given)  # type: ignore[arg-type]

    trials = [
        one("a", i, seconds=t, arcs=1000, extra={"bytes": 7 * i, "histogram": [[1, 2]]})
        for i, t in enumerate((1, 2, 3, 4))
    ]
    trials += [
        one("b", 0, seconds=5.0, status="over-limit"),
        one("c", 0, status="left-out", why="no"),
    ]
    trials.append(one("d", 0, status="wrong", why="off by one"))
    suite = Suite("t", (), (), baseline="a")
    whole = Summary(suite, trials)
    few = list(condense([whole]))
    assert [t.configuration["label"] for t in few] == ["a", "b", "c", "d"]
    found = Summary(suite, few)
    assert result_table.grid(found) == result_table.grid(whole)
    cell, before = found.cells["G", "a"], whole.cells["G", "a"]
    assert (cell.seconds, cell.quartiles, cell.repeats) == (2.5, (1.75, 3.25), 4)
    assert "histogram" not in few[0].extra
    assert cell.count("bytes") == before.count("bytes") == 10.5
    assert list(condense([found])) == few
