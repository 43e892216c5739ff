import errno
import os
import stat
from pathlib import Path

import pytest

from warpath.files import UNFINISHED, replacing


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
