#!/usr/bin/python3
# needs:
"""The table of files in docs/architecture.md names each folder of src and papers and each file in it, and nothing else."""
import fnmatch
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(ROOT, "tests"))
import tap
from tap import case

ROOMS = ("src", "papers")


def folders():
    """names of files without their endings, by folder"""
    listed = subprocess.run(["git", "ls-files", *ROOMS], cwd=ROOT, capture_output=True, text=True)
    paths = listed.stdout.split() or [os.path.relpath(os.path.join(at, f), ROOT) for room in ROOMS for at, _, files in os.walk(os.path.join(ROOT, room)) for f in files]
    out = {}
    for path in paths:
        if os.path.exists(os.path.join(ROOT, path)):
            out.setdefault(os.path.dirname(path), set()).add(re.sub(r"\.(c|h|cpp)(\.in)?$", "", os.path.basename(path)))
    return out


def table(text):
    """(folders, patterns of their files) for each row below the heading Files"""
    part = re.search(r"^## Files\n(.*?)(?=^## |\Z)", text, re.M | re.S).group(1)
    for row in re.findall(r"^\| (`(?:src|papers).*?) \| (.*) \|$", part, re.M):
        yield re.findall(r"`([^`]+)`", row[0]), re.findall(r"`([^`]+)`", row[1])


def faults(text, tree):
    """entries missing in the table, and names that do not exist"""
    named, out = set(), []
    for where, patterns in table(text):
        named.update(where)
        files = {f for folder in where for f in tree.get(folder, ())}
        out += ["there is no folder " + folder for folder in where if folder not in tree]
        out += ["%s: there is no file %s" % (where[0], p) for p in patterns if not fnmatch.filter(files, p)]
        out += ["%s/%s is not named" % (where[0], f) for f in sorted(files) if not any(fnmatch.fnmatchcase(f, p) for p in patterns)]
    return out + ["the folder %s is not named" % f for f in sorted(set(tree) - named)]


with open(ROOT + "/docs/architecture.md", encoding="utf-8") as page:
    text = page.read()
tree = folders()
found = faults(text, tree)
case("docs/architecture.md names all files of src and papers, and no others", not found, "\n".join(found))
more = {**tree, "src/new": {"thing"}, "src/scene": tree["src/scene"] | {"new_file"}}
found = faults(text, more)
case("a new folder and a new file are found", found == ["src/scene/new_file is not named", "the folder src/new is not named"], found)
less = {**tree, "src/outputs": tree["src/outputs"] - {"film"}}
case("a file that is gone is found", faults(text, less) == ["src/outputs: there is no file film"], faults(text, less))
sys.exit(tap.end())
