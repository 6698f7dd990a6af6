#!/usr/bin/python3
# needs: test
"""Bodies that rock on their faces and edges keep as much energy in long implicit steps as by forces: tilted blocks on a
floor, and cubes that fall on it with random orientations (docs/theory/implicit.md, "Rocking")."""
import csv
import math
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import tap  # noqa: E402

SCREE = os.path.abspath(os.environ.get("SCREE", f"{ROOT}/build/test/scree"))
SCENE = """scene: 1
world: {{gravity: [0, 0, -9.81 m/s^2]}}
materials: {{stone: {{density: 2500 kg/m^3, young: 13 MPa, poisson: 0.25}}}}
contacts: {{default: {{restitution: 0.5, friction: {friction}}}}}
shapes: {{block: {{box: {box}}}}}
walls: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}, material: stone}}}}
fill: [{{name: bodies, from: bodies.csv, material: stone, shape: block}}]
run: {{until: {until}, {run}}}
output: {{history: {{every: 1 ms}}}}
"""
HEAD = "x,y,z,size,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"


def blocks():
    """twice as high as wide, on an edge"""
    for k, angle in enumerate(math.radians(5 + 0.5 * n) for n in range(12)):
        high = 0.01 * math.cos(angle) + 0.005 * math.sin(angle) + 1e-5
        yield [0.1 * k, 0, high, 0.01, math.cos(angle / 2), math.sin(angle / 2), 0, 0] + 6 * [0]


def cubes():
    draw = random.Random(3)
    for k in range(60):
        q = [draw.gauss(0, 1) for _ in range(4)]
        size = math.sqrt(sum(c * c for c in q))
        yield [0.03 * (k % 10), 0.03 * (k // 10), 0.0095, 0.01, *(c / size for c in q), draw.uniform(-0.3, 0.3),
               draw.uniform(-0.3, 0.3), -0.5, 0, 0, 0]


def energies(folder, rows, times, **what):
    """of all bodies at these times, in J above the last state of the run"""
    with open(f"{folder}/bodies.csv", "w", encoding="ascii") as out:
        out.write(HEAD + "\n" + "".join(",".join(map(repr, r)) + "\n" for r in rows))
    with open(f"{folder}/rock.scene.yaml", "w", encoding="ascii") as out:
        out.write(SCENE.format(**what))
    subprocess.run([SCREE, "run", f"{folder}/rock.scene.yaml", "-t", "1", "--quiet", "--overwrite", "-o", folder], check=True,
                   capture_output=True)
    with open(f"{folder}/rock_history.csv", encoding="ascii") as table:
        row = list(csv.DictReader(line for line in table if not line.startswith("#")))
    kept = [(float(r["time"]), sum(float(r[c]) for c in ("kinetic", "potential", "elastic"))) for r in row]
    return [min(kept, key=lambda r: abs(r[0] - t))[1] - kept[-1][1] for t in times]


def compare(folder, name, rows, times, most, **what):
    rows = list(rows)
    forces = energies(folder, rows, times, run="response: forces", **what)
    for part in (0.3, 1, 2) if what["box"] != "[1, 1, 1]" else (0.5, 1):
        implicit = energies(folder, rows, times, run=f"response: implicit, step: {{fraction: {part}}}", **what)
        off = max(abs(i / f - 1) for i, f in zip(implicit, forces))
        tap.case(f"{name}, steps of {part} contact times", off < most, f"the energy differs by {100 * off:.0f} %")


with tempfile.TemporaryDirectory() as box:
    compare(box, "blocks that rock", blocks(), (0.02, 0.04, 0.06, 0.08, 0.1), 0.4, box="[0.5, 1, 2]", friction=0.6, until="0.5 s")
    compare(box, "cubes that tumble", cubes(), (0.02, 0.04, 0.06, 0.08), 0.35, box="[1, 1, 1]", friction=0.4, until="0.3 s")
sys.exit(tap.end())
