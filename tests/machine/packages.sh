#!/bin/bash
# needs:
# The packages of ./dev package install on a bare Debian 12, and an example, the Python module and a program run there. In
# full only in ./dev check, as root: it builds three libraries, fetches a system and ParaView, and makes the image of the
# container file. Otherwise only the contents of the packages are examined.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
bash -n tools/package && bash -n tools/package-room
check "tools/package and package-room are scripts" test $? -eq 0
# the pages for users, and the files of the module, are those of the tree
(cd python && python3 -c 'import sys, build_wheel; build_wheel.build_wheel(sys.argv[1])' "$box") && python3 -m zipfile -l "$box"/*.whl >"$box/out" 2>&1
for file in scree/__init__.py scree/world.py scree/world.h; do check "the module has $file" says "$file"; done
if ! campaign || [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null || ! command -v buildah >/dev/null; then
	echo "# not built and installed: only by ./dev check, as root with debootstrap and buildah"
	echo "1..$n"
	exit
fi
tools/package-room >"$box/out" 2>&1
check "they install and run on a bare Debian" test $? -eq 0
for what in "hash of the example as outside" "imported scree" "linked a program" "pvpython read it" "hash of the example in the container's image"; do check "$what" says "package-room: $what"; done
echo "1..$n"
