"""Whole steps of 100,000 small spheres with and without 100 that are a hundred times as wide: `./dev bench giants`. A small body
is to cost at most 1.5 times what it costs alone.

The large ones stand on a lattice 1.1 of their diameters wide; the small ones, a gas, are drawn between them, and are the same
with and without. Runs with and without are made in turns; the least times count.
"""
import random

SMALL, LARGE, WIDER = 100000, (5, 5, 4), 100
PITCH = 1.1 * WIDER
NEAR = (-1, 0, 1)
PHASES = ("grid", "levels/regular", "levels/adaptive", "levels/reluctant", "levels/regular/k2")

SCENE = """scene: 1
title: small spheres between giants
world: {{gravity: [0, 0, 0]}}
materials: {{stone: {{density: 1 kg/m^3, young: 100 kPa, poisson: 0.3}}}}
contacts: {{default: {{law: hertz, restitution: 0.8, friction: 0.5}}}}
shapes: {{ball: {{sphere: {{diameter: 1}}}}}}
fill:
  - {{material: stone, shape: ball, size: 1 m, from: bodies.csv}}
run: {{until: 100 s, step: 1 ms, broad_phase: {broad}, guard: {{overlap: 90 %}}}}
"""


def rows(with_giants):
    """x y z size vx vy vz"""
    draw = random.Random(109)
    out, taken = [], set()  # cells of 1 m, of which no two that touch are taken
    while len(out) < SMALL:
        at = [draw.uniform(0, n * PITCH) for n in LARGE]
        velocity = [draw.uniform(-1, 1) for _ in LARGE]
        cell = tuple(int(x // 1) for x in at)
        if any((cell[0] + i, cell[1] + j, cell[2] + k) in taken for i in NEAR for j in NEAR for k in NEAR):
            continue
        if sum((x - (x // PITCH + 0.5) * PITCH) ** 2 for x in at) > (0.5 * WIDER + 1) ** 2:
            taken.add(cell)
            out.append([*at, 1.0, *velocity])
    for n in range(LARGE[0] * LARGE[1] * LARGE[2] if with_giants else 0):
        cell = (n % LARGE[0], n // LARGE[0] % LARGE[1], n // LARGE[0] // LARGE[1])
        out.append([*((c + 0.5) * PITCH for c in cell), float(WIDER), 0.0, 0.0, 0.0])
    return out


def snapshot(ours, broad, with_giants):
    scene = SCENE.format(broad=broad)
    folder = ours.kept(scene, f"giants {with_giants} {SMALL} {WIDER} 109")
    with open(f"{folder}/bodies.csv", "w", encoding="ascii") as out:
        out.write("x,y,z,size,vx,vy,vz\n")
        out.writelines(",".join(map(repr, row)) + "\n" for row in rows(with_giants))
    return ours.run(folder, "giants", scene, "--steps", "1")


def measure_all(ours, say):
    say("ns a small body: steps with their searches, with the giants and alone; and one search")
    say(f"{'phase':20} {'alone':>8} {'with':>8} {'factor':>7} {'search':>8} {'with':>8} {'factor':>7}")
    for broad in PHASES:
        start = [snapshot(ours, broad, giants) for giants in (False, True)]
        tries = ([], [])
        for _ in range(ours.turns):
            for got, path in zip(tries, start):
                got += ours.bench(path, 300, 1)
        step = [1e9 * min(r["seconds_per_step"] for r in got) / SMALL for got in tries]
        search = [1e9 * min(r["search_seconds"] for r in got) / SMALL for got in tries]
        say(f"{broad:20} {step[0]:8.1f} {step[1]:8.1f} {step[1] / step[0]:7.2f} {search[0]:8.0f} {search[1]:8.0f} "
            f"{search[1] / search[0]:7.2f}")
        found = [got[0]["searches"] for got in tries]
        say(f"{'':20} searches in 300 steps {found[0]} and {found[1]}, contacts {tries[0][0]['contacts']} and "
            f"{tries[1][0]['contacts']}")
