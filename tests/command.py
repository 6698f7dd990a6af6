"""command: the command of scree for tests in Python, a folder that is removed at their end, and four falling beads."""
import atexit
import csv
import os
import shutil
import subprocess
import tempfile

SCREE = os.path.abspath(os.environ.get("SCREE", "build/test/scree"))
BOX = tempfile.mkdtemp(prefix="scree-")
atexit.register(shutil.rmtree, BOX)
# mpirun refuses root, and more ranks than processors; test machines have both
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
BEADS = """scene: 1
title: %s
world: {gravity: [0, 0, -10 m/s^2]}
materials: {m: {density: 2500 kg/m^3, young: 10 MPa, poisson: 0.25}}
contacts: {default: {restitution: 0.5, friction: 0.3}}
shapes: {ball: {sphere: {diameter: 1}}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: m}}
fill: [{lattice: {spacing: [20 mm, 20 mm, 10 mm]}, region: {box: {min: [0, 0, 10 mm], max: [40 mm, 40 mm, 20 mm]}}, material: m, shape: ball, size: 10 mm}]
"""


def call(*words, ranks=0, **more):
    launch = ["mpirun", "-n", str(ranks)] if ranks else []
    return subprocess.run([*launch, SCREE, *words], capture_output=True, text=True, **more)


def write_beads(name, title, rest):
    """Writes the scene of the beads; title: as in YAML; rest: its run and output. Returns its path."""
    path = "%s/%s.scene.yaml" % (BOX, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write(BEADS % title + rest)
    return path


def table(path):
    """rows of a table of a run, as numbers by column name"""
    with open(path, encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [{name: float(value) for name, value in row.items()} for row in rows]
