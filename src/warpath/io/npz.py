"""warpath's own file: the CSR arrays as ``.npy`` members of an uncompressed zip.

`numpy.load` opens it. Members are ``version``, ``directed``, ``row_offsets``, ``column_indices``
and, where the graph has them, ``weights``, ``labels``, ``edge_ids``, ``coordinates`` and ``crs``, and
``line_points`` and ``line_offsets``, the lines of edges. The data of each begins at a multiple of 64 bytes, so
that reading maps the file into memory and copies nothing.
"""

import io
import math
import mmap
import os
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from warpath.graph.check import check_offsets
from warpath.graph.geometry import Lines, geometry_of, points_of
from warpath.graph.graph import Graph
from warpath.io.format import OTHER_LABELS, Format
from warpath.io.source import Counted, File, Source, open_target
from warpath.io.symmetry import as_undirected
from warpath.progress import Progress

Array = NDArray[Any]

VERSION = 1
_ALIGNMENT = 64  # of array data: a cache line, and what numpy pads .npy headers to
_LOCAL_HEADER = 30  # bytes of a zip member's header before its name (APPNOTE 4.3.7)
_ZIP64_EXTRA = 20  # bytes that zipfile adds when it allows for members of 4 GB
_PADDING_HEADER = struct.Struct("<HH")
_PADDING_ID = 0xD935  # extra field of Android's zipalign, which pads for the same reason
_MAGIC = b"PK\x03\x04"
_MAX_DIRECTORY = 1 << 20  # bytes of a zip's list of members that are read: a graph's has some 400
_MAX_HEADER = 1 << 14  # bytes of a member that may be its .npy header: numpy parses 10,000
_NEEDED = ("version", "directed", "row_offsets", "column_indices")
_OPTIONAL = ("weights", "labels", "edge_ids", "coordinates", "crs", "line_points", "line_offsets")


def read(source: Source) -> Graph:
    """Map a graph's file into memory (read it, where it is compressed or standard input).

    A mapped file may be replaced by another one meanwhile, but not be cut or changed in place.
    Offsets, ids and weights are checked, which reads them once but copies nothing.
    """
    if source.peek(len(_MAGIC)) != _MAGIC:
        raise source.error("expected a zip of .npy arrays")
    data = source.whole()
    try:
        members = _members(data)
    except Exception as error:  # zipfile and numpy raise a dozen types, MemoryError among them
        raise source.error(
            f"expected a zip of .npy arrays, whole and uncompressed: {error or repr(error)}"
        ) from None
    missing = [name for name in _NEEDED if name not in members]
    if missing:
        raise source.error(f"no array {missing[0]!r}: not a graph that warpath wrote")
    version, directed = members["version"], members["directed"]
    if version.shape or version.dtype.kind not in "iu" or version != VERSION:
        raise source.error(f"version {version}: this warpath reads version {VERSION}")
    if directed.shape or directed.dtype != bool:
        raise source.error("'directed' is not one boolean")
    try:
        graph = Graph.from_csr(
            members["row_offsets"],
            members["column_indices"],
            members.get("weights"),
            labels=members.get("labels"),
        )
        graph = graph if directed else as_undirected(graph)
        if "edge_ids" in members:
            graph = _with_ids(graph, members)
        return _lying(graph, members)
    except (ValueError, OverflowError) as error:
        raise source.error(str(error)) from None


def _with_ids(graph: Graph, members: dict[str, Array]) -> Graph:
    """The graph with the edge ids of a file."""
    ids = members["edge_ids"]
    if ids.shape != (graph.num_arcs,) or ids.dtype not in (np.int32, np.int64):
        raise ValueError(f"edge_ids is not one int32 or int64 for each of {graph.num_arcs} arcs")
    for arc in np.flatnonzero(ids < 0)[:1]:
        raise ValueError(f"edge_ids[{arc}] is {ids[arc]}: edge ids are 0 or more")
    if not np.array_equal(members["column_indices"], graph.column_indices):
        raise ValueError("edge_ids are of arcs whose targets do not ascend within a row")
    return Graph._from_parts(*graph.resident, graph.directed, graph.labels, ids)


def _lying(graph: Graph, members: dict[str, Array]) -> Graph:
    """The graph with the coordinates and the lines of the file, if it has them."""
    coordinates, crs = members.get("coordinates"), members.get("crs")
    if coordinates is None:
        return graph
    if coordinates.shape != (graph.num_vertices, 2):
        raise ValueError(
            f"'coordinates' of shape {coordinates.shape} for {graph.num_vertices} vertices"
        )
    if crs is not None and (crs.shape or crs.dtype.kind != "U"):
        raise ValueError("'crs' is not one text")
    name = None if crs is None else str(crs)
    points = points_of(coordinates[:, 0], coordinates[:, 1], name)
    return graph._lying(geometry_of(points, name, _lines(graph, members)))


def _lines(graph: Graph, members: dict[str, Array]) -> Lines | None:
    """The lines of edges, if the file has them."""
    points, offsets = members.get("line_points"), members.get("line_offsets")
    if points is None or offsets is None:
        return None
    if points.dtype != np.float64 or points.shape != (len(points), 2):
        raise ValueError(f"'line_points' of shape {points.shape} are no pairs of float64")
    for i in np.flatnonzero(~np.isfinite(points).all(axis=1))[:1]:
        raise ValueError(f"line_points[{i}] is {points[i]}: coordinates are finite numbers")
    if offsets.dtype != np.int64 or offsets.shape != (len(offsets),):
        raise ValueError("'line_offsets' are no int64")
    check_offsets(offsets, len(points), "line_offsets", "points")
    edges = 0 if graph.edge_ids is None else int(graph.edge_ids.max(initial=-1)) + 1
    if len(offsets) <= edges:
        raise ValueError(f"{len(offsets) - 1} lines of edges whose ids go up to {edges - 1}")
    return Lines(points, offsets)


def _members(data: bytes | mmap.mmap) -> dict[str, Array]:
    """Views of the file's bytes where its members' arrays stand."""
    with zipfile.ZipFile(_Directory(data)) as archive:
        names = set(archive.namelist())
        return {
            name: _array(data, archive.getinfo(f"{name}.npy"))
            for name in (*_NEEDED, *_OPTIONAL)
            if f"{name}.npy" in names
        }


def _array(data: bytes | mmap.mmap, info: zipfile.ZipInfo) -> Array:
    if info.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"{info.filename} is compressed")
    name, extra = struct.unpack_from("<HH", data, info.header_offset + _LOCAL_HEADER - 4)
    begin = info.header_offset + _LOCAL_HEADER
    if data[begin : begin + name] != info.orig_filename.encode():
        raise ValueError(f"{info.filename} does not stand where the zip says")
    begin += name + extra
    member = memoryview(data)[begin : begin + info.file_size]
    # What is mapped is left alone until it is needed; what was read is at hand.
    if not isinstance(data, mmap.mmap) and zlib.crc32(member) != info.CRC:
        raise ValueError(f"Bad CRC-32 of {info.filename}")
    head = io.BytesIO(member[:_MAX_HEADER])
    readers: dict[tuple[int, int], Callable[[IO[bytes]], Any]] = {
        (1, 0): npy.read_array_header_1_0,
        (2, 0): npy.read_array_header_2_0,
    }
    version = npy.read_magic(head)
    if version not in readers:
        raise ValueError(f"{info.filename} is a .npy file of version {version}")
    shape, fortran_order, dtype = readers[version](head)
    count = math.prod(shape)
    if dtype.hasobject or fortran_order:
        raise ValueError(f"{info.filename} is no plain array")
    if head.tell() + count * dtype.itemsize != len(member):
        raise ValueError(f"{info.filename} has {len(member)} bytes, not as many as it says")
    if not count:
        return np.empty(shape, dtype)
    return np.frombuffer(data, dtype, count, begin + head.tell()).reshape(shape)


class _Directory:
    """A buffer as the file of which zipfile reads the list of members, and no more than that."""

    def __init__(self, data: bytes | mmap.mmap) -> None:
        self._data, self._position = data, 0

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        begin = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: len(self._data)}[whence]
        if begin + offset < 0:
            raise OSError("before the beginning of the file")  # as files do, and zipfile expects
        self._position = begin + offset
        return self._position

    def tell(self) -> int:
        return self._position

    def read(self, size: int = -1) -> bytes:
        if size < 0:
            size = max(0, len(self._data) - self._position)
        if size > _MAX_DIRECTORY:
            raise ValueError(f"a list of members of {size:,} bytes")
        data = self._data[self._position : self._position + size]
        self._position += len(data)
        return data


def write(graph: Graph, file: File) -> None:
    """Write a graph with everything that it holds."""
    lines = None if graph.geometry is None else graph.geometry.lines
    members = {
        "version": np.array(VERSION),
        "directed": np.array(graph.directed),
        "row_offsets": graph.row_offsets,
        "column_indices": graph.column_indices,
        "weights": graph.weights,
        "labels": _plain(graph.labels),
        "edge_ids": graph.edge_ids,
        "coordinates": graph.coordinates,
        "crs": None if graph.crs is None else np.array(graph.crs),
        "line_points": None if lines is None else lines.points,
        "line_offsets": None if lines is None else lines.offsets,
    }
    total = sum(array.nbytes for array in members.values() if array is not None)
    with open_target(file) as stream, Progress("Writing", total) as progress:
        forward = Counted(stream, progress)
        with zipfile.ZipFile(forward, "w") as archive:  # type: ignore[call-overload]
            for name, array in members.items():
                if array is None:
                    continue
                info = zipfile.ZipInfo(f"{name}.npy")
                begin = forward.tell() + _LOCAL_HEADER + len(info.filename) + _ZIP64_EXTRA
                padding = -(begin + _PADDING_HEADER.size) % _ALIGNMENT
                info.extra = _PADDING_HEADER.pack(_PADDING_ID, padding) + bytes(padding)
                with archive.open(info, "w", force_zip64=True) as member:
                    npy.write_array(member, array, allow_pickle=False)


def _plain(labels: Array | None) -> Array | None:
    """Objects that are all text as text of one width."""
    if labels is None or not labels.dtype.hasobject:
        return labels
    names = labels.tolist()
    return np.array(names) if all(isinstance(name, str) for name in names) else labels


def _refuse(graph: Graph) -> str | None:
    labels = _plain(graph.labels)
    if labels is not None and labels.dtype.hasobject:
        return f"holds labels that are numbers or text: {OTHER_LABELS}"
    return None


FORMAT = Format("npz", (".npz",), read, write, _refuse, sniff=lambda head: head.startswith(_MAGIC))
