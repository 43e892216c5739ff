"""Headers that are written for a user's function, next to the compiled kernels or for this process alone."""

import hashlib
import tempfile
from functools import cache, lru_cache
from pathlib import Path

from warpath import kernel_cache
from warpath.files import replacing


@cache
def _temporary() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="warpath-")


@lru_cache(maxsize=1024)
def write_header(text: str) -> str:
    """The path of a file with this header, which is named by what it holds."""
    name = f"operator_{hashlib.sha256(text.encode()).hexdigest()[:32]}.cuh"
    path = (kernel_cache.private_folder("operators") or Path(_temporary().name)) / name
    if not path.exists() or path.read_text() != text:
        with replacing(path, mode=0o644) as file:
            file.write(text.encode())
    return str(path)
