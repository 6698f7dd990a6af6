"""A simulation driven by Python."""
from __future__ import annotations

import builtins
import itertools
import json
import math
import os
import time as clock
from typing import Any, Callable, Iterator, Mapping, NamedTuple, NoReturn, Optional, Union

import numpy

from . import divisions, errors, words
from ._library import TYPES, ffi, lib, new, text
from .columns import Bodies
from .forces import ForceRows
from .use import Holder, closing, exclusive, reading, refuse_closing
from .words import Numbers, Path, Sets

Scene = Union[Path, Mapping[str, Any]]


def _amount(value: float, unit: str) -> str:
    return f"{value:.4g} {unit}".rstrip()


class Ledger(NamedTuple):
    """Energies at one time, J; residual: made or lost by the time integration itself; lost_method: lost by implicit steps."""
    kinetic: float
    potential: float
    elastic: float
    lost_normal: float
    lost_friction: float
    lost_rolling: float
    lost_method: float
    made: float
    wall_work: float
    brought: float
    residual: float

    def __repr__(self) -> str:
        return f"<Ledger: {', '.join(f'{name} {_amount(value, chr(74))}' for name, value in zip(self._fields, self))}>"


class Guards(NamedTuple):
    """Guards of a run as values; see scree_guards in world.h."""
    overlap: float
    overlap_limit: float
    speed: float
    speed_limit: float
    energy: float
    energy_limit: float
    method: float
    method_limit: float
    step_used: float
    unsolved: float
    lost: int
    stopped: int
    unsafe: int
    run_overlap: float
    run_speed: float
    own_step: float

    def __repr__(self) -> str:
        def limited(name: str, unit: str = "") -> str:
            limit = getattr(self, name + "_limit")
            return f"{name} {_amount(getattr(self, name), unit)}" + (f" of {_amount(limit, unit)}" if limit else " (not watched)")

        return (f"<Guards: {limited('overlap')}, {limited('speed', 'm/s')}, {limited('energy')}, {limited('method')}, step used {self.step_used:.4g}, "
                f"{self.lost} bodies lost{', stopped' if self.stopped else ''}{', unsafe step' if self.unsafe else ''}>")


class Measures(NamedTuple):
    """Properties of a packing; see scree_measures in measures.h. NaN: no such value."""
    slope: float
    fraction: float
    density: float
    weight: float
    carried: float
    overlap: float
    mean: float

    def __repr__(self) -> str:
        units = ("rad", "", "kg/m3", "N", "N", "", "")
        return f"<Measures: {', '.join(f'{n} {_amount(v, u)}' for n, v, u in zip(self._fields, self, units))}>"


class Cell(NamedTuple):
    """The cell of a periodic world; see scree_cell in world.h. stress: None along axes whose size does not follow from it."""
    low: numpy.ndarray
    size: numpy.ndarray
    strain: numpy.ndarray
    rate: numpy.ndarray
    deforms: bool
    strain_rate: numpy.ndarray
    stress: tuple[Optional[float], ...]
    max_rate: float
    lag: float


class Progress(NamedTuple):
    """State of a run: greatest overlap as a fraction of the smaller body, greatest speed in the last step (m/s)."""
    bodies: int
    contacts: int
    overlap: float
    speed: float

    def __repr__(self) -> str:
        return (f"<Progress: {self.bodies} bodies, {self.contacts} contacts, greatest overlap {self.overlap:.4g}, greatest speed "
                f"{_amount(self.speed, 'm/s')}>")


_MATERIAL = ("density", "young", "poisson")
_RULE = ("restitution", "friction", "rolling_friction", "twisting_friction", "stiffness", "tangential_ratio")

# s: steps of a world are made in calls of about this duration, between which Python handles signals
_BLOCK = 0.03


def responses() -> list[str]:
    """Names of the contact responses, the values of run.response."""
    return list(itertools.takewhile(bool, (text(lib.scree_response(k)) for k in itertools.count())))


def machines() -> list[str]:
    """The devices that can make steps, one per line, as printed by `scree list machines`: the name for World.use_machine, then the
    device and its memory, or the reason why there is none."""
    lines = new("char **")
    code, listed = lib.scree_list(b"machines", lines), text(lines[0])
    lib.scree_text_free(lines[0])
    if code:
        raise errors.InternalError(listed or "out of memory")
    return [line.strip() for line in listed.splitlines()[1:]]


def _stem(path: bytes) -> str:
    """Name of a scene or a snapshot: that of its file, without folders and endings."""
    name = os.path.basename(os.fsdecode(path))
    for ending in (".yaml", ".yml", ".json", ".scene", ".snap"):
        name = name[:-len(ending)] if name.endswith(ending) and len(name) > len(ending) else name
    return name


def _is_path(scene: Scene, is_text: bool) -> bool:
    if isinstance(scene, os.PathLike):
        return True
    return not is_text and (isinstance(scene, str) and "\n" not in scene or isinstance(scene, bytes) and b"\n" not in scene)


def _text_of(scene: Scene) -> bytes:
    if isinstance(scene, (str, bytes)):
        return words.encoded(scene, "the text of a scene")
    if not isinstance(scene, Mapping):
        raise errors.InputTypeError(f"a scene is a path, a text or a dict, not {scene!r}")
    try:
        return json.dumps(scene, default=_plain).encode()
    except (TypeError, ValueError) as problem:
        raise errors.InputError(f"the scene cannot be written as YAML: {problem}") from None


def _plain(value: Any) -> Any:
    """NumPy values in a scene, and paths, as Python values."""
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    return os.fsdecode(value) if isinstance(value, (os.PathLike, bytes)) else float(value)


def open(scene: Scene, sets: Sets = (), threads: int = 0, is_text: bool = False, response: Optional[str] = None,  # noqa: A001
         ranks: Union[bool, str, None] = None) -> World:
    """Opens a scene: a path, a text, or a dict as YAML would give it. sets: changes, as in --set of the command.

    response: replaces run.response; if it differs from the scene's, run.step, run.correction, run.friction_directions and
    output are dropped.
    ranks: must be given among several processes of an MPI launcher: True, or a name of --partition, divides the simulation
    among them; False makes one in this process alone. In a single process it has no effect.
    threads: 0 for as many as the machine has. A str or bytes of one line is a path, unless is_text declares it a scene's text.
    Raises SceneError with the problems of the scene.
    """
    options = new("scree_open_options *")
    if _is_path(scene, is_text):
        held = words.path(scene, "the path of a scene")
        name, options.path = _stem(held), (keep := new("char[]", held))
    else:
        held = _text_of(scene)
        name, options.text, options.length = "", (keep := new("char[]", held)), len(held)
    array, kept = words.sets(sets)
    options.set, options.sets, options.threads = array, len(kept), words.whole(threads, "threads", 2**31 - 1)
    answer = new("char[]", words.encoded(response, "response")) if response else ffi.NULL
    options.response = answer
    divided = divisions.begin(ranks)
    problems = errors.problems_out()
    sim = (lib.scree_ranks_open if divided else lib.scree_sim_open)(options, problems)
    del keep
    if not sim:
        errors.raise_problems(problems[0])
    return _divided(World(sim, name=name), divided, ranks)


def _divided(world: World, divided: bool, ranks: Union[bool, str, None]) -> World:
    if divided:
        world._check(divisions.divide(world._sim, ranks))
    return world


def restore(snapshot: Path, threads: int = 0, ranks: Union[bool, str, None] = None) -> World:
    """Continues from a snapshot (.snap), bitwise the same. ranks: see open."""
    path, threads = words.path(snapshot, "the path of a snapshot"), words.whole(threads, "threads", 2**31 - 1)
    divided = divisions.begin(ranks)
    problems = errors.problems_out()
    sim = (lib.scree_ranks_restore if divided else lib.scree_sim_restore)(path, threads, problems)
    if not sim:
        errors.raise_problems(problems[0])
    return _divided(World(sim, restored=True, name=_stem(path)), divided, ranks)


class Wall:
    """A wall of a world: its position, velocity and load in the last step."""

    __slots__ = ("_world", "_number", "_name")

    def __init__(self, world: World, number: int, name: str) -> None:
        self._world, self._number, self._name = world, number, name

    @exclusive
    def _look(self) -> Any:
        self._world._flush()
        row = new("scree_wall *")
        self._world._check(lib.scree_sim_wall(self._world._sim, self._number, row))
        return row

    def _get(self, name: str) -> numpy.ndarray:
        return words.constant(getattr(self._look(), name))

    @property
    def name(self) -> str:
        return self._name

    @property
    def position(self) -> numpy.ndarray:
        """m"""
        return self._get("position")

    @property
    def orientation(self) -> numpy.ndarray:
        """w, x, y, z"""
        return self._get("orientation")

    @property
    def velocity(self) -> numpy.ndarray:
        """m/s"""
        return self._get("velocity")

    @property
    def angular_velocity(self) -> numpy.ndarray:
        """1/s"""
        return self._get("angular_velocity")

    @property
    def removed(self) -> bool:
        """Whether the scene has removed the wall, by `until`."""
        return bool(self._look().removed)

    @property
    def force(self) -> numpy.ndarray:
        """N, by all bodies in the last step"""
        return self._get("force")

    @property
    def torque(self) -> numpy.ndarray:
        """N m, about its position"""
        return self._get("torque")

    @property
    def contacts(self) -> int:
        return int(self._look().contacts)

    @exclusive
    def move(self, velocity: Numbers = (0, 0, 0), angular_velocity: Numbers = (0, 0, 0)) -> None:
        """Moves the wall from now on with this velocity (m/s) and angular velocity (1/s) about its position."""
        world = self._world
        world._flush()
        world._check(lib.scree_sim_move_wall(world._sim, self._number, words.vector(velocity), words.vector(angular_velocity)))

    def __repr__(self) -> str:
        try:
            row = self._look()
        except Exception as problem:  # closed, in use
            return f"<Wall {self._name}: {self._world._state(problem)}>"
        position, force = (", ".join(f"{v:.4g}" for v in part) for part in (row.position, row.force))
        return f"<Wall {self._name}: {'removed, ' if row.removed else ''}position ({position}) m, force ({force}) N, {row.contacts} contacts>"


class Walls:
    """The walls of a world by name or number."""

    __slots__ = ("_world",)

    def __init__(self, world: World) -> None:
        self._world = world

    @reading
    def __len__(self) -> int:
        return int(lib.scree_sim_walls(self._world._open()))

    @property
    @exclusive
    def names(self) -> list[str]:
        row = new("scree_wall *")
        names = []
        for k in range(len(self)):
            self._world._check(lib.scree_sim_wall(self._world._open(), k, row))
            names.append(text(row.name))
        return names

    def __contains__(self, key: object) -> bool:
        return key in self.names

    @exclusive
    def __getitem__(self, key: Union[str, int]) -> Wall:
        names = self.names
        if isinstance(key, str):
            if key not in names:
                raise errors.unknown("there is no wall", key, names)
            return Wall(self._world, names.index(key), key)
        number = words.whole(key, "the number of a wall", 2**200)
        if not 0 <= number < len(names):
            raise errors.UnknownNameError(f"there is no wall {number}; there are {len(names)}, from 0")
        return Wall(self._world, number, names[number])

    def __iter__(self) -> Iterator[Wall]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        try:
            return f"<Walls: {', '.join(self.names) or 'none'}>"
        except Exception as problem:  # closed, in use
            return f"<Walls: {self._world._state(problem)}>"


class Properties:
    """Properties of a material, or of the contact of two, by their names in scenes, in SI units."""

    __slots__ = ("_world", "_names")

    def __init__(self, world: World, names: tuple[str, ...]) -> None:
        known = world.materials
        for name in names:
            if name not in known:
                raise errors.unknown("there is no material", name, known)
        self._world, self._names = world, names

    @property
    def names(self) -> tuple[str, ...]:
        return _MATERIAL if len(self._names) == 1 else _RULE

    def _of(self, name: str) -> list[bytes]:
        """Names for the library."""
        if name not in self.names:
            raise errors.unknown("a material has no number" if len(self._names) == 1 else "a contact has no number", name, self.names)
        return [words.encoded(n) for n in (*self._names, name)]

    @reading
    def __getitem__(self, name: str) -> float:
        get = lib.scree_sim_material if len(self._names) == 1 else lib.scree_sim_contact_rule
        value = new("double *")
        self._world._check(get(self._world._open(), *self._of(name), value))
        return value[0]

    @exclusive
    def __setitem__(self, name: str, value: float) -> None:
        put = lib.scree_sim_set_material if len(self._names) == 1 else lib.scree_sim_set_contact_rule
        self._world._flush()
        self._world._check(put(self._world._sim, *self._of(name), words.number(value, name)))

    def __repr__(self) -> str:
        try:
            values = ", ".join(f"{name} {self[name]:.4g}" for name in self.names)
        except Exception as problem:  # closed, in use
            values = self._world._state(problem)
        return f"<{' + '.join(self._names)}: {values}>"


class Contacts:
    """A copy of all contacts at one time: a, b (ids; b is 0 for a wall), wall (-1: none), point (m), normal (from b to a),
    overlap (m), normal_force (N), friction (N, on a), torque (N m), elastic (J), sliding, and history by name."""

    def __init__(self, world: World) -> None:
        found, cursor, row = [], new("scree_cursor *"), new("scree_contact *")
        while lib.scree_sim_next_contact(world._sim, cursor, row):
            found.append((row.a, row.b, row.wall, list(row.point), list(row.normal), row.overlap, row.normal_force, list(row.friction),
                          list(row.torque), row.elastic, bool(row.sliding), [row.history[k] for k in range(row.columns)]))
        columns = list(zip(*found)) if found else [()] * 12
        kinds = (numpy.uint64, numpy.uint64, numpy.int32, float, float, float, float, float, float, float, bool, float)
        wide = {3: 3, 4: 3, 7: 3, 8: 3}
        arrays = [numpy.array(c, k).reshape((len(found), wide[n])) if n in wide else numpy.array(c, k)
                  for n, (c, k) in enumerate(zip(columns, kinds))]
        (self.a, self.b, self.wall, self.point, self.normal, self.overlap, self.normal_force, self.friction, self.torque,
         self.elastic, self.sliding) = arrays[:11]
        names: list[str] = []
        while lib.scree_history_name(len(names)):
            names.append(text(lib.scree_history_name(len(names))))
        history = arrays[11].reshape((len(found), -1)) if found else numpy.empty((0, len(names)))
        self.history: dict[str, numpy.ndarray] = {name: history[:, k] for k, name in enumerate(names) if k < history.shape[1]}

    def __len__(self) -> int:
        return len(self.a)

    def __repr__(self) -> str:
        return f"<Contacts: {len(self)}, {int(numpy.sum(self.wall >= 0))} of them with walls, {int(numpy.sum(self.sliding))} sliding>"


class World:
    """A simulation; made by scree.open or scree.restore, closed by close() or at the end of a `with`.

    One thread at a time may use it: a call during that of another thread raises BusyError. An interrupt (Ctrl-C) stops between two
    steps, and the world can be used afterwards.
    """

    _sim: Any = None  # also before __init__

    def __init__(self, sim: Any, restored: bool = False, name: str = "") -> None:
        self._sim = sim
        self._restored = restored
        self._dirty = 0
        self._callback: Any = None
        self._kept: tuple[Any, ...] = ()  # functions that the engine may call
        self._raised: Optional[BaseException] = None
        self._use: dict[str, Holder] = {}
        self._in_function = self._closing = False
        self._pace = 1  # steps per call, for about _BLOCK
        self._name = name or text(lib.scree_sim_title(sim)) or "text"

    @property
    def _world(self) -> World:
        return self

    # ---------------------------------------------------------------- life

    def _open(self) -> Any:
        if not self._sim:
            raise errors.InputError("the world is closed")
        return self._sim

    def _check(self, code: int) -> None:
        """Raises the exception of a force function, or the failure of the call that returned this code."""
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        errors.check(code, self._sim)

    def _column(self, name: str) -> Any:
        """The row of a column; renews the copies of orientations and sizes."""
        row = new("scree_array *")
        self._check(lib.scree_sim_array(self._open(), words.encoded(name), row))
        return row

    def _mark(self, what: int) -> None:
        """Announces to the engine, before the first assignment, that values will change."""
        if not self._dirty:
            self._check(lib.scree_sim_changing(self._open()))
        self._dirty |= what

    def _flush(self) -> None:
        """Reports assigned columns to the engine before it reads them. Refused values remain marked as changed."""
        self._open()
        if self._dirty:
            self._check(lib.scree_sim_changed(self._sim, self._dirty))
        self._dirty = 0

    def close(self) -> None:
        """Frees the simulation; may be called repeatedly. Steps of another thread are stopped, with an InputError there.
        Raises BusyError in a force function, and if another call takes longer than 10 s."""
        with closing(self):
            if self._sim:
                self._free()

    def _free(self) -> None:
        code = lib.scree_sim_close(self._sim)
        if code == lib.SCREE_IN_USE:
            errors.check(code, self._sim)
        self._sim = None
        if code == lib.SCREE_FILES:
            raise errors.FileError("a file of the outputs could not be closed")

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if self._sim:
            lib.scree_sim_close(self._sim)
            self._sim = None

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a world cannot be copied or pickled: save() it, and scree.restore() the snapshot")

    def __copy__(self) -> NoReturn:
        self.__reduce_ex__(4)

    def __deepcopy__(self, memo: Any) -> NoReturn:
        self.__reduce_ex__(4)

    def _state(self, problem: Optional[Exception] = None) -> str:
        """The reason why the world cannot be read."""
        return "in use" if isinstance(problem, errors.BusyError) else "cannot be read" if self._sim else "closed"

    @reading
    def _facts(self) -> str:
        return f"{int(lib.scree_sim_bodies(self._open()))} bodies, t = {lib.scree_sim_time(self._sim):.6g} s"

    def __repr__(self) -> str:
        try:
            return f"<World {self._name}: {self._facts()}>"
        except Exception as problem:  # closed, in use
            return f"<World {self._name}: {self._state(problem)}>"

    @property
    def name(self) -> str:
        """File name of its scene or snapshot, otherwise its title."""
        return self._name

    @property
    def bodies(self) -> Bodies:
        """The table of bodies."""
        return Bodies(self)

    @property
    def walls(self) -> Walls:
        """The walls, by name or number."""
        return Walls(self)

    @exclusive
    def save(self, path: Path) -> None:
        """Writes a snapshot, complete or not at all."""
        self._flush()
        self._check(lib.scree_sim_save(self._sim, words.path(path)))

    @property
    @exclusive
    def notes(self) -> str:
        """Notes on weaknesses of a valid scene, one per line."""
        return text(lib.scree_sim_notes(self._open()))

    @property
    @reading
    def title(self) -> str:
        """The title of the scene; "": none"""
        return text(lib.scree_sim_title(self._open()))

    @property
    @reading
    def resolved(self) -> str:
        """The scene as YAML, with defaults filled in."""
        return text(lib.scree_sim_resolved(self._open()))

    def _names(self, function: Callable[[Any, int], Any]) -> list[str]:
        sim = self._open()
        return list(itertools.takewhile(bool, (text(function(sim, k)) for k in itertools.count())))

    @property
    @reading
    def shapes(self) -> list[str]:
        """Names of the shapes of the scene."""
        return self._names(lib.scree_sim_shape_name)

    @property
    @reading
    def materials(self) -> list[str]:
        """Names of the materials of the scene."""
        return self._names(lib.scree_sim_material_name)

    @exclusive
    def change_plan(self, sets: Sets) -> None:
        """Changes the plan of the scene before outputs are opened: {"run.until": "2 s"}, run.snapshot... and output... alone."""
        self._flush()
        array, kept = words.sets(sets)
        problems = errors.problems_out()
        code = lib.scree_sim_change_plan(self._sim, len(kept), array, problems)
        if problems[0]:
            errors.raise_problems(problems[0])
        self._check(code)

    # ---------------------------------------------------------------- reports, as lines printed by the command

    @property
    @exclusive
    def summary(self) -> str:
        """Bodies, shapes and walls; the time step, threads, memory."""
        self._flush()
        return text(lib.scree_sim_summary(self._sim))

    @exclusive
    def check(self) -> str:
        """The same with each pair of materials, as in `scree check`. InputError if the scene's pictures cannot be drawn."""
        self._flush()
        lines = new("const char **")
        self._check(lib.scree_sim_check(self._sim, lines))
        return text(lines[0])

    @property
    @exclusive
    def warnings(self) -> str:
        """Warnings about sources that find no position for their bodies, each once."""
        return text(lib.scree_sim_warnings(self._open()))

    @property
    @exclusive
    def closing(self) -> str:
        """Times of stages, energies, guards, warnings about the run, the hash."""
        self._flush()
        return text(lib.scree_sim_closing(self._sim))

    @exclusive
    def progress(self) -> Progress:
        """Numbers of bodies and contacts, greatest overlap and speed at the current time."""
        self._flush()
        row = new("scree_progress_row *")
        self._check(lib.scree_sim_progress(self._sim, row))
        return Progress(*(getattr(row, name) for name in Progress._fields))

    # ---------------------------------------------------------------- time

    def _block(self, steps: int) -> int:
        """Number of steps of the next call: few enough for interrupts, at most up to the next output, and one if a Python function
        applies forces, so that an exception in it ends the steps."""
        steps = min(steps, 1 if self._callback is not None else self._pace)
        return int(lib.scree_sim_outputs_next(self._sim, steps)) if self._outputs and steps > 0 else steps

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        """Makes steps, adapts the number of steps of the next call to the time taken, and writes outputs that are due."""
        began = clock.perf_counter()
        code = function(self._sim, *arguments)
        took = clock.perf_counter() - began
        if took < _BLOCK / 2:
            self._pace = min(2 * self._pace, 1 << 30)
        elif took > 2 * _BLOCK:
            self._pace = max(1, int(self._pace * _BLOCK / took))
        self._check(code)
        self._write_due()
        refuse_closing(self)

    @property
    def _outputs(self) -> bool:
        """Whether outputs are open. Queries the library, since an interrupt may come right after it has opened them."""
        return lib.scree_sim_outputs(self._sim, new("scree_outputs *")) == 0

    def _write_due(self) -> None:
        """Writes outputs of this time unless they are written already; an interrupt may have come before."""
        if self._outputs:
            self._check(lib.scree_sim_outputs_write(self._sim))

    @exclusive
    def step(self, steps: int = 1) -> None:
        """Makes this number of steps. Raises GuardError if a guard stops them. Writes open outputs that are due."""
        left = words.whole(steps, "steps")
        self._flush()
        self._write_due()
        if left <= 0:
            self._check(lib.scree_sim_step(self._sim, left))
        while left > 0:
            block = self._block(left)
            self._call(lib.scree_sim_step, block)
            left -= block

    @exclusive
    def run_until(self, time: float) -> None:
        """Makes the steps up to this time, s. Writes open outputs that are due."""
        time = words.number(time, "the time")
        self._flush()
        self._write_due()
        while True:
            left = lib.scree_sim_steps_until(self._sim, time)
            if left <= 0:
                break
            if self._outputs:
                self._call(lib.scree_sim_step, self._block(left))
            else:  # a stage of the scene may change the length of steps
                then = lib.scree_sim_time_of(self._sim, lib.scree_sim_steps(self._sim) + self._block(left))
                self._call(lib.scree_sim_run_until, min(then, time))
        self._check(lib.scree_sim_run_until(self._sim, time))  # raises the reason if a time cannot be reached

    @exclusive
    def use_machine(self, machine: Optional[str] = None) -> None:
        """Sets the machine that makes the following steps: "cpu", "opencl" or "cuda" for a device (machines()), "auto" for a card if
        there is one and the world is large enough, with a note that gives the reason; None for run.machine of the scene, as without
        a call. Results do not depend on the machine. Raises InputError if there is no such device, or if it does not support the
        world."""
        self._flush()
        name = ffi.NULL if machine is None else words.encoded(machine, "the machine")
        self._check(lib.scree_sim_use_machine(self._sim, name))

    # ---------------------------------------------------------------- files

    @exclusive
    def open_outputs(self, folder: Optional[Path] = None, overwrite: bool = False) -> None:
        """Opens the files that the scene describes; steps write them from now on. To be called before the first step.

        folder: None for out/NAME, or for the folder of the snapshot, whose files are continued. overwrite: replaces results
        of an earlier run instead of refusing to start.
        """
        self._flush()
        options = new("scree_outputs_options *")
        held = ffi.NULL if folder is None else new("char[]", words.path(folder, "the folder"))
        options.folder, options.overwrite = held, int(overwrite)
        self._check(lib.scree_sim_outputs_open(self._sim, options))
        if not self._restored and self.steps == 0:
            self._write_due()

    @exclusive
    def close_outputs(self) -> list[str]:
        """Writes the last picture and the snapshot, and closes the files. Returns their paths."""
        self._flush()
        try:
            self._write_due()
            self._check(lib.scree_sim_outputs_finish(self._sim))
            count, files = new("int64_t *"), new("const scree_file **")
            self._check(lib.scree_sim_outputs_files(self._sim, count, files))
            paths = [os.fsdecode(ffi.string(files[0][k].path)) for k in range(count[0])]
        finally:
            closed = lib.scree_sim_outputs_close(self._sim)
        self._check(closed)
        return paths

    @exclusive
    def run(self, folder: Optional[Path] = None, overwrite: bool = False) -> list[str]:
        """Runs to run.until with the outputs of the scene, like `scree run`. Returns the paths of the files.

        If a guard stops the run, its state is written to NAME.stopped.snap, and GuardError is raised. On an interrupt (Ctrl-C)
        the snapshot, from which the run can continue, is written before KeyboardInterrupt is raised.
        """
        try:
            self.open_outputs(folder, overwrite)
            while lib.scree_sim_steps_until(self._sim, self.until) > 0:  # the end is unknown until the last stage has ended
                self.run_until(self.until)
        except (errors.GuardError, KeyboardInterrupt):
            if self._outputs:
                self.close_outputs()
            raise
        return self.close_outputs()

    @exclusive
    def record(self, until: float, every: float) -> Any:
        """Runs until that time (s) and returns the history: ledger, contacts and greatest values at each multiple of `every` (s).

        A pandas DataFrame if pandas is installed, otherwise a dict of arrays.
        """
        until, every = words.number(until, "until"), words.number(every, "every")
        if not 0 < every < math.inf or not -math.inf < until < math.inf:
            raise errors.InputError(f"a history until {until} s at each {every} s: expected numbers, `every` above 0")
        rows = []
        start, count = self.time, max(1, round((until - self.time) / every))
        for k in range(count + 1):
            self.run_until(min(until, start + k * every))
            g = self.guards()
            rows.append({"time": self.time, "step": self.steps, **self.ledger()._asdict(), "bodies": len(self.bodies),
                         "max_speed": g.speed, "max_overlap": g.overlap})
        columns = {name: numpy.array([row[name] for row in rows]) for name in rows[0]}
        return as_frame(columns)

    @property
    @reading
    def time(self) -> float:
        """s"""
        return lib.scree_sim_time(self._open())

    @property
    @reading
    def steps(self) -> int:
        """Number of steps since t = 0."""
        return int(lib.scree_sim_steps(self._open()))

    @property
    @reading
    def is_late(self) -> bool:
        """Whether the time limit of a stage has stopped the run (GuardError). Its state is valid: the snapshot can continue
        once the limit is raised, as by change_plan("stages.0.until.at_most=2s")."""
        return bool(lib.scree_sim_is_late(self._open()))

    @property
    @reading
    def until(self) -> float:
        """s: run.until of the scene; 0: none"""
        return lib.scree_sim_until(self._open())

    @property
    @reading
    def stage(self) -> Optional[str]:
        """Name of the present stage of the scene; None if it has no stages."""
        sim = self._open()
        name = lib.scree_sim_stage_name(sim, lib.scree_sim_stage(sim))
        return text(name) if name else None

    def _step_length(self) -> float:
        return lib.scree_sim_step_length(self._open())

    def _set_step_length(self, seconds: float) -> None:
        self._flush()
        self._check(lib.scree_sim_set_step_length(self._sim, words.number(seconds, "a step")))

    step_length = property(reading(_step_length), exclusive(_set_step_length), doc="s; may be set")

    @property
    @reading
    def safe_step(self) -> float:
        """s: longer steps are not known to be safe"""
        return lib.scree_sim_safe_step(self._open())

    @property
    @reading
    def epoch(self) -> int:
        """A number that changes whenever rows of bodies move."""
        return int(lib.scree_sim_epoch(self._open()))

    # ---------------------------------------------------------------- bodies and contacts

    @exclusive
    def add(self, shape: str, material: str, size: float, position: Numbers, orientation: Numbers = (1, 0, 0, 0),
            velocity: Numbers = (0, 0, 0), angular_velocity: Numbers = (0, 0, 0), held: bool = False) -> int:
        """Adds a body; returns its id. Position of its centre of mass, m; orientation w, x, y, z."""
        self._flush()
        for what, name, known in (("shape", shape, self.shapes), ("material", material, self.materials)):
            if name not in known:
                raise errors.unknown(f"there is no {what}", name, known)
        kept = [new("char[]", words.encoded(w)) for w in (shape, material)]
        row = new("scree_body *")
        row.shape, row.material, row.size, row.held = kept[0], kept[1], words.number(size, "the size"), int(bool(held))
        row.position, row.velocity, row.angular_velocity = map(list, map(words.vector, (position, velocity, angular_velocity)))
        row.orientation = list(words.vector(orientation, 4))
        if not any(row.orientation):  # the library would take it as not given
            raise errors.InputError("an orientation of zeros is none")
        first = new("uint64_t *")
        self._check(lib.scree_sim_add(self._sim, 1, row, first))
        return int(first[0])

    @exclusive
    def remove(self, *bodies: int) -> None:
        """Removes the bodies with these ids, or none if one of them does not exist."""
        self._flush()
        ids = [words.body_id(body) for body in bodies]
        for body, number in zip(bodies, ids):
            if not number or lib.scree_sim_row(self._sim, number) < 0:
                raise errors.UnknownNameError(f"there is no body {body}")
        self._check(lib.scree_sim_remove(self._sim, len(ids), new("uint64_t[]", ids)))

    @exclusive
    def place(self, body: int, position: Optional[Numbers] = None, orientation: Optional[Numbers] = None,
              velocity: Optional[Numbers] = None, angular_velocity: Optional[Numbers] = None) -> None:
        """Moves one body; None: unchanged."""
        self._flush()
        self._check(lib.scree_sim_place(self._sim, words.body_id(body), words.maybe(position), words.maybe(orientation, 4),
                                        words.maybe(velocity), words.maybe(angular_velocity)))

    @exclusive
    def contacts(self) -> Contacts:
        """All contacts at the current time, a copy."""
        self._flush()
        return Contacts(self)

    # ---------------------------------------------------------------- external forces

    @exclusive
    def on_force(self, function: Optional[Callable[[ForceRows], object]]) -> None:
        """Sets a function(rows) that is called once per step, after all contacts, and adds to rows.fx .. rows.tz.

        rows has time (s), id, x, y, z, vx, vy, vz, mass, fx, fy, fz (N), tx, ty, tz (N m): copies, of which only fx .. tz can be
        changed; they reach the engine when the function returns, and rows cannot be used afterwards. None: no function. An
        exception in it is raised by the call in which it occurs: a step, which is then the last one and lacks forces not yet
        added, or a call that updates forces, such as this one. The function can read only time, steps, names and settings
        of its own world; other calls raise BusyError.
        """
        self._flush()
        if function is not None and not callable(function):
            raise errors.InputTypeError(f"a function of forces must be callable, not {function!r}")

        def fail(kind: Any, problem: BaseException, trace: Any) -> None:
            self._raised = problem

        @ffi.callback(TYPES["scree_force_fn *"], onerror=fail)
        def call(rows: Any, _: Any) -> None:
            if self._raised is not None or function is None:
                return
            table = ForceRows(rows)
            self._in_function = True
            try:
                function(table)
            except BaseException as problem:  # raised again by step()
                self._raised = problem
            finally:
                self._in_function = False
                table._end()

        before, self._callback = self._callback, call if function else None
        self._kept = (before, self._callback)  # one of them is in the engine, even after an interrupt
        code = lib.scree_sim_on_force(self._sim, self._callback or ffi.NULL, ffi.NULL)
        if code:
            self._callback = before
        self._check(code)

    @exclusive
    def set_force(self, body: int, force: Optional[Numbers] = None, torque: Optional[Numbers] = None) -> None:
        """Sets a constant force (N) and torque (N m) on the body with this id, in each step until set again."""
        self._flush()
        self._check(lib.scree_sim_set_force(self._sim, words.body_id(body), words.maybe(force), words.maybe(torque)))

    # ---------------------------------------------------------------- gravity and materials

    def _gravity(self) -> numpy.ndarray:
        g = new("double[3]")
        lib.scree_sim_gravity(self._open(), g)
        return words.constant(g)

    def _set_gravity(self, g: Numbers) -> None:
        self._flush()
        self._check(lib.scree_sim_set_gravity(self._sim, words.vector(g)))

    gravity = property(reading(_gravity), exclusive(_set_gravity), doc="m/s2; may be set as a whole")

    @property
    @exclusive
    def cell(self) -> Cell:
        """Sizes, strains and rates of the cell of a periodic world, and how it changes; see Cell."""
        self._flush()
        c = self._read_cell()
        low, size, strain, rate = (words.constant(getattr(c, name)) for name in ("low", "size", "strain", "rate"))
        stress = tuple(c.stress[d] if c.servo[d] else None for d in range(3))
        return Cell(low, size, strain, rate, bool(c.deforms), words.constant(c.strain_rate), stress, c.max_rate, c.lag)

    def _read_cell(self) -> Any:
        cell = new("scree_cell *")
        self._check(lib.scree_sim_cell(self._open(), cell))
        return cell

    @exclusive
    def set_cell(self, strain_rate: Optional[Numbers] = None, stress: Any = None, max_rate: Optional[float] = None,
                 lag: Optional[float] = None) -> None:
        """Changes the size of the cell from now on: strain rates (1/s, negative in compression), and stresses (Pa) of the axes
        whose size follows from them, None for others. Omitted values are unchanged; max_rate=0 and lag=0 are the defaults."""
        self._flush()
        cell = self._read_cell()
        if stress is not None:
            wanted = [None] * 3 if isinstance(stress, (str, bytes)) or not hasattr(stress, "__iter__") else list(stress)
            given = words.vector([0 if p is None else p for p in wanted] if wanted != [None] * 3 else stress)
            cell.servo, cell.stress = [int(p is not None) for p in wanted], list(given)
            cell.strain_rate = [0 if cell.servo[d] else cell.strain_rate[d] for d in range(3)]
        if strain_rate is not None:
            cell.strain_rate = list(words.vector(strain_rate))
        cell.max_rate = cell.max_rate if max_rate is None else words.number(max_rate, "max_rate")
        cell.lag = cell.lag if lag is None else words.number(lag, "lag")
        self._check(lib.scree_sim_set_cell(self._sim, cell))

    @reading
    def material(self, name: str) -> Properties:
        """Properties of a material: world.material("glass")["young"], in SI units."""
        return Properties(self, (name,))

    @reading
    def contact_rule(self, a: str, b: str) -> Properties:
        """Properties of the contact of two materials: world.contact_rule("glass", "steel")["friction"] = 0.3"""
        return Properties(self, (a, b))

    # ---------------------------------------------------------------- energy and guards

    @exclusive
    def ledger(self) -> Ledger:
        """Energies at the current time, J."""
        self._flush()
        row = new("scree_ledger *")
        self._check(lib.scree_sim_ledger(self._sim, row))
        return Ledger(*(getattr(row, name) for name in Ledger._fields))

    @exclusive
    def guards(self) -> Guards:
        """Readings and limits of the guards."""
        self._flush()
        row = new("scree_guards *")
        self._check(lib.scree_sim_guards(self._sim, row))
        return Guards(*(getattr(row, name) for name in Guards._fields))

    @exclusive
    def measures(self) -> Measures:
        """Properties of the packing at this time: slope of its surface (rad), solid fraction, density, load on walls, overlaps."""
        self._flush()
        row = new("scree_measures *")
        self._check(lib.scree_sim_measure(self._sim, row))
        return Measures(*(getattr(row, name) for name in Measures._fields))

    @exclusive
    def wall_forces(self) -> numpy.ndarray:
        """Sum of the normal forces on each wall, N, by wall number."""
        self._flush()
        count = lib.scree_sim_walls(self._sim)
        force = new("double[]", max(1, count))
        self._check(lib.scree_sim_wall_forces(self._sim, force))
        return numpy.array(list(force)[:count])

    @exclusive
    def stress(self) -> numpy.ndarray:
        """Stress of a world with periods, Pa, compression positive: xx, yy, zz, xy, xz, yz."""
        self._flush()
        six = new("double[6]")
        self._check(lib.scree_sim_stress(self._sim, six))
        return numpy.array(list(six))

    @exclusive
    def hash(self) -> str:
        """Hash of the state as 16 hexadecimal digits, as printed by the command."""
        self._flush()
        value = int(lib.scree_sim_hash(self._sim))
        if not value:  # the call has failed
            self.progress()
        return f"{value:016x}"

    @exclusive
    def render(self, png: Path, sets: Sets = ()) -> None:
        """Draws the world into a PNG, SVG or PDF with output.images of its scene; sets: {"output.images.color": "speed"}"""
        self._flush()
        array, kept = words.sets(sets)
        self._check(lib.scree_sim_render(self._sim, words.path(png), len(kept), array))

    @exclusive
    def export(self, path: Path) -> None:
        """Writes the full surface meshes of all bodies, for ParaView (.vtp)."""
        self._flush()
        self._check(lib.scree_sim_export(self._sim, words.path(path)))


def as_frame(columns: dict[str, numpy.ndarray]) -> Any:
    """A pandas DataFrame of the columns if pandas is installed, otherwise the columns unchanged."""
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


def read_table(path: Path) -> Any:
    """Reads a CSV written by a run (NAME_history.csv, NAME_bodies.csv, ...), in the form returned by World.record."""
    name = words.path(path)
    try:
        with builtins.open(name, encoding="utf-8") as file:
            lines = [line.rstrip("\n").split(",") for line in file if not line.startswith("#")]
    except OSError as problem:
        raise errors.FileError(f"{os.fsdecode(name)}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise errors.InputError(f"{os.fsdecode(name)}: this is no table") from None
    if not lines:
        raise errors.InputError(f"{os.fsdecode(name)}: the table has no line of names")
    names, rows = lines[0], lines[1:]
    for k, row in enumerate(rows):
        if len(row) != len(names):
            raise errors.InputError(f"{os.fsdecode(name)}: row {k + 1} has {len(row)} values for {len(names)} columns")

    def column(k: int) -> numpy.ndarray:
        try:
            return numpy.array([float(row[k]) if row[k] else math.nan for row in rows])
        except ValueError:
            return numpy.array([row[k] for row in rows])

    return as_frame({name: column(k) for k, name in enumerate(names)})
