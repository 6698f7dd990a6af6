"""Sphinx makes the documentation site from the pages as they are (./dev docs). docs/README.md is the first page and the
navigation: its headings are the groups, and the links below them are their pages."""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
with open(os.path.join(ROOT, "include/scree/scree.h"), encoding="utf-8") as header:
    release = re.search(r'SCREE_VERSION "(.*)"', header.read()).group(1)

project = "scree"
copyright = "the scree developers"
html_title = "scree " + release
master_doc = "docs/README"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
include_patterns = ["*.md", "docs/**.md", "bench/*.md", "verify/*.md"]
exclude_patterns = ["build*", "out", "src", "tests", "python", ".*"]
myst_heading_anchors = 4
myst_enable_extensions = []
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_search_summary = False  # it would fetch pages, which browsers refuse on the file system
templates_path = []
highlight_language = "none"


def groups(text):
    """[(heading, [pages without .md])] of the index; a page belongs to the first group that links it."""
    found, seen = [], set()
    for line in text.splitlines():
        heading = re.match(r"#{2,3} (.*)", line)
        if heading:
            found.append((heading.group(1), []))
        for link in re.findall(r"\]\(([^)#:]+)\.md\)", line):
            page = os.path.normpath(os.path.join("docs", link))
            if found and page not in seen:
                seen.add(page)
                found[-1][1].append(page)
    return [(heading, pages) for heading, pages in found if pages]


def add_navigation(app, page, source):
    if page != master_doc:
        return
    for heading, pages in groups(source[0]):
        source[0] += "\n\n```{toctree}\n:hidden:\n:caption: %s\n\n%s\n```\n" % (heading, "\n".join("/" + p for p in pages))


def setup(app):
    app.connect("source-read", add_navigation)
