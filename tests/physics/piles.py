#!/usr/bin/python3
"""Random piles with their default step: none is stopped because of its step, and none gains spurious energy. Random
choices are the law, shapes (spheres of one or of several sizes, clumps, polyhedra), restitution 0.02 to 1, friction 0
to 1, stiffness, and walls: fixed ones, and lids that lie on the bodies, light and heavy, free and pressed. The rise of
the residual in the history within a window of a second is compared with the energy lost in this window and the largest
energy in motion: at most 1 %. A pile at rest loses hardly any energy, so that 1e-7 of all energy brought counts as
noise. The residual is the error of the steps. Energy made by laws of depth when patches of polyhedra change form is a
separate column, which no step makes smaller (laws.md, "The guard of energy"): --keep prints the window with it, too. 12
piles; 200 by SCREE_TEST_FACTOR=10.

  tests/physics/piles.py [--count N] [--from SEED] [--threads N] [--keep]
"""
import argparse
import csv
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
SCREE = os.path.abspath(os.environ.get("SCREE", f"{ROOT}/build/test/scree"))
BOX = os.path.join(os.environ.get("SCREE_BUILD", f"{ROOT}/build/test"), "piles")
FULL = float(os.environ.get("SCREE_TEST_FACTOR", "1")) > 1
SHORT = "SCREE_TEST_SHORT" in os.environ
MOST = 0.01  # of the energy that was lost or moved in the window
NOISE = 1e-7  # of the energy brought
WINDOW = 1.0  # s; bodies of 1 m fall by five sizes in it
# laws of depth make and lose energy as contacts of polyhedra change form, whatever the step (laws.md, "The guard of energy")
OF_LAW = re.compile("changes in contact geometry created|use a law whose force has an energy")
MOST_BY_LAW = 0.05
# a heavy lid may press soft grains through each other, whatever the step
TOO_SOFT = re.compile("bodies that overlap more may pass through")
MASS = 1.0  # kg, some
SHAPES = {"ball": "sphere: {diameter: 1}", "cube": "regular: cube", "octahedron": "regular: octahedron",
          "tetrahedron": "regular: tetrahedron", "plate": "box: [1, 1, 0.3]",
          "pebble": "clump: {centers: [[0, 0, 0], [0.4, 0, 0], [0, 0.4, 0], [0, 0, 0.4]], radii: [0.3, 0.25, 0.25, 0.2]}",
          "rod": "clump: {centers: [[-0.3, 0, 0], [0, 0, 0], [0.3, 0, 0]], radii: [0.25]}"}
ROUND = ("ball", "pebble", "rod")
THICK = {"octahedron": 0.577, "tetrahedron": 0.333, "plate": 0.3, "pebble": 0.4, "rod": 0.5}  # of the largest ball inside
# bodies of 1 m, and seconds until the end
SIZES = {"ball": (250, 8), "pebble": (80, 6), "rod": (80, 6), "cube": (40, 5), "octahedron": (40, 5), "tetrahedron": (40, 5), "plate": (40, 5)}


class Pile:
    """the scene drawn from a seed, and its text"""

    def __init__(self, seed):
        r = random.Random(seed)
        self.name = f"pile{seed}"
        self.shape = r.choice(["ball", "ball", "ball", *sorted(SHAPES)])
        self.law = r.choice(["hertz", "linear", "overlap"])
        self.restitution = round(r.choice([r.uniform(0.02, 0.2), r.uniform(0.02, 1), 0.02, 0.05, 0.1, 1]), 3)
        self.friction = round(r.choice([0, 0.5, r.uniform(0, 1), 1]), 3)
        self.wide = r.choice([3, 4, 5]) if self.shape == "ball" else 3
        self.ratio = r.choice([1, 1, 1.5, 2]) if self.shape == "ball" else 1
        self.walls = r.choice(["fixed", "fixed", "free lid", "servo"])
        self.wall_mass = r.choice([0.2, 1, 10, 100])
        self.soft = r.choice([0.05, 0.1, 0.2])  # approximate overlap of the hardest impact, in thicknesses
        self.count, self.until = SIZES[self.shape]
        if self.ratio > 1:
            self.count = self.count * 2 // 3
        self.describe = (f"{self.name}: {self.count} {self.shape} 1:{self.ratio} {self.law} e {self.restitution} mu {self.friction} "
                         f"in a box {self.wide} wide, soft {self.soft}, {self.walls} {self.wall_mass if self.walls != 'fixed' else ''}")

    def text(self):
        column = MASS * 10 * self.count / self.wide**2
        high = 2.5 * self.count / self.wide**2 + 4
        deep, energy = self.soft * THICK.get(self.shape, 1), 10 * MASS * high
        stiffness = 2 * energy / deep**2
        round_ = self.law == "hertz" or self.shape in ROUND
        young = 7 * energy / deep**2.5 if round_ else stiffness / 0.3
        contact = [f"law: {self.law}", f"restitution: {self.restitution}", f"friction: {self.friction}"]
        if self.law == "linear":
            contact.append(f"stiffness: {stiffness:.6g} N/m")
        size = "1 m" if self.ratio == 1 else f"{{uniform: [1 m, {self.ratio} m]}}"
        wide = 1.02 * self.wide * self.ratio
        high *= self.ratio
        lid = {"fixed": "", "free lid": f"{{free: {{mass: {self.wall_mass} kg, along: z}}}}",
               "servo": f"{{servo: {{force: {column:.6g} N, mass: {self.wall_mass} kg}}}}"}[self.walls]
        walls = [f"  room: {{box: {{min: [0 m, 0 m, 0 m], max: [{wide:.6g} m, {wide:.6g} m, {2 * high:.6g} m], open: [z_max]}}, material: stone}}"]
        if lid:
            walls.append(f"  lid: {{plane: {{point: [0 m, 0 m, {high:.6g} m], normal: [0, 0, -1]}}, material: stone, motion: {lid}}}")
        return "\n".join([
            "scene: 1", f"title: {self.name}", "world: {gravity: [0, 0, -10 m/s^2]}",
            f"materials: {{stone: {{density: 1.9099 kg/m^3, young: {young:.6g} Pa, poisson: 0.25}}}}",
            f"contacts: {{default: {{{', '.join(contact)}}}}}", f"shapes: {{{self.shape}: {{{SHAPES[self.shape]}}}}}", "walls:", *walls,
            f"fill: [{{region: {{box: {{min: [0 m, 0 m, 0 m], max: [{wide:.6g} m, {wide:.6g} m, {high:.6g} m]}}}}, count: {self.count}, "
            f"material: stone, shape: {self.shape}, size: {size}, orientation: random}}]",
            f"run: {{until: {self.until} s}}", "output: {history: {every: 0.05 s}}"]) + "\n"


def read(path):
    with open(path, encoding="ascii") as file:
        return [{name: float(value) for name, value in row.items()}
                for row in csv.DictReader(line for line in file if not line.startswith("#"))]


def lost(row):
    return row["lost_normal"] + row["lost_friction"] + row["lost_rolling"]


def worst_window(rows, energy):
    """(part, J, time): the largest rise of energy(row) in a window, over the energy lost or moved in it"""
    noise = NOISE * (abs(rows[0]["brought"]) + max(row["kinetic"] for row in rows))
    worst = (0.0, 0.0, 0.0)
    first = 0
    for last, row in enumerate(rows):
        while row["time"] - rows[first]["time"] > WINDOW * 1.0001:
            first += 1
        window = rows[first:last + 1]
        rise = energy(row) - min(map(energy, window))
        of = max(lost(row) - lost(window[0]), max(r["kinetic"] + abs(r["elastic"] - window[0]["elastic"]) for r in window))
        part = rise / of if rise > noise and of > 0 else 0
        worst = max(worst, (part, rise, row["time"]))
    return worst


def command(*words):
    return subprocess.run([SCREE, *words], capture_output=True, text=True)


def judge(pile):
    """(kind, message): kept, by law, too soft, stopped or made"""
    path, out = os.path.join(BOX, pile.name + ".scene.yaml"), os.path.join(BOX, pile.name)
    with open(path, "w", encoding="ascii") as file:
        file.write(pile.text())
    done = command("run", path, "-o", out, "--overwrite", "--threads", "1")
    if done.returncode:
        kind = "by law" if OF_LAW.search(done.stderr) else "too soft" if TOO_SOFT.search(done.stderr) else "stopped"
        return kind, f"ended with {done.returncode}: {done.stderr.strip()}"
    rows = read(os.path.join(out, pile.name + "_history.csv"))
    part, rise, time = worst_window(rows, lambda row: row["residual"])
    by_law = worst_window(rows, lambda row: row["residual"] + row["made"])
    step = " | ".join(re.findall(r"^step +(.*\b(?:limit|needed it)\b.*)$", done.stdout, re.M))
    return "kept" if part <= MOST else "made", f"{100 * part:.3f} % from nothing, {rise:.3g} J, in the second before {time:.3g} s; " \
        f"with what changes in contact geometry created: {100 * by_law[0]:.2f} %, {by_law[1]:.3g} J, {by_law[2]:.3g} s; step {step}"


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--count", type=int, default=200 if FULL else 2 if SHORT else 12)
    words.add_argument("--from", type=int, default=3 if SHORT else 1, dest="first")
    words.add_argument("--threads", type=int, default=os.cpu_count() or 2, help="piles at once")
    words.add_argument("--keep", action="store_true", help="say what came of all, not only of those that fail")
    args = words.parse_args()
    os.makedirs(BOX, exist_ok=True)
    piles = [Pile(seed) for seed in range(args.first, args.first + args.count)]
    counts = dict.fromkeys(("kept", "by law", "too soft", "stopped", "made"), 0)
    print(f"1..{args.count + 1}")
    with ThreadPoolExecutor(args.threads) as pool:
        for number, (pile, (kind, said)) in enumerate(zip(piles, pool.map(judge, piles)), 1):
            counts[kind] += 1
            print(f"{'ok' if kind in ('kept', 'by law', 'too soft') else 'not ok'} {number} - {pile.describe}", flush=True)
            if kind != "kept" or args.keep:
                print(f"# {kind}: {said}", flush=True)
    few = counts["by law"] + counts["too soft"] <= max(1, MOST_BY_LAW * args.count)
    print(f"{'ok' if few else 'not ok'} {args.count + 1} - few are stopped for the energy of their law, or as too soft")
    print("# " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 1 if counts["stopped"] or counts["made"] or not few else 0


if __name__ == "__main__":
    sys.exit(main())
