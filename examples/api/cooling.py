#!/usr/bin/env python3
"""A cooling gas compared with Haff's law.

Inelastic balls without gravity lose energy in collisions. For a homogeneous gas the granular temperature falls as
T = T0 / (1 + t/tau)^2 (Haff 1983), where 1/tau = (1 - e^2) omega / 6 and omega is the initial collision frequency of a
ball after Enskog: 4 n d^2 g sqrt(pi T0 / m), with g at contact after Carnahan and Starling.

  cooling.py [PICTURE]
"""
import sys

import numpy
import scree

COUNT, DIAMETER, DENSITY, RESTITUTION, FRACTION, SPEED = 1728, 1e-3, 2500.0, 0.9, 0.08, 1.0

side = (COUNT * numpy.pi / 6 * DIAMETER**3 / FRACTION) ** (1 / 3)
SCENE = {
    "scene": 1,
    "world": {"gravity": [0, 0, 0], "domain": {"min": [0, 0, 0], "max": [f"{side} m"] * 3}, "periodic": ["x", "y", "z"]},
    "materials": {"glass": {"density": f"{DENSITY} kg/m^3", "young": "50 MPa"}},
    "contacts": {"default": {"law": "linear", "stiffness": "2 kN/m", "restitution": RESTITUTION, "friction": 0}},
    "shapes": {"ball": {"sphere": {"diameter": 1}}},
    "fill": [{"region": {"box": {"min": [0, 0, 0], "max": [f"{side} m"] * 3}}, "lattice": {"spacing": f"{side / 12} m"},
              "material": "glass", "shape": "ball", "size": f"{DIAMETER} m"}],
    "run": {"until": "1 s"},
}


def temperature(world):
    """Granular temperature m <v^2> / 3, J"""
    b = world.bodies
    return float(numpy.mean(b["mass"] * (b["vx"] ** 2 + b["vy"] ** 2 + b["vz"] ** 2)) / 3)


def stir(world):
    """Gives the balls random velocities, with zero total momentum."""
    random = numpy.random.default_rng(7)
    velocity = random.normal(scale=SPEED, size=(len(world.bodies), 3))
    velocity -= velocity.mean(axis=0)
    for name, values in zip(("vx", "vy", "vz"), velocity.T):
        world.bodies[name][:] = values


def haff(start, mass):
    """tau, s"""
    number, contact = COUNT / side**3, (1 - FRACTION / 2) / (1 - FRACTION) ** 3
    frequency = 4 * number * DIAMETER**2 * contact * numpy.sqrt(numpy.pi * start / mass)
    return 6 / ((1 - RESTITUTION**2) * frequency)


def main():
    with scree.open(SCENE) as world:
        stir(world)
        # a lattice is no gas yet: let each ball collide a few times before the clock starts
        world.run_until(0.01)
        began, start, mass = world.time, temperature(world), float(world.bodies["mass"][0])
        tau = haff(start, mass)
        times, found = [0.0], [1.0]
        while times[-1] < 2 * tau:
            world.run_until(world.time + tau / 10)
            times.append(world.time - began)
            found.append(temperature(world) / start)
    law = 1 / (1 + numpy.array(times) / tau) ** 2
    off = float(numpy.max(numpy.abs(numpy.array(found) / law - 1)))
    print(f"tau {1e3 * tau:.3g} ms, temperature after 2 tau {found[-1]:.4f} of the start, Haff {law[-1]:.4f}; off by at most {100 * off:.2g} %")
    if len(sys.argv) > 1:
        draw(sys.argv[1], numpy.array(times) / tau, found, law)
    return 0 if off < 0.08 else 1


def draw(path, times, found, law):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.loglog(1 + times, found, "o", label="scree")
    pyplot.loglog(1 + times, law, label="Haff 1983")
    pyplot.xlabel("1 + t / tau")
    pyplot.ylabel("temperature over that of the start")
    pyplot.legend()
    pyplot.savefig(path, dpi=150)


if __name__ == "__main__":
    sys.exit(main())
