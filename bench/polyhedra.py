"""The cost of polyhedra: `./dev bench polyhedra`. Figs. 26 to 32 and Table 3 of Govender, Wilke and Kok (2015) on one core.

Cubes of edge 0.5 cm and other solids of the same volume, the power law with the constants of Table 2 and its step of 1e-6 s:

  falling   on a lattice, 2 % apart, all with one velocity: the scene of Fig. 26
  stacked   on the same lattice in x and y, each on the one below: all of them land at once, and press
  settled   poured at random and come to rest: small packings are made once, and copies stand side by side. The law remembers
            nothing, so that a copy is at rest as well; the outermost ones lean on nothing, which in the microseconds measured
            they do not notice
  layer     one layer, come to rest on the floor, no body near another one: what walls cost

A packing of a table is read as a scene, a step is taken, and `scree bench` goes on from that snapshot.
"""
import json
import math
import os
import random
import re
import statistics
import subprocess

EDGE = 0.005
DENSITY = 2500
DENSE = ("falling", "stacked", "settled")
GOLD = (1 + math.sqrt(5)) / 2


def signs(x, y, z):
    return {(a * x, b * y, c * z) for a in (1, -1) for b in (1, -1) for c in (1, -1)}


def turns(x, y, z):
    """all points with these coordinates, any signs, in cyclic order"""
    return sorted(signs(x, y, z) | signs(z, x, y) | signs(y, z, x))


# faces: name, entry of `shapes`, volume of unit size, circumradius
FOOTBALL = turns(0, 1, 3 * GOLD) + turns(1, 2 + GOLD, 2 * GOLD) + turns(GOLD, 2, 2 * GOLD + 1)
SOLIDS = {
    4: ("tetrahedron", "{regular: tetrahedron}", math.sqrt(3) / 27, 0.5),
    6: ("cube", "{regular: cube}", 1.0, math.sqrt(3) / 2),
    8: ("octahedron", "{regular: octahedron}", 1 / 6, 0.5),
    12: ("dodecahedron", "{regular: dodecahedron}", (15 + 7 * math.sqrt(5)) / 4 * (1 / math.sqrt(3) / GOLD) ** 3, 0.5),
    20: ("icosahedron", "{regular: icosahedron}", 5 * (3 + math.sqrt(5)) / 12 * (1 / math.sqrt(GOLD * math.sqrt(5))) ** 3, 0.5),
    32: ("truncated icosahedron", "{hull: %s}" % [list(p) for p in FOOTBALL], (125 + 43 * math.sqrt(5)) / 4 * 8,
         math.sqrt(1 + 9 * GOLD * GOLD)),
}


def size_of(faces):
    """that of a body with the volume of the cube"""
    return EDGE / SOLIDS[faces][2] ** (1 / 3)


def pitch_of(faces):
    """of a lattice on which no two bodies touch, however they are turned (cubes: aligned)"""
    return 1.02 * EDGE if faces == 6 else 2.04 * size_of(faces) * SOLIDS[faces][3]


def scene_text(faces, walls, fill, until, step, more="", gravity=-9.81):
    return f"""scene: 1
title: scaling, {SOLIDS[faces][0]}
world: {{gravity: [0, 0, {gravity} m/s^2]{more}}}
materials: {{stone: {{density: {DENSITY} kg/m^3}}}}
contacts:
  default:
    law: power
    friction: 0.154
    power: {{overlap: 1 cm, force: 1 kN, damping: 5 kg/s, exponent: 0.5, tangential: 0.4 kg/s}}
shapes: {{solid: {SOLIDS[faces][1]}}}
walls:
{walls}
fill:
  - material: stone
    shape: solid
    size: {size_of(faces)!r} m
{fill}
run: {{until: {until} s, step: {step} s, guard: {{overlap: 90 %}}}}
"""


def plane(z):
    return f"  floor: {{plane: {{point: [0, 0, {z!r} m], normal: [0, 0, 1]}}, material: stone}}"


def lattice_fill(count, pitch, velocity, orientation="aligned"):
    """the lowest layer's middle at the height of one pitch"""
    nx, ny, nz = count
    px, py, pz = pitch
    return (f"    lattice: {{spacing: [{px!r} m, {py!r} m, {pz!r} m], count: [{nx}, {ny}, {nz}]}}\n"
            f"    region: {{box: {{min: [{-px * nx!r} m, {-py * ny!r} m, 0 m], "
            f"max: [{px * nx!r} m, {py * ny!r} m, {(nz + 1) * pz!r} m]}}}}\n"
            f"    orientation: {orientation}\n    seed: 3\n    velocity: [0, 0, {velocity} m/s]")


def box_count(n):
    """a block of about n places, as high as it is wide"""
    k = round(n ** (1 / 3))
    return (k, k, max(1, round(n / (k * k))))


class Bench:
    def __init__(self, scree, call, kept, call_free):
        self.scree, self.call, self.kept, self.call_free = scree, call, kept, call_free

    def run(self, folder, name, text, *more):
        scene = f"{folder}/{name}.scene.yaml"
        with open(scene, "w", encoding="ascii") as out:
            out.write(text)
        self.call_free([self.scree, "run", scene, "--quiet", "-o", folder, *more])
        return f"{folder}/{name}.snap"

    # -------------------------------------------------------------- packings at rest

    def at_rest(self, faces, layer):
        """rows x y z qw qx qy qz of a small packing, and the width after which it repeats"""
        n, radius = (144, size_of(faces) * SOLIDS[faces][3]) if layer else (1000, 0)
        width = 12 * 2.04 * radius if layer else 10 * 1.16 * EDGE
        if layer:
            fill = lattice_fill((12, 12, 1), (2.04 * radius,) * 3, -0.1, "random")
            until = 0.3
        else:
            half = width / 2
            fill = (f"    region: {{box: {{min: [{-half!r} m, {-half!r} m, 0], max: [{half!r} m, {half!r} m, {9 * width!r} m]}}}}\n"
                    f"    count: {n}\n    orientation: random\n    seed: 7\n    velocity: [0, 0, -1 m/s]")
            until = 0.6
        more = (f", periodic: [x, y], domain: {{min: [{-width / 2!r} m, {-width / 2!r} m, -0.01 m], "
                f"max: [{width / 2!r} m, {width / 2!r} m, {10 * width!r} m]}}")
        text = scene_text(faces, plane(0.0), fill, until, "1e-5", more)
        folder = self.kept(text)
        table = f"{folder}/rest_bodies.csv"
        if not os.path.isfile(table):
            print(f"making {'a layer' if layer else 'a packing'} of {SOLIDS[faces][0]}s ...", flush=True)
            self.run(folder, "making", text + f"output: {{bodies: {{every: {until} s}}}}\n")
            os.replace(f"{folder}/making_bodies.csv", table)
        return last_rows(table), width

    def frame(self, faces):
        """the shape's principal frame, which tables of bodies show, in the frame of the scene"""
        text = scene_text(faces, plane(-1.0), lattice_fill((1, 1, 1), (1.0,) * 3, 0), 1e-6, "1e-6", gravity=0)
        folder = self.kept(text)
        self.run(folder, "frame", text + "output: {bodies: {every: 1 s}}\n")
        return last_rows(f"{folder}/frame_bodies.csv")[0][3:]

    def table_of_copies(self, faces, layer, n, path):
        rows, width = self.at_rest(faces, layer)
        back = self.frame(faces)
        back = (back[0], -back[1], -back[2], -back[3])
        copies = max(1, math.ceil(n / len(rows)))
        side = math.ceil(math.sqrt(copies))
        with open(path, "w", encoding="ascii") as out:
            out.write("x,y,z,qw,qx,qy,qz\n")
            for c in range(copies):
                dx, dy = width * (c % side), width * (c // side)
                for x, y, z, *q in rows:
                    q = product(q, back)
                    out.write(f"{x + dx:.13g},{y + dy:.13g},{z:.13g}," + ",".join(f"{v:.13g}" for v in q) + "\n")

    # -------------------------------------------------------------- one row

    def scene(self, phase, faces, n, walls):
        """text of the scene, what its folder must hold, and the steps to take before the measurement"""
        if phase in ("falling", "stacked"):
            count, p = box_count(n), pitch_of(faces)
            tall = p if phase == "falling" else 1.0001 * EDGE
            floor = -0.01 if phase == "falling" else tall - EDGE / 2 - 1e-7
            return scene_text(faces, walls or plane(floor), lattice_fill(count, (p, p, tall), -0.2), 1, "1e-6"), (
                1 if phase == "falling" else 60 + 4 * count[2])
        text = scene_text(faces, walls or plane(0.0), "    from: bodies.csv", 1, "1e-6")
        return text, 1

    def measure(self, phase, faces=6, n=1000, walls=None, label=None, narrow=None, turns=1):
        text, before = self.scene(phase, faces, n, walls)
        if narrow:
            text = text.replace("run: {", f"run: {{narrow_phase: {narrow}, ")
        folder = self.kept(text, f"{n}")
        if phase in ("settled", "layer"):
            self.table_of_copies(faces, phase == "layer", n, f"{folder}/bodies.csv")
        snapshot = self.run(folder, phase, text, "--steps", str(before))
        steps = int(min(1000, max(100, 3e6 / n)))
        tries = [figures(self.call([self.scree, "bench", snapshot, "--steps", str(steps), "--threads", "1"])) for _ in range(turns)]
        row = sorted(tries, key=lambda r: r["seconds_per_step"])[len(tries) // 2]
        for file in os.listdir(folder):
            if file.endswith((".snap", ".snap.old", "bodies.csv")):
                os.remove(f"{folder}/{file}")
        return {"phase": phase, "faces": faces, "label": label, "cundall": round(row["bodies"] / row["seconds_per_step"]), **row}


def last_rows(table):
    """places and orientations of the last moment of a table of bodies, by rising id"""
    with open(table, encoding="ascii") as text:
        lines = [line.strip().split(",") for line in text if line.strip() and not line.startswith("#")]
    at = {name: k for k, name in enumerate(lines[0])}
    moment = lines[-1][at["time"]]
    rows = [r for r in lines[1:] if r[at["time"]] == moment]
    return [[float(r[at[k]]) for k in ("x", "y", "z", "qw", "qx", "qy", "qz")] for r in rows]


def product(a, b):
    return (a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])


def figures(text):
    """what `scree bench` prints"""
    bodies, contacts, steps, seconds = re.search(
        r"^bodies (\d+)  contacts (\d+) .*steps (\d+)  seconds (\S+)", text, re.M).groups()
    stages = re.search(r"^stage_seconds_per_step(.*)$", text, re.M).group(1).split()
    search, searches = re.search(r"^search_seconds (\S+)  searches (\d+)", text, re.M).groups()
    return {"bodies": int(bodies), "contacts": int(contacts), "steps": int(steps), "seconds_per_step": float(seconds) / int(steps),
            "stages": {k: float(v) for k, v in zip(stages[::2], stages[1::2])}, "search_seconds": float(search),
            "searches": int(searches), "bytes_per_body": float(re.search(r"^bytes_per_body (\S+)", text, re.M).group(1))}
