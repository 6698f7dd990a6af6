#!/usr/bin/python3
# needs: test
"""Misuses of the Python module: each raises an exception, never a crash or a lost step, and similar valid use still
works."""
import copy
import gc
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "python"), os.path.join(ROOT, "tests")]
SCREE = os.path.abspath(os.environ.get("SCREE", f"{ROOT}/build/test/scree"))
os.environ.setdefault("SCREE_LIBRARY", os.path.join(os.path.dirname(SCREE), "libscree.so"))
sys.dont_write_bytecode = True

import numpy  # noqa: E402
import scree  # noqa: E402
import tap  # noqa: E402

NO_PARSER = """
def parsed(text):
    raise AssertionError(f"the type {text} is parsed after the library is loaded: an interrupt would break the parser of cffi")
scree._library.ffi._parser.parse_type = parsed
"""
exec(NO_PARSER)

SCENE = {
    "scene": 1,
    "world": {"gravity": [0, 0, "-9.81 m/s^2"]},
    "materials": {"glass": {"density": "2500 kg/m^3", "young": "5 MPa"}},
    "contacts": {"default": {"restitution": 0.4, "friction": 0.5}},
    "shapes": {"ball": {"sphere": {"diameter": 1}}, "cube": {"box": [1, 1, 1]}},
    "walls": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "material": "glass"},
              "lid": {"plane": {"point": [0, 0, "60 mm"], "normal": [0, 0, -1]}, "material": "glass"}},
    "fill": [{"region": {"box": {"min": [0, 0, 0], "max": ["2 cm", "2 cm", "2 cm"]}}, "count": 40, "material": "glass",
              "mix": [{"shape": "ball", "size": "3 mm"}, {"shape": "cube", "size": "3 mm"}]}],
    "run": {"until": "10 s"},
    "output": {"history": {"every": "1 ms"}},
}


def make(**more):
    return scree.open(SCENE, **{"threads": 1, **more})


def raised(kind, function, *words):
    """Whether the call raises that kind of exception, with these words in its text."""
    try:
        function()
    except BaseException as problem:
        good = isinstance(problem, kind) and all(word in str(problem) for word in words)
        if not good:
            print(f"# {type(problem).__name__}: {problem}")
        return good
    print("# no exception")
    return False


def hash_after(steps):
    with make() as world:
        world.step(steps)
        return world.hash()


# ---------------------------------------------------------------- copies, and objects that outlive a world

def test_copies():
    world = make()
    tap.case("a world is not copied", raised(TypeError, lambda: copy.copy(world), "save()") and raised(TypeError, lambda: copy.deepcopy(world)))
    tap.case("nor pickled, alone or in a list", raised(TypeError, lambda: pickle.dumps(world)) and raised(TypeError, lambda: pickle.dumps([world])))
    tap.case("nor with its bodies or a column", raised(TypeError, lambda: copy.deepcopy(world.bodies)) and
             raised(TypeError, lambda: pickle.dumps(world.bodies["x"])))
    alias = copy.copy(world.bodies)
    world.step(5)
    tap.case("it goes on", world.steps == 5 and len(alias) == 40)
    world.close()
    world.close()
    tap.case("to close it twice is no mistake", repr(world) == "<World text: closed>")


def test_closed():
    world = make()
    column, orientation, wall, bodies, rule = world.bodies["x"], world.bodies["qw"], world.walls["floor"], world.bodies, world.material("glass")
    values, walls = numpy.asarray(column), world.walls
    array = column[:]
    world.close()
    calls = {
        "step": world.step, "run_until": lambda: world.run_until(1), "run": world.run, "hash": world.hash, "save": lambda: world.save("z"),
        "time": lambda: world.time, "steps": lambda: world.steps, "gravity": lambda: world.gravity, "title": lambda: world.title,
        "stage": lambda: world.stage, "epoch": lambda: world.epoch, "until": lambda: world.until, "notes": lambda: world.notes,
        "summary": lambda: world.summary, "check": world.check, "warnings": lambda: world.warnings, "closing": lambda: world.closing,
        "contacts": world.contacts, "ledger": world.ledger, "guards": world.guards, "measures": world.measures, "stress": world.stress,
        "cell": lambda: world.cell, "wall_forces": world.wall_forces, "progress": world.progress, "render": lambda: world.render("z.png"),
        "export": lambda: world.export("z.vtp"), "on_force": lambda: world.on_force(None), "set_force": lambda: world.set_force(1),
        "add": lambda: world.add("ball", "glass", 1e-3, (0, 0, 1)), "remove": lambda: world.remove(1), "place": lambda: world.place(1),
        "resolved": lambda: world.resolved, "safe_step": lambda: world.safe_step, "step_length": lambda: world.step_length,
        "material": lambda: rule["young"], "shapes": lambda: world.shapes, "record": lambda: world.record(1, 0.1),
        "outputs": world.open_outputs, "end of outputs": world.close_outputs, "plan": lambda: world.change_plan({"run.until": "2 s"}),
        "bodies": lambda: len(bodies), "columns": lambda: bodies["x"], "wall": lambda: wall.position, "move": wall.move,
        "walls": lambda: walls["floor"], "column": lambda: column[0], "sum": column.sum, "sums": lambda: column + 1,
        "assignment": lambda: column.__setitem__(0, 1.0), "copies": lambda: orientation[0], "position": lambda: bodies.position,
    }
    good = [name for name, call in calls.items() if raised(scree.InputError, call, "closed")]
    tap.case("a closed world refuses all calls", len(good) == len(calls), sorted(set(calls) - set(good)))
    tap.case("what was copied stays", numpy.array_equal(values, array) and len(column) == 40)
    tap.case("and says that it is closed", repr(column) == "<x m: out of date>" and "closed" in repr(wall) and "closed" in repr(bodies) and
             "closed" in repr(walls) and "closed" in repr(rule))
    column = make().bodies["x"]
    gc.collect()
    tap.case("a column keeps its world", column.sum() > 0)


# ---------------------------------------------------------------- functions of forces

def test_functions():
    plain = hash_after(20)
    calls, seen = [], []
    world = make()

    def misuse(rows):
        calls.append(rows)
        if len(calls) != 4:
            return
        wrong = {
            "close": world.close, "step": world.step, "run_until": lambda: world.run_until(1), "remove": lambda: world.remove(3),
            "place": lambda: world.place(4, position=(0, 0, 0.1)), "add": lambda: world.add("ball", "glass", 3e-3, (0, 0, 0.2)),
            "save": lambda: world.save("never.snap"), "column": lambda: world.bodies["vz"], "hash": world.hash, "contacts": world.contacts,
            "set_force": lambda: world.set_force(1, (0, 0, 1)), "on_force": lambda: world.on_force(None), "ledger": world.ledger,
            "gravity": lambda: setattr(world, "gravity", (0, 0, 1)), "walls": lambda: world.walls["lid"].move(), "leave": world.__exit__,
            "rule": lambda: world.material("glass").__setitem__("young", 1e6), "outputs": world.open_outputs,
        }
        seen.extend(sorted(name for name, call in wrong.items() if not raised(scree.BusyError, call, "function of forces")))

    def reads(rows):
        seen.append((rows.time - 1.5 * world.step_length < world.time <= rows.time, world.steps, len(world.bodies) == len(rows) == 40, world.gravity[2], world.material("glass")["young"],
                     world.shapes, len(world.walls), repr(world).startswith("<World text: 40 bodies")))

    world.on_force(misuse)
    world.step(20)
    tap.case("a function of forces cannot close or change its world", len(calls) >= 20 and not seen, seen)
    tap.case("what was refused has changed nothing", world.hash() == plain)
    world.on_force(reads)
    world.step(2)
    tap.case("it can read", len(seen) >= 2 and all(row[0] and row[2] and row[3] == -9.81 and row[4] == 5e6 and row[5] == ["ball", "cube"] and
                                                   row[6] == 2 and row[7] for row in seen), seen)
    other = []
    world.on_force(lambda rows: other.append(hash_after(20)) if not other else None)
    world.step(2)
    tap.case("and use another world", other == [plain])
    world.close()


def test_rows():
    world = make()
    kept, arrays = [], []

    def keep(rows):
        kept.append(rows)
        arrays.append((rows.x, rows.fx, rows.id))
        rows.fz[:] += 1e-6
        rows.fy += 1e-6 * rows.mass
        rows.tx = 1e-9

    world.on_force(keep)
    world.step(3)
    with make() as other:
        other.on_force(lambda rows: (rows.fz.__iadd__(1e-6), rows.fy.__iadd__(1e-6 * rows.mass), rows.tx.__iadd__(1e-9)))
        other.step(3)
        tap.case("forces are added, assigned or set", world.hash() == other.hash() and world.hash() != hash_after(3))
    tap.case("rows expire after the call", all(raised(scree.StaleError, lambda r=r, n=n: getattr(r, n)) for r in kept for n in ("x", "fx", "id", "time")))
    before = world.hash()
    tap.case("forces cannot be set later", raised(scree.StaleError, lambda: setattr(kept[0], "fx", 1e30)) and
             raised(ValueError, lambda: arrays[0][1].__setitem__(0, 1e30)) and world.hash() == before)
    world.close()
    gc.collect()
    junk = [bytearray(100000) for _ in range(100)]
    tap.case("arrays that were kept are the caller's", numpy.all(numpy.isfinite(arrays[0][0])) and sorted(arrays[0][2]) == list(range(1, 41)) and junk)
    with make() as world:
        world.step(3)
        tap.case("positions cannot be assigned", raised(ValueError, lambda: world.on_force(lambda rows: rows.x.__setitem__(0, 1))) and
                 raised(scree.InputError, lambda: world.on_force(lambda rows: setattr(rows, "x", 1)), "fx .. fz"))
        tap.case("nor others than there are", raised(AttributeError, lambda: world.on_force(lambda rows: setattr(rows, "gx", 1))))
        tap.case("what cannot be called is refused", raised(scree.InputTypeError, lambda: world.on_force(5)))
        world.on_force(None)

        def fail(rows):
            raise KeyError("mine")

        world.step(1)
        tap.case("an exception in it is raised", raised(KeyError, lambda: world.on_force(fail), "mine") and raised(SystemExit, lambda: world.on_force(sys.exit)))
        world.on_force(None)
        world.step(3)
        tap.case("and the world can be used", world.steps == 7)


# ---------------------------------------------------------------- threads

def held(world):
    """A thread that is in a step of the world, until the event that is returned is set."""
    inside, leave = threading.Event(), threading.Event()
    first = []

    def hold(rows):
        if first:
            inside.set()
            leave.wait()

    world.on_force(hold)
    first.append(True)
    found = []

    def run():
        try:
            world.step(3)
        except Exception as problem:
            found.append(problem)

    thread = threading.Thread(target=run)
    thread.start()
    inside.wait()
    return thread, leave, found


def test_threads():
    world = make()
    column, wall = world.bodies["x"], world.walls["lid"]
    thread, leave, found = held(world)
    calls = {"step": world.step, "hash": world.hash, "time": lambda: world.time, "bodies": lambda: len(world.bodies), "column": column.sum,
             "item": lambda: column[0], "assignment": lambda: column.__setitem__(0, 1), "wall": lambda: wall.force, "ledger": world.ledger,
             "save": lambda: world.save("never.snap"), "run": world.run, "on_force": lambda: world.on_force(None)}
    good = [name for name, call in calls.items() if raised(scree.BusyError, call, "another thread is in step")]
    tap.case("a second thread is refused", len(good) == len(calls), sorted(set(calls) - set(good)))
    tap.case("and told so", repr(world) == "<World text: in use>" and "in use" in repr(wall), (repr(world), repr(wall)))
    leave.set()
    thread.join()
    tap.case("the first one has made its steps", world.steps == 3 and not found, found)
    world.close()

    world, made, refused = make(), [0] * 4, [0] * 4

    def often(k):
        for _ in range(200):
            try:
                world.step(3)
                made[k] += 3
            except scree.BusyError:
                refused[k] += 1

    threads = [threading.Thread(target=often, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    tap.case("no step of several threads is lost", world.steps == sum(made) > 0 and sum(made) + 3 * sum(refused) == 2400, (world.steps, made, refused))
    tap.case("and the bits are those of one", world.hash() == hash_after(world.steps))
    world.close()

    for threads_of_world in (1, 2):
        world = make(threads=threads_of_world)
        thread, leave, found = held(world)
        closer = threading.Thread(target=world.close)
        closer.start()
        leave.set()
        thread.join()
        closer.join()
        ended = not found or isinstance(found[0], scree.InputError) and "closes the world" in str(found[0])
        tap.case(f"to close waits for the step of another thread, {threads_of_world} threads", ended and raised(scree.InputError, world.step, "closed"), found)

    world = make()
    found = []

    def long():
        try:
            world.step(10**12)
        except scree.InputError as problem:
            found.append(problem)

    thread = threading.Thread(target=long)
    thread.start()
    while not world._use:  # reading the world would enter it
        time.sleep(0.001)
    world.close()
    thread.join()
    tap.case("and ends many steps", found and raised(scree.InputError, lambda: world.time, "closed"), found)
    worlds = [make(), make()]
    threads = [threading.Thread(target=w.step, args=(500,)) for w in worlds]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    tap.case("two threads with a world each are right", worlds[0].hash() == worlds[1].hash() == hash_after(500))


INTERRUPTED = """
import os, signal, sys, threading, time
import scree
""" + NO_PARSER + """
world = scree.open(open(sys.argv[1]).read(), threads=1)
def interrupt():
    while not (os.path.exists(sys.argv[2] + "/text_history.csv") if sys.argv[3] == "run" else world._use):
        time.sleep(0.001)
    os.kill(os.getpid(), signal.SIGINT)
thread = threading.Thread(target=interrupt)
if sys.argv[3] == "function":
    world.on_force(lambda rows: None)
thread.start()
try:
    {"step": lambda: world.step(10**12), "until": lambda: world.run_until(1e6), "function": lambda: world.step(10**12),
     "record": lambda: world.record(1e6, 1e5), "run": lambda: world.run(sys.argv[2])}[sys.argv[3]]()
    print("not interrupted")
except KeyboardInterrupt:
    thread.join()
    before = world.steps
    world.step(7)
    print(before >= 0, world.steps - before, world.hash(), world.steps)
"""


def test_interrupts(folder):
    scene = os.path.join(folder, "text.scene.yaml")
    with open(scene, "w", encoding="utf-8") as file:
        import json
        file.write(json.dumps(SCENE, indent=1))
    for way in ("step", "until", "function", "record", "run"):
        out = os.path.join(folder, "interrupted")
        told = subprocess.run([sys.executable, "-c", INTERRUPTED, scene, out, way], cwd=folder, capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "python")}, check=False)
        words = told.stdout.split()
        good = told.returncode == 0 and len(words) == 4 and words[1] == "7" and words[2] == hash_after(int(words[3]))
        tap.case(f"an interrupt ends {way}, and the world goes on with the same bits", good, told.stdout + told.stderr)
    with scree.restore(os.path.join(out, "text.snap")) as world:
        world.run_until(world.time + 0.001)
        tap.case("an interrupted run can be continued", world.steps > 0)


# ---------------------------------------------------------------- arguments

def test_arguments(folder):
    tap.case("the parser of cffi is refused after the start", raised(AssertionError, lambda: scree._library.ffi.typeof("int[77]")))
    with make() as world:
        before = world.hash()
        number, kind, name = scree.InputError, scree.InputTypeError, scree.UnknownNameError
        wrong = [
            (number, lambda: world.step(-1)), (number, lambda: world.step(2**70)), (kind, lambda: world.step(1.5)), (kind, lambda: world.step("a")),
            (number, lambda: world.run_until(float("nan"))), (number, lambda: world.run_until(float("inf"))), (kind, lambda: world.run_until(None)),
            (kind, lambda: world.run_until("1 s") if False else world.run_until([1])), (number, lambda: world.run_until("a")),
            (number, lambda: world.bodies["x"].__setitem__(slice(None), numpy.zeros(3))), (kind, lambda: world.bodies["x"].__setitem__(0, 1j)),
            (kind, lambda: world.bodies["x"].__setitem__(0, "a")), (number, lambda: world.bodies["mass"].__setitem__(0, 1)),
            (number, lambda: setattr(world.bodies, "position", numpy.zeros((3, 3)))), (kind, lambda: world.bodies[3]),
            (AttributeError, lambda: setattr(world.bodies, "positon", 0)), (AttributeError, lambda: setattr(world, "walls", 3)),
            (AttributeError, lambda: setattr(world.walls["lid"], "velocity", (0, 0, 1))), (AttributeError, lambda: setattr(world.bodies, "force", 0)),
            (kind, lambda: world.walls[1.5]), (name, lambda: world.walls[-1]), (name, lambda: world.walls[2]), (name, lambda: world.walls["\0"]),
            (name, lambda: world.remove(0)), (name, lambda: world.remove(-1)), (name, lambda: world.remove(2**64)), (name, lambda: world.remove(10**9)),
            (kind, lambda: world.remove("a")), (number, lambda: world.remove(1, 1)), (name, lambda: world.bodies.row(-1)),
            (number, lambda: setattr(world, "gravity", (1, 2))), (number, lambda: setattr(world, "gravity", (float("nan"), 0, 0))),
            (kind, lambda: setattr(world, "gravity", 3)), (kind, lambda: setattr(world, "gravity", "abc")), (kind, lambda: setattr(world, "gravity", (1, 2, None))),
            (number, lambda: world.set_force(1, (float("inf"), 0, 0))), (number, lambda: world.set_force(10**6, (1, 0, 0))),
            (number, lambda: world.place(1, position=(float("nan"), 0, 0))), (number, lambda: world.place(1, position=(1,))),
            (number, lambda: world.place(1, orientation=(0, 0, 0, 0))), (number, lambda: world.material("glass").__setitem__("young", -1)),
            (kind, lambda: world.material("glass").__setitem__("young", None)), (number, lambda: setattr(world, "step_length", -1)),
            (number, lambda: setattr(world, "step_length", float("nan"))), (number, lambda: world.add("ball", "glass", -1, (0, 0, 1))),
            (number, lambda: world.add("ball", "glass", 1e-3, (0, 0, 1e300))), (number, lambda: world.add("ball", "glass", 1e-3, (0, 0, 1), orientation=(0, 0, 0, 0))),
            (kind, lambda: world.add("ball", "glass", "1 mm" and None, (0, 0, 1))), (number, lambda: world.record(float("nan"), 1)),
            (number, lambda: world.record(1, -1)), (number, lambda: world.set_cell(stress=(1, 2, 3))), (number, world.stress),
            (number, lambda: world.change_plan({"a\0": 1})), (kind, lambda: world.change_plan(5)), (kind, lambda: world.change_plan([5])),
            (number, lambda: numpy.add.at(world.bodies["mass"], 0, 1)), (number, lambda: numpy.add(1, 1, out=(world.bodies["id"],))),
            (number, lambda: world.bodies["x"].__array__(copy=False)), (IndexError, lambda: world.bodies["x"][10**9]), (TypeError, lambda: memoryview(world.bodies["x"])),
        ]
        good = [raised(k, call) for k, call in wrong]
        tap.case(f"{len(wrong)} wrong arguments are refused", all(good), [k for k, g in enumerate(good) if not g])
        tap.case("and change nothing", world.hash() == before)
        world.step(numpy.int64(2))
        world.run_until(numpy.float32(1e-3))
        world.bodies["vx"][:] = numpy.arange(40)
        world.bodies["vy"] = True
        world.gravity = numpy.array([0, 0, -1])
        tap.case("numbers of NumPy are right", world.time > 9e-4 and world.gravity[2] == -1 and world.bodies["vx"][3] == 3)
    for what, scene in (("None", None), ("a number", 5), ("a list", [SCENE]), ("a set", {1, 2})):
        tap.case(f"{what} is no scene", raised(scree.InputTypeError, lambda scene=scene: scree.open(scene), "a scene is"))
    tap.case("a scene of objects is refused", raised(scree.InputError, lambda: scree.open({"scene": object()})))
    tap.case("no numbers of threads", raised(scree.InputTypeError, lambda: make(threads="2")) and raised(scree.InputError, lambda: make(threads=2**40)) and
             raised(scree.SceneError, lambda: make(threads=-1)))
    tap.case("a table that is none", raised(scree.FileError, lambda: scree.read_table(os.path.join(folder, "none.csv"))) and
             raised(scree.InputError, lambda: scree.read_table(os.devnull)))


def test_names():
    with make() as world:
        cases = {
            "walls": (lambda: world.walls["flor"], "there is no wall 'flor' (did you mean floor?); there are: floor, lid"),
            "columns": (lambda: world.bodies["radus"], "(did you mean radius?); there are: id, x, y, z"),
            "shapes": (lambda: world.add("bal", "glass", 1e-3, (0, 0, 1)), "there is no shape 'bal' (did you mean ball?); there are: ball, cube"),
            "materials": (lambda: world.add("ball", "Glas", 1e-3, (0, 0, 1)), "no material 'Glas' (did you mean glass?)"),
            "materials of rules": (lambda: world.contact_rule("glass", "stel"), "no material 'stel'; there are: glass"),
            "properties": (lambda: world.material("glass")["yung"], "(did you mean young?); there are: density, young, poisson"),
            "properties of rules": (lambda: world.contact_rule("glass", "glass")["frction"], "did you mean friction?"),
        }
        for what, (call, words) in cases.items():
            tap.case(f"unknown {what} are KeyErrors with the names that exist", raised(KeyError, call, words) and raised(scree.InputError, call))
        tap.case("names are found", "lid" in world.walls and "roof" not in world.walls and "x" in world.bodies and "X" not in world.bodies and
                 world.shapes == ["ball", "cube"] and world.materials == ["glass"] and world.walls.names == ["floor", "lid"])
        known = [name for name in world.contact_rule("glass", "glass").names if world.contact_rule("glass", "glass")[name] is not None]
        tap.case("properties that are listed exist", len(known) == 6 and all(world.material("glass")[n] > 0 for n in ("density", "young")), known)


def test_paths(folder):
    scene = os.path.join(folder, "drum.scene.yaml")
    with open(scene, "w", encoding="utf-8") as file:
        import json
        file.write(json.dumps(SCENE, indent=1))
    wanted = hash_after(10)
    for kind in (str, os.fsencode, pathlib.Path):
        with scree.open(kind(scene), threads=1) as world:
            world.step(10)
            paths = [kind(os.path.join(folder, name)) for name in ("a.snap", "a.png", "a.vtp")]
            world.save(paths[0])
            world.render(paths[1], {"output.images.size": [40, 30]})
            world.export(paths[2])
        with scree.restore(paths[0]) as world:
            good = world.hash() == wanted and repr(world).startswith("<World a: 40 bodies, t = ")
        with scree.open(kind(scene), sets={"run.until": "2 ms"}) as world:
            world.run(kind(os.path.join(folder, "out")), overwrite=True)
        table = scree.read_table(kind(os.path.join(folder, "out", "drum_history.csv")))
        tap.case(f"paths may be {kind.__name__}", good and os.path.getsize(paths[1]) > 100 and len(table["time[s]"] if "time[s]" in table else
                                                                                                table[next(iter(table))]) == 3)
    with open(scene, "rb") as file, scree.open(file.read(), threads=1) as world:
        tap.case("bytes with lines are the text of a scene", len(world.bodies) == 40)
    with make() as world:
        for what, call in (("save", world.save), ("render", world.render), ("export", world.export), ("outputs", world.open_outputs)):
            tap.case(f"{what}: what is no path is refused", raised(scree.InputTypeError, lambda call=call: call(5)) and
                     raised(scree.InputError, lambda call=call: call("a\0b"), "NUL") and raised(scree.InputError, lambda call=call: call("\ud800")))
        for name in ("x.gif", "x.jpg", "x.png.", "x.svg.gz"):
            path = os.path.join(folder, name)
            tap.case(f"{name} is not drawn", raised(scree.InputError, lambda path=path: world.render(path), ".png, .svg or .pdf") and not os.path.exists(path))
        tap.case("x.stl is not exported", raised(scree.InputError, lambda: world.export(os.path.join(folder, "x.stl")), ".vtp"))
        for name in ("x.PNG", "x.svg", "x.pdf", "plain"):
            world.render(os.path.join(folder, name), {"output.images.size": [40, 30]})
            tap.case(f"{name} is drawn", os.path.getsize(os.path.join(folder, name)) > 100)
        tap.case("no folder is a failure of a file", raised(scree.FileError, lambda: world.save("/nonexistent/x")))


def test_representations(folder):
    with scree.open(os.path.join(folder, "drum.scene.yaml"), threads=1) as world:
        world.run_until(0.02)
        told = {"world": (world, "<World drum: 40 bodies, t = 0.0"), "bodies": (world.bodies, "<Bodies: 40 bodies; columns id, x, "),
                "walls": (world.walls, "<Walls: floor, lid>"), "wall": (world.walls["floor"], "<Wall floor: position (0, 0, 0) m, force ("),
                "ledger": (world.ledger(), "<Ledger: kinetic "), "guards": (world.guards(), "<Guards: overlap "), "measures": (world.measures(), "<Measures: "),
                "progress": (world.progress(), "<Progress: 40 bodies, "), "contacts": (world.contacts(), "<Contacts: "),
                "material": (world.material("glass"), "<glass: density 2500, young 5e+06"), "column": (world.bodies["x"], "<x m: [")}
        for what, (value, words) in told.items():
            tap.case(f"{what}: its representation says something", repr(value).startswith(words), repr(value))
        tap.case("a ledger has units", repr(world.ledger()).endswith(" J>") and " J, potential" in repr(world.ledger()), repr(world.ledger()))


def test_hints():
    import inspect
    import typing
    tap.case("the module has type hints", os.path.exists(os.path.join(ROOT, "python", "scree", "py.typed")))
    bare = []
    for name in scree.__all__:
        value = getattr(scree, name)
        functions = [(name, value)] if inspect.isfunction(value) else []
        if inspect.isclass(value):
            functions = [(f"{name}.{n}", f.fget if isinstance(f, property) else f) for n, f in vars(value).items()
                         if not n.startswith("_") and (inspect.isfunction(f) or isinstance(f, property))]
        for where, function in functions:
            function = inspect.unwrap(function)
            if function.__module__.startswith("scree") and where.split(".")[-1] not in scree.columns._METHODS:
                hints = function.__annotations__
                if "return" not in hints or any(p not in hints for p in inspect.signature(function).parameters if p != "self"):
                    bare.append(where)
    tap.case("every public function has them", not bare and typing.get_type_hints(scree.World.step), bare)


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        test_copies()
        test_closed()
        test_functions()
        test_rows()
        test_threads()
        test_interrupts(folder)
        test_arguments(folder)
        test_names()
        test_paths(folder)
        test_representations(folder)
        test_hints()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
