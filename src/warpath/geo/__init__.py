"""Maps: routes and isochrones as lines and areas, in GeoJSON, in frames of GeoPandas, as pictures."""

from importlib import import_module
from types import ModuleType


def need(module: str, what: str) -> ModuleType:
    """A module of the extra ``geo``.

    Raises
    ------
    ModuleNotFoundError
        If it is missing: it says what to install.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise ModuleNotFoundError(f"{what} needs {module}: pip install 'warpath[geo]'") from None
