#!/usr/bin/python3
"""`scree check` before a run: expected overlap, response, and time. Predicted overlaps are compared with those of the
run; there is no warning for scenes within the range of the laws."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import command
import tap
from command import BOX
from tap import case


def body(height, velocity="[0, 0, 0]", x=0, more=""):
    """One body of 10 mm with its centre at this height in m."""
    low, high = [[1e3 * c + d for c in (x, 0, height)] for d in (-5, 5)]
    return ("{lattice: {spacing: 10 mm}, region: {box: {min: [%.6g mm, %.6g mm, %.6g mm], max: [%.6g mm, %.6g mm, %.6g mm]}}, "
            "velocity: %s, material: stone, shape: ball, size: 10 mm%s}" % (*low, *high, velocity, more))


def scene(contact="law: hertz, restitution: 0.5", young="1 MPa", shape="sphere: {diameter: 1}", velocity="[0, 0, 0]",
          low=0.5, gravity="[0, 0, -9.81 m/s^2]", until="0.4 s", more="", fill=None, world=""):
    path = os.path.join(BOX, "one.scene.yaml")
    fill = fill or body(low, velocity)
    with open(path, "w", encoding="utf-8") as to:
        to.write(f"""scene: 1
world: {{gravity: {gravity}{world}}}
materials: {{stone: {{density: 2500 kg/m^3, young: {young}, poisson: 0.25}}}}
contacts: {{default: {{{contact}}}}}
shapes: {{ball: {{{shape}}}}}
walls: {{floor: {{plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}, material: stone}}}}
fill: [{fill}]
run: {{until: {until}{more}}}
""")
    return path


def expected(path, *words):
    """percent that check expects; 0: it does not warn"""
    out = command.call("check", path, *words)
    assert out.returncode == 0, out.stderr
    found = re.findall(r"^warning: overlaps of up to about (\S+) % are expected", out.stdout + out.stderr, re.M)
    return float(found[0]) if found else 0


def happened(path, *words):
    out = command.call("run", path, "--overwrite", "-o", os.path.join(BOX, "out"), *words)
    return float(re.search(r"greatest overlap (\S+) %", out.stdout).group(1))


def alike(what, least, most, path, *words):
    """The predicted overlap over the largest one of the run."""
    a, b = expected(path, *words), happened(path, *words)
    case(what, b > 5 and least <= a / b <= most, f"expected {a} %, got {b} %")


def quiet(what, path, *words):
    a, b = expected(path, *words), happened(path, *words)
    case(what, a == 0 and b < 5, f"expected {a} %, got {b} %")


def impacts():
    alike("a ball that falls on a plane, hertz", 0.97, 1.03, scene())
    alike("elastic", 0.97, 1.03, scene("law: hertz, restitution: 1"))
    alike("strongly damped", 0.9, 1.1, scene("law: hertz, restitution: 0.05", young="0.2 MPa"))
    alike("overdamped", 0.9, 1.1, scene("law: hertz, restitution: 0.005", young="0.1 MPa"))
    alike("linear", 0.97, 1.03, scene("law: linear, stiffness: 10 kN/m, restitution: 0.3", low=1, until="0.6 s"))
    alike("by the law of overlaps", 0.97, 1.03, scene("law: overlap, restitution: 0.5"))
    alike("by implicit steps", 0.7, 1.3, scene(more=", response: implicit"))
    alike("thrown, without gravity", 0.97, 1.03, scene(gravity="[0, 0, 0]", velocity="[0, 0, -3 m/s]"))
    pair = body(0.2, "[0, 0, 2 m/s]") + ", " + body(0.24, "[0, 0, -2 m/s]")
    alike("two balls that meet", 0.97, 1.03, scene(gravity="[0, 0, 0]", fill=pair, until="20 ms"))
    pair = body(0.2, "[0, 0, 3 m/s]") + ", " + body(0.24)
    alike("one that meets one at rest", 0.97, 1.03, scene(gravity="[0, 0, 0]", fill=pair, until="20 ms"))
    alike("a cube that may fall on its corner", 0.5, 3,
          scene("law: overlap, restitution: 0.5", shape="box: [1, 1, 1]", young="1 MPa",
                fill=body(0.5, more=", orientation: random")))
    rain = ("}}\nsources: [{{name: rain, region: {{box: {{min: [-3 cm, -3 cm, 60 cm], max: [3 cm, 3 cm, 62 cm]}}}}, rate: 20 1/s, "
            "material: stone, shape: ball, size: 10 mm}}]\n#").replace("{{", "{").replace("}}", "}")
    path = scene(until="0.5 s", low=0.005)
    text = open(path, encoding="utf-8").read().replace("\nrun:", rain[1:] + "\nrun:")
    open(path, "w", encoding="utf-8").write(text)
    alike("bodies of a source", 0.85, 1.2, path)


def fine():
    quiet("stiffer", scene(young="100 MPa"))
    quiet("a lower fall", scene(low=0.02))
    quiet("a run that ends before the ball is fast", scene(until="0.1 s"))
    quiet("one that slides along the floor", scene(low=0.005, velocity="[5 m/s, 0, 0]", until="0.1 s"))
    quiet("one that rises without gravity", scene(gravity="[0, 0, 0]", velocity="[0, 0, 5 m/s]"))
    same = body(0.2, "[5 m/s, 0, 0]") + ", " + body(0.2, "[5 m/s, 0, 0]", 0.02)
    quiet("two that fly side by side", scene(gravity="[0, 0, 0]", fill=same))


def columns():
    column = ("{{lattice: {{spacing: [10 mm, 10 mm, 10 mm]}}, region: {{box: {{min: [0, 0, 0], max: [50 mm, 50 mm, {0}]}}}}, "
              "material: stone, shape: ball, size: 10 mm}}")
    walls = "tray: {box: {min: [0, 0, 0], max: [50 mm, 50 mm, 1 m], open: [z_max]}, material: stone}"

    def tray(young, high):
        path = scene("law: hertz, restitution: 0.3, friction: 0.3", young=young, fill=column.format(high), until="0.3 s")
        text = open(path, encoding="utf-8").read()
        open(path, "w", encoding="utf-8").write(re.sub("walls: .*", f"walls: {{{walls}}}", text))
        return path
    alike("the load of a column of soft bodies", 0.6, 2, tray("0.03 MPa", "300 mm"))
    quiet("a lower column", tray("0.6 MPa", "50 mm"))
    if not tap.SHORT:
        quiet("a stiffer one", tray("5 MPa", "300 mm"))


STEPS = r"(\d+) steps by forces%s, (\d+) by response: implicit%s, (\d+) by hard%s; scree compare"


def lines(path, *words):
    out = command.call("check", path, *words)
    return [re.search("^%s: (.*)$" % name, out.stdout, re.M) for name in ("clocks", "time")]


def advice():
    """The line `clocks` for contacts that are long compared with the flow, and for short ones."""
    lasts = scene(young="1 MPa", low=0.02)
    said = {r: lines(lasts, "--set", "run.response=%s" % r)[0].group(1) for r in ("forces", "implicit", "hard")}
    case("long contacts: forces are to stay", said["forces"].endswith("restitution matter: keep response: forces"), said)
    for response in ("implicit", "hard"):
        good = said[response].endswith("matter: response: forces resolves them") and "keep" not in said[response]
        case("but not where a scene has %s" % response, good, said[response])
    years = lines(lasts, "--set", "run.until=1e7 s")[0].group(1)
    case("nor where forces take days", re.search("forces resolve them, but would take some [0-9.e+]+ days of one core", years)
         and "keep" not in years, years)
    short = scene(young="100 MPa", low=0.02, until="1 s")
    own = " [(]this scene[)]"
    for k, response in enumerate(("forces", "implicit", "hard")):
        found = lines(short, "--set", "run.response=%s" % response)[0].group(1)
        case("short contacts: steps of each response, and which one %s is" % response,
             re.search(STEPS % tuple(own if i == k else "" for i in range(3)), found), found)
    given = lines(short, "--set", "run.response=implicit", "--set", "run.step=0.1 ms")[0].group(1)
    case("a step that is given counts", "10000 by response: implicit (this scene)" in given, given)


def times():
    short = scene(young="100 MPa", low=0.02, until="1 s")
    found = lines(short)[1].group(1)
    case("one ball takes no time", found.startswith("less than a second of one core, as an estimate"), found)
    found = lines(short, "--set", "run.until=1e6 s")[1].group(1)
    case("a long run takes days", re.match(r"some [0-9.e+]+ days of one core, as an estimate.*steps of 1 bod", found), found)
    still = lines(short, "--set", "run.until=0 s")[1]
    case("no steps, no time", still is None, still)


impacts()
fine()
columns()
advice()
times()
sys.exit(tap.end())
