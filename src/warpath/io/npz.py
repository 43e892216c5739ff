"""warpath's own file: the CSR arrays as ``.npy`` members of an uncompressed zip.

`numpy.load` opens it. Members are ``version``, ``directed``, ``row_offsets``, ``column_indices``
and, where the graph has them, ``weights`` and ``labels``. The data of each begins at a
multiple of 64 bytes, so that reading maps the file into memory and copies nothing.
"""

import io
import mmap
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from warpath.graph.graph import Graph
from warpath.io.format import Format
from warpath.io.source import File, Source, open_target
from warpath.io.symmetry import as_undirected

Array = NDArray[Any]

VERSION = 1
_ALIGNMENT = 64  # of array data: a cache line, and what numpy pads .npy headers to
_LOCAL_HEADER = 30  # bytes of a zip member's header before its name (APPNOTE 4.3.7)
_ZIP64_EXTRA = 20  # bytes that zipfile adds when it allows for members of 4 GB
_PADDING_HEADER = struct.Struct("<HH")
_PADDING_ID = 0xD935  # extra field of Android's zipalign, which pads for the same reason
_NEEDED = ("version", "directed", "row_offsets", "column_indices")
_OPTIONAL = ("weights", "labels")


def read(source: Source) -> Graph:
    """Map a graph's file into memory (read it, where it is compressed or standard input).

    Offsets, ids and weights are checked, which reads them once but copies nothing.
    """
    try:
        members = _mapped(source) if source.path and not source.compression else _loaded(source)
    except (zipfile.BadZipFile, zlib.error, ValueError, EOFError, KeyError, struct.error) as error:
        raise source.error(
            f"expected a zip of .npy arrays, whole and uncompressed: {error}"
        ) from None
    missing = [name for name in _NEEDED if name not in members]
    if missing:
        raise source.error(f"no array {missing[0]!r}: not a graph that warpath wrote")
    version, directed = members["version"], members["directed"]
    if version.shape or version != VERSION:
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
        return graph if directed else as_undirected(graph)
    except (ValueError, OverflowError) as error:
        raise source.error(str(error)) from None


def _loaded(source: Source) -> dict[str, Array]:
    with zipfile.ZipFile(io.BytesIO(source.read())) as archive:
        return _members(archive, lambda member, info: npy.read_array(member, allow_pickle=False))


def _mapped(source: Source) -> dict[str, Array]:
    with open(source.path, "rb") as file:  # type: ignore[arg-type]
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def array(member: IO[bytes], info: zipfile.ZipInfo) -> Array:
        """A view of the mapped file where the member's array stands."""
        if info.compress_type != zipfile.ZIP_STORED:
            raise ValueError(f"{info.filename} is compressed")
        readers: dict[tuple[int, int], Callable[[IO[bytes]], Any]] = {
            (1, 0): npy.read_array_header_1_0,
            (2, 0): npy.read_array_header_2_0,
        }
        shape, fortran_order, dtype = readers[npy.read_magic(member)](member)
        header = member.tell()
        count = int(np.prod(shape, dtype=np.int64))
        if dtype.hasobject or fortran_order:
            raise ValueError(f"{info.filename} is no plain array")
        if header + count * dtype.itemsize != info.file_size:
            raise ValueError(f"{info.filename} has {info.file_size} bytes, not as many as it says")
        name, extra = struct.unpack_from("<HH", data, info.header_offset + _LOCAL_HEADER - 4)
        begin = info.header_offset + _LOCAL_HEADER + name + extra + header
        if not count:
            return np.empty(shape, dtype)
        return np.frombuffer(data, dtype, count, begin).reshape(shape)

    with zipfile.ZipFile(source.path) as archive:  # type: ignore[arg-type]
        return _members(archive, array)


def _members(
    archive: zipfile.ZipFile, read_member: Callable[[IO[bytes], zipfile.ZipInfo], Array]
) -> dict[str, Array]:
    members = {}
    for name in (*_NEEDED, *_OPTIONAL):
        if f"{name}.npy" in archive.namelist():
            info = archive.getinfo(f"{name}.npy")
            with archive.open(info) as member:
                members[name] = read_member(member, info)
    return members


def write(graph: Graph, file: File) -> None:
    """Write a graph with everything that it holds."""
    members = {
        "version": np.array(VERSION),
        "directed": np.array(graph.directed),
        "row_offsets": graph.row_offsets,
        "column_indices": graph.column_indices,
        "weights": graph.weights,
        "labels": graph.labels,
    }
    with open_target(file) as stream:
        forward = _Forward(stream)
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


class _Forward:
    """A stream of which zipfile knows that it can only be written on, as pipes and gzip's are."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._position = stream, 0
        self.flush = stream.flush

    def write(self, data: bytes) -> None:
        self._stream.write(data)
        self._position += memoryview(data).nbytes

    def tell(self) -> int:
        return self._position


def _refuse(graph: Graph) -> str | None:
    if graph.labels is not None and graph.labels.dtype.hasobject:
        return "holds labels that are numbers or strings, not Python objects"
    return None


FORMAT = Format(
    "npz", (".npz",), read, write, _refuse, sniff=lambda head: head.startswith(b"PK\x03\x04")
)
