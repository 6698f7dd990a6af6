#!/bin/bash
# needs:
# ./dev requests the packages that a verb needs, says so, and is silent if none is missing. Commands that would change
# the machine are replaced by small scripts in front of PATH.
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh
mkdir "$box/tree" "$box/bin"
cp dev "$box/tree/"
check() { # NAME CONDITION...
	n=$((n + 1))
	if "${@:2}"; then echo "ok $n - $1"; else
		echo "not ok $n - $1"
		sed 's/^/# /' "$box/out" "$box/apt" 2>/dev/null
	fi
}
player() { # NAME TEXT: a command of this name that runs TEXT
	printf '#!/bin/bash\n%s\n' "$2" >"$box/bin/$1"
	chmod +x "$box/bin/$1"
}
dev() { # runs ./dev "$@" with the replaced commands; keeps code, output and the calls of apt-get
	rm -f "$box/apt"
	PATH="$box/bin:$PATH" "$box/tree/dev" "$@" >"$box/out" 2>&1
	code=$?
}
calls() { grep -qF -- "$1" "$box/apt" 2>/dev/null; }
quietly() { "$@" >/dev/null; }

all_there='for p; do case $p in -*|*Status*) ;; *) echo "installed $p";; esac; done'
player dpkg-query "$all_there"
player cmake 'mkdir -p build/release; : >build/release/build.ninja'
player ninja "mkdir -p build/release; printf '#!/bin/sh\necho scree \"\$@\"\n' >build/release/scree; chmod +x build/release/scree"
player apt-get "echo \"\$@\" >>$box/apt"
player sudo 'exit 1'
player id 'echo 1000'

: >"$box/tree/CMakePresets.json"
dev run
check "run: silent when nothing is missing" test "$(cat "$box/out")" = "scree run examples/drum.scene.yaml -o out/drum --overwrite"
check "run: ends with the code of scree" test $code -eq 0
dev run my.scene.yaml --threads 2
check "run: hands its arguments on" says "scree run my.scene.yaml --threads 2"
check "run: nothing was installed" not test -e "$box/apt"

player dpkg-query "$all_there"' | grep -v -e " gcc$" -e " libqhull-dev$"'
dev run
check "no rights: the exact line" says "sudo apt-get update && sudo apt-get install -y --no-install-recommends gcc libqhull-dev"
check "no rights: ends with 1" test $code -eq 1
check "no rights: nothing was tried" not test -e "$box/apt"

player id 'echo 0'
dev run
check "root: says what it installs" says "installing 2 packages and what they depend on: gcc libqhull-dev"
check "root: installs just that" calls "install --no-install-recommends gcc libqhull-dev"
check "root: fetches no lists when they serve" not calls update
check "root: goes on" says "scree run examples"

player apt-get "echo \"\$@\" >>$box/apt; grep -q update $box/apt"
dev run
check "stale lists: fetched once" test "$(grep -c update "$box/apt")" = 1
check "stale lists: then installed" test "$(grep -c 'install' "$box/apt")" = 2
check "stale lists: goes on" says "scree run examples"

player apt-get "echo \"\$@\" >>$box/apt; echo E: no such package; exit 100"
dev run
check "apt fails: its words are shown" says "E: no such package"
check "apt fails: ends with 1" test $code -eq 1

player id 'echo 1000'
player sudo '[ "$1" = -n ] && shift; exec "$@"'
player apt-get "echo \"\$@\" >>$box/apt"
dev run
check "sudo: used where it asks nothing" calls "install --no-install-recommends gcc libqhull-dev"

# long work reports its progress, and no part of it continues afterwards
export SCREE_DEV_EVERY=1
# work that lasts until the reporter has printed this about it, however busy the machine is
player until_said 'for k in $(seq 600); do grep -qF -- "$1" '"$box/out"' && exit; sleep 0.1; done'
player apt-get "echo \"\$@\" >>$box/apt; echo '0 upgraded, 7 newly installed, 1 to remove.'; echo 'Get:1 a'; echo 'Get:2 b'
echo 'Unpacking a'; echo 'Removing python3-vtk9 (9.1) ...'; until_said '0 of 7 set up'"
player ninja "echo '[1/7] a'; echo '[3/7] b'; until_said '3 of 7'; mkdir -p build/release
	printf '#!/bin/sh\nread -r its </proc/\$\$/task/\$\$/children; echo \"children: \$its\"; echo scree \"\$@\"\n' >build/release/scree
	chmod +x build/release/scree"
dev run
check "apt: how far it is" says "dev: packages: 2 fetched, 1 unpacked, 0 of 7 set up"
check "apt: what had to go" says "dev: python3-vtk9 was removed"
check "build: how far it is" says "dev: building release: 3 of 7"
check "then it runs" test "$(tail -n 1 "$box/out")" = "scree run examples/drum.scene.yaml -o out/drum --overwrite"
check "and the reporter is gone" grep -qx 'children: *' "$box/out"
player dpkg-query "$all_there"
dev build release
check "build: names the command" says "dev: the command is build/release/scree"
mkdir "$box/tree/tools"
printf '#!/bin/sh\nmkdir -p build/asan; for k in 1 2 3; do echo "[$k/9] x" >>build/asan/dev.log; until_said "$k of 9"; done; echo "1 passed, 0 failed"\n' \
	>"$box/tree/tools/run_tests"
chmod +x "$box/tree/tools/run_tests"
dev test
check "test: how far its builds are" says "dev: building asan: 2 of 9"
check "test: ends with the tests' last line" test "$(tail -n 1 "$box/out")" = "1 passed, 0 failed"
printf '#!/bin/sh\nmkdir -p build\nuntil_said "package: starting"\nfor k in 1 2; do echo "[$k/9] x" >>build/package-x.log; until_said "$k of 9"; done\n: >build/package.log; until_said "configuring or packing"; echo out/a.deb\n' \
	>"$box/tree/tools/package"
chmod +x "$box/tree/tools/package"
mkdir -p "$box/tree/build"
echo '[8/9] earlier' >"$box/tree/build/package.log"
dev package
check "package: how far its builds are" says "dev: building package-x: 2 of 9"
check "package: not those of an earlier call" not says "8 of 9"
check "package: says that it packs" says "dev: package: configuring or packing"
check "package: ends with the packages" test "$(tail -n 1 "$box/out")" = "out/a.deb"
player cmake 'mkdir -p build/release; : >build/release/build.ninja; echo "cmake $@" >>'"$box/cmake"
dev install "$box/prefix"
check "install: by cmake" grep -q -- "--install build/release --prefix $box/prefix" "$box/cmake"
check "install: says where" says "$box/prefix/bin/scree"

dev packages run
check "run wants no package of the tests" not grep -qE 'cmocka|clang|vtk|paraview|jsonschema|lammps' "$box/out"
dev packages test
check "test wants all that run wants" says "$("$box/tree/dev" packages run)"
rm -f "$box/cmake" "$box/apt" "$box/tree/tools/run_tests"
for verb in run test bench verify check build install package packages docs; do
	for help in --help -h; do
		dev $verb $help
		check "$verb $help: says what it is" grep -q "^  $verb " "$box/out"
		check "$verb $help: ends with 0" test $code -eq 0
	done
done
for form in FILTER quick builds; do
	dev test --help
	check "test --help: names the form $form" grep -q "^  test .*\b$form\b" "$box/out"
done
check "help installs and builds nothing" not test -e "$box/cmake" -o -e "$box/apt" -o -e "$box/tree/--help"
check "the bench's own help" quietly grep -c -- --turns <(bench/run --help)
check "the verification book's own help" quietly grep -c -- --quick <(tools/verify --help)
check "the tests' own help" quietly grep -c SCREE_TEST_TIMEOUT <(tools/run_tests --help)
dev nonsense --help
check "help of an unknown verb is refused" test $code -eq 1
dev nonsense
check "an unknown verb is refused" test $code -eq 1
echo "1..$n"
