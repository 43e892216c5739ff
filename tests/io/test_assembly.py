"""As many vertices as a file may have."""

import pytest

from warpath.errors import GraphFormatError
from warpath.io import read

# A vertex far away, and the line of the error where the file declares it.
FAR = {
    "a.mtx": ("%%MatrixMarket matrix coordinate pattern general\n{n} {n} 1\n1 1\n", 2),
    "a.gr": ("c\np sp {n} 1\na 1 1 1\n", 2),
    "b.gr": ("p tw {n} 1\n1 2\n", 1),
    "a.txt": ("# Nodes: {n} Edges: 1\n0 1\n", None),
    "b.txt": ("0 {last}\n", None),
    "a.el": ("{last} 0\n", None),
    "a.wel": ("0 {last} 7\n", None),
}


@pytest.mark.parametrize("name", FAR)
def test_many_vertices_in_a_small_file(name, tmp_path):
    content, line = FAR[name]
    path = tmp_path / name
    for n in (10**8, 2**31 - 1):
        path.write_text(content.format(n=n, last=n - 1))
        with pytest.raises(GraphFormatError, match=f"a graph of {n:,} vertices takes") as caught:
            read(path)
        assert (caught.value.file, caught.value.line) == (str(path), line)
    path.write_text(content.format(n=30_000, last=29_999))
    assert read(path).num_vertices == 30_000
    assert read(path, max_bytes=4 * 30_001).num_vertices == 30_000
    with pytest.raises(GraphFormatError, match="allow more by max_bytes="):
        read(path, max_bytes=4 * 30_001 - 1)


@pytest.mark.parametrize("number", ["9" * 5000, "9" * 30])
@pytest.mark.parametrize("name", [name for name in FAR if "{n}" in FAR[name][0]])
def test_numbers_of_many_digits_in_headers(name, number, tmp_path):
    (tmp_path / name).write_text(FAR[name][0].format(n=number))
    with pytest.raises(GraphFormatError, match=f"{name}, line "):
        read(tmp_path / name)
