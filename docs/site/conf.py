"""Sphinx makes the documentation site from the pages as they are (./dev docs). docs/README.md is the first page and the
navigation: its headings are the groups, and the links below them are their pages."""
import html
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "docs/site"))
import formulas

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
# the script of Sphinx would fetch pages, which browsers refuse on the file system: static/excerpts.js shows the text
html_show_search_summary = False
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


def typeset(app, page, source):
    if page.startswith(("docs/theory/", "docs/tutorials/")):
        source[0] = formulas.typeset(source[0])


def plain(doctree):
    """Text of a page as a search shows it, with a line per block. Formulas have theirs as an attribute."""
    lines = []
    for node in doctree.traverse(lambda n: n.tagname in ("title", "paragraph", "literal_block", "raw")):
        text = node.astext()
        if node.tagname == "raw":
            text = " ".join(html.unescape(t) for t in re.findall('alttext="([^"]*)"', text))
        lines.append(" ".join(text.split()))
    return "\n".join(line for line in lines if line)


def write_texts(app, env):
    """The text of all pages for the results of a search, as a script: it can be loaded from the file system."""
    texts = {page: plain(env.get_doctree(page)) for page in sorted(env.found_docs)}
    os.makedirs(os.path.join(app.outdir, "_static"), exist_ok=True)
    with open(os.path.join(app.outdir, "_static/texts.js"), "w", encoding="utf-8") as out:
        out.write("const pageTexts = %s;\n" % json.dumps(texts, ensure_ascii=False, indent=0))


def add_texts(app, page, template, context, doctree):
    if page == "search":
        app.add_js_file("texts.js")
        app.add_js_file("excerpts.js")


def setup(app):
    app.connect("source-read", add_navigation)
    app.connect("source-read", typeset)
    app.connect("env-check-consistency", write_texts)
    app.connect("html-page-context", add_texts)
