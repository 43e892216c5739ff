"""Our own file: aligned, mapped, checked."""

import gzip
import struct
import zipfile

import numpy as np
import pytest

import warpath as wp
from warpath.errors import GraphFormatError
from warpath.graph.graph import Graph
from warpath.io import read, write


@pytest.fixture
def graph():
    rng = np.random.default_rng(5)
    source, target = rng.integers(0, 100, (2, 1000))
    return Graph.from_edges(
        source,
        target,
        rng.random(1000),
        n=101,
        directed=False,
        labels=[f"v{k}" for k in range(101)],
    )


def test_members_are_aligned_and_numpy_reads_them(graph, tmp_path):
    write(graph, tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as arrays:
        assert np.array_equal(arrays["column_indices"], graph.column_indices)
        assert np.array_equal(arrays["labels"], graph.labels)
        assert arrays["version"] == 1
        assert not arrays["directed"]
    content = (tmp_path / "a.npz").read_bytes()
    for array in (graph.row_offsets, graph.column_indices, graph.weights, graph.labels):
        assert content.index(array.tobytes()) % 64 == 0
    assert zipfile.ZipFile(tmp_path / "a.npz").testzip() is None


def test_reading_maps_the_file(graph, tmp_path, same):
    path = tmp_path / "a.npz"
    write(graph, path)
    again = read(path)
    same(again, graph)
    for name in ("row_offsets", "column_indices", "weights"):
        array = getattr(again, name)
        assert not array.flags.owndata
        assert not array.flags.writeable
    # A view of the file: what is written there is seen.
    content = path.read_bytes()
    place = content.index(graph.weights.tobytes())
    with open(path, "r+b") as file:
        file.seek(place)
        file.write(np.float64(42).tobytes())
    assert again.weights[0] == 42


def altered(path, **changes):
    with np.load(path) as arrays:
        members = dict(arrays)
    members.update(changes)
    np.savez(path, **{name: array for name, array in members.items() if array is not None})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, "version 2: this warpath reads version 1"),
        ({"version": [1, 1]}, "version"),
        ({"directed": None}, "no array 'directed': not a graph that warpath wrote"),
        ({"row_offsets": None}, "no array 'row_offsets'"),
        ({"directed": 1}, "'directed' is not one boolean"),
        ({"row_offsets": np.array([0, 5])}, "row_offsets must run from 0 to"),
        ({"column_indices": np.zeros(2, np.int32)}, "row_offsets must run from 0 to 2"),
        ({"weights": np.ones(3)}, "weights has 3 entries for"),
        ({"labels": np.ones(3)}, "labels has 3 entries for 101 vertices"),
        ({"weights": np.array([[1.0]])}, "must be one-dimensional"),
        ({"labels": np.array([None] * 101)}, "labels.npy is no plain array"),
    ],
)
def test_malformed(changes, message, graph, tmp_path):
    path = tmp_path / "a.npz"
    write(graph, path)
    altered(path, **changes)
    with pytest.raises(GraphFormatError, match=message):
        read(path)


def test_ids_weights_and_symmetry_are_checked(graph, tmp_path):
    path = tmp_path / "a.npz"
    for name, value, message in [
        ("column_indices", 101, r"column_indices\[3\] is 101, but the graph has 101 vertices"),
        ("column_indices", -1, r"column_indices\[3\] is -1"),
        ("weights", np.nan, r"weights\[3\] is nan"),
        ("weights", 0.25, "directed=False, but the arc .* has no reverse"),
    ]:
        write(graph, path)
        changed = getattr(graph, name).copy()
        changed[3] = value
        altered(path, **{name: changed})
        with pytest.raises(GraphFormatError, match=message):
            read(path)


@pytest.mark.parametrize("directed", [True, False])
def test_edge_ids_are_kept(directed, tmp_path):
    ends = ["c", "a", "a", "b"], ["a", "b", "b", "b"]
    graph = wp.Graph.from_edges(*ends, [7, 5, 3, 1], directed=directed, edge_ids=True)
    wp.write(graph, tmp_path / "g.npz")
    found = wp.read(tmp_path / "g.npz")
    assert np.array_equal(found.edge_ids, graph.edge_ids)
    assert wp.sssp(found, "c").path_edges("b") == [0, 2]


def test_edge_ids_that_do_not_fit(tmp_path):
    graph = wp.Graph.from_edges([0, 0, 1], [1, 2, 0], edge_ids=True)
    for ids, message in (
        (np.arange(2), "not one int32 or int64 for each of 3 arcs"),
        (np.arange(3.0), "not one int32 or int64"),
        (np.array([0, -1, 2]), r"edge_ids\[1\] is -1"),
    ):
        other = wp.Graph._from_parts(*graph.resident, True, None, ids)
        wp.write(other, tmp_path / "g.npz")
        with pytest.raises(wp.GraphFormatError, match=message):
            wp.read(tmp_path / "g.npz")
    wp.write(graph, tmp_path / "g.npz")
    members = {**np.load(tmp_path / "g.npz"), "column_indices": np.int32([2, 1, 0])}
    np.savez(tmp_path / "g.npz", **members)
    with pytest.raises(wp.GraphFormatError, match="do not ascend"):
        wp.read(tmp_path / "g.npz")


def test_compressed_members_are_refused_by_name(graph, tmp_path):
    np.savez_compressed(tmp_path / "a.npz", version=1, directed=True)
    with pytest.raises(GraphFormatError, match=r"version.npy is compressed"):
        read(tmp_path / "a.npz")


def test_compressed_file_is_read_and_its_checksums_checked(graph, tmp_path, same):
    path = tmp_path / "a.npz.gz"
    write(graph, path)
    same(read(path), graph)
    content = bytearray(gzip.decompress(path.read_bytes()))
    content[content.index(graph.weights.tobytes())] ^= 1
    path.write_bytes(gzip.compress(bytes(content)))
    with pytest.raises(GraphFormatError, match="Bad CRC-32"):
        read(path)


def test_objects_as_labels_are_refused(tmp_path):
    graph = Graph.from_edges([0], [1], labels=np.array([(1,), "x"], object))
    with pytest.raises(
        ValueError, match="npz format holds labels that are numbers or text: pickle keeps"
    ):
        write(graph, tmp_path / "a.npz")


def test_a_mapped_file_may_be_replaced(graph, tmp_path, same):
    path = tmp_path / "a.npz"
    write(graph, path)
    again = read(path)
    write(Graph.from_edges([0], [1]), tmp_path / "b.npz")
    (tmp_path / "b.npz").replace(path)
    same(again, graph)
    assert read(path).num_vertices == 2


def member(header, data=b"", version=(1, 0)):
    length = struct.pack("<H" if version == (1, 0) else "<I", len(header) + 1)
    return b"\x93NUMPY" + bytes(version) + length + header.encode() + b"\n" + data


PLAIN = "{'descr': '<i4', 'fortran_order': False, 'shape': %s, }"


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"junk",
        member(PLAIN % "(10000000000000,)"),
        member(PLAIN % "(4294967296, 4294967296)"),
        member(PLAIN % "(-3,)"),
        member(PLAIN % "3"),
        member(PLAIN % "(3,", bytes(12)),
        member(PLAIN % "(3,)", bytes(12), (3, 0)),
        member(PLAIN % "(3,)", bytes(12), (9, 9)),
        member("{'descr': '|V0', 'fortran_order': False, 'shape': (3,), }"),
        member("{'descr': '<U4000000000', 'fortran_order': False, 'shape': (3,), }"),
        member("{'descr': '<i4', 'fortran_order': False, 'shape': (3,)"),
        member("[" * 5000 + "]" * 5000),
        member("-" * 9000 + "1"),
        member("9" * 9000),
        member("\0" * 100),
    ],
    ids=range(16),
)
def test_odd_members(content, compress, graph, tmp_path):
    path = tmp_path / "a.npz"
    write(graph, path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["row_offsets.npy"] = content
    with zipfile.ZipFile(path, "w") as archive:
        for name, stored in members.items():
            archive.writestr(name, stored)
    path.write_bytes(compress(path.read_bytes()))
    with pytest.raises(GraphFormatError, match=r"expected a zip of .npy arrays"):
        read(path)


@pytest.mark.parametrize("at", [4, 6, 8])  # of the directory's entry: versions, flags
def test_zips_of_another_kind(at, graph, tmp_path):
    path = tmp_path / "a.npz"
    write(graph, path)
    content = bytearray(path.read_bytes())
    place = content.index(b"PK\1\2")
    content[place + at : place + at + 2] = b"\xff\xff"
    content[place + 10] = 99  # compression
    path.write_bytes(content)
    with pytest.raises(GraphFormatError, match=r"expected a zip of .npy arrays"):
        read(path)


def test_a_zip_of_very_many_members(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        for k in range(20_000):
            archive.writestr(f"{k}.npy", b"")
    with pytest.raises(GraphFormatError, match="a list of members of"):
        read(tmp_path / "a.npz")
