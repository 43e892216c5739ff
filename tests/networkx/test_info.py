"""Importing NetworkX imports nothing of warpath but the names of its functions."""

import subprocess
import sys


def test_importing_networkx_imports_nothing_heavy():
    code = (
        "import sys, networkx\n"
        "mine = {'warpath', 'numba', 'scipy', 'polars', 'cupy', 'numpy'}\n"
        "heavy = {name.partition('.')[0] for name in sys.modules} & mine\n"
        "assert '_warpath_networkx' in sys.modules, 'NetworkX does not know the backend'\n"
        "print(sorted(heavy))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
