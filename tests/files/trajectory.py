#!/usr/bin/python3
"""Trajectories: readers that share no code with scree find in NAME.xyz and NAME.lammpstrj the bodies of NAME_bodies.csv
to the last bit, a cell that holds them, and extents that follow from the shapes. A run that was stopped, torn and
resumed, and one on ranks, writes the same bytes."""
import csv
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import case

SCREE = os.path.abspath(os.environ.get("SCREE", "build/test/scree"))
BOX = tempfile.mkdtemp(prefix="scree-")
TWINS = ("id", "x", "y", "z", "vx", "vy", "vz", "qx", "qy", "qz", "qw", "wx", "wy", "wz", "fx", "fy", "fz", "tx", "ty", "tz", "mass")


def run(*arguments, ranks=0):
    launch = ["mpirun", "-n", str(ranks)] if ranks else []
    return subprocess.run(launch + [SCREE, "run", *arguments], capture_output=True, text=True)


def outputs(every, *kinds):
    return [a for k in kinds for a in ("--set", "output.%s={every: %s}" % (k, every))]


def xyz_frames(path):
    """for each frame, its values by key, and its bodies by column name"""
    short = {"pos": "x y z", "velo": "vx vy vz", "omega": "wx wy wz", "force": "fx fy fz", "torque": "tx ty tz",
             "orientation": "qx qy qz qw", "aspherical_shape": "a b c", "map_shift": "ix iy iz"}
    with open(path) as lines:
        for count in lines:
            head = {k: a or b for k, a, b in re.findall(r'(\w+)=(?:"([^"]*)"|(\S+))', next(lines))}
            columns, kinds = [], []
            part = head["Properties"].split(":")
            for name, kind, width in zip(part[::3], part[1::3], part[2::3]):
                names = short.get(name, name).split()
                assert len(names) == int(width), name
                columns += names
                kinds += {"S": [str], "R": [float], "I": [int]}[kind] * int(width)
            rows = []
            for _ in range(int(count)):
                words = next(lines).split()
                assert len(words) == len(columns)
                rows.append(dict(zip(columns, (k(w) for k, w in zip(kinds, words)))))
            edges = [float(v) for v in head["Lattice"].split()]
            yield {"time": float(head["Time"]), "step": int(head["Step"]), "pbc": head["pbc"].split(),
                   "origin": [float(v) for v in head["Origin"].split()], "edges": [edges[k:k + 3] for k in (0, 3, 6)],
                   "rows": rows}


def dump_frames(path):
    """the same from a dump of LAMMPS; shapes are diameters there"""
    short = {"omegax": "wx", "omegay": "wy", "omegaz": "wz", "tqx": "tx", "tqy": "ty", "tqz": "tz", "quati": "qx", "quatj": "qy",
             "quatk": "qz", "quatw": "qw"}
    with open(path) as lines:
        for line in lines:
            assert line == "ITEM: TIMESTEP\n"
            step = int(next(lines))
            assert next(lines) == "ITEM: NUMBER OF ATOMS\n"
            count = int(next(lines))
            words = next(lines).split()[3:]
            tilted = words[:3] == ["xy", "xz", "yz"]
            bounds = [[float(v) for v in next(lines).split()] for _ in range(3)]
            xy, xz, yz = [b[2] for b in bounds] if tilted else (0, 0, 0)
            low = [bounds[0][0] - min(0, xy, xz, xy + xz), bounds[1][0] - min(0, yz), bounds[2][0]]
            high = [bounds[0][1] - max(0, xy, xz, xy + xz), bounds[1][1] - max(0, yz), bounds[2][1]]
            columns = [short.get(c, c) for c in next(lines).split()[2:]]
            rows = [dict(zip(columns, map(float, next(lines).split()))) for _ in range(count)]
            for row in rows:
                row.update(a=row["shapex"] / 2, b=row["shapey"] / 2, c=row["shapez"] / 2)
            yield {"step": step, "pbc": ["T" if w == "pp" else "F" for w in words[3 if tilted else 0:]], "origin": low,
                   "edges": [[high[0] - low[0], 0, 0], [xy, high[1] - low[1], 0], [xz, yz, high[2] - low[2]]], "rows": rows}


def table(path):
    """rows of each output time"""
    times = {}
    with open(path) as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            times.setdefault(float(row["time"]), []).append(row)
    return times


def differences(frames, times):
    """where a frame differs from the table at its time, which has no rows without bodies"""
    frames = [f for f in frames if f["rows"]]
    found = [] if len(frames) == len(times) else ["%d frames, %d times" % (len(frames), len(times))]
    for frame, (time, rows) in zip(frames, times.items()):
        if "time" in frame and frame["time"] != time:
            found.append("time %r %r" % (frame["time"], time))
        if len(rows) != len(frame["rows"]):
            found.append("%d bodies, not %d" % (len(frame["rows"]), len(rows)))
        for ours, theirs in zip(frame["rows"], rows):
            twins = TWINS + ("temperature",) * ("temperature" in theirs)
            found += ["%s: %r %s" % (k, ours.get(k), theirs[k]) for k in twins if ours.get(k) != float(theirs[k])]
            if "species" in ours and ours["species"] != theirs["shape"]:
                found.append(ours["species"])
    return found


def outside(frame):
    """bodies of a frame whose centres are outside its cell; edges are along the axes, except for a shear"""
    low, high = frame["origin"], [o + e[d] for d, (o, e) in enumerate(zip(frame["origin"], frame["edges"]))]
    return [r for r in frame["rows"] if not all(low[d] <= r["xyz"[d]] <= high[d] for d in range(3))]


def compare(name, scene, every, until, *more):
    """runs a scene and compares; the frames of both files"""
    folder = "%s/%s" % (BOX, name)
    done = run(scene, "-o", folder, "--set", "run.until=" + until, *outputs(every, "bodies", "xyz", "dump"), *more)
    stem = folder + "/" + os.path.basename(scene).split(".")[0]
    case(name + ": it ends", done.returncode == 0, done.stderr + done.stdout)
    both = list(xyz_frames(stem + ".xyz")), list(dump_frames(stem + ".lammpstrj"))
    for kind, frames in zip(("XYZ", "dump"), both):
        wrong = differences(frames, table(stem + "_bodies.csv"))
        case("%s: %s has the values of the table" % (name, kind), len(frames) > 2 and not wrong, "\n".join(wrong[:5]))
        case("%s: %s has the bodies within its cell" % (name, kind), not any(outside(f) for f in frames))
    case(name + ": both have the same cell", all(
        a["pbc"] == b["pbc"] and all(math.isclose(p, q, rel_tol=1e-12, abs_tol=1e-15) for p, q in
                                     zip(sum(a["edges"], a["origin"]), sum(b["edges"], b["origin"])))
        for a, b in zip(*both)), [(a["pbc"], a["edges"], b["pbc"], b["edges"]) for a, b in zip(*both)][:1])
    return both


def write(name, text):
    with open(BOX + "/" + name, "w") as file:
        file.write(text)
    return BOX + "/" + name


def check_spheres():
    frames, _ = compare("rain", "scenes/rain.scene.yaml", "4 ms", "40 ms") # bodies come and go
    first, last = frames[0]["rows"], frames[-1]["rows"]
    case("bodies come", len(last) > len(first))
    case("a sphere's extents are its radius", all(r["a"] == r["b"] == r["c"] == r["radius"] for r in last))


def check_boxes():
    scene = write("boxes.scene.yaml", """scene: 1
materials: {stone: {density: 2500 kg/m^3, young: 10 MPa, poisson: 0.25}}
contacts: {default: {restitution: 0.5, friction: 0.5}}
shapes: {brick: {box: [1, 2, 3]}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: stone}}
fill: [{region: {box: {min: [0, 0, 5 mm], max: [20 mm, 20 mm, 30 mm]}}, count: 20, material: stone,
        mix: [{shape: brick, size: 1 mm}], orientation: random, seed: 3}]
world: {gravity: [0, 0, -9.81 m/s^2]}
run: {until: 1 ms}
""")
    for frames in compare("boxes", scene, "0.2 ms", "1 ms"):
        case("a box has half its edges", all(
            math.isclose(r[k], e, rel_tol=1e-9) for f in frames for r in f["rows"] for k, e in zip("abc", (5e-4, 1e-3, 1.5e-3))),
            frames[0]["rows"][0])


def check_heat():
    scene = write("hot.scene.yaml", """scene: 1
materials: {steel: {density: 7800 kg/m^3, young: 20 MPa, conductivity: 40 W/m/K, heat_capacity: 5 J/kg/K}}
shapes: {ball: {sphere: {diameter: 1}}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: steel, temperature: 500 K}}
fill: [{region: {box: {min: [-5 mm, -5 mm, 0], max: [5 mm, 5 mm, 2.2 mm]}}, lattice: {spacing: 2.2 mm}, material: steel,
        shape: ball, size: 2 mm, body_temperature: 310 K}]
world: {gravity: [0, 0, -9.81 m/s^2], domain: {min: [-5 mm, -5 mm, -1 mm], max: [5 mm, 5 mm, 9 mm]}, periodic: [x, y]}
run: {until: 20 ms}
""")
    for frames in compare("hot", scene, "4 ms", "20 ms"):
        case("temperatures rise", frames[0]["rows"][0]["temperature"] == 310 and frames[-1]["rows"][0]["temperature"] > 311,
             frames[-1]["rows"][0])
    cold = next(xyz_frames(BOX + "/boxes/boxes.xyz"))["rows"][0]
    case("without heat there are none", "temperature" not in cold, cold)


def check_cells():
    frames, dump = compare("sheared", "scenes/periodic_shear.scene.yaml", "2 ms", "20 ms")
    case("a periodic cell", frames[0]["pbc"] == ["T", "T", "T"])
    tilts = [sum(abs(f["edges"][i][j]) for i in range(3) for j in range(3) if i != j) for f in frames]
    case("which tilts", tilts[0] == 0 and tilts[-1] > 0 and dump[-1]["edges"][0][0] > 0, tilts)
    for d, name in enumerate(("ix", "iy", "iz")):
        # unwrapped, a body moves on without jumps
        jumps = [abs(b["xyz"[d]] + sum(b["i" + "xyz"[e]] * now["edges"][e][d] for e in range(3)) - a["xyz"[d]]
                     - sum(a["i" + "xyz"[e]] * then["edges"][e][d] for e in range(3)))
                 for then, now in zip(frames, frames[1:]) for a, b in zip(then["rows"], now["rows"])]
        case("counts of periods continue a path: " + name, max(jumps) < 0.6 * frames[0]["edges"][d][d], max(jumps))
    compare("plane", "scenes/flat_mix.scene.yaml", "2 ms", "10 ms")
    scene = open("scenes/periodic_shear.scene.yaml").read()
    turned = re.sub(r"shear: *\{[^}]*\}", "shear: {flow: y, gradient: x, rate: 1 1/s}", scene)
    case("the scene is the one below", turned != scene)
    done = run(write("turned.scene.yaml", turned), "-o", BOX + "/turned", *outputs("1 ms", "dump"))
    case("a cell that LAMMPS lacks is refused", done.returncode == 2 and "output.xyz" in done.stderr, done.stderr + done.stdout)


def check_resume():
    more = outputs("1 ms", "xyz", "dump") + ["--set", "run.step=5 us", "--set", "run.until=1 s"]
    run("scenes/rain.scene.yaml", "-o", BOX + "/whole", "--steps", "4000", *more)
    run("scenes/rain.scene.yaml", "-o", BOX + "/part", "--steps", "1900", *more)
    for ending in (".xyz", ".lammpstrj"): # state after a kill
        with open(BOX + "/part/rain" + ending, "a") as file:
            file.write("17\nLattice=")
    done = run("--resume", BOX + "/part/rain.snap", "--steps", "2100")
    for ending in (".xyz", ".lammpstrj"):
        names = [BOX + "/%s/rain%s" % (f, ending) for f in ("whole", "part")]
        texts = [open(n, "rb").read() for n in names]
        case("stopped, torn and resumed: " + ending, len(texts[0]) > 1000 and texts[0] == texts[1], done.stderr + done.stdout)
    if shutil.which("mpirun") is None or "without MPI" in run("none", ranks=2).stderr:
        return
    run("scenes/rain.scene.yaml", "-o", BOX + "/ranks", "--steps", "4000", *more, ranks=3)
    for ending in (".xyz", ".lammpstrj"):
        case("on ranks: " + ending, open(BOX + "/whole/rain" + ending, "rb").read() == open(BOX + "/ranks/rain" + ending, "rb").read())
    done = run("scenes/rain.scene.yaml", "-o", BOX + "/few", "--steps", "1000", *more, "--set", "output.xyz.up_to=3")
    frames = list(xyz_frames(BOX + "/few/rain.xyz"))
    case("up_to", max(len(f["rows"]) for f in frames) == 3, done.stderr)
    done = run("scenes/rain.scene.yaml", "-o", BOX + "/few", "--steps", "10", "--overwrite")
    case("an old trajectory goes with its run", not os.path.exists(BOX + "/few/rain.xyz"), done.stderr)


try:
    os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
    check_spheres()
    check_boxes()
    check_heat()
    check_cells()
    check_resume()
finally:
    shutil.rmtree(BOX)
sys.exit(tap.end())
