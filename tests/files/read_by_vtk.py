#!/usr/bin/python3
"""Every file that a run writes for VTK is read by VTK: counts, bounds, arrays, volumes of polyhedra."""
import csv
import glob
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import vtk
from vtk.util.numpy_support import vtk_to_numpy

SCREE = os.environ.get("SCREE", "build/test/scree")
cases = []


def case(name, good, why=""):
    cases.append(good)
    print("%s %d - %s%s" % ("ok" if good else "not ok", len(cases), name, "" if good else ": %s" % why))


def read(path):
    errors = []
    reader = vtk.vtkXMLPolyDataReader()
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
    """a scene whose name XML would take for its own"""
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


def main():
    odd_name()
    with tempfile.TemporaryDirectory() as out:
        scene = "scenes/mixed_drum.scene.yaml"
        run = subprocess.run([SCREE, "run", scene, "-o", out, "--quiet", "--steps", "4000", "--set", "run.until=1000 s",
                              "--set", "output.vtk.every=4 ms"], capture_output=True, text=True)
        case("the run ends well", run.returncode == 0, run.stderr)
        frames = sorted(glob.glob(out + "/mixed_drum_particles_*.vtp"))
        case("several frames", len(frames) >= 3, len(frames))
        unread = [p for p in glob.glob(out + "/*.vtp") if read(p)[1]]
        case("VTK reads every file", not unread, unread)
        last, _ = read(frames[-1])
        names = {last.GetPointData().GetArrayName(k) for k in range(last.GetPointData().GetNumberOfArrays())}
        wanted = {"id", "shape", "scale", "quaternion", "velocity", "angular_velocity", "force", "torque", "mass", "size", "material"}
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


def read_last_masses(out):
    last, _ = read(sorted(glob.glob(out + "/mixed_drum_particles_*.vtp"))[-1])
    point = last.GetPointData()
    ids, shape, mass = (vtk_to_numpy(point.GetArray(n)) for n in ("id", "shape", "mass"))
    return {i: (s, m) for i, s, m in zip(ids, shape, mass)}


sys.exit(main())
