"""Number of contacts that Algorithm 1 of Govender et al. (2014) calls edge-edge: `./dev bench edges`, docs/seeds.md
(row S1.35; its Fig. 33).

The algorithm itself creates more energy than falls into the drum. So cubes move with the standard narrow phase and the
constants of Table 2; every 10 ms their state is examined for one step by Algorithm 1, as meant and as printed, and by
the standard one.
"""
import csv
import re

SCENES = {"packing": ("govender2014_packing", {"run.until": "0.13 s"}),
          "drum, no push": ("govender2014_drum", {"until": "0.3 s", "vx": "0 m/s"}),
          "drum, 0.2 cm/s": ("govender2014_drum", {"until": "0.3 s", "vx": "2 mm/s"})}
BY = ("separating-plane/govender2015", "separating-plane/govender2015/printed", "separating-plane")
COLUMNS = ["x", "y", "z", "qw", "qx", "qy", "qz", "size", "shape"]
LOOK = """fill: [{from: state.csv, material: stone}]
run: {until: 0.1 us, step: 0.1 us, guard: {overlap: 0}}
output: {history: {every: 0.1 us}}
"""


def states(path):
    """the rows of the table of bodies, one output time after another"""
    moments = {}
    with open(path, encoding="ascii") as rows:
        for row in csv.DictReader(line for line in rows if not line.startswith("#")):
            moments.setdefault(float(row["time"]), []).append(row)
    return moments


def looked_at(runs, folder, scene, bodies, by):
    """contacts by faces and by edges"""
    with open(f"{folder}/state.csv", "w", encoding="ascii") as out:
        table = csv.DictWriter(out, COLUMNS, extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        table.writerows(bodies)
    runs.run(folder, "look", re.sub(r"^fill:.*", LOOK, scene, flags=re.M | re.S), "--set", f"run.narrow_phase={by}")
    with open(f"{folder}/look_history.csv", encoding="ascii") as rows:
        last = list(csv.DictReader(line for line in rows if not line.startswith("#")))[-1]
    return int(last["contacts_face"]), int(last["contacts_edge"])


def measure_all(runs, say):
    for name, (file, sets) in SCENES.items():
        with open(f"verify/scenes/{file}.scene.yaml", encoding="utf-8") as text:
            scene = text.read()
        folder = runs.kept(scene + str(sets))
        sets = {**sets, "run.narrow_phase": "separating-plane", "run.step": "10 us", "output": "{bodies: {every: 10 ms}, history: {every: 1 ms}}"}
        runs.run(folder, "moved", scene, *[word for key, value in sets.items() for word in ("--set", f"{key}={value}")])
        say(f"{name}: time, contacts that Algorithm 1 sees, % of them edge-edge; as printed; by the standard narrow phase")
        for time, bodies in states(f"{folder}/moved_bodies.csv").items():
            seen = [looked_at(runs, folder, scene, bodies, by) for by in BY]
            if sum(seen[0]) >= 100:
                say(f"  {time:.2f} s  {sum(seen[0]):5}  {'  '.join('%5.1f' % (100 * edge / (face + edge)) for face, edge in seen)}")
