"""How many bytes a step of spheres moves between memory and the core, a body, by the tables of fields: what `./dev bench` prints as
`moved`. Hardware counters are not there on every machine, so this is counted by hand, stage by stage:

  - each stage goes once over each array that it names, in pieces that the cache holds; an array that is only read counts once, one
    that is written counts twice (its line comes and goes)
  - nothing stays in the cache from one stage to the next
  - what lies anywhere in memory (partners, and the rows that their forces are added to) counts once an item at least, which is right where
    neighbours in space are neighbours in memory, and once a fetch at most: hence two figures
  - searches for pairs are not counted: with bodies at rest there are hardly any, in a gas one in some 50 steps

`./dev bench misses` counts without a model what is fetched, which is less by what is written. Commit 41d4fcc (forces stored a contact, then
gathered), a cache of 1 MiB: settled spheres 2,047 bytes, by the tables of then 1,630 to 2,400; gas 850 with its searches, by the tables 770.

The sizes of arrays are those of their rows in src/state/bodies.c, src/state/pairs.c, src/state/pairs.h and src/work/pair_work.c. A row that is named neither by a stage nor
among those that spheres never use ends the bench: the model is to be kept true.
"""
import re

SIZE = {"KIND_F64": 8, "KIND_U64": 8, "KIND_I32": 4}
RECORD, SUM = 128, 64  # body_record, body_sum


def words(text):
    return text.split()


# of bodies; read: only read, written: written, read or not
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
# of worlds with polyhedra, two-sided walls, periods, rolling, plastic contacts, bonds, several contacts of a pair, and of readings of the guard of energy: not here
UNUSED = {"bodies": words("id ox oy oz size margin cell_x cell_y cell_z energy stirred"),
          "pairs": words("a b row rx ry rz rolled twist twisted elastic power work heat lost_normal lost_friction lost_rolling spun place brought took lasts jn jx jy jz gx gy gz mx my mz feature ra rb "
                         "slot nx ny nz px py pz ux uy uz qx qy qz depth arm points first firm share part deepest torn "
                         "bond_length bond_strength bond_held bond_x bond_y bond_z bond_rx bond_ry bond_rz")}


PAIRS = ("src/state/pairs.c", "src/state/pairs.h", "src/work/pair_work.c")


def table(*paths):
    """sizes of the rows of a field table, by name; history of contacts stands as columns of reals in a header"""
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
    """figures: of ours.py; none of bodies other than spheres, whose narrow phase is another story"""
    if not figures.get("rows") or not figures["spheres"]:
        return {}
    body, row = table("src/state/bodies.c"), table(*PAIRS)
    all_named(body, BODIES, UNUSED["bodies"], "src/state/bodies.c")
    all_named(row, ROWS, UNUSED["pairs"], PAIRS[0])
    rows = figures["rows"] / figures["bodies"]
    contacts = min(rows, 1) * (RECORD + 2 * SUM) + rows * bytes_of(row, ROWS["law"])
    once = sum(bytes_of(body, s) for s in BODIES.values()) + contacts
    return {"moved_least": once, "moved_most": once + rows * (RECORD + 2 * SUM)}
