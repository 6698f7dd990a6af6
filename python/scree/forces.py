"""Rows of bodies in one step, for a force function."""
from __future__ import annotations

from typing import Any, Optional

import numpy

from ._library import ffi
from .errors import InputError, StaleError


class _Input:
    """A column that the function reads."""

    writable = False

    def __init__(self, help: str) -> None:  # noqa: A002
        self.__doc__ = help

    def __set_name__(self, owner: Any, name: str) -> None:
        self._name = name

    def __get__(self, rows: Optional[ForceRows], owner: Any = None) -> numpy.ndarray:
        return self if rows is None else rows._column(self._name, self.writable)  # type: ignore[return-value]

    def __set__(self, rows: ForceRows, values: Any) -> None:
        raise InputError(f"{self._name} cannot be assigned to: a function of forces changes fx .. fz and tx .. tz alone")


class _Output(_Input):
    """A column that the function adds to."""

    writable = True

    def __set__(self, rows: ForceRows, values: Any) -> None:
        column = rows._column(self._name, True)
        if values is not column:  # otherwise done by +=
            column[:] = values


class ForceRows:
    """All bodies in one step; see World.on_force. The arrays are copies; forces reach the engine when the function returns.
    Any later access raises StaleError."""

    __slots__ = ("_rows", "_copies")

    id = _Input("ids of the bodies")  # noqa: A003
    x, y, z = (_Input("m") for _ in range(3))
    vx, vy, vz = (_Input("m/s") for _ in range(3))
    mass = _Input("kg")
    fx, fy, fz = (_Output("N, on the bodies") for _ in range(3))
    tx, ty, tz = (_Output("N m, on the bodies, about their centres") for _ in range(3))

    def __init__(self, rows: Any) -> None:
        self._rows: Any = rows
        self._copies: dict[str, numpy.ndarray] = {}

    def _open(self) -> Any:
        if self._rows is None:
            raise StaleError("rows of forces can be used during the call of the function alone; keep copies of their arrays")
        return self._rows

    def _memory(self, name: str) -> numpy.ndarray:
        rows = self._open()
        kind = numpy.uint64 if name == "id" else numpy.float64
        return numpy.frombuffer(ffi.buffer(getattr(rows, name), 8 * rows.rows), kind) if rows.rows else numpy.empty(0, kind)

    def _column(self, name: str, writable: bool) -> numpy.ndarray:
        self._open()
        if name not in self._copies:
            self._copies[name] = self._memory(name).copy()
            self._copies[name].flags.writeable = writable
        return self._copies[name]

    def _end(self) -> None:
        """Passes the forces to the engine. Arrays kept by the function remain unchanged, and cannot be assigned to."""
        try:
            for name, values in self._copies.items():
                if isinstance(getattr(type(self), name), _Output):
                    self._memory(name)[:] = values
                    values.flags.writeable = False
        finally:
            self._rows, self._copies = None, {}

    @property
    def time(self) -> float:
        """s"""
        return float(self._open().time)

    def __len__(self) -> int:
        return int(self._open().rows)

    def __repr__(self) -> str:
        return "<ForceRows: out of date>" if self._rows is None else f"<ForceRows: {len(self)} bodies at {self.time:.6g} s>"
