#!/bin/bash
# needs: test
# needs of a campaign: gcc-O3
# the programs of examples/api build against the installed package, by CMake and by pkg-config, and agree with theory;
# in ./dev check memcheck finds nothing in them
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
# memcheck does not know all instructions of this machine
if [ "${SCREE_TEST_FACTOR:-1}" != 1 ]; then
	cmake --install "$SCREE_BUILD/../gcc-O3" --prefix "$box/plain" >"$box/out" 2>&1
	check "a build for any machine installs" test $? -eq 0
	for name in loop field servo; do
		LD_LIBRARY_PATH=$(dirname "$(find "$box/plain" -name libscree.a)") \
			valgrind --quiet --error-exitcode=99 --leak-check=full ./$name >"$box/out" 2>&1
		check "memcheck finds nothing in $name" test $? -eq 0
	done
fi
echo "1..$n"
