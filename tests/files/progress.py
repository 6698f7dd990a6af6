#!/usr/bin/python3
"""What a run prints while it runs: no line of the table or of the status is wider than the terminal, or than 80 columns in a
log; the time left is a time; rates count only the steps made, also after a resume and where pictures take the time."""
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import time
from fcntl import ioctl
from termios import TIOCSWINSZ

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap
from tap import case

SCREE = os.environ.get("SCREE", "build/test/scree")
SCENE = "scenes/settling_cubes.scene.yaml"
STEPS = int(os.environ.get("SCREE_TEST_STEPS", "3000"))


def in_terminal(width, *command):
    """output of the command on a terminal with this number of columns"""
    ours, theirs = pty.openpty()
    ioctl(theirs, TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with subprocess.Popen(command, stdout=theirs, stderr=theirs) as done:
        os.close(theirs)
        text = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            text += part
    os.close(ours)
    return done.returncode, text.decode()


def lines_of(text):
    """lines of the status, and of the table: titles and rows"""
    status = [s for s in re.findall(r"\r\x1b\[K([^\r\n]*)", text) if re.match(r" *[0-9.]+ %", s)]
    rows, on = [], False
    for line in re.sub(r"\r\x1b\[K[^\r\n]*(?=\r\x1b)|\r\x1b\[K", "", text).replace("\r", "").split("\n"):
        on = (on or line.startswith("     time")) and not re.match("done|stopped|warning", line)
        if on:
            rows.append(line)
    return status, rows


def is_time(text):
    return re.fullmatch(r"\?|[0-9]{1,2}s|[0-9]+m[0-9]{2}s|[0-9]{1,2}h[0-9]{2}m|[0-9]{1,4}d", text) is not None


def lefts_of(status, rows):
    found = [m.group(1) for s in status if (m := re.search(r"left (\S+)", s))]
    return found + [row.split()[-1] for row in rows[2:]]


def rate_of(text):
    """steps and steps per second of the closing line, and the last row's"""
    steps, rate = re.search(r"(\d+) steps at (\S+) steps/s", text).groups()
    return int(steps), float(rate)


def timed(*words):
    """output of a command, and the seconds that it took: more than its steps can have taken"""
    begin = time.monotonic()
    text = subprocess.run([SCREE, *words], capture_output=True, text=True).stdout
    return text, time.monotonic() - begin


def main():
    with tempfile.TemporaryDirectory() as box:
        long = ["--set", "run.until=30 s", "--set", "output={}"]
        for width in (200, 80, 79, 60, 31):
            code, text = in_terminal(width, SCREE, "run", SCENE, *long, "--steps", str(STEPS), "-o", f"{box}/{width}", "-t", "1")
            status, rows = lines_of(text)
            case(f"{width} columns: runs, with a table", code == 0 and len(rows) > 2, text)
            wide = [s for s in status if len(s) >= width] + [r for r in rows if len(r) > width]
            case(f"{width} columns: no line is wider", not wide, wide)
            case(f"{width} columns: the time left is a time", all(map(is_time, lefts_of(status, rows))), lefts_of(status, rows))
            if width >= 80:
                case(f"{width} columns: what matters is there", all(w in rows[0] for w in ("step", "kinetic", "residual", "overlap", "left")), rows[0])
        whole = in_terminal(200, SCREE, "run", SCENE, *long, "--steps", "10", "-o", f"{box}/wide")[1]
        case("a wide terminal has all columns", all(w in whole for w in ("potential", "lost:norm", "rolling", "geometry")), whole)
        log = subprocess.run([SCREE, "run", SCENE, *long, "--steps", str(STEPS), "-o", f"{box}/log", "-t", "1"],
                             capture_output=True, text=True).stdout
        _, rows = lines_of(log)
        case("a log has no status line", "\r" not in log and "\x1b" not in log, log)
        case("and no row wider than 80 columns", len(rows) > 2 and all(len(r) <= 80 for r in rows), rows)
        case("a run that made all its steps has none left", rows and rows[-1].split()[-1] == "0s" or not rows[-1].strip(), rows)
        steps, rate = rate_of(log)
        case("the rate is of the steps that were made", steps == STEPS and rate > 0, log)
        again, wall = timed("run", "--resume", f"{box}/log/settling_cubes.snap", "--steps", "50", "-t", "1")
        case("also after a resume", rate_of(again)[0] == 50 and rate_of(again)[1] >= 0.99 * 50 / wall, again)
        other, wall = timed("run", "--resume", f"{box}/log/settling_cubes.snap", "--set", "run.response=implicit", "--steps", "50", "-t", "1")
        case("and with another response", rate_of(other)[0] == 50 and rate_of(other)[1] >= 0.99 * 50 / wall, other)
        # a hundred steps and pictures that take longer: the rest of the command's time is an upper bound for the steps
        images = ["--set", "output.images={size: [1280, 960], samples: 4}"]
        drawn, wall = timed("run", SCENE, "--set", "run.until=30 s", *images, "--steps", "100", "-o", f"{box}/drawn", "-t", "1")
        share = float(re.search(r"output ([0-9.]+) %", drawn).group(1))
        left = wall * (100.1 - share) / 100
        _, rows = lines_of(drawn)
        filled = [row.split() for row in rows if row.strip()]
        made, last = int(filled[-1][1]) - int(filled[-2][1]) if len(filled) > 2 else int(filled[-1][1]), float(filled[-1][-2])
        case("and pictures count in no rate", share > 50 and rate_of(drawn)[1] >= 0.99 * 100 / left and last >= 0.99 * made / left, drawn)
        # a snapshot whose run has ended
        subprocess.run([SCREE, "run", SCENE, "--set", "run.until=1 ms", "--set", "output={}", "-q", "-o", f"{box}/end"], check=True,
                       capture_output=True)
        end = subprocess.run([SCREE, "run", "--resume", f"{box}/end/settling_cubes.snap"], capture_output=True, text=True)
        case("a run without a step is not called done", end.returncode == 0 and "\ndone at" not in end.stdout and
             "nothing left to do" in end.stdout, end.stdout)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
