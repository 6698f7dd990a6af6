#!/usr/bin/python3
# needs:
"""Every function of the headers that takes a simulation enters it (src/library/handle.c and functions.h), and no other file of the library calls it."""
import glob
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))

import tap  # noqa: E402


def read(path):
    """A file without comments."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)


def functions():
    """Names of the functions of the headers that have a simulation or return one."""
    found = []
    for header in sorted(glob.glob("include/scree/*.h", root_dir=ROOT)):
        for declaration in re.findall(r"SCREE_API ([^;]*);", read(header)):
            if re.search(r"\bscree_sim \*", declaration):
                found.append(re.search(r"\b(scree_\w+)\(", declaration).group(1))
    return found


def missing(names, handle):
    """Functions that these files do not define."""
    return [name for name in names if not re.search(rf"\b(CODE|PLAIN|FOUND|VALUE|MEMBER|NUMBER|COUNT|TEXT)\([^(]*?\b{name},|^[\w ]+ \*?{name}\(", handle, re.M)]


def called(names, text):
    """Functions that another file of the library calls."""
    return [name for name in names if re.search(rf"\b{name}\(", text)]


def main():
    names, handle = functions(), read("src/library/handle.c") + read("src/library/functions.h")
    tap.case("the headers have functions of a simulation", len(names) > 70, len(names))
    tap.case("each of them enters it", not missing(names, handle), missing(names, handle))
    others = {path: called(names, read(path)) for path in sorted(glob.glob("src/library/*.[ch]", root_dir=ROOT)) if not path.endswith("/handle.c")}
    bad = {path: found for path, found in others.items() if found}
    tap.case("the library itself calls scree_in_... (internal.h)", not bad, bad)
    tap.case("a function that is left out is seen", missing(names, re.sub(r"\bscree_sim_ledger\b", "scree_sim_other", handle)) == ["scree_sim_ledger"])
    tap.case("a call inside of the library is seen", called(names, "if (scree_sim_until(s) > 0) return;") == ["scree_sim_until"])
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
