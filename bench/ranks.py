"""Worlds divided among ranks of one process, as in Iglberger and Rüde (2009): `./dev bench ranks`. Ranks take turns on
one core, so that the only measured time is the CPU time per rank; counts do not depend on the machine.

  table2   262,144 spheres, the 21 partitions of Table 2: neighbours, messages, bytes, copies, work; the hash is that of one rank
  weak     first line of Table 3 (128 blocks of 25 x 25 x 25), its partitions with 2, 5, 8 and 26 neighbours; weak_large: first line
           of Table 4 (128 blocks of 50 x 50 x 50, 10 GB)
  memory   bytes per rank with 1,000 spheres each, 16 and 512 ranks, grid and rcb
  grains   Fig. 1(a): 972,000 spheres that settle, 108 ranks
  well     Fig. 2: 20,000 spheres and cubes and 3,000 fixed bricks, 91 hexagonal columns; well_large: 500,000
  model    neighbours and cut areas fitted to the paper's tables

Lines of all runs are kept under .cache/bench/ranks. A name after `ranks`, in RANKS=NAME[,NAME], runs only that part,
and STEPS=N takes N steps.
"""
import json
import math
import os
import shutil

import numpy

PROGRAM = "build/bench/bench/bench_ranks"
FOLDER = ".cache/bench/ranks"
TABLE_2 = {(16, 1): 838.2, (8, 2): 604.2, (4, 4): 543.7, (32, 1): 320.2, (16, 2): 221.8, (8, 4): 193.8, (64, 1): 154.8,
           (32, 2): 102.3, (16, 4): 77.1, (8, 8): 72.0, (128, 1): 82.15, (64, 2): 48.09, (32, 4): 32.71, (16, 8): 25.94,
           (128, 2): 24.01, (64, 4): 14.89, (32, 8): 10.89, (16, 16): 9.82, (128, 4): 8.41, (64, 8): 6.18, (32, 16): 5.25}
# s per 1,000 steps, of N x 1 x 1, N x 2 x 1, N x M x 1 (the mean over M), N x M x K
TABLE_3 = {128: (266.1, 361.0, 391.1, 545.3), 256: (269.5, 366.4, 393.4, 547.5), 448: (265.3, 362.7, 395.2, 565.8)}
TABLE_4 = {128: (1059.73, 1101.53, 1144.18, 1400.87), 256: (1056.23, 1090.08, 1146.52, 1406.18),
           448: (1049.47, 1094.19, 1142.08, 1405.81), 960: (1051.76, 1094.79, 1151.77, 1408.58),
           1920: (1065.06, 1111.4, 1152.11, 1414.46), 3840: (1055.39, 1098.88, 1157.28, 1418.86)}
WEAK = ((128, 1, 1), (64, 2, 1), (16, 8, 1), (8, 4, 4))
NEIGHBOURS, FACES = (2, 5, 8, 26), (2, 3, 4, 6)


def run(runs, name, **keys):
    """output of one run; kept"""
    os.makedirs(FOLDER, exist_ok=True)
    line = runs.free([PROGRAM, *(f"{k}={v}" for k, v in keys.items())]).splitlines()[-1]
    with open(f"{FOLDER}/{name}.jsonl", "a", encoding="ascii") as out:
        out.write(line + "\n")
    return json.loads(line)


def steps_or(number):
    return int(os.environ.get("STEPS", number))


def shape(parts):
    return "x".join(map(str, parts))


HEAD = (f"{'parts':>9} {'ranks':>5} {'neighbours':>10} {'copies':>8} {'messages':>8} {'kB sent':>8} {'of sums':>7} {'us':>8} {'mean':>8} "
        f"{'work':>6} {'kB/rank':>8}  hash")


def row(r):
    """largest of all ranks, per rank and step; us: CPU time, with the mean"""
    return (f"{shape(r['parts']):>9} {r['ranks']:5} {r['neighbours'][0]:10.0f} {r['copies'][0]:8.0f} {r['messages_per_step'][0]:8.1f} "
            f"{r['bytes_per_step'][0] / 1e3:8.1f} {r['messages_of_sums_per_step'][0]:7.1f} {r['cpu_us_per_step'][0]:8.0f} "
            f"{r['cpu_us_per_step'][1]:8.0f} {r['work']:6.3f} {r['bytes_per_rank'] / 1e3:8.0f}  {r['hash']}")


def fit(what, columns, values, say):
    """least squares of relative errors; columns: {name: values}"""
    a = numpy.array(list(columns.values()), float).T
    y = numpy.array(values, float)
    best, *_ = numpy.linalg.lstsq(a / y[:, None], numpy.ones(len(y)), rcond=None)
    off = a @ best / y - 1
    say(f"{what}: " + " + ".join(f"{c:.4g} {n}" for n, c in zip(columns, best)) +
        f"; errors {100 * math.sqrt(float(numpy.mean(off ** 2))):.1f} % rms, {100 * float(max(abs(off))):.1f} % at most")
    return best


def table2(runs, say):
    rows = [run(runs, "table2", gas="128x128x16", ranks=1, parts="1x1x1", steps=steps_or(1000))]
    say(HEAD)
    say(row(rows[0]))
    for x, y in TABLE_2:
        rows.append(run(runs, "table2", gas="128x128x16", ranks=x * y, parts=f"{x}x{y}x1", steps=steps_or(1000)))
        say(row(rows[-1]))
    if len({r["hash"] for r in rows}) > 1:
        raise SystemExit("bench: partitions have different hashes")
    fit_costs(rows, say)


def fit_costs(rows, say):
    """CPU microseconds per rank and step, mean over ranks"""
    fit("us per rank and step", {"sphere": [r["owned"][1] for r in rows], "copy": [r["copies"][1] for r in rows],
                                 "message": [r["messages_per_step"][1] + r["messages_of_sums_per_step"][1] for r in rows]},
        [r["cpu_us_per_step"][1] for r in rows], say)


def blocks(runs, say, name, side, steps):
    say(HEAD)
    for parts in WEAK:
        say(row(run(runs, name, gas=shape(side * n for n in parts), ranks=math.prod(parts), parts=shape(parts), steps=steps_or(steps))))


def weak(runs, say):
    blocks(runs, say, "weak", 25, 50)


def weak_large(runs, say):
    blocks(runs, say, "weak_large", 50, 5)


def memory(runs, say):
    say(HEAD)
    for name in ("grid", "rcb"):
        for parts in ((4, 2, 2), (8, 8, 8)):
            say(row(run(runs, "memory", gas=shape(10 * n for n in parts), ranks=math.prod(parts), parts=shape(parts),
                        partition=name, steps=steps_or(20))) + f"  {name}")


def write_scene(name, world, fills):
    """a scene that adds tables of bodies to a world: {name: (keys, head, rows)}"""
    os.makedirs(FOLDER, exist_ok=True)
    shutil.copy(world, FOLDER)  # included files must be below the scene's folder
    text = f"scene: 1\ntitle: {name}\ninclude: [{os.path.basename(world)}]\nfill:\n"
    for table, (keys, head, rows) in fills.items():
        with open(f"{FOLDER}/{name}_{table}.csv", "w", encoding="ascii") as out:
            out.write(head + "\n")
            out.writelines(",".join(f"{v:.9g}" if isinstance(v, float) else str(v) for v in r) + "\n" for r in rows)
        text += f"  - {{name: {table}, from: {name}_{table}.csv, {keys}}}\n"
    path = f"{FOLDER}/{name}.scene.yaml"
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return path


def grains(runs, say):
    draw = numpy.random.default_rng(1)
    side, pitch = (120, 90, 90), 1.05
    speed = draw.uniform(-0.2, 0.2, (math.prod(side), 3))
    rows = ((*(pitch * (float(c) + 0.5) for c in (n % side[0], n // side[0] % side[1], n // side[0] // side[1])), *map(float, speed[n]))
            for n in range(math.prod(side)))
    scene = write_scene("grains", "bench/ranks_grains.scene.yaml",
                        {"spheres": ("material: grain, shape: ball, size: 1 m", "x,y,z,vx,vy,vz", rows)})
    say(HEAD)
    say(row(run(runs, "grains", world="bench/ranks_grains.scene.yaml", bodies=scene, ranks=108, parts="12x9x1", steps=steps_or(100))))


def bricks():
    """75 levels of 40, a well of radius 30 m"""
    for level in range(75):
        for k in range(40):
            turn = 2 * math.pi * (k + 0.5 * (level % 2)) / 40
            yield (31 * math.cos(turn), 31 * math.sin(turn), level + 0.5, math.cos(turn / 2), 0, 0, math.sin(turn / 2))


def falling(side, layers, low, pitch=2.7):
    """spheres of radius 0.6 to 1.2 m and cubes with a side of 1.2 to 1.9 m on a lattice, up to 2 m/s along each axis"""
    draw = numpy.random.default_rng(2)
    for n in range(side * side * layers):
        at = [pitch * (n % side - side / 2 + 0.5), pitch * (n // side % side - side / 2 + 0.5), low + pitch * (n // side ** 2 + 0.5)]
        ball = bool(draw.integers(2))
        size = float(draw.uniform(1.2, 2.4) if ball else draw.uniform(1.2, 1.9))
        yield (*at, "ball" if ball else "cube", size, *(float(v) for v in draw.uniform(-2, 2, 3)))


def fall(runs, say, name, side, layers, low, steps):
    scene = write_scene(name, "bench/ranks_well.scene.yaml", {
        "bricks": ("material: stone, shape: brick, size: 1 m, held: true", "x,y,z,qw,qx,qy,qz", bricks()),
        "bodies": ("material: stone", "x,y,z,shape,size,vx,vy,vz", falling(side, layers, low))})
    say(HEAD)
    say(row(run(runs, name, world="bench/ranks_well.scene.yaml", bodies=scene, ranks=91, partition="hexagons", steps=steps_or(steps),
                positions=f"{FOLDER}/{name}_at_end.csv")))


def well(runs, say):
    fall(runs, say, "well", 15, 89, 2, 10000)


def well_large(runs, say):
    fall(runs, say, "well_large", 100, 50, 77, 300)
    picture(runs, "well_large", list(colours_of_hexagons(5)), "[150 m, -480 m, 480 m]", "[0, 0, 115 m]")


def colours_of_hexagons(rings):
    """one of seven colours for each rank, different from those of its neighbours"""
    for r in range(-rings, rings + 1):
        for q in range(-rings - min(r, 0), rings - max(r, 0) + 1):
            yield (q + 2 * r) % 7


def picture(runs, name, colours, eye, target):
    """the bodies at the end, coloured by their ranks, which are materials; the scale has eight colours in turn"""
    ranks = {c: [f"rank{k}" for k, of in enumerate(colours) if of == c] for c in range(8)}
    rows = max(map(len, ranks.values()))
    names = (ranks[c][n] if n < len(ranks[c]) else f"none{c}_{n}" for n in range(rows) for c in range(8))
    materials = "\n".join(f"  {k}: {{density: 2500 kg/m^3}}" for k in names)
    text = f"""scene: 1
title: {name}, by rank
materials:
{materials}
contacts: {{default: {{law: linear, stiffness: 200 MN/m, restitution: 0.5, friction: 0.25}}}}
shapes: {{ball: {{sphere: 1}}, cube: {{box: [1, 1, 1]}}, brick: {{box: [2, 4.6, 1]}}}}
walls: {{floor: {{plane: {{point: [0 m, 0 m, 0 m], normal: [0, 0, 1]}}, material: rank0}}}}
fill: [{{name: bodies, from: {name}_at_end.csv}}]
run: {{until: 0.01 ms, step: 0.01 ms, guard: {{overlap: 90 %, speed: 1000 m/s}}}}
output:
  images: {{size: [1600, 1200], color: material, title: false, legend: false, cut: {{point: [0, 0, 0], normal: [0, -1, 0]}}, camera: {{eye: {eye}, target: {target}}}, walls: hidden}}
"""
    scene = f"{FOLDER}/{name}_by_rank.scene.yaml"
    with open(scene, "w", encoding="utf-8") as out:
        out.write(text)
    runs.free([runs.scree, "run", scene, "--quiet", "--overwrite", "-o", FOLDER])
    shutil.copy(f"{FOLDER}/{name}_by_rank_0000.png", f"docs/gallery/{name}_by_rank.png")


def cut_spheres(parts):
    """for an inner part of the 128 x 128 x 16 spheres: the spheres at its borders"""
    x, y = parts
    return 16 * (min(x - 1, 2) * 128 / y + min(y - 1, 2) * 128 / x)


def model(_, say):
    """A part's neighbours and the spheres at its borders, fitted to the seconds of the paper"""
    parts = list(TABLE_2)
    for cores in sorted({x * y for x, y in parts}):
        some = [p for p in parts if p[0] * p[1] == cores]
        fit(f"Table 2, {cores} cores", {"s": [1] * len(some), "s per border sphere": [cut_spheres(p) for p in some]},
            [TABLE_2[p] for p in some], say)
    spheres, border = [262144 / (x * y) for x, y in parts], [cut_spheres(p) for p in parts]
    seconds = [TABLE_2[p] for p in parts]
    fit("Table 2", {"n^1.64": [n ** 1.64 for n in spheres], "n^0.64 border spheres": [b * n ** 0.64 for n, b in zip(spheres, border)]},
        seconds, say)
    neighbours = [2 if y == 1 else 5 if y == 2 else 8 for _, y in parts]
    fit("Table 2, neighbours", {"spheres": spheres, "s per neighbour": neighbours}, seconds, say)
    fit("Table 3, without N x 1 x 1", {"s": [1] * 3 * len(TABLE_3), "s per neighbour": NEIGHBOURS[1:] * len(TABLE_3)},
        [t for line in TABLE_3.values() for t in line[1:]], say)
    for name, table in (("Table 3", TABLE_3), ("Table 4", TABLE_4)):
        side = 25 if name == "Table 3" else 50
        times = [t for line in table.values() for t in line]
        fit(f"{name}, neighbours", {"s": [1] * len(times), "s per neighbour": NEIGHBOURS * len(table)}, times, say)
        fit(f"{name}, neighbours and borders", {"s": [1] * len(times), "s per neighbour": NEIGHBOURS * len(table),
                                                "s per border sphere": [f * side ** 2 for f in FACES] * len(table)}, times, say)


PARTS = {"table2": table2, "weak": weak, "weak_large": weak_large, "memory": memory, "grains": grains, "well": well, "well_large": well_large, "model": model}


def measure_all(runs, say):
    for name in os.environ.get("RANKS", "table2,weak,memory,grains,well,model").split(","):
        say(f"--- {name}")
        PARTS[name](runs, say)
