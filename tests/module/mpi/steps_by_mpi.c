/* steps_by_mpi SCENE STEPS SEED: for tests/files/ranks.sh. Each process steps the whole scene by itself, then its part
 * of the scene with MPI, and compares the hashes after each step. Meanwhile, a third of all messages are held back
 * until later ones have been sent, or the sender waits: these messages are late and out of order, as determined by the
 * seed (rank_faults.h). Rank 0 prints the number of comparisons and the number of late messages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rank_steps.h"
#include "ranks/mpi/mpi_ranks.h"

static int64_t step(channel *c, stepping *s, uint64_t seed)
{
	const fault_script script = {seed, {[FAULT_DELAY] = (real)1 / 3}};
	faults *o = scree_faults_begin(c, &script);
	step_rank(c, s);
	const int64_t made = scree_faults_made(o, FAULT_DELAY);
	scree_faults_end(c);
	return made;
}

int main(int count, char **word)
{
	channel c;
	fail why = {0};
	if (count != 4) return 2;
	stepping *s = calloc(1, sizeof *s);
	if (!s || !scree_mpi_begin(&c, 60, &why)) return 4;
	s->file = word[1];
	s->steps = atoi(word[2]);
	step_whole(s);
	s->plan = (partition_plan){.ranks = c.ranks};
	s->by = &scree_partition_grid;
	const int64_t late = *s->said ? 0 : step(&c, s, strtoull(word[3], NULL, 10));
	const char *said = *s->said ? s->said : s->rank_said[c.rank];
	printf("rank %d of %d: %s, %lld messages late\n", c.rank, c.ranks,
		   *said ? said : "each step has the hash of one process", (long long)late);
	fflush(stdout);
	const int code = *said ? 70 : 0;
	free(s);
	scree_mpi_end(&c, code);
	return 0;
}
