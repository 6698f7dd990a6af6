/* ranks_by_mpi MODE: plays the rounds of tests/rank_play.h between MPI processes, for tests/module/mpirun.sh. Each rank
 * prints a line, and the program exits with the code of the failure. Rank 1 is faulty in all modes except the first
 * two.
 */
#include "rank_play.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "rank_faults.h"
#include "ranks/mpi/mpi_ranks.h"

enum { LITTLE = 2, MORE = 6 }; /* timeout in s, in modes where a rank waits for too long */

typedef bool mode_fn(channel *c, fail *why);

static bool play(channel *c, fail *why)
{
	const play_plan usual = {.seed = 1, .rounds = 60, .reach = 2, .most = 3000};
	memory_list list = {0}; /* a list like a world's, which is freed before the channel */
	memory_list *before = scree_memory_into(&list);
	const bool right = rank_play(c, &usual, why) && rank_sums(c, why);
	scree_memory_into(before);
	scree_memory_drop(&list);
	return right;
}

/* Plays rounds with messages so large that MPI sends them only when the receiver is waiting for them. */
static bool play_large(channel *c, fail *why)
{
	const play_plan large = {.seed = 2, .rounds = 3, .reach = 1, .most = 4000000};
	return rank_play(c, &large, why);
}

static bool play_with(channel *c, message_fault kind, real part, fail *why)
{
	fault_script script = {.seed = 5};
	script.part[kind] = part;
	if (c->rank != 1) return play(c, why);
	scree_faults_begin(c, &script);
	const bool right = play(c, why);
	scree_faults_end(c);
	return right;
}

static bool lose(channel *c, fail *why) { return play_with(c, FAULT_LOSE, 1, why); }

static bool garble(channel *c, fail *why) { return play_with(c, FAULT_GARBLE, 1, why); }

static bool truncate(channel *c, fail *why) { return play_with(c, FAULT_TRUNCATE, 1, why); }

static bool break_off(channel *c, fail *why)
{
	if (c->rank != 1) return play(c, why);
	scree_fail(why, FAIL_INPUT, "this rank does not like its input");
	scree_channel_fail(c, why);
	return false;
}

/* Does nothing for longer than the other ranks' timeout. */
static bool sleep_on(channel *c, fail *why)
{
	const struct timespec long_time = {30, 0};
	if (c->rank == 1) nanosleep(&long_time, NULL);
	return play(c, why);
}

/* The other ranks wait for a sum. */
static bool sleep_in_sum(channel *c, fail *why)
{
	const struct timespec long_time = {30, 0};
	if (c->rank == 1) nanosleep(&long_time, NULL);
	return rank_sums(c, why);
}

/* Rank 2 arrives after the others have asked which ranks are present, but before they give up. */
static bool one_late_in_sum(channel *c, fail *why)
{
	const struct timespec late = {MORE / 2, 500000000};
	if (c->rank == 2) nanosleep(&late, NULL);
	return sleep_in_sum(c, why);
}

static const struct {
	const char *name;
	mode_fn *run;
	real patience; /* s */
} modes[] = {{"play", play, 60},
			 {"large", play_large, 60},
			 {"lose", lose, LITTLE},
			 {"garble", garble, 60},
			 {"truncate", truncate, 60},
			 {"break", break_off, 60},
			 {"sleep", sleep_on, LITTLE},
			 {"sleep_in_sum", sleep_in_sum, LITTLE},
			 {"one_late_in_sum", one_late_in_sum, MORE}};

int main(int count, char **word)
{
	size_t k = 0;
	while (k < sizeof modes / sizeof *modes && (count < 2 || strcmp(modes[k].name, word[1]) != 0)) ++k;
	if (k == sizeof modes / sizeof *modes) return 2;
	channel c;
	fail why = {0};
	if (!scree_mpi_begin(&c, modes[k].patience, &why)) return 4;
	const bool right = modes[k].run(&c, &why);
	printf("rank %d of %d: %s\n", c.rank, c.ranks, right ? "right" : why.text);
	fflush(stdout);
	/* leaves time for the other ranks to learn of the failure, and for mpirun to print the line */
	if (!right) nanosleep(&(struct timespec){0, 500000000}, NULL);
	scree_mpi_end(&c, right ? 0 : (int)why.code);
	return 0;
}
