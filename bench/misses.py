"""Bytes fetched per body and step by scree and LAMMPS, counted by a simulated cache: `./dev bench misses`. Unlike the
model of traffic.py, it needs no list of arrays: valgrind's cachegrind follows every load and store through one level of
1 MiB, 16 ways, and counts misses. Lines that are written back are not counted. Our build is gcc-O3, without
instructions specific to this machine, some of which valgrind lacks; the arrays are the same. Two runs of different
length are subtracted, so that reading and set-up cancel; searches for pairs are included.
"""
import os
import re
import shutil

import spheres
from engines import Lammps, call, fail

PLAIN = "build/gcc-O3/scree"
STEPS = (10, 110)


def lines_missed(command, folder, cwd=None):
    text = call(["env", "GLIBC_TUNABLES=", "valgrind", "--tool=cachegrind", "--cache-sim=yes", "--LL=1048576,16,64",
                 f"--cachegrind-out-file={os.path.abspath(folder)}/cachegrind.out", *command], cwd=cwd)
    return int(re.search(r"LLd misses: +([\d,]+)", text).group(1).replace(",", ""))


def fetched(engine):
    """bytes per body and step"""
    missed = []
    for steps in STEPS:
        if isinstance(engine, Lammps):
            missed.append(lines_missed(engine.command("measure", steps), engine.folder, engine.folder))
        else:
            missed.append(lines_missed([PLAIN, "bench", engine.snapshot, "--steps", str(steps), "--threads", "1"], engine.folder))
    return 64 * (missed[1] - missed[0]) / (STEPS[1] - STEPS[0])


def measure_all(_, say):
    if not shutil.which("valgrind"):
        fail("misses wants valgrind")
    if not os.path.isfile(PLAIN):
        fail(f"misses wants {PLAIN}: ./dev build gcc-O3")
    say("bytes fetched a body and step into a cache of 1 MiB")
    for name, bodies in (("settle3d", 32768), ("gas3d", 32768), ("mixture3d", 99803)):
        for engine in spheres.BENCHES[name]()[:2]:
            engine.prepare()
            say(f"{name:10} {engine.name:8} {fetched(engine) / bodies:8.0f}")
