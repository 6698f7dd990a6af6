"""tap: cases of a test as TAP: case() for each, end() with the exit code. SHORT: ./dev test requests the short form, in
which part() draws every SCREE_TEST_PART-th item of a list, starting with the first; fewer of long items, by a factor."""
import os

SHORT = "SCREE_TEST_SHORT" in os.environ
cases = []


def part(some, fewer=1):
    return list(some)[::fewer * int(os.environ.get("SCREE_TEST_PART", "1"))] if SHORT else list(some)


def case(name, good, why=""):
    cases.append(bool(good))
    print("%s %d - %s" % ("ok" if good else "not ok", len(cases), name))
    if not good:
        print("# %s" % str(why).strip().replace("\n", "\n# "))


def end():
    print("1..%d" % len(cases))
    return 0 if all(cases) else 1
