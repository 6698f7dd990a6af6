#!/bin/bash
# needs:
# The two threads of Schinner (1999), one per axis, with a mutex per particle (bench/literal_sweep.c): no race under
# clang's thread sanitizer, and the pairs of brute force after every step.
cd "$(dirname "$0")/../.." || exit 70
box=$(mktemp -d) || exit 70
trap 'rm -rf "$box"' EXIT
cat >"$box/main.c" <<'C'
#include "literal_sweep.h"
#include <stdio.h>
enum { COUNT = 300, STEPS = 200 };
static double at[COUNT][2], v[COUNT][2], box[COUNT][4];
static unsigned state = 1;
static double draw(void) { return (double)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24); }
static int meet(const double *p, const double *q)
{
	return p[0] <= q[2] && q[0] <= p[2] && p[1] <= q[3] && q[1] <= p[3];
}
static long wrong(const literal_sweep *s)
{
	long bad = 0;
	for (int i = 0; i < COUNT; ++i)
		for (int j = 0; j < i; ++j) bad += literal_sweep_has(s, i, j) != meet(box[i], box[j]);
	return bad;
}
static void move(int step)
{
	for (int i = 0; i < COUNT; ++i) {
		double r = i % 30 ? 0.02 : 0.1;
		for (int d = 0; d < 2; ++d) {
			at[i][d] += v[i][d];
			if (at[i][d] < 0 || at[i][d] > 1) v[i][d] = -v[i][d];
			if (step == STEPS / 2) at[i][d] = 1 - at[i][d]; /* all turns over */
			box[i][d] = at[i][d] - r;
			box[i][d + 2] = at[i][d] + r;
		}
	}
}
int main(void)
{
	long bad = 0;
	long long pairs = 0;
	for (int i = 0; i < COUNT; ++i)
		for (int d = 0; d < 2; ++d) at[i][d] = draw(), v[i][d] = 0.02 * (draw() - 0.5);
	move(0);
	literal_sweep *s = literal_sweep_new(COUNT, (const double(*)[4])box, 2);
	for (int step = 1; step <= STEPS; ++step) {
		bad += wrong(s);
		pairs += literal_sweep_count(s);
		move(step);
		literal_sweep_update(s, (const double(*)[4])box);
	}
	bad += wrong(s);
	printf("wrong %ld pairs %s exchanges %s\n", bad, pairs > 20000 ? "many" : "few",
		   literal_sweep_exchanges(s) > 100000 ? "many" : "few");
	literal_sweep_free(s);
	return bad != 0;
}
C
n=0
report() { # NAME, status of the condition that holds
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else
		echo "not ok $n - $1"
		head -40 "$box/log" | sed 's/^/# /'
	fi
}
build() { # WHERE SOURCE: with the thread sanitizer
	clang -std=c17 -g -O1 -fsanitize=thread -pthread -I bench "$box/main.c" "$2" -o "$1"
}
build "$box/two" bench/literal_sweep.c >"$box/log" 2>&1 && "$box/two" >"$box/log" 2>&1
code=$?
[ $code -eq 0 ] && ! grep -q 'WARNING: ThreadSanitizer' "$box/log"
report "two threads, no race" $?
grep -q '^wrong 0 pairs many exchanges many$' "$box/log"
report "the pairs of brute force after each of 200 steps" $?
# without the mutex a race must be detected; the first one ends it, since broken lists may loop forever
sed 's/pthread_mutex_\(un\)\?lock(&p->lock);//' bench/literal_sweep.c >"$box/unlocked.c"
build "$box/unlocked" "$box/unlocked.c" >"$box/log" 2>&1 &&
	TSAN_OPTIONS=halt_on_error=1 timeout 300 "$box/unlocked" >"$box/log" 2>&1
grep -q 'WARNING: ThreadSanitizer: data race' "$box/log"
report "without the mutex a race is seen" $?
echo "1..$n"
