#!/usr/bin/env python3
# needs: test asan
"""Disks that fail: each call on a file of a run fails once, or from then on, with ENOSPC, EIO or EDQUOT. A run then
ends in one of two ways. Either with exit code 4, a message with the file and the reason, and a valid last snapshot:
resumed from it, the files are byte for byte those of an undisturbed run. Or, where the failed call does not matter,
with exit code 0 and the same files. Three scenes are tried, each from its start and resumed from a snapshot.

The faults come from strace (-e inject); some are also tried on the build with sanitizers. All calls, some 16,000
faults, take ten minutes of CPU (SCREE_TEST_FACTOR, set by ./dev check, above 1); otherwise one scene, and one of each
kind of call on each kind of file, the same ones each time.

  tests/files/disk_faults.py                                 all scenes (without a campaign the first one)
  tests/files/disk_faults.py SCENE                           one
  tests/files/disk_faults.py SCENE START CALL N ERROR MODE   one fault, as its line of diagnosis names it; the folder is kept
"""
import collections
import errno
import os
import random
import re
import shlex
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import runs  # noqa: E402
from runs import call, full_path, path_options, plain, resume, start  # noqa: E402

EVERY = float(os.environ.get("SCREE_TEST_FACTOR", "1")) > 1
ERRORS = ("ENOSPC", "EIO", "EDQUOT")
WORDS = {e: os.strerror(getattr(errno, e)) for e in (*ERRORS, "EFBIG", "EPIPE")}
# once: only this call; on: it and all later calls of its name; all: the disk is full, or dead, from then on
MODES = ("once", "on", "all")
FULL = {"write", "pwrite64", "writev", "pwritev", "ftruncate", "fallocate", "link", "linkat", "rename", "renameat", "renameat2",
        "mkdir", "mkdirat", "symlink", "symlinkat", "copy_file_range", "fsync", "fdatasync"}
DEAD = FULL | {"read", "pread64", "openat", "open", "unlink", "unlinkat", "newfstatat", "fstat"}
STARTS = ("run", "resumed")
SANITIZED = f"{runs.ROOT}/build/asan/scree"
os.environ["ASAN_OPTIONS"] = "detect_leaks=0"  # which cannot be combined with strace
HALF = 6  # steps of 12, after which a resumed run begins


class Trial:
    """a scene, run from its start or from a snapshot"""

    def __init__(self, whole, begin):
        self.scene, self.whole, self.begin = whole.scene, whole, begin
        self.half = None
        if begin == "resumed":
            self.half = runs.new_folder()
            done = call(start(self.scene, self.half, "--steps", str(HALF)))
            if done.code != 0:
                raise runs.Trouble(f"{self.scene} does not run: exit code {done.code}\n{done.err}")
        self.names, self.places = runs.places(self.scene, self.command, self.fill)

    def fill(self, folder):
        if self.half:
            shutil.copytree(self.half, folder)

    def command(self, folder):
        return resume(f"{folder}/{self.scene}.snap") if self.half else start(self.scene, folder)


def injections(trial, place, error, mode):
    """options of strace"""
    counts = {place.call: f"{place.number}+" if mode != "once" else str(place.number)}
    if mode == "all":
        seen = collections.Counter(p.call for p in trial.places[:place.index])
        for name in sorted({p.call for p in trial.places} & (DEAD if error == "EIO" else FULL)):
            counts.setdefault(name, f"{seen[name] + 1}+")
    options = ["-e", "trace=" + ",".join(counts)]
    for name, when in counts.items():
        options += ["-e", f"inject={name}:error={error}:when={when}"]
    return options


def must_tell(place):
    """Data lost by a failure here may be lost silently in a later power failure, so that equal files are not enough."""
    if place.call in ("fsync", "fdatasync"):
        return any(runs.is_file(n) for n in place.names)
    return place.call == "close" and place.writes and not any(n.endswith(".lock") for n in place.names)


def is_input(name):
    return name.startswith("/")


def words_missing(trial, place, error, mode, err, folder):
    """A message names the file (later ones, where more than one call fails) and the reason."""
    if WORDS[error] not in err:
        return f"'{WORDS[error]}' is not in the message: {err.strip() or 'nothing'}"
    named = [folder if n == "." else plain(n) for n in (place.names if mode == "once" else trial.names)]
    if not any(n in err for n in named):
        return f"the message does not name {' or '.join(named[:4])}: {err.strip()}"
    return ""


def names_missing_files(out):
    """files that the summary names and that do not exist"""
    said = re.findall(r"^(?:snapshot|energies|table|ParaView|pictures|        ) +(/\S+)", out, re.M)
    return [p for p in said if not os.path.exists(p)]


def go_on(trial, folder, had_snapshot, old):
    """after a fault: describes what is wrong if the run continues without another fault"""
    bad = runs.damaged(trial.scene, folder)
    if bad:
        return bad
    there = runs.snapshots(trial.scene, folder)
    if not there:
        if had_snapshot:
            return "the last snapshot is gone"
        bad = trial.whole.judge_end(call(start(trial.scene, folder)), folder)
        return bad and f"run again: {bad}"
    from_file = there[-1] if old else there[0]
    bad = trial.whole.judge_end(call(resume(from_file)), folder)
    return bad and f"resumed from {os.path.basename(from_file)}: {bad}"


def judge(trial, place, error, mode, done, folder):
    if done.code is None:
        return f"not done after {runs.LIMIT} s"
    # parts of the scene that cannot be read are reported like any other error in the scene
    if done.code not in (0, 2, 4) or (done.code == 2 and not any(is_input(n) for n in place.names)):
        return f"exit code {done.code}: {done.err.strip()[-300:]}"
    missing = names_missing_files(done.out)
    if missing:
        return f"the summary names {missing[0]}, which is not there"
    if done.code == 0:
        if must_tell(place):
            return "exit code 0, though what was written may be lost"
        # a lock that nobody holds does no harm
        but = (f"{trial.scene}.lock",) if place.call.startswith("unlink") or mode == "all" else ()
        bad = trial.whole.judge_end(done, folder, but)
        return bad and f"exit code 0, but {bad}"
    return words_missing(trial, place, error, mode, done.err, folder) or \
        go_on(trial, folder, place.snapshot, (place.index + ERRORS.index(error)) % 3 == 0)


def strike(trial, place, error, mode, program=runs.SCREE, keep=False):
    """description of the trouble with one fault; "": none"""
    folder = runs.new_folder()
    trial.fill(folder)
    done, lines = runs.trace([program, *trial.command(folder)[1:]],
                             [*path_options(trial.names, folder), *injections(trial, place, error, mode)])
    if any("(INJECTED)" in line for line in lines):
        bad = judge(trial, place, error, mode, done, folder)
    else:
        bad = "strace did not come to this call: the run makes other calls than before; " \
            f"exit code {done.code}, {done.err.strip()[-300:]}"
    if keep:
        print(f"# {done.err.strip()}\n# exit code {done.code}, folder {folder}")
        input("# Enter: remove it ")
    runs.drop(folder)
    if not bad:
        return ""
    which = "" if program == runs.SCREE else "SCREE=build/asan/scree "
    return (f"{bad}\n  {place.line[:160]}\n"
            f"  {which}tests/files/disk_faults.py {trial.scene} {trial.begin} {place.call} {place.number} {error} {mode}")


def kind(place):
    """calls of one kind are much alike: the same call on files whose names differ by a number"""
    return place.call, place.writes, tuple(re.sub(r"\d+", "#", n) for n in place.names)


def modes_of(place, error):
    return [m for m in MODES if m != "all" or place.call in (DEAD if error == "EIO" else FULL)]


def chosen(trial):
    """the faults to try: (place, error, mode)"""
    if EVERY:
        return [(p, e, m) for p in trial.places for e in ERRORS for m in modes_of(p, e)]
    of_kind, dice = collections.defaultdict(list), random.Random(f"{trial.scene} {trial.begin}")
    for place in trial.places:
        of_kind[kind(place)].append(place)
    faults = []
    for alike in of_kind.values():
        # half of the time the first or the last one
        place = dice.choice((dice.choice((alike[0], alike[-1])), dice.choice(alike)))
        error = dice.choice(ERRORS)
        faults.append((place, error, dice.choice(modes_of(place, error))))
    return faults


def all_faults(trial, tap, pool):
    faults = chosen(trial)
    programs = [SANITIZED if k % 5 == 0 and os.path.exists(SANITIZED) else runs.SCREE for k in range(len(faults))]
    found = list(pool.map(lambda f, program: strike(trial, *f, program), faults, programs))
    groups = collections.defaultdict(list)
    for (place, error, mode), bad in zip(faults, found):
        # a short form has few of each kind: one case per call
        groups[(place.call, error, mode) if EVERY else (place.call,)].append(bad)
    for group, troubles in sorted(groups.items()):
        tap.case(f"{trial.scene} {trial.begin}: {' '.join(group)} fails at {len(troubles)} places", [t for t in troubles if t])


# ------------------------------------------------------------------ what strace is not needed for

def small_files(trial, tap, pool):
    """A limit on the size of files (RLIMIT_FSIZE) cuts writes in the middle, as a full disk does."""
    largest = max(len(c) for c in trial.whole.files.values())
    count = 40 if EVERY else 8
    limits = sorted({0, 1, largest - 1, *(int(largest ** (k / count)) for k in range(1, count))})

    def one(limit):
        folder = runs.new_folder()
        trial.fill(folder)
        done = call(["prlimit", f"--fsize={limit}", *trial.command(folder)])
        bad = ""
        if done.code != 4:
            bad = f"exit code {done.code}, not 4: {done.err.strip()[-300:]}"
        elif WORDS["EFBIG"] not in done.err:
            bad = f"'{WORDS['EFBIG']}' is not in the message: {done.err.strip()}"
        bad = bad or go_on(trial, folder, bool(trial.half), limit % 2)
        runs.drop(folder)
        return bad and f"{bad}\n  prlimit --fsize={limit} {shlex.join(trial.command('FOLDER'))}"

    bad = [b for b in pool.map(one, limits) if b]
    tap.case(f"{trial.scene} {trial.begin}: files of at most 0 to {largest - 1} bytes, {len(limits)} limits", bad)


def waits(trial, tap, pool):
    """--wait-for-space: if the disk is full for a while, the run waits, and is then complete."""
    late = [p for p in trial.places if p.call in ("write", "fsync") and p.snapshot and runs.is_file(p.names[0])]
    few = list({kind(p): p for p in late[len(late) // 2 if trial.half else 0:]}.values())

    def one(place):
        folder = runs.new_folder()
        trial.fill(folder)
        done, _ = runs.trace([*trial.command(folder), "--wait-for-space"],
                             [*path_options(trial.names, folder), "-e", f"trace={place.call}", "-e",
                              f"inject={place.call}:error=ENOSPC:when={place.number}..{place.number + 1}"])
        bad = trial.whole.judge_end(done, folder)
        if not bad and "waiting for space" not in done.err:
            bad = f"it does not say that it waits: {done.err.strip() or 'nothing'}"
        runs.drop(folder)
        return bad and f"{bad}\n  {place.line[:160]}"

    tap.case(f"{trial.scene} {trial.begin}: waits for space at {len(few)} places", [b for b in pool.map(one, few) if b])


def no_listener(trial, tap):
    """A run whose output has no reader continues to its end: only its files count."""
    def one(name, make, codes, words):
        for talk in (("--quiet",), ()):
            folder = runs.new_folder()
            trial.fill(folder)
            command = [a for a in trial.command(folder) if a != "--quiet"] + list(talk)
            done = make(command)
            bad = ""
            if done.code not in codes:
                bad = f"exit code {done.code}, not {' or '.join(map(str, codes))}: {done.err.strip()[-300:]}"
            elif done.code and words and not any(w in done.err for w in words):
                bad = f"no word of it: {done.err.strip() or 'nothing'}"
            bad = bad or trial.whole.differences(folder)
            if not bad:
                done = call([runs.SCREE, "hash", f"{folder}/{trial.scene}.snap"])
                bad = "" if runs.hash_said(done.out) == trial.whole.hash else f"hash {done.out} {done.err}"
            runs.drop(folder)
            tap.case(f"{trial.scene} {trial.begin}: {name}{', ' + talk[0] if talk else ''}", [bad] if bad else [])

    def shell(redirection):
        return lambda command: call(["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *command])

    def broken_pipe(command):
        reader, writer = os.pipe()
        os.close(reader)
        done = call(command, stdout=writer)
        os.close(writer)
        return done

    one("stdout is full", shell(">/dev/full"), (4,), (WORDS["ENOSPC"],))
    one("stdout is a broken pipe", broken_pipe, (4,), (WORDS["EPIPE"],))
    one("stdout is closed", shell(">&-"), (0, 4), ())
    one("all three are closed", shell("<&- >&- 2>&-"), (0, 4), ())
    one("stderr is full", shell("2>/dev/full"), (0,), ())


def order_of_syncs(trial, tap):
    """Safe against power failure: all bytes of a file are synced before a rename gives it its name, and a snapshot gets
    its name only after the rows that it counts are synced."""
    dirty, bad = {}, []
    for place in trial.places:
        names = [n for n in place.names if runs.is_file(n)]
        if place.call in ("write", "pwrite64", "writev", "ftruncate"):
            dirty.update((n, place.line) for n in names)
        elif place.call in ("fsync", "fdatasync"):
            for n in names:
                dirty.pop(n, None)
        elif place.call.startswith("rename") and len(names) == 2:
            if names[0] in dirty:
                bad.append(f"{names[0]} is renamed, and not synced since {dirty[names[0]][:100]}")
                dirty.pop(names[0])
            if names[1] == f"{trial.scene}.snap":
                bad += [f"{n} is not synced before the snapshot: {line[:100]}" for n, line in dirty.items()
                        if n.endswith(".csv")]
    tap.case(f"{trial.scene} {trial.begin}: files are synced before they get their names, rows before they are counted",
             list(dict.fromkeys(bad)))


def try_all(trial, tap, pool):
    order_of_syncs(trial, tap)
    all_faults(trial, tap, pool)
    small_files(trial, tap, pool)
    waits(trial, tap, pool)
    no_listener(trial, tap)


def main(words):
    if len(words) == 6:
        scene, begin, name, number, error, mode = words
        trial = Trial(runs.Whole(scene), begin)
        place = next(p for p in trial.places if (p.call, p.number) == (name, int(number)))
        print(strike(trial, place, error, mode, keep=sys.stdin.isatty()) or "as it should be")
        return
    tap = runs.Tap()
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for scene in words or (runs.SCENES if EVERY else runs.SCENES[:1]):
            try:
                whole = runs.Whole(scene)
                for begin in STARTS:
                    try_all(Trial(whole, begin), tap, pool)
            except runs.Trouble as why:
                tap.case(f"{scene}: undisturbed", [str(why)])
    tap.end()


if __name__ == "__main__":
    main(sys.argv[1:])
