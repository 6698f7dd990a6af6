#!/bin/bash
# needs:
# tools/prose: each expression finds its habit, plain sentences pass, and folders that are free of hard hits stay so
cd "$(dirname "$0")/../.." || exit 70
source tests/checks.sh

# files and folders without any hit of a hard expression
ZERO="CHANGELOG.md CONTRIBUTING.md README.md bench/RESULTS.md bench/past docs include papers prog src tests verify"

mkdir "$box/tools" "$box/src"
cp tools/prose "$box/tools/"
sample() { # FILE TEXT: hits in a source of this name that holds TEXT
	printf '%s\n' "$2" >"$box/src/$1"
	"$box/tools/prose" "$box/src/$1" >"$box/out"
	code=$?
}
finds() { # NAME SENTENCE: as a comment, the sentence is a hit of NAME
	sample sample.c "/* $2 */"
	check "$1 in: $2" says "src/sample.c:1: $1: "
}
while IFS=$'\t' read -r name sentence; do finds "$name" "$sentence"; done <<'SAMPLES'
who	the bodies whom a wall meets
somebody	made when somebody reads bodies
of-first	of a wall: its surface
what-first	what loops over a leaf read
knows	the law knows no cohesion
told	the user is told
told	the row tells its loops
stands	the rule stands in the table
asks	the load is asked for
anew	rows are chosen anew
a-body	two cache lines a body
same-of	the same of walls
bear	more than sums bear
no-bit	no bit depends on it
beside	1.4 ns, beside 2 ns
how-far	how far bodies move
goes-on	the run goes on
moment	positions at that moment
place	a place in the list
mend	torn meshes are mended
of-before	the rows of before
hum	contacts hum
there-are	of the bodies that there are
chain	m from the origin,
way	bodies and their ways in a step
looked-at	bodies are looked at
SAMPLES
plain="Positions and velocities at one output time, in m and m/s, per body. The search repairs the list and continues."
sample plain.c "/* $plain */"
check "a plain sentence passes" test $code -eq 0 -a ! -s "$box/out"

sample lines.c $'/* A comment of two lines\n * that goes\n * on. */'
check "an expression is found across lines, where it begins" says "src/lines.c:2: goes-on"
check "a hard hit gives 1" test $code -eq 1
sample soft.c '/* the law knows no cohesion */'
check "a hint gives 0" test $code -eq 0
"$box/tools/prose" --hard "$box/src/soft.c" >"$box/out"
check "and is left out by --hard" test ! -s "$box/out"
sample code.c 'int who; /* a body */'
check "code is not prose" test ! -s "$box/out"
sample message.c 'const char *text = "the run goes on"; const char *key = "who";'
check "a message is prose, a word alone is not" test "$(cut -d: -f1-3 "$box/out")" = "src/message.c:1: goes-on"
sample message.c $'const char *text = "the run goes "\n\t"on";'
check "adjacent strings are one message" says "src/message.c:1: goes-on"
sample message.c 'const char *text = "\nof then";'
check "and two words are a message" says "src/message.c:1: of-before"
sample page.md $'A page.\n\n```\nwho goes on\n```\n\n    who goes on\n\nThe key `who` is text.'
check "nor is code in a page" test ! -s "$box/out"
sample page.md $'A page.\n\n- an item that goes\n  on'
check "an item of a page is" says "src/page.md:3: goes-on"
"$box/tools/prose" --hard --counts "$box/src/page.md" >"$box/out"
check "counts are per folder and expression" grep -qE '^ +goes-on$' "$box/out"

sample page.md $'One sentence of five words. Another one of five words.\n\nToo short.'
"$box/tools/prose" --sample 9 "$box/src/page.md" | sort >"$box/out"
check "a sample has sentences of at least four words" test "$(cut -d: -f3 "$box/out" | tr -d '\n')" = " Another one of five words. One sentence of five words."
"$box/tools/prose" --sample 1 --seed 3 "$box/src/page.md" >"$box/once"
"$box/tools/prose" --sample 1 --seed 3 "$box/src/page.md" >"$box/twice"
check "and is the same for one seed" cmp -s "$box/once" "$box/twice"
check "of the wanted number" test "$(wc -l <"$box/once")" = 1

# shellcheck disable=SC2086 # several paths
tools/prose --hard $ZERO >"$box/out"
check "no hard hit in pages, sources and messages" test $? -eq 0
echo "1..$n"
