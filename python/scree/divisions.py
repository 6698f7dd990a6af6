"""Simulations divided among the processes of a launcher (docs/ranks.md)."""
from __future__ import annotations

import atexit
import sys
from typing import Any, Union

from .errors import InputError
from ._library import ffi, lib, new, text
from .words import encoded

_begun = False
_failed = False


def rank() -> int:
    """Number of this process, from 0, among those of a launcher (`mpirun -n 4 python3 SCRIPT`)."""
    return int(lib.scree_rank())


def ranks() -> int:
    """Number of these processes; 1 without a launcher."""
    return int(lib.scree_ranks())


def _end() -> None:
    """Ends all ranks after a failure on one of them, since the others would wait for it."""
    if _failed:
        lib.scree_ranks_abort(1)
    lib.scree_ranks_end(0)


def _note_failures() -> None:
    hook = sys.excepthook

    def fail(kind: Any, problem: Any, trace: Any) -> None:
        global _failed
        _failed = True
        hook(kind, problem, trace)
        sys.stderr.flush()

    sys.excepthook = fail


def begin(divided: Union[bool, str, None]) -> bool:
    """Whether a simulation opened now is divided. divided: see scree.open."""
    global _begun
    if ranks() == 1 or divided is False:
        return False
    if divided is None:
        raise InputError(f"this is process {rank()} of {ranks()} that a launcher has started, and each would make the same run: say "
                         "ranks=True to divide the simulation among them, or ranks=False for a simulation of this process alone")
    if not _begun:
        if lib.scree_ranks_begin():
            raise InputError(text(lib.scree_ranks_error()))
        _begun = True
        _note_failures()
        atexit.register(_end)
    return True


def divide(sim: Any, divided: Union[bool, str, None]) -> int:
    """Divides an opened simulation; returns the code of the call."""
    name = new("char[]", encoded(divided, "ranks")) if isinstance(divided, str) else ffi.NULL
    return lib.scree_ranks_divide(sim, name)
