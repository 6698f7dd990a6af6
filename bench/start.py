"""From a scene to the first step, 1,000,000 spheres: `./dev bench start`. Seconds of the whole command, which reads the
scene, places the bodies, finds their pairs, takes one step and writes a snapshot; seconds of the first step alone, by
`scree bench`; bytes per body.

  lattice  100 x 100 x 100 sites, so close that each sphere touches its neighbours
  table    the same positions from a table of bodies, in random order
  random   at random positions, a fifth of the region solid
"""
import random
import statistics
import time

from engines import SCREE, idle, watched

SIDE = 100
PITCH = 0.9995  # of diameters

SCENE = f"""scene: 1
title: a million spheres
world: {{gravity: [0, 0, -1 m/s^2]}}
materials: {{grain: {{density: 1 kg/m^3, young: 100 kPa, poisson: 0.3}}}}
contacts: {{default: {{law: hertz, restitution: 0.5, friction: 0.5}}}}
shapes: {{ball: {{sphere: 1}}}}
walls:
  room: {{box: {{min: [0 m, 0 m, 0 m], max: [{SIDE} m, {SIDE} m, {3 * SIDE} m], open: [z_max]}}, material: grain}}
fill:
  - material: grain
    shape: ball
    size: 1 m
FILL
run: {{until: 1 s, step: 1.3 ms, guard: {{overlap: 90 %}}}}
"""
FILLS = {"lattice": f"    region: {{box: {{min: [0 m, 0 m, 0 m], max: [{SIDE} m, {SIDE} m, {SIDE} m]}}}}\n"
                    f"    lattice: {{spacing: {PITCH} m, count: [{SIDE}, {SIDE}, {SIDE}]}}",
         "table": "    from: bodies.csv",
         "random": f"    region: {{box: {{min: [0 m, 0 m, 0 m], max: [{SIDE} m, {SIDE} m, {2.6 * SIDE} m]}}}}\n"
                   f"    count: {SIDE ** 3}"}


def write_table(path):
    order = list(range(SIDE ** 3))
    random.Random(109).shuffle(order)
    with open(path, "w", encoding="ascii") as out:
        out.write("x,y,z\n")
        for k in order:
            at = (k % SIDE, k // SIDE % SIDE, k // SIDE ** 2)
            out.write(",".join(f"{0.5 + PITCH * c:.6g}" for c in at) + "\n")


def measure(ours, name):
    scene = SCENE.replace("FILL", FILLS[name])
    folder = ours.kept(scene, "start")
    if name == "table":
        write_table(f"{folder}/bodies.csv")
    seconds, peaks = [], []
    for turn in range(ours.turns):
        with open(f"{folder}/start.scene.yaml", "w", encoding="ascii") as out:
            out.write(scene)
        began = time.monotonic()
        _, _, peak = watched([SCREE, "run", f"{folder}/start.scene.yaml", "--quiet", "--overwrite", "--threads", "1", "--steps", "1",
                              "-o", folder])
        seconds.append(time.monotonic() - began)
        peaks.append(peak)
        print(f"  start {name} turn {turn + 1}/{ours.turns}: {seconds[-1]:.2f} s", flush=True)
    rows = ours.bench(f"{folder}/start.snap", 20, 1)
    empty = idle(SCREE, "hash")
    return (f"{name:8} {rows[0]['bodies']:8} {statistics.median(seconds):8.2f} {f'[{min(seconds):.2f}, {max(seconds):.2f}]':>16} "
            f"{rows[0]['search_seconds']:8.2f} {rows[0]['bytes_per_body']:10.0f} "
            f"{(statistics.median(peaks) - empty) / rows[0]['bodies']:8.0f}")


def measure_all(ours, say):
    say("seconds of `scree run --steps 1`, one core, with the snapshot it writes; search: of the pairs, the first time; bytes a body")
    say(f"{'start':8} {'bodies':>8} {'seconds':>8} {'[lowest, highest]':>16} {'search':>8} {'allocated':>10} {'peak':>8}")
    for name in FILLS:
        say(measure(ours, name))
