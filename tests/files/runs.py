"""Disturbed runs, compared with an undisturbed one of the same scene: for disk_faults.py and kills.py. Every run has
its own folder in a box that is removed at the end. `Whole` is the undisturbed run: its files are the reference for all
others. `places` lists the system calls on files of a run, in their order, from a trace by strace; it counts only calls
on the run's own files (inputs, outputs, its folder), as strace does with the same list of paths (-P), so that files
read by libraries do not change the numbers.
"""
import atexit
import collections
import os
import re
import shutil
import subprocess
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
SCREE = os.path.abspath(os.environ.get("SCREE", f"{ROOT}/build/test/scree"))
SCENES = ("solid", "plane", "gas")
INPUTS = f"{ROOT}/tests/files/faults"
LIMIT = 300  # s; a run takes 0.1 s on an idle machine
STRACE = ["strace", "-f", "--seccomp-bpf", "-qq"]
TEMPORARY = re.compile(r"\.(tmp|part)$")


class Trouble(Exception):
    """it fails even without a disturbance"""


Done = collections.namedtuple("Done", "code out err")  # code None: not done in time


def make_box():
    """in memory if there is room: thousands of runs that sync their files would wear a disk"""
    memory = "/dev/shm"
    room = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 64 << 20
    box = os.path.realpath(tempfile.mkdtemp(prefix="scree-", dir=memory if room else None))
    atexit.register(shutil.rmtree, box, ignore_errors=True)
    return box


BOX = make_box()
_numbers = iter(range(10**9))
_lock = threading.Lock()


def new_folder():
    with _lock:
        number = next(_numbers)
    folder = f"{BOX}/{number}"
    os.mkdir(folder)
    return f"{folder}/out"  # created by the run


def drop(folder):
    shutil.rmtree(os.path.dirname(folder), ignore_errors=True)


def call(command, **more):
    """runs it to its end, in its own process group, which is killed as a whole if it takes too long"""
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **more}
    with subprocess.Popen(command, start_new_session=True, cwd=ROOT, **more) as process:
        try:
            out, err = process.communicate(timeout=LIMIT)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            out, err = process.communicate()
            code = None
    err = re.sub(rb"(?m)^strace: Requested path .*\n", b"", err or b"")  # of names that end with a slash
    return Done(code, (out or b"").decode(errors="replace"), (err or b"").decode(errors="replace"))


def scene_path(scene):
    return f"{INPUTS}/{scene}.scene.yaml"


def start(scene, folder, *options, threads=1):
    return [SCREE, "run", scene_path(scene), "-o", folder, "--threads", str(threads), *options]


def resume(snapshot, *options, threads=1):
    return [SCREE, "run", "--resume", snapshot, "--threads", str(threads), *options]


def hash_said(text):
    said = re.search(r"^hash ([0-9a-f]{16})$", text, re.M)
    return said.group(1) if said else None


def snapshots(scene, folder):
    """the existing ones, newest first"""
    return [p for p in (f"{folder}/{scene}.snap", f"{folder}/{scene}.old.snap") if os.path.exists(p)]


def damaged(scene, folder):
    """describes snapshots that do not load; "" if all existing ones do"""
    bad = []
    for path in snapshots(scene, folder):
        done = call([SCREE, "hash", path])
        if done.code != 0 or not hash_said(done.out):
            bad.append(f"{os.path.basename(path)} does not load: {done.err.strip()}")
    return "; ".join(bad)


def contents(folder):
    files = {}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        with open(f"{folder}/{name}", "rb") as file:
            files[name] = file.read()
    return files


def first_difference(name, a, b):
    """difference between the result (a) and the expected one (b)"""
    if name.endswith((".csv", ".pvd", ".yaml", ".vtm", ".vtp")):
        lines, wanted = a.splitlines(), b.splitlines()
        k = next((k for k, (x, y) in enumerate(zip(lines, wanted)) if x != y), min(len(lines), len(wanted)))
        part = [x[k][:60].decode(errors="replace") if k < len(x) else "nothing" for x in (lines, wanted)]
        return f"{len(lines)} lines of {len(wanted)}; line {k + 1} is '{part[0]}', not '{part[1]}'"
    return f"{len(a)} bytes of {len(b)}"


class Whole:
    """the undisturbed run"""

    def __init__(self, scene, *options, folder=None, threads=1):
        self.scene, self.options = scene, options
        self.folder = folder or new_folder()
        done = call(start(scene, self.folder, *options, threads=threads))
        self.out, self.hash, self.files = done.out, hash_said(done.out), contents(self.folder)
        if done.code != 0 or not self.hash:
            raise Trouble(f"{scene} does not run: exit code {done.code}\n{done.err}")

    def differences(self, folder, but=()):
        """describes wrong contents of a folder; "": none. The second snapshot may be of any time."""
        files, words = contents(folder), []
        for name in sorted((set(files) | set(self.files)) - {f"{self.scene}.old.snap", *but}):
            if name not in files:
                words.append(f"{name} is missing")
            elif name not in self.files:
                words.append(f"{name} is left over")
            elif files[name] != self.files[name]:
                words.append(f"{name} differs: {first_difference(name, files[name], self.files[name])}")
        return "; ".join(words[:4]) + (f"; {len(words) - 4} more" if len(words) > 4 else "")

    def judge_end(self, done, folder, but=()):
        """describes how a run that should have ended like this one differs; "": it does not"""
        if done.code != 0:
            return f"exit code {done.code}: {done.err.strip()}"
        if hash_said(done.out) != self.hash:
            return f"hash {hash_said(done.out)}, not {self.hash}"
        return self.differences(folder, but)


# ------------------------------------------------------------------ calls on files

Place = collections.namedtuple("Place", "call number names line writes snapshot index")
# call: name of the system call; number: index among calls of this name; names: files, "." is the folder; line: as
# strace prints it writes: for a close: whether the file was open for writing; snapshot: whether one existed before;
# index: in the order of all calls

LINE = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+|\?)(.*)$")
NO_FAULT = {"execve", "mmap"}


def names_in(text, folder):
    """the run's own files in a line of the trace"""
    found = []
    for path in re.findall(r'"(/[^"]*)"', text) + re.findall(r"<(/[^>]*)>", text):
        path = path.removesuffix(" (deleted)")
        if path == folder:
            found.append(".")
        elif path.startswith(folder + "/"):
            found.append(path[len(folder) + 1:])
        elif path.startswith(INPUTS + "/") and os.path.isfile(path):  # neither the folder nor a part of the data written
            found.append(path)
    return list(dict.fromkeys(found))


def full_path(name, folder):
    return folder if name == "." else name if name.startswith("/") else f"{folder}/{name}"


def trace(command, options):
    with tempfile.NamedTemporaryFile(dir=BOX, mode="r", suffix=".trace") as log:
        done = call([*STRACE, "-y", "-o", log.name, *options, *command])
        return done, log.read().splitlines()


def path_options(names, folder):
    return [x for name in names for x in ("-P", full_path(name, folder))]


def places(scene, command_in, fill=lambda folder: None):
    """all calls of a run on its own files, as (names, [Place]); command_in(folder) runs in a folder that fill
    prepares"""
    folder = new_folder()
    fill(folder)
    done, lines = trace(command_in(folder), ["-e", "trace=%file,%desc"])
    if done.code != 0:
        raise Trouble(f"strace cannot trace {scene}: exit code {done.code}\n{done.err}")
    names = sorted({name for line in lines for name in names_in(line, folder)})
    drop(folder)
    folder = new_folder()
    fill(folder)
    resumed = bool(snapshots(scene, folder))
    done, lines = trace(command_in(folder), ["-e", "trace=%file,%desc", *path_options(names, folder)])
    drop(folder)
    found, count, open_to_write = [], collections.Counter(), {}
    for line in lines:
        match = LINE.match(line)
        own = names_in(line, folder)
        if not match or not own or match.group(1) in NO_FAULT:
            continue
        name, arguments, result = match.group(1), match.group(2), match.group(3)
        count[name] += 1
        file = arguments.split("<")[0]
        found.append(Place(name, count[name], own, line.replace(folder + "/", "").split(" ", 1)[1].strip(),
                           name == "close" and open_to_write.get(file, False), resumed, len(found)))
        if name == "openat" and result.isdigit():
            open_to_write[result] = bool(re.search("O_WRONLY|O_RDWR", arguments))
        if name.startswith("rename") and result == "0" and f"{scene}.snap" in own:
            resumed = True
    return names, found


def is_file(name):
    return name != "." and not name.startswith("/")


def plain(name):
    """a file's name as the user knows it"""
    return TEMPORARY.sub("", os.path.basename(name))


class Tap:
    """numbers the cases"""

    def __init__(self):
        self.count = 0

    def case(self, name, troubles, most=6):
        """troubles: one text per failure"""
        self.count += 1
        print(f"{'not ok' if troubles else 'ok'} {self.count} - {name}", flush=True)
        for text in troubles[:most]:
            print("# " + text.replace("\n", "\n# "))
        if len(troubles) > most:
            print(f"# {len(troubles) - most} more")

    def end(self):
        print(f"1..{self.count}", flush=True)
