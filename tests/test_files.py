import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.figure import Figure

from warpath.files import UNFINISHED, check_replaceable, replacing, replacing_all


def test_a_file_is_replaced_when_the_block_ends(tmp_path):
    file = tmp_path / "a"
    file.write_bytes(b"old")
    with replacing(file) as stream:
        stream.write(b"new")
        assert file.read_bytes() == b"old"
        assert [p.suffix for p in tmp_path.iterdir() if p != file] == [UNFINISHED]
    assert file.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_exception_leaves_the_old_file_alone(tmp_path, error):
    file = tmp_path / "a"
    file.write_bytes(b"old")
    with pytest.raises(error), replacing(file) as stream:
        raise error(stream.write(b"new"))
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_permissions_stay_and_a_new_file_has_the_usual_ones(tmp_path):
    old, new, usual = tmp_path / "old", tmp_path / "new", tmp_path / "usual"
    old.touch()
    old.chmod(0o640)
    usual.touch()
    for file in (old, new):
        with replacing(file):
            pass
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert new.stat().st_mode == usual.stat().st_mode
    with replacing(old, mode=0o600):
        pass
    assert stat.S_IMODE(old.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path):
    file, link = tmp_path / "a", tmp_path / "link"
    file.touch()
    link.symlink_to("a")
    with replacing(link) as stream:
        stream.write(b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with replacing(pipe) as stream:
        stream.write(b"new")
    assert os.read(reader, 10) == b"new"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_names_the_file():
    with pytest.raises(OSError, match="/dev/full") as caught, replacing("/dev/full") as stream:
        stream.write(b"new")
    assert caught.value.errno == errno.ENOSPC
    assert str(caught.value).endswith("'/dev/full'")


def test_a_folder_that_is_not_there_is_named_as_the_user_did(tmp_path):
    file = tmp_path / "none" / "a"
    with pytest.raises(FileNotFoundError) as caught, replacing(file):
        pass
    assert caught.value.filename == str(file)


def test_an_error_about_another_file_keeps_its_name(tmp_path):
    other = tmp_path / "other"
    with pytest.raises(FileNotFoundError) as caught, replacing(tmp_path / "a"):
        other.read_bytes()
    assert caught.value.filename == str(other)


@pytest.mark.parametrize("name", ["a" * 255, "é" * 127, "𝔾" * 63])
def test_the_longest_names(tmp_path, name):
    file = tmp_path / name
    for content in (b"old", b"new"):
        with replacing(file) as stream:
            stream.write(content)
    assert file.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [file]


LIBRARIES = {
    "np.save": lambda stream: np.save(stream, np.zeros(100_000)),
    "np.savez": lambda stream: np.savez(stream, a=np.zeros(100_000)),
    "csv": lambda stream: pl.DataFrame({"a": np.arange(100_000)}).write_csv(stream),
    "parquet": lambda stream: pl.DataFrame({"a": np.arange(100_000)}).write_parquet(stream),
    "picture": lambda stream: Figure().savefig(stream, format="png"),
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_libraries_write_what_they_write_to_files_of_their_own(tmp_path, library):
    file, other = tmp_path / "a", tmp_path / "b"
    with replacing(file) as stream:
        LIBRARIES[library](stream)
    with other.open("wb") as plain:
        LIBRARIES[library](plain)
    if library == "np.savez":  # of one that cannot go back zipfile writes other headers
        assert np.array_equal(np.load(file)["a"], np.zeros(100_000))
    else:
        assert file.read_bytes() == other.read_bytes()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("library", LIBRARIES)
def test_whatever_a_library_makes_of_a_full_disk_it_is_an_oserror_that_names_the_file(library):
    with pytest.raises(OSError, match="No space left on device") as caught:  # noqa: SIM117
        with replacing("/dev/full") as stream:
            LIBRARIES[library](stream)
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, "/dev/full")


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files")
def test_files_that_belong_together_are_all_replaced_or_none(tmp_path):
    a, b = tmp_path / "a", tmp_path / "b"
    for file in (a, b):
        file.write_bytes(b"old")
    # The second one is too large, which is seen when it is closed: it was in Python's buffer.
    script = f"""
import resource
from warpath.files import replacing_all
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
with replacing_all({str(a)!r}, {str(b)!r}) as (first, second):
    first.write(b"new")
    second.write(bytes(200))
"""
    ended = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True)
    assert f"OSError: [Errno 27] File too large: '{b}'" in ended.stderr.decode()
    assert a.read_bytes() == b.read_bytes() == b"old"
    assert sorted(tmp_path.iterdir()) == [a, b]
    with replacing_all(a, b) as streams:
        for stream in streams:
            stream.write(b"new")
        assert a.read_bytes() == b"old"
    assert a.read_bytes() == b.read_bytes() == b"new"


def test_a_file_that_can_be_replaced_is_left_as_it_is(tmp_path):
    file = tmp_path / "a"
    check_replaceable(file)
    assert not list(tmp_path.iterdir())
    file.write_bytes(b"old")
    check_replaceable(file)
    assert file.read_bytes() == b"old"
    with pytest.raises(FileNotFoundError) as caught:
        check_replaceable(tmp_path / "none" / "a")
    assert caught.value.filename == str(tmp_path / "none" / "a")


def test_a_killed_process_leaves_the_old_file(tmp_path):
    file = tmp_path / "a"
    file.write_bytes(b"old")
    script = f"""
import os, signal
from warpath.files import replacing
with replacing({str(file)!r}) as stream:
    stream.write(bytes(1 << 20))
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -9
    assert file.read_bytes() == b"old"
    assert [path.suffix for path in tmp_path.iterdir() if path != file] == [UNFINISHED]


@pytest.mark.skipif(os.name != "posix", reason="locks files")
def test_one_thread_of_one_process_at_a_time_holds_a_lock(tmp_path):
    file, count = tmp_path / "lock", tmp_path / "count"
    count.write_text("0")
    script = f"""
import sys, time
from pathlib import Path
from threading import Thread
from warpath.files import locked
count = Path({str(count)!r})
def add():
    for _ in range(20):
        with locked({str(file)!r}):
            number = int(count.read_text())
            time.sleep(0.0005)
            count.write_text(str(number + 1))
threads = [Thread(target=add) for _ in range(2)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""
    processes = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    assert count.read_text() == "80"
