#!/bin/bash
# needs: test
# cmake --install gives a tree that serves by itself: the command runs, names the helper that was installed and itself as
# it was called; a C program finds header and library by pkg-config; the schema is JSON
cd "$(dirname "$0")/../.." || exit 70
source=$PWD
source tests/checks.sh

cmake --install "$SCREE_BUILD" --prefix "$box/there" >"$box/out" 2>&1
check "it installs" test $? -eq 0
# what is installed can be moved
mv "$box/there" "$box/here"
here=$box/here
(cd "$here" && find . -type f | sort) >"$box/out"
for file in bin/scree include/scree/scree.h share/scree/paraview/scree_view.py share/scree/scree.schema.json \
	share/scree/examples/drum.scene.yaml share/doc/scree/LICENSE share/doc/scree/README.md; do
	check "there is $file" test -s "$here/$file"
done
check "and a library" says /libscree.a

cd "$box" || exit 70
here/bin/scree run "$source/scenes/settling_cubes.scene.yaml" -o drops --wall 0.05 --set run.until=100s \
	--set "output={vtk: {every: 1 ms}}" --quiet >out 2>&1
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
check "hints of wrong calls name it, too" says "(here/bin/scree --help)"
cp "$SCREE_BUILD/scree" alone
./alone run "$source/scenes/settling_cubes.scene.yaml" -o drops2 --steps 5 --set "output={vtk: {every: 1 ms}}" --quiet >out 2>&1
check "no helper is named where there is none" not says scree_view.py
"$SCREE_BUILD/scree" run "$source/scenes/settling_cubes.scene.yaml" -o drops3 --steps 5 --quiet \
	--set "output={vtk: {every: 1 ms}}" >out 2>&1
check "in the source tree the helper is that of the tree" says "--script=$source/share/paraview/scree_view.py"

cat >own.c <<'C'
#include <scree/scree.h>
int main(int count, char **text)
{
	return count == 2 ? scree_check(text[1], 0, 0) : 70;
}
C
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$here" -name scree.pc)")
# shellcheck disable=SC2046
gcc own.c -o own $(pkg-config --cflags --libs scree) >out 2>&1
check "a program builds by pkg-config" test -x own
./own "$source/scenes/settling_cubes.scene.yaml" >out 2>&1
check "and checks a scene" test $? -eq 0
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
