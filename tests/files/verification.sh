#!/bin/bash
# the part of the verification book that takes a second or two; and a book with a mistake is refused with its line
cd "$(dirname "$0")/../.." || exit 70
n=0
case_() { # NAME STATUS
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$box/out"; fi
}
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
tools/verify --quick >"$box/out" 2>/dev/null
case_ "the quick experiments of the verification book" $?
cp -r tools verify "$box"
sed -i 's/because: "a thousand/becuase: "a thousand/' "$box/verify/1_chung_ooi.yaml"
line=$(grep -n becuase "$box/verify/1_chung_ooi.yaml" | cut -d: -f1)
SCREE=$PWD/${SCREE#"$PWD"/} "$box/tools/verify" --quick >"$box/out" 2>&1
[ $? -eq 2 ] && grep -q "^verify/1_chung_ooi.yaml:$((line - 1)): a case has no key 'becuase'" "$box/out"
case_ "a key that is misspelt is refused with its line" $?
# a reference that is wrong fails: nothing passes because it is not looked at
sed -i 's/becuase/because/; s/reference: 274.1e-6/reference: 275.1e-6/' "$box/verify/1_chung_ooi.yaml"
SCREE=$PWD/${SCREE#"$PWD"/} "$box/tools/verify" "test 1 glass" >"$box/out" 2>&1
[ $? -eq 1 ] && grep -q "^FAILED 1: two glass spheres, printed overlap" "$box/out" && grep -q "^3 passed, 1 failed$" "$box/out"
case_ "a wrong reference fails" $?
echo "1..$n"
