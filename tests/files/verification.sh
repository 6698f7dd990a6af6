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
[ -f "$box/out/verify/verification.md" ] && [ ! -e "$box/docs" ]
case_ "a filtered book leaves the recorded page alone" $?
# a book of long runs: stopped and gone on with it ends where it would have ended, and a run that has ended is not run again
mkdir "$box/once" "$box/twice"
for where in once twice; do
	cp -r "$box/tools" "$box/verify" "$box/$where"
	rm "$box/$where"/verify/long/*
	cat >"$box/$where/verify/long/small.yaml" <<'BOOK'
chapter: small
experiments:
  - name: small
    scene: gas
    set: {end: 2 s, e: 0.9}
    cases:
      - {name: spheres, quantity: "history('bodies')[-1]", reference: 512, tolerance: {absolute: 0}, because: a count of all spheres, source: none}
BOOK
done
long() { SCREE=$PWD/${SCREE#"$PWD"/} timeout "$2" "$box/$1/tools/verify" --long >"$box/out" 2>&1; }
page() { sed -n 's/.*| \(`[0-9a-f]*`\) |$/\1/p' "$box/$1/docs/verification_long.md" 2>>"$box/out"; }
mkdir -p "$box"/{once,twice}/docs
long once 60 && grep -q '^1 passed, 0 failed' "$box/out" && [ -n "$(page once)" ]
case_ "a book of long runs" $?
long twice 0.7
[ $? -eq 124 ] && [ ! -e "$box/twice/docs/verification_long.md" ] && long twice 60 && [ -n "$(page twice)" ] && [ "$(page once)" = "$(page twice)" ] &&
	head -1 "$box/twice/out/verify_long/small/log" >/dev/null && grep -q resume "$box/out" || true
case_ "stopped and gone on with: the same end" $?
echo "1..$n"
