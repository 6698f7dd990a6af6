#!/usr/bin/env python3
# needs:
"""tools/clocks: the page of a file of jobs says which goals are met; stopped runs do not count in its means, and
responses without a run have no goal"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(root, "tests"))
from tap import case, end  # noqa: E402

FLOW, FLOOR = "flow rate (beads/s)", "floor load / weight"


def job(name, response, seed, quantity, value, code=0):
    return {"case": name, "response": response, "seed": seed, "code": code, "cpu": 10.0 * seed, "simulated": 1.0, "unsolved": None,
            "values": {quantity: value}, "why": ""}


def page_of(box, rows, *words):
    """(exit code, page, output) of these jobs"""
    with open(box + "/jobs.jsonl", "w", encoding="utf-8") as out:
        out.writelines(json.dumps(r) + "\n" for r in rows)
    done = subprocess.run([box + "/tools/clocks", *words, "--table", box + "/jobs.jsonl"], capture_output=True, text=True, check=False)
    with open(box + "/docs/clocks.md", encoding="utf-8") as page:
        return done.returncode, page.read(), done.stdout + done.stderr


def line_of(page, start):
    return next((s for s in page.splitlines() if s.startswith("| %s |" % start)), "")


with tempfile.TemporaryDirectory() as box:
    for folder in ("tools", "docs"):
        os.mkdir(box + "/" + folder)
    shutil.copy(root + "/tools/clocks", box + "/tools/")
    flow = [job("trough", "forces", 1, FLOW, 99), job("trough", "forces", 2, FLOW, 101)]
    code, page, said = page_of(box, flow + [job("trough", "implicit", 1, FLOW, 104.9), job("trough", "hard", 1, FLOW, 105.1)])
    line = line_of(page, FLOW)
    case("a mean within 5 % keeps its goal", "implicit: forces +- 5 %, known to 1.7: kept;" in line, line)
    case("and one beyond it does not", line.endswith("hard: forces +- 5 %, known to 1.7: **not kept** |"), line)
    case("the head counts both", "Goals with values: 1 kept, 1 not kept, 0 unclear." in page, page)
    case("a goal that is not kept gives 1", code == 1 and "1 goals not kept" in said, said)

    # means of 100 and 107 over runs 10 apart: the error of the difference is the root of 2 * 10^2/2/2 = 7.1
    rows = [job("trough", "forces", 1, FLOW, 95), job("trough", "forces", 2, FLOW, 105), job("trough", "implicit", 1, FLOW, 102),
            job("trough", "implicit", 2, FLOW, 112)]
    line = line_of(page_of(box, rows)[1], FLOW)
    case("a mean beyond the goal by less than twice its error is unclear", "known to 7.1: **unclear**" in line, line)
    case("the spread is the standard deviation of a run", "| 100 +- 7.1 | 107 +- 7.1 | - |" in line, line)

    stopped = [job("trough", "implicit", 1, FLOW, 104.9), job("trough", "implicit", 2, FLOW, 1e6, code=5)]
    _, page, _ = page_of(box, flow + stopped)
    case("a run that was stopped has no part in the mean", "| 100 +- 1.4 | 104.9 | - |" in line_of(page, FLOW), page)
    case("nor in the cost", line_of(page, "CPU s of a run") == "| CPU s of a run | 15 +- 7.1 | 10 | - | |", page)
    case("but is counted, and said", "| 2 of 2 | 1 of 2 | - |" in page and "- implicit, seed 2: stopped by a time limit at 1 s" in page, page)
    case("a response without a run has no goal", "hard:" not in line_of(page, FLOW) and "1 kept, 0 not kept, 0 unclear" in page, page)

    rows = [job("column", "forces", 1, FLOOR, 0.5), job("column", "forces", 1, FLOOR, 0.6), job("column", "implicit", 1, FLOOR, 0.6)]
    line = line_of(page_of(box, rows)[1], FLOOR)
    case("of a job that has two lines, the last one counts", line.startswith("| %s | 0.6 | 0.6 |" % FLOOR), line)
    case("a note stands on the page", "\n\n## Origin of the values\n\nfrom another machine\n" in page_of(box, rows, "--note", "from another machine")[1])
    case("single runs by forces give no error", line.endswith("implicit: forces +- 6 %: kept |"), line)
sys.exit(end())
