#!/usr/bin/env python3
# needs:
"""the runner of the tests counts what it should: a case that fails, is skipped or never ran is never counted as passed"""
import importlib.machinery
import importlib.util
import os
import sys

sys.dont_write_bytecode = True

here = os.path.dirname(os.path.abspath(__file__))
loader = importlib.machinery.SourceFileLoader("run_tests", os.path.join(here, "../../tools/run_tests"))
runner = importlib.util.module_from_spec(importlib.util.spec_from_loader("run_tests", loader))
loader.exec_module(runner)

# what it is, kind, output, exit code, passed, failed
CASES = [
    ("all pass", "cmocka", "1..2\nok 1 - a\nok 2 - b\n", 0, 2, 0),
    ("one fails", "cmocka", "1..2\nok 1 - a\nnot ok 2 - b\n# why\n# not ok - tests\n", 1, 1, 1),
    ("dies in the middle", "cmocka", "1..3\nok 1 - a\nAddressSanitizer: ...\n", 1, 1, 1),
    ("dies before its plan", "cmocka", "Segmentation fault\n", -11, 0, 1),
    ("leaks after its last case", "cmocka", "1..1\nok 1 - a\nLeakSanitizer: ...\n", 23, 1, 1),
    ("runs no case", "cmocka", "", 0, 0, 1),
    ("skips a case", "cmocka", "1..2\nok 1 - a\nok 2 - b # SKIP\n", 0, 1, 1),
    ("two groups", "cmocka", "1..1\nok 1 - a\n1..2\nok 1 - b\nok 2 - c\n", 0, 3, 0),
    ("a script in TAP", "tap", "ok 1 - a\nnot ok 2 - b\n1..2\n", 0, 1, 1),
    ("a script without TAP", "tap", "fine\n", 0, 1, 0),
    ("a script without TAP fails", "tap", "bad\n", 1, 0, 1),
    ("a script ends early", "tap", "ok 1 - a\n", 1, 1, 1),
    ("a fuzzer finds something", "one", "ok looks like TAP\nSUMMARY: libFuzzer\n", 77, 0, 1),
]
for n, (what, kind, output, code, passed, failed) in enumerate(CASES, 1):
    test = runner.Test("x", [], [], cases=kind)
    test.output = output
    runner.count(test, code)
    good = (test.passed, test.failed) == (passed, failed)
    print(f"{'ok' if good else 'not ok'} {n} - {what}")
    if not good:
        print(f"# {test.passed} passed, {test.failed} failed; expected {passed} and {failed}")
print(f"1..{len(CASES)}")
