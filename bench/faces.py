"""Bodies with faces at rest, for each law that supports faces: `./dev bench faces [--beside PATH]`, PATH: another build
of scree.

  cubes       10,000 of edge 5 mm, 3.5 contacts each: the settled packing of polyhedra.py, which comes to rest again
  with each law
  hexagons    5,000 in the plane, bench/polygons2d.scene.yaml, and as many 24-gons

Both builds start from one table of bodies (cubes) or one lattice (polygons) and settle by themselves, since snapshots
differ between versions. Then they are measured alternately: ns per contact and per body, for a step without searches
for pairs (which depend on the speed of the fastest body). A ratio is the other build's median over ours: above 1, ours
is faster.
"""
import os
import re
import shutil
import statistics
import subprocess

import ours as figures_of
import polyhedra
from engines import fail

CUBES = 10000
REST = 0.005  # s, for the packing to settle with each law: a pressure wave crosses its ten layers in 1 to 2 ms
STEPS = 100
POWER = "power: {overlap: 1 cm, force: 1 kN, damping: 5 kg/s, exponent: 0.5, tangential: 0.4 kg/s}"
# equally soft at the overlaps of the packing, some micrometres
LAWS = {"linear": "stiffness: 2.5 kN/m, restitution: 0.3", "hertz": "restitution: 0.3", "power": POWER, "volume": "restitution: 0.3",
        "overlap": "restitution: 0.3"}


def cubes(law):
    text = polyhedra.scene_text(6, polyhedra.plane(0.0), "    from: bodies.csv", REST, "1e-6")
    text = re.sub(r"step: \S+ s, ", "", text)  # the default is what is known to be safe
    # laws of depth create energy when patches change form, and a packing at rest has hardly any to compare it with
    text = text.replace("overlap: 90 %", "overlap: 90 %, energy: 50 %")
    text = re.sub(r"contacts:\n.*?(?=shapes:)", f"contacts: {{default: {{law: {law}, friction: 0.154, {LAWS[law]}}}}}\n", text, flags=re.S)
    if law == "volume":  # older versions need it
        text = text.replace("run: {", "run: {narrow_phase: overlap-volume, ")
    return text.replace(f"density: {polyhedra.DENSITY} kg/m^3", f"density: {polyhedra.DENSITY} kg/m^3, young: 10 MPa, poisson: 0.3")


def polygons(corners):
    with open("bench/polygons2d.scene.yaml", encoding="utf-8") as text:
        return text.read().replace("corners: 6", f"corners: {corners}")


CASES = {**{f"cubes {law}": cubes(law) for law in LAWS}, "hexagons linear": polygons(6), "24-gons linear": polygons(24)}


class Build:
    """one of the two programs"""

    def __init__(self, name, scree, runs):
        self.name, self.scree, self.runs = name, scree, runs

    def settle(self, case, scene, table):
        """the snapshot, or None if this version does not accept the scene (it does not have the law)"""
        folder = self.runs.kept(scene, "faces", self.scree, self.name)
        snapshot = f"{folder}/rest.snap"
        if subprocess.run([self.scree, "hash", snapshot], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0:
            return snapshot
        print(f"making the packing of {case} ({self.name}) ...", flush=True)
        with open(f"{folder}/rest.scene.yaml", "w", encoding="ascii") as out:
            out.write(scene)
        if "from: bodies.csv" in scene:
            shutil.copy(table(), f"{folder}/bodies.csv")
        making = f"{folder}/making"
        shutil.rmtree(making, ignore_errors=True)  # older versions have no --overwrite
        done = subprocess.run([self.scree, "run", f"{folder}/rest.scene.yaml", "--quiet", "-o", making],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode == 2:
            print(f"{self.name} does not take {case}:\n{done.stdout}", flush=True)
            return None
        if done.returncode:
            fail(f"{self.scree} could not settle {case} ({done.returncode}):\n{done.stdout[-2000:]}")
        os.replace(f"{making}/rest.snap", snapshot)
        return snapshot

    def measure(self, snapshot):
        text = self.runs.call([self.scree, "bench", snapshot, "--steps", str(STEPS), "--threads", "1"])
        row = figures_of.figures(text)
        ns = 1e9 * (row["seconds_per_step"] - row["stages"]["broad"])
        return {"contact": ns / row["contacts"], "body": ns / row["bodies"], "contacts": row["contacts"] / row["bodies"],
                "bytes": row["bytes_per_body"]}


def table_of_cubes(runs):
    """made once, by our build, with the law power"""
    folder = runs.kept("faces: table of cubes", str(CUBES))
    path = f"{folder}/bodies.csv"
    if not os.path.isfile(path):
        polyhedra.Polyhedra(runs).table_of_copies(6, False, CUBES, path + ".making", False)
        os.replace(path + ".making", path)
    return path


def measure_case(runs, builds, case, say):
    snapshots = {b: b.settle(case, CASES[case], lambda: table_of_cubes(runs)) for b in builds}
    rows = {b: [] for b in builds if snapshots[b]}
    for turn in range(runs.turns):
        for b, mine in rows.items():
            mine.append(b.measure(snapshots[b]))
            print(f"  {case} turn {turn + 1}/{runs.turns} {b.name}: {mine[-1]['contact']:.1f} ns a contact", flush=True)
    middle = {b: {k: statistics.median(r[k] for r in mine) for k in mine[0]} for b, mine in rows.items()}
    for b, m in middle.items():
        spread = f"[{min(r['contact'] for r in rows[b]):.1f}, {max(r['contact'] for r in rows[b]):.1f}]"
        say(f"{case:16} {b.name:7} {m['contacts']:13.3f} {m['contact']:11.1f} {spread:>18} {m['body']:13.1f} {m['bytes']:10.0f}")
    if len(middle) == 2:
        mine, other = middle.values()
        say(f"ratio faces/{case} {other['contact'] / mine['contact']:.3f} a contact, {other['body'] / mine['body']:.3f} a body and step")


def measure_all(runs, say):
    builds = [Build("scree", runs.scree, runs)] + ([Build("beside", runs.beside, runs)] if runs.beside else [])
    say("ns: of a step without searches, one core; a body: a body and step")
    say(f"{'faces':16} {'':7} {'contacts/body':>13} {'ns a contact':>12} {'[lowest, highest]':>17} {'ns a body':>13} {'bytes/body':>10}")
    for case in CASES:
        measure_case(runs, builds, case, say)
