#!/usr/bin/python3
"""the example of README is right: a scene that is accepted unchanged and whose stones stay in their box; and every
figure of README's table is in bench/RESULTS.md"""
import csv
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import case

SCREE = os.environ.get("SCREE", "build/test/scree")


def scree(*words):
    return subprocess.run([SCREE, *words], capture_output=True, text=True)


def example(text, out):
    scenes = re.findall(r"^```yaml\n(.*?)^```", text, re.M | re.S)
    case("there is one scene", len(scenes) == 1, len(scenes))
    path = out + "/stones.scene.yaml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(scenes[0])
    done = scree("check", path)
    case("it is accepted", done.returncode == 0, done.stderr)
    # until the stones have met floor and walls; without pictures and frames, to save time
    done = scree("run", path, "-o", out + "/o", "--quiet", "--set", "run.until=%s s" % (0.15 if tap.SHORT else 0.25), "--set",
                 "output={bodies: {every: 50 ms}}")
    case("it runs", done.returncode == 0, done.stderr)
    with open(out + "/o/stones_bodies.csv", encoding="ascii") as file:
        rows = [r for r in csv.DictReader(line for line in file if not line.startswith("#"))]
    last = [r for r in rows if r["time"] == rows[-1]["time"]]
    inside = all(abs(float(r[a])) < 0.05 for r in last for a in "xy") and all(0 < float(r["z"]) < 0.2 for r in last)
    case("all 200 stones are in the box", len(last) == 200 and inside, len(last))
    case("and have fallen", max(float(r["z"]) for r in last) < 0.13, max(float(r["z"]) for r in last))
    for words in re.findall(r"^scree (explain \S+|schema)", text, re.M):
        case("scree %s" % words, scree(*words.split()).returncode == 0)


def recorded(block, wanted, part):
    """Tests whether one record has both speeds, in millions, and their ratio."""
    numbers = [float(v) for v in re.findall(r"(?<![\w.])\d+\.?\d*e[+-]\d+", block)]
    ratios = [float(v) for v in re.findall(r"^ratio \S+ ([\d.]+)", block, re.M)]
    return (all(any(abs(n / 1e6 - w) < 0.006 * w + 0.0051 for n in numbers) for w in wanted)
            and any(abs(r - part) < 0.006 * r + 0.0051 for r in ratios))


def figures(text):
    with open("bench/RESULTS.md", encoding="utf-8") as file:
        blocks = re.split(r"^## ", file.read(), flags=re.M)
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in re.findall(r"^\| .*× .*\|$", text, re.M)]
    case("there are figures", len(rows) >= 4, rows)
    for name, ours, other, ratio in rows:
        wanted = [float(re.search(r"([\d.]+) ?M", cell).group(1)) for cell in (ours, other)]
        part = float(re.search(r"[\d.]+", ratio).group())
        case("figures of %s, %s" % (name, other), any(recorded(b, wanted, part) for b in blocks), [wanted, part])


def main():
    with open("README.md", encoding="utf-8") as file:
        text = file.read()
    picture = re.search(r"!\[[^]]+\]\(([^)]+)\)", text)
    case("it begins with a picture", picture and picture.start() < 20 and os.path.isfile(picture.group(1)))
    with open(picture.group(1), "rb") as file:
        png = file.read()
    width, colours = struct.unpack(">I", png[16:20])[0], png[25]
    case("of at least 1,200 pixels, in full colour and below 1 MB", width >= 1200 and colours == 2 and len(png) < 1e6,
         [width, colours, len(png)])
    with tempfile.TemporaryDirectory() as out:
        example(text, out)
    figures(text)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
