"""The documentation site: `make docs` builds it, with warnings as errors and without a network."""

from __future__ import annotations

import sys
from importlib.metadata import metadata
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

ABOUT = metadata("cart-elc")
ADDRESSES = dict(address.split(", ", 1) for address in ABOUT.get_all("Project-URL") or [])

project = "cart-elc"
author = "The cart-elc developers"
project_copyright = author
version = release = ABOUT["Version"]

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "generated_pages",
]
exclude_patterns = ["_ext", "_templates", "gallery/*.ipynb", "gallery/*.py", "gallery/*.md5", "gallery/*.json"]
templates_path = ["_templates"]
default_role = "code"
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
autodoc_typehints = "none"

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "ignore_pattern": r"default_tree",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 60,
    "image_scrapers": ("matplotlib",),
    "matplotlib_animations": False,
    "capture_repr": (),
    "run_stale_examples": True,
    "abort_on_example_error": True,
}

html_theme = "pydata_sphinx_theme"
html_title = f"cart-elc {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_live"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"start": [], "faq": [], "changelog": []}
html_theme_options = {
    "github_url": ADDRESSES["Homepage"],
    "logo": {"text": "cart-elc"},
    "header_links_before_dropdown": 4,
    "navigation_with_keys": False,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
