#!/usr/bin/env python3
"""A controller: a shaken bed whose granular temperature is kept constant.

The floor shakes up and down at 30 Hz. After each period a controller reads the kinetic energy of the bed per ball and
changes the amplitude, so that its mean over a period approaches the target.

  controller.py
"""
import math
import sys

import scree

WANTED = 2e-7  # J per ball, mean over a period
FREQUENCY, PARTS = 30.0, 60

SCENE = """
scene: 1
world: {gravity: [0, 0, -9.81 m/s^2], domain: {min: [-1 m, -1 m, -0.1 m], max: [1 m, 1 m, 1 m]}}
materials: {glass: {density: 2500 kg/m^3, young: 5 MPa}}
contacts: {default: {law: hertz, restitution: 0.7, friction: 0.3}}
shapes: {ball: {sphere: {diameter: 1}}}
walls:
  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: glass}
  side: {cylinder: {radius: 12 mm, axis: z, side: inside}, material: glass}
fill:
  - {region: {box: {min: [-8 mm, -8 mm, 3 mm], max: [8 mm, 8 mm, 60 mm]}}, count: 120, material: glass, shape: ball,
     size: 3 mm, seed: 5}
run: {until: 10 s}
"""


def period(world, amplitude):
    """Shakes the floor for one period; returns the mean kinetic energy of a ball, J."""
    began, mean, omega = world.time, 0.0, 2 * math.pi * FREQUENCY
    for part in range(PARTS):
        middle = (part + 0.5) / PARTS / FREQUENCY
        world.walls["floor"].move(velocity=(0, 0, amplitude * omega * math.cos(omega * middle)))
        world.run_until(began + (part + 1) / PARTS / FREQUENCY)
        mean += world.ledger().kinetic / len(world.bodies) / PARTS
    return mean


def main():
    with scree.open(SCENE) as world:
        world.run_until(0.2)
        amplitude, late = 1e-3, []
        for cycle in range(60):
            found = period(world, amplitude)
            amplitude *= min(1.2, max(0.8, (WANTED / found) ** 0.2))
            if cycle >= 30:
                late.append(found)
    mean = sum(late) / len(late)
    print(f"amplitude {1e3 * amplitude:.3f} mm: {mean:.3g} J per ball in the mean of the last {len(late)} periods, wanted {WANTED:.3g} J")
    return 0 if abs(mean / WANTED - 1) < 0.2 else 1


if __name__ == "__main__":
    sys.exit(main())
