"""Simulated seconds per second of packings at rest, with forces, implicit steps and hard contacts: `./dev bench
clocks`.

The packings of settle3d, cubes3d and polygons2d settle in long steps and are stored. Each response then continues from
there, in turn. For spheres there is also the time per contact and sweep.
"""
import os
import re
import statistics

import spheres

RESPONSES = ("forces", "implicit", "hard")
# scene next to this file, response with which it settles, seconds until it rests, steps per turn of each response
CASES = (("settle3d", "implicit", "20 s", (300, 20, 20)), ("cubes3d", "implicit", "6 s", (300, 20, 20)),
         ("polygons2d", "implicit", "30 s", (1000, 50, 50)))
FILL = re.compile(r"^fill:\n(?:[ #].*\n|\n)+", re.M)
RUN = re.compile(r"^run:\n(?:[ #].*\n|\n)+", re.M)


def by(text, response, until):
    """the scene with another response and its usual step"""
    return RUN.sub(f"run: {{until: {until}, response: {response}}}\n", text)


def simulated(ours, snapshot, steps):
    """simulated seconds per second of CPU time, which other programs on the machine affect less than wall time"""
    text = ours.call([ours.scree, "bench", snapshot, "--steps", str(steps), "--threads", "1"])
    per_wall, wall, processor = (float(re.search(rf"\b{key} (\S+)", text).group(1))
                                 for key in ("simulated_per_wall_second", "seconds", "processor_seconds"))
    return per_wall * wall / processor


def settled(ours, folder, name, text, response, until):
    snapshot = f"{folder}/{name}_rest.snap"
    return snapshot if os.path.exists(snapshot) else ours.run(folder, f"{name}_rest", by(text, response, until))


def continued(ours, folder, name, text, rest):
    """a snapshot of each response, some steps after the packing; hard contacts have smaller overlaps, and settle again"""
    fill = f"fill:\n  - {{name: rest, from: {os.path.basename(rest)}}}\n\n"
    text = FILL.sub(fill, text)
    return [ours.run(folder, f"{name}_{r}", by(text, r, "1000 s"), "--steps", n) for r, n in zip(RESPONSES, ("50", "50", "600"))]


def measure(ours, say, name, response, until, steps):
    with open(f"{os.path.dirname(os.path.abspath(__file__))}/{name}.scene.yaml", encoding="ascii") as scene:
        text = scene.read()
    folder = ours.kept(text, "clocks " + until)
    if name == "settle3d":
        spheres.write_lattice(f"{folder}/settle3d.csv")
    starts = continued(ours, folder, name, text, settled(ours, folder, name, text, response, until))
    rows = [[] for _ in RESPONSES]
    for _ in range(ours.turns):
        for row, start, n in zip(rows, starts, steps):
            row.append(simulated(ours, start, n))
    speeds = [statistics.median(r) for r in rows]
    say(f"{name:11}" + "".join(f"{s:12.4g}" for s in speeds) + "".join(f"{s / speeds[0]:10.1f}" for s in speeds[1:]))
    if name == "settle3d":
        say(ours.call(["build/bench/bench/bench_sweeps", starts[RESPONSES.index("implicit")]]).strip())


def measure_all(ours, say):
    say("simulated seconds per second of processor time, packings at rest; ratios to forces")
    say(f"{'scene':11}" + "".join(f"{r:>12}" for r in RESPONSES) + "".join(f"{r:>10}" for r in RESPONSES[1:]))
    for case in CASES:
        measure(ours, say, *case)
