#!/bin/sh
# needs:
# the include rules hold, and the tool that says so sees what breaks them
cd "$(dirname "$0")/../.." || exit 70
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
case_() { # NAME STATUS WANTED
	n=$((n + 1))
	if [ "$2" -eq "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$box/out"; fi
}
broken() { # FILE LINE: a tree in which FILE has this line more must be refused, with the place
	rm -rf "$box/tree"
	mkdir -p "$box/tree" && cp -r src prog include "$box/tree/"
	mkdir -p "$(dirname "$box/tree/$1")"
	echo "$2" >>"$box/tree/$1"
	tools/layers "$box/tree" >"$box/out" 2>&1
	[ $? -ne 0 ] && grep -q "^$1:[0-9]" "$box/out"
	case_ "refused: $2 in $1" $? 0
}
tools/layers >"$box/out" 2>&1
case_ "every #include is allowed" $? 0
broken src/broad/grid.c '#include "narrow/narrow.h"'
broken src/law/law.c '#include "population/population.h"'
broken src/kernel/quat.h '#include <stdio.h>'
broken src/base/real.h '#include "state/bodies.h"'
broken src/world.c '#include <pthread.h>'
broken src/state/walls.c '#include <yaml.h>'
broken src/format/vtk.h '#include "scene/scene.h"'
broken src/render/render.h '#include "scene/scene.h"'
broken src/plan/plan.h '#include "world.h"'
broken src/scene/scene.h '#include <libqhull_r/libqhull_r.h>'
broken src/format/vtk.h '#include <embree3/rtcore.h>'
broken src/sum/forces_to_bodies.c '#	include <mpi.h>'
broken prog/main.c '#include "state/bodies.h"'
echo "1..$n"
