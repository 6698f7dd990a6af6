#!/usr/bin/python3
"""Random scenes with their default step: the ledger closes, or the run stops or is refused with a message that gives a
remedy.

Random choices are the dimension, the law, shapes, restitution 0.05 to 1, friction 0 to 2, size ratios to 1:20,
tangential ratios, rolling friction, loose or tight initial fills, and walls that are at rest, shake, slide, press with
a force or close in, or sheared space. Grains are bodies of parts and surfaces with a halo (compounds, clumps,
triangles), also among polyhedra and balls. Wet scenes draw the law `power`, damped or not, and fluids of any drag.
Driven scenes draw the response (forces, implicit or hard) and a lid that moves freely on a spring or presses with a
force, in a fluid or not. The error, |residual + made|, is compared with the larger of the losses and the largest
kinetic and stored energy so far (laws.md, "The guard of energy"), and so is energy made by implicit steps: at most 2 %
for laws that are the gradient of an energy, the guard's 5 % for others. 12 scenes, 3 of grains, 3 wet and 4 driven
ones; 200, 70, 40 and 50 by ./dev check ledger.

  tests/physics/ledger.py [--count N] [--grains N] [--wet N] [--driven N] [--from SEED] [--laws linear,hertz,..] [--keep]
"""
import argparse
import csv
import os
import random
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
SCREE = os.path.abspath(os.environ.get("SCREE", f"{ROOT}/build/test/scree"))
BOX = os.path.join(os.environ.get("SCREE_BUILD", f"{ROOT}/build/test"), "ledger")
FULL = float(os.environ.get("SCREE_TEST_FACTOR", "1")) > 1
SHORT = "SCREE_TEST_SHORT" in os.environ
LIMIT = {"overlap": 0.02, "volume": 0.02, "area": 0.02}  # gradients of an energy
GUARD = 0.05  # others: the guard stops worse ones, except after its last reading
MOST_STOPPED = 0.05  # of all, by any guard
STEPS = 30000 if FULL else 6000 if SHORT else 12000
DENSITY = 2500
# laws by dimension and by whether all bodies are round
LAWS = {(3, True): ["linear", "hertz", "overlap"], (3, False): ["linear", "hertz", "volume", "overlap", "overlap"],
        (2, True): ["linear", "hertz", "area", "overlap", "overlap"], (2, False): ["linear", "hertz", "area", "overlap", "overlap"]}
SOLIDS = {"cube": "regular: cube", "octahedron": "regular: octahedron", "tetrahedron": "regular: tetrahedron",
          "plate": "box: [1, 1, 0.2]", "needle": "box: [0.5, 0.5, 2.5]", "sphere": "sphere: {diameter: 1}"}
FLATS = {"disc": "disc: 1", "triangle": "polygon: {sides: 3}", "square": "polygon: {sides: 4}",
         "hexagon": "polygon: {sides: 6}", "slab": "polygon: {points: [[-0.75, -0.25], [0.75, -0.25], [0.75, 0.25], [-0.75, 0.25]]}"}
# concave grains, and surfaces: of meshes in scenes/ and examples/meshes/, and of the seed's generator
GRAINS = {"hooks": "mesh: {file: hook.off, as: compound}", "jacks": "mesh: {file: jack.stl, as: compound}", "crosses": "mesh: {file: cross.off, as: compound}",
          "hook_skins": "mesh: {file: hook.off, as: surface, halo: 0.06}", "jack_skins": "mesh: {file: jack.stl, as: surface, halo: 0.06}",
          "grain_skins": "granulate: {seed: 3, order: hull-then-scale, as: surface, halo: 0.06}",
          "pebbles": "clump: {centers: [[0, 0, 0], [0.4, 0, 0], [0, 0.4, 0], [0, 0, 0.4]], radii: [0.3, 0.25, 0.25, 0.2]}",
          "rods": "clump: {centers: [[-0.3, 0, 0], [0, 0, 0], [0.3, 0, 0]], radii: [0.2], mass: added}",
          "jacks_of_balls": "clump: {file: jack.stl, count: 25}"}
MESHES = ("scenes/hook.off", "scenes/cross.off", "examples/meshes/jack.stl")
POINTS = ("pebbles", "rods", "jacks_of_balls", "hook_skins", "jack_skins", "grain_skins")  # touch in points
ROUND = ("sphere", "disc")
DRAGS = ("stokes", "schiller-naumann")
# width of a body of size 1 in its initial orientation, and in any orientation
WIDE = {"needle": (2.5, 2.6), "plate": (1, 1.43), "cube": (1, 1.74), "slab": (1.5, 1.6), "pebbles": (1.3, 1.5),
        "hooks": (1.08, 1.6), "hook_skins": (1.12, 1.7), "crosses": (1, 1.2), "jacks": (1, 1.2), "jack_skins": (1.12, 1.3), "grain_skins": (1.12, 1.2)}

# diameter of the largest ball in a body of size 1: its thickness (overlap.md, "Bodies do not pass through each other"); of others 1
THICK = {"octahedron": 0.577, "tetrahedron": 0.333, "plate": 0.2, "needle": 0.5, "triangle": 0.5, "square": 0.707, "hexagon": 0.866,
         "slab": 0.5, "hooks": 0.25, "jacks": 0.2, "crosses": 0.25, "pebbles": 0.4, "rods": 0.4, "jacks_of_balls": 0.2}
OF_PARTS = ("hooks", "jacks", "crosses", "pebbles", "rods", "jacks_of_balls")  # may overlap by a quarter of the thickness, others by half
SKINS_DEEP = 0.07  # of the size: surfaces may not pass through their halos, of 0.06


class Scene:
    """the scene drawn from a seed, and its text"""

    def __init__(self, seed, laws, grains=False, wet=False, driven=False):
        r = self.r = random.Random(seed)
        self.seed, self.grains, self.wet, self.fluid, self.undamped = seed, grains, wet, "", False
        self.response, self.heavy, self.spring = "forces", 0, 0
        kind = "driven" if driven else "wet" if wet else "grains" if grains else "seed"
        self.name = f"{kind}{seed}"
        self.flat = r.random() < 0.4 and not grains
        self.dimension = 2 if self.flat else 3
        shapes = FLATS if self.flat else SOLIDS
        self.shapes = r.sample(sorted(shapes), r.choice([1, 1, 1, 2, 3]))
        self.kinds = shapes = {**shapes, **GRAINS} if grains else shapes
        if grains:
            self.shapes = r.sample(sorted(GRAINS), r.choice([1, 1, 2])) + r.sample(sorted(SOLIDS), r.choice([0, 0, 1, 2]))
        round_ = all(s in ROUND for s in self.shapes)
        known = [law for law in LAWS[self.dimension, round_] if not laws or law in laws]
        if laws:
            known += [law for law in laws if not any(law in row for row in LAWS.values())]
        self.law = r.choice(known or LAWS[self.dimension, round_])
        if self.law == "volume":
            self.shapes = [s for s in self.shapes if s not in ROUND + POINTS] or ["hooks"]
        self.skins = any(s.endswith("_skins") for s in self.shapes)
        self.restitution = round(r.choice([r.uniform(0.05, 0.3), r.uniform(0.05, 1), 1]), 3)
        self.friction = round(r.choice([0, r.uniform(0.1, 0.8), r.uniform(0.5, 2)]), 3)
        self.rolling = round(r.choice([0, 0, 0, r.uniform(0.01, 1)]), 3)
        self.tangential = r.choice([2 / 7, 1])
        self.ratio = r.choice([1, 1, r.uniform(1.5, 4), r.uniform(4, 20)])
        self.tight = r.random() < 0.4
        self.walls = r.choice(["still", "shake", "slide", "press", "close", "sheared"])
        if self.ratio > 4 and self.walls == "sheared":
            self.walls = "still"
        self.across = 3 if self.ratio > 2 and not self.flat and self.walls != "sheared" else 5
        if self.walls == "slide":  # a floor that drags bodies into a corner presses them in if friction is above 1
            self.friction = min(self.friction, 0.8)
        if grains and (self.skins or self.law in ("linear", "hertz") and self.friction):  # parts.md and halo.md, "What is weak"
            self.restitution = min(self.restitution, 0.9)
        if wet:
            self.draw_wet(r)
        if driven:
            self.draw_driven(r)
        self.rate = 40 if grains else 2  # 1/s, of the shear
        if grains:  # short steps: the larger bodies must meet within some thousand
            self.ratio = 1 if self.walls == "sheared" else min(self.ratio, 2.5)
        self.describe = (f"{kind} {seed}: {self.dimension}D {self.law} {'+'.join(self.shapes)} 1:{self.ratio:.1f} "
                         f"e {self.restitution} mu {self.friction} kt {self.tangential:.2f} rolling {self.rolling} "
                         f"{'tight' if self.tight else 'loose'}, walls {self.walls}{', in a fluid' if self.fluid else ''}, {self.response}")

    def draw_wet(self, r):
        """the law power, a fluid, or both: in space, where drag is supported"""
        which = r.choice(["power", "fluid", "both"])
        self.flat, self.dimension = False, 3
        self.shapes = r.sample(sorted(SOLIDS), r.choice([1, 1, 2]))
        self.kinds = SOLIDS
        self.ratio = min(self.ratio, 4)
        self.walls = r.choice(["still", "shake", "slide", "close"])
        self.across = 3 if self.ratio > 2 else 5
        if which != "fluid":
            self.law, self.undamped, self.rolling = "power", r.random() < 0.3, 0
        elif self.law not in ("linear", "hertz", "overlap"):
            self.law = "overlap"
        if which != "power":
            thick = round(10 ** r.uniform(-5, -2), 7)  # Pa s
            self.fluid = f"fluid: {{density: {r.choice([1.2, 1000])} kg/m^3, viscosity: {thick} Pa*s, drag: {r.choice(DRAGS)}}}"

    def draw_driven(self, r):
        """a response, and a lid that moves freely on a spring, or a servo; half of them in a fluid"""
        self.flat, self.dimension = False, 3
        self.shapes = r.sample(sorted(SOLIDS), r.choice([1, 1, 2]))
        self.kinds = SOLIDS
        self.law = r.choice(["linear", "hertz"] if all(s in ROUND for s in self.shapes) else ["overlap", "overlap", "volume"])
        self.ratio = min(self.ratio, 2)
        self.response = r.choice(["forces", "implicit", "implicit", "hard"])
        if self.law == "volume" and self.response == "hard":
            self.response = "implicit"
        self.walls = r.choice(["free", "free", "press", "shake"])
        self.heavy, self.spring = r.uniform(10, 50), r.uniform(0.2, 2)
        self.across = 3
        self.friction, self.rolling = min(self.friction, 0.8), 0
        if self.law == "volume":
            self.shapes = [s for s in self.shapes if s not in ROUND + POINTS] or ["cube"]
        if r.random() < 0.5:
            self.fluid = f"fluid: {{density: 1.2 kg/m^3, viscosity: {round(10 ** r.uniform(-5, -3), 7)} Pa*s, drag: {r.choice(DRAGS)}}}"

    def deep(self):
        """overlap of a body that lands at the usual speed, in sizes: two fifths of the limit of the guard of thickness;
        half of that with the law `volume`, whose resistance to corners and edges, of little volume, is below that to
        faces"""
        if self.skins:
            return SKINS_DEEP
        part = 0.1 if self.law == "volume" else 0.2
        return min((part / 2 if s in OF_PARTS else part) * THICK.get(s, 1) for s in self.shapes)

    def text(self, until):
        """d: of the smallest; large bodies are few, and determine the stiffness"""
        d, big = 5e-3, 5e-3 * self.ratio
        cell = 1.03 * big * max(WIDE.get(s, (1, 1))[not self.tight] for s in self.shapes)
        across = self.across
        wide = 1.001 * across * cell
        mass = DENSITY * (big**2 * 0.1 if self.flat else big**3)
        weight = mass * 9.81 * 6
        meet = 2 if self.flat else 1  # m/s, some
        deep = self.deep()
        stiffness = max(weight / (0.02 * d), mass * meet**2 / (deep * d) ** 2)
        weight = max(weight, 0.02 * d * stiffness)
        young = weight / (2.8e-3 * d**2) if self.law == "hertz" else stiffness / (0.03 if self.flat else 0.3 * d)
        sheared, press = self.walls == "sheared", self.walls == "press"
        up = 1.001 * (12 if self.flat else 4 if across == 3 else 6) * cell
        contact = [f"law: {self.law}", f"restitution: {self.restitution}", f"friction: {self.friction}"]
        if self.law == "linear":
            contact += [f"stiffness: {stiffness:.4g} N/m", f"tangential_ratio: {self.tangential:.4g}"]
        if self.law == "power":
            damping = 0 if self.undamped else 0.3 * (mass * stiffness) ** 0.5
            contact = [f"law: power, friction: {self.friction}, power: {{overlap: 0.1 mm, force: {1e-4 * stiffness:.4g} N, "
                       f"damping: {damping:.4g} kg/s, exponent: {0 if self.undamped else 0.25}, tangential: {0.3 * (mass * stiffness) ** 0.5:.4g} kg/s}}"]
        else:
            contact.append(f"rolling_friction: {self.rolling}")
        names = self.kinds
        world = ["dimension: 2", "thickness: 0.1 m"] if self.flat else []
        axes, z = ("xy", "y") if self.flat else ("xyz", "z")

        def point(*part):  # x and the height, or x, y and the height
            return "[" + ", ".join(f"{p:.6g} m" for p in (part if not self.flat else (part[0], part[-1]))) + "]"
        if sheared:
            world += [f"periodic: [{', '.join(axes)}]", f"domain: {{min: {point(0, 0, 0)}, max: {point(wide, wide, up)}}}",
                      f"shear: {{rate: {self.rate} 1/s, flow: x, gradient: {z}}}"]
        else:
            world.append(f"gravity: {'[0, -9.81 m/s^2]' if self.flat else '[0, 0, -9.81 m/s^2]'}")
        if self.fluid:
            world.append(self.fluid)
        walls = {} if sheared else self.list_walls(point, wide, up, weight)
        lines = ["scene: 1", f"title: {self.describe.split(':')[0]}", f"world: {{{', '.join(world)}}}",
                 f"materials: {{stuff: {{density: {DENSITY} kg/m^3, young: {young:.4g} Pa, poisson: 0.25}}}}",
                 f"contacts: {{default: {{{', '.join(contact)}}}}}", "shapes:"]
        lines += [f"  {s}: {{{names[s]}}}" for s in self.shapes]
        if walls:
            lines += ["walls:"] + [f"  {name}: {text}" for name, text in walls.items()]
        lines += ["fill:"] + self.list_fills(point, wide, up, cell, d, big)
        phase = ", narrow_phase: overlap-volume" if self.law == "volume" else ""
        response = "" if self.response == "forces" else f", response: {self.response}"
        lines += [f"run: {{until: {until:.8g} s{phase}{response}}}", f"output: {{history: {{every: {until / 150:.6g} s}}}}"]
        return "\n".join(lines) + "\n"

    def list_walls(self, point, wide, up, weight):
        low = [("low_x", (0, 0, 0), (1, 0, 0)), ("high_x", (wide, 0, 0), (-1, 0, 0))]
        if not self.flat:
            low += [("low_y", (0, 0, 0), (0, 1, 0)), ("high_y", (0, wide, 0), (0, -1, 0))]
        low.append(("floor", (0, 0, 0), (0, 0, 1)))
        if self.walls in ("press", "free"):
            low.append(("lid", (0, 0, 1.02 * up), (0, 0, -1)))
        form = "line" if self.flat else "plane"
        out = {}
        for name, at, normal in low:
            turned = normal if not self.flat else (normal[0], normal[2])
            motion = ""
            if name == "floor" and self.walls == "shake":
                shaken = ["0"] * (len(turned) - 1) + [f"4 mm"]
                motion = f", motion: {{vibration: {{amplitude: [{', '.join(shaken)}], frequency: 20 Hz}}}}"
            if name == "floor" and self.walls == "slide":
                slid = ["0.3 m/s"] + ["0"] * (len(turned) - 1)
                motion = f", motion: {{velocity: [{', '.join(slid)}]}}"
            if name == "high_x" and self.walls == "close":
                slid = [f"{-0.5 * wide:.4g} m/s"] + ["0"] * (len(turned) - 1)
                motion = f", motion: {{velocity: [{', '.join(slid)}], until: 0.25 s}}"
            if name == "lid" and self.walls == "free":
                of_all = self.heavy * 27 * DENSITY * (5e-3 * self.ratio) ** 3  # kg; on its spring it oscillates some times per second
                motion = f", motion: {{free: {{mass: {of_all:.4g} kg, along: z, weight: false, spring: {of_all * (10 * self.spring) ** 2:.4g} N/m, speed: -0.05 m/s}}}}"
            elif name == "lid":
                motion = f", motion: {{servo: {{force: {20 * DENSITY * 9.81 * wide * (0.1 if self.flat else wide) * 5e-3:.4g} N}}}}"
            out[name] = (f"{{{form}: {{point: {point(*at)}, normal: [{', '.join(str(n) for n in turned)}]}}, "
                         f"material: stuff{motion}}}")
        return out

    def list_fills(self, point, wide, up, cell, d, big):
        """large ones on a lattice, small ones at random between and above them"""
        region = f"{{box: {{min: {point(0, 0, 0)}, max: {point(wide, wide, up)}}}}}"
        mix = ", ".join(f"{{shape: {s}, size: {big:.6g} m}}" for s in self.shapes)
        speed = "[0.3 m/s, -0.5 m/s]" if self.flat else "[0.3 m/s, 0.1 m/s, -0.5 m/s]"
        tail = f"material: stuff, velocity: {speed}"
        count = 12 if self.flat and self.ratio > 2 else 27 if self.across == 3 else 60
        turned = "" if self.tight else ", orientation: random"
        fills = [f"  - {{region: {region}, lattice: {{spacing: {cell:.6g} m}}, count: {count}, mix: [{mix}], {tail}{turned}}}"]
        if self.walls == "sheared" and self.grains:  # two layers meet: no body falls
            halves = [fills[0].replace(region, f"{{box: {{min: {point(0, 0, low * up)}, max: {point(wide, wide, (low + 0.5) * up)}}}}}") for low in (0, 0.5)]
            fills = [halves[0].replace("-0.5 m/s]", "0.5 m/s]"), halves[1]]
        if self.ratio > 2:
            above = f"{{box: {{min: {point(0, 0, up)}, max: {point(wide, wide, 2.5 * up)}}}}}"
            if self.walls in ("press", "sheared"):
                above = region
            small = ", ".join(f"{{shape: {s}, size: {{uniform: [{d:.6g} m, {1.2 * d:.6g} m]}}}}" for s in self.shapes)
            fills.append(f"  - {{region: {above}, count: 60, mix: [{small}], {tail}, orientation: random, seed: {self.seed}}}")
        return fills


def command(*words):
    return subprocess.run([SCREE, *words], capture_output=True, text=True)


def wrong_part(path):
    """the largest of all times from the first tenth on, and that at the end"""
    with open(path, encoding="ascii") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    greatest, parts = 0.0, []
    for row in rows:
        v = {name: float(value) for name, value in row.items()}
        method = v.get("lost_method", 0)
        lost = v["lost_normal"] + v["lost_friction"] + v["lost_rolling"] + max(method, 0)
        greatest = max(greatest, v["kinetic"] + abs(v["elastic"]))
        whole = max(lost, greatest)
        gained = -v["lost_normal"] - method if "lost_method" in v else 0  # by the guard of implicit steps
        parts.append(max(abs(v["residual"] + v["made"]), gained) / whole if whole > 0 else 0)
    return max(parts[len(parts) // 10:]), parts[-1]


def judge(scene):
    """(kind, message): kept, beyond, stopped, refused or broken"""
    name = scene.name
    path, out = os.path.join(BOX, name + ".scene.yaml"), os.path.join(BOX, name)

    def write(until):
        with open(path, "w", encoding="ascii") as file:
            file.write(scene.text(until))
    write(1.0)
    checked = command("check", path)
    step = re.search(r"^step (\S+) s", checked.stdout, re.M)
    if checked.returncode == 2:
        return "refused", checked.stderr.strip().splitlines()[0] if checked.stderr else checked.stdout
    if checked.returncode or not step:
        return "broken", checked.stderr
    write((STEPS if scene.response == "forces" else STEPS / 20) * float(step.group(1)))
    done = command("run", path, "-o", out, "--overwrite", "--quiet", "--threads", "1")
    if done.returncode == 3:
        cure = re.search(r"take |raise |lower |set ", done.stderr)
        return ("stopped" if cure else "broken"), done.stderr.strip()
    if done.returncode:
        return "broken", done.stderr.strip()
    most, last = wrong_part(os.path.join(out, name + "_history.csv"))
    kind = "kept" if last <= LIMIT.get(scene.law, GUARD) else "beyond"
    return kind, f"{100 * last:.2f} % at the end, at most {100 * most:.2f} % on the way"


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--count", type=int, default=200 if FULL else 2 if SHORT else 12)
    words.add_argument("--grains", type=int, help="of these seeds on; all of 70, or three of them, if left out")
    words.add_argument("--wet", type=int, help="scenes of the law power and of fluids; 40, or three, if left out")
    words.add_argument("--driven", type=int, help="scenes of implicit steps, free walls and servos; 50, or four, if left out")
    words.add_argument("--from", type=int, default=1, dest="first")
    words.add_argument("--laws", default="")
    words.add_argument("--threads", type=int, default=os.cpu_count() or 2, help="scenes at once")
    words.add_argument("--keep", action="store_true", help="say what came of all, not only of those that are not kept")
    args = words.parse_args()
    os.makedirs(BOX, exist_ok=True)
    for mesh in MESHES:
        shutil.copy(os.path.join(ROOT, mesh), BOX)
    laws = [x for x in args.laws.split(",") if x]
    scenes = [Scene(seed, laws) for seed in range(args.first, args.first + args.count)]
    grains = range(1, 71) if FULL else (64,) if SHORT else (1, 2, 64)  # 64: faces that hit flat (docs/theory/halo.md, "The step")
    if args.grains is not None:
        grains = range(args.first, args.first + args.grains)
    scenes += [Scene(seed, laws, True) for seed in grains]
    wet = args.wet if args.wet is not None else 0 if args.grains is not None else 40 if FULL else 1 if SHORT else 3
    scenes += [Scene(seed, laws, wet=True) for seed in range(args.first, args.first + wet)]
    driven = args.driven if args.driven is not None else 0 if args.grains is not None or args.wet is not None else 50 if FULL else 1 if SHORT else 4
    scenes += [Scene(seed, laws, driven=True) for seed in range(args.first, args.first + driven)]
    args.count = len(scenes)
    counts = dict.fromkeys(("kept", "beyond", "stopped", "refused", "broken"), 0)
    print(f"1..{args.count + 1}")
    with ThreadPoolExecutor(args.threads) as pool:
        for number, (scene, (kind, said)) in enumerate(zip(scenes, pool.map(judge, scenes)), 1):
            counts[kind] += 1
            good = kind in ("kept", "stopped", "refused")
            print(f"{'ok' if good else 'not ok'} {number} - {scene.describe}", flush=True)
            if kind != "kept" or args.keep:
                print(f"# {kind}: {said}", flush=True)
    few = counts["stopped"] + counts["refused"] <= max(1, MOST_STOPPED * args.count)
    print(f"{'ok' if few else 'not ok'} {args.count + 1} - few are stopped or refused")
    print("# " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 0 if few and not counts["beyond"] and not counts["broken"] else 1


if __name__ == "__main__":
    sys.exit(main())
