"""Bytes per body that a step of spheres moves between memory and the core, from the tables of fields: `moved` in the
output of `./dev bench`. Not every machine has hardware counters, so this is counted by hand, stage by stage:

  - each stage passes once over each array that it names, in pieces that fit the cache; an array that is only read
    counts once, one that is written twice (its line comes and goes)
  - nothing stays in the cache from one stage to the next
  - data in arbitrary order (partners, and the rows that their forces are added to) count at least once per item, which
    is right where neighbours in space are neighbours in memory, and at most once per fetch: hence two figures
  - searches for pairs are not counted: with bodies at rest there are hardly any, in a gas one in some 50 steps

`./dev bench misses` counts fetched bytes without a model, which excludes written ones. Commit 41d4fcc (forces stored
per contact, then gathered), a cache of 1 MiB: settled spheres 2,047 bytes, by its tables 1,630 to 2,400; gas 850 with
its searches, by the tables 770.

The sizes of arrays are those of their rows in src/state/bodies.c, src/state/pairs.c, src/state/pairs.h and
src/work/pair_work.c. A row that is neither named by a stage nor listed as unused by spheres ends the bench, so that the
model stays up to date.
"""
import re

SIZE = {"KIND_F64": 8, "KIND_U64": 8, "KIND_I32": 4}
RECORD, SUM = 128, 64  # body_record, body_sum


def words(text):
    return text.split()


# arrays of bodies; read: only read, written: written, read or not
BODIES = {
    "drift": {"read": words("inv_mass fx fy fz tx ty tz lx ly lz radius ix iy iz flags mass round material shape inner"),
              "written": words("x y z vx vy vz hx hy hz qw qx qy qz wx wy wz kx ky kz way"), "more": 2 * RECORD},
    "narrow": {"read": ["shape"], "written": []},
    "sum": {"read": [], "written": words("fx fy fz tx ty tz"), "more": 2 * SUM},  # read and emptied
    "kick": {"read": words("inv_mass fx fy fz tx ty tz hx hy hz kx ky kz ix iy iz flags"),
             "written": words("vx vy vz lx ly lz wx wy wz")},
}
# of contact rows
ROWS = {
    "law": {"read": words("ca cb"), "written": words("sx sy sz stiff bent touch")},
}
# for worlds with polyhedra, two-sided walls, periods, rolling, plastic contacts, bonds, several contacts of a pair, and
# of readings of the guard of energy: not here
UNUSED = {"bodies": words("id ox oy oz size margin cell_x cell_y cell_z energy stirred"),
          "pairs": words("a b row rx ry rz rolled twist twisted elastic power work heat lost_normal lost_friction lost_rolling spun place brought took lasts jn jx jy jz gx gy gz mx my mz feature ra rb "
                         "slot nx ny nz px py pz ux uy uz qx qy qz depth arm points first firm share part deepest torn "
                         "bond_length bond_strength bond_held bond_x bond_y bond_z bond_rx bond_ry bond_rz")}


PAIRS = ("src/state/pairs.c", "src/state/pairs.h", "src/work/pair_work.c")


def table(*paths):
    """sizes of the rows of a field table, by name; the history of contacts is listed as columns of reals in a header"""
    text = "".join(open(path, encoding="utf-8").read() for path in paths)
    rows = re.findall(r"^\tROW\((\w+), \"[^\"]*\", \"[^\"]*\", (KIND_\w+)", text, re.M)
    vectors = re.findall(r"^\tVECTOR\((\w+), (\w+), (\w+), \"[^\"]*\", \"[^\"]*\", (KIND_\w+)", text, re.M)
    rows += [(name, kind) for *parts, kind in vectors for name in parts]
    columns = re.findall(r"^\tCOLUMN\((\w+), \"", text, re.M)
    return {**{name: SIZE[kind] for name, kind in rows}, **{name: SIZE["KIND_F64"] for name in columns}}


def all_named(sizes, stages, unused, where):
    named = {name for s in stages.values() for name in (*s["read"], *s["written"])} | set(unused)
    if named != set(sizes):
        raise SystemExit(f"bench: bench/traffic.py and the rows of {where} differ: {' '.join(sorted(named ^ set(sizes)))}")


def bytes_of(sizes, stage):
    return sum(sizes[n] for n in stage["read"]) + 2 * sum(sizes[n] for n in stage["written"]) + stage.get("more", 0)


def moved(figures):
    """figures: of ours.py; none for bodies other than spheres, whose narrow phase the model lacks"""
    if not figures.get("rows") or not figures["spheres"]:
        return {}
    body, row = table("src/state/bodies.c"), table(*PAIRS)
    all_named(body, BODIES, UNUSED["bodies"], "src/state/bodies.c")
    all_named(row, ROWS, UNUSED["pairs"], PAIRS[0])
    rows = figures["rows"] / figures["bodies"]
    contacts = min(rows, 1) * (RECORD + 2 * SUM) + rows * bytes_of(row, ROWS["law"])
    once = sum(bytes_of(body, s) for s in BODIES.values()) + contacts
    return {"moved_least": once, "moved_most": once + rows * (RECORD + 2 * SUM)}
