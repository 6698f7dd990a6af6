#!/bin/bash
# needs: test
# cmake --install gives a self-contained tree: the command runs, names the installed helper, and itself as it was
# called; C programs find headers and both libraries by pkg-config and by CMake; the schema is JSON
cd "$(dirname "$0")/../.." || exit 70
source=$PWD
source tests/checks.sh

cmake --install "$SCREE_BUILD" --prefix "$box/there" >"$box/out" 2>&1
check "it installs" test $? -eq 0
# the installation can be moved
mv "$box/there" "$box/here"
here=$box/here
(cd "$here" && find . -type f | sort) >"$box/out"
for file in bin/scree include/scree/scree.h include/scree/world.h \
	include/scree/outputs.h include/scree/measures.h include/scree/language.h include/scree/print.h include/scree/files.h share/scree/paraview/scree_view.py share/scree/scree.schema.json \
	share/scree/examples/drum.scene.yaml share/doc/scree/LICENSE share/doc/scree/README.md \
	share/doc/scree/docs/README.md share/doc/scree/docs/theory/laws.md; do
	check "there is $file" test -s "$here/$file"
done
check "and a static library" says /libscree.a
check "and a shared one" says /libscree.so

cd "$box" || exit 70
here/bin/scree run "$source/scenes/settling_cubes.scene.yaml" -o drops --wall 0.05 --set run.until=100s \
	--set "output={vtk: {every: 1 ms}}" >out 2>&1
check "the installed command runs, and stops when its time is up" test $? -eq 5
check "it names itself as it was called" says "continue with: here/bin/scree run --resume drops/settling_cubes.snap"
check "it names the helper that was installed" says "--script=here/share/scree/paraview/scree_view.py"
cp out said
go_on=$(sed -n 's/^continue with: //p' said)
$go_on --steps 5 --quiet >out 2>&1
check "the command that it names goes on" test $? -eq 0
here/bin/scree run "$source/scenes/settling_cubes.scene.yaml" -o "it's here" --wall 0.05 --quiet --set run.until=100s >out 2>&1
cp out said
eval "$(sed -n 's/^continue with: //p' said) --steps 5 --quiet" >out 2>&1
check "also where a shell would read two words" test $? -eq 0
PATH=$box/here/bin:$PATH scree run --resume drops/settling_cubes.snap --wall 0.05 --quiet >out 2>&1
check "found by PATH it is called scree" says "continue with: scree run --resume"
here/bin/scree run >out 2>&1
here/bin/scree runn >>out 2>&1
here/bin/scree run --no-such-option >>out 2>&1
check "hints of wrong calls name it, too" says "(did you mean run? here/bin/scree --help)"
check "also those of wrong options" says "(here/bin/scree run --help)"
cp "$SCREE_BUILD/scree" alone
./alone run "$source/scenes/settling_cubes.scene.yaml" -o drops2 --steps 5 --set "output={vtk: {every: 1 ms}}" >out 2>&1
check "(frames for ParaView are named)" says "ParaView  "
check "no helper is named where there is none" not says scree_view.py
"$SCREE_BUILD/scree" run "$source/scenes/settling_cubes.scene.yaml" -o drops3 --steps 5 \
	--set "output={vtk: {every: 1 ms}}" >out 2>&1
check "in the source tree the helper is that of the tree" says "--script=$source/share/paraview/scree_view.py"

cat >own.c <<'C'
#include <scree/language.h>
#include <scree/print.h>
#include <scree/files.h>
int main(int count, char **text)
{
	const char *summary = "";
	char *help = 0;
	scree_sim *s = count == 2 ? scree_sim_open(&(scree_open_options){.path = text[1]}, 0) : 0;
	int code = s ? scree_sim_check(s, &summary) : 70;
	scree_print_text(stdout, summary);
	scree_sim_close(s);
	if (!code) code = scree_explain("run.step", &help);
	scree_text_free(help);
	return code;
}
C
export PKG_CONFIG_PATH LD_LIBRARY_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$here" -name scree.pc)")
LD_LIBRARY_PATH=$(dirname "$(find "$here" -name libscree.a)")
scene=$source/scenes/settling_cubes.scene.yaml
# shellcheck disable=SC2046
gcc own.c -o own $(pkg-config --cflags --libs scree) >out 2>&1
check "a program builds by pkg-config" test -x own
./own "$scene" >out 2>&1
check "and checks a scene" test $? -eq 0
version=$(sed -n 's/.*define SCREE_VERSION "\(.*\)"/\1/p' here/include/scree/scree.h)
objdump -p own >out 2>&1
check "it needs the shared library of this minor version, and no other of its libraries" says "libscree.so.${version%.*}"
check "(libyaml is that library's own need)" not says libyaml
# shellcheck disable=SC2046
gcc own.c -o own_static $(pkg-config --static --cflags --libs scree | sed 's/-lscree/-l:libscree.a/') >out 2>&1
check "it builds with the static library, too" test -x own_static
objdump -p own_static >out 2>&1
check "which it then contains" not says libscree.so
./own_static "$scene" >out 2>&1
check "and it checks a scene" test $? -eq 0
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.25)
project(own C)
find_package(scree 0.2 REQUIRED)
add_executable(shared own.c)
target_link_libraries(shared scree::scree)
add_executable(static own.c)
target_link_libraries(static scree::static)
C
sed -i "s/scree 0.2/scree ${version%.*}/" CMakeLists.txt
env -u LD_LIBRARY_PATH sh -c "cmake -B made -DCMAKE_PREFIX_PATH='$here' && cmake --build made" >out 2>&1
for kind in shared static; do
	check "a program builds by CMake: $kind" test -x made/$kind
	env -u LD_LIBRARY_PATH made/$kind "$scene" >out 2>&1
	check "and checks a scene: $kind" test $? -eq 0
done
# the shared library exports the declarations of the headers, and nothing else
grep -hv '^#' here/include/scree/*.h | tr '\n' ' ' | grep -oE 'SCREE_API [^(;]*\(' | sed 's/ *($//; s/.*[ *]//' | sort >declared
nm -D --defined-only "$LD_LIBRARY_PATH/libscree.so" | awk '{ print $NF }' | sort >exported
diff declared exported >out 2>&1
check "every exported symbol is declared, and the other way round" test $? -eq 0
check "there are some" test "$(wc -l <declared)" -gt 20
check "the version is that of the header" test "$(pkg-config --modversion scree)" = \
	"$(sed -n 's/.*define SCREE_VERSION "\(.*\)"/\1/p' here/include/scree/scree.h)"
/usr/bin/python3 - >out 2>&1 <<'P'
import json, jsonschema
schema = json.load(open("here/share/scree/scree.schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
print("properties", len(schema["properties"]))
P
check "the schema is a JSON Schema" says "properties"
echo "1..$n"
