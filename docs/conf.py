"""Sphinx builds the site from these pages, the docstrings and ``examples/``; see CONTRIBUTING.md."""

import sys
from pathlib import Path

import warpath

sys.path.insert(0, str(Path(__file__).resolve().parent))

project = "warpath"
author = "The warpath developers"
copyright = "The warpath developers, Apache-2.0"
version = release = warpath.__version__

extensions = [
    "code_tables",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_click",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
exclude_patterns = ["_templates", "conclusions"]

# Pages are Markdown: their headings are link targets, as on GitHub.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]

# `Graph` in a docstring is a link where there is such a name.
default_role = "autolink"
smartquotes = False  # `--json` is no dash
autosummary_generate = True
autodoc_typehints = "none"  # numpydoc's sections say the types
autodoc_member_order = "bysource"
numpydoc_show_class_members = False  # the class's template lists them
numpydoc_xref_param_type = False

# Everything is served from the site itself: no font, script or picture of another host.
html_theme = "pydata_sphinx_theme"
html_title = f"warpath {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "show_prev_next": True,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
# Copied lines are input alone: no prompt, no answer.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "backreferences_dir": "gallery/used",  # "Examples that call it" of the reference
    "doc_module": ("warpath",),
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "abort_on_example_error": True,
    "image_srcset": ["2x"],
}

nitpick_ignore_regex = [
    # Links into other projects would need their inventories, which are not here.
    (
        r"py:.*",
        r"(numpy|scipy|networkx|polars|pandas|cupy|matplotlib|geopandas|shapely|osmnx)(\..*)?",
    ),
]


def _escape(app, context, lines):
    """Help is plain text: a pattern's star begins no emphasis."""
    lines[:] = [line.replace("*", r"\*") for line in lines]


def setup(app):
    """Put the text of ``--help`` on a page as it is."""
    for part in ("description", "options", "arguments", "epilog"):
        app.connect(f"sphinx-click-process-{part}", _escape)
