#!/usr/bin/python3
"""scree plot and scree report: the list of columns, text, SVG whose curves lie where the values of the table are; a
report that is complete and well formed, needs no other file, escapes foreign text, and states whether a run is done,
stopped, stopped by a guard, killed, or still running."""
import base64
import html.parser
import os
import re
import signal
import subprocess
import sys
import time
import zlib
import xml.etree.ElementTree as tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from command import BOX, SCREE, call, table, write_beads
from tap import case

REST = """run: {until: 60 ms}
output:
  history: {every: 1 ms}
  walls: {every: 1 ms}
  images: {every: 5 ms, size: [64, 48]}
  measures:
    layers: {every: 2 ms, region: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, 40 mm]}}, cells: [1, 1, 4], values: [mass, solid_fraction]}
"""


def values(path, name):
    rows = table(path)
    return [r["time"] for r in rows], [r[name] for r in rows]


class Page(html.parser.HTMLParser):
    """open tags, words by the heading above them, resources that a browser would fetch"""
    EMPTY = {"meta", "img", "br", "path", "rect"}

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.fetched, self.pictures, self.curves = [], [], [], 0, 0
        self.tags, self.text, self.part = set(), {}, ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for key, value in attrs:
            if key in ("src", "href") and not value.startswith("data:"):
                self.fetched.append(value)
        if tag == "img":
            data = dict(attrs)["src"].split("base64,")[1]
            self.pictures += base64.b64decode(data).startswith(b"\x89PNG")
        self.curves += tag == "path" and dict(attrs).get("fill") == "none"
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.EMPTY:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.part = data
        self.text[self.part] = self.text.get(self.part, "") + data


def pixels(path):
    """rows of pixels of a PNG, as (r, g, b)"""
    data, at, packed = open(path, "rb").read(), 8, b""
    while at < len(data):
        length, kind = int.from_bytes(data[at:at + 4], "big"), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height = int.from_bytes(body[:4], "big"), int.from_bytes(body[4:8], "big")
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    raw, rows = zlib.decompress(packed), []
    for k in range(height):
        line = bytearray(raw[k * (3 * width + 1):(k + 1) * (3 * width + 1)])
        kind, line = line[0], line[1:]
        assert kind in (0, 1)  # as scree writes them
        for i in range(3, len(line) if kind else 0):
            line[i] = (line[i] + line[i - 3]) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, len(line), 3)])
    return rows


def check_png(run):
    """The curve of a PNG lies where that of the SVG does."""
    call("plot", run, "kinetic", "-o", BOX + "/one.svg")
    call("plot", run, "kinetic", "-o", BOX + "/one.png")
    rows = pixels(BOX + "/one.png")
    svg = tree.parse(BOX + "/one.svg").getroot()
    curve = [p for p in svg.iter("{http://www.w3.org/2000/svg}path") if p.get("fill") == "none"][0]
    points = [tuple(map(float, p.split())) for p in re.findall(r"[-\d.]+ [-\d.]+", curve.get("d"))]
    near = [any(r + 40 < b for y0 in (-1, 0, 1) for r, _, b in [rows[int(y) + y0][int(x)]]) for x, y in points]
    case("the curve of the PNG is where that of the SVG is", len(rows) == 250 and all(near) and len(near) > 40, (len(rows), near))
    far = sum(r + 40 < b for row in rows[60:] for r, _, b in row)
    case("and nowhere else", far < 12 * 760, far)


def check_plot(run):
    history = run + "/fall_history.csv"
    done = call("plot", run)
    case("plot: a list of the columns", done.returncode == 0 and "measures.layers[4].solid_fraction" in done.stdout and
         "walls.floor.fz" in done.stdout, done.stdout + done.stderr)
    last = values(history, "potential")[1][-1]
    case("with their last values", re.search(r"^potential +J +.* %.4g$" % last, done.stdout, re.M), done.stdout)
    done = call("plot", run, "kinetic", env={**os.environ, "LC_ALL": "C"})
    lines = done.stdout.splitlines()
    case("in the terminal: lines of 80 columns", done.returncode == 0 and len(lines) == 12 and max(map(len, lines)) <= 80, done.stdout)
    time_, kinetic = values(history, "kinetic")
    top = [k for k, line in enumerate(lines) if "*" in line][0]
    place = (lines[top].index("*") - 12) / 66
    case("the greatest value is where it is", abs(place - time_[kinetic.index(max(kinetic))] / time_[-1]) < 0.05, place)
    done = call("plot", run, "kinetic", env={**os.environ, "LC_ALL": "C.UTF-8"})
    case("by dots where the terminal has them", re.search("[\u2801-\u28ff]", done.stdout), done.stdout)

    path = BOX + "/plot.svg"
    done = call("plot", run, "kinetic", "potential", "measures.layers*.mass", "-o", path)
    case("SVG is written", done.returncode == 0 and done.stdout.strip() == path, done.stderr)
    svg = tree.parse(path).getroot()
    curves = [p for p in svg.iter("{http://www.w3.org/2000/svg}path") if p.get("fill") == "none"]
    case("with all curves", len(curves) == 6, len(curves))
    points = [tuple(map(float, p.split())) for p in re.findall(r"[-\d.]+ [-\d.]+", curves[1].get("d"))]
    potential = values(history, "potential")[1]
    # the same linear map from values to pixels for all points
    def at(t):
        return potential[min(range(len(time_)), key=lambda k: abs(time_[k] - t))]
    x0, x1 = points[0][0], points[-1][0]
    times = [time_[0] + (x - x0) / (x1 - x0) * (time_[-1] - time_[0]) for x, _ in points]
    low, high = min(points, key=lambda p: p[1]), max(points, key=lambda p: p[1])
    scale = (at(times[points.index(low)]) - at(times[points.index(high)])) / (low[1] - high[1])
    off = [abs(at(t) - (at(times[0]) + scale * (y - points[0][1]))) / (max(potential) - min(potential)) for t, (_, y) in zip(times, points)]
    case("whose points are the values", len(points) >= len(time_) and max(off) < 0.05, max(off))
    done = call("plot", run, "nonsense")
    case("an unknown column is refused with those that are there", done.returncode == 2 and "kinetic, potential" in done.stderr, done.stderr)
    case("without a near one where there is none", "did you mean" not in done.stderr, done.stderr)
    done = call("plot", run, "kinetc")
    case("a misspelt column is refused with the near one", done.returncode == 2 and "'kinetc' (did you mean kinetic?)" in done.stderr, done.stderr)
    done = call("plot", run, "kinetic", "-o", BOX + "/plot.gif")
    case("so is another kind of file", done.returncode == 2 and ".svg, .png or .pdf" in done.stderr, done.stderr)
    for ending, magic in ((".png", b"\x89PNG"), (".pdf", b"%PDF")):
        done = call("plot", run, "kinetic", "--log", "-o", BOX + "/plot" + ending)
        case(ending[1:].upper(), done.returncode == 0 and open(BOX + "/plot" + ending, "rb").read(4) == magic, done.stderr)
    check_png(run)
    done = call("plot", BOX)
    case("a folder without a run is refused", done.returncode == 2 and "has no run" in done.stderr, done.stderr)


def report(path, *more):
    done = call("report", path, *more)
    text = open(done.stdout.strip(), encoding="utf-8").read() if done.returncode == 0 else ""
    return done, Page(text), text


def check_report(run, hash_):
    done, page, text = report(run)
    case("report: it is written", done.returncode == 0 and done.stdout.strip() == run + "/fall_report.html", done.stderr)
    case("well formed", not page.wrong and not page.open, (page.wrong, page.open))
    case("it fetches nothing", not page.fetched and "script" not in page.tags, page.fetched)
    case("names are escaped", "<script" not in text and "&#60;script&#62;alert(&#39;&#38;&#39;)" in text and "\u00b5" in text)
    case("done", "done at 0.06" in page.text["Run"], page.text["Run"])
    case("with the hash", hash_ in page.text["Run"], page.text["Run"])
    case("and the command", "scree run %s/fall.resolved.scene.yaml" % run in page.text["Commands"], page.text["Commands"])
    again = call("run", run + "/fall.resolved.scene.yaml", "-o", BOX + "/again", "-q")
    case("which gives the same hash", "hash " + hash_ in again.stdout, again.stdout + again.stderr)
    case("energies", "%.6g J" % values(run + "/fall_history.csv", "lost_normal")[1][-1] in page.text["Energies"], page.text["Energies"])
    case("guards", "%, limit 50 %" in page.text["Guards"], page.text["Guards"])
    case("pictures", page.pictures == 8 and "8 of 13 pictures" in page.text["Pictures"], page.pictures)
    case("curves", page.curves > 20, page.curves)
    case("the scene", "restitution: 0.5" in page.text["Scene"], page.text["Scene"])
    case("files", "fall_history.csv" in page.text["Files"])
    page = report(run, "--pictures", "0", "-o", BOX + "/other.html")[1]
    case("--pictures 0", page.pictures == 0)
    done = call("report", run, "-o", BOX + "/other.pdf")
    case("another kind of file is refused", done.returncode == 2 and "HTML" in done.stderr, done.stderr)


def check_legends():
    """Every energy has its name above a chart, complete and within the picture, also where heat adds four more."""
    run = BOX + "/heat"
    done = call("run", "scenes/hot_balls.scene.yaml", "-o", run, "-q", "--steps", "300", "--set", "output={history: {every: 0.1 ms}}")
    text = report(run)[2]
    with open(run + "/hot_balls_history.csv", encoding="ascii") as file:
        energies = re.findall(r"(\w+)\[J\]", file.readline())
    shown = re.findall(r'<text x="([\d.]+)"[^>]*anchor="start">([^<]*)</text>', text)
    lost = [name for name in energies if name not in [word for _, word in shown]]
    wide = [word for x, word in shown if float(x) + 7 * len(word) > 760]
    case("legends have all energies, 13 and the residual", len(energies) > 12 and not lost and not wide, (done.stderr, energies, lost, wide))
    case("no curve is left out", "A chart has at most" not in text)


def greatest(run):
    """largest overlap (%) and speed (m/s) in the report"""
    text = report(run)[1].text["Guards"]
    return [float(re.search(name + r"([\d.e+-]+)", text).group(1)) for name in ("greatest overlap", "greatest speed")]


def check_greatest(scene, run):
    """largest values are those of all steps, not of the rows of the history"""
    call("run", scene, "-o", BOX + "/fine", "-q", "--set", "output.history.every=1 us")
    of = [max(values(BOX + "/fine/fall_history.csv", name)[1]) for name in ("max_overlap", "max_speed")]
    rows = [max(values(run + "/fall_history.csv", name)[1]) for name in ("max_overlap", "max_speed")]
    true = ["%.4g" % (100 * of[0]), "%.4g" % of[1]]
    shown = ["%.4g" % x for x in greatest(run)]
    case("the rows miss the greatest overlap", rows[0] < 0.999 * of[0], (rows, of))
    case("the report has the greatest values of all steps", shown == true, (shown, true))
    after = 5 + max(table(BOX + "/fine/fall_history.csv"), key=lambda r: r["max_overlap"])["step"]
    call("run", scene, "-o", BOX + "/half", "-q", "--steps", "%d" % after)
    resumed = call("run", "--resume", BOX + "/half/fall.snap")
    shown = ["%.4g" % x for x in greatest(BOX + "/half")]
    case("a resumed run has those of its earlier part, too", shown == true, (shown, true))
    case("so have its closing lines", "greatest overlap %.3g %%" % (100 * of[0]) in resumed.stdout, resumed.stdout)


def check_states(scene):
    call("run", scene, "-o", BOX + "/part", "--steps", "200", "-q")
    page = report(BOX + "/part")[1]
    case("stopped before its end", "stopped at" in page.text["Run"] and "--resume" in page.text["Commands"], page.text["Run"])
    call("run", scene, "-o", BOX + "/guard", "-q", "--set", "run.guard.speed=0.1 m/s")
    page = report(BOX + "/guard")[1]
    case("stopped by a guard", "stopped by a guard" in page.text["Run"], page.text["Run"])
    case("with its sentence", "speed" in page.text["Guards"] and "stopped by" in page.text["Guards"], page.text["Guards"])
    with subprocess.Popen([SCREE, "run", scene, "-o", BOX + "/killed", "-q", "--set", "run.until=1000 s"],
                          stdout=subprocess.DEVNULL) as run:
        until = time.time() + 60
        while time.time() < until and not os.path.exists(BOX + "/killed/fall_0001.png"):
            time.sleep(0.02)
        done, page, _ = report(BOX + "/killed")
        case("running", "running" in page.text.get("Run", ""), done.stderr or page.text)
        run.send_signal(signal.SIGKILL)
    with open(BOX + "/killed/fall_history.csv", "a") as file:
        file.write("0.5,12")
    done, page, _ = report(BOX + "/killed")
    case("killed before its first snapshot, within a row", "before its first snapshot" in page.text.get("Run", "") and page.curves > 10,
         done.stderr or page.text.get("Run"))


scene = write_beads("fall", '"<script>alert(\'&\')</script> \\u00b5"', REST)
whole = call("run", scene, "-o", BOX + "/whole", "-q")
case("a run to look at", whole.returncode == 0, whole.stderr)
check_plot(BOX + "/whole")
check_report(BOX + "/whole", re.search("hash (.*)", whole.stdout).group(1))
check_greatest(scene, BOX + "/whole")
check_states(scene)
check_legends()
sys.exit(tap.end())
