"""Figures of docs/figures from what `./dev bench tritri` and `./dev bench levels` print, by the standard library alone: the figures go to
CSV files, and from these are drawn. `python3 bench/figures.py` draws all of them again."""
import csv
import math
import os
import re

FOLDER = "docs/figures"
WIDE, HIGH, LEFT, TOP, RIGHT, BOTTOM = 640, 360, 64, 36, 150, 46
COLOURS = ("#1f4e8c", "#c8501e", "#3a8a3f", "#8a4fa0", "#a07c1a", "#4aa3b5", "#777777", "#d06a9a", "#222222")


def write(name, head, rows):
    os.makedirs(FOLDER, exist_ok=True)
    with open(f"{FOLDER}/{name}.csv", "w", encoding="ascii", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows([head, *rows])


def read(name):
    with open(f"{FOLDER}/{name}.csv", encoding="ascii") as text:
        return list(csv.DictReader(text))


class Plot:
    """axes with places in pixels; x and y: (least, most, is logarithmic)"""

    def __init__(self, title, command, x, y, x_label, y_label):
        self.axes, self.parts, self.names = (x, y), [], 0
        self.text(LEFT, 20, title, size=14)
        self.text(LEFT + self.wide() / 2, HIGH - 8, x_label, "middle")
        self.parts.append(f'<text x="14" y="{TOP + self.high() / 2:.0f}" text-anchor="middle" transform="rotate(-90 14 {TOP + self.high() / 2:.0f})">{y_label}</text>')
        self.text(WIDE - 4, HIGH - 8, command, "end", 9)
        self.parts.append(f'<rect x="{LEFT}" y="{TOP}" width="{self.wide()}" height="{self.high()}" fill="none" stroke="#000"/>')

    @staticmethod
    def wide():
        return WIDE - LEFT - RIGHT

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
        y = TOP + 10 + 16 * self.names
        self.names += 1
        self.parts.append(f'<rect x="{WIDE - RIGHT + 8}" y="{y - 8}" width="10" height="10" fill="{colour}"/>')
        self.text(WIDE - RIGHT + 22, y + 1, words)

    def line(self, points, colour):
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        self.parts += [f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="2.6" fill="{colour}"/>' for x, y in points]

    def bar(self, x, wide, value, colour):
        """x and wide in pixels"""
        top = self.y(value)
        self.parts.append(f'<rect x="{x:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{TOP + self.high() - top:.1f}" fill="{colour}"/>')

    def save(self, name):
        with open(f"{FOLDER}/{name}.svg", "w", encoding="utf-8") as out:
            out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="11">\n'
                      f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>\n' + "\n".join(self.parts) + "\n</svg>\n")


# ------------------------------------------------------------------ triangles

def from_tritri(texts):
    """the steps of the first run, and of all runs the least times"""
    write("newton_steps", ["steps", "pairs"], re.findall(r"^steps +(\d+) +pairs +(\d+)", texts[0], re.M))
    least = {}
    for text in texts:
        for where, way, type_, many, one in re.findall(r"^(\w+) +(\w+) +(double|float) +at once +(\S+) ns +one by one +(\S+) ns", text, re.M):
            was = least.get((where, way, type_), (math.inf, math.inf))
            least[where, way, type_] = min(was[0], float(many)), min(was[1], float(one))
    write("triangle_ways", ["where", "way", "type", "at_once_ns", "one_by_one_ns"], [[*key, *ns] for key, ns in least.items()])
    draw_newton_steps()
    draw_triangle_ways()


def draw_newton_steps():
    rows = [(int(r["steps"]), int(r["pairs"])) for r in read("newton_steps")]
    pairs, never = sum(n for _, n in rows), sum(n for k, n in rows if k == 99)
    plot = Plot(f"Newton's steps, {pairs / 1e6:.0f} million random pairs", "./dev bench tritri", (0, 13, False), (0, 40, False), "steps", "% of the pairs")
    plot.ticks(1, range(0, 41, 10))
    plot.ticks(0, [k + 0.5 for k in range(2, 11)] + [11.5, 12.5], [str(k) for k in range(2, 11)] + ["11+", "never"])
    shown = {k: n for k, n in rows if k <= 10} | {11: sum(n for k, n in rows if 10 < k < 99), 12: never}
    for k, n in shown.items():
        plot.bar(plot.x(k + 0.1), plot.x(0.8) - plot.x(0), 100 * n / pairs, COLOURS[0])
        plot.text(plot.x(k + 0.5), plot.y(100 * n / pairs) - 4, f"{100 * n / pairs:.1f}", "middle", 9)
    plot.save("newton_steps")


def draw_triangle_ways():
    rows = [r for r in read("triangle_ways") if r["type"] == "double"]
    places, ways = (list(dict.fromkeys(r[key] for r in rows)) for key in ("where", "way"))
    groups = [(place, how) for how in ("at_once_ns", "one_by_one_ns") for place in places]
    plot = Plot("Distance of two triangles, double, one core", "./dev bench tritri", (0, len(groups), False), (4, 800, True), "", "ns a pair")
    plot.ticks(1, (5, 10, 20, 50, 100, 200, 500))
    plot.ticks(0, [k + 0.5 for k in range(len(groups))], [place for place, _ in groups])
    plot.text(plot.x(2), HIGH - BOTTOM + 30, "many at once", "middle")
    plot.text(plot.x(6), HIGH - BOTTOM + 30, "one by one", "middle")
    wide = (plot.x(1) - plot.x(0)) / (len(ways) + 1)
    for w, way in enumerate(ways):
        plot.name(way, COLOURS[w])
        for k, (place, how) in enumerate(groups):
            ns = next(float(r[how]) for r in rows if r["where"] == place and r["way"] == way)
            plot.bar(plot.x(k) + wide * (w + 0.5), wide * 0.9, ns, COLOURS[w])
    plot.save("triangle_ways")


# ------------------------------------------------------------------ grids of many levels

def from_levels(text):
    rows = re.findall(r"^1:(\d+) +(\S.*?) {2,}(\S+) +(\S+) ", text, re.M)
    write("comparisons", ["ratio", "phase", "comparisons_a_body", "ns_a_body"], rows)
    draw_comparisons()


def draw_comparisons():
    rows = [r for r in read("comparisons") if r["phase"] != "grid"]  # grid counts none
    ratios = sorted({int(r["ratio"]) for r in rows})
    plot = Plot("Comparisons of boxes, 10,000 spheres", "./dev bench levels", (0.8, 100, True), (8, 10000, True), "largest over smallest", "a body and search")
    plot.ticks(1, (10, 100, 1000, 10000))
    plot.ticks(0, ratios)
    for k, phase in enumerate(dict.fromkeys(r["phase"] for r in rows)):
        plot.name(phase, COLOURS[k])
        plot.line([(int(r["ratio"]), float(r["comparisons_a_body"])) for r in rows if r["phase"] == phase], COLOURS[k])
    plot.save("comparisons")


if __name__ == "__main__":
    os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    draw_newton_steps()
    draw_triangle_ways()
    draw_comparisons()
