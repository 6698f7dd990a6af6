"""The engines that are compared: our scenes, LAMMPS, YADE and the programs of peers/, each on one core. An engine has
prepare(), which makes its initial state (once: kept under .cache/bench), and measure(), which returns figures by name.
"""
import copy
import csv
import functools
import glob
import hashlib
import inspect
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import ours
import traffic

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CACHE = ".cache/bench"
SCREE = "build/bench/scree"
# leaves one core for other programs, if there is another
CORE = str(max(os.sched_getaffinity(0)))
FIGURES = ("particle_steps_per_second", "simulated_per_wall_second", "greatest_overlap_percent", "energy_drift_joule")
HEIGHT = "mean_height_metre"  # for benches that print it


def fail(text):
    print(f"bench: {text}", file=sys.stderr)
    sys.exit(1)


def call(command, pinned=True, cwd=None):
    full = ["taskset", "-c", CORE, *command] if pinned else command
    env = dict(os.environ, OMP_NUM_THREADS="1") if pinned else None
    done = subprocess.run(full, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, cwd=cwd)
    if done.returncode != 0:
        fail(f"{' '.join(full)} ended with {done.returncode}:\n{done.stdout[-2000:]}")
    return done.stdout


def status_of(pid, key):
    """bytes, of a line of /proc/PID/status"""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as lines:
            return next((1024 * int(line.split()[1]) for line in lines if line.startswith(key + ":")), 0)
    except (FileNotFoundError, ProcessLookupError):
        return 0


def watched(command, cwd=None):
    """runs a command on one core; returns its output, and its bytes in memory halfway and at most. (Not from wait4:
    that counts what Python held when the program was started.)"""
    full = ["taskset", "-c", CORE, *command]
    with tempfile.TemporaryFile("w+") as out:
        done = subprocess.Popen(full, stdout=out, stderr=subprocess.STDOUT, env=dict(os.environ, OMP_NUM_THREADS="1"), cwd=cwd)
        resident, peak = [], 0
        while done.poll() is None:
            resident.append(status_of(done.pid, "VmRSS"))
            peak = max(peak, status_of(done.pid, "VmHWM"))
            time.sleep(0.05)
        out.seek(0)
        text = out.read()
    if done.returncode != 0:
        fail(f"{' '.join(full)} ended with {done.returncode}:\n{text[-2000:]}")
    # the last half: memory for reading and set-up counts only in the peak
    return text, statistics.median(resident[len(resident) // 2:]), peak


@functools.lru_cache(None)
def idle(*command):
    """bytes that a program needs before it has read a file: it waits for one"""
    with tempfile.TemporaryDirectory() as folder:
        pipe = f"{folder}/pipe"
        os.mkfifo(pipe)
        waiting = subprocess.Popen([*command, pipe], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        resident = status_of(waiting.pid, "VmRSS")
        waiting.kill()
        waiting.wait()
    return resident


def memory(bodies, resident, peak, empty):
    return {"resident_bytes": (resident - empty) / bodies, "peak_bytes": (peak - empty) / bodies}


def named(text):
    """the lines `figure value` of our own drivers and of `scree bench`"""
    out = {}
    for key in (*FIGURES, HEIGHT):
        found = re.search(rf"^{key} (\S+)", text, re.M)
        out[key] = float(found.group(1)) if found else float("nan")
    counts = re.search(r"bodies (\d+)  contacts (\d+)", text)
    out["contacts_per_body"] = int(counts.group(2)) / int(counts.group(1)) if counts else float("nan")
    return out


def kept(*parts):
    """a folder of the cache for exactly these files and words"""
    sum_ = hashlib.sha256()
    for part in parts:
        sum_.update(open(part, "rb").read() if os.path.isfile(part) else part.encode())
    folder = os.path.join(CACHE, sum_.hexdigest()[:16])
    os.makedirs(folder, exist_ok=True)
    return folder


class Scree:
    """One of our scenes, run to rest once, then stepped in memory. A new version of the scene or of the snapshot's
    format makes a new packing. table: writes the bodies; key: their source, in addition to that function's text."""

    def __init__(self, scene, steps, table=None, name="scree", sets=(), key=""):
        self.name, self.beside, self.table, self.steps, self.sets = name, "scree", table, steps, sets
        self.program = SCREE
        self.what = (f"bench/{scene}.scene.yaml", inspect.getsource(table) if table else "", key, *sets)
        self.keep(*self.what)

    def keep(self, *what):
        """the folder of the packing for these files and words"""
        self.folder = kept(*what)
        self.scene = shutil.copy(self.what[0], self.folder)
        self.snapshot = f"{self.folder}/{os.path.basename(self.what[0]).replace('.scene.yaml', '.snap')}"

    def by(self, program):
        """the same with another build of scree, which settles its own packing"""
        other = copy.copy(self)
        other.program, other.name, other.beside = program, self.name + "_before", self.name
        other.keep(*self.what, program)
        return other

    def prepare(self):
        if os.path.isfile(self.snapshot):
            readable = subprocess.run([self.program, "hash", self.snapshot], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if readable.returncode == 0:
                return
        print(f"making the packing of {' '.join([os.path.basename(self.scene), *self.sets])} ...", flush=True)
        if self.table:
            self.table(self.snapshot.replace(".snap", ".csv"))
        # a stopped run leaves a snapshot, too: only a complete one gets the final name
        sets = [word for s in self.sets for word in ("--set", s)]
        call([self.program, "run", self.scene, "--quiet", "--overwrite", "-o", f"{self.folder}/making", *sets], pinned=False)
        os.replace(f"{self.folder}/making/{os.path.basename(self.snapshot)}", self.snapshot)

    def bodies(self):
        """rows x y z size of the packing, by rising id"""
        folder = f"{self.folder}/places"
        call([SCREE, "run", "--resume", self.snapshot, "-o", folder, "--quiet", "--overwrite", "--steps", "1", "--set",
              "run.until=1000 s", "--set", "output.bodies.every=1 us"])
        with open(glob.glob(f"{folder}/*_bodies.csv")[0], encoding="ascii") as rows:
            table = list(csv.DictReader(line for line in rows if not line.startswith("#")))
        shutil.rmtree(folder)
        return [[float(r[k]) for k in ("x", "y", "z", "size")] for r in table if r["time"] == table[-1]["time"]]

    def measure(self):
        text, *seen = watched([self.program, "bench", self.snapshot, "--steps", str(self.steps), "--threads", "1"])
        figures = ours.figures(text)
        return {**named(text.replace("energy_residual_drift_joule", "energy_drift_joule")),
                **memory(figures["bodies"], *seen, idle(self.program, "hash")), "allocated_bytes": figures["bytes_per_body"],
                **traffic.moved(figures)}


class Lammps:
    """A script of peers/ with one phase that makes the packing and one that measures. table: writes the bodies for
    LAMMPS; skins: the best of these is found each time by short runs; sets: variables of the script. Debian's package
    runs on any x86-64; with_native() adds its source built for this processor, which starts from the same packing."""

    def __init__(self, script, steps, dt, name="lammps", table=None, skins=(), sets=None, key=""):
        self.native, self.program = False, "lmp"
        self.name, self.beside, self.table, self.skins, self.skin = name, "scree", table, skins, None
        self.script, self.steps, self.dt = os.path.join(ROOT, "bench/peers", script), steps, dt
        self.sets = [word for k, v in (sets or {}).items() for word in ("-var", k, str(v))]
        self.folder = kept(self.script, inspect.getsource(table) if table else "", key, *self.sets)
        self.packing = os.path.join(ROOT, self.folder, "packing.restart")

    def with_native(self):
        """this engine and its twin, built for this processor"""
        other = copy.copy(self)
        other.native, other.program = True, os.path.join(ROOT, CACHE, "lammps_native/lmp")
        other.name = self.name.replace("lammps", "lammps_native")
        return [self, other]

    def command(self, phase, steps=None):
        skin = ["-var", "skin", str(self.skin)] if self.skin else []
        return [self.program, "-in", self.script, "-var", "phase", phase, "-var", "packing", self.packing, "-var", "steps",
                str(steps or self.steps), "-var", "table", "start.data", *self.sets, *skin, "-log", "none"]

    def prepare(self):
        if self.native and not os.path.isfile(self.program):
            print("building LAMMPS from Debian's source for this processor: some 15 minutes of two cores ...", flush=True)
            call([os.path.join(ROOT, "bench/peers/lammps_native.sh"), os.path.dirname(self.program)], pinned=False)
        if not os.path.isfile(self.packing):
            print(f"making LAMMPS's packing of {os.path.basename(self.script)} {' '.join(self.sets)} ...", flush=True)
            if self.table:
                self.table(f"{self.folder}/start.data")
            whole, self.packing = self.packing, self.packing + ".making"
            call(self.command("settle"), pinned=False, cwd=self.folder)
            os.replace(self.packing, whole)
            self.packing = whole
        self.choose_skin()

    def choose_skin(self):
        speed = {}
        for self.skin in [skin for _ in range(2) for skin in self.skins]:
            found = self.measure(max(300, self.steps // 3))[FIGURES[0]]
            speed[self.skin] = max(found, speed.get(self.skin, 0))
        if speed:
            self.skin = max(speed, key=speed.get)

    def about(self, say):
        if self.skin:
            say(f"{self.name}: skin {self.skin}, the best of {', '.join(map(str, self.skins))}")

    def measure(self, steps=None):
        steps = steps or self.steps
        text, *seen = watched(self.command("measure", steps), cwd=self.folder)
        seconds, atoms = [(float(a), int(b)) for a, b in re.findall(
            r"Loop time of (\S+) on \d+ procs for \d+ steps with (\d+) atoms", text)][-1]
        # rows: step, atoms, kinetic, coordination number, nearest pair, potential. Contacts are counted at the end of the steps to warm
        # up. LAMMPS counts wrongly later: at the start of a second run it sorts its atoms, and keeps the list of pairs
        # that `compute contact/atom` made in the same step before (Neighbor::build_one of the version of 29 September
        # 2021).
        rows = re.findall(r"^ *\d+ +\d+ +(\S+) +(\S+) +(\S+) +(\S+) *$", text, re.M)[-3:]
        (_, met, near, _), (kin0, _, _, pot0), (kin1, _, _, pot1) = [[float(v) for v in r] for r in rows]
        return {"particle_steps_per_second": atoms * steps / seconds, "simulated_per_wall_second": steps * self.dt / seconds,
                "greatest_overlap_percent": 100 * (1 - near) if 0 <= near < 1e19 else float("nan"),
                "energy_drift_joule": kin1 + pot1 - kin0 - pot0, "contacts_per_body": met / 2, HEIGHT: float("nan"),
                **memory(atoms, *seen, idle(self.program, "-log", "none", "-in"))}


class Driver:
    """a program of bench/peers, which settles and measures in one run"""

    def __init__(self, name, *command, beside="scree"):
        self.name, self.beside, self.command = name, beside, [f"build/bench/bench/{command[0]}", *command[1:]]

    def prepare(self):
        pass

    def measure(self):
        return named(call(self.command))


class Yade:
    """takes our packing: making its own would take a quarter of an hour"""
    name, beside = "yade", "scree"

    def __init__(self, packing, steps):
        self.packing, self.steps = packing, steps

    def prepare(self):
        """after ours: the positions of our packing"""
        self.places = f"{self.packing.folder}/places.txt"
        with open(self.places, "w", encoding="ascii") as out:
            out.writelines(f"{x!r} {y!r} {z!r}\n" for x, y, z, _ in self.packing.bodies())

    def measure(self):
        return named(call(["yade", "-j1", "-x", "-n", "bench/peers/settle3d_yade.py", self.places, str(self.steps)]))


