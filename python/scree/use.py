"""One call at a time: methods of a world, and of its parts, enter the world before they access it.

The library releases the lock of the interpreter, so another thread can run while a call is in progress. If that thread uses
the world, it gets a BusyError, as does a force function that does more than read. Only close() waits for others.
"""
from __future__ import annotations

import contextlib
import functools
import time
from threading import get_ident
from typing import Any, Callable, Iterator, Tuple, TypeVar, cast

from .errors import BusyError, InputError

F = TypeVar("F", bound=Callable[..., Any])
# thread and name of the call that has entered a world, and whether it only reads a value, which takes microseconds
Holder = Tuple[int, str, bool]


# s: time that closing a world waits for another thread, and time between two attempts
_PATIENCE, _PAUSE = 10.0, 0.001


def _refusal(function: str, holder: Holder) -> BusyError:
    if holder[0] == get_ident():
        return BusyError(f"{function}: a function of forces may only read time, steps, names and settings of its world, since a step is in "
                         "progress")
    return BusyError(f"{function}: another thread is in {holder[1]} of this world; only one thread at a time may use it")


def refuse_closing(world: Any) -> None:
    """Ends a call between two steps if another thread is waiting to close the world."""
    if world._closing:
        raise InputError("another thread closes the world")


def _entering(function: Callable[..., Any], reads: bool) -> Callable[..., Any]:
    name = function.__name__

    @functools.wraps(function)
    def call(self: Any, *arguments: Any, **more: Any) -> Any:
        world = self._world
        mine = (get_ident(), name, reads)  # a new object
        use = world._use
        try:
            # a single operation, which neither another thread nor an interrupt can split
            while (holder := use.setdefault("by", mine))[2] and holder[0] != mine[0]:
                time.sleep(0)
            if holder is mine:
                refuse_closing(world)
            elif holder[0] != mine[0] or (world._in_function and not reads):
                raise _refusal(name, holder)
            return function(self, *arguments, **more)
        finally:
            if use.get("by") is mine:
                del use["by"]

    return call


def exclusive(function: F) -> F:
    """A method that must not overlap with other calls, except those that it makes itself."""
    return cast(F, _entering(function, False))


def reading(function: F) -> F:
    """A method that a force function may also call."""
    return cast(F, _entering(function, True))


@contextlib.contextmanager
def closing(world: Any) -> Iterator[None]:
    """Waits until no call from another thread is in progress, and blocks new ones."""
    mine = (get_ident(), "close", False)
    until = time.monotonic() + _PATIENCE
    try:
        while (holder := world._use.setdefault("by", mine)) is not mine:
            if holder[0] == mine[0] or time.monotonic() > until:
                raise _refusal("close", holder)
            world._closing = True
            time.sleep(_PAUSE)
        yield
    finally:
        world._closing = False
        if world._use.get("by") is mine:
            del world._use["by"]
