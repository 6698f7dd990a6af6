# Settled spheres in YADE, from our packing: yade -j1 -x -n settle3d_yade.py PLACES STEPS, where each line of PLACES has
# x y z of a sphere of diameter 1. Hertz and Mindlin with history, 200 steps to form contacts, then STEPS measured
# steps.
import os
import sys
import time

places, steps = sys.argv[1], int(sys.argv[2])
O.materials.append(FrictMat(young=1e5, poisson=0.3, density=1, frictionAngle=atan(0.5)))
for line in open(places):
    O.bodies.append(sphere([float(v) for v in line.split()], 0.5))
count = len(O.bodies)
for axis in range(3):
    O.bodies.append(wall(0, axis=axis, sense=1))
    if axis < 2:
        O.bodies.append(wall(40, axis=axis, sense=-1))
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=0.05),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_MindlinPhys(en=0.5, es=0.5)],
                    [Law2_ScGeom_MindlinPhys_Mindlin(label="law")]),
    NewtonIntegrator(damping=0, gravity=(0, 0, -1)),
]
O.dt = 0.0013


def energy():
    height = sum(b.state.mass * b.state.pos[2] for b in O.bodies if isinstance(b.shape, Sphere))
    return kineticEnergy() + height + law.normElastEnergy()


O.run(200, True)
before = energy()
began = time.perf_counter()
O.run(steps, True)
seconds = time.perf_counter() - began
deepest = max(i.geom.penetrationDepth for i in O.interactions if i.isReal)
touching = sum(i.isReal for i in O.interactions)
print("bodies %d  contacts %d" % (count, touching))
print("particle_steps_per_second %.6g" % (count * steps / seconds))
print("simulated_per_wall_second %.6g" % (steps * O.dt / seconds))
print("greatest_overlap_percent %.6g" % (100 * deepest))
print("energy_drift_joule %.6g" % (energy() - before))
sys.stdout.flush()
os._exit(0)
