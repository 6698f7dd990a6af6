#!/bin/bash
# needs:
# what the documents name exists: files in backticks, links to files, verbs of ./dev, benches, test programs
cd "$(dirname "$0")/../.." || exit 70
n=0
for page in *.md docs/*.md docs/*/*.md bench/*.md; do
	[ -f "$page" ] || continue
	missing=()
	while IFS= read -r path; do
		[ -e "$path" ] || missing+=("$path")
	done < <(grep -oE '`(src|tests|tools|docs|bench|prog|include|scenes|examples|share)/[A-Za-z0-9_./-]*' "$page" | tr -d '`' | sort -u)
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
	n=$((n + 1))
	if ((${#missing[@]})); then
		echo "not ok $n - $page"
		printf '# there is no %s\n' "${missing[@]}"
	else
		echo "ok $n - $page"
	fi
done
echo "1..$n"
