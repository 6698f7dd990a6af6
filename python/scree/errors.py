"""Failures of calls as exceptions."""
from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any, Iterable, Optional

from ._library import lib, new, text


class Error(Exception):
    """Base of all failures; its text is the message of the library."""


class GuardError(Error):
    """A guard stopped the simulation, because its state makes no physical sense. The world can still be read."""


class FileError(Error, OSError):
    """A file could not be read or written, or memory ran out."""


class InternalError(Error):
    """An error of scree. The world can only be closed."""


class StaleError(Error):
    """A column was used after rows of bodies may have moved, or force rows after the call that received them.
    Take a column from `world.bodies` again."""


class BusyError(Error):
    """A world was used by another thread, or by a force function, while a call was in progress. The world is unchanged."""


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

    def __init__(self, message: str, problems: list[Problem]) -> None:
        super().__init__(message)
        self.problems = problems


class InputError(Error, ValueError):
    """An argument is wrong, or the world is closed; the world is unchanged."""


class InputTypeError(InputError, TypeError):
    """An argument has a wrong type."""


class UnknownNameError(InputError, KeyError):
    """Nothing has this name or number; the text lists the names."""

    def __str__(self) -> str:  # the text of a KeyError would be the representation of its argument
        return str(self.args[0]) if self.args else ""


_BY_CODE: dict[int, type[Error]] = {2: InputError, 3: GuardError, 4: FileError, 6: BusyError, 70: InternalError}


def check(code: int, sim: Any) -> None:
    """Raises the failure of a call, if it failed."""
    if code:
        raise _BY_CODE.get(code, InternalError)(text(lib.scree_sim_error(sim)))


def unknown(what: str, name: object, known: Iterable[str]) -> UnknownNameError:
    """The exception for a name that does not exist; what: "there is no wall"."""
    names = list(known)
    near = difflib.get_close_matches(str(name).lower(), names, 1, 0.5)
    meant = f" (did you mean {near[0]}?)" if near else ""
    return UnknownNameError(f"{what} {name!r}{meant}; there " + (f"are: {', '.join(names)}" if names else "are none"))


def raise_problems(problems: Any) -> None:
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


def problems_out() -> Any:
    return new("scree_problems **")
