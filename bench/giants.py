"""Whole steps of 100,000 small spheres with and without 100 spheres a hundred times as wide: `./dev bench giants`. A
small body should cost at most 1.5 times as much as without large ones.

  gas      small spheres fly between large ones on a lattice 1.1 of their diameters wide: hardly a contact
  wedges   large spheres side by side on a floor; small ones fill the narrow space around the foot of each, at rest under gravity
  heap     in the plane: large discs in a heap whose holes are full of small ones, at rest under gravity

The small ones are the same with and without the large ones, except in the heap, where they are compared with a bed of
as many in the same box. Runs with and without them alternate; the least times count. Steps are measured by the CPU time
of the process, since other programs on the machine lengthen all other times.
"""
import csv
import glob
import inspect
import math
import os
import random
import shutil

SMALL, LARGE, WIDER = 100000, (5, 5, 4), 100
PITCH = 1.1 * WIDER
NEAR = (-1, 0, 1)
PHASES = ("grid", "levels/regular", "levels/adaptive", "levels/reluctant", "levels/regular/k2")
STEPS = 300

SCENE = """scene: 1
title: small {shape}s between giants
world: {{{world}}}
materials: {{stone: {{density: 1 kg/m^3, young: 100 kPa, poisson: 0.3}}}}
contacts: {{default: {{law: {law}, restitution: {restitution}, friction: 0.5}}}}
shapes: {{ball: {{{shape}: {{diameter: 1}}}}}}
{walls}fill:
  - {{material: stone, shape: ball, size: 1 m, from: bodies.csv}}
run: {{until: 100 s, step: {step}, broad_phase: {broad}, guard: {{overlap: 90 %}}}}
"""
IN_SPACE = {"step": "1 ms", "shape": "sphere", "world": "gravity: [0, 0, 0]", "law": "hertz", "restitution": 0.8, "walls": ""}
FLOOR = "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: stone}}\n"
HEAP_WIDE = 10.5 * WIDER * 1.002
ROOM = f"walls: {{room: {{box: {{min: [0, 0], max: [{HEAP_WIDE} m, 2000 m], open: [y_max]}}, material: stone}}}}\n"


def lattice(pitch):
    """the large spheres"""
    for n in range(math.prod(LARGE)):
        cell = (n % LARGE[0], n // LARGE[0] % LARGE[1], n // LARGE[0] // LARGE[1])
        yield [*((c + 0.5) * pitch for c in cell), float(WIDER), 0.0, 0.0, 0.0]


def gas(with_giants):
    """x y z size vx vy vz"""
    draw = random.Random(109)
    out, taken = [], set()  # cells of 1 m, no two of which touch
    while len(out) < SMALL:
        at = [draw.uniform(0, n * PITCH) for n in LARGE]
        velocity = [draw.uniform(-1, 1) for _ in LARGE]
        cell = tuple(int(x // 1) for x in at)
        if any((cell[0] + i, cell[1] + j, cell[2] + k) in taken for i in NEAR for j in NEAR for k in NEAR):
            continue
        if sum((x - (x // PITCH + 0.5) * PITCH) ** 2 for x in at) > (0.5 * WIDER + 1) ** 2:
            taken.add(cell)
            out.append([*at, 1.0, *velocity])
    return out + (list(lattice(PITCH)) if with_giants else [])


def wedges(with_giants):
    """Large spheres side by side on a floor, and around the foot of each a ring of a thousand small ones, in layers
    that lie in the dents of the layer below. The large ones sink into the floor by 0.2 m and press on them."""
    pitch, deep, rows = 1.01 * WIDER, 0.17, math.isqrt(math.prod(LARGE))
    ring = []
    for layer in range(4):
        z, shift = 0.4999 + 0.685 * layer, 0.515 * (layer % 2)  # touching
        for site in ((1.03 * x + shift, 1.03 * y + shift, z) for x in range(-25, 26) for y in range(-25, 26)):
            if math.dist(site, (0, 0, 0.5 * WIDER - deep)) > 0.5 * (WIDER + 1) + 0.005:
                ring.append(site)
    ring.sort(key=lambda at: math.hypot(at[0], at[1]) + at[2])  # layers end in a slope
    foot = [((n % rows + 0.5) * pitch, (n // rows + 0.5) * pitch) for n in range(rows ** 2)]
    still = [0.0, 0.0, 0.0]
    out = [[x + at[0], y + at[1], at[2], 1.0, *still] for x, y in foot for at in ring[:SMALL // rows ** 2]]
    return out + ([[x, y, 0.5 * WIDER - deep, float(WIDER), *still] for x, y in foot] if with_giants else [])


def heap(with_giants):
    """x y size vx vy. Rows of large discs, each in the dents of the row below, and small ones in the gaps, from
    below."""
    wide, row = HEAP_WIDE, WIDER * 1.002 * math.sqrt(0.75)
    large = [(WIDER * 1.002 * (n % 10 + 0.5 + 0.5 * (n // 10 % 2)), 0.5 * WIDER + 0.2 + row * (n // 10)) for n in range(100)]
    out, rows = [], 0
    while len(out) < SMALL:
        y, shift = 0.4999 + 0.863 * rows, 0.51 + 0.505 * (rows % 2)  # touching
        near = [g for g in large if abs(g[1] - y) < 0.5 * WIDER + 1] if with_giants else []
        for x in (shift + 1.01 * n for n in range(int((wide - shift - 0.51) / 1.01) + 1)):
            if all((x - g[0]) ** 2 + (y - g[1]) ** 2 > (0.5 * WIDER + 0.505) ** 2 for g in near):
                out.append([x, y, 1.0, 0.0, 0.0])
        rows += 1
    return out[:SMALL] + ([[*g, float(WIDER), 0.0, 0.0] for g in large] if with_giants else [])


# contents of the scene, its source, and steps until it is at rest
KINDS = {
    "gas": (gas, IN_SPACE, "x,y,z,size,vx,vy,vz", 1),
    "wedges": (wedges, {**IN_SPACE, "world": "gravity: [0, 0, -0.1 m/s^2]", "step": "0.9 ms", "walls": FLOOR},
               "x,y,z,size,vx,vy,vz", 2000),
    "heap": (heap, {"step": "0.9 ms", "shape": "disc", "world": "dimension: 2, gravity: [0, -1 m/s^2]", "law": "hertz", "restitution": 0.8,
                    "walls": ROOM}, "x,y,size,vx,vy", 2000),
}


def settled(ours, kind, with_giants):
    """rows of the bodies at rest, made once, and their head"""
    rows, words, head, steps = KINDS[kind]
    scene = SCENE.format(broad="grid", **words)
    folder = ours.kept(scene, inspect.getsource(rows), f"giants {kind} {with_giants} {SMALL} {WIDER} {steps}")
    path = f"{folder}/bodies.csv"
    if not os.path.exists(f"{folder}/settled.csv"):
        write(path, head, rows(with_giants))
        snap = ours.run(folder, "giants", scene, "--steps", str(steps))
        ours.free([ours.scree, "run", "--resume", snap, "-o", f"{folder}/places", "--quiet", "--overwrite", "--steps", "1",
                   "--set", "output.bodies.every=1 us"])
        with open(glob.glob(f"{folder}/places/*_bodies.csv")[0], encoding="ascii") as table:
            found = list(csv.DictReader(line for line in table if not line.startswith("#")))
        last = found[-1]["time"]
        write(f"{folder}/settled.csv", head, [[float(r[k]) for k in head.split(",")] for r in found if r["time"] == last])
        shutil.rmtree(f"{folder}/places")
    return f"{folder}/settled.csv"


def write(path, head, rows):
    with open(path, "w", encoding="ascii") as out:
        out.write(head + "\n")
        out.writelines(",".join(map(repr, row)) + "\n" for row in rows)


def snapshot(ours, kind, broad, with_giants):
    scene = SCENE.format(broad=broad, **KINDS[kind][1])
    folder = ours.kept(scene, f"giants {kind} {with_giants} {SMALL} {WIDER} 109")
    shutil.copy(settled(ours, kind, with_giants), f"{folder}/bodies.csv")
    return ours.run(folder, "giants", scene, "--steps", "1")


def processor_time(ours, path):
    """CPU seconds of one step of this process, and the output of the bench"""
    def run(steps):
        before = os.times()
        said = ours.bench(path, steps, 1)[0]
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system, said

    short, _ = run(2)
    long, said = run(2 + STEPS)
    return (long - short) / STEPS, said


def measure(ours, say, kind):
    say(f"{kind}: ns of the processor for a small body and step with its searches, alone and with the giants; ns of one search")
    say(f"{'phase':20} {'alone':>8} {'with':>8} {'factor':>7} {'search':>8} {'with':>8}  contacts, searches")
    for broad in PHASES:
        start = [snapshot(ours, kind, broad, giants) for giants in (False, True)]
        tries = ([], [])
        for _ in range(ours.turns):
            for got, path in zip(tries, start):
                got.append(processor_time(ours, path))
        step = [1e9 * min(seconds for seconds, _ in got) / SMALL for got in tries]
        search = [1e9 * min(said["search_seconds"] for _, said in got) / SMALL for got in tries]
        alone, mixed = (got[0][1] for got in tries)
        say(f"{broad:20} {step[0]:8.1f} {step[1]:8.1f} {step[1] / step[0]:7.2f} {search[0]:8.0f} {search[1]:8.0f}  "
            f"{alone['contacts']} and {mixed['contacts']}, {alone['searches']} and {mixed['searches']}")


def measure_all(ours, say):
    for kind in KINDS:
        measure(ours, say, kind)
