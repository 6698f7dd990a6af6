#!/usr/bin/python3
"""A round sample of bonded spheres and loose polyhedra, from one dense fill in a sphere: it holds together, or breaks
if its bonds are weak. Polyhedra of the bonded material are refused with advice."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import command
import tap
from command import BOX
from tap import case

ROCK = """scene: 1
world: {gravity: [0, 0, -9.81 m/s^2]}
materials:
  grain: {density: 2500 kg/m^3, young: 50 MPa, poisson: 0.25}
  pebble: {density: 2500 kg/m^3, young: 50 MPa, poisson: 0.25}
contacts:
  default: {law: hertz, restitution: 0.3, friction: 0.5}
  grain + grain: {bond: {young: 50 MPa, tensile_strength: %s, shear_strength: %s, gap: 0.15 mm}}
shapes: {ball: {sphere: {diameter: 1}}, cube: {box: [0.8, 0.8, 0.8]}}
walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: pebble}}
fill:
  - region: {sphere: {center: [0, 0, 8.2 mm], radius: 8 mm}}
    dense: true
    solid_fraction: 0.5
    velocity: [0, 0, -1 m/s]
    orientation: random
    mix: [{shape: ball, material: grain, share: 80 %%, size: 2 mm}, {shape: cube, material: %s, share: 20 %%, size: 2 mm}]
run: {until: 3 ms}
output: {history: {every: 1 ms, values: [bonds, bonds_broken, bodies]}}
"""


def rock(strength, cubes="pebble"):
    path = "%s/rock.scene.yaml" % BOX
    with open(path, "w", encoding="utf-8") as out:
        out.write(ROCK % (strength, strength, cubes))
    return path


def rows(strength):
    done = command.call("run", rock(strength), "-o", BOX + "/out", "--overwrite", "-t", "1")
    case("a round sample with bonds of %s runs" % strength, done.returncode == 0, done.stdout[-300:] + done.stderr)
    shapes = re.search(r"^(\d+) spheres, (\d+) polyhedra", done.stdout, re.M)
    case("it has spheres and polyhedra", shapes and int(shapes.group(1)) > 100 and int(shapes.group(2)) > 20, done.stdout)
    return command.table(BOX + "/out/rock_history.csv"), int(shapes.group(1))


def main():
    table, spheres = rows("1 MPa")
    case("each sphere has a bond or more", table[0]["bonds"] > spheres, table[0])
    case("strong bonds hold an impact", table[-1]["bonds_broken"] == 0 and table[-1]["bonds"] == table[0]["bonds"], table[-1])
    table, spheres = rows("5 kPa")
    case("weak ones break", table[-1]["bonds_broken"] > 0 and
         table[-1]["bonds"] + table[-1]["bonds_broken"] == table[0]["bonds"] + table[0]["bonds_broken"], table[-1])
    refused = command.call("check", rock("1 MPa", "grain"))
    case("polyhedra of the bonded material are refused", refused.returncode == 2 and
         "bonds are for spheres, but some bodies of grain have shape 'cube': give these bodies a separate material" in refused.stderr,
         refused.stderr)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
