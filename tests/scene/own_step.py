#!/usr/bin/python3
"""A run without run.step adapts to its contacts: it shortens its step if they need it, and reports this. Results are
bitwise the same for any number of threads and ranks, and after a stop. A given step is kept, and so is one that is
short enough."""
import json
import os
import re
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import command
import tap
from command import BOX
from tap import case

# a lid presses a pile, so that contacts become stiffer than at the start, and lets it go
PILE = """scene: 1
title: a pile of damped spheres under a lid that moves down and up
world: {gravity: [0, 0, -10 m/s^2]}
materials: {stone: {density: 1.9099 kg/m^3, young: 400 kPa, poisson: 0.25}}
contacts: {default: {law: hertz, restitution: %s, friction: 0.5}}
shapes: {ball: {sphere: 1}}
walls:
  room: {box: {min: [0 m, 0 m, 0 m], max: [3.3 m, 3.3 m, 20 m], open: [z_max]}, material: stone}
  lid: {plane: {point: [0 m, 0 m, 6 m], normal: [0, 0, -1]}, material: stone, motion: {vibration: {amplitude: [0, 0, -1 m], frequency: 0.5 Hz}}}
fill: [%s]
run: {until: %s s, guard: {overlap: 0}}
output: {history: {every: 0.1 s}}
"""
# positions take longer than the run, so that all runs begin with those of one
DENSE = "{region: {box: {min: [0 m, 0 m, 0 m], max: [3.3 m, 3.3 m, 6 m]}}, dense: true, count: 60, material: stone, shape: ball, size: 1 m}"
MOST = 0.01
SHORTER = re.compile("shortened|contacts need a shorter")


def write(name, restitution, until, fill="{name: rest, from: start/start.snap}"):
    path = "%s/%s.scene.yaml" % (BOX, name)
    with open(path, "w", encoding="utf-8") as out:
        out.write(PILE % (restitution, fill, until))
    return path


def run(path, to, *words, ranks=0):
    return command.call("run", path, "-o", "%s/%s" % (BOX, to), "--overwrite", *words, ranks=ranks)


def hash_of(done):
    found = re.search(r"^hash (\w+)", done.stdout, re.M)
    return found.group(1) if found else done.stderr


def history(name, to):
    return command.table("%s/%s/%s_history.csv" % (BOX, to, name))


def check_shortened(name, path):
    done = run(path, "one", "-t", "1")
    rows = history(name, "one")
    rise = rows[-1]["residual"] - min(r["residual"] for r in rows if r["time"] > rows[-1]["time"] - 1)
    lost = sum(rows[-1][k] - rows[0][k] for k in ("lost_normal", "lost_friction"))
    case("a damped pile comes to its end by its own step", done.returncode == 0, done.stderr)
    case("the step is shortened, while the run goes on", "contacts need a shorter one" in done.stdout, done.stdout)
    case("the closing lines say so", re.search(r"^step .* at the end, shortened from", done.stdout, re.M), done.stdout)
    case("no energy comes from nothing in the last second", rise < 1e-4 * lost, (rise, lost))
    case("no energy comes from nothing at all", abs(rows[-1]["residual"]) < MOST * lost, rows[-1])
    late = [abs(r["time"] - 0.1 * k) for k, r in enumerate(rows)]
    case("rows of the history are at their times", max(late) < 1e-3 and len(rows) == round(rows[-1]["time"] / 0.1) + 1, max(late))
    return hash_of(done), int(rows[-1]["step"])


def check_facts(path):
    """JSON and the report have the step, and the step before it was shortened only if that happened."""
    facts = step_of(path, "-t", "1")
    own, now = facts["guards"]["own_step"], facts["step_length"]
    case("the facts have both steps", 0 < now < own, (own, now))
    first = step_of(path, "--steps", "1")
    case("which are equal before", first["guards"]["own_step"] == first["step_length"] == own, first["guards"])
    for folder, wanted in (("one", 1), ("first", 0)):
        if folder == "first":
            run(path, "first", "--steps", "1")
        made = command.call("report", "%s/%s" % (BOX, folder))
        pages = [p for p in os.listdir("%s/%s" % (BOX, folder)) if p.endswith("report.html")]
        page = open("%s/%s/%s" % (BOX, folder, pages[0]), encoding="utf-8").read() if pages else made.stderr
        rows = re.findall("([0-9.e-]+) s, shortened from ([0-9.e-]+) s because contacts required it", page)
        case("the report %s" % ("has the row" if wanted else "has none before"), len(rows) == wanted, rows)
        if rows:
            case("with the steps of the facts", all(abs(float(a) / b - 1) < 1e-3 for a, b in zip(rows[0], (now, own))), rows)


def check_same(path, one, steps):
    case("two threads give the same bits", hash_of(run(path, "two", "-t", "2")) == one)
    for share in tap.part((0.8, 0.1, 0.5)):
        stopped = run(path, "stopped", "-t", "1", "--steps", str(int(share * steps)))
        case("a run stops after %.0f %% of its steps" % (100 * share), "stopped by --steps" in stopped.stdout, stopped.stdout + stopped.stderr)
        again = command.call("run", "--resume", "%s/stopped/pile.snap" % BOX, "-t", "1")
        case("and comes to the same bits", hash_of(again) == one, again.stdout[-400:] + again.stderr)
    if not tap.SHORT and shutil.which("mpirun") and "without MPI" not in command.call("run", "none", ranks=2).stderr:
        done = run(path, "ranks", "-t", "1", ranks=2)
        case("two ranks give the same bits", hash_of(done) == one, done.stdout[-600:] + done.stderr)


def step_of(path, *words):
    done = command.call("run", path, "-o", BOX + "/facts", "--overwrite", "--json", *words)
    return json.loads(done.stdout)


def check_given(path):
    """a step given in the scene is kept, however stiff contacts become"""
    own = step_of(path, "--steps", "1")["step_length"]
    given = step_of(path, "--steps", "1", "--set", "run.step=%r s" % own)
    case("the facts of a given step have no other", given["guards"]["own_step"] == 0 and given["step_length"] == own, given["guards"])
    done = run(path, "given", "-t", "1", "--set", "run.step=%r s" % own, "--set", "run.guard.energy=0")
    case("a step that is given is not shortened", not SHORTER.search(done.stdout), done.stdout)
    limit = re.search(r"^step +at (\d+) % of its stability limit", done.stdout, re.M)
    case("the closing lines say how near to its limit it came", limit and int(limit.group(1)) > 90, done.stdout)
    rows = history("pile", "given")
    case("and has the length that was given", abs(rows[-1]["time"] / rows[-1]["step"] - own) < 1e-9 * own, rows[-1])


def check_well_inside():
    """bodies that bounce: 1/50 of a contact is far within the limit, and stays unchanged"""
    path = write("bouncing", 0.9, 0.5)
    own = step_of(path)
    done = run(path, "own", "-t", "1")
    case("a step well inside its limit is not shortened", not SHORTER.search(done.stdout), done.stdout)
    given = run(path, "as_given", "-t", "1", "--set", "run.step=%r s" % own["step_length"])
    case("and gives the bits of the same step if it is given", hash_of(done) == hash_of(given), hash_of(given))


def main():
    run(write("start", 0.9, 0, DENSE), "start")
    path = write("pile", 0.05, 2.4)
    one, steps = check_shortened("pile", path)
    check_facts(path)
    check_same(path, one, steps)
    check_given(path)
    check_well_inside()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
