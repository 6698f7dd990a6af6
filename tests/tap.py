"""tap: cases of a test as TAP: case() for each, end() with the exit code."""
cases = []


def case(name, good, why=""):
    cases.append(bool(good))
    print("%s %d - %s" % ("ok" if good else "not ok", len(cases), name))
    if not good:
        print("# %s" % str(why).strip().replace("\n", "\n# "))


def end():
    print("1..%d" % len(cases))
    return 0 if all(cases) else 1
