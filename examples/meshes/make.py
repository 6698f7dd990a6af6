#!/usr/bin/env python3
"""Writes tetrapod.obj, jack.stl, u.stl and blade.stl next to itself: closed surfaces, faces counter-clockwise seen from
outside, with all digits of their coordinates, so that flat faces are flat; and scoop.stl, vane.obj and paddles.obj,
sheets for walls."""
import itertools, math, os


def blocks(x, y, z, full):
    """Faces of the boxes between the planes x, y and z for which full(i, j, k) is true."""
    axes = (x, y, z)
    size = [len(a) - 1 for a in axes]
    inside = lambda c: all(0 <= c[n] < size[n] for n in range(3)) and full(*c)
    for c in itertools.product(*map(range, size)):
        if not inside(c):
            continue
        for n, up in itertools.product(range(3), (0, 1)):
            to = list(c)
            to[n] += 2 * up - 1
            if inside(to):
                continue
            u, v = (n + 1) % 3, (n + 2) % 3
            loop = []
            for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
                at = list(c)
                at[n] += up
                at[u] += du
                at[v] += dv
                loop.append(tuple(axes[m][at[m]] for m in range(3)))
            yield loop if up else loop[::-1]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def along(a, s, b):
    return tuple(p + s * q for p, q in zip(a, b))


def unit(a):
    return tuple(p / math.sqrt(dot(a, a)) for p in a)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def tetrapod(thick, length):
    """Four arms of six sides along the corners of a tetrahedron."""
    d = [unit(w) for w in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))]
    mid = {}
    for i, j in itertools.combinations(range(4), 2):  # between two arms
        p = unit(along(d[j], -dot(d[j], d[i]), d[i]))
        mid[i, j] = mid[j, i] = along(tuple(thick * a for a in p), thick * dot(p, d[j]) / (1 - dot(d[i], d[j])), d[i])
    far = thick / math.sqrt(8 / 9)
    deep = [tuple(-far * a for a in e) for e in d]  # between the three others
    for i in range(4):
        j, k, l = ((i + n) % 4 for n in (1, 2, 3))
        if dot(cross(d[j], d[k]), d[i]) < 0:
            j, k = k, j
        ring = [mid[i, j], deep[l], mid[i, k], deep[j], mid[i, l], deep[k]]
        tip = [along(p, length - dot(p, d[i]), d[i]) for p in ring]
        for n in range(6):
            yield [ring[n], ring[(n + 1) % 6], tip[(n + 1) % 6], tip[n]]
        yield tip


def scoop():
    """A sheet: back, bottom and two cheeks of a bucket, open at the front (+x) and top; in m, its bottom 60 mm below the y axis."""
    x, y, z = (-0.012, 0.012), (-0.02, 0.02), (-0.06, -0.036)
    at = lambda i, j, k: (x[i], y[j], z[k])
    yield [at(0, 0, 0), at(0, 1, 0), at(0, 1, 1), at(0, 0, 1)]
    yield [at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0)]
    for j in (0, 1):
        yield [at(0, j, 0), at(1, j, 0), at(0, j, 1)]


def vane():
    """Four square blades around the axis z."""
    for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        yield [(0, 0, -1), (x, y, -1), (x, y, 1), (0, 0, 1)]


def paddles(count):
    """Blades around the axis y, which start at a fifth of their radius."""
    for k in range(count):
        x, z = (round(f(2 * math.pi * k / count), 6) for f in (math.cos, math.sin))
        yield [(r * x, y, r * z) for r, y in ((0.2, -1), (1, -1), (1, 1), (0.2, 1))]


def beside(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


def write_obj(name, loops):
    """Corners once, and faces of any number of corners."""
    number, faces = {}, []
    for loop in loops:
        faces.append([number.setdefault(tuple(x + 0.0 for x in p), len(number) + 1) for p in loop])
    with open(beside(name + ".obj"), "w") as f:
        f.write(f"o {name}\n")
        for p in number:
            f.write("v %r %r %r\n" % p)
        for face in faces:
            f.write("f %s\n" % " ".join(map(str, face)))


def write(name, loops):
    with open(beside(name + ".stl"), "w") as f:
        f.write(f"solid {name}\n")
        for loop in loops:
            for b, c in zip(loop[1:], loop[2:]):
                f.write("facet normal 0 0 0\nouter loop\n")
                for p in (loop[0], b, c):
                    f.write("vertex %r %r %r\n" % tuple(x + 0.0 for x in p))
                f.write("endloop\nendfacet\n")
        f.write(f"endsolid {name}\n")


bar = (-0.5, -0.1, 0.1, 0.5)
write_obj("tetrapod", tetrapod(0.15, 0.5))
write("jack", blocks(bar, bar, bar, lambda *c: c.count(1) >= 2))
write("u", blocks((-0.5, -0.25, 0.25, 0.5), (-0.5, -0.25, 0.5), (-0.2, 0.2), lambda i, j, k: j == 0 or i != 1))
write("scoop", scoop())
write_obj("vane", vane())
write_obj("paddles", paddles(8))
write("blade", blocks((-29, 29), (-2, 2), (1, 12), lambda *c: True))
