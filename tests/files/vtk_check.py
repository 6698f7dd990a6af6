"""Reads frames and full meshes with VTK and holds them against expected.txt. Usage: vtk_check.py FOLDER NAME FRAMES"""
import math
import sys
import xml.etree.ElementTree as tree

try:
    import vtk
except ImportError:
    sys.exit(77)
from vtk.util.numpy_support import vtk_to_numpy as numbers

folder, name, frames = sys.argv[1], sys.argv[2], int(sys.argv[3])
expected = {"body": [], "shape": [], "contact": [], "time": [], "wall": []}
for line in open(f"{folder}/expected.txt"):
    word, *rest = line.split()
    expected[word].append([float(x) for x in rest])
checks = 0


def check(truth, what):
    global checks
    checks += 1
    if not truth:
        sys.exit(f"not true: {what}")


def near(a, b, tolerance, what):
    check(abs(a - b) <= tolerance, f"{what}: {a!r} is not {b!r} within {tolerance}")


errors = []


def read(path, kind=vtk.vtkXMLPolyDataReader):
    reader = kind()
    reader.AddObserver("ErrorEvent", lambda *_: errors.append(path))
    reader.SetFileName(path)
    reader.Update()
    check(not errors, f"VTK reads {path} without an error")
    text = open(path).read()
    check("AppendedData" not in text, f"{path} has no appended data")
    return reader.GetOutput()


def volume_of(surface):
    triangles = vtk.vtkTriangleFilter()
    triangles.SetInputData(surface)
    mass = vtk.vtkMassProperties()
    mass.SetInputConnection(triangles.GetOutputPort())
    mass.Update()
    return mass.GetVolume()


def array(data, field, components):
    a = data.GetArray(field)
    check(a is not None, f"there is an array {field}")
    check(a.GetNumberOfComponents() == components, f"{field} has {components} components")
    return numbers(a)


# the table of shapes
blocks = read(f"{folder}/{name}_shapes.vtm", vtk.vtkXMLMultiBlockDataReader)
check(blocks.GetNumberOfBlocks() == len(expected["shape"]), "a block for each shape")
for k, (type_, volume, radius) in enumerate(expected["shape"]):
    block = blocks.GetBlock(k)
    check(block is not None and block.GetNumberOfCells() > 3, f"shape {k} has faces")
    found = volume_of(block)
    if type_ == 0:
        check(0.95 * volume < found < volume, f"ball {k} is a ball: {found} of {volume}")
    else:
        near(found, volume, 1e-6 * volume, f"volume of shape {k}")
    far = max(math.dist(block.GetPoint(i), (0, 0, 0)) for i in range(block.GetNumberOfPoints()))
    near(far, radius, 1e-6 * radius, f"radius of shape {k}")

# the last frame is of the moment of expected.txt
last = f"{frames - 1:06d}"
points = read(f"{folder}/{name}_particles_{last}.vtp")
bodies = {int(b[0]): b for b in expected["body"]}
check(points.GetNumberOfPoints() == len(bodies) == points.GetNumberOfVerts(), "a point for each body")
data = points.GetPointData()
ids, shape, size = array(data, "id", 1), array(data, "shape", 1), array(data, "size", 1)
turn, velocity = array(data, "orientation", 4), array(data, "velocity", 3)
for field, components in (("angular_velocity", 3), ("force", 3), ("torque", 3), ("mass", 1), ("material", 1)):
    check(len(array(data, field, components)) == len(bodies), field)
for k in range(len(bodies)):
    _, x, y, z, s, row, qw, qx, qy, qz, vx, vy, vz = bodies[int(ids[k])]
    check(points.GetPoint(k) == (x, y, z), f"position of body {ids[k]}")
    near(size[k], s, 1e-6 * s, "size")
    check(shape[k] == row, "shape")
    for a, b in zip(turn[k], (qw, qx, qy, qz)):
        near(a, b, 1e-6, "orientation (w, x, y, z)")
    for a, b in zip(velocity[k], (vx, vy, vz)):
        near(a, b, 1e-6 * (1 + abs(b)), "velocity")

lines = read(f"{folder}/{name}_contacts_{last}.vtp")
check(lines.GetNumberOfLines() == len(expected["contact"]) > 0, "a line for each contact")
data = lines.GetCellData()
force = array(data, "normal_force", 1)
id_a, id_b, wall = array(data, "id_a", 1), array(data, "id_b", 1), array(data, "wall", 1)
overlap = array(data, "overlap", 1)
array(data, "tangential_force", 1)
wanted = sorted(expected["contact"])
found = sorted([float(id_a[k]), float(id_b[k]), float(wall[k]), float(force[k]), float(overlap[k])] for k in range(len(force)))
for a, b in zip(found, wanted):
    check(a[:3] == b[:3], f"contact {a} is {b}")
    near(a[3], b[3], 1e-5 * (1e-9 + abs(b[3])), "normal force")
    near(a[4], b[4], 1e-6 * b[4], "overlap")
for k in range(len(force)):
    a = lines.GetCell(k).GetPoints()
    _, x, y, z, *_ = bodies[int(id_a[k])]
    check(a.GetPoint(0) == (x, y, z), "a line begins at the centre of its first body")
    if id_b[k] > 0:
        _, x, y, z, *_ = bodies[int(id_b[k])]
        check(a.GetPoint(1) == (x, y, z), "a line ends at the centre of its second body")

walls = read(f"{folder}/{name}_walls_{last}.vtp")
tags = array(walls.GetCellData(), "wall", 1)
check(sorted(set(int(t) for t in tags)) == [int(t[0]) for t in expected["wall"]], "each wall is there")
array(walls.GetCellData(), "force", 3)
array(walls.GetPointData(), "velocity", 3)
for k in range(walls.GetNumberOfCells()):
    _, type_, radius = expected["wall"][int(tags[k])]
    if type_ == 1:  # a tube about the z axis
        p = walls.GetCell(k).GetPoints()
        for i in range(p.GetNumberOfPoints()):
            near(math.hypot(*p.GetPoint(i)[:2]), radius, 1e-9, "radius of the tube")

# the list of frames
sets = tree.parse(f"{folder}/{name}.pvd").getroot().find("Collection").findall("DataSet")
check(len(sets) == 3 * frames, f"three files a frame in the list, {len(sets)} found")
for k, s in enumerate(sets):
    near(float(s.get("timestep")), expected["time"][k // 3][0], 1e-15, "time of a frame")
    data = read(f"{folder}/{s.get('file')}")
    near(data.GetFieldData().GetArray("TimeValue").GetValue(0), expected["time"][k // 3][0], 1e-15, "time in a file")

# full meshes: each body apart has the volume of its shape times size^3
mesh = read(f"{folder}/{name}_full.vtp")
cell_id = array(mesh.GetCellData(), "id", 1)
cells = {}
for k in range(mesh.GetNumberOfCells()):
    cells.setdefault(int(cell_id[k]), []).append(k)
check(sorted(cells) == sorted(bodies), "full meshes of all bodies")
for one, of in cells.items():
    _, x, y, z, s, row, *_ = bodies[one]
    type_, volume, radius = expected["shape"][int(row)]
    surface, polys = vtk.vtkPolyData(), vtk.vtkCellArray()
    for k in of:
        polys.InsertNextCell(mesh.GetCell(k))
    surface.SetPoints(mesh.GetPoints())
    surface.SetPolys(polys)
    found = volume_of(surface) / s**3
    if type_ == 0:
        check(0.95 * volume < found < volume, f"ball {one}: {found} of {volume}")
    else:
        near(found, volume, 1e-6 * volume, f"volume of body {one}")
    corners = {mesh.GetCell(k).GetPointId(i) for k in of for i in range(mesh.GetCell(k).GetNumberOfPoints())}
    far = max(math.dist(mesh.GetPoint(i), (x, y, z)) for i in corners)
    near(far, radius * s, 1e-6 * s, "a body reaches as far as its radius")
print(f"{checks} checks")
