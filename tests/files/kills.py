#!/usr/bin/env python3
# waits
"""Runs that are killed, or stopped by signals, and resumed, again and again: the files are those of a run that was never stopped.

Kills (SIGKILL) come at random times and at random system calls; signals that request a stop (two in a row, too) at
random times. A chain is a run that is interrupted up to four times, each time resumed from its last snapshot or the one
before (or restarted if there was none), and then left to its end: same hash, same files. ./dev check has 300 kills,
./dev test builds 20, ./dev test 6.

  tests/files/kills.py            all
  tests/files/kills.py CHAIN...   chains by their names, as a line of diagnosis gives them (times are never quite the
                                  same)
"""
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import runs  # noqa: E402
from runs import call, path_options, resume, start  # noqa: E402

EVERY = float(os.environ.get("SCREE_TEST_FACTOR", "1")) > 1
SHORT = "SCREE_TEST_SHORT" in os.environ
KILLS, STOPS = (300, 150) if EVERY else (6, 4) if SHORT else (20, 15)
UNTIL = {"solid": "1.5 ms", "plane": "3 ms", "gas": "6 ms"}  # five times as many steps as for faults of disks
# over this number of steps, the step of the scene, 1.9 times the stability limit, gains more energy than the guard
# allows
STEP = {"solid": "25 us"}
SNAPSHOTS = ("1 ns", "10 ms") if SHORT else ("1 ns", "2 ms", "10 ms")  # wall-clock time between them: after every step, and more rarely
STOPPING = ("TERM", "INT", "HUP", "XCPU", "USR1")
LEGS = 4


class Measure:
    """the run that is never stopped: its files, its calls and its duration"""

    def __init__(self, scene, every):
        options = ("--set", f"run.until={UNTIL[scene]}", "--set", f"run.snapshot.every={every}")
        options += ("--set", f"run.step.time={STEP[scene]}") if scene in STEP else ()
        began = time.monotonic()
        self.whole = runs.Whole(scene, *options)
        self.seconds = time.monotonic() - began
        self.names, self.places = runs.places(scene, lambda folder: start(scene, folder, *options))


class Chain:
    def __init__(self, name, measures):
        self.name, self.dice = name, random.Random(name)
        self.kind, number = name.split("-")
        self.scene = runs.SCENES[int(number) % len(runs.SCENES)]
        self.measure = measures[self.scene, self.dice.choice(SNAPSHOTS)]
        self.folder = runs.new_folder()
        self.story, self.hits = [], 0

    def command(self):
        threads = self.dice.choice((1, 2))
        there = runs.snapshots(self.scene, self.folder)
        if not there:
            self.story.append("begun")
            return start(self.scene, self.folder, *self.measure.whole.options, threads=threads)
        snapshot = there[-1] if self.dice.random() < 0.25 else there[0]
        self.story.append(f"resumed from {os.path.basename(snapshot)}")
        return resume(snapshot, threads=threads)

    def at_moments(self, signals):
        """sends them one after the other, unless the run has ended before"""
        command = self.command()
        moment = self.dice.uniform(0, self.measure.seconds * (0.6 if "--resume" in command else 1))
        with subprocess.Popen(command, cwd=runs.ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            timer = threading.Timer(runs.LIMIT, process.kill)
            timer.start()
            time.sleep(moment)
            for k, name in enumerate(signals):
                time.sleep(self.dice.uniform(0, 3e-3) if k else 0)
                process.send_signal(getattr(signal, f"SIG{name}"))
            self.story.append(f"{' and '.join(signals)} after {1e3 * moment:.1f} ms")
            out, err = process.communicate()
            late = not timer.is_alive()
            timer.cancel()
        return runs.Done(None if late else process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))

    def at_call(self):
        place = self.dice.choice(self.measure.places)
        command = self.command()
        # a resumed run makes fewer calls
        number = self.dice.randint(1, place.number) if "--resume" in command else place.number
        self.story.append(f"KILL at {place.call} {number}")
        with open(os.devnull, "w", encoding="utf-8") as log:
            return call([*runs.STRACE, "-o", log.name, *path_options(self.measure.names, self.folder), "-e", f"trace={place.call}",
                         "-e", f"inject={place.call}:signal=KILL:when={number}", *command])

    def leg(self):
        """one interruption; describes what is wrong"""
        if self.kind == "kill":
            done = self.at_moments(["KILL"]) if self.dice.random() < 0.5 else self.at_call()
            self.hits += done.code == -signal.SIGKILL
            fine = (0, -signal.SIGKILL)
        else:
            names = [self.dice.choice(STOPPING) for _ in range(self.dice.choice((1, 2)))]
            done = self.at_moments(names)
            self.hits += done.code == 5
            # before its first output a run has nothing to save
            fine = (0, 5) if done.out else (0, 5, *(-getattr(signal, f"SIG{n}") for n in names))
        if done.code not in fine:
            return "not done in time" if done.code is None else f"exit code {done.code}: {done.err.strip()[-300:]}"
        if done.code == 5 and not runs.snapshots(self.scene, self.folder):
            return "exit code 5, and no snapshot"
        return runs.damaged(self.scene, self.folder)

    def run(self):
        bad = ""
        for _ in range(self.dice.randint(1, LEGS)):
            bad = bad or self.leg()
        bad = bad or self.measure.whole.judge_end(call(self.command()), self.folder)
        runs.drop(self.folder)
        return bad and f"{bad}\n  {', '.join(self.story)}\n  tests/files/kills.py {self.name}"


def campaign(kind, wanted, measures, pool, tap):
    """chains until there are this many hits"""
    chains, troubles = [], {}
    while sum(c.hits for c in chains) < wanted:
        some = [Chain(f"{kind}-{len(chains) + k}", measures) for k in range(3 * (os.cpu_count() or 2))]
        for chain, bad in zip(some, pool.map(Chain.run, some)):
            if bad:
                troubles.setdefault(chain.scene, []).append(bad)
        chains += some
        if len(chains) > 20 * wanted:
            tap.case(f"{kind}: they hit", [f"{sum(c.hits for c in chains)} of {len(chains)} chains"])
            break
    for scene in runs.SCENES:
        of = [c for c in chains if c.scene == scene]
        tap.case(f"{scene}: {sum(c.hits for c in of)} times {'killed' if kind == 'kill' else 'stopped'} in {len(of)} chains",
                 troubles.get(scene, []))


def try_all(names, tap):
    measures = {(scene, every): Measure(scene, every) for scene in runs.SCENES for every in SNAPSHOTS}
    for name in names:
        tap.case(name, [t for t in [Chain(name, measures).run()] if t])
    if not names:
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            campaign("kill", KILLS, measures, pool, tap)
            campaign("stop", STOPS, measures, pool, tap)


def main(names):
    tap = runs.Tap()
    try:
        try_all(names, tap)
    except runs.Trouble as why:
        tap.case("undisturbed", [str(why)])
    tap.end()


if __name__ == "__main__":
    main(sys.argv[1:])
