#!/usr/bin/env pvpython
"""Sets up ParaView for a run of scree: shapes coloured by speed at the last frame, translucent walls, force network.

    SCREE_PVD=out/drum/drum.pvd paraview --script=scree_view.py           in ParaView itself
    pvpython scree_view.py out/drum/drum.pvd                              in a window that turns
    xvfb-run -a pvpython scree_view.py out/drum/drum.pvd --png drum.png   into a picture (xvfb-run: without a display)

Particles are glyph points: each has a shape (a block of NAME_shapes.vtm), a scale and a quaternion (w, x, y, z). Contacts are
in the pipeline browser, hidden. Tried with ParaView 5.11 of Debian 12 (packages paraview, python3-paraview).
"""
import argparse
import math
import os
import sys

from paraview import simple as pv


def part(run, name):
    """One part of the collection, as one mesh: particles, walls or contacts."""
    block = pv.ExtractBlock(registrationName=name + " of all", Input=run)
    block.Selectors = ["/Root/" + name]
    mesh = pv.MergeBlocks(registrationName=name, Input=block)
    mesh.OutputDataSetType = "Polygonal Mesh"
    mesh.MergePoints = 0
    return mesh


def show_particles(particles, shapes, view):
    look = pv.Show(particles, view)
    look.SetRepresentationType("3D Glyphs")
    look.GlyphType = "Pipeline Connection"
    look.GlyphType.Input = shapes
    look.UseGlyphTable = 1
    look.UseCompositeGlyphTable = 1
    look.GlyphTableIndexArray = "shape"
    look.Scaling = 1
    look.ScaleMode = "Magnitude"
    look.SelectScaleArray = "scale"
    look.ScaleFactor = 1
    look.Orient = 1
    look.OrientationMode = "Quaternion"
    look.SelectOrientationVectors = "quaternion"
    return look


def colour_by_speed(look, view):
    """From zero to the fastest of the frame that is shown."""
    pv.ColorBy(look, ("POINTS", "velocity", "Magnitude"))
    colours = pv.GetColorTransferFunction("velocity")
    colours.ApplyPreset("Viridis (matplotlib)", True)
    look.RescaleTransferFunctionToDataRange(False, True)
    fastest = colours.RGBPoints[-4]
    colours.RescaleTransferFunction(0, fastest if fastest > 0 else 1)
    bar = pv.GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle = "speed, m/s", ""
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    look.SetScalarBarVisibility(view, True)


def show_walls(walls, view, flat):
    look = pv.Show(walls, view)
    look.SetRepresentationType("Surface")
    look.SetScalarColoring(None, 0)
    look.AmbientColor = look.DiffuseColor = [0.5, 0.55, 0.6]
    look.Opacity = 1 if flat else 0.2


def add_contacts(contacts, radius):
    """Tubes as thick as the normal force; the eye in the pipeline browser shows them."""
    centres = pv.CellDatatoPointData(registrationName="forces at points", Input=contacts)
    network = pv.Tube(registrationName="force network", Input=centres)
    network.Scalars = ["POINTS", "normal_force"]
    network.VaryRadius = "By Scalar"
    network.Radius = 0.05 * radius


def looked_at(bodies, all_of_it):
    """The bodies' box and some room about it, as far as there is anything: walls without end reach far."""
    room = 0.3 * max(bodies[1] - bodies[0], bodies[3] - bodies[2], bodies[5] - bodies[4])
    low = [max(bodies[2 * k] - room, all_of_it[2 * k]) for k in range(3)]
    high = [min(bodies[2 * k + 1] + room, all_of_it[2 * k + 1]) for k in range(3)]
    return low, high


def aim(view, low, high, flat):
    """The plane is seen straight on, space from the front, the side and above."""
    centre = [(a + b) / 2 for a, b in zip(low, high)]
    radius = max(math.dist(low, high) / 2, 1e-9)
    away = [0, 0, 1] if flat else [0.45, -0.8, 0.4]
    far = radius / math.sin(math.radians(view.CameraViewAngle) / 2) / math.hypot(*away)
    view.CameraFocalPoint = centre
    view.CameraPosition = [c + far * d for c, d in zip(centre, away)]
    view.CameraViewUp = [0, 1, 0] if flat else [0, 0, 1]
    view.CameraParallelScale = radius
    if flat:
        view.InteractionMode = "2D"


def main(path, size):
    folder, name = os.path.split(os.path.abspath(path))
    stem = os.path.splitext(name)[0]
    run = pv.PVDReader(registrationName=name, FileName=path)
    shapes = pv.XMLMultiBlockDataReader(registrationName="shapes", FileName=[os.path.join(folder, stem + "_shapes.vtm")])
    view = pv.GetActiveViewOrCreate("RenderView")
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.OrientationAxesLabelColor = [0, 0, 0]
    if size:
        view.ViewSize = size
    scene = pv.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.GoToLast()
    last = run.TimestepValues[-1]
    particles = part(run, "particles")
    particles.UpdatePipeline(last)
    arrays = particles.PointData
    if arrays.GetArray("shape") is None:
        sys.exit("scree_view.py: %s: its last frame holds no particles" % path)
    radius = arrays["radius"].GetRange()[1] if "radius" in arrays.keys() else arrays["scale"].GetRange()[1]
    shape_box = box(shapes, last)
    flat = shape_box[4] == shape_box[5]
    look = show_particles(particles, shapes, view)
    if "velocity" in arrays.keys():
        colour_by_speed(look, view)
    walls = part(run, "walls")
    show_walls(walls, view, flat)
    if "contacts" in blocks(run):
        add_contacts(part(run, "contacts"), radius)
    pv.Render(view)  # the first one resets the camera
    bodies = box(particles, last, radius)
    aim(view, *looked_at(bodies, joined(bodies, box(walls, last))), flat)
    pv.Render(view)
    return view


def box(source, time, more=0):
    source.UpdatePipeline(time)
    bounds = source.GetDataInformation().GetBounds()
    return [b + (more if k % 2 else -more) for k, b in enumerate(bounds)]


def joined(a, b):
    """Of two boxes; one that is empty (low above high) adds nothing."""
    if b[0] > b[1]:
        return a
    return [(max if k % 2 else min)(a[k], b[k]) for k in range(6)]


def blocks(run):
    """Names of the parts of the collection."""
    hierarchy = run.GetDataInformation().GetHierarchy()
    return [hierarchy.GetNodeName(k) for k in hierarchy.GetChildNodes(hierarchy.GetRootNode())]


def in_window(args):
    """pvpython: a picture, or a window until it is closed."""
    # VTK of Debian ends by a fault where X cannot be reached
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        sys.exit("scree_view.py: no display (DISPLAY is not set); call it by xvfb-run -a pvpython ...")
    view = main(args.run, args.size)
    if args.png:
        pv.SaveScreenshot(args.png, view, ImageResolution=args.size)
        print(args.png)
    else:
        pv.Interact(view)


def arguments():
    parse = argparse.ArgumentParser(prog="scree_view.py", description="a run of scree as ParaView shows it")
    parse.add_argument("run", metavar="RUN.pvd")
    parse.add_argument("--png", metavar="FILE", help="save a picture and end")
    parse.add_argument("--size", type=int, nargs=2, default=[1280, 960], metavar=("WIDTH", "HEIGHT"))
    args = parse.parse_args()
    if not os.path.isfile(args.run):
        parse.error("%s: there is no such file" % args.run)
    return args


if "SCREE_PVD" in os.environ and len(sys.argv) < 2:
    main(os.environ["SCREE_PVD"], None)
elif __name__ == "__main__":
    in_window(arguments())
