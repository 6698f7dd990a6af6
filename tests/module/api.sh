#!/bin/bash
# needs: test
# needs of a campaign: gcc-O3 asan
# in builds only
# the programs of examples/api build against the installed package, by CMake and by pkg-config, and agree with theory;
# in ./dev check sanitizers and memcheck find nothing in those in C: no wrong access, no leak
cd "$(dirname "$0")/../.." || exit 70
source=$PWD
source tests/checks.sh
cmake --install "$SCREE_BUILD" --prefix "$box/root" >"$box/out" 2>&1
check "it installs" test $? -eq 0
cp -r examples/api "$box/api"
cd "$box/api" || exit 70
(cmake -B made -DCMAKE_PREFIX_PATH="$box/root" && cmake --build made) >"$box/out" 2>&1
check "the programs build by CMake" test $? -eq 0
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$box/root" -name scree.pc)")
libraries=$(dirname "$(find "$box/root" -name libscree.a)")
for name in loop field servo; do
	made/$name >"$box/out" 2>&1
	check "$name agrees with theory" test $? -eq 0
	check "and says so" says "expected"
	# shellcheck disable=SC2046
	cc -Wall -Wextra -Werror $name.c -o $name $(pkg-config --cflags --libs scree) -lm >"$box/out" 2>&1
	check "$name builds by pkg-config" test $? -eq 0
	LD_LIBRARY_PATH=$libraries ./$name >"$box/out" 2>&1
	check "and agrees with theory" test $? -eq 0
done
for name in repose cooling controller; do
	SCREE_LIBRARY=$libraries/libscree.so PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 \
		/usr/bin/python3 $name.py >"$box/out" 2>&1
	check "$name.py finds what it expects" test $? -eq 0
done
if ! campaign; then
	echo "1..$n"
	exit 0
fi
asan=$SCREE_BUILD/../asan
# there is no shared library with sanitizers
for name in loop field servo; do
	# shellcheck disable=SC2046
	clang -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all $name.c -o $name.sanitized "$asan/libscree.a" \
		$(pkg-config --static --cflags --libs scree | sed 's/-lscree//') -lm >"$box/out" 2>&1
	check "$name builds with sanitizers" test $? -eq 0
	ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 ./$name.sanitized >"$box/out" 2>&1
	check "and they find nothing" test $? -eq 0
done
# they detect simulations that are not closed
cat >leak.c <<'C'
#include <scree/world.h>
#include <stddef.h>
int main(void)
{
	const char *scene = "scene: 1\nmaterials: {a: {density: 1 kg/m^3, young: 1 MPa}}\nrun: {until: 1 s, step: {time: 1 ms}}\n";
	for (int k = 0; k < 10; ++k) /* a pointer to the last one may remain on the stack */
		if (!scree_sim_open(&(scree_open_options){.text = scene}, NULL)) return 1;
	return 0;
}
C
# shellcheck disable=SC2046
clang -g -fsanitize=address leak.c -o leak "$asan/libscree.a" $(pkg-config --static --cflags --libs scree | sed 's/-lscree//') \
	-lm >"$box/out" 2>&1 && ASAN_OPTIONS=detect_leaks=1 ./leak >"$box/out" 2>&1
check "those that are not closed are leaks" says "detected memory leaks"
# memcheck does not support all instructions of this machine
cmake --install "$SCREE_BUILD/../gcc-O3" --prefix "$box/plain" >"$box/out" 2>&1
check "a build for any machine installs" test $? -eq 0
for name in loop field servo; do
	LD_LIBRARY_PATH=$(dirname "$(find "$box/plain" -name libscree.a)") \
		valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=all ./$name >"$box/out" 2>&1
	check "memcheck finds nothing in $name" test $? -eq 0
done
echo "1..$n"
