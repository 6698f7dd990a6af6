#!/bin/bash
# needs: tsan
# No data race: clang's thread sanitizer over every scene (without a campaign not those of examples/), over worlds in
# several threads of a program, and over parallel pieces that fail. It detects a planted race.
cd "$(dirname "$0")/../.." || exit 70
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
export TSAN_OPTIONS=ignore_noninstrumented_modules=1
n=0
report() { # NAME, status of the condition that holds
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else
		echo "not ok $n - $1"
		head -40 "$box/log" | sed 's/^/# /'
	fi
}
cat >"$box/race.c" <<'C'
#include <pthread.h>
#include <stdio.h>
static long sum;
static void *add(void *unused)
{
	for (long k = 0; k < 1000; ++k) sum += k; /* by two threads */
	return unused;
}
int main(void)
{
	pthread_t one, two;
	if (pthread_create(&one, NULL, add, NULL) || pthread_create(&two, NULL, add, NULL)) return 1;
	pthread_join(one, NULL), pthread_join(two, NULL);
	printf("%ld\n", sum);
}
C
clang -g -O1 -fsanitize=thread -pthread "$box/race.c" -o "$box/race" && "$box/race" >"$box/log" 2>&1
grep -q 'WARNING: ThreadSanitizer: data race' "$box/log"
report "a planted race is seen" $?
scenes=(scenes/*.scene.yaml tests/machine/*.scene.yaml)
[ "${SCREE_TEST_FACTOR:-1}" -gt 1 ] && scenes+=(examples/*.scene.yaml) # by ./dev check
for scene in "${scenes[@]}"; do
	small=()
	grep -q '^ *images:' "$scene" && small=(--set 'output.images.size=[64,48]' --set output.images.samples=1)
	build/tsan/scree run "$scene" "${small[@]}" --quiet --steps 100 --threads 3 -o "$box/out" >"$box/log" 2>&1
	code=$?
	[ $code -eq 0 ] && ! grep -q 'WARNING: ThreadSanitizer' "$box/log"
	report "$(basename "$scene" .scene.yaml): no race in 100 steps of three threads" $?
done
for test in machine_two_worlds module_library base_failure module_sharing; do
	SCREE_TEST_PART=8 build/tsan/tests/test_$test >"$box/log" 2>&1 && ! grep -q 'WARNING: ThreadSanitizer' "$box/log"
	report "test $test: no race" $?
done
echo "1..$n"
