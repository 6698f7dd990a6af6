"""Settled spheres on two ranks: scree, LAMMPS and LIGGGHTS by `mpirun -n 2`, alternately: `./dev bench two_ranks`.

All start from the packing of settle3d that scree has settled; LAMMPS and LIGGGHTS take 2,000 steps to form its
contacts. A time is the difference of two runs of different lengths, so that it excludes start and end: wall time, and
CPU time as the sum over both ranks. Ranks that wait for another one use the processor, too: on a machine with other
work both times are too long, and only their ratios are meaningful. STEPS=N takes N steps.
"""
import os
import resource
import statistics
import subprocess
import time

import spheres
from engines import ROOT, SCREE, Scree, call, fail, kept

REST, WARM = 2000, 200  # steps until contacts exist; of the shorter run
BOX = (40.0, 40.0, 60.0)
ROOT_TOO = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def job(command, folder):
    """wall time and CPU time of two ranks, s"""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(["mpirun", "--bind-to", "none", "-n", "2", *command], cwd=folder, env=dict(os.environ, **ROOT_TOO),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 5):  # 5: scree has stopped after its steps
        fail(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Ours:
    name = "scree"

    def __init__(self, packing):
        self.packing = packing

    def prepare(self):
        pass

    def command(self, steps):
        return [os.path.abspath(SCREE), "run", "--resume", os.path.abspath(self.packing.snapshot), "-t", "1", "--quiet", "--overwrite",
                "-o", "two_ranks", "--steps", str(steps), "--set", "run.until=1000 s"]


class Peer:
    """a program whose script has a phase that forms the contacts of a table of bodies, and one that measures"""

    def __init__(self, name, program, packing):
        self.name, self.program, self.packing = name, program, packing
        self.script = os.path.join(ROOT, f"bench/peers/settle3d.{name}")
        self.folder = kept(self.script, packing.folder, "two ranks")

    def prepare(self):
        if os.path.isfile(f"{self.folder}/packing.restart"):
            return
        rows = [[*row, 0.0, 0.0, 0.0] for row in self.packing.bodies()]
        spheres.write_lammps(f"{self.folder}/start.data", rows, BOX)
        call([self.program, *self.options("settle", 0)], pinned=False, cwd=self.folder)
        os.replace(f"{self.folder}/made.restart", f"{self.folder}/packing.restart")

    def options(self, phase, steps):
        sets = {"phase": phase, "measured": int(phase == "measure"), "packing": {"settle": "made", "measure": "packing"}[phase] + ".restart", "table": "start.data",
                "rest": REST, "steps": steps}
        return ["-in", self.script, "-log", "none", *(word for k, v in sets.items() for word in ("-var", k, str(v)))]

    def command(self, steps):
        return [self.program, *self.options("measure", steps)]


def measure(engine, steps):
    """microseconds per step, wall time and CPU time"""
    folder = getattr(engine, "folder", engine.packing.folder)
    short, long = (job(engine.command(n), folder) for n in (WARM, WARM + steps))
    return [1e6 * (b - a) / steps for a, b in zip(short, long)]


def measure_all(runs, say):
    packing = Scree("settle3d", 1000, spheres.write_lattice)
    packing.prepare()
    engines = [Ours(packing), Peer("lammps", "lmp", packing), Peer("liggghts", "liggghts", packing)]
    steps = int(os.environ.get("STEPS", 1000))
    for e in engines:
        e.prepare()
    rows = {e.name: [] for e in engines}
    for turn in range(runs.turns):
        for e in engines:
            rows[e.name].append(measure(e, steps))
            print(f"  turn {turn + 1}/{runs.turns} {e.name}: {rows[e.name][-1][0]:.0f} us per step, {rows[e.name][-1][1]:.0f} of the processor",
                  flush=True)
    say(f"32,768 settled spheres, two ranks, {steps} steps in a turn; us per step, medians [lowest, highest]; turn by turn, ratios to scree")
    say(f"{'':10} {'clock':>8} {'':>18} {'processor':>10} {'':>18} {'ratio':>8} {'ratio':>10}")
    for e in engines:
        clock, cpu = zip(*rows[e.name])
        ratios = [statistics.median(b[k] / a[k] for a, b in zip(rows["scree"], rows[e.name])) for k in (0, 1)]
        say(f"{e.name:10} {statistics.median(clock):8.0f} {f'[{min(clock):.0f}, {max(clock):.0f}]':>18} {statistics.median(cpu):10.0f} "
            f"{f'[{min(cpu):.0f}, {max(cpu):.0f}]':>18} {ratios[0]:8.2f} {ratios[1]:10.2f}")
