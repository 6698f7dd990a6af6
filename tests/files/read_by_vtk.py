#!/usr/bin/python3
"""Every file that a run writes for VTK is read by VTK: counts, bounds, arrays, volumes of polyhedra, outlines of the plane."""
import csv
import glob
import math
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

SCREE = os.environ.get("SCREE", "build/test/scree")
cases = []


def case(name, good, why=""):
    cases.append(good)
    print("%s %d - %s%s" % ("ok" if good else "not ok", len(cases), name, "" if good else ": %s" % why))


def read(path):
    errors = []
    reader = vtk.vtkXMLPPolyDataReader() if path.endswith(".pvtp") else vtk.vtkXMLPolyDataReader()
    reader.AddObserver("ErrorEvent", lambda *what: errors.append(what))
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput(), errors


def volume(mesh):
    triangles = vtk.vtkTriangleFilter()
    triangles.SetInputData(mesh)
    mass = vtk.vtkMassProperties()
    mass.SetInputConnection(triangles.GetOutputPort())
    return mass.GetVolume()


def odd_name():
    """a scene whose name contains XML markup"""
    with tempfile.TemporaryDirectory() as out:
        scene = out + "/a<b&c.scene.yaml"
        with open("scenes/mixed_drum.scene.yaml", encoding="utf-8") as text, open(scene, "w", encoding="utf-8") as copy:
            copy.write(text.read())
        run = subprocess.run([SCREE, "run", scene, "-o", out + "/o", "--quiet", "--steps", "3", "--set",
                              "output.vtk.every=4 ms"], capture_output=True, text=True)
        case("an odd name: the run ends well", run.returncode == 0, run.stderr)
        tables = glob.glob(out + "/o/*.pvd") + glob.glob(out + "/o/*.vtm")
        files = [e.get("file") for t in tables for e in ET.parse(t).iter("DataSet")]
        missing = [f for f in files if not os.path.isfile(out + "/o/" + f)]
        case("an odd name: tables name files that are there", len(tables) == 2 and files and not missing, [tables, files])


def outlines(mesh):
    """corners of every cell, in order"""
    found = []
    for k in range(mesh.GetNumberOfCells()):
        points = mesh.GetCell(k).GetPoints()
        found.append(numpy.array([points.GetPoint(i) for i in range(points.GetNumberOfPoints())]))
    return found


def area(corners):
    """signed: positive for corners counter-clockwise seen from +z"""
    x, y = corners[:, 0] - corners[0, 0], corners[:, 1] - corners[0, 1]
    return (x * numpy.roll(y, -1) - y * numpy.roll(x, -1)).sum() / 2


def plane():
    """a world in the plane: a body is one polygon of its area, a wall is a strip behind its line"""
    with tempfile.TemporaryDirectory() as out:
        run = subprocess.run([SCREE, "run", "scenes/flat_mix.scene.yaml", "-o", out, "--quiet", "--set", "run.until=0.24 s", "--set",
                              "output.vtk.every=40 ms"], capture_output=True, text=True)
        case("plane: the run ends well", run.returncode == 0, run.stderr)
        unread = [p for p in glob.glob(out + "/*.vtp") if read(p)[1]]
        case("plane: VTK reads every file", not unread, unread)
        last, _ = read(sorted(glob.glob(out + "/flat_mix_particles_*.vtp"))[-1])
        point = last.GetPointData()
        values = {n: vtk_to_numpy(point.GetArray(n)) for n in ("velocity", "angular_velocity", "force", "torque", "quaternion")}
        across = [abs(values[n][:, 2]).max() for n in ("velocity", "force")]
        across += [abs(values[n][:, :2]).max() for n in ("angular_velocity", "torque")] + [abs(values["quaternion"][:, 1:3]).max()]
        case("plane: nothing leaves it", max(across) == 0 and last.GetBounds()[4:] == (0, 0), across)
        case("plane: bodies turn", (values["angular_velocity"][:, 2] != 0).all() and (abs(values["torque"][:, 2]) > 0).any())
        plane_areas(out)
        plane_walls(out)
        kinds("plane", out + "/flat_mix", last, [0, 2, 3, 3, 3])
        contacts, _ = read(sorted(glob.glob(out + "/flat_mix_contacts_*.vtp"))[-1])
        case("plane: contacts lie in it", contacts.GetNumberOfCells() > 5 and contacts.GetBounds()[4:] == (0, 0))


def plane_areas(out):
    """the full outlines, and those of the table of shapes, have the corners of the scene and the area mass / (density thickness)"""
    wanted = [64, 64, 5, 4, 9, 3]  # round ones, pentagon, slab, pebble; the last is a wall
    inscribed = math.sin(2 * math.pi / 64) / (2 * math.pi / 64)  # area of the 64 corners over that of the circle around them
    table = [outlines(read(p)[0]) for p in sorted(glob.glob(out + "/flat_mix_shape_*.vtp"))]
    case("plane: the table of shapes has one outline each", [len(t) for t in table] == [1] * 6, [len(t) for t in table])
    case("plane: corners of the table", [len(t[0]) for t in table] == wanted, [len(t[0]) for t in table])
    run = subprocess.run([SCREE, "export", out + "/flat_mix.snap", "-o", out + "/mesh.vtp"], capture_output=True, text=True)
    case("plane: export ends well", run.returncode == 0, run.stderr)
    mesh, errors = read(out + "/mesh.vtp")
    cells, ids = outlines(mesh), vtk_to_numpy(mesh.GetCellData().GetArray("id"))
    case("plane: a cell a body", not errors and len(cells) == 60 and len(set(ids)) == 60, len(cells))
    bodies, _ = read(sorted(glob.glob(out + "/flat_mix_particles_*.vtp"))[-1])
    point = bodies.GetPointData()
    of = {i: k for k, i in enumerate(vtk_to_numpy(point.GetArray("id")))}
    shape, scale, mass = (vtk_to_numpy(point.GetArray(n)) for n in ("shape", "scale", "mass"))
    off, corners = [0], True
    for cell, i in zip(cells, ids):
        k = of[i]
        right = float(mass[k]) / (2000 * 0.1) * (inscribed if shape[k] < 2 else 1)
        off += [abs(area(cell) / right - 1), abs(area(table[shape[k]][0]) * float(scale[k]) ** 2 / right - 1)]
        corners = corners and len(cell) == wanted[shape[k]]
    case("plane: corners of the outlines", corners)
    case("plane: areas", max(off) < 2e-5, max(off))


def plane_walls(out):
    walls, _ = read(sorted(glob.glob(out + "/flat_mix_walls_*.vtp"))[-1])
    cells, of = outlines(walls), vtk_to_numpy(walls.GetCellData().GetArray("wall"))
    drum, wedge, lid = ([c for c, k in zip(cells, of) if k == wall] for wall in range(3))
    radius = numpy.hypot(*numpy.concatenate(drum)[:, :2].T)
    case("plane: the drum is a ring outside of its circle", abs(radius.min() - 0.4) < 1e-6 and 0.4 < radius.max() < 0.45, radius.max())
    case("plane: the wedge", len(wedge) == 1 and len(wedge[0]) == 3 and abs(abs(area(wedge[0])) - 0.03) < 1e-7)
    y = lid[0][:, 1]
    case("plane: the lid is a strip above its line", len(lid) == 1 and len(y) == 4 and abs(y.min() - 0.35) < 1e-6 and y.max() > 0.351, y)


def rows(mesh, data):
    """points or lines with all their values, by rising rows"""
    count = data.GetNumberOfTuples()
    at = points(mesh).reshape(count, 3 * mesh.GetNumberOfPoints() // max(count, 1))
    arrays = sorted(data.GetArrayName(k) for k in range(data.GetNumberOfArrays()))
    values = [vtk_to_numpy(data.GetArray(n)).reshape(count, data.GetArray(n).GetNumberOfComponents()) for n in arrays]
    table = numpy.concatenate([at] + values, axis=1)
    return arrays, table[numpy.lexsort(table.T[::-1])]


def pieces():
    """a frame in pieces holds the bodies and contacts of the frame in one file, and each piece can be read"""
    with tempfile.TemporaryDirectory() as out:
        for folder, most in (("one", "4e6"), ("pieces", "11")):
            run = subprocess.run([SCREE, "run", "scenes/mixed_drum.scene.yaml", "-o", out + "/" + folder, "--quiet", "--steps", "12000",
                                  "--set", "run.until=1000 s", "--set", "output.vtk.every=4 ms", "--set",
                                  "output.vtk.bodies_per_file=" + most], capture_output=True, text=True)
            case("pieces: the run ends well, " + folder, run.returncode == 0, run.stderr)
        frames = [p[-6:] for p in sorted(f[:-4] for f in glob.glob(out + "/one/mixed_drum_particles_*.vtp"))]
        listed = [e.get("file") for e in ET.parse(out + "/pieces/mixed_drum.pvd").iter("DataSet")]
        case("pieces: the list of frames names their indices", len(frames) > 2 and len(listed) == 3 * len(frames) and
             sum(f.endswith(".pvtp") for f in listed) == 2 * len(frames) and all(os.path.isfile(out + "/pieces/" + f) for f in listed),
             listed)
        unread = [p for p in glob.glob(out + "/pieces/*.vtp") if read(p)[1]]
        case("pieces: VTK reads each", not unread, unread)
        for part, of in (("particles", lambda m: m.GetPointData()), ("contacts", lambda m: m.GetCellData())):
            wrong, sizes = [], []
            for k in frames:
                one, _ = read("%s/one/mixed_drum_%s_%s.vtp" % (out, part, k))
                together, errors = read("%s/pieces/mixed_drum_%s_%s.pvtp" % (out, part, k))
                sizes += [read(p)[0].GetNumberOfPoints() for p in glob.glob("%s/pieces/mixed_drum_%s_%s_*.vtp" % (out, part, k))]
                (a, x), (b, y) = rows(one, of(one)), rows(together, of(together))
                wrong += [k] if errors or a != b or x.shape != y.shape or (x != y).any() else []
            case("pieces: %s are those of one file, in each frame" % part, not wrong, wrong)
            case("pieces: sizes of %s" % part, max(sizes) == 11 if part == "particles" else sum(sizes) > 40, sizes)


OBLIQUE = """scene: 1
world: {gravity: [0, 0, 0]}
materials: {m: {density: 1000 kg/m^3, young: 1 MPa}}
shapes:
  hull: {hull: [[0, 0, 0], [1, 0.2, 0], [0.1, 0.7, 0.3], [0.3, 0.1, 0.9], [0.8, 0.6, 0.5]]}
  clump: {clump: {centers: [[0, 0, 0], [0.5, 0.3, 0.1], [0.7, 0.9, 0.2]], radii: [0.3, 0.4, 0.2]}}
  grain: {granulate: {seed: 3, points: 12, scale: [0.4, 1], order: hull-then-scale, as: compound}}
  shell: {granulate: {seed: 4, points: 12, scale: [0.4, 1], order: hull-then-scale, as: surface}}
fill: [{from: turned.csv, material: m}]
run: {until: 0, step: 1 us}
output: {vtk: {every: 1 s}, bodies: {every: 1 s}}
"""
TURNED = """x,y,z,size,shape,qw,qx,qy,qz
0,0,0,0.1,hull,0.5,0.1,-0.7,0.5
1,0,0,0.1,clump,0.9,0.3,0.2,0.1
2,0,0,0.1,grain,0.1,0.9,0.2,-0.3
3,0,0,0.1,shell,-0.3,0.2,0.8,0.4
"""


def turned(q, v):
    w, u = q[0], numpy.array(q[1:])
    t = 2 * numpy.cross(u, v)
    return v + w * t + numpy.cross(u, t)


def points(mesh):
    return numpy.array([mesh.GetPoint(k) for k in range(mesh.GetNumberOfPoints())])


def axes():
    """quaternions of frames and tables rotate the axes of the scene's shapes, in which the table of shapes is
    written"""
    with tempfile.TemporaryDirectory() as out:
        for name, text in (("o.scene.yaml", OBLIQUE), ("turned.csv", TURNED)):
            with open(out + "/" + name, "w", encoding="utf-8") as to:
                to.write(text)
        run = subprocess.run([SCREE, "run", out + "/o.scene.yaml", "-o", out, "--quiet"], capture_output=True, text=True)
        case("axes: the run ends well", run.returncode == 0, run.stderr)
        given = [numpy.array([float(v) for v in line.split(",")[5:]]) for line in TURNED.split()[1:]]
        given = [q / numpy.linalg.norm(q) for q in given]
        rows = [r for r in csv.reader(open(out + "/o_bodies.csv", encoding="utf-8")) if not r[0].startswith("#")]
        at = [rows[0].index(n) for n in ("qw", "qx", "qy", "qz")]
        off = max(abs(numpy.array([float(r[k]) for k in at]) - q).max() for r, q in zip(rows[1:], given))
        case("axes: the table has the orientations of the scene", len(rows) == 5 and off < 1e-15, off)
        frame, _ = read(out + "/o_particles_000000.vtp")
        quaternion = vtk_to_numpy(frame.GetPointData().GetArray("quaternion"))
        off = max(abs(q - g).max() for q, g in zip(quaternion, given))
        case("axes: the frame has them, too", off < 1e-6, off)
        corners = numpy.array([[0, 0, 0], [1, 0.2, 0], [0.1, 0.7, 0.3], [0.3, 0.1, 0.9], [0.8, 0.6, 0.5]])
        block = points(read(out + "/o_shape_0.vtp")[0])
        wanted, found = (sorted(map(tuple, (p - p.mean(axis=0)).round(6))) for p in (corners, block))
        case("axes: a block stands in the axes of the scene", abs(numpy.array(wanted) - found).max() < 3e-6, found)
        subprocess.run([SCREE, "export", out + "/o.snap", "-o", out + "/mesh.vtp"], check=True, capture_output=True)
        whole = points(read(out + "/mesh.vtp")[0])
        blocks = [points(read("%s/o_shape_%d.vtp" % (out, k))[0]) for k in range(4)]
        made = [[k, 0, 0] + 0.1 * turned(q, p) for k, (q, p) in enumerate(zip(given, blocks))]
        ends = numpy.cumsum([0] + [len(p) for p in made])
        off = [abs(p - whole[ends[k]:ends[k + 1]]) for k, p in enumerate(made)]
        off[1] = abs(made[1].mean(axis=0) - whole[ends[1]:ends[2]].mean(axis=0))  # grids on spheres do not rotate with the body
        case("axes: blocks, turned, are the surfaces of export", ends[-1] == len(whole) and max(o.max() for o in off) < 1e-6,
             [o.max() for o in off])


def loads_of_walls(out, name):
    """walls have the loads of the last rows of their table, which has one row per wall at a time"""
    walls, _ = read(sorted(glob.glob("%s/%s_walls_*.vtp" % (out, name)))[-1])
    data = walls.GetCellData()
    of = vtk_to_numpy(data.GetArray("wall"))
    table = list(csv.DictReader(line for line in open("%s/%s_walls.csv" % (out, name), encoding="utf-8") if line[0] != "#"))
    last = [row for row in table if row["time"] == table[-1]["time"]]
    off, most = [], 0
    for array, names in (("force", ("fx", "fy", "fz")), ("torque", ("tx", "ty", "tz")), ("pressure", ("pressure", )), ("power", ("power", ))):
        wanted = numpy.array([[float(row[n]) for n in names] for row in last])[of]
        found = vtk_to_numpy(data.GetArray(array)).reshape(wanted.shape)
        most = max(most, abs(wanted[numpy.isfinite(wanted)]).max(initial=0))
        if not numpy.allclose(found, wanted, rtol=1e-6, atol=1e-30, equal_nan=True):
            off.append(array)
    case("walls: loads are those of the table", not off and most > 0, (off, most))


def main():
    odd_name()
    axes()
    plane()
    pieces()
    with tempfile.TemporaryDirectory() as out:
        scene = "scenes/mixed_drum.scene.yaml"
        run = subprocess.run([SCREE, "run", scene, "-o", out, "--quiet", "--steps", "12000", "--set", "run.until=1000 s",
                              "--set", "output.vtk.every=4 ms", "--set", "output.walls={every: 4 ms}"], capture_output=True, text=True)
        case("the run ends well", run.returncode == 0, run.stderr)
        loads_of_walls(out, "mixed_drum")
        frames = sorted(glob.glob(out + "/mixed_drum_particles_*.vtp"))
        case("several frames", len(frames) >= 3, len(frames))
        unread = [p for p in glob.glob(out + "/*.vtp") if read(p)[1]]
        case("VTK reads every file", not unread, unread)
        last, _ = read(frames[-1])
        names = {last.GetPointData().GetArrayName(k) for k in range(last.GetPointData().GetNumberOfArrays())}
        wanted = {"id", "shape", "scale", "quaternion", "velocity", "angular_velocity", "force", "torque", "mass", "size", "material",
                  "radius", "type"}
        case("all arrays", names == wanted, names)
        case("90 particles", last.GetNumberOfPoints() == 90, last.GetNumberOfPoints())
        bounds = last.GetBounds()
        case("inside the drum", all(abs(b) < 0.05 for b in bounds), bounds)
        quaternion = vtk_to_numpy(last.GetPointData().GetArray("quaternion"))
        case("unit quaternions", abs((quaternion ** 2).sum(axis=1) - 1).max() < 1e-6)
        ids = vtk_to_numpy(last.GetPointData().GetArray("id"))
        case("each id once", len(set(ids)) == 90 and ids.min() == 1)
        tree = ET.parse(out + "/mixed_drum.pvd")
        files = [d.get("file") for d in tree.iter("DataSet")]
        case("the collection names what is there", len(files) == 3 * len(frames) and all(os.path.exists(out + "/" + f) for f in files))
        contacts, _ = read(out + "/mixed_drum_contacts_%06d.vtp" % (len(frames) - 1))
        force = vtk_to_numpy(contacts.GetCellData().GetArray("normal_force"))
        case("a force network", contacts.GetNumberOfCells() > 10 and force.min() >= 0, contacts.GetNumberOfCells())
        rows = [r for r in csv.reader(open(out + "/mixed_drum_history.csv")) if not r[0].startswith("#")]
        case("a history", rows[0][0] == "time" and len(rows) > 3 and all(len(r) == len(rows[0]) for r in rows))
        volumes(out, last)
        cells_of_export(out)
        kinds("drum", out + "/mixed_drum", last, [0] + [1] * 5)
    print("1..%d" % len(cases))
    return 0 if all(cases) else 1


def volumes(out, last):
    """mass = density * volume * scale^3 for every polyhedron, from the table of shapes and from the full meshes"""
    table = [volume(read(p)[0]) for p in sorted(glob.glob(out + "/mixed_drum_shape_*.vtp"))]
    point = last.GetPointData()
    shape, scale, mass = (vtk_to_numpy(point.GetArray(n)) for n in ("shape", "scale", "mass"))
    off = [abs(2600 * table[s] * float(q) ** 3 / m - 1) for s, q, m in zip(shape, scale, mass) if s != 0]
    case("volumes of the table of shapes", max(off) < 1e-6, max(off))
    subprocess.run([SCREE, "export", out + "/mixed_drum.snap", "-o", out + "/mesh.vtp"], check=True, capture_output=True)
    mesh, errors = read(out + "/mesh.vtp")
    ids = vtk_to_numpy(mesh.GetCellData().GetArray("id"))
    end = read_last_masses(out)
    worst = 0
    for body in sorted(set(ids)):
        if end[body][0] == 0:
            continue
        pick = vtk.vtkThreshold()
        pick.SetInputData(mesh)
        pick.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, "id")
        pick.SetLowerThreshold(body)
        pick.SetUpperThreshold(body)
        pick.SetThresholdFunction(vtk.vtkThreshold.THRESHOLD_BETWEEN)
        surface = vtk.vtkGeometryFilter()
        surface.SetInputConnection(pick.GetOutputPort())
        surface.Update()
        worst = max(worst, abs(2600 * volume(surface.GetOutput()) / end[body][1] - 1))
    case("volumes of the full meshes", not errors and worst < 1e-6, worst)


def cells_of_export(out):
    """cells of the full meshes have the values that a frame of the same step has for their bodies"""
    subprocess.run([SCREE, "run", "--resume", out + "/mixed_drum.snap", "-o", out + "/more", "--quiet", "--steps", "1", "--set",
                    "output.vtk.every=1 us"], check=True, capture_output=True)
    subprocess.run([SCREE, "export", out + "/more/mixed_drum.snap", "-o", out + "/more/mesh.vtp"], check=True, capture_output=True)
    cells = read(out + "/more/mesh.vtp")[0].GetCellData()
    points = read(sorted(glob.glob(out + "/more/mixed_drum_particles_*.vtp"))[-1])[0].GetPointData()
    row = {int(i): k for k, i in enumerate(vtk_to_numpy(points.GetArray("id")))}
    rows = [row[int(i)] for i in vtk_to_numpy(cells.GetArray("id"))]
    wrong = [n for n in ("size", "shape", "material", "velocity", "angular_velocity", "force", "torque", "mass", "radius")
             if not numpy.array_equal(vtk_to_numpy(cells.GetArray(n)), vtk_to_numpy(points.GetArray(n))[rows])]
    case("cells of the full meshes have the values of their bodies", len(rows) > 1000 and not wrong, wrong)


def kinds(name, out, last, wanted):
    """type is the kind of a body's shape (of each row of the table), radius that of the sphere about its corners"""
    table = [read(p)[0] for p in sorted(glob.glob(out + "_shape_*.vtp"))]
    reach = [max(math.dist((0, 0, 0), t.GetPoint(k)) for k in range(t.GetNumberOfPoints())) for t in table]
    point = last.GetPointData()
    shape, scale, radius, kind = (vtk_to_numpy(point.GetArray(n)) for n in ("shape", "scale", "radius", "type"))
    off = [abs(reach[s] * float(q) / float(r) - 1) for s, q, r in zip(shape, scale, radius)]
    case("%s: radii" % name, max(off) < 1e-6, max(off))
    case("%s: types" % name, all(wanted[s] == k for s, k in zip(shape, kind)) and set(wanted[s] for s in shape) == set(wanted),
         list(zip(shape, kind)))


def read_last_masses(out):
    last, _ = read(sorted(glob.glob(out + "/mixed_drum_particles_*.vtp"))[-1])
    point = last.GetPointData()
    ids, shape, mass = (vtk_to_numpy(point.GetArray(n)) for n in ("id", "shape", "mass"))
    return {i: (s, m) for i, s, m in zip(ids, shape, mass)}


sys.exit(main())
