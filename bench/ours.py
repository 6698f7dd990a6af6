"""Common code of benchmarks that measure only scree: a scene is read, a step is taken, and `scree bench` continues from
that snapshot on one core."""
import re


class Ours:
    """call: runs a command on one core; free: on all cores; kept: the folder of the cache for a text; beside: another
    scree"""

    def __init__(self, scree, call, free, kept, turns, beside=None):
        self.scree, self.call, self.free, self.kept, self.turns, self.beside = scree, call, free, kept, turns, beside

    def run(self, folder, name, text, *more):
        """the last snapshot of a scene"""
        scene = f"{folder}/{name}.scene.yaml"
        with open(scene, "w", encoding="ascii") as out:
            out.write(text)
        self.free([self.scree, "run", scene, "--quiet", "--overwrite", "-o", folder, *more])
        return f"{folder}/{name}.snap"

    def bench(self, snapshot, steps, turns, *more):
        command = [self.scree, "bench", snapshot, "--steps", str(steps), "--threads", "1", *more]
        return [figures(self.call(command)) for _ in range(turns)]


def figures(text):
    """output of `scree bench`"""
    bodies, contacts, steps, seconds = re.search(
        r"^bodies (\d+)  contacts (\d+) .*steps (\d+)  seconds (\S+)", text, re.M).groups()
    stages = re.search(r"^stage_seconds_per_step(.*)$", text, re.M).group(1).split()
    rows = re.search(r"^slots (\d+)  rows (\d+)  of_spheres (\d+)", text, re.M)  # older versions do not print it
    slots, rows, of_spheres = map(int, rows.groups()) if rows else (0, 0, 0)
    search, searches = re.search(r"^search_seconds (\S+)  searches (\d+)", text, re.M).groups()
    return {"bodies": int(bodies), "contacts": int(contacts), "steps": int(steps),
            "slots": slots, "rows": rows, "spheres": rows == of_spheres, "seconds_per_step": float(seconds) / int(steps),
            "stages": {k: float(v) for k, v in zip(stages[::2], stages[1::2])}, "search_seconds": float(search),
            "searches": int(searches), "bytes_per_body": float(re.search(r"^bytes_per_body (\S+)", text, re.M).group(1)),
            "hash": re.search(r"^hash (\S+)", text, re.M).group(1)}
