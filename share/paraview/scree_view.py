"""Opens a scree run in ParaView: real shapes, walls, force network.

    pvpython share/paraview/scree_view.py out/drum/drum.pvd      (opens, renders the last frame to drum_view.png)
    paraview --script=share/paraview/scree_view.py               (or Tools > Python Shell > Run Script; asks for nothing:
                                                                  set SCREE_PVD in the environment to the .pvd)

Particles are glyph points: each has a shape (a row of NAME_shapes.vtm), a scale and a quaternion (w, x, y, z).
"""
import os
import sys

from paraview import simple as pv


def block(source, name):
    """One part of the collection (particles, walls, contacts)."""
    part = pv.ExtractBlock(Input=source)
    index = {"particles": 0, "walls": 1, "contacts": 2}[name]
    part.Selectors = ["/Root/Block%d" % index]
    return part


def show_particles(particles, shapes, view):
    look = pv.Show(particles, view)
    look.SetRepresentationType("3D Glyphs")
    look.GlyphType = "Pipeline Connection"
    look.GlyphTableIndexArray = ["POINTS", "shape"]
    look.UseGlyphTable = 1
    look.SetScaleArray = ["POINTS", "scale"]
    look.ScaleFactor = 1.0
    look.Scaling = 1
    look.ScaleMode = "Magnitude"
    look.Orient = 1
    look.OrientationMode = "Quaternion"
    look.SelectOrientationVectors = "quaternion"
    look.GlyphType.Input = shapes
    pv.ColorBy(look, ("POINTS", "velocity", "Magnitude"))
    look.SetScalarBarVisibility(view, True)


def main(path):
    folder, name = os.path.split(os.path.abspath(path))
    stem = os.path.splitext(name)[0]
    run = pv.PVDReader(FileName=path)
    shapes = pv.XMLMultiBlockDataReader(FileName=[os.path.join(folder, stem + "_shapes.vtm")])
    pv.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    view = pv.GetActiveViewOrCreate("RenderView")
    show_particles(block(run, "particles"), shapes, view)
    walls = pv.Show(block(run, "walls"), view)
    walls.Opacity = 0.15
    network = pv.Tube(Input=block(run, "contacts"))
    network.Scalars = ["CELLS", "normal_force"]
    network.VaryRadius = "By Scalar"
    pv.Hide(network, view)  # the eye in the pipeline browser shows it
    pv.GetAnimationScene().GoToLast()
    view.ResetCamera()
    pv.Render()
    return view


if __name__ == "__main__" or "SCREE_PVD" in os.environ:
    file = os.environ.get("SCREE_PVD") or (sys.argv[1] if len(sys.argv) > 1 else "")
    if not file:
        sys.exit("usage: pvpython scree_view.py RUN.pvd")
    window = main(file)
    if "paraview.simple" in sys.modules and os.path.basename(sys.executable).startswith(("pvpython", "pvbatch")):
        pv.SaveScreenshot(os.path.splitext(file)[0] + "_view.png", window, ImageResolution=[1280, 960])
