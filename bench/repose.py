"""The slope of a heap against the number of corners of its grains: `./dev bench repose`, docs/heaps.md (row S0.29).

Grains of equal area, poured onto a rough base of finite width from which surplus grains fall off; the remaining heap
has flanks that end at the ends of the base. The slope is that of the highest grains: the Theil-Sen line (the median of
the slopes of all pairs of points) through each flank, excluding the top and the last grains.
"""
import concurrent.futures
import csv
import json
import math
import os
import statistics

CORNERS = (3, 4, 5, 6, 8, 12, 24, 0)  # 0: discs
SEEDS = 3
GRAIN = 0.02  # m: the diameter of the disc of the same area, in the middle
HALF = 20  # of the base, in grains
TOP, END = 3, 2  # grains excluded in the middle, and at each end

SCENE = """scene: 1
title: A heap of grains with CORNERS corners on a rough base

let: {seed: 1, d: 20 mm}

world:
  dimension: 2
  domain: {min: [-2 m, -0.2 m], max: [2 m, 1 m]}

materials: {stone: {density: 2000 kg/m^3, young: 4 MPa, poisson: 0.2}}
contacts: {default: {restitution: 0.2, friction: 0.5}}

shapes: {grain: SHAPE}

walls:
WALLS

sources:
  - region: {box: {min: [= -3*d, = 17*d], max: [= 3*d, = 21*d]}}
    rate: 100 1/s
    count: 420
    velocity: [0, -1 m/s]
    material: stone
    shape: grain
    size: {uniform: [LOW, HIGH]}
    orientation: random
    seed: = seed

sinks: [{below: {y: = -3*d}}]

run: {until: 7 s, guard: {lost: remove}}
output: {bodies: {every: 7 s}}
"""


def scene(corners):
    shape = f"{{polygon: {{sides: {corners}}}}}" if corners else "{disc: {diameter: 1}}"
    area = corners / 8 * math.sin(2 * math.pi / corners) if corners else math.pi / 4
    size = GRAIN * math.sqrt(math.pi / 4 / area)
    base = "\n".join(f"  base{k + HALF}: {{circle: {{radius: {GRAIN / 2} m, side: outside, center: [{(k + 0.5) * GRAIN:.5f} m, 0]}}, material: stone}}"
                     for k in range(-HALF, HALF))
    return (SCENE.replace("CORNERS", str(corners or "no")).replace("SHAPE", shape).replace("WALLS", base)
            .replace("LOW", f"{0.8 * size:.6f} m").replace("HIGH", f"{1.2 * size:.6f} m"))


def theil_sen(points):
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for k, a in enumerate(points) for b in points[k + 1:] if b[0] != a[0]]
    return statistics.median(slopes)


def slope_of(bodies):
    """degrees, of both flanks; bodies: (x, y) in grains"""
    angles = []
    for side in (-1, 1):
        top = {}
        for x, y in bodies:
            if TOP <= side * x <= HALF - END:
                key = math.floor(side * x)
                if key not in top or y > top[key][1]:
                    top[key] = (side * x, y)
        angles.append(math.degrees(math.atan(-theil_sen(list(top.values())))))
    return sum(angles) / 2


def one(ours, corners, seed):
    folder = ours.kept(scene(corners), f"repose {corners} {seed}")
    path, row = f"{folder}/heap.scene.yaml", f"{folder}/row.json"
    if os.path.isfile(row):
        return json.load(open(row, encoding="ascii"))
    with open(path, "w", encoding="ascii") as out:
        out.write(scene(corners))
    ours.free(["nice", "-n", "10", ours.scree, "run", path, "--quiet", "--overwrite", "--threads", "1", "-o", folder, "--set", f"seed={seed}"])
    with open(f"{folder}/heap_bodies.csv", encoding="ascii") as table:
        rows = list(csv.DictReader(line for line in table if not line.startswith("#")))
    last = max(float(r["time"]) for r in rows)
    rows = [{k: float(r[k]) for k in ("x", "y", "vx", "vy")} for r in rows if float(r["time"]) == last]
    heap = [r for r in rows if r["y"] > 0 and abs(r["x"]) < HALF * GRAIN]
    out = {"corners": corners, "seed": seed, "angle": slope_of([(r["x"] / GRAIN, r["y"] / GRAIN) for r in heap]), "bodies": len(heap),
           "speed": statistics.mean(math.hypot(r["vx"], r["vy"]) for r in heap)}
    with open(row, "w", encoding="ascii") as to:
        json.dump(out, to)
    return out


def measure_all(ours, say, out):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = [pool.submit(one, ours, n, seed) for n in CORNERS for seed in range(1, SEEDS + 1)]
        rows = [w.result() for w in waiting]
    say(f"degrees; error: of the mean, {SEEDS} heaps each; bodies: in the heap")
    say(f"{'corners':>8} {'angle':>7} {'error':>6} {'lowest':>7} {'highest':>8} {'bodies':>7} {'mean speed m/s':>15}")
    for n in CORNERS:
        mine = [r for r in rows if r["corners"] == n]
        angle = [r["angle"] for r in mine]
        say(f"{n or 'disc':>8} {statistics.mean(angle):7.2f} {statistics.stdev(angle) / math.sqrt(len(angle)):6.2f} {min(angle):7.2f} "
            f"{max(angle):8.2f} {statistics.mean(r['bodies'] for r in mine):7.0f} {max(r['speed'] for r in mine):15.2g}")
    for r in rows:
        out.write(json.dumps(r) + "\n")
    return rows


def draw(rows, folder):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "scree"
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6, 4))
    names = [str(n) if n else "disc" for n in CORNERS]
    for k, n in enumerate(CORNERS):
        angle = [r["angle"] for r in rows if r["corners"] == n]
        axes.plot([k] * len(angle), angle, ".", color="0.75", markersize=5)
        axes.errorbar([k], [statistics.mean(angle)], [statistics.stdev(angle) / math.sqrt(len(angle))], fmt="o", color="C0", capsize=3)
    axes.set_xticks(range(len(names)), names)
    axes.set(title="Slope of poured heaps (dots: single heaps)", xlabel="corners of a grain", ylabel="degrees")
    axes.set_ylim(bottom=0)
    axes.grid(True, axis="y", alpha=0.3)
    figure.tight_layout()
    figure.savefig(f"{folder}/repose.svg", metadata={"Date": None})
    pyplot.close(figure)
