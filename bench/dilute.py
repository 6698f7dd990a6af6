"""The scaling scene of Iglberger and Rüde (2009), Figs. 7 and 8: `./dev bench dilute`. Spheres with random velocities in a closed box
without gravity, 1 % of it solid, from a uniform grid; time per step against their number, for several broad phases.

The paper does not print radius, speed, step, restitution and friction. The values are those of the example mpinano of pe 0.3: radius
0.5 m, each component of a velocity within 0.02 m/s, steps of 0.01 s; and restitution 1. The response is `elastic`, so without friction.

  each    a search in every step (run.skin: 0), as in pe
  kept    the same, with the usual skin: a list of pairs lasts for many steps
  far     steps of 1 s, with the usual skin: a sphere moves by up to 0.035 diameters per step and collides about twice in 1,000 steps

CPU time per step, the least of the turns, over up to 1,000 steps; slow broad phases take fewer. Before these come steps
that are not counted: 10, in which grids of many levels settle, and in `far` another 300, until the spheres have left
the grid. The exponent p is that of the least-squares fit t = c N^p in logarithms, over all N and over N of at least
27,000.
"""
import math
import random
import re
import resource

SIDES = (10, 20, 30, 40, 60)
PITCH = (math.pi / 6 / 0.01) ** (1 / 3)  # of diameters: 1 % solid
SPEED = 0.02
PHASES = ("sweep", "sweep/once", "grid", "slots/cells", "levels/regular")
# keys of the run, and steps before the snapshot
KINDS = {"each": ("step: 0.01 s, skin: 0 m", 1), "kept": ("step: 0.01 s", 1), "far": ("step: 1 s", 300)}
WARM, FEWEST_STEPS, MOST_STEPS = 10, 5, 1000
BUDGET = 0.5  # s of CPU time: a measurement takes more steps until it is longer

SCENE = """scene: 1
title: {count} spheres of pe's scaling scene
world: {{gravity: [0, 0, 0]}}
materials: {{stone: {{density: 2500 kg/m^3}}}}
contacts: {{default: {{restitution: 1}}}}
shapes: {{ball: {{sphere: 1}}}}
walls: {{room: {{box: {{min: [0, 0, 0], max: [{edge} m, {edge} m, {edge} m]}}, material: stone}}}}
fill:
  - {{material: stone, shape: ball, size: 1 m, from: bodies.csv}}
run: {{until: 1e6 s, response: elastic, broad_phase: {broad}, {step}}}
"""


def write_bodies(path, side):
    draw = random.Random(103)
    with open(path, "w", encoding="ascii") as out:
        out.write("x,y,z,vx,vy,vz\n")
        for n in range(side ** 3):
            at = [PITCH * (c + 0.5) for c in (n % side, n // side % side, n // side ** 2)]
            out.write(",".join(f"{v:.9g}" for v in at + [draw.uniform(-SPEED, SPEED) for _ in at]) + "\n")


def snapshot(ours, side, broad, step, steps):
    scene = SCENE.format(count=side ** 3, edge=f"{PITCH * side:.9g}", broad=broad, step=step)
    folder = ours.kept(scene, "dilute 103")
    write_bodies(f"{folder}/bodies.csv", side)
    return ours.run(folder, "dilute", scene, "--steps", str(steps))


def processor_time(ours, path, steps):
    """seconds of these steps and of reading the snapshot, and the output of the bench"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = ours.call([ours.scree, "bench", path, "--steps", str(steps), "--threads", "1"])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, text


def measure(ours, path):
    """seconds per step, and collisions per step"""
    steps, (short, _), (long, text) = FEWEST_STEPS, processor_time(ours, path, WARM), (0, "")
    while steps < MOST_STEPS and long - short < BUDGET:
        steps = min(4 * steps, MOST_STEPS)
        long, text = processor_time(ours, path, WARM + steps)
    for _ in range(ours.turns - 1):
        short = min(short, processor_time(ours, path, WARM)[0])
        seconds, text = processor_time(ours, path, WARM + steps)
        long = min(long, seconds)
    return (long - short) / steps, float(re.search(r"^collisions .* per_step (\S+)", text, re.M).group(1))


def exponent(times):
    """p of t = c N^p; times: N and t"""
    x, y = [math.log(n) for n, _ in times], [math.log(t) for _, t in times]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def measure_all(ours, say):
    say("ms of the processor per step, one core; p: t = c N^p over all N, and over N >= 27,000")
    for kind, (step, before) in KINDS.items():
        say(f"{kind:16}" + "".join(f"{side ** 3:>10}" for side in SIDES) + "        p  p large")
        for broad in PHASES:
            rows = [(side ** 3, *measure(ours, snapshot(ours, side, broad, step, before))) for side in SIDES]
            times = [(n, t) for n, t, _ in rows]
            say(f"{broad:16}" + "".join(f"{1e3 * t:10.4g}" for _, t in times) +
                f"{exponent(times):9.2f}{exponent(times[-3:]):9.2f}")
            if broad == "grid":
                collisions = [hits for _, _, hits in rows]
        say(f"{'collisions/step':16}" + "".join(f"{hits:10.3g}" for hits in collisions))
