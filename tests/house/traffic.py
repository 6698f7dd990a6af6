#!/usr/bin/env python3
# needs:
"""the model of the memory traffic of a step (bench/traffic.py) covers every row of the tables of bodies and contacts;
otherwise the bench ends"""
import os
import sys

sys.dont_write_bytecode = True
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path.insert(0, os.path.join(root, "bench"))
import traffic  # noqa: E402

os.chdir(root)
cases = ((("src/state/bodies.c",), traffic.BODIES, "bodies"), (traffic.PAIRS, traffic.ROWS, "pairs"))
for number, (paths, stages, table) in enumerate(cases, 1):
    path = paths[0]
    try:
        traffic.all_named(traffic.table(*paths), stages, traffic.UNUSED[table], path)
        print(f"ok {number} - {path}")
    except SystemExit as why:
        print(f"not ok {number} - {path}\n# {why}")
print(f"1..{len(cases)}")
