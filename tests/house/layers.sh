#!/bin/sh
# needs: test
# the include rules hold, between sources and between compiled files, and the tool that tests them detects violations
cd "$(dirname "$0")/../.." || exit 70
. tests/drawn.sh
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
n=0
case_() { # NAME STATUS WANTED
	n=$((n + 1))
	if [ "$2" -eq "$3" ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$box/out"; fi
}
broken() { # FILE LINE: a tree in which FILE has this additional line must be refused, with its location
	rm -rf "$box/tree"
	mkdir -p "$box/tree" && cp -r src papers prog include "$box/tree/"
	echo "$2" >>"$box/tree/$1"
	tools/layers "$box/tree" >"$box/out" 2>&1
	[ $? -ne 0 ] && [ -e "$1" ] && grep -q "^$1:[0-9]" "$box/out"
	case_ "refused: $2 in $1" $? 0
}
tools/layers >"$box/out" 2>&1
case_ "every #include is allowed" $? 0
drawn broken src/broad/grid.c '#include "narrow/narrow.h"'
drawn broken src/narrow/polygon/patch.c '#include "narrow/wall/work.h"'
drawn broken src/broad/grid.c '#include "narrow/wall/work.h"'
drawn broken src/law/add.c '#include "population/population.h"'
drawn broken src/broad/grid.c '#include "choices/choices.h"'
drawn broken src/model/law.c '#include "papers/rows.h"'
drawn broken src/step/forces.c '#include "start/start.h"'
drawn broken src/start/first_forces.c '#include "change/change.h"'
drawn broken src/kernel/quat.h '#include <stdio.h>'
drawn broken src/base/real.h '#include "state/bodies.h"'
drawn broken src/world/bodies.c '#include <pthread.h>'
drawn broken src/wall/walls.c '#include <yaml.h>'
drawn broken src/format/vtk.h '#include "scene/scene.h"'
drawn broken src/render/render.h '#include "scene/scene.h"'
drawn broken src/format/plan.h '#include "outputs/outputs.h"'
drawn broken src/ranks/together/domain.h '#include "ranks/messages/transport.h"'
drawn broken src/ranks/messages/exchange.c '#include "ranks/division/part.h"'
drawn broken src/ranks/division/part.h '#include "ranks/mpi/mpi_ranks.h"'
drawn broken src/scene/scene.h '#include <libqhull_r/libqhull_r.h>'
drawn broken src/format/vtk.h '#include <embree3/rtcore.h>'
drawn broken src/sum/forces_to_bodies.c '#	include <mpi.h>'
drawn broken prog/main.c '#include "state/bodies.h"'
drawn broken prog/run.c '#include "base/shown.h"'
drawn broken src/report/notes.h '#include "scree/world.h"'

tools/layers . "$SCREE_BUILD/../test/CMakeFiles" >"$box/out" 2>&1
case_ "every call is allowed" $? 0
tools/layers . "$box" >"$box/out" 2>&1
[ $? -ne 0 ] && grep -q '^no calls' "$box/out"
case_ "refused: a folder without objects" $? 0
object() { # FILE CODE: compiled as if it were this source
	mkdir -p "$(dirname "$box/objects/$1")"
	printf '%s\n' "$2" >"$box/code.c"
	gcc -w -c "$box/code.c" -o "$box/objects/$1.o"
}
call() { # FILE FUNCTION DEFINED STATUS
	rm -rf "$box/objects"
	object "$1" "void $2(void); void scree_x(void) { $2(); }"
	object "$3" "void $2(void) {}"
	tools/layers . "$box/objects" >"$box/out" 2>&1
	status=$?
	[ "$4" -eq 0 ] || grep -q "^$1: calls $2 of $3: " "$box/out" || status=0
	[ "$4" -eq "$status" ] && [ -e "$1" ] && [ -e "$3" ]
	case_ "$([ "$4" -eq 0 ] && echo allowed || echo refused): $2 of $3 called by $1" $? 0
}
drawn call src/broad/grid.c scree_pairs_to_contacts src/narrow/pairs_to_contacts.c 1
drawn call src/sum/forces_to_bodies.c scree_contacts_to_forces src/law/contacts_to_forces.c 1
drawn call src/narrow/polygon/patch.c scree_touch_patch src/narrow/touch_list.c 1
drawn call src/world/bodies.c scree_world_prepare src/prepare/prepare.c 1
drawn call src/state/bodies.c scree_world_wrap src/world/bodies.c 1
drawn call src/broad/grid.c scree_world_image src/world/bodies.c 0
drawn call src/step/forces.c scree_pairs_to_contacts src/narrow/pairs_to_contacts.c 0
drawn call src/narrow/gap.c scree_contact_end src/state/pairs.c 0

# tools/arrows: the arrows between folders, over the whole tree
tools/arrows . "$SCREE_BUILD/../test/CMakeFiles" >"$box/out" 2>&1
case_ "few arrows go up, none between stages, no circles" $? 0
grows() { # FILE LINE SENTENCE: a tree in which FILE has this additional line must be refused with this count
	rm -rf "$box/tree"
	mkdir -p "$box/tree" && cp -r src papers "$box/tree/"
	echo "$2" >>"$box/tree/$1"
	tools/arrows "$box/tree" >"$box/out" 2>&1
	[ $? -ne 0 ] && [ -e "$1" ] && grep -q "$3" "$box/out"
	case_ "refused: $2 in $1" $? 0
}
grows src/broad/grid.c '#include "narrow/narrow.h"' '^arrows between stages 1,'
grows src/world/world.h '#include "broad/broad.h"' 'headers of the core that include a stage 1$'
grows src/state/bodies.h '#include "world/world.h"' '^circles in the core: .*state.*world'
mkdir -p "$box/tree/src" && cp -r src papers "$box/tree/"
for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do echo '#include "library/run.h"' >"$box/tree/src/format/$k.h"; done
tools/arrows "$box/tree" >"$box/out" 2>&1
case_ "refused: sixteen arrows that go up" $? 1
echo "1..$n"
