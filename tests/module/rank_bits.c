/* After each step, the hash of a world is the same on 1, 2, 3, 5, 8 and 64 ranks with one or two threads each, for each
 * partition, whether or not the work is rebalanced, and also if the run continues on a different number of ranks. This
 * holds for forces, implicit steps, hard contacts and elastic contacts. Bodies have several shapes; with elastic
 * contacts they are balls. In the short form, worlds on 64 ranks make few steps; SCREE_TEST_FACTOR > 1 increases all
 * counts, and SCREE_TEST_SHORT draws a random sample of the divisions, which differs between worlds. */
#include "rank_steps.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/parallel.h"
#include "format/snapshot.h"

#define BITS	 "tests/module/ranks/bits.scene.yaml"
#define CROWD	 "tests/module/ranks/crowd.scene.yaml"
#define RUN(how) "run={until: 1 s, guard: {overlap: 90 %, speed: 10 m/s}, " how "}"
#define SMOOTH                                                                                                         \
	"shapes={ball: {sphere: {diameter: 1}}, die: {cylinder: {length: 1}}, gem: {ellipsoid: [1, 0.9, 1]}, chip: "       \
	"{superquadric: {axes: [1, 1, 0.9], n: [5, 2.5]}}, twin: {capsule: {length: 1, diameter: 0.8}}}"
#define BALLS                                                                                                          \
	"shapes={ball: {sphere: {diameter: 1}}, die: {sphere: {diameter: 0.9}}, gem: {sphere: {diameter: 1}}, chip: "      \
	"{sphere: {diameter: 0.8}}, twin: {sphere: {diameter: 1}}}"
#define NO_FRICTION "contacts={default: {restitution: 0.4}}"
#define WET                                                                                                            \
	"contacts={default: {restitution: 0.4, friction: 0.4, cohesion: {capillary: {tension: 0.3 N/m, volume: 1e-11 "     \
	"m^3}}}}"
#define BONDED                                                                                                         \
	"contacts={default: {restitution: 0.4, friction: 0.4, bond: {young: 1 MPa, tensile_strength: 10 kPa, "             \
	"shear_strength: 10 kPa, deviation: 0.2, gap: 0.5 mm}}}"

/* Worlds: 120 touching bodies, and 700 balls with sources and a sink, which provide more work for threads to share. */
static const struct {
	const char *response, *file, *set[3];
	int steps, fewer; /* fewer: number of steps on more than 8 ranks in the short form, or 0 to skip them */
} worlds[] = {
	{"forces", BITS, {RUN("response: forces, step: 4.8 us")}, 40, 6},
	{"implicit", BITS, {RUN("response: implicit, step: 0.2 ms")}, 8, 1},
	{"hard", BITS, {RUN("response: hard, step: 0.2 ms")}, 6, 1},
	{"elastic", BITS, {RUN("response: elastic, step: 0.1 ms"), BALLS, NO_FRICTION}, 40, 6},
	{"forces", BITS, {RUN("response: forces"), SMOOTH}, 24, 0},
	{"implicit", BITS, {RUN("response: implicit, step: 0.2 ms"), SMOOTH}, 4, 0},
	{"hard", BITS, {RUN("response: hard, step: 0.2 ms"), SMOOTH}, 4, 0},
	{"implicit", BITS, {RUN("response: implicit, step: 0.2 ms"), BALLS, WET}, 6, 0},
	{"hard", BITS, {RUN("response: hard, step: 0.2 ms"), BALLS, WET}, 4, 0},
	{"implicit", BITS, {RUN("response: implicit, step: 0.2 ms"), BALLS, BONDED}, 6, 0},
	{"hard", BITS, {RUN("response: hard, step: 0.2 ms"), BALLS, BONDED}, 4, 0},
	{"implicit", CROWD, {RUN("response: implicit, step: 0.2 ms")}, 3, 0},
	{"elastic", CROWD, {"run.step=60 us"}, 20, 0},
};
enum { WORLDS = sizeof worlds / sizeof *worlds };

/* Ways of dividing a world. GRID: fixed cuts; MOVED: cuts that move in each step; EVEN: boxes of equal work, divided
 * once; AGAIN: divided at each search. */
enum { GRID, MOVED, HEXAGONS, EVEN, AGAIN };
static const char *const ways[] = {"grid", "grid that moves", "hexagons", "rcb", "rcb, cut again"};
static const struct {
	int32_t ranks, way, threads;
} divisions[] = {
	{1, GRID, 2},	  {2, GRID, 1},		{3, MOVED, 2},	   {5, GRID, 1},	  {8, MOVED, 2}, {64, GRID, 1},
	{1, HEXAGONS, 1}, {7, HEXAGONS, 2}, {19, HEXAGONS, 1}, {61, HEXAGONS, 1}, {1, EVEN, 1},	 {2, EVEN, 2},
	{3, EVEN, 1},	  {5, EVEN, 2},		{8, EVEN, 1},	   {64, EVEN, 1},	  {1, AGAIN, 2}, {2, AGAIN, 1},
	{3, AGAIN, 2},	  {5, AGAIN, 1},	{8, AGAIN, 2},	   {64, AGAIN, 1},
};
enum { DIVISIONS = sizeof divisions / sizeof *divisions, FEW = 8 /* ranks */ };

/* Counts summed over all divisions of a world among ranks. */
typedef struct totals {
	int64_t runs, hashes, moved, across, cuts;
} totals;

static bool is_crowd(const stepping *s) { return !strcmp(s->file, CROWD); }

static void run_on(stepping *s, int n, totals *of)
{
	const int32_t ranks = divisions[n].ranks, way = divisions[n].way;
	if (way == HEXAGONS && is_crowd(s)) return; /* periodic */
	const division d = {ranks, {0}, way == MOVED || way == AGAIN, way == HEXAGONS};
	s->by_work = way >= EVEN;
	s->balance = way == EVEN ? (real)1e9 : 0;
	s->threads = divisions[n].threads;
	scree_parallel_shuffle(s->threads > 1 ? 7 + (uint64_t)n : 0);
	step_on(s, &d, 1);
	scree_parallel_shuffle(0);
	CHECK(way != EVEN || s->cuts == ranks, "%s: %d ranks, %s: %lld cuts", s->file, ranks, ways[way],
		  (long long)s->cuts);
	if (way == AGAIN) of->cuts += s->cuts - ranks;
	of->runs += 1, of->hashes += (s->steps - s->first) * ranks;
	of->moved += s->moved, of->across += s->across;
}

/* Writes a snapshot after the last step; all ranks write parts of it. */
static bool write_snapshot(stepping *s, scree_world *w, char *said)
{
	fail why = {0};
	const bool good = scree_snapshot_write(w, NULL, s->for_end, &why);
	if (!good) snprintf(said, SAID, "%.1100s", why.text);
	return good;
}

/* Makes half of the steps on one number of ranks, and the rest on another number of ranks with another partition. */
static void continue_on(stepping *s, int first, int second, totals *of)
{
	char path[] = "/tmp/scree_rank_bits_XXXXXX";
	if (divisions[second].way == HEXAGONS && is_crowd(s)) return; /* periodic */
	const int file = mkstemp(path);
	const int64_t steps = s->steps;
	CHECK(file >= 0 && close(file) == 0, "no file");
	s->steps = (steps + 1) / 2, s->at_end = write_snapshot, s->for_end = path;
	run_on(s, first, of);
	s->at_end = NULL;
	s->from = path, s->first = s->steps, s->steps = steps;
	run_on(s, second, of);
	s->from = NULL, s->first = 0;
	unlink(path);
}

/* Finds the row of the table for this number of ranks and this way of dividing the world. */
static int row_of(int32_t ranks, int32_t way)
{
	int n = 0;
	while (n < DIVISIONS && (divisions[n].ranks != ranks || divisions[n].way != way)) ++n;
	CHECK(n < DIVISIONS, "no such row");
	return n;
}

static stepping *start(int k)
{
	int sets = 0;
	while (sets < 3 && worlds[k].set[sets]) ++sets;
	stepping *s = whole(worlds[k].file, worlds[k].set, sets, worlds[k].steps);
	CHECK(!*s->said, "%s, %s: %s", worlds[k].response, s->file, s->said);
	return s;
}

static bool is_enough(const totals *of, bool cut) { return of->moved && of->across && (of->cuts || !cut); }

/* cut: whether some parts must have been divided again */
static void say(int k, const stepping *s, const totals *of, bool cut)
{
	print_message("%s, %s: %lld runs, %lld hashes, %lld moves, %lld contacts across borders, %lld times cut again\n",
				  worlds[k].response, worlds[k].file, (long long)of->runs, (long long)of->hashes, (long long)of->moved,
				  (long long)of->across, (long long)of->cuts);
	CHECK(is_enough(of, cut) || s->steps < worlds[k].steps || is_crowd(s) || test_short(),
		  "%s, %s: too little happened", worlds[k].response, worlds[k].file);
}

static void sum(totals *all, const totals *of)
{
	all->moved += of->moved, all->across += of->across, all->cuts += of->cuts;
}

/* Returns whether the short form includes this division of a world. */
static bool is_short(int k, int n)
{
	const int32_t ranks = divisions[n].ranks, way = divisions[n].way;
	if (!strcmp(worlds[k].file, CROWD)) return ranks <= 3 && divisions[n].threads > 1;
	if (!worlds[k].fewer && (way == GRID || way == EVEN)) return ranks == 2;
	if (ranks <= FEW) return true;
	return worlds[k].fewer && way != EVEN && (worlds[k].fewer > 1 || (ranks == 64 && way != AGAIN));
}

static void the_same_bits(void **state)
{
	(void)state;
	const bool longer = test_factor() > 1;
	totals all = {0};
	for (int k = 0; k < WORLDS; ++k) {
		stepping *s = start(k);
		totals of = {0};
		const int64_t steps = s->steps, fewer = !longer && worlds[k].fewer < steps ? worlds[k].fewer : steps;
		for (int n = 0; n < DIVISIONS; ++n) {
			s->steps = divisions[n].ranks > FEW ? fewer : steps;
			if ((longer || is_short(k, n)) && test_drawn(n + k + 4)) run_on(s, n, &of);
		}
		s->steps = steps;
		say(k, s, &of, true);
		sum(&all, &of);
		free(s);
	}
	CHECK(is_enough(&all, !test_short()), "too little happened in all worlds");
}

static void the_same_bits_on_another_number_of_ranks(void **state)
{
	(void)state;
	static const int32_t changes[][4] = {
		{3, MOVED, 5, AGAIN}, {8, EVEN, 7, HEXAGONS}, {1, GRID, 8, MOVED}, {5, AGAIN, 2, GRID}};
	totals all = {0};
	for (int k = 0; k < WORLDS; ++k) {
		stepping *s = start(k);
		totals of = {0};
		if (is_crowd(s) && test_factor() < 2) {
			free(s);
			continue;
		}
		for (int n = 0; n < 4 && (worlds[k].fewer || n < 2 || test_factor() > 1); ++n)
			if (test_drawn(n + k))
				continue_on(s, row_of(changes[n][0], changes[n][1]), row_of(changes[n][2], changes[n][3]), &of);
		say(k, s, &of, false);
		sum(&all, &of);
		free(s);
	}
	CHECK(is_enough(&all, false), "too little happened in all worlds");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_bits),
		cmocka_unit_test(the_same_bits_on_another_number_of_ranks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
