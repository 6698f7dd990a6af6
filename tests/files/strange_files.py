#!/usr/bin/python3
# needs: test
"""Files that a verb does not expect, wherever a verb reads or writes one: links at names of temporary files, pipes,
devices, folders, sparse files of 200 GB, forged tables and records, names of columns with code of a shell or of
gnuplot, and full disks. Nothing is executed, targets of links are not written, no call hangs, an old file stays
unchanged if its new one cannot be written, and no files are left over. Valid cases pass: plain files, and links made by
the user.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 256 << 20:
    os.environ["TMPDIR"] = "/dev/shm"  # hundreds of calls that sync their files would wear a disk
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from command import BOX, SCREE, write_beads
from tap import case

REST = """run: {until: 60 ms}
output:
  history: {every: 1 ms}
  walls: {every: 1 ms}
  images: {every: 20 ms, size: [64, 48]}
  measures: {layers: {every: 2 ms, region: {box: {min: [0, 0, 0], max: [40 mm, 40 mm, 40 mm]}}, values: [mass]}}
"""
LIMIT = 120  # s: a call that waits for a pipe or reads an endless file takes longer
HUGE = 200 << 30
scene = write_beads("fall", "beads", REST)


def call(*words, before=(), **more):
    """the call with its exit code; None: not finished in time"""
    try:
        return subprocess.run([*before, SCREE, *words], capture_output=True, text=True, errors="replace", timeout=LIMIT, cwd=BOX, **more)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(late.cmd, None, "", "it hangs")


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


assert call("run", scene, "-o", "whole", "-q").returncode == 0
WHOLE = BOX + "/whole"
HISTORY = bytes_of(WHOLE + "/fall_history.csv")
numbers = iter(range(10**6))


def copy():
    """a folder with the results, all of them plain files"""
    folder = "%s/copy%d" % (BOX, next(numbers))
    shutil.copytree(WHOLE, folder)
    return folder


def left_over(folder):
    return [f for f in os.listdir(folder) if f.endswith((".tmp", ".new", ".part"))]


# ------------------------------------------------------------------ code in names of columns

def check_code():
    """A column with code as its name or unit, in each kind of picture and in the report."""
    sign = BOX + "/executed"
    codes = ["`touch %s`" % sign, '"; system("touch %s"); "' % sign, "$(touch %s)" % sign, "';touch %s;'" % sign]
    for code in tap.part(codes):
        folder = copy()
        text = HISTORY.decode().replace("kinetic[J]", "kinetic[%s]" % code, 1).replace("potential", "potential" + code, 1)
        write(folder + "/fall_history.csv", text)
        for ending, magic in ((".png", b"\x89PNG"), (".svg", b"<svg"), (".pdf", b"%PDF")):
            path = folder + "/p" + ending
            done = call("plot", folder, "kinetic", "potential*", "-o", path)
            case("plot %s: %s is a name" % (ending, code), done.returncode == 0 and bytes_of(path).startswith(magic) and
                 not os.path.exists(sign), done.stderr)
        done = call("report", folder)
        case("report: so it is", done.returncode == 0 and not os.path.exists(sign), done.stderr)
    folder = copy()
    done = call("plot", folder, "kinetic", "-o", folder + "/p.png", env={"PATH": "/nowhere"})
    case("PNG needs no other program", done.returncode == 0 and bytes_of(folder + "/p.png")[:4] == b"\x89PNG", done.stderr)
    folder = copy()
    write(folder + "/fall_history.csv", HISTORY.replace(b"kinetic", b"kin\x1b]0;owned\x07etic", 1))
    done = [call("plot", folder), call("plot", folder, "kin*"), call("plot", folder, "nonsense")]
    case("control characters of a name do not reach the terminal", not any("\x1b" in d.stdout + d.stderr for d in done), done[0].stdout[:300])


# ------------------------------------------------------------------ links at names of temporary files

def plant(folder, names, make):
    for name in names:
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.lexists(path):
            os.unlink(path)
        make(path)


def check_links():
    """Links at all predictable names: their target stays unchanged, and the result is a plain file."""
    victim, dangling = BOX + "/victim", BOX + "/not_yet"
    write(victim, "precious")

    def judge(name, done, result, codes=(0,)):
        good = done.returncode in codes and bytes_of(victim) == b"precious" and not os.path.exists(dangling)
        plain = not result or (os.path.isfile(result) and not os.path.islink(result) and os.path.getsize(result) > 40)
        case("links: " + name, good and plain, (done.returncode, done.stderr, bytes_of(victim)[:80], result))
        write(victim, "precious")

    def both(name, folder, names, result, *words, codes=(0,)):
        for to in tap.part((dangling, victim)):
            plant(folder, names, lambda path, to=to: os.symlink(to, path))
            if result and os.path.lexists(result):
                os.unlink(result)
            judge("%s, %s" % (name, os.path.basename(to)), call(*words), result, codes)

    folder = copy()
    snap = folder + "/fall.snap"
    both("report", folder, ["fall_report.html.tmp", "fall_report.html.new"], folder + "/fall_report.html", "report", folder)
    for ending in (".png", ".svg", ".pdf"):
        path = folder + "/p" + ending
        both("plot " + ending, folder, ["p%s.tmp" % ending, "p%s.new" % ending], path, "plot", folder, "kinetic", "-o", path)
    both("compare", folder, ["c.json.tmp", "c.json.new", "kept.new", "kept.tmp"], folder + "/c.json", "compare", scene, "--response",
         "forces", "-q", "-o", folder + "/c.json", "--resume", folder + "/kept")
    both("export", folder, ["m.vtp.tmp"], folder + "/m.vtp", "export", snap, "-o", folder + "/m.vtp")
    both("render", folder, ["r.png.tmp"], folder + "/r.png", "render", snap, "-o", folder + "/r.png")
    names = ["fall.snap.tmp", "fall.resolved.scene.yaml.tmp", "fall_0001.png.tmp", "fall.old.snap.tmp"]
    both("run", BOX + "/linked", names, BOX + "/linked/fall.snap", "run", scene, "-o", "linked", "-q", "--overwrite")
    both("the lock of a run is refused", BOX + "/locked", ["fall.lock"], None, "run", scene, "-o", "locked", "-q", "--overwrite", codes=(4,))
    sweep = ["sweep", scene, "--set", "contacts.default.friction=0.1,0.2", "-o", "swept", "-q"]
    runs = ["001-friction=0.1", "002-friction=0.2"]
    names = ["sweep.csv.tmp"] + [r + n for r in runs for n in ("/sweep.run.tmp", "/run.log")]
    both("sweep", BOX + "/swept", names, BOX + "/swept/sweep.csv", *sweep, "--overwrite")
    log = BOX + "/swept/001-friction=0.1/run.log"
    case("links: and run.log is a file", os.path.isfile(log) and not os.path.islink(log) and "hash" in bytes_of(log).decode())
    both("the lock of a sweep is refused", BOX + "/swept_2", ["sweep.lock"], None, *sweep[:-2], "swept_2", "-q", codes=(4,))
    # a foreign file or folder at such a name stays
    folder = copy()
    write(folder + "/p.svg.tmp", "mine")
    os.mkdir(folder + "/fall_report.html.tmp")
    done = [call("plot", folder, "kinetic", "-o", folder + "/p.svg"), call("report", folder)]
    case("a file of others at a temporary name stays", all(d.returncode == 0 for d in done) and bytes_of(folder + "/p.svg.tmp") == b"mine",
         [d.stderr for d in done])
    # links made by the user, at the name of the result
    os.symlink("real.svg", folder + "/link.svg")
    done = call("plot", folder, "kinetic", "-o", folder + "/link.svg")
    case("a link of the user is followed, and stays", done.returncode == 0 and os.path.islink(folder + "/link.svg") and
         bytes_of(folder + "/real.svg").startswith(b"<svg"), done.stderr)


# ------------------------------------------------------------------ what is no file

def fifo(path):
    os.mkfifo(path)


def zero(path):
    os.symlink("/dev/zero", path)


def sparse(path):
    with open(path, "wb") as file:
        file.truncate(HUGE)


def lengthened(path, content=b""):
    with open(path, "wb") as file:
        file.write(content)
        file.truncate(HUGE)


KINDS = {"a pipe": fifo, "/dev/zero": zero, "a folder": os.mkdir, "200 GB": sparse}


def check_kinds():
    """All kinds for all files that a verb reads: each ends with a message that names the file."""
    def each(name, file, words, codes, said=None):
        for kind, make in list(KINDS.items())[::3] if tap.SHORT else KINDS.items():
            folder = copy()
            path = folder + "/" + file
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.exists(path):
                os.unlink(path)
            make(path)
            done = call(*[w.replace("FOLDER", folder) for w in words])
            text = done.stderr
            if done.returncode == 0 and said:
                text = bytes_of(folder + "/fall_report.html").decode()
            ok = done.returncode in codes and os.path.basename(file) in text and re.search("regular|bytes|folder|not a scree", text)
            case("%s: %s is %s" % (name, file, kind), ok, (done.returncode, done.stderr[-400:]))

    for verb in ("plot", "report"):
        for file in ("fall_history.csv", "fall_walls.csv", "fall_measure_layers.csv"):
            each(verb, file, [verb, "FOLDER"], (4,))
    for file in ("fall_0000.png", "fall_0003.png", "fall.resolved.scene.yaml", "fall.snap"):
        each("report", file, ["report", "FOLDER"], (0,), said=True)
    each("compare --resume", "kept", ["compare", scene, "--response", "forces", "-q", "--resume", "FOLDER/kept"], (4,))
    for verb in ("hash", "render", "export", "bench"):
        each(verb, "fall.snap", [verb, "FOLDER/fall.snap"], (2, 4))
    each("run --resume", "fall.snap", ["run", "-q", "--resume", "FOLDER/fall.snap"], (2, 4))
    for verb in ("check", "run", "compare", "sweep"):
        more = ["--set", "contacts.default.friction=0.1"] if verb == "sweep" else []
        each(verb, "a.scene.yaml", [verb, "FOLDER/a.scene.yaml", *more], (2, 4))
    for kind, make in tap.part(KINDS.items()):
        folder = "%s/sweep_%s" % (BOX, kind.strip("/").replace(" ", "_").replace("/", "_"))
        words = ["sweep", scene, "--set", "contacts.default.friction=0.1,0.2", "-o", folder, "-q"]
        run = folder + "/001-friction=0.1"
        os.makedirs(run)
        make(run + "/sweep.run")
        done = call(*words)
        case("sweep: sweep.run is %s" % kind, done.returncode == 4 and "sweep.run" in done.stderr, (done.returncode, done.stderr))
    folder = copy()
    whole = bytes_of(folder + "/fall.snap")
    lengthened(folder + "/fall.snap", whole)
    done = call("hash", folder + "/fall.snap")
    case("a snapshot that continues for 200 GB", done.returncode == 2 and "after its end" in done.stderr, done.stderr)
    write(folder + "/fall.snap", whole)
    case("and a whole one", call("hash", folder + "/fall.snap").returncode == 0)
    os.unlink(folder + "/fall_history.csv")
    os.symlink(WHOLE + "/fall_history.csv", folder + "/fall_history.csv")
    done = call("plot", folder, "kinetic", "-o", folder + "/p.svg")
    case("a link to a plain table is read", done.returncode == 0, done.stderr)
    fifo_lock = copy()
    fifo(fifo_lock + "/fall.lock")
    done = call("report", fifo_lock)
    case("report: the lock is a pipe", done.returncode == 0, (done.returncode, done.stderr))
    for kind, make in tap.part((("a pipe", fifo), ("a device", lambda p: os.symlink("/dev/null", p)), ("a folder", os.mkdir))):
        folder = copy()
        for name, words in (("p.svg", ["plot", folder, "kinetic"]), ("p.png", ["plot", folder, "kinetic"]), ("p.html", ["report", folder]),
                            ("p.vtp", ["export", folder + "/fall.snap"]), ("q.png", ["render", folder + "/fall.snap"]),
                            ("p.json", ["compare", scene, "--response", "forces", "-q"])):
            make(folder + "/" + name)
            done = call(*words, "-o", folder + "/" + name)
            case("%s: -o is %s" % (words[0], kind), done.returncode == 4 and name in done.stderr and not left_over(folder),
                 (done.returncode, done.stderr))


# ------------------------------------------------------------------ endings

def check_endings():
    folder = copy()
    for verb, ending in (("plot", ".gif"), ("plot", ""), ("plot", ".png.txt"), ("report", ".pdf"), ("compare", ".csv"), ("export", ".stl"),
                         ("render", ".gif")):
        path = folder + "/out" + ending
        first = {"export": folder + "/fall.snap", "render": folder + "/fall.snap", "compare": scene}.get(verb, folder)
        done = call(verb, first, "-o", path)
        if ending:
            case("%s: %s is refused" % (verb, ending), done.returncode == 2 and not os.path.exists(path), (done.returncode, done.stderr))
        else:
            case("%s: a name without an ending is refused" % verb, done.returncode == 2 and ".pdf" in done.stderr, done.stderr)
    done = call("plot", folder, "kinetic", "-o", folder + "/P.PNG")
    case("plot: .PNG is a PNG", done.returncode == 0 and bytes_of(folder + "/P.PNG")[:4] == b"\x89PNG", done.stderr)


# ------------------------------------------------------------------ forged files

def check_forged():
    kept = BOX + "/kept"
    words = ["compare", scene, "--response", "forces", "-q", "--resume", kept]
    assert call(*words).returncode == 0
    good = bytes_of(kept)
    at = good.index(b"sentence")
    lines = good.split(b"\n")
    forged = {
        "its last line ends in an escape": good[:good.index(b"warnings ")] + b"warnings " + b"a" * 110 + b"\\",
        "a sentence ends in an escape": good[:at] + b"sentence " + b"a" * 111 + b"\\\n",
        "it ends within a key": good[:at + 4],
        "it ends after a key": good[:at + 8],
        "without its last newline": good[:-1],
        "a zero byte": good[:at] + b"\0" + good[at + 1:],
        "a million walls": re.sub(rb"(\nend .* )\d+\n", rb"\g<1>100000000\n", good, count=1),
        "walls below zero": re.sub(rb"(\nend .* )\d+\n", rb"\g<1>-1\n", good, count=1),
        "a fate that is none": good.replace(b"\nend 2 ", b"\nend 77 ", 1),
        "a long name": good.replace(b"run forces", b"run " + b"f" * 500, 1),
        "a count below zero": re.sub(rb"(\nmean \S+ \S+ )\d+\n", rb"\g<1>-5\n", good, count=1),
        "no numbers": re.sub(rb"\nmean .*\n", b"\nmean x y z\n", good, count=1),
        "40 runs": lines[0] + b"\n" + 40 * (b"\n".join(lines[1:])),
        "another file": b"%PDF-1.4\n" * 100,
        "empty lines": b"\n" * 1000,
        "nothing": b"",
    }
    for name, content in tap.part(forged.items()):
        write(kept, content)
        done = call(*words)
        case("compare --resume: %s" % name, done.returncode == 2 and "not a file of a comparison" in done.stderr and bytes_of(kept) == content,
             (done.returncode, done.stderr))
    # a valid file, in which the last line of a text has no newline
    write(kept, re.sub(rb"\nwarnings .*\n", b"\nwarnings warning: first\\\\nwarning: " + b"b" * 90 + b"\n", good))
    done = call(*words[:4], "--resume", kept)
    case("compare --resume: warnings without a last newline are printed, and nothing behind them", done.returncode == 0 and
         re.findall(r"^forces: (warning: .*)$", done.stdout, re.M) == ["warning: first", "warning: " + "b" * 90] and
         len(re.findall("^forces: ", done.stdout, re.M)) == 3, done.stdout + done.stderr)
    write(kept, good)
    done = call(*words[:4], "--resume", kept)
    case("and a good one is taken", done.returncode == 0 and "kept in" in done.stdout, done.stdout + done.stderr)

    head = HISTORY[:HISTORY.index(b"\n", HISTORY.index(b"time,")) + 1]
    tables = {
        "rows of letters": head + b"a,b,c\n", "huge numbers": b"time,x\n0,1e308\n1,-1e308\n2,inf\n3,nan\n",
        "tiny numbers": b"time,x\n0,5e-324\n1,0\n2,1e-310\n", "one time": b"time,x\n1,1\n1,1\n", "times are none": b"time,x\nnan,1\ninf,2\n",
        "many columns": b"time," + b",".join(b"c%d" % k for k in range(5000)) + b"\n" + b",".join(b"1" for k in range(5001)) + b"\n",
        "a long name": b"time," + b"n" * 100000 + b"\n0,1\n1,2\n", "a unit without its end": b"# units: time[s] x[J\ntime,x\n0,1\n",
        "zero bytes": b"time,x\n0,1\n1,\0\n2,3\n", "only zero bytes": b"\0" * 5000, "no newline": b"time,x", "bytes": bytes(range(256)) * 40,
        "many rows of one time": b"time,x\n" + b"0,1\n" * 3000, "no column but time": b"time\n0\n1\n",
    }
    for name, content in tap.part(tables.items()):
        folder = copy()
        write(folder + "/fall_history.csv", content)
        done = [call("plot", folder), call("plot", folder, "*", "-o", folder + "/p.png"), call("plot", folder, "*", "--log", "-o", folder + "/p.svg"),
                call("report", folder)]
        case("tables: %s" % name, all(d.returncode in (0, 2) for d in done) and done[3].returncode == 0, [(d.returncode, d.stderr[:200]) for d in done])

    folder = BOX + "/forged_sweep"
    words = ["sweep", scene, "--set", "contacts.default.friction=0.1,0.2", "-o", folder, "-q"]
    assert call(*words).returncode == 0
    record = glob.glob(folder + "/001*/sweep.run")[0]
    good = bytes_of(record)
    records = {"nothing": b"", "a long hash": good.replace(b"hash ", b"hash " + b"a" * 400), "letters": b"scree sweep 1\nscene x\n",
               "a zero byte": good.replace(b"code", b"co\0de"), "another version": good.replace(b"sweep 1", b"sweep 2"),
               "a code that is none": good.replace(b"code 0", b"code 99999999999"),
               "seconds that are none": re.sub(rb"seconds .*", b"seconds nan", good)}
    for name, content in tap.part(records.items()):
        write(record, content)
        done = call(*words)
        case("sweep.run: %s" % name, done.returncode == 2 and "holds a run of another scene" in done.stderr, (done.returncode, done.stderr))
    write(record, good)
    done = call(*words)
    case("and a good one is taken", done.returncode == 0 and "2 of 2 runs had already ended" in done.stdout, done.stdout + done.stderr)


# ------------------------------------------------------------------ full disks

def check_full():
    """Writes that fail: by a limit to sizes of files, and by system calls that fail. The old file stays."""
    folder = copy()
    snap = folder + "/fall.snap"
    kept = folder + "/kept"
    compare = ["compare", scene, "--response", "forces", "-q"]
    verbs = {
        "plot": (["plot", folder, "kinetic", "-o", folder + "/old.svg"], "old.svg"),
        "plot, PNG": (["plot", folder, "kinetic", "-o", folder + "/old.png"], "old.png"),
        "plot, PDF": (["plot", folder, "kinetic", "-o", folder + "/old.pdf"], "old.pdf"),
        "report": (["report", folder], "fall_report.html"),
        "report -o": (["report", folder, "-o", folder + "/old.html"], "old.html"),
        "compare": ([*compare, "-o", folder + "/old.json"], "old.json"),
        "compare --resume": ([*compare, "--resume", kept], "kept"),
        "export": (["export", snap, "-o", folder + "/old.vtp"], "old.vtp"),
        "render": (["render", snap, "-o", folder + "/render.png"], "render.png"),
    }
    for name, (words, file) in verbs.items():
        path = folder + "/" + file
        if "compare --resume" in name:
            assert call(*words).returncode == 0
            write(path, bytes_of(path).replace(b"run forces 0 ", b"run forces 0 1", 1))  # of another scene
        else:
            write(path, "the old file")
        old = bytes_of(path)
        faults = [("a full disk", ["prlimit", "--fsize=100"], "File too large")]
        if shutil.which("strace") and (not tap.SHORT or name == "compare --resume"):
            faults += [("%s gives %s" % (which, error), ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=%s:error=%s" % (which, error)], words_)
                       for which, error, words_ in (("fsync", "ENOSPC", "No space left"), ("fsync", "EIO", "Input/output"), ("/^rename", "EDQUOT", "quota"))]
        for fault, before, said in faults:
            done = call(*words, before=before)
            case("%s: %s" % (name, fault), done.returncode == 4 and said in done.stderr and file in done.stderr and bytes_of(path) == old and
                 not left_over(folder), (done.returncode, done.stderr, left_over(folder)))
        done = call(*words)
        case("%s: and without it" % name, done.returncode == 0 and bytes_of(path) != old and not left_over(folder), (done.returncode, done.stderr))
    folder = BOX + "/full_sweep"
    words = ["sweep", scene, "--set", "contacts.default.friction=0.1,0.2", "-o", folder, "-q"]
    assert call(*words).returncode == 0
    old = bytes_of(folder + "/sweep.csv")
    done = call(*words, before=["prlimit", "--fsize=100"])
    case("sweep: a full disk", done.returncode == 4 and "sweep.csv" in done.stderr and bytes_of(folder + "/sweep.csv") == old and not left_over(folder),
         (done.returncode, done.stderr))
    done = call(*words, "--overwrite", before=["prlimit", "--fsize=30"])
    case("sweep: not even a record can be written", done.returncode == 4 and "sweep.run" in done.stderr and not left_over(folder),
         (done.returncode, done.stderr))
    done = call("plot", WHOLE, "kinetic", "-o", "/nowhere/p.svg")
    case("plot: a folder that is not there", done.returncode == 4 and "/nowhere/p.svg" in done.stderr, done.stderr)
    done = call("plot", WHOLE, "--json", "kinetic", "-o", BOX + "/j.svg")
    case("plot: --json is one object", done.returncode == 0 and json.loads(done.stdout)["picture"] == BOX + "/j.svg", done.stdout)


def check_rests():
    """Temporary files left by a killed run are removed when the next run begins, and no other files."""
    folder = copy()
    for name in ("fall.snap.tmp", "fall.snap.0123456789abcdef.tmp", "fall_0001.png.tmp", "fall_report.html.00ff00ff00ff00ff.tmp"):
        write(folder + "/" + name, "a part")
    for name in ("other.snap.tmp", "fall_notes.txt.tmp", "fall.tmp"):
        write(folder + "/" + name, "mine")
    done = call("run", scene, "-o", folder, "-q", "--overwrite")
    case("rests of a killed run are removed, and files of others stay", done.returncode == 0 and
         sorted(left_over(folder)) == ["fall.tmp", "fall_notes.txt.tmp", "other.snap.tmp"], (done.stderr, left_over(folder)))


for check in (check_code, check_links, check_kinds, check_endings, check_forged, check_full, check_rests):
    check()
sys.exit(tap.end())
