"""Loads the shared library. Its functions are those that two of its headers declare, world.h and outputs.h."""
import os
import re

import cffi

ffi = cffi.FFI()

HEADERS = ("world.h", "outputs.h")


def _header(name):
    here = os.path.dirname(os.path.abspath(__file__))
    installed = os.path.join(here, name)
    in_tree = os.path.join(here, os.pardir, os.pardir, "include", "scree", name)
    with open(installed if os.path.exists(installed) else in_tree, encoding="utf-8") as header:
        return header.read()


def declarations(text):
    """The declarations of a header, in the subset of C that cffi reads."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = re.sub(r"^[ \t]*#.*$", "", text, flags=re.M)
    return text.replace("SCREE_API", "")


def _candidates():
    """Where the library may be, in the order in which it is looked for."""
    given = os.environ.get("SCREE_LIBRARY")
    if given:
        return [given]
    here = os.path.dirname(os.path.abspath(__file__))
    tree = os.path.join(here, os.pardir, os.pardir, "build")
    built = [os.path.join(tree, preset, "libscree.so") for preset in ("release", "bench", "test")]
    home = os.path.expanduser("~/.local/lib/libscree.so")
    return [path for path in (*built, home) if os.path.exists(path)] + ["libscree.so"]


def _load():
    for name in HEADERS:
        ffi.cdef(declarations(_header(name)))
    problems = []
    for path in _candidates():
        try:
            return ffi.dlopen(path)
        except OSError as problem:
            problems.append(str(problem))
    raise ImportError("libscree.so was not found: install scree (./dev install), or set SCREE_LIBRARY to its path:\n  "
                      + "\n  ".join(problems))


lib = _load()


def text(pointer):
    """A string of the library; "" for NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def version():
    """Version of the loaded library, such as "0.3.0"."""
    return text(lib.scree_version())
