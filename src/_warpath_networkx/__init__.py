"""What NetworkX wants to know of its backend ``warpath`` when it is imported itself.

A package of its own, which imports nothing: neither warpath nor anything that it needs.
"""

from _warpath_networkx.functions import FUNCTIONS, KEYWORDS


def get_info() -> dict[str, object]:
    """The entry point ``networkx.backend_info``."""
    return {
        "backend_name": "warpath",
        "project": "warpath",
        "package": "warpath",
        "short_summary": "Shortest paths and graph traversal on NVIDIA GPUs and CPUs.",
        "functions": {
            name: {"additional_parameters": {f"{key} : optional": KEYWORDS[key] for key in keys}}
            for name, keys in FUNCTIONS.items()
        },
    }
