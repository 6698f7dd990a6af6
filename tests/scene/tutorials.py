#!/usr/bin/env python3
"""The tutorials as followed by a reader: the scenes and scripts of docs/tutorials are assembled from their blocks, and
the commands are run in the order of the page, each page in its own folder.

    ```yaml NAME, ```python NAME   the next lines of the file NAME
    ```sh                          commands; all must end with 0
    ```text                        what the commands above print, with `...` for lines left out
    <!-- short: OPTIONS -->        before commands: options for their `scree run` and `scree sweep`, so that they take a second
    <!-- says: TEXT -->            before commands: a text that they must print, also when they are shortened

Before the first `short` the output must be that of the page: the same words, and numbers within 2 per cent or the last
digit.
SCREE_TUTORIALS=full runs everything in full length, and so compares all output (as in ./dev check).
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import tap
from tap import case

SCREE = os.path.abspath(os.environ.get("SCREE", os.path.join(ROOT, "build/test/scree")))
FULL = os.environ.get("SCREE_TUTORIALS") == "full" or float(os.environ.get("SCREE_TEST_FACTOR", "1")) > 1
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.]*\w)")
PATTERN = re.compile(r"^(?:<!-- (short|says): (.*?) -->|```(\w+)(?: (\S+))?\n(.*?)^```$)", re.M | re.S)

WRAPPER = """#!/bin/sh
# scree, with the options that shorten runs
case $1 in
run | sweep) exec %s "$@" %s ;;
*) exec %s "$@" ;;
esac
"""


def close(shown, printed):
    """Tests whether two numbers, as texts, agree within 2 per cent or one unit of the last digit shown."""
    last = 10.0 ** -len(shown.split("e")[0].partition(".")[2]) * (10.0 ** float(shown.split("e")[1]) if "e" in shown else 1)
    return abs(float(shown) - float(printed)) <= max(0.02 * abs(float(shown)), 1.01 * last)


def same(shown, printed):
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return False
    return all(close(a, b) for a, b in zip(NUMBER.findall(shown), NUMBER.findall(printed)))


def not_printed(shown, printed):
    """The first line of a shown output that is missing in the printed one, in this order; lines after `...` may be
    anywhere later."""
    lines = [line for line in printed.splitlines() if line.strip()]
    at, anywhere = 0, True
    for line in shown.splitlines():
        if line.strip() == "...":
            anywhere = True
        elif line.strip():
            hits = [k for k in range(at, len(lines) if anywhere else min(at + 1, len(lines))) if same(line, lines[k])]
            if not hits:
                return line
            at, anywhere = hits[0] + 1, False
    return None


def follow(page, box):
    """Runs a page in the folder `box`."""
    name = os.path.basename(page)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    tools = os.path.join(box, ".bin")
    os.mkdir(tools)
    environment = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"])
    short, says, printed, ran, full = "", [], None, 0, True
    for comment, value, kind, file, body in PATTERN.findall(text):
        if comment == "short":
            short = "" if FULL else " ".join(value.split())
        elif comment == "says":
            says.append(value)
        elif kind in ("yaml", "python") and file:
            with open(os.path.join(box, file), "a", encoding="utf-8") as out:
                out.write(body)
        elif kind == "sh":
            with open(os.path.join(tools, "scree"), "w", encoding="utf-8") as out:
                out.write(WRAPPER % (SCREE, short, SCREE))
            os.chmod(out.name, 0o755)
            done = subprocess.run(["bash", "-ec", body], cwd=box, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
            ran += 1
            first = body.strip().splitlines()[0]
            case("%s: %s" % (name, first), done.returncode == 0, done.stdout[-3000:])
            for wanted in says:
                case("%s: says %s" % (name, wanted), wanted in done.stdout, done.stdout[-3000:])
            full = full and not short  # later commands read the output of shortened runs
            printed, short, says = (done.stdout if full else None), "", []
        elif kind == "text" and printed is not None:
            lost = not_printed(body, printed)
            case("%s: prints what the page shows" % name, lost is None, "%s\nis not in\n%s" % (lost, printed[-3000:]))
            printed = None
    case("%s: has commands" % name, ran >= 2, ran)


def main():
    case("numbers are compared", same("a 1.00 b, 2.50e-3", "a  1.01 b, 2.46e-3") and not same("a 1.00", "a 1.05")
         and not same("a 1", "b 1") and same("hash ab1", "hash ab1") and not same("hash ab1", "hash ab2"))
    case("lines are found in their order", not_printed("a\nb\n...\nd\n", "x\na\nb\nc\nd\n") is None
         and not_printed("a\nc\n", "a\nb\nc\n") == "c" and not_printed("d\n...\na\n", "a\nd\n") == "a")
    pages = sorted(name for name in os.listdir(os.path.join(ROOT, "docs/tutorials")) if name.endswith(".md") and name != "README.md")
    wanted = sys.argv[1:]
    for page in pages[1::2] if tap.SHORT else pages:
        if not wanted or page in wanted:
            with tempfile.TemporaryDirectory() as box:
                follow(os.path.join(ROOT, "docs/tutorials", page), box)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
