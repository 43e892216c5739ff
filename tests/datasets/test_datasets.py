"""Downloads from a server on this machine."""

import errno
import gzip
import hashlib
import http.server
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

import warpath as wp
from warpath import datasets, files
from warpath.datasets import registry
from warpath.datasets.registry import Dataset

pytest.importorskip("pooch")

EDGES = gzip.compress(b"# Nodes: 4 Edges: 3\n0\t1\n1\t2\n7\t1\n", mtime=0)
MATRIX = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"


def archive(member="tiny/tiny.mtx", content=MATRIX):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, data in ((member, content), ("tiny/README", b"no graph")):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return packed.getvalue()


@dataclass
class Server:
    """What it gives out by path, how often it was asked, and how often it breaks off."""

    address: str = ""
    files: dict = field(default_factory=dict)
    asked: list = field(default_factory=list)
    breaks: int = 0
    headers: dict = field(default_factory=dict)


@pytest.fixture
def server():
    state = Server()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            state.asked.append(self.path)
            state.headers = dict(self.headers)
            if self.path not in state.files:
                self.send_error(404)
                return
            content = state.files[self.path]
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if state.breaks:
                state.breaks -= 1
                content = content[: len(content) // 2]
            self.wfile.write(content)

        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        state.address = f"http://127.0.0.1:{running.server_port}"
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield state
        running.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_DATASETS", str(tmp_path / "cache"))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "cache"


@pytest.fixture
def add(server, monkeypatch):
    """Put a dataset into the registry, and its file on the server."""
    known = dict(registry.datasets())
    monkeypatch.setattr(registry, "datasets", lambda: known)

    def put(name, content, file, **options):
        server.files[f"/{file}"] = content
        known[name] = Dataset(name, f"{server.address}/{file}", **options)
        return known[name]

    return put


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def kept(cache):
    """The files in the cache but its record and the lock: nothing half-done, no scratch folder."""
    return sorted(path.name for path in cache.iterdir() if path.suffix not in (".json", ".lock"))


def test_a_file_is_downloaded_once_and_read(server, add, cache):
    add("tiny", EDGES, "tiny.txt.gz", directed=False, compact=True)
    assert datasets.cached("tiny") is None
    path = wp.datasets.fetch("tiny")
    assert path == cache / "tiny.txt.gz"
    assert path.read_bytes() == EDGES
    assert datasets.cached("tiny") == path
    graph = datasets.load("tiny")
    assert (graph.num_vertices, graph.num_edges, graph.directed) == (4, 3, False)
    np.testing.assert_array_equal(graph.labels, [0, 1, 2, 7])
    assert server.asked == ["/tiny.txt.gz"]
    assert server.headers["Accept-Encoding"] == "identity"
    assert kept(cache) == ["tiny.txt.gz"]


def test_the_graph_of_an_archive_alone_is_kept(server, add, cache):
    add("tiny", archive(), "tiny.tar.gz", member="tiny/tiny.mtx")
    assert datasets.fetch("tiny").read_bytes() == MATRIX
    assert datasets.load("tiny").num_edges == 2
    assert kept(cache) == ["tiny.mtx"]


def test_a_known_checksum_is_met_or_nothing_is_kept(server, add, cache):
    right = hashlib.sha256(EDGES).hexdigest()
    add("right", EDGES, "right.txt.gz", sha256=right)
    assert datasets.fetch("right").read_bytes() == EDGES
    wrong = "0" * 64
    add("wrong", EDGES, "wrong.txt.gz", sha256=wrong)
    with pytest.raises(ValueError, match=f"{right}, but warpath's registry expects {wrong}"):
        datasets.fetch("wrong")
    assert datasets.cached("wrong") is None
    assert kept(cache) == ["right.txt.gz"]


def test_a_checksum_that_is_not_met_says_what_helps(server, add, cache):
    add("tiny", archive(), "tiny.tar.gz", member="tiny/tiny.mtx", sha256="0" * 64)
    with pytest.raises(ValueError, match=r"packed again .*warpath\.read .*tiny\.mtx") as error:
        datasets.fetch("tiny")
    assert "forget" not in str(error.value)  # that would not change what the registry says


def test_what_was_trusted_on_first_use_counts_only_if_a_later_registry_agrees(server, add, cache):
    tiny = {"content": archive(), "file": "tiny.tar.gz", "member": "tiny/tiny.mtx"}
    right = hashlib.sha256(tiny["content"]).hexdigest()
    add("tiny", **tiny)
    path = datasets.fetch("tiny")
    add("tiny", **tiny, sha256=right)
    assert datasets.cached("tiny") == path == datasets.fetch("tiny")
    assert len(server.asked) == 1
    add("tiny", **tiny, sha256="0" * 64)
    assert datasets.cached("tiny") is None
    with pytest.raises(ValueError, match=f"{right}, but warpath's registry expects"):
        datasets.fetch("tiny")


def test_the_first_download_is_trusted_and_later_ones_must_be_like_it(server, add, cache):
    add("tiny", EDGES, "tiny.txt.gz")
    path = datasets.fetch("tiny")
    record = json.loads((cache / "record.json").read_text())["tiny"]
    assert record["trusted"] == "on first use"
    assert record["sha256"] == hashlib.sha256(EDGES).hexdigest()
    path.unlink()
    server.files["/tiny.txt.gz"] = gzip.compress(b"0 1\n")
    with pytest.raises(ValueError, match=r"the first download, of .*forget"):
        datasets.fetch("tiny")
    assert kept(cache) == []
    datasets.forget("tiny")
    assert datasets.fetch("tiny").read_bytes() == server.files["/tiny.txt.gz"]


@pytest.mark.parametrize("damage", [lambda data: data[:-3], lambda data: b"X" + data[1:]])
def test_a_file_that_was_damaged_on_disk_is_downloaded_again(server, add, cache, damage):
    add("tiny", EDGES, "tiny.txt.gz")
    path = datasets.fetch("tiny")
    path.write_bytes(damage(EDGES))
    assert datasets.fetch("tiny").read_bytes() == EDGES
    assert len(server.asked) == 2


def test_a_broken_connection_is_tried_again(server, add, cache):
    add("tiny", EDGES, "tiny.txt.gz")
    server.breaks = 2
    assert datasets.fetch("tiny").read_bytes() == EDGES
    assert len(server.asked) == 3


def test_a_connection_that_keeps_breaking_is_an_error_and_nothing_is_kept(server, add, cache):
    add("tiny", EDGES, "tiny.txt.gz")
    server.breaks = 100
    with pytest.raises(ConnectionError, match=r"'tiny' from http.*failed, nothing was kept"):
        datasets.fetch("tiny")
    assert kept(cache) == []


def test_a_missing_file_is_an_error_with_the_servers_answer(server, add, cache):
    add("tiny", EDGES, "tiny.txt.gz")
    server.files.clear()
    with pytest.raises(ConnectionError, match=r"does not give 'tiny'.*404.*tiny.txt.gz"):
        datasets.fetch("tiny")
    assert len(server.asked) == 1
    assert kept(cache) == []


def test_a_server_that_is_not_there(server, add, cache):
    add("tiny", EDGES, "tiny.txt.gz")
    dataset = Dataset("tiny", "http://127.0.0.1:1/tiny.txt.gz")
    registry.datasets()["tiny"] = dataset
    with pytest.raises(ConnectionError, match="failed, nothing was kept"):
        datasets.fetch("tiny")


@pytest.mark.parametrize(
    "content",
    [archive(member="other/name.mtx"), archive()[:-40], EDGES],
    ids=["another member", "cut short", "no archive"],
)
def test_an_archive_without_the_graph_is_an_error_and_nothing_is_kept(server, add, cache, content):
    add("tiny", content, "tiny.tar.gz", member="tiny/tiny.mtx")
    with pytest.raises(ValueError, match=r"no tiny/tiny.mtx can be read from it"):
        datasets.fetch("tiny")
    assert kept(cache) == []


def test_without_pooch_what_is_cached_is_read_and_what_is_not_says_what_to_install(
    server, add, cache, monkeypatch
):
    add("tiny", EDGES, "tiny.txt.gz")
    add("other", EDGES, "other.txt.gz")
    datasets.fetch("tiny")
    monkeypatch.setitem(__import__("sys").modules, "pooch", None)
    assert datasets.load("tiny").num_arcs == 3
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'warpath\[datasets\]'"):
        datasets.fetch("other")


def test_an_unknown_name_lists_the_choices():
    with pytest.raises(ValueError, match="unknown dataset 'Asia': choose one of asia_osm"):
        datasets.fetch("Asia")


def test_a_damaged_record_says_what_to_do(cache):
    cache.mkdir()
    (cache / "record.json").write_text("{")
    with pytest.raises(ValueError, match=r"record.json is damaged .*delete it"):
        datasets.cached("asia_osm")


def test_the_folder_is_in_the_users_cache_by_default(monkeypatch):
    monkeypatch.delenv("WARPATH_DATASETS")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert datasets.folder() == Path("/somewhere/warpath/datasets")


def test_every_dataset_has_an_address_and_a_file_that_warpath_reads():
    from warpath.io.format_registry import FORMATS
    from warpath.io.source import split_suffix

    suffixes = {suffix for known in FORMATS for suffix in known.suffixes}
    files = set()
    for dataset in registry.datasets().values():
        assert dataset.url.startswith("https://")
        _, suffix, _ = split_suffix(Path(dataset.file))
        assert suffix in suffixes
        assert (dataset.member is None) == (not dataset.url.endswith(".tar.gz"))
        files.add(dataset.file)
    assert len(files) == len(datasets.names())


def test_the_registrys_checksums_are_sha256_and_no_two_are_alike():
    known = [dataset.sha256 for dataset in registry.datasets().values() if dataset.sha256]
    assert known
    assert all(re.fullmatch("[0-9a-f]{64}", checksum) for checksum in known)
    assert len(set(known)) == len(known)


def test_every_archive_of_suitesparse_has_a_checksum():
    archives = [row for row in registry.datasets().values() if "sparse.tamu.edu" in row.url]
    assert len(archives) == 21
    for row in archives:
        assert row.sha256
        assert row.url.endswith(f"/{row.name}.tar.gz")
        assert row.member == f"{row.name}/{row.name}.mtx"


def test_a_bar_shows_how_much_has_come(monkeypatch):
    from warpath.datasets import download

    seen = []

    class Progress:
        def __init__(self, name, total):
            seen.append((name, total))

        def advance(self, size):
            seen.append(size)

        def close(self):
            seen.append("closed")

    monkeypatch.setattr(download, "Progress", Progress)
    bar = download._Bar("tiny")
    bar.total = 10
    bar.update(6)
    bar.update(4)
    bar.reset()
    assert seen == [("tiny", 10), 6, 4, "closed"]


@pytest.mark.parametrize(
    "content",
    [b"<!DOCTYPE html><title>Log in</title>", gzip.compress(b"<html>Log in</html>"), EDGES[:-4]],
    ids=["a page", "a page, packed", "cut short"],
)
def test_on_first_use_a_download_is_at_least_what_its_name_says(server, add, cache, content):
    add("tiny", content, "tiny.txt.gz")
    with pytest.raises(ValueError, match=r"tiny.txt.gz is not the .txt.gz file .*nothing was kept"):
        datasets.fetch("tiny")
    assert kept(cache) == []
    server.files["/tiny.txt.gz"] = EDGES  # after the login: nothing was recorded of the page
    assert datasets.load("tiny").num_arcs == 3


def test_the_first_of_two_downloads_at_once_is_the_one_that_counts(server, add, cache, monkeypatch):
    from warpath.datasets import download

    add("tiny", EDGES, "tiny.txt.gz")
    retrieve, other = download._retrieve, gzip.compress(b"0 1\n")

    def and_meanwhile(dataset, scratch):
        found = retrieve(dataset, scratch)
        monkeypatch.setattr(download, "_retrieve", retrieve)
        server.files["/tiny.txt.gz"] = other
        assert datasets.fetch("tiny").read_bytes() == other
        return found

    monkeypatch.setattr(download, "_retrieve", and_meanwhile)
    with pytest.raises(ValueError, match=f"but the first download, of .*had .*{sha256(other)}"):
        datasets.fetch("tiny")
    assert datasets.fetch("tiny").read_bytes() == other


def test_fetches_at_once_are_all_recorded(server, add, cache):
    """Of threads and of processes."""
    names = [f"graph{i}" for i in range(12)]
    for name in names:
        add(name, EDGES, f"{name}.txt.gz")
    script = """
import sys
from warpath import datasets, files
from warpath.datasets import registry
known = {name: registry.Dataset(name, f"{sys.argv[1]}/{name}.txt.gz") for name in sys.argv[2:]}
registry.datasets = lambda: known
for name in known:
    datasets.fetch(name)
"""
    others = [
        subprocess.Popen([sys.executable, "-c", script, server.address, *part])
        for part in (names[:3], names[3:6])
    ]
    with ThreadPoolExecutor(6) as threads:
        list(threads.map(datasets.fetch, names[6:]))
    assert [other.wait() for other in others] == [0, 0]
    assert sorted(json.loads((cache / "record.json").read_text())) == sorted(names)
    assert all(datasets.cached(name) for name in names)


ENTRY = {
    "url": "u", "sha256": "0" * 64, "trusted": "on first use", "file": "f", "bytes": 5,
    "file_sha256": "0" * 64, "when": "then",
}  # fmt: skip


@pytest.mark.parametrize(
    "record",
    [
        [], None, 5, {"asia_osm": 5}, {"asia_osm": {}},
        {"asia_osm": ENTRY | {"bytes": "5"}}, {"asia_osm": ENTRY | {"bytes": -1}},
        {"asia_osm": ENTRY | {"sha256": "0"}}, {"asia_osm": ENTRY | {"file_sha256": None}},
    ],
)  # fmt: skip
def test_a_record_of_another_shape_is_damaged(cache, record):
    cache.mkdir()
    (cache / "record.json").write_text(json.dumps(record))
    for act in (datasets.cached, datasets.fetch, datasets.forget):
        with pytest.raises(ValueError, match=r"record.json is damaged .*delete it"):
            act("asia_osm")
    assert json.loads((cache / "record.json").read_text()) == record


def test_a_record_that_cannot_be_written_leaves_the_old_one(server, add, cache, monkeypatch):
    add("tiny", EDGES, "tiny.txt.gz")
    datasets.fetch("tiny")
    before = (cache / "record.json").read_bytes()

    def full(self, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files._Noting, "write", full)
    with pytest.raises(OSError, match=r"No space left on device: .*record\.json"):
        datasets.forget("tiny")
    assert (cache / "record.json").read_bytes() == before
