#!/bin/bash
# needs:
# Names in documents exist: files in backticks, links to files, verbs of ./dev, benches, test programs. Lines of prose have
# at most 120 characters.
cd "$(dirname "$0")/../.." || exit 70
export LC_ALL=C.UTF-8
n=0
# prints the lines of standard input that are too long, without tables, links, code and generated lists of keys
too_long() {
	awk '/^[ \t]*```/ { code = !code } !code && !/^[ \t]*\|/ && !/^\t/ && !/\]\([^)]*\)/ && !/^(Exactly|At most) one of `/ { print FNR ": " $0 }' |
		grep -E '^[0-9]+: .{121}'
}
for page in *.md docs/*.md docs/*/*.md bench/*.md bench/*/*.md; do
	[ -f "$page" ] || continue
	missing=()
	while IFS= read -r path; do
		[ -e "$path" ] || missing+=("$path")
	done < <(grep -oE '`(src|papers|tests|tools|docs|bench|prog|include|scenes|examples|share)/[A-Za-z0-9_./-]*' "$page" | tr -d '`' | sort -u)
	while IFS= read -r link; do
		[ -e "$(dirname "$page")/$link" ] || missing+=("link to $link")
	done < <(grep -oE '\]\([^)#:]+' "$page" | cut -c3- | sort -u)
	while IFS= read -r verb; do
		./dev help | grep -qE "^  $verb( |$)" || missing+=("./dev $verb")
	done < <(grep -oE '\./dev [a-z]+' "$page" | cut -d' ' -f2 | sort -u)
	while IFS= read -r bench; do
		grep -qE "^  $bench( |$)|\"$bench\":" bench/run bench/spheres.py || missing+=("./dev bench $bench")
	done < <(grep -oE '\./dev bench( [a-z][a-z0-9_]*)+' "$page" | cut -d' ' -f3- | tr ' ' '\n' | sort -u)
	while IFS= read -r program; do
		compgen -G "tests/${program/_//}.c" >/dev/null || missing+=("test_$program")
	done < <(grep -oE 'build/test/tests/test_[a-z0-9_]+' "$page" | sed 's|.*/test_||' | sort -u)
	mapfile -t wide < <(too_long <"$page" | cut -d: -f1)
	n=$((n + 1))
	if ((${#missing[@]} + ${#wide[@]})); then
		echo "not ok $n - $page"
		((${#missing[@]})) && printf '# there is no %s\n' "${missing[@]}"
		((${#wide[@]})) && printf '# line %d has more than 120 characters\n' "${wide[@]}"
	else
		echo "ok $n - $page"
	fi
done
n=$((n + 1))
line=$(printf 'é%.0s' {1..120}) # in characters, not in bytes
found=$(printf '%s\n' "$line" "${line}é" "| $line" "[$line](a.md)" '```' "x$line" '```' "${line}x" | too_long | cut -d: -f1)
if [ "$found" = $'2\n8' ]; then echo "ok $n - long lines are found"; else echo "not ok $n - long lines are found: $found"; fi
echo "1..$n"
