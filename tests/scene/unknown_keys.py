#!/usr/bin/python3
"""One unknown key gives one error: each key of a scene is misspelled in turn, once recognisably and once beyond
recognition. Consequences, missing keys and undefined names, are not reported; other errors still are."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import case

SCREE = os.environ.get("SCREE", "build/test/scree")
SCENES = {"space": """scene: 1
let: {R: 5 mm}
world: {gravity: [0, 0, -9.81 m/s^2], domain: {min: [-1 m, -1 m, -1 m], max: [1 m, 1 m, 2 m]}}
materials:
  stone: {density: 2600 kg/m^3, young: 5 MPa}
contacts:
  default: {restitution: 0.4, friction: 0.5}
shapes:
  brick: {box: [1.2, 1.0, 0.8]}
  pair: {clump: {centers: [[0, 0, 0], [0.5, 0, 0]], radii: [0.5]}}
walls:
  bin: {box: {min: [-5 cm, -5 cm, 0], max: [5 cm, 5 cm, 20 cm], open: [z_max]}, material: stone}
  lid: {plane: {point: [0, 0, 1 m], normal: [0, 0, -1]}, material: stone, motion: {servo: {force: 2 N}, until: 1 s}}
fill:
  - region: {box: {min: [-5 cm, -5 cm, 0], max: [5 cm, 5 cm, 18 cm]}}
    count: 20
    material: stone
    mix: [{shape: brick, size: =R}, {shape: pair, size: 5 mm}]
sources:
  - {region: {box: {min: [-5 cm, -5 cm, 18 cm], max: [5 cm, 5 cm, 20 cm]}}, rate: 10 1/s, material: stone, shape: brick, size: 4 mm}
run: {until: 0.5 s}
output: {history: {every: 1 ms}}
""", "plane": """scene: 1
world: {dimension: 2}
materials: {stone: {density: 2600 kg/m^3, young: 5 MPa}}
shapes: {pea: {disc: 1}}
walls: {floor: {line: {point: [0, 0], normal: [0, 1]}, material: stone}}
fill: [{region: {box: {min: [0, 0], max: [1 m, 1 m]}}, count: 5, material: stone, shape: pea, size: 1 cm}]
run: {until: 0.1 s}
"""}
NAMES = ("stone", "brick", "pair", "bin", "lid", "pea", "floor", "R")  # those that the scenes define


def errors(text, box):
    path = f"{box}/k.scene.yaml"
    with open(path, "w", encoding="ascii") as out:
        out.write(text)
    done = subprocess.run([SCREE, "check", path], capture_output=True, text=True)
    return done.returncode, re.findall(r" error: .*", done.stderr)


def main():
    with tempfile.TemporaryDirectory() as box:
        for name, scene in SCENES.items():
            code, said = errors(scene, box)
            case(f"{name}: the scene itself has no error", code == 0, said)
            tried, wrong = 0, []
            for m in re.finditer(r"(?<![\w.])([A-Za-z_]+)(?=:)", scene):
                if m.group(1) in NAMES:
                    continue
                for other in (m.group(1) + "x", "qq" + m.group(1)[::-1] + "zz"):
                    code, said = errors(scene[:m.start()] + other + scene[m.end():], box)
                    tried += 1
                    if code != 2 or len(said) != 1 or other not in said[0]:
                        wrong.append((other, said))
            case(f"{name}: {tried} misspelled keys, one error each", tried > 20 and not wrong, wrong)
        # other errors are still reported
        space = SCENES["space"]
        two = space.replace("density", "densty").replace("=R", "=Q").replace("young: 5 MPa", "young: 5 mm")
        case("three mistakes give three errors", len(errors(two, box)[1]) == 3, errors(two, box))
        two = space.replace("    count: 20\n", "").replace("    material: stone\n    mix", "    matrial: stone\n    mix")
        case("a key that is missing besides is told", len(errors(two, box)[1]) == 2, errors(two, box))
        two = space.replace("material: stone, motion", "material: slate, motion").replace("shapes:", "shaps:")
        case("a name that is missing elsewhere is told", len(errors(two, box)[1]) == 2, errors(two, box))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
