#!/usr/bin/python3
# waits
"""share/paraview/scree_view.py under ParaView (pvpython on a display in memory): the picture of a run shows the right
shapes at their positions in the last frame, coloured by speed, between walls that do not hide them."""
import math
import os
import subprocess
import sys
import tempfile

import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import case

SCREE = os.environ.get("SCREE", "build/test/scree")
VIEW = os.path.abspath("share/paraview/scree_view.py")
# -noreset: otherwise the server restarts between two connections of ParaView, and refuses the second one
DISPLAY = ["xvfb-run", "-a", "-s", "-noreset -screen 0 1280x1024x24", "timeout", "600"]
SIZE = (400, 300)
# Two bodies without gravity: one at rest at the origin, one that has moved from left to right above it.
TWO = """scene: 1
world: {%s gravity: %s}
materials: {stone: {density: 2500 kg/m^3, young: 10 MPa, poisson: 0.2}}
shapes: {still: %s, fast: %s}
walls: {floor: {%s, material: stone}}
fill:
  - {region: {box: {min: %s, max: %s}}, lattice: {spacing: 0.4 m, count: %s}, material: stone, shape: still, size: 0.3 m}
  - {region: {box: {min: %s, max: %s}}, lattice: {spacing: 0.4 m, count: %s}, material: stone, shape: fast, size: 0.3 m,
     velocity: %s}
run: {until: 1 s, step: 0.5 ms}
output: {vtk: {every: 0.25 s, fields: [velocity, mass]}}
"""
PLANE = TWO % ("dimension: 2, thickness: 1 m,", "[0, 0]", "{disc: 1}", "{box: [1, 1]}",
               "line: {point: [0, -0.4 m], normal: [0, 1]}",
               "[-0.2 m, -0.2 m]", "[0.2 m, 0.2 m]", "[1, 1]", "[-0.7 m, 0.3 m]", "[-0.3 m, 0.7 m]", "[1, 1]", "[1 m/s, 0]")
SPACE = TWO % ("", "[0, 0, 0]", "{sphere: {diameter: 1}}", "{box: [1, 1, 1]}",
               "plane: {point: [0, 0, -0.4 m], normal: [0, 0, 1]}",
               "[-0.2 m, -0.2 m, -0.2 m]", "[0.2 m, 0.2 m, 0.2 m]", "[1, 1, 1]",
               "[-0.7 m, -0.2 m, 0.3 m]", "[-0.3 m, 0.2 m, 0.7 m]", "[1, 1, 1]", "[1 m/s, 0, 0]")


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, **more)


def pixels(path):
    reader = vtk.vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    image = reader.GetOutput()
    width, height = image.GetDimensions()[:2]
    rgb = vtk_to_numpy(image.GetPointData().GetScalars())[:, :3].astype(int)
    return (width, height), rgb.reshape(height, width, 3)


def drawn(name, scene, out, *more):
    """the picture of a scene's run without the scale bar at the right and the axes at the lower left; None if there is none"""
    done = run([SCREE, "run", scene, "-o", out, "--quiet", *more])
    png = "%s/%s.png" % (out, name)
    pvd = "%s/%s.pvd" % (out, os.path.basename(scene)[: -len(".scene.yaml")])
    seen = run([*DISPLAY, "pvpython", VIEW, pvd, "--png", png, "--size", *map(str, SIZE)])
    case("%s: pvpython ends well" % name, done.returncode == 0 and seen.returncode == 0, done.stderr + seen.stdout + seen.stderr)
    if not os.path.isfile(png):
        case("%s: a picture" % name, False, "there is none")
        return None
    size, rgb = pixels(png)
    case("%s: a picture of the size asked for" % name, size == SIZE, size)
    rgb[:, int(0.7 * SIZE[0]):] = 255
    rgb[: int(0.25 * SIZE[1]), : int(0.2 * SIZE[0])] = 255
    return rgb


def yellow(rgb):
    return (rgb[..., 0] > rgb[..., 2] + 50) & (rgb[..., 1] > rgb[..., 2] + 50)


def purple(rgb):
    return (rgb[..., 2] > rgb[..., 1] + 25) & (rgb[..., 0] > rgb[..., 1] + 15)


def extent(mask):
    y, x = numpy.nonzero(mask)
    return (x.max() - x.min() + 1, y.max() - y.min() + 1) if len(x) else (0, 0)


def plane(out):
    with open(out + "/plane.scene.yaml", "w", encoding="utf-8") as text:
        text.write(PLANE)
    rgb = drawn("plane", out + "/plane.scene.yaml", out)
    if rgb is None:
        return
    fast, still = yellow(rgb), purple(rgb)
    (fw, fh), (sw, sh) = extent(fast), extent(still)
    case("plane: the square is a square", fw > 20 and abs(fw - fh) <= 2 and fast.sum() > 0.93 * fw * fh, [fw, fh, fast.sum()])
    case("plane: the disc is a disc of the same width", abs(sw - fw) <= 3 and abs(sh - fh) <= 3
         and abs(still.sum() / (math.pi / 4 * sw * sh) - 1) < 0.08, [sw, sh, still.sum()])
    (fy, fx), (sy, sx) = (numpy.argwhere(m).mean(axis=0) for m in (fast, still))
    # from -0.5 m to 0.5 m, 0.5 m above; rows of the picture count upwards
    case("plane: the last frame", abs((fx - sx) / fw - 0.5 / 0.3) < 0.15 and abs((fy - sy) / fw - 0.5 / 0.3) < 0.15,
         [fx - sx, fy - sy, fw])


def space(out):
    with open(out + "/space.scene.yaml", "w", encoding="utf-8") as text:
        text.write(SPACE)
    rgb = drawn("space", out + "/space.scene.yaml", out)
    if rgb is None:
        return
    fast, still = yellow(rgb), purple(rgb)
    sw, sh = extent(still)
    case("space: the sphere is round", sw > 20 and abs(sw - sh) <= 0.08 * sw
         and abs(still.sum() / (math.pi / 4 * sw * sh) - 1) < 0.1, [sw, sh, still.sum()])
    # three faces of the cube are seen: more than one, at most its hexagon across the corners
    part = fast.sum() / (sw * sh)
    case("space: the cube is a cube", 1.1 < part < 2.2, part)
    (fy, fx), (sy, sx) = (numpy.argwhere(m).mean(axis=0) for m in (fast, still))
    case("space: the last frame", fx - sx > sw / 2 and fy - sy > sw / 2, [fx - sx, fy - sy])


def drum(out):
    rgb = drawn("drum", "scenes/mixed_drum.scene.yaml", out, "--steps", "14000", "--set", "run.until=1000 s",
                "--set", "output={vtk: {every: 4 ms}}")
    if rgb is None:
        return
    green = (rgb[..., 1] > rgb[..., 0] + 30) & (rgb[..., 1] > 70)
    speeds = [int(m.sum()) for m in (purple(rgb), green, yellow(rgb))]
    case("drum: colours of several speeds", min(speeds) > 15, speeds)
    shown = extent(purple(rgb) | green | yellow(rgb))
    case("drum: the camera is near", max(shown) > SIZE[0] / 5, shown)
    grey = (abs(rgb[..., 0] - rgb[..., 2]) < 12) & (rgb.sum(axis=2) < 720) & (rgb.sum(axis=2) > 300)
    case("drum: translucent walls", grey.mean() > 0.1, grey.mean())
    pieces = drawn("drum", "scenes/mixed_drum.scene.yaml", out + "/pieces", "--steps", "14000", "--set", "run.until=1000 s",
                   "--set", "output={vtk: {every: 4 ms, bodies_per_file: 9}}")
    case("drum: the same picture of frames in pieces", pieces is not None and os.path.isfile(out + "/pieces/mixed_drum_particles_000001.pvtp")
         and (pieces == rgb).all())


def wrong_calls(out):
    if not tap.SHORT:
        at_all = {k: v for k, v in os.environ.items() if k != "DISPLAY"}
        seen = run(["timeout", "600", "pvpython", VIEW, out + "/plane.pvd", "--png", out + "/x.png"], env=at_all)
        case("no display: it says how", seen.returncode == 1 and "xvfb-run" in seen.stderr, seen.stderr)
    seen = run(["timeout", "600", "pvpython", VIEW, out + "/none.pvd"])
    case("no such run: it says so", seen.returncode == 2 and "none.pvd: there is no such file" in seen.stderr, seen.stderr)


def main():
    with tempfile.TemporaryDirectory() as out:
        plane(out)
        if not tap.SHORT:
            space(out)
            drum(out)
        wrong_calls(out)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
