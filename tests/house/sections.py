#!/usr/bin/env python3
# needs:
"""Sections that a text names by page and title, such as (docs/theory/walls.md, "Sides"), exist in that page."""
import glob
import os
import re
import sys

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
FOLDERS = "src papers tests tools docs prog include bench verify python examples scenes".split()
TEXTS = (".c", ".h", ".in", ".py", ".sh", ".md", ".yaml")
REFERENCE = re.compile(r'([\w./-]*\w\.md)`?,? ((?:(?:, | and |, and | or )?"[^"\n]{1,80}")+)')
LEADER = re.compile(r"[ \t]*\n[ \t]*(?:\*|//|#)?[ \t]*")
JOINED = re.compile(r'"[ \t]*\n[ \t]*"')  # adjacent literals of C are one text


def read(path):
    with open(path, encoding="utf-8", errors="replace") as text:
        return text.read()


def titles(text):
    """Headings, and the bold or italic words at the beginnings of lines, outside of blocks of code."""
    text = re.sub(r"^[ \t]*```.*?^[ \t]*```", "", text, flags=re.M | re.S)
    return re.findall(r"^#+ (.*)$", text, re.M) + re.findall(r"^\*\*?([^*\n]+)\*", text, re.M)


def missing(text, pages):
    """Sections named in this text that no page of that name has"""
    for page, names in REFERENCE.findall(LEADER.sub(" ", JOINED.sub("", text).replace('\\"', '"'))):
        found = [t for path, all_of in pages.items() if ("/" + path).endswith("/" + page) for t in all_of]
        for name in re.findall('"([^"]*)"', names):
            if not any(t.startswith(name) or t.endswith(": " + name) for t in found):
                yield f'{page}, "{name}"'


def main():
    pages = {path: titles(read(path)) for path in glob.glob("*.md") + glob.glob("*/**/*.md", recursive=True)
             if not path.startswith(("build", "out"))}
    toy = {"docs/theory/a.md": titles("# One\n**Two.** Some *Three* words\n```\n# Four\n```\n")}
    right = ['(docs/theory/a.md,\n * "One")', 'a.md "One" and "Two"', 'of `docs/theory/a.md`, "Two"', 'a.md, "One", "Two"',
             '"see a.md, "\n\t"\\"One\\")"']
    print("not ok 1" if any(list(missing(r, toy)) for r in right) else "ok 1", "- sections that exist are found")
    wrong = ['/* a.md, "Three" */', 'docs/theory/a.md, "One" and\n# "Three"', 'docs/b.md "One"', 'a.md, "Four"', '`a.md`, "Wo"']
    print("ok 2" if all(len(list(missing(w, toy))) == 1 for w in wrong) else "not ok 2", "- others are reported")
    n = 2
    for folder in FOLDERS + ["."]:
        files = [f for f in sorted(glob.glob(folder + ("/*.md" if folder == "." else "/**"), recursive=True))
                 if os.path.isfile(f) and (f.endswith(TEXTS) or folder == "tools") and not f.endswith("/sections.py")]
        bad = [f"{path}: {m}" for path in files for m in missing(read(path), pages)]
        n += 1
        print(f"{'not ok' if bad else 'ok'} {n} - sections named in {folder}")
        for line in bad:
            print("#", line)
    print(f"1..{n}")


sys.exit(main())
