#!/usr/bin/python3
"""--json: each verb that prints facts prints exactly one object to the standard output; its members are those of
docs/json.md, with the values that the verb prints as text. Refused scenes give their problems."""
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

NUMBER = (int, float)


def call(*words, ranks=0):
    done = command.call(*words, ranks=ranks)
    try:
        return done, json.loads(done.stdout)
    except json.JSONDecodeError as wrong:
        return done, {"no JSON": str(wrong) + done.stdout}


def documented(verb):
    """the members of a verb: the first column of its table"""
    text = open("docs/json.md", encoding="utf-8").read()
    part = re.search(r"^## `%s`\n(.*?)(?=^## |\Z)" % verb, text, re.M | re.S).group(1)
    return [name for row in re.findall(r"^\| (`.*?) \|", part, re.M) for name in re.findall(r"`([a-z_]+)`", row)]


def check_members(name, section, found, left_out=(), verb=None):
    wanted = {"scree", "verb"} | set(documented(section)) - set(left_out)
    case("%s: the members of docs/json.md" % name, set(found) == wanted, sorted(set(found) ^ wanted))
    case("%s: verb" % name, found.get("verb") == (verb or section), found)


def check_language():
    text = command.call("list").stdout
    done, all_ = call("list", "--json")
    check_members("list", "list", all_)
    rows = [(r["name"], r["help"]) for rows in all_["tables"].values() for r in rows]
    case("list: all rows of the text", len(rows) == len(re.findall("^  ", text, re.M)) and all(n and h for n, h in rows), rows[:3])
    done, one = call("list", "laws", "--json")
    case("list: one table", list(one["tables"]) == ["laws"] and one["tables"]["laws"][0]["name"] == "linear", one)
    done, one = call("list", "nonsense", "--json")
    case("list: an unknown table is refused", done.returncode == 2 and "there is no table" in done.stderr, done.stderr)
    done, one = call("explain", "run.guard.overlap", "--json")
    check_members("explain", "explain", one)
    case("explain: value and default", one["default"] == "50 %" and one["value"].startswith("number") and one["needed"] is False, one)
    done, one = call("explain", "output.history", "--json")
    case("explain: keys within", [k["name"] for k in one["keys"]] == ["every", "values", "active"], one)
    done, one = call("explain", "output.history.every", "--json")
    case("explain: a needed key", one["needed"] is True and one["default"] is None, one)
    done, one = call("explain", "fx", "--json")
    check_members("explain", "explain", one)
    case("explain: columns", [(c["table"], c["unit"]) for c in one["columns"]] == [("bodies", "N"), ("walls", "N"), ("contacts", "N")], one)
    case("explain: a column alone", one["help"] is None and one["value"] is None and one["keys"] == [], one)
    done, one = call("explain", "contacts", "--json")
    case("explain: a key and a column", one["columns"][0]["table"] == "history" and one["keys"][0]["name"] == "law"
         and not any("Columns" in line for line in one["rules"]), one)
    done, one = call("explain", "--json")
    case("explain: keys at the top", {"world", "run", "output"} <= {k["name"] for k in one["keys"]} and one["key"] == "", one)


def check_scenes(scene):
    done, good = call("check", scene, "--json")
    check_members("check", "check", good, ["code", "sentence"])
    case("check: title, bodies, walls", good["title"] == 'Quotes " and a backslash \\ and \u00b5' and good["bodies"] == 4
         and good["walls"] == ["floor"] and good["valid"] is True and good["until"] == 0.02, good)
    done, bad = call("check", scene, "--json", "--set", "contacts.default.friction=-1", "--set", "rum=1")
    case("check: problems of a scene", done.returncode == 2 and bad["valid"] is False and bad["code"] == 2 and len(bad["problems"]) == 2
         and all(p["sentence"] and isinstance(p["line"], int) for p in bad["problems"]), bad)
    case("check: and on the standard error in words", "error:" in done.stderr)
    done, bad = call("compare", scene + ".none", "--json")
    case("compare: a scene that is not there", done.returncode == 2 and bad.get("valid") is False and bad["problems"], bad)
    done, none = call("run", "--json")
    case("run: without a scene", done.returncode == 2 == none["code"] and "scene file" in none["sentence"], none)
    done, bad = call("run", BOX + "/none.scene.yaml", "--json")
    case("run: a scene that is not there", done.returncode == 2 and bad["valid"] is False and bad["verb"] == "run", bad)


def check_usage(scene):
    """calls that are refused before their verb begins"""
    for name, words, verb, sentence in (
            ("no words", ["check", "--json"], "check", "usage: "),
            ("too many words", ["hash", "a", "b", "--json"], "hash", "usage: "),
            ("an unknown option before it", ["run", "--nonsense", scene, "--json"], "run", "no such option"),
            ("an unknown option behind it", ["run", "--json", scene, "--nonsense"], "run", "no such option"),
            ("a value that is none", ["run", scene, "--threads", "none", "--json"], "run", "--threads needs a whole number"),
            ("an option of another verb", ["check", scene, "--json", "--steps", "3"], "check", "--steps is for scree"),
            ("an unknown verb", ["nonsense", "--json"], None, "no such command: 'nonsense'")):
        done, facts = call(*words)
        case("usage: " + name, done.returncode == 2 == facts.get("code") and set(facts) == {"scree", "verb", "code", "sentence"}
             and facts["verb"] == verb and facts["sentence"].startswith(sentence) and facts["sentence"] in done.stderr, facts)
    done = command.call("manual", "--json")
    case("usage: no facts of a verb that has none", done.returncode == 2 and done.stdout == "" and done.stderr, done.stdout)


def check_runs(scene):
    done, run = call("run", scene, "--json", "-o", BOX + "/a")
    check_members("run", "run", run)
    case("run: done", run["end"] == "done" and run["code"] == 0 and run["sentence"] is None and abs(run["time"] - 0.02) < 1e-4, run)
    text = done.stderr
    case("run: the words are on the standard error, with the same hash", "hash " + run["hash"] in text, text)
    row = command.table(BOX + "/a/box_history.csv")[-1]
    case("run: energies are those of the history", all(row[k] == run["energies"][k] or
         abs(row[k] - run["energies"][k]) < 1e-12 * abs(run["energies"][k]) for k in ("kinetic", "potential", "lost_normal")), run["energies"])
    case("run: files are there", {f["kind"] for f in run["files"]} == {"snapshot", "history"} and all(os.path.exists(f["path"]) for f in run["files"]), run["files"])
    done, part = call("run", scene, "--json", "-o", BOX + "/b", "--set", "run.guard.speed=0.05 m/s")
    case("run: stopped by a guard", done.returncode == 3 == part["code"] and part["end"] == "guard" and "speed" in part["sentence"]
         and part["guards"]["stopped"] is True and part["guards"]["speed_limit"] == 0.05, part)
    done, part = call("run", scene, "--json", "-o", BOX + "/three", "--steps", "3")
    case("run: stopped by --steps", done.returncode == 0 == part["code"] and part["end"] == "stopped" and part["steps"] == 3
         and part["sentence"] == "stopped by --steps" and part["time"] < part["until"], part)
    snap = BOX + "/a/box.snap"
    done, state = call("hash", snap, "--json")
    check_members("hash", "hash", state)
    case("hash: that of the run", state["hash"] == run["hash"] and state["steps"] == run["steps"], state)
    done, bad = call("hash", scene, "--json")
    case("hash: no snapshot", done.returncode == 2 and bad["valid"] is False and bad["problems"], bad)
    done, speed = call("bench", snap, "--json", "--steps", "50")
    check_members("bench", "bench", speed, ["collisions", "per_step"])
    case("bench: numbers", speed["steps"] == 50 and speed["bodies"] == 4 and speed["particle_steps_per_second"] > 0
         and isinstance(speed["shares"]["law"], NUMBER), speed)
    case("bench: time of the processor", 0 < speed["processor_seconds"] < 60, speed)
    if shutil.which("mpirun") and "without MPI" not in call("run", "none", ranks=2)[0].stderr:
        done, many = call("run", scene, "--json", "-o", BOX + "/c", ranks=2)
        case("run on ranks: one object, with the same hash", many.get("hash") == run["hash"] and many["ranks"] == 2
             and many["energies"] == run["energies"], done.stdout + done.stderr)
    check_made(snap, state)
    check_tables(run)
    check_reports(run, state)
    check_sweeps(scene)
    done, other = call("compare", scene, "--json", "--response", "forces")
    case("compare: version and verb", other["verb"] == "compare" and other["runs"][0]["response"] == "forces", other)


def check_made(snap, state):
    """files of the state of a snapshot: render, export"""
    for verb, what, path in (("render", "picture", BOX + "/a.png"), ("export", "mesh", BOX + "/a.vtp")):
        done, made = call(verb, snap, "--json", "-o", path)
        drawn = done.returncode == 0
        if verb == "render" and not drawn:  # a build without Embree
            case("render: refused with a sentence", made["code"] == done.returncode and made["sentence"], made)
            continue
        check_members(verb, "render`, `export", made, {"picture", "mesh"} - {what}, verb)
        case("%s: the state of the snapshot, and the file" % verb, made["hash"] == state["hash"] and made["file"] == snap
             and made[what] == path and os.path.getsize(path) > 0, made)
    done, bad = call("render", snap, "--json", "--set", "output.images.colour=size")
    case("render: problems of --set", done.returncode == 2 and bad["problems"][0]["sentence"] and bad["file"] == snap, bad)
    done, bad = call("export", snap, "--json", "-o", BOX + "/a.stl")
    case("export: a failure is its code and sentence", done.returncode == 2 == bad["code"] and "VTP" in bad["sentence"]
         and bad["verb"] == "export" and bad["sentence"] in done.stderr, bad)
    done, bad = call("run", "--resume", snap, "--json", "--set", "rum=1")
    case("run: problems of --set of a resume", done.returncode == 2 and bad["valid"] is False and bad["problems"], bad)


def check_tables(run):
    done, all_ = call("plot", BOX + "/a", "--json")
    check_members("plot", "plot", all_)
    rows = command.table(BOX + "/a/box_history.csv")
    names = list(rows[0])
    case("plot: all columns of the history", [c["name"] for c in all_["columns"]] == names[1:] and "time" not in all_["columns"][0], all_)
    kinetic = next(c for c in all_["columns"] if c["name"] == "kinetic")
    case("plot: the last value is that of the run", abs(kinetic["last"] / run["energies"]["kinetic"] - 1) < 1e-12 and kinetic["unit"] == "J"
         and kinetic["rows"] == 21, kinetic)
    done, one = call("plot", BOX + "/a", "kinetic", "max_overlap", "--json", "-o", BOX + "/a.svg")
    case("plot: values of chosen columns", [c["name"] for c in one["columns"]] == ["kinetic", "max_overlap"]
         and one["columns"][0]["time"] == [r["time"] for r in rows] and one["columns"][1]["values"] == [r["max_overlap"] for r in rows]
         and one["columns"][0]["greatest"] == max(r["kinetic"] for r in rows), one)
    case("plot: the picture", one["picture"] == BOX + "/a.svg" and "<svg" in open(BOX + "/a.svg").read(), one["picture"])
    done, bad = call("plot", BOX + "/a", "speed_of_light", "--json")
    case("plot: an unknown column", done.returncode == 2 == bad["code"] and "max_overlap" in bad["sentence"], bad)
    done, bad = call("plot", BOX + "/nothing", "--json")
    case("plot: no run", done.returncode == bad["code"] != 0 and bad["sentence"], bad)


def check_reports(run, state):
    done, report = call("report", BOX + "/a", "--json")
    check_members("report", "report", report)
    same = {name: report["snapshot"][name] for name in state if name not in ("scree", "verb", "file")}
    case("report: the state", report["state"] == "done" and same == {k: state[k] for k in same} and report["sentence"] is None
         and report["snapshot"]["energies"] == run["energies"] and report["snapshot"]["file"] == BOX + "/a/box.snap", report)
    case("report: the file, its columns", os.path.getsize(report["report"]) > 1000 and report["columns"] == len(
        call("plot", BOX + "/a", "--json")[1]["columns"]) and report["pictures"] == 0, report)
    done, report = call("report", BOX + "/b", "--json")
    case("report: of a run that a guard has stopped", report["state"] == "guard" and int(report["snapshot"]["hash"], 16)
         and report["snapshot"]["guards"]["stopped"] is True, report)
    open(BOX + "/b/box.stopped.snap", "w").write("broken")
    done, report = call("report", BOX + "/b", "--json")
    case("report: of a snapshot that is broken", report["state"] == "unknown" and report["sentence"] and report["snapshot"] is None, report)


def check_sweeps(scene):
    words = ("sweep", scene, "--json", "-o", BOX + "/s", "--set", "contacts.default.friction=0.1,0.2", "--set", "run.until=5 ms",
             "--statistics", "last,max")
    done, sweep = call(*words)
    check_members("sweep", "sweep", sweep)
    lines = [line.split(",") for line in open(sweep["table"]).read().splitlines() if not line.startswith("#")]
    table = [dict(zip(lines[0], row)) for row in lines[1:]]
    case("sweep: values and ends of the table", [r["values"] for r in sweep["runs"]] == [
        {"contacts.default.friction": mu, "run.until": "5 ms"} for mu in ("0.1", "0.2")] and sweep["keys"] == list(
            sweep["runs"][0]["values"]) and [r["hash"] for r in sweep["runs"]] == [r["hash"] for r in table]
         and all(r["end"] == "done" and r["code"] == 0 and os.path.isdir(r["folder"]) for r in sweep["runs"]), sweep)
    case("sweep: results of the table", len(sweep["runs"][0]["results"]) > 9 and all(
        found == float(row[name]) or abs(found - float(row[name])) < 1e-14 * abs(found)
        for run, row in zip(sweep["runs"], table) for name, found in run["results"].items() if found is not None), sweep["runs"])
    case("sweep: words on the standard error", "done after" in done.stderr and "table     " in done.stderr, done.stderr)
    done, again = call(*words)
    for each in sweep["runs"] + again["runs"]:
        each["seconds"] = int(each["seconds"])  # the record has three digits of it
    case("sweep: the same again", done.returncode == 0 and again == sweep, again)
    done, bad = call(*words[:-4], "--set", "run.until=4:5:1x")
    case("sweep: a wrong scene gives its problems", done.returncode == 2 and bad["valid"] is False and bad["problems"], bad)
    done, bad = call(*words[:3], "-o", BOX + "/s2", "--set", "friction")
    case("sweep: wrong values give a sentence", done.returncode == 2 == bad["code"] and "KEY=VALUE" in bad["sentence"], bad)
    done, part = call(*words[:4], BOX + "/s3", "--set", "run.guard.speed=0.05 m/s,10 m/s")
    case("sweep: the worst end", done.returncode == 3 == part["code"] and [r["end"] for r in part["runs"]] == ["guard", "done"], part)


beads = command.write_beads("box", '"Quotes \\" and a backslash \\\\ and \u00b5"', "run: {until: 20 ms}\noutput: {history: {every: 1 ms}}\n")
check_language()
check_scenes(beads)
check_usage(beads)
check_runs(beads)
sys.exit(tap.end())
