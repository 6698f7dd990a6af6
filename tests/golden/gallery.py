#!/usr/bin/python3
"""Every scene of the gallery (docs/gallery.md) still gives the same results: the hash of its state after some steps,
and its picture. tests/golden/gallery.txt has one line per scene: NAME STEPS HASH BODIES CONTACTS. `SCREE_UPDATE=1`
rewrites the lines and the small pictures; a change of a hash needs a line in CHANGELOG.md that says why."""
import os
import re
import subprocess
import sys
import tempfile

import vtk
from vtk.util.numpy_support import vtk_to_numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import case

SCREE = os.environ.get("SCREE", "build/test/scree")
TABLE = "tests/golden/gallery.txt"
SIZE = (160, 120)
# Mean difference of a channel, of 255. Rays meet the same geometry on every machine, but Embree's vector widths round
# differently, so that a pixel on an edge may flip: some hundred of 19,200. A missing or displaced body, another colour
# scale or another light changes thousands.
TOLERANCE = 1.5
update = os.environ.get("SCREE_UPDATE") == "1"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("%s: code %d: %s" % (" ".join(command), done.returncode, done.stderr))
    return done.stdout


def pixels(path):
    reader = vtk.vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    image = reader.GetOutput()
    return image.GetDimensions()[:2], vtk_to_numpy(image.GetPointData().GetScalars()).astype(float)


def drawn(path, golden):
    size, new = pixels(path)
    if new.std() < 5:
        return "the picture is blank"
    if not os.path.exists(golden):
        return "%s is missing" % golden
    old_size, old = pixels(golden)
    if size != old_size or new.shape != old.shape:
        return "the picture is %s, it was %s" % (size, old_size)
    off = abs(new - old).mean()
    return None if off <= TOLERANCE else "the picture differs by %.2f of 255 in the mean" % off


def state_of(scene, steps, out):
    """hash, bodies and contacts after these steps; the snapshot stays in `out`"""
    name = os.path.basename(scene)[: -len(".scene.yaml")]
    said = run(SCREE, "run", scene, "--quiet", "--steps", str(steps), "-o", out, "--set", "output={}", "--threads", "2")
    snap = "%s/%s.snap" % (out, name)
    counts = re.search(r"^bodies (\d+)\s+contacts (\d+)", run(SCREE, "bench", snap, "--steps", "1"), re.M)
    return re.search(r"^hash ([0-9a-f]{16})$", said, re.M).group(1), counts.group(1), counts.group(2), snap


def main():
    with open(TABLE, encoding="utf-8") as text:
        rows = [line.split() for line in text if line.strip() and not line.startswith("#")]
    with open("docs/gallery.md", encoding="utf-8") as text:
        shown = set(re.findall(r"\.\./(examples/[a-z0-9_]+\.scene\.yaml)", text.read()))
    tested = {"examples/%s.scene.yaml" % row[0] for row in rows}
    case("the gallery shows what is tested, and all of it", shown == tested, shown ^ tested)
    made = []
    for name, steps, *golden in rows if update else tap.part(rows, 4):
        scene, picture = "examples/%s.scene.yaml" % name, "tests/golden/%s.png" % name
        try:
            with tempfile.TemporaryDirectory() as out:
                *state, snap = state_of(scene, steps, out)
                png = picture if update else out + "/new.png"
                view = ["--set", "output.images.size=[%d,%d]" % SIZE, "--set", "output.images.samples=9"]
                run(SCREE, "render", snap, "-o", png, *view)
                made.append(" ".join([name, steps, *state]))
                case("%s: the state after %s steps" % (name, steps), update or state == golden,
                     "hash, bodies, contacts are %s, were %s" % (state, golden))
                why = drawn(png, picture)
                case("%s: its picture" % name, why is None, why)
        except (RuntimeError, AttributeError) as why:
            case("%s: runs" % name, False, why)
    if update:
        with open(TABLE, encoding="utf-8") as text:
            head = [line for line in text if line.startswith("#")]
        with open(TABLE, "w", encoding="utf-8") as text:
            text.writelines([*head, *(line + "\n" for line in made)])
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
