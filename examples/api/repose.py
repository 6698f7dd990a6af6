#!/usr/bin/env python3
"""The angle of repose of pentagons against their friction.

A column of pentagons in the plane settles against a wall. A gate is pulled away, the column collapses, and the slope of
the heap is measured: a line through the highest grains of each strip between the wall and the toe of the heap.

  repose.py [PICTURE]
"""
import sys

import numpy
import scree

FRICTIONS = (0.1, 0.3, 0.6)
SIZE = 0.014

SCENE = """
scene: 1
world: {dimension: 2, gravity: [0, -9.81 m/s^2], domain: {min: [-5 cm, -5 cm], max: [8 m, 1 m]}}
materials: {stone: {density: 2000 kg/m^3, young: 300 kPa}}
contacts: {default: {restitution: 0.2, friction: 0.5}}
shapes: {pentagon: {polygon: {sides: 5}}}
walls:
  floor: {line: {point: [0, 0], normal: [0, 1]}, material: stone}
  back: {line: {point: [0, 0], normal: [1, 0]}, material: stone}
  gate: {line: {point: [12 cm, 0], normal: [-1, 0]}, material: stone}
fill:
  - {region: {box: {min: [0, 0], max: [120 mm, 500 mm]}}, count: 110, material: stone, shape: pentagon,
     size: {uniform: [13 mm, 15 mm]}, orientation: random, seed: 3}
run: {until: 2 s}
"""


def angle(world):
    """Slope in degrees of a line through the highest grains of each strip."""
    b = world.bodies
    x, y = numpy.asarray(b["x"]), numpy.asarray(b["y"]) + numpy.asarray(b["radius"])
    strips = numpy.arange(0, x.max(), 1.5 * SIZE)
    tops = [(s + 0.75 * SIZE, y[(x >= s) & (x < s + 1.5 * SIZE)].max(initial=0)) for s in strips]
    heap = numpy.array([(s, h) for s, h in tops if h > 2 * SIZE])
    return float(numpy.degrees(numpy.arctan(-numpy.polyfit(heap[:, 0], heap[:, 1], 1)[0])))


def repose(friction):
    with scree.open(SCENE, sets={"contacts.default.friction": friction}) as world:
        world.run_until(0.3)
        world.walls["gate"].move(velocity=(4, 0, 0))
        world.run_until(1.1)
        return angle(world)


def main():
    angles = [repose(friction) for friction in FRICTIONS]
    for friction, found in zip(FRICTIONS, angles):
        print(f"friction {friction:.1f}: angle of repose {found:.1f} degrees")
    if len(sys.argv) > 1:
        draw(sys.argv[1], angles)
    return 0 if all(a < b for a, b in zip(angles, angles[1:])) and angles[-1] > 10 else 1


def draw(path, angles):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.plot(FRICTIONS, angles, "o-")
    pyplot.xlabel("friction")
    pyplot.ylabel("angle of repose, degrees")
    pyplot.savefig(path, dpi=150)


if __name__ == "__main__":
    sys.exit(main())
