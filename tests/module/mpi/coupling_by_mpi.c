/* coupling_by_mpi RESPONSE PARTITION: spheres in a flow computed by a program on two ranks, as in Fig. 1(b) of
 * Iglberger and Ruede (2009), for tests/module/mpirun.sh. The force on a sphere is computed by the rank whose part of
 * the flow contains the left end of the sphere, whether this rank owns the sphere or has a copy. The program uses only
 * scree's public headers, and prints the hash at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/ranks.h"

static const char scene[] =
	"scene: 1\n"
	"title: Spheres in a flow\n"
	"world: {gravity: [0, 0, -9.81 m/s^2]}\n"
	"materials: {stone: {density: 1200 kg/m^3, young: 0.1 MPa}}\n"
	"contacts: {default: {restitution: 0.5, friction: 0.3}}\n"
	"shapes: {ball: {sphere: {diameter: 1}}}\n"
	"walls: {tank: {box: {min: [-0.1 m, -0.05 m, 0], max: [0.1 m, 0.05 m, 0.2 m]}, material: stone}}\n"
	"fill: [{region: {box: {min: [-0.1 m, -0.05 m, 0], max: [0.1 m, 0.05 m, 0.1 m]}}, lattice: {spacing: 20 mm}, "
	"material: stone, shape: ball, size: 18 mm}]\n"
	"run: {until: 1 s, step: 0.2 ms, guard: {overlap: 0}}\n";

static const double UNTIL = 0.4;							  /* s */
static const double RADIUS = 9e-3, DRAG = 2e-2, STREAM = 0.5; /* m, N s/m, m/s */

typedef struct flow {
	long long on_copies; /* forces */
} flow;

static void drag(const scree_force_rows *rows, void *context)
{
	flow *f = context;
	for (int64_t i = 0; i < rows->rows + rows->copies; ++i) {
		const int left = rows->x[i] - RADIUS < 0;
		if (scree_ranks() == 2 && left != (scree_rank() == 0)) continue;
		f->on_copies += i >= rows->rows;
		rows->fx[i] += DRAG * (STREAM * (0.1 - rows->z[i]) / 0.1 - rows->vx[i]);
		rows->fy[i] -= DRAG * rows->vy[i];
		rows->fz[i] += 0.8 * 9.81 * rows->mass[i] - DRAG * rows->vz[i]; /* it nearly floats */
		rows->ty[i] += 1e-6;
	}
}

static void must(scree_sim *s, scree_code code)
{
	if (!code) return;
	printf("%s\n", scree_sim_error(s));
	exit(code);
}

/* Rank 0 opens the scene for all ranks, and each rank receives the whole world before the first step. */
static void print_start(scree_open_options how, const char *partition)
{
	scree_problems *problems = NULL;
	scree_sim *s = scree_ranks_open(&how, &problems);
	if (!s) exit(SCREE_BAD_INPUT);
	const char *set = "materials.stone.young=0.05 MPa";
	if (scree_ranks() > 1 && !scree_sim_change_plan(s, 1, &set, &problems)) exit(SCREE_INTERNAL);
	must(s, scree_ranks_divide(s, partition));
	scree_ledger l;
	scree_progress_row now;
	scree_guards g;
	must(s, scree_sim_ledger(s, &l));
	must(s, scree_sim_progress(s, &now));
	must(s, scree_sim_guards(s, &g));
	const uint64_t hash = scree_sim_hash(s);
	printf("start %016llx %.17g %lld\n", (unsigned long long)hash, l.potential, (long long)now.bodies);
	fflush(stdout);
	while (l.kinetic < 1e-6) { /* all ranks make the same number of steps */
		must(s, scree_sim_step(s, 10));
		must(s, scree_sim_ledger(s, &l));
	}
	scree_sim_close(s);
}

/* All ranks receive the error message of the failed rank, once, and no rank waits forever. */
static void must_refuse(scree_open_options how, const char *sentence)
{
	scree_problems *problems = NULL;
	const char *text;
	if (scree_ranks_open(&how, &problems)) exit(SCREE_INTERNAL);
	text = scree_problems_text(problems);
	if (!strstr(text, sentence) || strstr(strstr(text, "error: ") + 1, "error: ")) {
		printf("rank %d: %s", scree_rank(), text);
		exit(SCREE_INTERNAL);
	}
	scree_problems_free(problems);
}

static void refuse(void)
{
	const int last = scree_rank() == scree_ranks() - 1;
	must_refuse(
		(scree_open_options){.text = "scene: 1\nrun: 5\n", .threads = 1},
		"text:2:6: error: run: a mapping of keys was expected, not a value\n     2 | run: 5\n       |      ^\n");
	must_refuse((scree_open_options){.text = last ? NULL : scene, .threads = 1},
				"error: a simulation needs the path or the text of a scene, and none of its sets may be NULL\n");
	must_refuse((scree_open_options){.text = scene, .threads = last ? -1 : 1}, "error: -1 threads, expected 1 to ");
}

int main(int count, char **word)
{
	if (count != 3 || scree_ranks_begin()) return SCREE_BAD_INPUT;
	refuse();
	flow f = {0};
	const scree_open_options how = {.text = scene, .response = word[1], .threads = 1};
	print_start(how, word[2]);
	scree_problems *problems = NULL;
	scree_sim *s = scree_sim_open(&how, &problems);
	if (!s) return printf("%s\n", scree_problems_text(problems)), SCREE_BAD_INPUT;
	must(s, scree_sim_on_force(s, drag, &f));
	must(s, scree_ranks_divide(s, word[2]));
	must(s, scree_sim_run_until(s, UNTIL));
	const uint64_t hash = scree_sim_hash(s);
	double copies = (double)f.on_copies;
	if (scree_ranks_greatest(1, &copies)) return SCREE_INTERNAL;
	if (scree_rank() == 0) printf("hash %016llx, on copies %.0f\n", (unsigned long long)hash, copies);
	scree_sim_close(s);
	scree_ranks_end(0);
	return 0;
}
