"""A simulation that Python drives."""
import builtins
import itertools
import json
import math
import os
from collections import namedtuple

import numpy

from . import divisions, errors
from ._library import ffi, lib, text
from .columns import Bodies

Ledger = namedtuple("Ledger", "kinetic potential elastic lost_normal lost_friction lost_rolling made wall_work brought residual")
Ledger.__doc__ = "Energies at one time, J; residual is energy made or lost by the time integration itself."
Guards = namedtuple("Guards", "overlap overlap_limit speed speed_limit energy energy_limit step_used unsolved lost stopped unsafe run_overlap run_speed")
Guards.__doc__ = "Guards of a run as values; see scree_guards in world.h."

Measures = namedtuple("Measures", "slope fraction density weight carried overlap mean")
Measures.__doc__ = "Properties of a packing; see scree_measures in measures.h. NaN: there is no such value."

Cell = namedtuple("Cell", "low size strain rate deforms strain_rate stress max_rate lag")
Cell.__doc__ = "The cell of a periodic world; see scree_cell in world.h. stress: None along axes whose size does not follow from it."

Progress = namedtuple("Progress", "bodies contacts overlap speed")
Progress.__doc__ = "State of a run: greatest overlap as a fraction of the smaller body, greatest speed in the last step (m/s)."

_FORCE_COLUMNS = ("x", "y", "z", "vx", "vy", "vz", "mass", "fx", "fy", "fz", "tx", "ty", "tz")


def _vector(value, length=3):
    value = [float(v) for v in value]
    if len(value) != length:
        raise ValueError(f"expected {length} numbers, got {len(value)}")
    return ffi.new("double[]", value)


def _constant(values):
    """An array that cannot be changed: the world would not see it."""
    array = numpy.array(list(values))
    array.flags.writeable = False
    return array


def _maybe(value, length=3):
    return ffi.NULL if value is None else _vector(value, length)


def _sets(sets):
    """Changes of a scene, a dict, a list of "name=value" or one of these, as C strings."""
    words = [f"{k}={v}" for k, v in sets.items()] if isinstance(sets, dict) else [sets] if isinstance(sets, str) else list(sets)
    held = [ffi.new("char[]", w.encode()) for w in words]
    return ffi.new("const char *[]", held) if held else ffi.NULL, held


def responses():
    """Names of the responses of contacts, the values of run.response."""
    return list(itertools.takewhile(bool, (text(lib.scree_response(k)) for k in itertools.count())))


def open(scene, sets=(), threads=0, is_text=False, response=None, ranks=None):  # noqa: A001
    """Opens a scene: a path, a text, or a dict as YAML would give it. sets: changes, as --set of the command.

    response: replaces run.response; with another one than that of the scene, run.step, run.correction, run.friction_directions
    and output are left out.
    ranks: among several processes of a launcher of MPI, True, or a name of --partition, divides the simulation among them, and
    False makes one of this process alone; there it must be given. In a single process it has no effect.
    threads: 0 for all of the machine. A str of one line is a path, unless is_text says that it is the text of a scene. Raises
    SceneError with the problems of the scene.
    """
    divided = divisions.begin(ranks)
    options = ffi.new("scree_open_options *")
    is_path = isinstance(scene, os.PathLike) or (isinstance(scene, str) and not is_text and "\n" not in scene)
    held = ffi.new("char[]", (os.fspath(scene) if is_path else scene if isinstance(scene, str)
                              else json.dumps(scene, default=float)).encode())
    if is_path:
        options.path = held
    else:
        options.text = held
    array, words = _sets(sets)
    options.set, options.sets, options.threads = array, len(words), threads
    name = ffi.new("char[]", response.encode()) if response else ffi.NULL
    options.response = name
    problems = errors.problems_out()
    sim = (lib.scree_ranks_open if divided else lib.scree_sim_open)(options, problems)
    if not sim:
        errors.raise_problems(problems[0])
    return _divided(World(sim), divided, ranks)


def _divided(world, divided, ranks):
    if divided:
        world._check(divisions.divide(world._sim, ranks))
    return world


def restore(snapshot, threads=0, ranks=None):
    """Continues from a snapshot (.snap) with the same bits. ranks: see open."""
    divided = divisions.begin(ranks)
    problems = errors.problems_out()
    sim = (lib.scree_ranks_restore if divided else lib.scree_sim_restore)(os.fspath(snapshot).encode(), threads, problems)
    if not sim:
        errors.raise_problems(problems[0])
    return _divided(World(sim, restored=True), divided, ranks)


class Wall:
    """A wall of a world: its position, velocity and load in the last step."""

    def __init__(self, world, number):
        self._world, self._number = world, number

    def _look(self):
        self._world._flush()
        row = ffi.new("scree_wall *")
        self._world._check(lib.scree_sim_wall(self._world._sim, self._number, row))
        return row

    def _get(self, name):
        return _constant(getattr(self._look(), name))

    @property
    def name(self):
        return text(self._look().name)

    @property
    def position(self):
        """m"""
        return self._get("position")

    @property
    def orientation(self):
        """w, x, y, z"""
        return self._get("orientation")

    @property
    def velocity(self):
        """m/s"""
        return self._get("velocity")

    @property
    def angular_velocity(self):
        """1/s"""
        return self._get("angular_velocity")

    @property
    def removed(self):
        """Whether the scene has removed it, by `until`."""
        return bool(self._look().removed)

    @property
    def force(self):
        """N, by all bodies in the last step"""
        return self._get("force")

    @property
    def torque(self):
        """N m, about its position"""
        return self._get("torque")

    @property
    def contacts(self):
        return int(self._look().contacts)

    def move(self, velocity=(0, 0, 0), angular_velocity=(0, 0, 0)):
        """From now on the wall moves with this velocity (m/s) and angular velocity (1/s) about its position."""
        world = self._world
        world._flush()
        world._check(lib.scree_sim_move_wall(world._sim, self._number, _vector(velocity), _vector(angular_velocity)))


class Walls:
    """The walls of a world by name or number."""

    def __init__(self, world):
        self._world = world

    def __len__(self):
        return int(lib.scree_sim_walls(self._world._open()))

    def __getitem__(self, key):
        number = lib.scree_sim_find_wall(self._world._open(), key.encode()) if isinstance(key, str) else key
        if not 0 <= number < len(self):
            raise KeyError(key)
        return Wall(self._world, number)

    def __iter__(self):
        return (self[k] for k in range(len(self)))


class _Properties:
    """Properties of a material, or of the contact of two, by the names of the scene, in SI units."""

    def __init__(self, world, names):
        self._world, self._names = world, [n.encode() for n in names]

    def __getitem__(self, name):
        get = lib.scree_sim_material if len(self._names) == 1 else lib.scree_sim_contact_rule
        value = ffi.new("double *")
        self._world._check(get(self._world._open(), *self._names, name.encode(), value))
        return value[0]

    def __setitem__(self, name, value):
        put = lib.scree_sim_set_material if len(self._names) == 1 else lib.scree_sim_set_contact_rule
        self._world._flush()
        self._world._check(put(self._world._sim, *self._names, name.encode(), float(value)))


class Contacts:
    """A copy of all contacts at one time: a, b (ids; b is 0 for a wall), wall (-1: none), point (m), normal (from b to a),
    overlap (m), normal_force (N), friction (N, on a), torque (N m), elastic (J), sliding, and history by name."""

    def __init__(self, world):
        found, cursor, row = [], ffi.new("scree_cursor *"), ffi.new("scree_contact *")
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
        names = []
        while lib.scree_history_name(len(names)):
            names.append(text(lib.scree_history_name(len(names))))
        history = arrays[11].reshape((len(found), -1)) if found else numpy.empty((0, len(names)))
        self.history = {name: history[:, k] for k, name in enumerate(names) if k < history.shape[1]}

    def __len__(self):
        return len(self.a)


class World:
    """A simulation; made by scree.open or scree.restore, closed by close() or at the end of a `with`."""

    def __init__(self, sim, restored=False):
        self._sim = sim
        self._restored = restored
        self._outputs = False
        self._dirty = 0
        self._callback = self._raised = None
        self.bodies = Bodies(self)
        self.walls = Walls(self)

    # ---------------------------------------------------------------- life

    def _open(self):
        if not self._sim:
            raise ValueError("the world is closed")
        return self._sim

    def _check(self, code):
        """Raises the exception of a function of forces, or the failure of the call that returned this code."""
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        errors.check(code, self._sim)

    def _column(self, name):
        """The row of a column; makes the copies of orientations and sizes again."""
        row = ffi.new("scree_array *")
        self._check(lib.scree_sim_array(self._open(), name.encode(), row))
        return row

    def _mark(self, what):
        """Tells the engine, before the first assignment, that values will change."""
        if not self._dirty:
            self._check(lib.scree_sim_changing(self._open()))
        self._dirty |= what

    def _flush(self):
        """Tells the engine which columns were assigned to, before it reads them. Values that it refuses stay announced."""
        self._open()
        if self._dirty:
            self._check(lib.scree_sim_changed(self._sim, self._dirty))
        self._dirty = 0

    def close(self):
        if self._sim:
            lib.scree_sim_close(self._sim)
            self._sim = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def save(self, path):
        """Writes a snapshot, complete or not at all."""
        self._flush()
        self._check(lib.scree_sim_save(self._sim, os.fspath(path).encode()))

    @property
    def notes(self):
        """Notes on a scene that is allowed but weak, one per line."""
        return text(lib.scree_sim_notes(self._open()))

    @property
    def title(self):
        """The title of the scene; "": none"""
        return text(lib.scree_sim_title(self._open()))

    @property
    def resolved(self):
        """The scene as YAML, with defaults filled in."""
        return text(lib.scree_sim_resolved(self._open()))

    def change_plan(self, sets):
        """Changes the plan of the scene before outputs are opened: {"run.until": "2 s"}, run.snapshot... and output... alone."""
        self._flush()
        array, words = _sets(sets)
        problems = errors.problems_out()
        code = lib.scree_sim_change_plan(self._sim, len(words), array, problems)
        if problems[0]:
            errors.raise_problems(problems[0])
        self._check(code)

    # ---------------------------------------------------------------- reports, as the lines that the command prints

    @property
    def summary(self):
        """Bodies, shapes and walls; the time step, threads, memory."""
        self._flush()
        return text(lib.scree_sim_summary(self._sim))

    def check(self):
        """The same with each pair of materials, as `scree check`. InputError if the pictures of the scene cannot be drawn."""
        self._flush()
        lines = ffi.new("const char **")
        self._check(lib.scree_sim_check(self._sim, lines))
        return text(lines[0])

    @property
    def warnings(self):
        """Warnings of sources that find no position for their bodies, each of them once."""
        return text(lib.scree_sim_warnings(self._open()))

    @property
    def closing(self):
        """Times of stages, energies, guards, warnings about the run, the hash."""
        self._flush()
        return text(lib.scree_sim_closing(self._sim))

    def progress(self):
        """Numbers of bodies and contacts, greatest overlap and speed at the current time."""
        self._flush()
        row = ffi.new("scree_progress_row *")
        self._check(lib.scree_sim_progress(self._sim, row))
        return Progress(*(getattr(row, name) for name in Progress._fields))

    # ---------------------------------------------------------------- time

    def _advance(self, steps):
        """Makes steps; one by one where a function of Python applies forces, so that an exception in it ends them."""
        first = steps if self._callback is None else min(steps, 1)
        self._check(lib.scree_sim_step(self._sim, first))
        for _ in range(steps - first):
            self._check(lib.scree_sim_step(self._sim, 1))

    def step(self, steps=1):
        """Makes that many steps. Raises GuardError if a guard stops them. Writes the outputs that are open and due."""
        self._flush()
        while self._outputs and steps > 0:
            batch = lib.scree_sim_outputs_next(self._sim, steps)
            self._advance(batch)
            self._check(lib.scree_sim_outputs_write(self._sim))
            steps -= batch
        if not self._outputs or steps < 0:
            self._advance(steps)

    def run_until(self, time):
        """Makes the steps up to this time, s. Writes the outputs that are open and due."""
        self._flush()
        single = self._outputs or self._callback is not None
        steps = lib.scree_sim_steps_until(self._sim, time) if single else -1
        if steps >= 0:
            self.step(steps)
            return
        self._check(lib.scree_sim_run_until(self._sim, time))

    # ---------------------------------------------------------------- files

    def open_outputs(self, folder=None, overwrite=False):
        """Opens the files that the scene describes; steps write them from now on. To be called before the first step.

        folder: None for out/NAME, or for the folder of a snapshot, whose files continue. overwrite: replaces results of an
        earlier run, which are refused otherwise.
        """
        self._flush()
        options = ffi.new("scree_outputs_options *")
        held = ffi.NULL if folder is None else ffi.new("char[]", os.fspath(folder).encode())
        options.folder, options.overwrite = held, int(overwrite)
        self._check(lib.scree_sim_outputs_open(self._sim, options))
        if not self._restored and self.steps == 0:
            self._check(lib.scree_sim_outputs_write(self._sim))
        self._outputs = True

    def close_outputs(self):
        """Writes the last picture and the snapshot, and closes the files. Returns their paths."""
        self._flush()
        try:
            self._check(lib.scree_sim_outputs_finish(self._sim))
            count, files = ffi.new("int64_t *"), ffi.new("const scree_file **")
            self._check(lib.scree_sim_outputs_files(self._sim, count, files))
            paths = [text(files[0][k].path) for k in range(count[0])]
        finally:
            self._outputs = False
            closed = lib.scree_sim_outputs_close(self._sim)
        self._check(closed)
        return paths

    def run(self, folder=None, overwrite=False):
        """Runs to run.until with the outputs of the scene, as `scree run` does. Returns the paths of the files.

        If a guard stops the run, the state is in NAME.stopped.snap, and GuardError is raised.
        """
        self.open_outputs(folder, overwrite)
        try:
            self.run_until(self.until)
        except errors.GuardError:
            self.close_outputs()
            raise
        return self.close_outputs()

    def record(self, until, every):
        """Runs until that time (s) and returns the history: ledger, contacts and greatest values at each multiple of `every` (s).

        A pandas DataFrame where pandas is installed, else a dict of arrays.
        """
        if not every > 0:
            raise ValueError(f"every is {every} s, expected above 0")
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
    def time(self):
        """s"""
        return lib.scree_sim_time(self._open())

    @property
    def steps(self):
        return int(lib.scree_sim_steps(self._open()))

    @property
    def until(self):
        """s: run.until of the scene; 0: none"""
        return lib.scree_sim_until(self._open())

    @property
    def stage(self):
        """Name of the present stage of the scene; None if it has no stages."""
        sim = self._open()
        name = lib.scree_sim_stage_name(sim, lib.scree_sim_stage(sim))
        return text(name) if name else None

    @property
    def step_length(self):
        """s"""
        return lib.scree_sim_step_length(self._open())

    @step_length.setter
    def step_length(self, seconds):
        self._flush()
        self._check(lib.scree_sim_set_step_length(self._sim, seconds))

    @property
    def safe_step(self):
        """s: longer steps are not known to be safe"""
        return lib.scree_sim_safe_step(self._open())

    @property
    def epoch(self):
        return int(lib.scree_sim_epoch(self._open()))

    # ---------------------------------------------------------------- bodies and contacts

    def add(self, shape, material, size, position, orientation=(1, 0, 0, 0), velocity=(0, 0, 0), angular_velocity=(0, 0, 0), held=False):
        """Adds a body; returns its id. Position of its centre of mass, m; orientation w, x, y, z."""
        self._flush()
        words = [ffi.new("char[]", w.encode()) for w in (shape, material)]
        row = ffi.new("scree_body *")
        row.shape, row.material, row.size, row.held = words[0], words[1], size, held
        row.position, row.velocity, row.angular_velocity = list(position), list(velocity), list(angular_velocity)
        row.orientation = list(orientation)
        first = ffi.new("uint64_t *")
        self._check(lib.scree_sim_add(self._sim, 1, row, first))
        return int(first[0])

    def remove(self, *bodies):
        """Removes the bodies with these ids."""
        self._flush()
        self._check(lib.scree_sim_remove(self._sim, len(bodies), ffi.new("uint64_t[]", list(bodies))))

    def place(self, body, position=None, orientation=None, velocity=None, angular_velocity=None):
        """Moves one body; None: unchanged."""
        self._flush()
        self._check(lib.scree_sim_place(self._sim, body, _maybe(position), _maybe(orientation, 4), _maybe(velocity),
                                        _maybe(angular_velocity)))

    def contacts(self):
        """All contacts at the current time, a copy."""
        self._flush()
        return Contacts(self)

    # ---------------------------------------------------------------- forces from outside

    def on_force(self, function):
        """function(rows) is called once in each step, after all contacts, and adds to rows.fx .. rows.tz, in place.

        rows has time (s), id, x, y, z, vx, vy, vz, mass, fx, fy, fz (N), tx, ty, tz (N m): arrays that are valid during the
        call alone, of which only fx .. tz can be changed. None: no function. An exception in it is raised by the call in which
        it occurs: a step, which is then the last one and lacks forces, or a call that derives forces again, as this one.
        """
        self._flush()
        @ffi.callback("scree_force_fn *")
        def call(rows, _):
            if self._raised is not None:
                return
            try:
                function(ForceRows(rows))
            except BaseException as problem:  # raised again by step()
                self._raised = problem

        before, self._callback = self._callback, call if function else None
        code = lib.scree_sim_on_force(self._sim, self._callback or ffi.NULL, ffi.NULL)
        if code:
            self._callback = before  # the engine still calls it
        self._check(code)

    def set_force(self, body, force=None, torque=None):
        """A constant force (N) and torque (N m) on the body with this id, in each step until it is set again."""
        self._flush()
        self._check(lib.scree_sim_set_force(self._sim, body, _maybe(force), _maybe(torque)))

    # ---------------------------------------------------------------- gravity and materials

    @property
    def gravity(self):
        """m/s2"""
        g = ffi.new("double[3]")
        lib.scree_sim_gravity(self._open(), g)
        return _constant(g)

    @gravity.setter
    def gravity(self, g):
        self._flush()
        self._check(lib.scree_sim_set_gravity(self._sim, _vector(g)))

    @property
    def cell(self):
        """Sizes, strains and rates of the cell of a periodic world, and how it changes; see Cell."""
        self._flush()
        c = self._read_cell()
        arrays = [_constant(getattr(c, name)) for name in ("low", "size", "strain", "rate")]
        stress = tuple(c.stress[d] if c.servo[d] else None for d in range(3))
        return Cell(*arrays, bool(c.deforms), _constant(c.strain_rate), stress, c.max_rate, c.lag)

    def _read_cell(self):
        cell = ffi.new("scree_cell *")
        self._check(lib.scree_sim_cell(self._open(), cell))
        return cell

    def set_cell(self, strain_rate=None, stress=None, max_rate=None, lag=None):
        """Changes the size of the cell from now on: strain rates (1/s, negative in compression), and stresses (Pa) of the axes
        whose size follows from them, None for others. What is not given stays; max_rate=0 and lag=0 are the defaults."""
        self._flush()
        cell = self._read_cell()
        if stress is not None:
            stress = list(stress)
            _vector([0 if p is None else p for p in stress])
            cell.servo, cell.stress = [p is not None for p in stress], [0 if p is None else p for p in stress]
            cell.strain_rate = [0 if cell.servo[d] else cell.strain_rate[d] for d in range(3)]
        if strain_rate is not None:
            cell.strain_rate = list(_vector(strain_rate))
        cell.max_rate = cell.max_rate if max_rate is None else max_rate
        cell.lag = cell.lag if lag is None else lag
        self._check(lib.scree_sim_set_cell(self._sim, cell))

    def material(self, name):
        """Properties of a material: world.material("glass")["young"], in SI units."""
        return _Properties(self, (name,))

    def contact_rule(self, a, b):
        """Properties of the contact of two materials: world.contact_rule("glass", "steel")["friction"] = 0.3"""
        return _Properties(self, (a, b))

    # ---------------------------------------------------------------- energy and guards

    def ledger(self):
        """Energies at the current time, J."""
        self._flush()
        row = ffi.new("scree_ledger *")
        self._check(lib.scree_sim_ledger(self._sim, row))
        return Ledger(*(getattr(row, name) for name in Ledger._fields))

    def guards(self):
        self._flush()
        row = ffi.new("scree_guards *")
        self._check(lib.scree_sim_guards(self._sim, row))
        return Guards(*(getattr(row, name) for name in Guards._fields))

    def measures(self):
        """Properties of the packing at this time: slope of its surface (rad), solid fraction, density, load on walls, overlaps."""
        self._flush()
        row = ffi.new("scree_measures *")
        self._check(lib.scree_sim_measure(self._sim, row))
        return Measures(*(getattr(row, name) for name in Measures._fields))

    def wall_forces(self):
        """Sum of the normal forces on each wall, N, by the number of the wall."""
        self._flush()
        count = lib.scree_sim_walls(self._sim)
        force = ffi.new("double[]", max(1, count))
        self._check(lib.scree_sim_wall_forces(self._sim, force))
        return numpy.array(list(force)[:count])

    def stress(self):
        """Stress of a world with periods, Pa, compression positive: xx, yy, zz, xy, xz, yz."""
        self._flush()
        six = ffi.new("double[6]")
        self._check(lib.scree_sim_stress(self._sim, six))
        return numpy.array(list(six))

    def hash(self):
        """Hash of the state as 16 hexadecimal digits, as the command prints it."""
        self._flush()
        return f"{int(lib.scree_sim_hash(self._sim)):016x}"

    def render(self, png, sets=()):
        """Draws the world into a PNG, SVG or PDF, as output.images of its scene says; sets: {"output.images.color": "speed"}"""
        self._flush()
        array, words = _sets(sets)
        self._check(lib.scree_sim_render(self._sim, os.fspath(png).encode(), len(words), array))

    def export(self, path):
        """Writes the full surface meshes of all bodies, for ParaView (.vtp)."""
        self._flush()
        self._check(lib.scree_sim_export(self._sim, os.fspath(path).encode()))


class ForceRows:
    """Arrays of all bodies in one step, in the memory of the engine; see World.on_force."""

    def __init__(self, rows):
        self.time, count = rows.time, rows.rows
        for name in ("id", *_FORCE_COLUMNS):
            values = numpy.frombuffer(ffi.buffer(getattr(rows, name), 8 * count), numpy.uint64 if name == "id" else numpy.float64)
            values.flags.writeable = name[0] in "ft"
            setattr(self, name, values)


def as_frame(columns):
    """A pandas DataFrame of the columns where pandas is installed, else the columns as they are."""
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


def read_table(path):
    """Reads a CSV that a run wrote (NAME_history.csv, NAME_bodies.csv, ...), as World.record returns its history."""
    with builtins.open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split(",") for line in file if not line.startswith("#")]
    names, rows = lines[0], lines[1:]

    def column(k):
        try:
            return numpy.array([float(row[k]) if row[k] else math.nan for row in rows])
        except ValueError:
            return numpy.array([row[k] for row in rows])

    return as_frame({name: column(k) for k, name in enumerate(names)})
