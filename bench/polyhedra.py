"""The cost of polyhedra: `./dev bench polyhedra`. Figs. 26 to 32 and Table 3 of Govender, Wilke and Kok (2015) on one core.

Cubes of edge 0.5 cm and other solids of the same volume, the power law with the constants of Table 2 and its step of 1e-6 s:

  falling   on a lattice, 2 % apart, all with one velocity: the scene of Fig. 26
  settled   poured at random and come to rest: small packings are made once, and copies are placed side by side. The law
            has no history, so that a copy is at rest as well; outermost copies lack support, which has no effect in the
            microseconds measured
  layer     one layer at rest on the floor, no body near another: cost of walls
"""
import json
import math
import os
import random
import shutil
import time

EDGE = 0.005
DENSITY = 2500
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
    """pitch of a lattice on which no two bodies touch at any orientation (cubes: aligned)"""
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
    """the middle of the lowest layer is at the height of one pitch"""
    nx, ny, nz = count
    px, py, pz = pitch
    return (f"    lattice: {{spacing: [{px!r} m, {py!r} m, {pz!r} m], count: [{nx}, {ny}, {nz}]}}\n"
            f"    region: {{box: {{min: [{-px * nx!r} m, {-py * ny!r} m, 0 m], "
            f"max: [{px * nx!r} m, {py * ny!r} m, {(nz + 1) * pz!r} m]}}}}\n"
            f"    orientation: {orientation}\n    seed: 3\n    velocity: [0, 0, {velocity} m/s]")


def box_count(n):
    """a block of about n sites, as high as it is wide"""
    k = round(n ** (1 / 3))
    return (k, k, max(1, round(n / (k * k))))


class Polyhedra:
    """ours: runs scree (ours.py)"""

    def __init__(self, ours):
        self.ours, self.run, self.kept = ours, ours.run, ours.kept

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

    def table_of_copies(self, faces, layer, n, path, shuffled):
        rows, width = self.at_rest(faces, layer)
        copies = max(1, math.ceil(n / len(rows)))
        side = math.ceil(math.sqrt(copies))
        with open(path, "w", encoding="ascii") as out:
            out.write("x,y,z,qw,qx,qy,qz\n")
            rows = [(x, y, z, ",".join(f"{v:.13g}" for v in q)) for x, y, z, *q in rows]
            order = list(range(copies * len(rows)))
            if shuffled:
                random.Random(5).shuffle(order)
            for k in order:
                c, (x, y, z, q) = k // len(rows), rows[k % len(rows)]
                out.write(f"{x + width * (c % side):.13g},{y + width * (c // side):.13g},{z:.13g},{q}\n")

    # -------------------------------------------------------------- one row

    def scene(self, phase, faces, n, walls):
        if phase in ("settled", "layer"):
            return scene_text(faces, walls or plane(0.0), "    from: bodies.csv", 1, "1e-6")
        p = pitch_of(faces)
        return scene_text(faces, plane(-0.01), lattice_fill(box_count(n), (p, p, p), -0.2), 1, "1e-6")

    def measure(self, phase, faces=6, n=1000, surfaces=0, narrow="separating-plane", order="curve"):
        """order of the rows of bodies in memory: along the curve, or as in the table, which is shuffled"""
        text = self.scene(phase, faces, n, quads(surfaces, self.width(faces, n)) if surfaces else None)
        text = text.replace("run: {", f"run: {{narrow_phase: {narrow}, ")
        folder = self.kept(text, f"{n} {order}")
        if phase in ("settled", "layer"):
            self.table_of_copies(faces, phase == "layer", n, f"{folder}/bodies.csv", order != "curve")
        snapshot = self.run(folder, phase, text, "--steps", "1")
        steps = int(min(1000, max(20, 2e6 / n)))
        tries = self.ours.bench(snapshot, steps, self.ours.turns if n < 1000000 else 1, *(["--unsorted"] if order == "table" else []))
        shutil.rmtree(folder)
        row = min(tries, key=lambda r: r["seconds_per_step"])  # other work on a shared machine only adds time
        return {"phase": phase, "faces": faces, "surfaces": surfaces or 1, "narrow": narrow, "order": order,
                "cundall": round(row["bodies"] / row["seconds_per_step"]),
                "slowest": round(min(r["bodies"] / r["seconds_per_step"] for r in tries)), **row}

    def width(self, faces, n):
        rows, width = self.at_rest(faces, True)
        return width * math.ceil(math.sqrt(max(1, math.ceil(n / len(rows))))), width / 2


def quads(surfaces, extent):
    """a floor of this number of squares, each of them a wall"""
    side, (width, half), out = math.isqrt(surfaces), extent, []
    for i in range(side):
        for j in range(side):
            x, y, d = width * i / side - half, width * j / side - half, width / side
            corners = ", ".join(f"[{a!r} m, {b!r} m, 0]" for a, b in ((x, y), (x + d, y), (x + d, y + d), (x, y + d)))
            out.append(f"  floor_{i}_{j}: {{polygon: {{points: [{corners}]}}, material: stone}}")
    return "\n".join(out)


def last_rows(table):
    """positions and orientations at the last time of a table of bodies, by rising id"""
    with open(table, encoding="ascii") as text:
        lines = [line.strip().split(",") for line in text if line.strip() and not line.startswith("#")]
    at = {name: k for k, name in enumerate(lines[0])}
    moment = lines[-1][at["time"]]
    rows = [r for r in lines[1:] if r[at["time"]] == moment]
    return [[float(r[at[k]]) for k in ("x", "y", "z", "qw", "qx", "qy", "qz")] for r in rows]


# ------------------------------------------------------------------ the figures

GROUPS = {
    "number": [{"phase": p, "n": n} for p in ("falling", "settled") for n in (1000, 10000, 100000, 1000000)],
    "faces": [{"phase": p, "faces": f, "n": n} for p in ("layer", "settled") for f in SOLIDS for n in (1000, 10000, 30000)],
    "surfaces": [{"phase": "layer", "faces": f, "n": 10000, "surfaces": k * k} for f in (6, 12, 20) for k in (1, 2, 4, 8, 16)],
    "order": [{"phase": "settled", "n": 100000, "order": o} for o in ("shuffled", "table")],
    "narrow": [{"phase": p, "n": 10000, "narrow": a} for p in ("falling", "settled")
               for a in ("separating-plane", "separating-plane/govender2015")],
}
STAGES = (("broad", "broad"), ("world", "walls"), ("bodies", "narrow"), ("law", "law"), ("sum", "sum"))


def line_of(row):
    parts = " ".join(f"{1e9 * row['stages'][key] / row['bodies']:8.1f}" for _, key in STAGES)
    motion = 1e9 * (row["stages"]["drift"] + row["stages"]["kick"]) / row["bodies"]
    note = " ".join(n for n in (row["narrow"].partition("/")[2], row["order"].replace("curve", "")) if n)
    return (f"{row['phase']:<8} {row['faces']:5} {row['surfaces']:8} {row['bodies']:9} {row['contacts'] / row['bodies']:8.2f} "
            f"{row['cundall']:10.4g} {row['slowest']:10.4g} {1e9 / row['cundall']:8.1f} {parts} {motion:8.1f} "
            f"{1e9 * row['search_seconds'] / row['bodies']:8.0f} {row['bytes_per_body']:7.0f}  {note}")


def slope(rows):
    """slope of the logarithm of a step's time against that of the number of bodies, by least squares: 1 is linear"""
    x, y = [math.log(r["bodies"]) for r in rows], [math.log(r["seconds_per_step"]) for r in rows]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def measure_all(ours, say, out):
    title = (f"{'phase':<8} {'faces':>5} {'surfaces':>8} {'bodies':>9} {'contacts':>8} {'C':>10} {'slowest':>10} {'ns':>8} "
             + " ".join(f"{n:>8}" for n, _ in STAGES) + f" {'motion':>8} {'search':>8} {'bytes':>7}")
    rows = []
    say("contacts, bytes: a body; ns and stages: nanoseconds a body and step; search: of the pairs, a body, each time it is done")
    say(title)
    bench = Polyhedra(ours)
    for group, all_rows in GROUPS.items():
        for what in all_rows:
            began = time.monotonic()
            row = {"group": group, **bench.measure(**what)}
            rows.append(row)
            say(line_of(row))
            out.write(json.dumps(row) + "\n")
            out.flush()
            print(f"  ({time.monotonic() - began:.0f} s)", flush=True)
    for phase in dict.fromkeys(r["phase"] for r in rows if r["group"] == "number"):
        say(f"slope polyhedra/{phase} {slope([r for r in rows if r['group'] == 'number' and r['phase'] == phase]):.3f}")
    first, table = [[r["hash"] for r in rows if r["group"] == "order" and r["order"] == o] for o in ("shuffled", "table")]
    if first != table:
        raise SystemExit("bench: the order of bodies in memory changed the result")
    return rows


def draw(rows, folder):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "scree"
    from matplotlib import pyplot
    os.makedirs(folder, exist_ok=True)

    def plot(name, title, x_label, y_label, curves, log=True):
        figure, axes = pyplot.subplots(figsize=(6, 4))
        for label, points in curves:
            axes.plot(*zip(*sorted(points)), "o-", label=label, markersize=4)
        if log:
            axes.set_xscale("log")
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        axes.set(title=title, xlabel=x_label, ylabel=y_label)
        axes.grid(True, which="major", alpha=0.3)
        axes.legend(fontsize=8)
        figure.tight_layout()
        figure.savefig(f"{folder}/{name}.svg", metadata={"Date": None})
        pyplot.close(figure)

    def curves(group, phase, x, y, key, name):
        chosen = [r for r in rows if r["group"] == group and r["phase"] in phase]
        return [(name(k), [(r[x], y(r)) for r in chosen if r[key] == k]) for k in dict.fromkeys(r[key] for r in chosen)]

    names = {f: f"{f} faces" for f in SOLIDS}
    all_phases = ("falling", "settled")
    plot("number", "Cubes: seconds a step (one core)", "bodies", "s",
         curves("number", all_phases, "bodies", lambda r: r["seconds_per_step"], "phase", str))
    plot("number_bodies", "Fig. 30: cubes with one another", "bodies", "s a step",
         curves("number", all_phases, "bodies", lambda r: r["stages"]["narrow"], "phase", str))
    plot("number_broad", "Fig. 32: search for pairs", "bodies", "s a search",
         curves("number", all_phases, "bodies", lambda r: r["search_seconds"], "phase", str))
    plot("number_world", "Fig. 31: bodies and the floor", "bodies on the floor", "s a step",
         curves("faces", ("layer",), "bodies", lambda r: r["stages"]["walls"], "faces", names.get))
    plot("faces_world", "Fig. 28: faces of a body, and the floor", "faces", "ns a contact with the floor",
         curves("faces", ("layer",), "faces", lambda r: 1e9 * r["stages"]["walls"] / r["contacts"], "bodies", "{} bodies".format), False)
    plot("faces_bodies", "Fig. 29: bodies with one another", "bodies", "s a step",
         curves("faces", ("settled",), "bodies", lambda r: r["stages"]["narrow"], "faces", names.get))
    plot("surfaces", "Fig. 27: surfaces of the world", "surfaces", "ns a body and step",
         curves("surfaces", ("layer",), "surfaces", lambda r: 1e9 * r["stages"]["walls"] / r["bodies"], "faces", names.get), False)
