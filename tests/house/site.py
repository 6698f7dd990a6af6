#!/usr/bin/env python3
# needs: test
"""The documentation as a site (./dev docs): docs/README.md, its navigation, names every page of docs/; every link and
anchor of all pages resolves; docs/commands.md names every verb. In ./dev check Sphinx makes the site, too."""
import importlib.machinery
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import tap
from tap import case

BEYOND = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "verify/README.md", "bench/RESULTS.md"]
LINK = re.compile(r"\]\(<?([^)\s>]+)>?\)")


def read(path):
    with open(path, encoding="utf-8") as text:
        return text.read()


def prose(text):
    """A page without its code: blocks between fences, indented blocks, and words in backticks."""
    lines, fence = [], None
    for line in text.splitlines():
        mark = re.match(r"\s*(```+|~~~+)", line)
        if fence:
            fence = None if mark and mark.group(1).startswith(fence) and not line.strip().strip("`~") else fence
        elif mark:
            fence = mark.group(1)
        elif not line.startswith(("    ", "\t")):
            lines.append(line)
    return lines


def anchors(text):
    """Anchors of a page's headings, as GitHub and Sphinx make them."""
    found = set()
    for line in prose(text):
        heading = re.match(r"#{1,6} +(.*?) *#*$", line)
        if heading:
            words = LINK.sub("]", heading.group(1)).lower()
            slug = base = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            again = 0
            while slug in found:
                again += 1
                slug = "%s-%d" % (base, again)
            found.add(slug)
    return found


def links(text):
    return [link for line in prose(text) for link in LINK.findall(re.sub(r"`[^`]*`", "", line))]


def broken(page):
    """Links of a page to files, pages and anchors that are not there."""
    found = []
    for link in links(read(page)):
        path, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", path):
            continue
        to = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(to):
            found.append("%s: there is no %s" % (page, link))
        elif anchor and (not to.endswith(".md") or anchor not in anchors(read(to))):
            found.append("%s: there is no anchor %s" % (page, link))
    return found


def pages_of_docs():
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk("docs") for name in names if name.endswith(".md"))


def check_formulas():
    """Formulas of plain text as MathML, and what stays as it is."""
    sys.path.insert(0, "docs/site")
    import formulas
    rows = [("x_(n+1) = h v'", "<msub><mi>x</mi><mrow><mrow><mi>n</mi>", "<mo stretchy=\"false\">′</mo>"),
            ("E* <= δ^{3/2}", "<msup><mi>E</mi>", "≤", "<msup><mi>δ</mi><mrow><mrow><mn>3</mn>"),
            ("2 * rho sqrt(k m)", "<mn>2</mn>", "<mi>ρ</mi>", "<msqrt><mrow><mi>k</mi>"),
            ("mᵢ² of **n**", "<msubsup><mi>m</mi>", "<mtext>of", "class=\"vector\">n</mi>"),
            ("a < b & c", "&lt;", "&amp;")]
    for text, *parts in rows:
        made = formulas.mathml(text)
        xml.dom.minidom.parseString(made)
        case("formula %s" % text, all(part in made for part in parts), made)
    case("a product is no star of a name", "<msup>" not in formulas.mathml("2 * rho"), formulas.mathml("2 * rho"))
    page = "# T\n\nWith\n\n    a = b_c\n\n```\n\n    x = y\n\n```\n\n- item\n\n    z = y\n\n(3) p = q,\n\n(4) words of prose follow p = q,\n"
    made = formulas.typeset(page)
    case("indented blocks and numbered formulas are typeset", made.count("<math ") == 2 and "a = b_c\"" in made and "(3) p = q,\"" in made, made)
    case("code, lists and prose are not", all(s in made for s in ("\n    x = y", "\n    z = y", "\n(4) words")), made)
    pages = ["docs/theory/" + name for name in sorted(os.listdir("docs/theory"))]
    found = [m for page in pages for m in re.findall("<math.*?</math>", formulas.typeset(read(page)))]
    for one in found:
        xml.dom.minidom.parseString(one)
    case("the pages of theory have formulas", len(found) > 60 and "\ufdd0" not in "".join(found), len(found))


def check_excerpts():
    """The script that shows the text of hits; Node runs it where it is installed."""
    node = shutil.which("node")
    if not node:
        return
    script = read("docs/site/static/excerpts.js") + """
const texts = {"docs/a": "x ".repeat(200) + "Bodies oscillate <b> here.", "b": "another text"};
console.log(JSON.stringify([textOfHit("docs/a.html#k", "oscillating", texts), textOfHit("docs/a.html", "here", texts),
  textOfHit("b.html", "missing", texts), textOfHit("c.html", "x", texts)]));"""
    said = subprocess.run([node, "-e", script], capture_output=True, text=True)
    found = json.loads(said.stdout) if said.returncode == 0 else said.stderr
    right = said.returncode == 0 and "oscillate <b>" in found[0] and found[0].startswith("… x") and "here." in found[1] \
        and len(found[1]) < 260 and found[2:] == ["another text", ""]
    case("hits of a search show the text around the word", right, found)


def check_site(site):
    """What tools/docs has made: formulas, text for the search, and nothing from elsewhere."""
    search, laws = read(site + "/search.html"), read(site + "/docs/theory/implicit.html")
    case("formulas of the site are MathML", laws.count("<math ") > 5 and "gamma lambda" not in re.sub("alttext=\"[^\"]*\"", "", laws))
    case("the search has scripts for its text", all('src="_static/%s"' % name in search for name in ("texts.js", "excerpts.js")))
    texts = json.loads(read(site + "/_static/texts.js").partition("= ")[2].rstrip(";\n"))
    empty = [page for page in texts if len(texts[page]) < 100]
    case("the search has the text of every page", len(texts) > 50 and not empty and "Conventions: the normal" in texts["docs/theory/laws"], empty)
    case("and of formulas", "x_(n+1) = x_n + h v_(n+1/2)" in texts["docs/theory/implicit"])
    pages, found = docs_tool().faults(site)
    with open(site + "/_static/site.css", "a", encoding="utf-8") as style:
        style.write('\n@import "https://example.org/x.css";\n')
    _, more = docs_tool().faults(site)
    case("a style from the network is found", pages > 50 and not found and more == ["_static/site.css loads https://example.org/x.css"], more)


def docs_tool():
    loader = importlib.machinery.SourceFileLoader("docs_tool", "tools/docs")
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("docs_tool", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def main():
    os.chdir(ROOT)
    sys.dont_write_bytecode = True
    check_formulas()
    check_excerpts()
    named = {os.path.normpath(os.path.join("docs", link.split("#")[0])) for link in links(read("docs/README.md"))}
    missing = [page for page in pages_of_docs() + BEYOND if page not in named and page != "docs/README.md"]
    case("docs/README.md names every page", not missing, missing)
    twice = re.findall(r"^## (.*)$", read("docs/README.md"), re.M)
    case("its groups differ", len(twice) == len(set(twice)) > 4, twice)
    for page in pages_of_docs() + BEYOND:
        found = broken(page)
        case("links of " + page, not found, "\n".join(found))
    with tempfile.TemporaryDirectory() as box:
        page = os.path.join(box, "page.md")
        with open(page, "w", encoding="utf-8") as out:
            out.write("# A b\n## A b\n[x](#a-b-1) [x](#a-b-2) [y](no.md) `[z](no2.md)`\n```\n[z](no3.md)\n# c\n```\n[c](#c)\n")
        found = broken(page)
        case("what is missing is found, and nothing else", [f.split()[-1] for f in found] == ["#a-b-2", "no.md", "#c"], found)
    scree = os.environ.get("SCREE", "build/test/scree")
    verbs = re.findall(r"^  scree ([a-z]+) ", subprocess.run([scree, "help"], capture_output=True, text=True).stdout, re.M)
    text = read("docs/commands.md")
    lost = [verb for verb in verbs if "`scree %s" % verb not in text]
    case("docs/commands.md names every verb", len(verbs) > 5 and not lost, lost)
    said = subprocess.run([scree, "explain", "output.history.values"], capture_output=True, text=True).stdout
    columns = re.search(r"list of: (.*)", said).group(1).split(", ")
    part = read("docs/files.md").partition("## The history")[2].partition("\n## ")[0]
    lost = [name for name in columns if "`%s`" % name not in part and not name.startswith("stress_")]
    case("docs/files.md names every column of the history", len(columns) > 20 and not lost, lost)
    # what Sphinx would load from elsewhere: a site is read from the file system
    config = read("docs/site/conf.py") + "".join(read("docs/site/static/" + name) for name in os.listdir("docs/site/static"))
    case("the site loads nothing from the network", not re.search(r"https?://", config))
    if int(os.environ.get("SCREE_TEST_FACTOR", "1")) > 1:
        with tempfile.TemporaryDirectory() as box:
            made = subprocess.run(["tools/docs", box], capture_output=True, text=True)
            case("Sphinx makes the site without a warning, and every link of it resolves", made.returncode == 0, made.stdout + made.stderr)
            check_site(box + "/site")
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
