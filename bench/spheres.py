"""Spheres compared with LAMMPS: settle3d, gas3d and mixture3d. Both engines start from the same table of bodies, except
settle3d with 32,768, where each drops its own from the same lattice.

  settle3d_large  the packing of 32,768 settled by scree, 4 x 2 times side by side, every other copy mirrored, so that
                  bodies that leaned on a wall lean on their image; 2,000 steps in each engine form the contacts and let
                  it come to rest again
  gas3d           a lattice of pitch 3.7405 (1 % solid) with velocities within 1 along each axis; 2,000 steps mix it
  mixture3d       diameters 1, 2, 5, 10 and 20 of equal volume each, 99,803 spheres, settled by scree; 2,000 steps of
  LAMMPS from there
"""
import inspect
import itertools
import random

from engines import Lammps, Scree, Yade

STEP = 0.0013  # s, for settling: 15 % of the Rayleigh time of a sphere of 1 m
WIDE = 40  # of the box of settle3d


def write_lattice(path):
    """32,768 sites of a lattice of pitch 1.25, velocities within 0.5 along each axis"""
    draw = random.Random(101)
    with open(path, "w", encoding="ascii") as out:
        out.write("x, y, z, vx, vy, vz\n")
        for k, j, i in itertools.product(range(32), repeat=3):
            place = [1.25 * (c + 0.5) for c in (i, j, k)]
            out.write(", ".join(repr(v) for v in place + [draw.uniform(-0.5, 0.5) for _ in range(3)]) + "\n")


def write_ours(path, rows):
    """rows: x y z size vx vy vz"""
    with open(path, "w", encoding="ascii") as out:
        out.write("x,y,z,size,vx,vy,vz\n")
        out.writelines(",".join(map(repr, row)) + "\n" for row in rows)


def write_lammps(path, rows, box):
    """the same for LAMMPS; a type for each size"""
    kind = {size: k + 1 for k, size in enumerate(sorted({row[3] for row in rows}))}
    with open(path, "w", encoding="ascii") as out:
        out.write(f"bodies\n\n{len(rows)} atoms\n{len(kind)} atom types\n")
        out.writelines(f"0 {length!r} {axis}lo {axis}hi\n" for axis, length in zip("xyz", box))
        out.write("\nAtoms # sphere\n\n")
        out.writelines(f"{k + 1} {kind[r[3]]} {r[3]!r} 1.0 {r[0]!r} {r[1]!r} {r[2]!r}\n" for k, r in enumerate(rows))
        out.write("\nVelocities\n\n")
        out.writelines(f"{k + 1} {r[4]!r} {r[5]!r} {r[6]!r} 0 0 0\n" for k, r in enumerate(rows))


def made_by(*functions):
    """key of a packing in the cache"""
    return "".join(map(inspect.getsource, functions))


# ------------------------------------------------------------------ settle3d

def settle3d():
    ours = Scree("settle3d", 1000, write_lattice)
    return [ours, *Lammps("settle3d.lammps", 1000, STEP).with_native(), Yade(ours, 200)]


def copies(packing, nx, ny):
    """rows of a settled box, side by side"""
    packing.prepare()
    rows = packing.bodies()
    for i, j in itertools.product(range(nx), range(ny)):
        for x, y, z, size in rows:
            yield [WIDE * i + (WIDE - x if i % 2 else x), WIDE * j + (WIDE - y if j % 2 else y), z, size, 0.0, 0.0, 0.0]


def settle3d_large():
    nx, ny = 4, 2
    small = Scree("settle3d", 1000, write_lattice)
    box = (float(nx * WIDE), float(ny * WIDE), 60.0)
    sets, key = (f"wide={box[0]} m", f"deep={box[1]} m", f"until={2000 * STEP} s"), small.folder + made_by(copies)
    return [Scree("settle3d", 200, lambda path: write_ours(path, copies(small, nx, ny)), sets=sets, key=key),
            *Lammps("settle3d.lammps", 200, STEP, table=lambda path: write_lammps(path, list(copies(small, nx, ny)), box),
                    sets={"wide": box[0], "deep": box[1], "rest": 2000}, key=key).with_native()]


# ------------------------------------------------------------------ gas3d

PITCH = 3.7405


def gas(side):
    draw = random.Random(103)
    return [[PITCH * (i + 0.5), PITCH * (j + 0.5), PITCH * (k + 0.5), 1.0, *(draw.uniform(-1, 1) for _ in range(3))]
            for k, j, i in itertools.product(range(side), repeat=3)]


def gas3d(side, steps):
    """LAMMPS with walls of springs, like ours, and with walls that reflect instantly, which is its fastest way"""
    box = (side * PITCH,) * 3
    key = f"{PITCH}" + made_by(gas)
    lammps = {"table": lambda path: write_lammps(path, gas(side), box), "skins": (0.6, 1.0, 1.5, 2.0), "key": key}
    return [Scree("gas3d", steps, lambda path: write_ours(path, gas(side)), sets=(f"edge={box[0]!r} m",), key=key),
            *Lammps("gas3d.lammps", steps, 0.005, sets={"edge": box[0], "walls": "springs"}, **lammps).with_native(),
            Lammps("gas3d.lammps", steps, 0.005, name="lammps_mirror", sets={"edge": box[0], "walls": "mirror"}, **lammps)]


# ------------------------------------------------------------------ mixture3d

BLOCKS = 11  # cubes of edge 20 that hold one size, for each of five sizes
LOOSE = 1.02  # of the lattice's pitch over the pitch at which the spheres would touch
BROAD = 4  # blocks to a side


def split(at, edge, size):
    """positions of spheres of this size in a cube"""
    return [[c + size * (n + 0.5) for c, n in zip(at, cell)] for cell in itertools.product(range(edge // size), repeat=3)]


def mixture():
    """Cubes of 20 in random order, each full of spheres of one size; where 2 and 5 are, a cube of 20 holds cubes of 10 of both and
    of 1, so that different sizes are next to each other."""
    draw = random.Random(107)
    whole = [20] * BLOCKS + [10] * BLOCKS + [0] * (3 * BLOCKS)
    parts = [size for size in (1, 2, 5) for _ in range(8 * BLOCKS)]
    draw.shuffle(whole)
    draw.shuffle(parts)
    rows = []
    for n, size in enumerate(whole):
        at = [20.0 * (n % BROAD), 20.0 * (n // BROAD % BROAD), 20.0 * (n // BROAD ** 2)]
        if size:
            places = [(p, size) for p in split(at, 20, size)]
        else:
            corners = [[c - 5 for c in middle] for middle in split(at, 20, 10)]
            places = [(p, part) for corner, part in zip(corners, [parts.pop() for _ in corners]) for p in split(corner, 10, part)]
        rows += [[*(LOOSE * c for c in p), float(s), *(draw.uniform(-0.5, 0.5) for _ in range(3))] for p, s in places]
    return rows


def mixture3d():
    box = (20 * BROAD * LOOSE, 20 * BROAD * LOOSE, 100.0)
    packing = Scree("mixture3d", 500, lambda path: write_ours(path, mixture()), sets=(f"edge={box[0]!r} m",),
                    key=f"{BLOCKS} {BROAD} {LOOSE}" + made_by(split, mixture))

    def settled(path):
        packing.prepare()
        write_lammps(path, [[*row, 0.0, 0.0, 0.0] for row in packing.bodies()], box)

    return [packing, *Lammps("mixture3d.lammps", 500, STEP, table=settled, skins=(0.1, 0.2, 0.4, 0.8), sets={"edge": box[0]},
                             key=packing.folder).with_native()]


BENCHES = {"settle3d": settle3d, "settle3d_large": settle3d_large, "gas3d": lambda: gas3d(32, 3000),
           "gas3d_large": lambda: gas3d(64, 400), "mixture3d": mixture3d}
