#!/bin/bash
# needs: tsan
# no two threads touch one place without an order: clang's thread sanitizer over every scene, with archer (of libomp), which
# tells it what OpenMP's barriers order. A race that is planted is seen.
cd "$(dirname "$0")/../.." || exit 70
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
archer=$(ls /usr/lib/llvm-*/lib/libarcher.so 2>/dev/null | head -1)
[ -n "$archer" ] || { echo "not ok 1 - there is no libarcher.so (Debian: libomp-dev)"; exit 1; }
export OMP_TOOL_LIBRARIES=$archer TSAN_OPTIONS=ignore_noninstrumented_modules=1 OMP_WAIT_POLICY=passive
n=0
report() { # NAME, status of the condition that holds
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else
		echo "not ok $n - $1"
		head -40 "$box/log" | sed 's/^/# /'
	fi
}
cat >"$box/race.c" <<'C'
#include <stdio.h>
int main(void)
{
	long sum = 0;
#pragma omp parallel num_threads(3)
	for (long k = 0; k < 1000; ++k) sum += k; /* by each of the three */
	printf("%ld\n", sum);
}
C
clang -g -O1 -fsanitize=thread -fopenmp "$box/race.c" -o "$box/race" && "$box/race" >"$box/log" 2>&1
grep -q 'WARNING: ThreadSanitizer: data race' "$box/log"
report "a planted race is seen" $?
for scene in scenes/*.scene.yaml tests/machine/*.scene.yaml examples/*.scene.yaml; do
	small=()
	grep -q '^ *images:' "$scene" && small=(--set 'output.images.size=[64,48]' --set output.images.samples=1)
	build/tsan/scree run "$scene" "${small[@]}" --quiet --steps 200 --threads 3 -o "$box/out" >"$box/log" 2>&1
	code=$?
	[ $code -eq 0 ] && ! grep -q 'WARNING: ThreadSanitizer' "$box/log"
	report "$(basename "$scene" .scene.yaml): no race in 200 steps of three threads" $?
done
echo "1..$n"
