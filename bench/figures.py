"""Figures of docs/figures from the output of `./dev bench tritri`, `levels`, `sharing` and `illustrations`, with the
standard library only: the data go to CSV files, from which the figures are drawn. `python3 bench/figures.py` redraws
all of them.

Lines differ in dashes and marks, and bars in darkness, so that they can be distinguished in print."""
import csv
import math
import os
import re

FOLDER = "docs/figures"
WIDE, HIGH, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 64, 36, 150, 46
COLOURS = ("#1f4e8c", "#c8501e", "#3a8a3f", "#8a4fa0", "#222222")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2")
SHADES = ("#16294d", "#8c2d2d", "#3f8f6b", "#e09a3a", "#d9d9d9")  # each lighter than the previous one


def write(name, head, rows):
    os.makedirs(FOLDER, exist_ok=True)
    with open(f"{FOLDER}/{name}.csv", "w", encoding="ascii", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([head, *rows])


def read(name):
    with open(f"{FOLDER}/{name}.csv", encoding="ascii") as text:
        return list(csv.DictReader(text))


class Plot:
    """axes with positions in pixels; x and y: (least, most, is logarithmic)"""

    def __init__(self, title, command, x, y, x_label, y_label, right=RIGHT):
        self.axes, self.parts, self.names, self.right = (x, y), [], 0, right
        self.text(LEFT, 20, title, size=14)
        self.text(LEFT + self.wide() / 2, HIGH - 8, x_label, "middle")
        self.parts.append(f'<text x="16" y="{TOP + self.high() / 2:.0f}" text-anchor="middle" transform="rotate(-90 16 {TOP + self.high() / 2:.0f})">{y_label}</text>')
        self.text(WIDE - 4, HIGH - 8, command, "end", 9)
        self.parts.append(f'<rect x="{LEFT}" y="{TOP}" width="{self.wide()}" height="{self.high()}" fill="none" stroke="#000"/>')

    def wide(self):
        return WIDE - LEFT - self.right

    @staticmethod
    def high():
        return HIGH - TOP - BOTTOM

    def part(self, axis, value):
        low, most, log = self.axes[axis]
        return math.log(value / low) / math.log(most / low) if log else (value - low) / (most - low)

    def x(self, value):
        return LEFT + self.wide() * self.part(0, value)

    def y(self, value):
        return TOP + self.high() * (1 - self.part(1, value))

    def text(self, x, y, words, anchor="start", size=11):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{words}</text>')

    def ticks(self, axis, values, names=None):
        for value, name in zip(values, names or [f"{v:g}" for v in values]):
            if axis:
                y = self.y(value)
                self.parts.append(f'<path d="M{LEFT} {y:.1f}h{self.wide()}" stroke="#ddd"/>')
                self.text(LEFT - 5, y + 4, name, "end")
            else:
                self.text(self.x(value), HIGH - BOTTOM + 16, name, "middle")

    def name(self, words, colour):
        """of bars"""
        x, y = self.next_name()
        self.parts.append(f'<rect x="{x}" y="{y - 8}" width="10" height="10" fill="{colour}" stroke="#000" stroke-width="0.5"/>')
        self.text(x + 14, y + 1, words)

    def name_line(self, words, k, marks=True):
        """words: a line of text each, the first next to its mark"""
        for n, word in enumerate(words):
            x, y = self.next_name()
            if n == 0:
                self.parts.append(f'<path d="M{x} {y - 3}h24" stroke="{COLOURS[k]}" stroke-width="1.6" stroke-dasharray="{DASHES[k]}"/>')
                if marks:
                    self.mark(x + 12, y - 3, k)
            self.text(x + 30, y + 1, word)

    def next_name(self):
        self.names += 1
        return WIDE - self.right + 8, TOP + 16 * self.names - 6

    def mark(self, x, y, k):
        """in pixels; each k has its own form"""
        forms = ("M-3 -3h6v6h-6z", "M0 -4L3.6 2.6H-3.6z", "M0 -4L4 0L0 4L-4 0z", "M0 4L3.6 -2.6H-3.6z", "M-3 -1h6v2h-6z")
        self.parts.append(f'<path transform="translate({x:.1f} {y:.1f})" d="{forms[k]}" fill="{COLOURS[k]}"/>')

    def line(self, points, k, marks=True):
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[k]}" stroke-width="1.6" stroke-dasharray="{DASHES[k]}"/>')
        for x, y in points if marks else ():
            self.mark(self.x(x), self.y(y), k)

    def bar(self, x, wide, value, colour):
        """x and wide in pixels"""
        top = self.y(value)
        self.parts.append(f'<rect x="{x:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{TOP + self.high() - top:.1f}" fill="{colour}" stroke="#000" stroke-width="0.5"/>')

    def save(self, name):
        with open(f"{FOLDER}/{name}.svg", "w", encoding="utf-8") as out:
            out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="11">\n'
                      f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


# ------------------------------------------------------------------ triangles

def from_tritri(texts):
    """the steps of the first run, and the least times of all runs"""
    write("newton_steps", ["steps", "pairs"], re.findall(r"^steps +(\d+) +pairs +(\d+)", texts[0], re.M))
    least = {}
    for text in texts:
        for where, way, type_, at_once, one in re.findall(r"^(\w+) +(\S+) +(double|float) +at once +(\S+) ns +one by one +(\S+) ns", text, re.M):
            was = least.get((where, way, type_), (math.inf, math.inf))
            least[where, way, type_] = min(was[0], float(at_once)), min(was[1], float(one))
    write("triangle_ways", ["where", "way", "type", "at_once_ns", "one_by_one_ns"], [[*key, *ns] for key, ns in least.items()])
    draw_newton_steps()
    draw_triangle_ways()


def draw_newton_steps():
    rows = [(int(r["steps"]), int(r["pairs"])) for r in read("newton_steps")]
    pairs, never = sum(n for _, n in rows), sum(n for k, n in rows if k == 99)
    plot = Plot(f"Newton's steps until one is short, {pairs / 1e6:.0f} million random pairs of triangles", "./dev bench tritri", (1, 13, False), (0, 40, False),
                "steps", "pairs in %", right=16)
    plot.ticks(1, range(0, 41, 10))
    plot.ticks(0, [k + 0.5 for k in range(1, 11)] + [11.5, 12.5], [str(k) for k in range(1, 11)] + ["11 to 98", "never"])
    shown = {1: 0} | {k: n for k, n in rows if k <= 10} | {11: sum(n for k, n in rows if 10 < k < 99), 12: never}
    for k, n in shown.items():
        part = 100 * n / pairs
        plot.bar(plot.x(k + 0.1), plot.x(1.8) - plot.x(1), part, SHADES[0])
        plot.text(plot.x(k + 0.5), plot.y(part) - 4, f"{part:.1f}" if part >= 0.1 else f"{part:.1g}", "middle", 9)
    plot.save("newton_steps")


def draw_triangle_ways():
    rows = [r for r in read("triangle_ways") if r["type"] == "double"]
    places, ways = (list(dict.fromkeys(r[key] for r in rows)) for key in ("where", "way"))
    groups = [(place, how) for how in ("at_once_ns", "one_by_one_ns") for place in places]
    plot = Plot("Distance of two triangles, double, one core", "./dev bench tritri", (0, len(groups), False), (4, 800, True), "", "ns a pair", right=90)
    plot.ticks(1, (5, 10, 20, 50, 100, 200, 500))
    plot.ticks(0, [k + 0.5 for k in range(len(groups))], [place for place, _ in groups])
    plot.text(plot.x(2), HIGH - BOTTOM + 30, "at_once at once", "middle")
    plot.text(plot.x(6), HIGH - BOTTOM + 30, "one by one", "middle")
    wide = (plot.x(1) - plot.x(0)) / (len(ways) + 1)
    for w, way in enumerate(ways):
        plot.name(way, SHADES[w])
        for k, (place, how) in enumerate(groups):
            ns = next(float(r[how]) for r in rows if r["where"] == place and r["way"] == way)
            plot.bar(plot.x(k) + wide * (w + 0.5), wide * 0.9, ns, SHADES[w])
    plot.save("triangle_ways")


# ------------------------------------------------------------------ grids of many levels

def from_levels(text):
    rows = re.findall(r"^1:(\d+) +(\S.*?) {2,}(\S+) +(\S+) ", text, re.M)
    write("comparisons", ["ratio", "phase", "comparisons_a_body", "ns_a_body"], rows)
    draw_comparisons()


def draw_comparisons():
    """phases that differ by less than a twentieth have one line"""
    rows = [r for r in read("comparisons") if r["phase"] != "grid"]  # grid has no counts
    ratios = sorted({int(r["ratio"]) for r in rows})
    plot = Plot("Comparisons of boxes in a search, 10,000 spheres, 0.3 of the volume", "./dev bench levels", (0.8, 100, True), (8, 10000, True),
                "largest over smallest diameter", "comparisons a body")
    plot.ticks(1, (10, 100, 1000, 10000), ("10", "100", "1,000", "10,000"))
    plot.ticks(0, ratios)
    lines = []  # points, names
    for phase in dict.fromkeys(r["phase"] for r in rows):
        points = [(int(r["ratio"]), float(r["comparisons_a_body"])) for r in rows if r["phase"] == phase]
        near = next((names for was, names in lines if all(abs(math.log(p[1] / q[1])) < 0.05 for p, q in zip(was, points))), None)
        if near:
            near.append(phase)
        else:
            lines.append((points, [phase]))
    for k, (points, names) in enumerate(lines):
        plot.name_line(names, k)
        plot.line(points, k)
    plot.save("comparisons")


# ------------------------------------------------------------------ threads

def from_sharing(text):
    rows = []
    for scene, way, times in re.findall(r"^(\w+) +(\S+) +ms, least and median of \d+, by threads:(.*)", text, re.M):
        rows += [[scene, way, *of] for of in re.findall(r"(\d+): (\S+) (\S+)", times)]
    write("sharing", ["scene", "way", "threads", "least_ms", "median_ms"], rows)
    draw_sharing()


def draw_sharing():
    """Speed of each way over that of the fastest way with one thread, with all threads."""
    rows = [r for r in read("sharing") if not r["way"].endswith("/static")]
    scenes, ways = (list(dict.fromkeys(r[key] for r in rows)) for key in ("scene", "way"))
    most = max(int(r["threads"]) for r in rows)
    plot = Plot(f"Contacts of surfaces shared by {most} threads", "./dev bench sharing", (0, len(scenes), False), (0, most, False), "", "times as fast as one thread")
    plot.ticks(1, [most * k / 4 for k in range(5)])
    plot.ticks(0, [k + 0.5 for k in range(len(scenes))], scenes)
    wide = (plot.x(1) - plot.x(0)) / (len(ways) + 1)
    for w, way in enumerate(ways):
        plot.name(way, COLOURS[w])
        for k, scene in enumerate(scenes):
            here = [r for r in rows if r["scene"] == scene]
            alone = min(float(r["least_ms"]) for r in here if r["threads"] == "1")
            shared = next(float(r["least_ms"]) for r in here if r["way"] == way and int(r["threads"]) == most)
            plot.bar(plot.x(k) + wide * (w + 0.5), wide * 0.9, min(alone / shared, most), COLOURS[w])
    plot.save("sharing")


# ------------------------------------------------------------------ illustrations

def from_illustrations(text):
    for name, head, body in re.findall(r"^# (\w+) (\S+)\n((?:[^#\n].*\n)+)", text, re.M):
        write(name, head.split(","), [line.split(",") for line in body.splitlines()])
    draw_illustrations()


def draw_illustrations():
    draw_grids()
    draw_layout()
    draw_closest()
    draw_penalty()


def save_drawing(name, wide, high, parts):
    with open(f"{FOLDER}/{name}.svg", "w", encoding="utf-8") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif" font-size="11">\n'
                  f'<rect width="{wide}" height="{high}" fill="#fff"/>\n' + "\n".join(parts) + "\n</svg>\n")


def words(x, y, text, anchor="start", size=11, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" {more}>{text}</text>'


def draw_grids():
    """a panel per grid and iteration; y upwards"""
    rows = read("grids")
    phases, times = ("adaptive", "reluctant"), sorted({int(r["iteration"]) for r in rows})
    side, gap, left, top = 190, 12, 28, 46
    parts = [words(left, 18, "Cells around two bodies that go towards each other (Appendix B), in the plane", size=14)]
    for c, time in enumerate(times):
        parts.append(words(left + c * (side + gap) + side / 2, top - 8, f"iteration {time:,}", "middle"))
        for k, phase in enumerate(phases):
            x, y = left + c * (side + gap), top + k * (side + gap)
            if c == 0:
                parts.append(words(14, y + side / 2, phase, "middle", 11, f'transform="rotate(-90 14 {y + side / 2:.0f})"'))
            for r in rows:
                if int(r["iteration"]) != time or r["phase"] not in (phase, f"{phase} body"):
                    continue
                wide = float(r["width"]) * side
                at = x + float(r["x"]) * side, y + side - float(r["y"]) * side - wide
                if r["phase"] == phase:
                    parts.append(f'<rect x="{at[0]:.2f}" y="{at[1]:.2f}" width="{wide:.2f}" height="{wide:.2f}" fill="none" stroke="#555" stroke-width="0.6"/>')
                else:
                    parts.append(f'<circle cx="{at[0] + wide / 2:.2f}" cy="{at[1] + wide / 2:.2f}" r="{wide / 2:.2f}" fill="{COLOURS[1]}"/>')
    high = top + 2 * (side + gap) + 12
    parts.append(words(left + 3 * side + 2 * gap, high - 6, "./dev bench illustrations", "end", 9))
    save_drawing("grids", left + 3 * side + 2 * gap + 8, high, parts)


def table(parts, x, y, title, head, rows, wide, shade="#fff"):
    """cells of text; the first column is the number of a row"""
    parts.append(words(x, y - 22, title, size=11, more='font-weight="bold"'))
    for c, word in enumerate(head):
        parts.append(words(x + wide * (c + 0.5), y - 6, word, "middle", 10))
    for r, row in enumerate(rows):
        for c, word in enumerate(row):
            parts.append(f'<rect x="{x + wide * c}" y="{y + 18 * r}" width="{wide}" height="18" fill="{"#eee" if c == 0 else shade}" stroke="#000" stroke-width="0.6"/>')
            parts.append(words(x + wide * (c + 0.5), y + 18 * r + 13, word, "middle", 10))


def arrow(parts, points):
    parts.append(f'<polyline points="{" ".join(f"{x},{y}" for x, y in points)}" fill="none" stroke="#000"/>')
    (x0, y0), (x, y) = points[-2:]
    turn = math.degrees(math.atan2(y - y0, x - x0))
    parts.append(f'<path transform="translate({x} {y}) rotate({turn:.0f})" d="M0 0L-7 -3.5V3.5z"/>')


def draw_layout():
    rows = read("layout")
    of = {kind: [[r["number"], r["first"], r["second"], r["third"]] for r in rows if r["what"] == kind] for kind in dict.fromkeys(r["what"] for r in rows)}
    parts = [words(16, 20, "Where the numbers of a tetrahedron are", size=14)]
    table(parts, 16, 76, "bodies: an array for each column", ("", "x", "y", "…", "ω z", "shape"), [[str(i), *"··", "…", "·", "3"] for i in range(4)], 34)
    table(parts, 272, 76, "shape 3, once: vertices", ("", "x", "y", "z"), of["vertex"], 34)
    table(parts, 448, 76, "and triangles", ("", "0", "1", "2"), of["triangle"], 34)
    arrow(parts, [(222, 85), (262, 85)])
    arrow(parts, [(516, 152), (516, 168), (288, 168), (288, 212)])
    arrow(parts, [(340, 152), (340, 168), (288, 168), (288, 212)])
    # column after column, as vector loops read them
    parts.append(words(16, 190, "what a search over pairs", more='font-weight="bold"'))
    parts.append(words(16, 204, "of triangles reads", more='font-weight="bold"'))
    for k in range(3):
        y = 218 + 20 * k
        parts.append(words(16, y + 13, f"x of corner {k} of a", size=10))
        for n in range(8):  # each triangle of a with two of b
            x = 130 + 34 * n
            parts.append(f'<rect x="{x}" y="{y}" width="34" height="18" fill="{"#fff" if n // 2 % 2 else "#dde6f2"}" stroke="#000" stroke-width="0.6"/>')
            parts.append(words(x + 17, y + 13, of["x of pair"][n // 2][1 + k], "middle", 10))
        parts.append(words(130 + 34 * 8 + 6, y + 13, "… up to 64 pairs, one after the other", size=10))
    parts.append(words(16, 294, "and so on: y, z, and the same of b: 18 such streams, three corners of each triangle, and no index in between.", size=10))
    parts.append(words(16, 308, "Shown: pairs of triangles 0, 0, 1, 1, 2, 2, 3, 3 of a.", size=10))
    parts.append(words(596, 326, "./dev bench illustrations", "end", 9))
    save_drawing("layout", 612, 334, parts)


def draw_closest():
    rows = {r["what"]: [float(r[k]) for k in "xyzbc"] for r in read("closest")}

    def at(p):
        """x to the right, y into the depth, z up"""
        return 50 + 270 * (p[0] + 0.35 * p[1]), 330 - 235 * (0.75 * p[2] + 0.32 * p[1])

    parts = [words(16, 20, "The closest points of two triangles, and their weights", size=14)]
    for names, fill, stroke in (("ABC", "#dde6f2", COLOURS[0]), ("DEF", "#f6e0d6", COLOURS[1])):
        path = " ".join("{:.1f},{:.1f}".format(*at(rows[n])) for n in names)
        parts.append(f'<polygon points="{path}" fill="{fill}" fill-opacity="0.8" stroke="{stroke}" stroke-width="1.4"/>')
        middle = [sum(at(rows[n])[d] for n in names) / 3 for d in (0, 1)]
        for n in names:
            x, y = at(rows[n])
            off = math.dist((x, y), middle) / 14
            parts.append(words(x + (x - middle[0]) / off, y + (y - middle[1]) / off + 4, n, "middle", 13))
    x, y = at(rows["X"]), at(rows["Y"])
    parts.append(f'<path d="M{x[0]:.1f} {x[1]:.1f}L{y[0]:.1f} {y[1]:.1f}" stroke="#000" stroke-dasharray="4 3"/>')
    for n, p, side in (("X", x, "A + b (B − A) + c (C − A)"), ("Y", y, "D + b (E − D) + c (F − D)")):
        parts.append(f'<circle cx="{p[0]:.1f}" cy="{p[1]:.1f}" r="3.5"/>')
        parts.append(words(p[0] + (-18 if n == "X" else 8), p[1] + (5 if n == "X" else -7), n, size=13))
        b, c = rows[n][3:]
        parts.append(words(430, 250 + 36 * (n == "Y"), f"{n} = {side}", size=11))
        parts.append(words(430, 264 + 36 * (n == "Y"), f"b = {b:.3f}, c = {c:.3f}", size=11))
    parts.append(words(430, 330, f"|X − Y| = {rows['distance'][0]:.6f},", size=11))
    parts.append(words(430, 344, f"proved to {rows['distance'][2] - rows['distance'][1]:.1g}", size=11))
    parts.append(words(632, 354, "./dev bench illustrations", "end", 9))
    save_drawing("closest", WIDE, HIGH, parts)


def draw_penalty():
    rows = read("penalty")
    curve = [[float(r[k]) for k in ("b", "f", "P_weak", "P")] for r in rows if r["what"] == "curve"]
    steps = [[float(r[k]) for k in ("b", "f", "P_weak", "P")] for r in rows if r["what"].startswith("step")]
    plot = Plot("A squared distance with a penalty on what is outside", "./dev bench illustrations", (-0.3, 1.7, False), (0, 2.5, False),
                "weight b of the corner at 1, for c = 0; inside of the triangle from 0 to 1", "square of the edge", right=168)
    plot.ticks(1, (0, 0.5, 1, 1.5, 2, 2.5))
    plot.ticks(0, (0, 0.33, 0.5, 1, 1.5), ("0", "start", "0.5", "1", "1.5"))
    plot.parts.append(f'<rect x="{plot.x(0):.1f}" y="{plot.y(0) - 4:.1f}" width="{plot.x(1) - plot.x(0):.1f}" height="4" fill="{COLOURS[0]}"/>')
    for border in (0, 1):
        plot.parts.append(f'<path d="M{plot.x(border):.1f} {TOP}V{plot.y(0):.1f}" stroke="#000" stroke-dasharray="1 3"/>')
    for column, k, names in ((1, 4, ("f = |X − Y|²",)), (2, 2, ("f + a weak penalty", "(a 2,000th)")), (3, 1, ("f + the penalty",))):
        plot.name_line(names, k, marks=False)
        shown = []
        for was, is_ in zip(curve, curve[1:]):  # lines that leave the plot end at its border
            if was[column] <= 2.5:
                shown.append((was[0], was[column]))
            if (was[column] - 2.5) * (is_[column] - 2.5) < 0:
                part = (2.5 - was[column]) / (is_[column] - was[column])
                shown.append((was[0] + part * (is_[0] - was[0]), 2.5))
        plot.line(shown, k, marks=False)
    for n, p in enumerate(steps[:4]):
        x, y = plot.x(p[0]), plot.y(p[1])
        plot.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#fff" stroke="#000" stroke-width="1.4"/>')
        plot.text(x + (-8 if n == 3 else 8), y + (16 if n == 3 else -6), str(n), "end" if n == 3 else "start", 12)
    for n, line in enumerate(("f where Newton starts", "and after 1 to 3 steps", "(0 and 2 have c ≠ 0;", f"3 is at {steps[3][0]:.5f})")):
        x, y = plot.next_name()
        if n == 0:
            plot.parts.append(f'<circle cx="{x + 12}" cy="{y - 3}" r="4" fill="#fff" stroke="#000" stroke-width="1.4"/>')
        plot.text(x + 30, y + 1, line)
    plot.save("penalty")


if __name__ == "__main__":
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    draw_newton_steps()
    draw_triangle_ways()
    draw_comparisons()
    draw_sharing()
    draw_illustrations()
