"""Time of a call for the closest features of two polygons against their corners (Fig. 11 of seed 000), from the lines of
bench/closest_features.c: table and plot of docs/theory/polygons.md."""
import re

FOLDER = "docs/polygons"


def rows_of(texts):
    """{corners: figures}; the least time of several runs, since other work only adds time"""
    rows = {}
    for text in texts:
        corners = 0
        for line in text.splitlines():
            apart = re.match(r"apart +(\d+) +(\S+) ns .* +(\S+) changes a step", line)
            slow = re.match(r" +slow +(\S+) ns +(\S+) changes a step", line)
            if apart:
                corners = int(apart.group(1))
                keep_least(rows.setdefault(corners, {}), "fast", apart.group(2), apart.group(3))
            elif slow:
                keep_least(rows[corners], "slow", slow.group(1), slow.group(2))
    return rows


def keep_least(row, motion, ns, changes):
    row[motion] = min(row.get(motion, float("inf")), float(ns))
    row[motion + " changes"] = float(changes)


def draw(rows, folder=FOLDER):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "scree"
    from matplotlib import pyplot
    figure, (times, changes) = pyplot.subplots(2, 1, sharex=True, figsize=(6, 5.5))
    corners = sorted(rows)
    for motion, label in (("slow", "0.0002 rad a step"), ("fast", "0.002 rad a step")):
        times.plot(corners, [rows[n][motion] for n in corners], "o-", label=label)
        changes.plot(corners, [rows[n][motion + " changes"] for n in corners], "o-", label=label)
    times.set(title="Closest features of two polygons, from those of the last step", ylabel="ns a call")
    times.set_ylim(bottom=0)
    changes.set(xlabel="corners of each polygon", ylabel="changes of features a call", xscale="log", yscale="log")
    for axes in (times, changes):
        axes.grid(True, alpha=0.3)
        axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(f"{folder}/closest_features.svg", metadata={"Date": None})
    pyplot.close(figure)
