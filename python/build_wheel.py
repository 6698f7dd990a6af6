"""The build backend of the module (PEP 517). It needs only Python, so that `pip install .` works without a network.

The wheel holds the module with its type hints (py.typed) and copies of the headers scree.h, world.h, outputs.h, measures.h, ranks.h and
language.h, from which the module takes the version and the functions of the shared library. They are read from ../include/scree: this folder cannot be built
without the rest of the tree. The library itself comes from `./dev install` or a package of the system.
"""
import base64
import hashlib
import os
import re
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEADERS = os.path.join(HERE, os.pardir, "include", "scree")


def version():
    with open(os.path.join(HEADERS, "scree.h"), encoding="utf-8") as header:
        return re.search(r'#define SCREE_VERSION "([^"]+)"', header.read()).group(1)


def metadata():
    return (f"Metadata-Version: 2.1\nName: scree\nVersion: {version()}\n"
            "Summary: Granular matter of particles of any shape: drive the scree engine from Python\n"
            "License: BSD-3-Clause\nRequires-Python: >=3.9\nRequires-Dist: cffi\nRequires-Dist: numpy\n")


def files():
    """Pairs of a name in the wheel and its content."""
    package = os.path.join(HERE, "scree")
    for name in sorted(os.listdir(package)):
        if name.endswith(".py") or name == "py.typed":
            with open(os.path.join(package, name), "rb") as source:
                yield f"scree/{name}", source.read()
    for name in ("scree.h", "world.h", "outputs.h", "measures.h", "ranks.h", "language.h"):
        with open(os.path.join(HEADERS, name), "rb") as header:
            yield f"scree/{name}", header.read()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name, info = f"scree-{version()}-py3-none-any.whl", f"scree-{version()}.dist-info"
    rows = list(files())
    rows.append((f"{info}/METADATA", metadata().encode()))
    rows.append((f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: scree\nRoot-Is-Purelib: true\nTag: py3-none-any\n"))
    record = ""
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in rows:
            wheel.writestr(path, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(content)}\n"
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return name
