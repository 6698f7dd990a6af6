#!/usr/bin/env python3
# needs:
"""the runner of the tests counts correctly: a case that fails, is skipped or never ran does not count as passed; a test
that takes too long is killed with all its processes, and limits are longer on a busy or slow machine"""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

here = os.path.dirname(os.path.abspath(__file__))
loader = importlib.machinery.SourceFileLoader("run_tests", os.path.join(here, "../../tools/run_tests"))
runner = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_tests", loader))
loader.exec_module(runner)

# description, kind, output, exit code, passed, failed
CASES = [
    ("all pass", "cmocka", "1..2\nok 1 - a\nok 2 - b\n", 0, 2, 0),
    ("one fails", "cmocka", "1..2\nok 1 - a\nnot ok 2 - b\n# why\n# not ok - tests\n", 1, 1, 1),
    ("dies in the middle", "cmocka", "1..3\nok 1 - a\nAddressSanitizer: ...\n", 1, 1, 1),
    ("dies before its plan", "cmocka", "Segmentation fault\n", -11, 0, 1),
    ("leaks after its last case", "cmocka", "1..1\nok 1 - a\nLeakSanitizer: ...\n", 23, 1, 1),
    ("runs no case", "cmocka", "", 0, 0, 1),
    ("skips a case", "cmocka", "1..2\nok 1 - a\nok 2 - b # SKIP\n", 0, 1, 1),
    ("skips all cases", "tap", "1..0 # SKIP why\n", 0, 0, 1),
    ("plans none", "tap", "1..0\n", 0, 0, 1),
    ("two groups", "cmocka", "1..1\nok 1 - a\n1..2\nok 1 - b\nok 2 - c\n", 0, 3, 0),
    ("a script in TAP", "tap", "ok 1 - a\nnot ok 2 - b\n1..2\n", 0, 1, 1),
    ("a script without TAP", "tap", "fine\n", 0, 1, 0),
    ("a script without TAP fails", "tap", "bad\n", 1, 0, 1),
    ("a script ends early", "tap", "ok 1 - a\n", 1, 1, 1),
    ("a fuzzer finds something", "one", "ok looks like TAP\nSUMMARY: libFuzzer\n", 77, 0, 1),
]
numbers = iter(range(1, 1000))
some = [runner.Test("a", ["test"], []), runner.Test("long", ["test"], []), runner.Test("new", [], []), runner.Test("b", ["test", "asan"], [])]
runner.remembered = lambda: {"a": 1.0, "long": 2.0 * runner.QUICK * runner.JOBS, "b": 0.1}


def check(what, good, why):
    print(f"{'ok' if good else 'not ok'} {(last := next(numbers))} - {what}")
    if not good:
        print(f"# {why}")
    return last


names = [t.name for t in runner.quick(some)]
check("quick runs what is short and needs one build, the fastest first", names == ["new", "a"], names)
names = [t.name for t in runner.quick([runner.Test(str(k), ["test"], []) for k in range(10000)])]
check("quick runs no more than fills its time", len(names) == runner.QUICK * runner.JOBS / runner.UNKNOWN, len(names))
for what, kind, output, code, passed, failed in CASES:
    test = runner.Test("x", [], [], cases=kind)
    test.output = output
    runner.count(test, code)
    check(what, (test.passed, test.failed) == (passed, failed),
          f"{test.passed} passed, {test.failed} failed; expected {passed} and {failed}")

said = runner.Test("x", [], [])
said.output = "ok 1 - a\n# not run: b, there is no c\n# another line\n1..1\n"
check("what a test did not run is repeated", runner.not_run([said]) == ["not run: b, there is no c (x)"], runner.not_run([said]))


def gone(pid, patience=60):
    """tests whether this process has ended or ends soon"""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as about:
                if about.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False


def number_in(path, patience=60):
    """the number that another process soon writes there"""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            with open(path, encoding="ascii") as file:
                return int(file.read())
        except (FileNotFoundError, ValueError):
            time.sleep(0.02)
    return 0


# a command that starts another one, which would continue without it
ORPHAN = "sleep 1000 & echo $! >$0/part; mv $0/part $0/pid; "
with tempfile.TemporaryDirectory() as box:
    def forget():
        if os.path.exists(f"{box}/pid"):
            os.remove(f"{box}/pid")

    def shell(text, **more):
        """exit code and output of a test, and the process that it started"""
        forget()
        test = runner.Test("x", [], ["/bin/sh", "-c", text, box], **more)
        return (*runner.execute(test), number_in(f"{box}/pid") if "pid" in text else 0)

    code, out, orphan = shell(ORPHAN + "echo begun; wait", limit=0.5)
    check("too long: not done", code == -1 and b"begun" in out and b"not done after" in out, f"{code} {out}")
    check("too long: what it has started is killed, too", orphan and gone(orphan), f"process {orphan} goes on")
    code, out, orphan = shell(ORPHAN + "exit 3", limit=60)
    check("an end: its exit code", code == 3 and not out, f"{code} {out}")
    check("an end: what it leaves behind is killed", orphan and gone(orphan), f"process {orphan} goes on")
    ticks = "for k in 1 2 3 4 5 6 7 8 9 10; do sleep 0.4; echo $k >>$0/log; done"
    code, out, _ = shell(ticks, limit=3, life=f"{box}/log")
    check("a build that shows signs of life may take long", code == 0, f"{code} {out}")
    code, out, _ = shell("echo 1 >>$0/log; sleep 1000", limit=0.5, life=f"{box}/log")
    check("a build that is silent may not", code == -1 and b"of silence" in out, f"{code} {out}")

    # build a waits for a test that needs no build; b fails
    sh = ["/bin/sh", "-c"]
    builds = [runner.Test("build/a", [], [*sh, "until [ -e $0/begun ]; do sleep 0.05; done", box], cases="one", limit=60),
              runner.Test("build/b", [], [*sh, "exit 1"], cases="one")]
    tests = [runner.Test("of both", ["a", "b"], [*sh, "exit 0"], cases="one"),
             runner.Test("of none", [], [*sh, "touch $0/begun", box], cases="one"),
             runner.Test("of a", ["a"], [*sh, "test -e $0/begun", box], cases="one")]
    with contextlib.redirect_stdout(io.StringIO()):
        runner.run_all(builds, tests)
    check("tests run beside the builds that they do not need", builds[0].passed == 1 and tests[1].passed == 1, builds[0].output)
    check("those that need one run behind it", tests[2].passed == 1, tests[2].output)
    check("one that needs a build that failed is failed", tests[0].failed == 1 and "build b failed" in tests[0].output,
          f"{tests[0].failed} failed: {tests[0].output}")

    forget()
    driver = """
import importlib.machinery as m, importlib.util as u, signal, sys
loader = m.SourceFileLoader("run_tests", sys.argv[1])
runner = u.module_from_spec(u.spec_from_loader("run_tests", loader))
loader.exec_module(runner)
signal.signal(signal.SIGTERM, runner.stop_all)
with runner.ThreadPoolExecutor(1) as pool:
    list(pool.map(runner.run, [runner.Test("x", [], ["/bin/sh", "-c", sys.argv[2], sys.argv[3]], limit=500) for _ in range(3)]))
"""
    process = subprocess.Popen([sys.executable, "-B", "-c", driver, loader.path, ORPHAN + "wait", box])
    orphan = number_in(f"{box}/pid")
    process.terminate()
    code = process.wait(60)
    check("stopped: ends with the signal's code", code == 128 + signal.SIGTERM, f"code {code}")
    check("stopped: nothing of its tests goes on", orphan and gone(orphan), f"process {orphan} goes on")


def scripts_with(mode):
    """names of the scripts of a tree with one script of this mode and one part of a test, or the final message"""
    with tempfile.TemporaryDirectory() as tree:
        os.makedirs(f"{tree}/tests/x")
        for name, first in (("script.sh", "#!/bin/bash"), ("part.sh", "# a part of a test")):
            with open(f"{tree}/tests/x/{name}", "w", encoding="ascii") as out:
                out.write(first + "\n")
            os.chmod(out.name, mode)
        was = os.getcwd()
        os.chdir(tree)
        try:
            return [t.name for t in runner.scripts()]
        except SystemExit as end:
            return str(end)
        finally:
            os.chdir(was)


check("a script is a test, a part of one is not", scripts_with(0o755) == ["x/script.sh"], scripts_with(0o755))
check("a script that is not executable is an error", "not executable" in scripts_with(0o644), scripts_with(0o644))


def fair(slow, load):
    """duration of ten seconds on two cores"""
    seconds = iter(range(11))
    clock = runner.FairClock(slow, 2, lambda: load, lambda: next(seconds))
    for _ in range(10):
        taken = clock.tick()
    return taken


for slow, load, wanted in ((1, 0, 10), (1, 2, 10), (1, 8, 2.5), (4, 0, 2.5), (2, 4, 2.5)):
    check(f"ten seconds on two cores, {slow} times slower, with a load of {load}, are {wanted}",
          abs(fair(slow, load) - wanted) < 1e-9, f"{fair(slow, load)}")
last = check("no machine is taken to be faster than the one of the limits", runner.slowness() >= 1, "slowness below 1")
print(f"1..{last}")
