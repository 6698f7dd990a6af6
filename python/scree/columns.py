"""Columns of the table of bodies: values in the memory of the engine, which refuse to be used when out of date."""
from __future__ import annotations

from typing import Any, Callable, Iterator, Optional

import numpy
from numpy.lib.mixins import NDArrayOperatorsMixin

from . import words
from ._library import ffi, lib, new, text
from .errors import InputError, InputTypeError, StaleError, UnknownNameError, check, unknown
from .use import exclusive, reading

_TYPES = {0: numpy.float64, 1: numpy.int32, 2: numpy.uint64}
# kinds of changes, for the engine, per column: SCREE_POSITIONS, SCREE_VELOCITIES
_POSITIONS, _VELOCITIES = 1, 2
_CHANGES = {**dict.fromkeys(("x", "y", "z", "qw", "qx", "qy", "qz"), _POSITIONS),
            **dict.fromkeys(("vx", "vy", "vz", "wx", "wy", "wz"), _VELOCITIES)}
# columns that the engine copies for its callers, and columns that it derives from assigned values
_COPIES = ("qw", "qx", "qy", "qz", "size")
_DERIVED = ("fx", "fy", "fz", "tx", "ty", "tz", "cell_x", "cell_y", "cell_z")
# methods of arrays that a column also has, without those that change an array in place
_METHODS = ("all", "any", "argmax", "argmin", "argsort", "astype", "clip", "copy", "cumsum", "dot", "max", "mean", "min", "nonzero",
            "prod", "round", "std", "sum", "take", "tolist", "var")


class Column(NDArrayOperatorsMixin):
    """One value per body, [rows], in the memory of the engine.

    It behaves like a NumPy array: indexing, arithmetic, NumPy functions, sum() and other methods that change nothing; all
    return copies. Where the engine allows, values may be assigned (`column[:] = ...`). It always has the current
    values. Once rows have moved, after some steps or after bodies were added or removed, it raises StaleError, and must be
    taken from `world.bodies` again.
    """

    __slots__ = ("_world", "_epoch", "_writable", "name", "unit", "help", "_data", "_rows", "_dtype")

    def __init__(self, world: Any, row: Any) -> None:
        self._world, self._epoch, self._writable = world, row.epoch, bool(row.writable)
        self.name, self.unit, self.help = text(row.name), text(row.unit), text(row.help)
        self._data, self._rows = row.data, int(row.rows)
        self._dtype = numpy.dtype(_TYPES[int(row.type)])

    def _fresh(self) -> numpy.ndarray:
        """The values in the memory of the engine. The array must not outlive the call for which it is made."""
        if self.name in _DERIVED:
            self._world._flush()
        if self.name in _COPIES and self._world.epoch == self._epoch:
            self._world._column(self.name)  # renews the copies in place
        if self._world.epoch != self._epoch:
            raise StaleError(f"column {self.name} is of an earlier state; take world.bodies['{self.name}'] again")
        if not self._rows:
            return numpy.empty(0, self._dtype)
        return numpy.frombuffer(ffi.buffer(self._data, self._rows * self._dtype.itemsize), self._dtype)

    @exclusive
    def _values(self) -> numpy.ndarray:
        """A copy of the values."""
        return self._fresh().copy()

    @property
    def dtype(self) -> numpy.dtype:
        return self._dtype

    @property
    def shape(self) -> tuple[int, ...]:
        return (self._rows,)

    @property
    def size(self) -> int:
        return self._rows

    @property
    def ndim(self) -> int:
        return 1

    def __len__(self) -> int:
        return self._rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values())

    @exclusive
    def __getitem__(self, key: Any) -> Any:
        part = self._fresh()[key]
        return part.copy() if isinstance(part, numpy.ndarray) else part

    def _to_write(self) -> numpy.ndarray:
        """The values, for assignment. Marks the column, so that the engine derives dependent data before its next use."""
        if not self._writable:
            raise InputError(f"column {self.name} cannot be assigned to")
        values = self._fresh()
        self._world._mark(_CHANGES[self.name])
        return values

    @exclusive
    def __setitem__(self, key: Any, value: Any) -> None:
        try:
            new = numpy.asarray(value)  # before the change begins, since reading forces may end an earlier one
            if new.dtype.kind not in "biuf":
                raise InputTypeError(f"column {self.name} takes numbers, not {new.dtype}")
            self._to_write()[key] = new
        except InputError:
            raise
        except ValueError as problem:  # a shape that does not fit
            raise InputError(f"column {self.name}: {problem}") from None

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> numpy.ndarray:
        if copy is False:
            raise InputError(f"column {self.name} cannot be had without a copy")
        values = self._values()
        return values if dtype is None else values.astype(dtype, copy=False)

    @exclusive
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **more: Any) -> Any:
        arrays = [i._values() if isinstance(i, Column) else i for i in inputs]
        more = {k: v._values() if isinstance(v, Column) else v for k, v in more.items()}
        if method == "at" and isinstance(inputs[0], Column):  # changes its first argument
            getattr(ufunc, method)(*arrays, **more)
            inputs[0][:] = arrays[0]
            return None
        if out is None:
            return getattr(ufunc, method)(*arrays, **more)
        for o in out:  # before anything is computed
            if isinstance(o, Column) and not o._writable:
                raise InputError(f"column {o.name} cannot be assigned to")
        results = tuple(o._values() if isinstance(o, Column) else o for o in out)
        getattr(ufunc, method)(*arrays, out=results, **more)
        for o, result in zip(out, results):
            if isinstance(o, Column):
                o[:] = result
        return out[0] if len(out) == 1 else out

    def __repr__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        try:
            return f"<{self.name}{unit}: {self._values()}>"
        except Exception:  # closed, old, in use
            return f"<{self.name}{unit}: out of date>"


def _method(name: str) -> Callable[..., Any]:
    def call(self: Column, *arguments: Any, **more: Any) -> Any:
        return getattr(self.__array__(), name)(*arguments, **more)
    call.__name__, call.__doc__ = name, f"As numpy.ndarray.{name}, of a copy."
    return call


for _name in _METHODS:
    setattr(Column, _name, _method(_name))


class _Group:
    """Several columns, [rows, len(names)]: a copy, which can be assigned where columns can."""

    def __init__(self, names: tuple[str, ...], help: str, writable: bool = True) -> None:  # noqa: A002
        self._names, self._writable, self.__doc__ = names, writable, help

    def __get__(self, bodies: Any, owner: Any = None) -> numpy.ndarray:
        return self if bodies is None else bodies._stacked(self._names)  # type: ignore[return-value]

    def __set__(self, bodies: Any, values: Any) -> None:
        if not self._writable:
            raise AttributeError(f"{', '.join(self._names)} cannot be assigned to")
        bodies._spread(self._names, values)


class Bodies:
    """The table of bodies of a world: bodies["x"] is a Column; position, velocity and others are copies [rows, 3]."""

    __slots__ = ("_world",)

    position = _Group(("x", "y", "z"), "m, [rows, 3], a copy; may be assigned")
    orientation = _Group(("qw", "qx", "qy", "qz"), "w, x, y, z, [rows, 4], a copy; may be assigned, with any length")
    velocity = _Group(("vx", "vy", "vz"), "m/s, [rows, 3], a copy; may be assigned")
    angular_velocity = _Group(("wx", "wy", "wz"), "1/s, [rows, 3], a copy; may be assigned")
    force = _Group(("fx", "fy", "fz"), "N, [rows, 3], of contacts, a copy", writable=False)

    def __init__(self, world: Any) -> None:
        self._world = world

    @exclusive
    def _stacked(self, names: tuple[str, ...]) -> numpy.ndarray:
        self._world._flush()
        return numpy.stack([numpy.asarray(self[name]) for name in names], axis=1)

    @exclusive
    def _spread(self, names: tuple[str, ...], values: Any) -> None:
        try:
            rows = numpy.broadcast_to(numpy.asarray(values, float), (len(self), len(names)))
        except (TypeError, ValueError) as problem:
            raise InputError(f"columns {', '.join(names)}: {problem}") from None
        for k, name in enumerate(names):
            self[name][:] = rows[:, k]

    @property
    @exclusive
    def names(self) -> list[str]:
        """Names of the columns."""
        row = new("scree_array *")
        names = []
        for k in range(lib.scree_sim_arrays(self._world._open())):
            check(lib.scree_sim_array_at(self._world._sim, k, row), self._world._sim)
            names.append(text(row.name))
        return names

    @reading
    def __len__(self) -> int:
        return int(lib.scree_sim_bodies(self._world._open()))

    def __contains__(self, name: object) -> bool:
        return name in self.names

    @exclusive
    def __getitem__(self, name: str) -> Column:
        if not isinstance(name, str):
            raise InputTypeError(f"columns have names, such as bodies['x'], not {name!r}")
        if name in _DERIVED:
            self._world._flush()
        try:
            return Column(self._world, self._world._column(name))
        except InputError:
            if name not in self.names:
                raise unknown("bodies have no column", name, self.names) from None
            raise

    @exclusive
    def __setitem__(self, name: str, value: Any) -> None:
        if not (isinstance(value, Column) and value.name == name and value._world is self._world):  # otherwise done by +=
            self[name][:] = value

    @property
    def id(self) -> numpy.ndarray:  # noqa: A003
        return numpy.asarray(self["id"])

    @exclusive
    def row(self, body: int) -> int:
        """Row of the body with this id; UnknownNameError, a KeyError, if it does not exist."""
        row = lib.scree_sim_row(self._world._open(), words.body_id(body))
        if row < 0:
            raise UnknownNameError(f"there is no body {body}")
        return int(row)

    def __repr__(self) -> str:
        try:
            return f"<Bodies: {len(self)} bodies; columns {', '.join(self.names)}>"
        except Exception as problem:  # closed, in use
            return f"<Bodies: {self._world._state(problem)}>"
