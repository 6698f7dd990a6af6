"""Loads the shared library. Its functions are declared by five headers: world.h, outputs.h, measures.h, ranks.h and language.h."""
from __future__ import annotations

import os
import re
from typing import Any

import cffi

ffi = cffi.FFI()

HEADERS = ("world.h", "outputs.h", "measures.h", "ranks.h", "language.h")

# all types that this module allocates, and the type of functions called back by the library
TYPE_NAMES = (
    "char **", "char[]", "const char **", "const char *[]", "const scree_file **", "double *", "double[3]", "double[6]",
    "double[]", "int64_t *", "scree_array *", "scree_body *", "scree_cell *", "scree_contact *", "scree_cursor *",
    "scree_force_fn *", "scree_guards *", "scree_ledger *", "scree_measures *", "scree_open_options *",
    "scree_outputs *", "scree_outputs_options *", "scree_problems **", "scree_progress_row *", "scree_wall *",
    "uint64_t *", "uint64_t[]")


def _header(name: str) -> str:
    here = os.path.dirname(os.path.abspath(__file__))
    installed = os.path.join(here, name)
    in_tree = os.path.join(here, os.pardir, os.pardir, "include", "scree", name)
    with open(installed if os.path.exists(installed) else in_tree, encoding="utf-8") as header:
        return header.read()


# the called functions are those of this version
HEADER_VERSION: str = re.findall(r'#define SCREE_VERSION "([^"]+)"', _header("scree.h"))[0]


def declarations(header: str) -> str:
    """The declarations of a header, in the subset of C that cffi reads."""
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    header = re.sub(r"#ifdef __cplusplus.*?#endif", "", header, flags=re.S)
    header = re.sub(r"^[ \t]*#.*$", "", header, flags=re.M)
    return header.replace("SCREE_API", "")


def text(pointer: Any) -> str:
    """A string of the library; "" for NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def _candidates() -> list[str]:
    """Possible locations of the library, in search order."""
    given = os.environ.get("SCREE_LIBRARY")
    if given:
        return [given]
    name = "libscree.so." + ".".join(HEADER_VERSION.split(".")[:2])
    here = os.path.dirname(os.path.abspath(__file__))
    tree = os.path.join(here, os.pardir, os.pardir, "build")
    built = [os.path.join(tree, preset, name) for preset in ("release", "bench", "test")]
    home = os.path.join(os.path.expanduser("~/.local/lib"), name)
    return [path for path in (*built, home) if os.path.exists(path)] + [name]


def _load() -> Any:
    for name in HEADERS:
        ffi.cdef(declarations(_header(name)))
    problems = []
    for path in _candidates():
        try:
            found = ffi.dlopen(path)
        except OSError as problem:
            problems.append(str(problem))
            continue
        its = text(found.scree_version())
        if its == HEADER_VERSION:
            return found
        problems.append(f"{path}: version {its}")
    raise ImportError(f"no libscree.so of version {HEADER_VERSION} was found: install scree (./dev install), or set SCREE_LIBRARY to its "
                      "path:\n  " + "\n  ".join(problems))


lib = _load()
# cffi parses a type, and looks up a function, when it is first used. An interrupt (Ctrl-C) in
# its parser makes every later parse fail. So all types are parsed and all functions are looked up here.
TYPES = {name: ffi.typeof(name) for name in TYPE_NAMES}
for _name in dir(lib):
    getattr(lib, _name)


def new(type_name: str, value: Any = None) -> Any:
    """Allocates this type (one of TYPE_NAMES), filled with zeros unless a value is given."""
    return ffi.new(TYPES[type_name], value)


def version() -> str:
    """Version of the loaded library, such as "0.3.0"."""
    return text(lib.scree_version())
