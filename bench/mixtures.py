"""The cost of a small body in mixtures of sizes: `./dev bench mixtures`. It must not grow with the size of the largest one.

Spheres of 2 mm on a cubic lattice, with a pitch a little below the diameter, so that each touches its neighbours; large
ones of the same total volume, 1:1 to 1:20, are in holes of the lattice.
"""
import math

WIDE = 0.002
NEAR = 0.9995  # of the lattice's pitch over the diameter
RATIOS = (1, 2, 5, 10, 20)


def block(ratio):
    """edge, in cells, of the cube around one large body whose other sites hold the same volume of small ones"""
    edge = ratio
    while len(sites(ratio, edge)) < ratio ** 3:
        edge += 1
    return edge


def sites(ratio, edge):
    """cells of a block whose small sphere is clear of the large one in its middle"""
    middle, clear = (edge - 1) / 2, ((ratio + 1) / 2 / NEAR) ** 2
    return [(x, y, z) for z in range(edge) for y in range(edge) for x in range(edge)
            if (x - middle) ** 2 + (y - middle) ** 2 + (z - middle) ** 2 >= clear]


def mixture(ratio, least):
    """rows x y z size with at least this number of small ones, and their number"""
    if ratio == 1:
        side = math.ceil(least ** (1 / 3))
        return [(x, y, z, 1) for z in range(side) for y in range(side) for x in range(side)], side ** 3
    edge = block(ratio)
    around, rows = sites(ratio, edge), []
    side = math.ceil((least / len(around)) ** (1 / 3))
    for k in range(side ** 3):
        at = [edge * (k % side), edge * (k // side % side), edge * (k // side ** 2)]
        rows.append([a + (edge - 1) / 2 for a in at] + [ratio])
        rows += [[a + c for a, c in zip(at, cell)] + [1] for cell in around]
    return rows, side ** 3 * len(around)


SCENE = f"""scene: 1
title: a mixture of sizes
world: {{gravity: [0, 0, 0]}}
materials: {{stone: {{density: 2500 kg/m^3, young: 10 MPa, poisson: 0.3}}}}
contacts: {{default: {{law: hertz, restitution: 0.5, friction: 0.5}}}}
shapes: {{ball: {{sphere: {{diameter: 1}}}}}}
fill:
  - {{material: stone, shape: ball, size: 1 m, from: bodies.csv}}
run: {{until: 1 s, guard: {{overlap: 90 %}}}}
"""


def measure(ours, ratio, least):
    rows, small = mixture(ratio, least)
    folder = ours.kept(SCENE, f"{ratio} {least}")
    with open(f"{folder}/bodies.csv", "w", encoding="ascii") as out:
        out.write("x,y,z,size\n")
        out.writelines(f"{x * WIDE * NEAR!r},{y * WIDE * NEAR!r},{z * WIDE * NEAR!r},{s * WIDE!r}\n" for x, y, z, s in rows)
    tries = ours.bench(ours.run(folder, "mixture", SCENE, "--steps", "1"), 200, ours.turns)
    step = min(r["seconds_per_step"] - r["stages"]["broad"] for r in tries)
    search = min(r["search_seconds"] for r in tries)
    return (f"1:{ratio:<4} {small:8} {len(rows) - small:6} {tries[0]['contacts']:9} {1e9 * step / small:8.1f} "
            f"{1e9 * search / small:8.0f}")


def measure_all(ours, say):
    say("ns: a small body and step, without searches; search: ns a small body, each time pairs are searched")
    say(f"{'ratio':6} {'small':>8} {'large':>6} {'contacts':>9} {'ns':>8} {'search':>8}")
    for ratio in RATIOS:
        say(measure(ours, ratio, 60000))
