"""Columns of the table of bodies: arrays of the engine, in place, which refuse to be used when they are out of date."""
import numpy
from numpy.lib.mixins import NDArrayOperatorsMixin

from ._library import ffi, lib, text
from .errors import StaleError, check

_TYPES = {0: numpy.float64, 1: numpy.int32, 2: numpy.uint64}
# what a change of a column means to the engine: SCREE_POSITIONS, SCREE_VELOCITIES
_POSITIONS, _VELOCITIES = 1, 2
_CHANGES = {"x": _POSITIONS, "y": _POSITIONS, "z": _POSITIONS, **dict.fromkeys(("vx", "vy", "vz", "wx", "wy", "wz"), _VELOCITIES)}


class Column(NDArrayOperatorsMixin):
    """One value per body, [rows], in the memory of the engine.

    It behaves like a NumPy array: indexing, arithmetic, functions of NumPy. Reading it by numpy.asarray copies. Where the
    engine allows, values may be assigned (`column[:] = ...`). After a step, or after bodies came or went, rows may have
    moved: the column then raises StaleError, and is taken from `world.bodies` again.
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
        if self._world.epoch != self._epoch:
            raise StaleError(f"column {self.name} is of an earlier state; take world.bodies['{self.name}'] again")
        return self._values

    @property
    def dtype(self):
        return self._values.dtype

    @property
    def shape(self):
        return self._values.shape

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return iter(self.__array__())

    def __getitem__(self, key):
        part = self._fresh()[key]
        return part.copy() if isinstance(part, numpy.ndarray) else part

    def __setitem__(self, key, value):
        if not self._writable:
            raise ValueError(f"column {self.name} cannot be assigned to")
        self._fresh()[key] = value
        self._world._mark(_CHANGES.get(self.name, _POSITIONS | _VELOCITIES))

    def __array__(self, dtype=None):
        return numpy.array(self._fresh(), dtype=dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **more):
        inputs = [i._fresh() if isinstance(i, Column) else i for i in inputs]
        if out is None:
            return getattr(ufunc, method)(*inputs, **more)
        if any(isinstance(o, Column) and not o._writable for o in out):
            raise ValueError("a column that cannot be assigned to is the output of " + ufunc.__name__)
        getattr(ufunc, method)(*inputs, out=tuple(o._fresh() if isinstance(o, Column) else o for o in out), **more)
        for o in out:
            if isinstance(o, Column):
                self._world._mark(_CHANGES.get(o.name, _POSITIONS | _VELOCITIES))
        return out[0] if len(out) == 1 else out

    def __repr__(self):
        unit = f" {self.unit}" if self.unit else ""
        return f"<{self.name}{unit}: {self._values if self._world.epoch == self._epoch else 'out of date'}>"


class Bodies:
    """The table of bodies of a world: bodies["x"] is a Column; position, velocity and others are copies [rows, 3]."""

    def __init__(self, world):
        self._world = world

    @property
    def names(self):
        row = ffi.new("scree_array *")
        names = []
        for k in range(lib.scree_sim_arrays(self._world._sim)):
            check(lib.scree_sim_array_at(self._world._sim, k, row), self._world._sim)
            names.append(text(row.name))
        return names

    def __len__(self):
        return int(lib.scree_sim_bodies(self._world._open()))

    def __getitem__(self, name):
        self._world._flush()
        row = ffi.new("scree_array *")
        check(lib.scree_sim_array(self._world._sim, name.encode(), row), self._world._sim)
        return Column(self._world, row)

    def _copy(self, *names):
        return numpy.stack([numpy.asarray(self[name]) for name in names], axis=1)

    @property
    def id(self):
        return numpy.asarray(self["id"])

    @property
    def position(self):
        """m, [rows, 3], a copy"""
        return self._copy("x", "y", "z")

    @property
    def orientation(self):
        """w, x, y, z, [rows, 4], a copy"""
        return self._copy("qw", "qx", "qy", "qz")

    @property
    def velocity(self):
        """m/s, [rows, 3], a copy"""
        return self._copy("vx", "vy", "vz")

    @property
    def angular_velocity(self):
        """1/s, [rows, 3], a copy"""
        return self._copy("wx", "wy", "wz")

    @property
    def force(self):
        """N, [rows, 3], of contacts, a copy"""
        return self._copy("fx", "fy", "fz")

    def row(self, body):
        """Row of the body with this id; KeyError if it does not exist."""
        row = lib.scree_sim_row(self._world._open(), body)
        if row < 0:
            raise KeyError(body)
        return int(row)
