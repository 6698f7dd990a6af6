"""Columns of the table of bodies: arrays of the engine, in place, which refuse to be used when they are out of date."""
import numpy
from numpy.lib.mixins import NDArrayOperatorsMixin

from ._library import ffi, lib, text
from .errors import StaleError, check

_TYPES = {0: numpy.float64, 1: numpy.int32, 2: numpy.uint64}
# what a change of a column means to the engine: SCREE_POSITIONS, SCREE_VELOCITIES
_POSITIONS, _VELOCITIES = 1, 2
_CHANGES = {**dict.fromkeys(("x", "y", "z", "qw", "qx", "qy", "qz"), _POSITIONS),
            **dict.fromkeys(("vx", "vy", "vz", "wx", "wy", "wz"), _VELOCITIES)}
# columns that the engine copies for its callers, and those that it derives from assigned values
_COPIES = ("qw", "qx", "qy", "qz", "size")
_DERIVED = ("fx", "fy", "fz", "tx", "ty", "tz", "cell_x", "cell_y", "cell_z")
# methods of arrays that a column has, too; those that change an array in place are not among them
_METHODS = ("all", "any", "argmax", "argmin", "argsort", "astype", "clip", "copy", "cumsum", "dot", "max", "mean", "min", "nonzero",
            "prod", "round", "std", "sum", "take", "tolist", "var")


class Column(NDArrayOperatorsMixin):
    """One value per body, [rows], in the memory of the engine.

    It behaves like a NumPy array: indexing, arithmetic, functions of NumPy, sum() and other methods that change nothing.
    Reading it by numpy.asarray copies. Where the engine allows, values may be assigned (`column[:] = ...`). It always has
    the current values. When rows have moved, after some steps or after bodies came or went, it raises StaleError instead,
    and is taken from `world.bodies` again.
    """

    def __init__(self, world, row):
        self._world, self._epoch, self._writable = world, row.epoch, bool(row.writable)
        self.name, self.unit, self.help = text(row.name), text(row.unit), text(row.help)
        kind = numpy.dtype(_TYPES[int(row.type)])
        if row.rows:
            self._values = numpy.frombuffer(ffi.buffer(row.data, row.rows * kind.itemsize), kind)
        else:
            self._values = numpy.empty(0, kind)

    def _fresh(self):
        if self.name in _DERIVED:
            self._world._flush()
        if self.name in _COPIES and self._world.epoch == self._epoch:
            self._world._column(self.name)  # makes the copies again, in their memory
        if self._world.epoch != self._epoch:
            raise StaleError(f"column {self.name} is of an earlier state; take world.bodies['{self.name}'] again")
        return self._values

    @property
    def dtype(self):
        return self._values.dtype

    @property
    def shape(self):
        return self._values.shape

    @property
    def size(self):
        return self._values.size

    @property
    def ndim(self):
        return 1

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self.__array__())

    def __getitem__(self, key):
        part = self._fresh()[key]
        return part.copy() if isinstance(part, numpy.ndarray) else part

    def _to_write(self):
        """The values, for assignment. Marks the column, so that the engine derives dependent data before its next use."""
        if not self._writable:
            raise ValueError(f"column {self.name} cannot be assigned to")
        values = self._fresh()
        self._world._mark(_CHANGES[self.name])
        return values

    def __setitem__(self, key, value):
        value = numpy.asarray(value)  # before the change begins: reading forces may end an earlier one
        self._to_write()[key] = value

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError(f"column {self.name} cannot be had without a copy")
        return numpy.array(self._fresh(), dtype=dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **more):
        at = method == "at"  # changes its first argument
        arrays = [i._fresh() if isinstance(i, Column) and not (at and k == 0) else i for k, i in enumerate(inputs)]
        if at and isinstance(inputs[0], Column):
            arrays[0] = inputs[0]._to_write()
        if out is None:
            return getattr(ufunc, method)(*arrays, **more)
        getattr(ufunc, method)(*arrays, out=tuple(o._to_write() if isinstance(o, Column) else o for o in out), **more)
        return out[0] if len(out) == 1 else out

    def __repr__(self):
        unit = f" {self.unit}" if self.unit else ""
        old = not self._world._sim or self._world.epoch != self._epoch
        return f"<{self.name}{unit}: {'out of date' if old else self._fresh()}>"


def _method(name):
    def call(self, *arguments, **more):
        return getattr(self.__array__(), name)(*arguments, **more)
    call.__name__, call.__doc__ = name, f"As numpy.ndarray.{name}, of a copy."
    return call


for _name in _METHODS:
    setattr(Column, _name, _method(_name))


def _group(names, help, writable=True):  # noqa: A002
    """A property that holds several columns, [rows, len(names)]: a copy, which can be assigned where columns can."""
    def get(self):
        self._world._flush()
        return numpy.stack([numpy.asarray(self[name]) for name in names], axis=1)

    def put(self, values):
        values = numpy.broadcast_to(numpy.asarray(values, float), (len(self), len(names)))
        for k, name in enumerate(names):
            self[name][:] = values[:, k]

    return property(get, put if writable else None, doc=help)


class Bodies:
    """The table of bodies of a world: bodies["x"] is a Column; position, velocity and others are copies [rows, 3]."""

    position = _group(("x", "y", "z"), "m, [rows, 3], a copy; may be assigned")
    orientation = _group(("qw", "qx", "qy", "qz"), "w, x, y, z, [rows, 4], a copy; may be assigned, with any length")
    velocity = _group(("vx", "vy", "vz"), "m/s, [rows, 3], a copy; may be assigned")
    angular_velocity = _group(("wx", "wy", "wz"), "1/s, [rows, 3], a copy; may be assigned")
    force = _group(("fx", "fy", "fz"), "N, [rows, 3], of contacts, a copy", writable=False)

    def __init__(self, world):
        self._world = world

    @property
    def names(self):
        row = ffi.new("scree_array *")
        names = []
        for k in range(lib.scree_sim_arrays(self._world._open())):
            check(lib.scree_sim_array_at(self._world._sim, k, row), self._world._sim)
            names.append(text(row.name))
        return names

    def __len__(self):
        return int(lib.scree_sim_bodies(self._world._open()))

    def __getitem__(self, name):
        if not isinstance(name, str):
            raise TypeError(f"columns have names, such as bodies['x'], not {name!r}")
        if name in _DERIVED:
            self._world._flush()
        return Column(self._world, self._world._column(name))

    def __setitem__(self, name, value):
        if not (isinstance(value, Column) and value.name == name and value._world is self._world):  # else done by +=
            self[name][:] = value

    @property
    def id(self):
        return numpy.asarray(self["id"])

    def row(self, body):
        """Row of the body with this id; KeyError if it does not exist."""
        row = lib.scree_sim_row(self._world._open(), body)
        if row < 0:
            raise KeyError(body)
        return int(row)
