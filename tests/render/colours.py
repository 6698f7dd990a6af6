#!/usr/bin/python3
# needs:
"""the coefficients in src/render/maps.c are those found by tools/fit_colours from the table of the map"""
import re
import subprocess
import sys

fit = subprocess.run(["tools/fit_colours"], capture_output=True, text=True)
with open("src/render/maps.c", encoding="utf-8") as text:
    ours = re.search(r"static const vec3 c\[\] = \{(.*?)\};", text.read(), re.S)
wanted, found = (re.findall(r"-?\d+\.\d+", t) for t in (fit.stdout.split("/*")[0], ours.group(1) if ours else ""))
good = fit.returncode == 0 and len(wanted) == 27 and all(abs(float(a) - float(b)) < 2e-6 for a, b in zip(wanted, found))
good = good and len(found) == len(wanted)
print("%s 1 - coefficients of the colour map" % ("ok" if good else "not ok"))
if not good:
    print("# %s\n# %s\n# %s" % (wanted, found, fit.stderr.replace("\n", "\n# ")))
print("1..1")
sys.exit(not good)
