"""Whole runs by each way to compare triangles (seed 002, Algorithms 5 to 10): `./dev bench triangle_ways`, docs/theory/triangles.md.

Grains with a halo fall into a box with each of them, from the same start, alternately: the time per step, pairs of
triangles by the stage that decided, and the energy error. The default, `certified`, proves its distances.
"""
import csv
import re
import time

WAYS = {"certified": {}, "certified, float": {"triangle_precision": "float"}, "brute": {"triangles": "brute"},
        "brute, float": {"triangles": "brute", "triangle_precision": "float"}, "penalty": {"triangles": "penalty"},
        "hybrid": {"triangles": "hybrid"},
        **{f"hybrid/batch {n}": {"triangles": "hybrid/batch", "triangle_batch": n} for n in (8, 16, 32, 64)}}


def one(runs, folder, scene, keys):
    """steps, answers, contacts, energy from nowhere in % of what was lost, hash"""
    path = f"{folder}/ways.scene.yaml"
    with open(path, "w", encoding="utf-8") as out:
        out.write(scene)
    sets = [word for k, v in keys.items() for word in ("--set", f"run.{k}={v}")]
    text = runs.call([runs.scree, "run", path, "--threads", "1", "--overwrite", "-o", folder, *sets])
    steps = re.search(r"^done at .*, step (\d+), after", text, re.M)
    with open(f"{folder}/ways_history.csv", encoding="ascii") as rows:
        last = list(csv.DictReader(line for line in rows if not line.startswith("#")))[-1]
    by = re.search(r"^surfaces pairs.*Newton (\d+), brute force (\d+)", text, re.M)
    checks = re.search(r"residual (\S+) J and geometry (\S+) J of (\S+) J lost", text)
    made = 100 * (float(checks[1]) + float(checks[2])) / float(checks[3])
    return {"steps": int(steps[1]), "newton": int(by[1]), "brute": int(by[2]),
            "contacts": int(last["contacts"]), "made": made, "hash": re.search(r"^hash (\S+)", text, re.M)[1]}


def measure_all(runs, say):
    with open("bench/triangles.scene.yaml", encoding="utf-8") as text:
        scene = text.read()
    folder = runs.kept(scene)
    timed, found = {name: [] for name in WAYS}, {}
    for _ in range(runs.turns):
        for name, keys in WAYS.items():
            began = time.monotonic()
            found[name] = one(runs, folder, scene, keys)
            timed[name].append((time.monotonic() - began) / found[name]["steps"])
    say("way: us per step, the least of all turns; pairs answered by Newton and by brute force; contacts at the end; energy from nowhere, % of what was lost; hash")
    for name, row in found.items():
        say(f"  {name:16} {1e6 * min(timed[name]):8.1f}  {row['newton']:9} {row['brute']:9}  {row['contacts']:5}  {row['made']:8.3f} %  {row['hash']}")
