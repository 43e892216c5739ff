import os
import stat
import subprocess
import sys
from contextlib import suppress
from threading import Event, Thread

import pytest

from warpath import kernel_cache

CONTENT = bytes(range(256))


@pytest.fixture(autouse=True)
def no_warning_yet(monkeypatch):
    monkeypatch.setattr(kernel_cache, "_warned", False)


@pytest.fixture
def entry(tmp_path):
    path = tmp_path / "entry"
    kernel_cache.write(path, b"made of", CONTENT)
    return path


def read(path, made_of=b"made of", private=True):
    return kernel_cache.read(path, made_of, private=private)


def test_what_is_written_is_read(entry):
    assert read(entry) == CONTENT
    assert os.listdir(entry.parent) == [entry.name]


@pytest.mark.parametrize("content", [b"", b"x"])
def test_short_entries(entry, content):
    kernel_cache.write(entry, b"made of", content)
    assert read(entry) == content


def test_no_entry(tmp_path):
    assert read(tmp_path / "entry") is None
    assert read(tmp_path) is None


@pytest.mark.parametrize("made_of", [b"", b"made", b"made of it", b"made of" + CONTENT[:1]])
def test_an_entry_made_of_something_else_does_not_count(entry, made_of):
    assert read(entry, made_of) is None


def test_no_damage_is_overlooked(entry):
    whole = entry.read_bytes()
    for i in range(len(whole)):
        entry.write_bytes(whole[:i] + bytes([whole[i] ^ 1]) + whole[i + 1 :])
        assert read(entry) is None
    for length in (0, 1, 31, 32, 33, len(whole) - 1):
        entry.write_bytes(whole[:length])
        assert read(entry) is None
    entry.write_bytes(whole + b"\0")
    assert read(entry) is None
    kernel_cache.write(entry, b"made of", CONTENT)
    assert read(entry) == CONTENT


needs_modes = pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners and modes here")


@needs_modes
@pytest.mark.parametrize("mode", [0o666, 0o620, 0o602])
def test_an_entry_that_others_may_write_does_not_count(entry, mode):
    entry.chmod(mode)
    assert read(entry) is None
    assert read(entry, private=False) == CONTENT


@needs_modes
def test_an_entry_of_another_user_does_not_count(entry, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: entry.stat().st_uid + 1)
    assert read(entry) is None
    assert read(entry, private=False) == CONTENT


def test_a_private_folder_is_made(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "some" / "cache"))
    folder = kernel_cache.private_folder("things")
    assert folder == tmp_path / "some" / "cache" / "things"
    assert kernel_cache.private_folder("things") == folder
    if hasattr(os, "getuid"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_where_it_lies(tmp_path, monkeypatch):
    monkeypatch.delenv("WARPATH_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert kernel_cache.private_folder("things") == tmp_path / "xdg" / "warpath" / "things"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert kernel_cache.private_folder("things") == tmp_path / ".cache" / "warpath" / "things"


def refused(says):
    with pytest.warns(RuntimeWarning, match=f"{says}.* set WARPATH_CACHE to a folder"):
        assert kernel_cache.private_folder("things") is None
    assert kernel_cache.private_folder("things") is None  # without another warning


@needs_modes
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o702])
def test_a_folder_that_others_may_write_is_ignored(tmp_path, monkeypatch, mode):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path))
    kernel_cache.private_folder("things").chmod(mode)
    refused("things are ignored: it must be a folder that belongs to this user")


@needs_modes
def test_a_folder_of_another_user_is_ignored(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path))
    owner = kernel_cache.private_folder("things").stat().st_uid
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    refused("things are ignored: it must be a folder that belongs to this user")


@needs_modes
def test_a_link_is_no_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path))
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "things").symlink_to(tmp_path / "elsewhere")
    refused("things are ignored")


def test_a_folder_that_cannot_be_made(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("WARPATH_CACHE", str(tmp_path / "file"))
    refused("cannot be kept: .*file")


def test_without_a_home(monkeypatch):
    def none():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("WARPATH_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(kernel_cache.Path, "home", none)
    refused("cannot be kept: Could not determine home directory")


class Time:
    """A clock that stands still unless it is told."""

    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def time(monkeypatch):
    time = Time()
    monkeypatch.setattr(kernel_cache, "perf_counter", time)
    monkeypatch.setattr(kernel_cache, "_clock", kernel_cache._Clock())
    return time


def test_seconds_of_compiling_are_not_counted_twice(time):
    assert kernel_cache.compile_seconds() == 0
    with kernel_cache.compiling():
        time.now += 1
        with kernel_cache.compiling():
            time.now += 2
            assert kernel_cache.compile_seconds() == 3
    time.now += 10
    assert kernel_cache.compile_seconds() == 3
    with suppress(KeyError), kernel_cache.compiling():
        time.now += 4
        raise KeyError
    time.now += 10
    assert kernel_cache.compile_seconds() == 7


def test_two_threads_compile(time):
    begun, end = Event(), Event()

    def compile():
        with kernel_cache.compiling():
            begun.set()
            end.wait()

    thread = Thread(target=compile)
    with kernel_cache.compiling():
        thread.start()
        begun.wait()
        time.now += 2
    time.now += 3
    end.set()
    thread.join()
    time.now += 10
    assert kernel_cache.compile_seconds() == 5


def test_the_notice_comes_after_a_second_of_compiling(time, caplog):
    kernel_cache.notice()
    with kernel_cache.compiling():
        time.now += 0.9
        kernel_cache.notice()
    time.now += 60
    kernel_cache.notice()
    assert not caplog.messages
    with kernel_cache.compiling():
        time.now += 0.2
        kernel_cache.notice()
        kernel_cache.notice()
    assert caplog.messages == [kernel_cache.NOTICE]
    assert caplog.records[0].name == "warpath"


@pytest.mark.parametrize(
    ("before", "shown"),
    [
        ("", kernel_cache.NOTICE + "\n"),
        ("import logging; logging.getLogger('warpath').setLevel(logging.ERROR)", ""),
        ("import sys; sys.stderr = None", ""),
    ],
)
def test_where_the_notice_goes(before, shown):
    code = (
        f"{before}\nfrom warpath import kernel_cache as k\nk.SECONDS_BEFORE_NOTICE = 0\nk.notice()"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("", shown)


def test_what_was_kept_is_known(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache, "kept", {})
    path = tmp_path / "entry"
    assert read(path) is None
    assert not kernel_cache.kept
    kernel_cache.write(path, b"made of", CONTENT)
    assert kernel_cache.kept == {path: path.stat().st_size}
    kernel_cache.kept.clear()
    assert read(path) == CONTENT
    assert kernel_cache.kept == {path: path.stat().st_size}


def in_another_thread(path, events):
    """Take the turn there, as another process would."""

    def take():
        with kernel_cache.turn(path):
            events.append("theirs")

    thread = Thread(target=take)
    thread.start()
    return thread


def test_one_at_a_time_makes_an_entry(tmp_path):
    path, events = tmp_path / "cache" / "entry", []
    with kernel_cache.turn(path):
        other = in_another_thread(path, events)
        other.join(0.1)
        events.append("mine")
    other.join()
    assert events == ["mine", "theirs"]
    assert os.listdir(path.parent) == []


def test_an_entry_is_not_waited_for_too_long(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel_cache, "_LONGEST_TURN", 0.02)
    events = []
    with kernel_cache.turn(tmp_path / "entry"):
        in_another_thread(tmp_path / "entry", events).join()
        events.append("mine")
    assert events == ["theirs", "mine"]


@pytest.mark.parametrize("cause", ["no locks", "refused", "no folder"])
def test_where_files_cannot_be_locked_no_process_waits(tmp_path, monkeypatch, cause):
    def refuse(*_):
        raise OSError("no locks available")

    path, events = tmp_path / "entry", []
    if cause == "no folder":
        path.write_text("a file")
        path = path / "entry"
    else:
        monkeypatch.setattr(kernel_cache, "flock", None if cause == "no locks" else refuse)
    with kernel_cache.turn(path):
        in_another_thread(path, events).join()
        events.append("mine")
    assert events == ["theirs", "mine"]


def test_processes_that_start_together_compile_each_kernel_once(tmp_path):
    script = (
        "from warpath import generate, kernel_cache\n"
        "made, write = [], kernel_cache.write\n"
        "kernel_cache.write = lambda *entry: (made.append(entry), write(*entry))\n"
        "generate.grid(4, keep=0.9)\n"
        "print(len(made))"
    )
    cache = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    both = [
        subprocess.Popen([sys.executable, "-c", script], env=cache, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    made = [int(one.communicate()[0]) for one in both]
    assert sum(made) == len(list(tmp_path.rglob("*.nbc"))) >= 3
    assert list(tmp_path.rglob("*.lock")) == []
