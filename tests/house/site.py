#!/usr/bin/env python3
# needs: test
"""The documentation as a site (./dev docs): docs/README.md, its navigation, names every page of docs/; every link and
anchor of all pages resolves; docs/commands.md names every verb. In ./dev check Sphinx makes the site, too."""
import os
import re
import subprocess
import sys
import tempfile

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


def main():
    os.chdir(ROOT)
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
            made = subprocess.run([sys.executable, "tools/docs", box], capture_output=True, text=True)
            case("Sphinx makes the site without a warning, and every link of it resolves", made.returncode == 0, made.stdout + made.stderr)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
