"""help_keys.py PAGE: tests whether the manual page has each key of the schema, which is read from the standard
input."""
import json
import re
import sys

keys = set()


def walk(node):
    if isinstance(node, dict):
        if isinstance(node.get("properties"), dict):
            keys.update(node["properties"])
        for value in node.values():
            walk(value)
    elif isinstance(node, list):
        for value in node:
            walk(value)


walk(json.load(sys.stdin))
with open(sys.argv[1], encoding="utf-8") as text:
    page = set(re.findall(r"^\.B (\S+)$", text.read(), re.M))
missing = sorted(keys - {k.replace("\\-", "-") for k in page})
print("%d keys, missing: %s" % (len(keys), missing))
sys.exit(1 if missing or len(keys) < 100 else 0)
