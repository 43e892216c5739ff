"""Who owns what, local numbers, ghosts."""

import numpy as np
import pytest

import warpath as wp
from thread_ranks import answers_on
from warpath.distributed.context import current
from warpath.distributed.numbering import LocalNumbers
from warpath.distributed.part import sent_to_owners, values_at
from warpath.distributed.partition import balanced_bounds, owners


@pytest.mark.parametrize("n", [1, 64, 65, 1000])
def test_known_vertices_are_numbered_in_order(n):
    rng = np.random.default_rng(n)
    some = rng.integers(0, n, n // 3 + 1).astype(np.int32)
    numbers = LocalNumbers(n, n // 2, n // 2 + n // 4)
    numbers.add(some)
    ids = np.unique(np.concatenate([some, np.arange(n // 2, n // 2 + n // 4)]))
    np.testing.assert_array_equal(numbers.ids(), ids)
    np.testing.assert_array_equal(ids[numbers.numbers(some)], some)
    np.testing.assert_array_equal(numbers.numbers(ids.astype(np.int32)), np.arange(len(ids)))


def test_ranges_have_the_same_load():
    rng = np.random.default_rng(1)
    n, ends = 1 << 18, np.minimum(rng.zipf(1.3, 400_000), 1 << 18) - 1  # most at small ids

    def bounds():
        here = current()
        return balanced_bounds(here, n, [ends[here.rank :: here.size]])

    for found in answers_on(4, bounds):
        assert found[0] == 0
        assert found[-1] == n
        load = [
            np.count_nonzero(owners(found, ends) == q) + found[q + 1] - found[q] for q in range(4)
        ]
        heaviest = np.bincount(ends).max()
        assert max(load) <= (len(ends) + n) / 4 + heaviest
        assert (np.diff(found) >= 0).all()


def test_fewer_vertices_than_ranks_leave_empty_parts():
    def sizes():
        return len(wp.distributed.distribute(wp.Graph.from_edges([0], [1])).vertices)

    found = answers_on(4, sizes)
    assert sum(found) == 2
    assert found.count(0) >= 2


def test_ghosts_get_their_owners_values_and_tell_them():
    graph = wp.generate.rmat(8, 4, directed=True)
    value_of = np.random.default_rng(1).integers(0, 99, graph.num_vertices)

    def told():
        part = wp.distributed.distribute(graph).part
        here = current()
        values = np.full(len(part.ids), -1)
        values[part.owned] = value_of[part.ids[part.owned]]
        part.pull(here, values)
        flags = np.zeros(len(part.ids), bool)
        flags[part.owned] = values[part.owned] % 2 == 1
        part.pull_flags(here, flags)
        ghosts = np.flatnonzero(part.ids % 3 == 0).astype(np.int32)
        ghosts = ghosts[(ghosts < part.begin) | (ghosts >= part.end)]
        note = np.array([here.rank, len(ghosts)])
        owned, (sent,), notes = part.push(here, ghosts, part.ids[ghosts], note=note)
        assert notes[:, 0].tolist() == list(range(here.size))
        assert notes[here.rank].tolist() == note.tolist()
        assert (part.ids[owned] == sent).all()
        assert ((owned >= part.begin) & (owned < part.end)).all()
        np.testing.assert_array_equal(values, value_of[part.ids])
        np.testing.assert_array_equal(flags, value_of[part.ids] % 2 == 1)
        return len(ghosts), len(owned)

    counts = answers_on(3, told)
    assert sum(sent for sent, _ in counts) == sum(received for _, received in counts) > 0


def test_values_of_any_vertices_are_looked_up():
    bounds = np.array([0, 3, 3, 10])

    def looked_up():
        here = current()
        mine = np.arange(bounds[here.rank], bounds[here.rank + 1]) ** 2
        wanted = np.array([9, 0, 5, 5, here.rank])
        rows = sent_to_owners(here, bounds, wanted, wanted + 100)
        assert (owners(bounds, rows[0]) == here.rank).all()
        assert (rows[1] == rows[0] + 100).all()
        return values_at(here, bounds, mine, wanted).tolist()

    assert answers_on(3, looked_up) == [[81, 0, 25, 25, rank**2] for rank in range(3)]
