"""Failures of calls as exceptions."""
from dataclasses import dataclass
from typing import Optional

from ._library import ffi, lib, text


class Error(Exception):
    """Base of all failures; its text is the sentence of the library."""


class GuardError(Error):
    """A guard stopped the simulation, because its state makes no physical sense. The world can still be read."""


class FileError(Error, OSError):
    """A file could not be written, a snapshot could not be read, or memory ran out."""


class InternalError(Error):
    """An error of scree. The world can only be closed."""


class StaleError(Error):
    """A column was used after rows of bodies may have moved. Take it from `world.bodies` again."""


@dataclass(frozen=True)
class Problem:
    """One problem of a scene: position (from 1; 0: none), what is wrong, and what to write instead."""
    file: Optional[str]
    line: int
    column: int
    sentence: str
    cure: Optional[str]


class SceneError(Error, ValueError):
    """A scene or snapshot is wrong, or a file of a scene cannot be read; `problems` lists why."""

    def __init__(self, message, problems):
        super().__init__(message)
        self.problems = problems


class InputError(Error, ValueError):
    """An argument is wrong; the world is unchanged."""


_BY_CODE = {2: InputError, 3: GuardError, 4: FileError, 70: InternalError}


def check(code, sim):
    """Raises the failure of a call, if it failed."""
    if code:
        raise _BY_CODE.get(code, InternalError)(text(lib.scree_sim_error(sim)))


def raise_problems(problems):
    """Raises the problems of an opened scene or snapshot, and frees them."""
    code = lib.scree_problems_code(problems)
    try:
        rows = []
        for k in range(lib.scree_problems_count(problems)):
            p = lib.scree_problems_row(problems, k)
            rows.append(Problem(text(p.file) or None, p.line, p.column, text(p.sentence), text(p.cure) or None))
        message = text(lib.scree_problems_text(problems)).rstrip() or "the scene cannot be opened"
    finally:
        lib.scree_problems_free(problems)
    if code == 2:
        raise SceneError(message, rows)
    raise _BY_CODE.get(code, InternalError)(message)


def problems_out():
    return ffi.new("scree_problems **")
