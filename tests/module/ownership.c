/* A world in two parts, each of which owns some of the bodies and has ghosts of the others, evolves exactly like the
 * undivided world: every step is bitwise identical, and each contact is counted once. Two threads of the program play
 * the role of two processes; they exchange only the fields marked as shared in the field table. */
#include "lab.h"
#include "test.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "choices/choices.h"
#include "guard/guard.h"
#include "kernel/quat.h"
#include "model/integrator.h"
#include "prepare/prepare.h"
#include "prepare/wall_defects.h"
#include "ranks/together/domain.h"
#include "report/notes.h"
#include "scene/scene.h"
#include "state/contact_key.h"

/* ------------------------------------------------------------------ two threads as two processes */

enum { PARTS = 2 };

typedef struct both {
	pthread_barrier_t here;
	const void *said[PARTS]; /* bodies that each part sends to the other */
	int64_t count[PARTS];
} both;

typedef struct part {
	both *all;
	int me;
	char *packed; /* buffer for the bodies that the other part receives */
	size_t room;
	int spoilt; /* fill value for bytes of ghosts that are not shared */
	int32_t owned, ghosts;
} part;

static void meet(part *p) { pthread_barrier_wait(&p->all->here); }

static void show(part *p, const void *what, int64_t count)
{
	p->all->said[p->me] = what;
	p->all->count[p->me] = count;
	meet(p);
}

static void most(void *at, int32_t count, real *x)
{
	part *p = at;
	real *mine = malloc((size_t)(count + 1) * sizeof *mine);
	if (count) memcpy(mine, x, (size_t)count * sizeof *mine); /* x may be NULL */
	show(p, mine, count);
	const real *other = p->all->said[1 - p->me];
	for (int32_t k = 0; k < count; ++k)
		if (!(other[k] <= x[k]) && x[k] == x[k]) x[k] = other[k];
	meet(p);
	free(mine);
}

static void add(void *at, int32_t count, fixed *x)
{
	part *p = at;
	fixed *mine = malloc((size_t)(count + 1) * sizeof *mine);
	if (count) memcpy(mine, x, (size_t)count * sizeof *mine); /* x may be NULL */
	show(p, mine, count);
	for (int32_t k = 0; k < count; ++k) scree_fixed_join(x + k, ((const fixed *)p->all->said[1 - p->me])[k]);
	meet(p);
	free(mine);
}

static void most_and_add(void *at, int32_t mosts, real *most_of, int32_t sums, fixed *sum)
{
	most(at, mosts, most_of);
	add(at, sums, sum);
}

static void *gather(void *at, int64_t *count, size_t size, const void *rows)
{
	part *p = at;
	show(p, rows, *count);
	int64_t from[PARTS] = {0, p->all->count[0]};
	*count = p->all->count[0] + p->all->count[1];
	char *to = scree_alloc((size_t)*count, size);
	for (int k = 0; k < PARTS; ++k)
		if (p->all->count[k]) memcpy(to + (size_t)from[k] * size, p->all->said[k], (size_t)p->all->count[k] * size);
	meet(p);
	return to;
}

/* new bodies are added to one part or the other */
static bool owns(void *at, vec3 position)
{
	part *p = at;
	return (position.x + position.y < 0) == (p->me == 0);
}

/* data that ghosts do not have is set to NaN or zero, to reveal any use of it */
static void spoil(bodies *b, int with)
{
	for (int f = 0; f < scree_body_rows(b); ++f) {
		const field *o = scree_body_row(b, f);
		if (o->when <= SHARE_BIRTH) continue;
		size_t size = scree_kind_size(o->type);
		if (b->count > b->owned)
			memset((char *)scree_field_array(b, o) + (size_t)b->owned * size, with,
				   (size_t)(b->count - b->owned) * size);
	}
}

/* The bodies owned by the other part become, or already are, ghosts of this part. */
static void exchange(part *p, state *s, share when)
{
	bodies *b = &s->body;
	size_t bytes = scree_bodies_packed(b, when);
	int32_t *row = malloc(((size_t)b->owned + 1) * sizeof *row);
	for (int32_t i = 0; i < b->owned; ++i) row[i] = i;
	if (p->room < bytes * (size_t)b->owned) p->packed = realloc(p->packed, p->room = 2 * bytes * (size_t)b->owned);
	scree_bodies_pack(b, when, b->owned, row, p->packed);
	free(row);
	show(p, p->packed, b->owned);
	int32_t ghosts = (int32_t)p->all->count[1 - p->me];
	if (when == SHARE_BIRTH) {
		b->count = b->owned;
		scree_bodies_reserve(b, b->owned + ghosts);
		b->count += ghosts;
	}
	scree_bodies_unpack(b, when, b->owned, ghosts, p->all->said[1 - p->me]);
	spoil(b, p->spoilt);
	p->owned = b->owned, p->ghosts = ghosts;
	meet(p);
}

/* Passes values to ghosts, which are all bodies of the other part, in the order of that part. */
static void pass_values(void *at, const body_columns *to, const uint64_t *mask, uint64_t bits)
{
	(void)bits;
	part *p = at;
	assert_null(mask);
	show(p, to, p->owned);
	const body_columns *from = p->all->said[1 - p->me];
	for (int32_t c = 0; c < to->count; ++c)
		for (int32_t i = 0; i < p->ghosts; ++i)
			memcpy((char *)to->of[c] + (size_t)(p->owned + i) * to->stride,
				   (const char *)from->of[c] + (size_t)i * from->stride, 8);
	meet(p);
}

static void renew(void *at, const model *m, state *s, work *w)
{
	(void)m, (void)w;
	exchange(at, s, SHARE_BIRTH);
}

static void refresh(void *at, state *s, share when, bool finite)
{
	(void)finite;
	exchange(at, s, when);
}

static const domain_row two = {.most = most,
							   .add = add,
							   .both = most_and_add,
							   .gather = gather,
							   .owns = owns,
							   .renew = renew,
							   .refresh = refresh,
							   .share = pass_values};

/* ------------------------------------------------------------------ the whole world and its parts */

enum { MOST_STEPS = 6000, LOOK_EVERY = 20, DERIVED = 13, NOTES = 8000 };

/* Data recorded about a world in a single step. */
typedef struct looks {
	uint64_t hash[MOST_STEPS];
	int64_t touching[MOST_STEPS];
	struct {
		energy_row energy;
		int64_t sliding, lost;
		wall_load load;
		real stress[6], part, speed;
		real deepest;
		uint64_t deepest_body;
		real step_part; /* the load that limits the step, and the body under this load */
		uint64_t step_body;
		int64_t step_contacts;
	} more[MOST_STEPS / LOOK_EVERY];
	real derived[2][DERIVED]; /* values after set-up, before the first step, and after half of the steps */
	int64_t contacts, across; /* number of contacts counted by this part over all steps; number of contacts with bodies
								 of the other part */
	int64_t bodies;
	start_look start;
	char notes[NOTES]; /* notes on its walls, halos and bodies, before the first step */
} looks;

/* a domain whose lower border is crossed, after some steps, by the bodies that `rain` adds */
#define LOW_CEILING "world.domain={min: [-1 m, -1 m, 25 mm], max: [1 m, 1 m, 1 m]}"

typedef struct stepping {
	const char *file;
	const char *const *set;
	int sets;
	int threads;
	int64_t steps;
	part *part; /* NULL: the whole */
	bool by_id; /* whether the world is divided into odd and even ids; otherwise, it is divided into left and right
				   halves */
	looks *look;
	char said[1200];
} stepping;

/* removes the bodies of the other part, and its share of the ledger */
static void divide(scree_world *w, const stepping *s)
{
	bodies *b = &w->state.body;
	int32_t *gone = malloc(((size_t)b->count + 1) * sizeof *gone), count = 0;
	for (int32_t i = 0; i < b->count; ++i) {
		int of = s->by_id ? (int)(b->id[i] % 2) : !owns(&(part){.me = 0}, body_position(b, i));
		if (of != s->part->me) gone[count++] = i;
	}
	scree_world_remove(&w->model, &w->state, &w->work, count, gone);
	free(gone);
	w->work.domain = (domain){.by = &two, .at = s->part, .first = s->part->me == 0};
}

static void count_contacts(const scree_world *w, looks *o)
{
	for (int kind = 0; kind < PAIR_KINDS; ++kind) {
		const pair_list *l = w->state.pair + kind;
		for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
			bool across =
				!pair_on_wall(kind) && (l->ca[c.row] >= w->state.body.owned || l->cb[c.row] >= w->state.body.owned);
			o->contacts += scree_contact_counted(&w->state, kind, c.row);
			o->across += across && scree_contact_counted(&w->state, kind, c.row);
		}
	}
}

static void look_at(const scree_world *w, looks *o, int64_t step)
{
	o->hash[step] = scree_world_hash(&w->model, &w->state, &w->work);
	o->touching[step] = w->work.touching;
	count_contacts(w, o);
	if (step % LOOK_EVERY) return;
	o->more[step / LOOK_EVERY].energy = scree_world_energy(&w->model, &w->state, &w->work);
	o->more[step / LOOK_EVERY].sliding = scree_world_sliding(&w->model, &w->state, &w->work);
	o->more[step / LOOK_EVERY].lost = w->state.lost;
	o->more[step / LOOK_EVERY].part = w->work.greatest_overlap_part;
	o->more[step / LOOK_EVERY].speed = w->work.greatest_speed;
	o->more[step / LOOK_EVERY].deepest = w->work.deepest.part;
	o->more[step / LOOK_EVERY].deepest_body = w->work.deepest.body;
	const step_load load = scree_world_load(&w->model, &w->state, &w->work);
	o->more[step / LOOK_EVERY].step_part = load.part;
	o->more[step / LOOK_EVERY].step_body = load.id;
	o->more[step / LOOK_EVERY].step_contacts = load.contacts;
	if (w->model.wall.count) o->more[step / LOOK_EVERY].load = scree_wall_load(&w->model, &w->state, &w->work, 0);
	if (w->model.period.on) scree_world_stress(&w->model, &w->state, &w->work, o->more[step / LOOK_EVERY].stress);
}

static void note(const scree_world *w, char text[NOTES])
{
	FILE *to = fmemopen(text, NOTES, "w");
	char halo[1000];
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall_defects all = scree_wall_defects(&w->model, &w->state, &w->work.domain, k);
		for (int d = 0; d < all.count; ++d) fprintf(to, "%s %s\n", w->model.wall.row[k].name, all.row[d].text);
	}
	if (scree_halo_defect(&w->model, &w->state, &w->work.domain, halo, sizeof halo)) fprintf(to, "%s\n", halo);
	scree_notes_print_backs(to, w);
	fclose(to);
}

/* Prepares a world or a part of it, and records values that depend on all bodies. */
static void prepare(scree_world *w, stepping *s, int when)
{
	fail why = {0};
	const model *m = &w->model;
	if (!scree_world_prepare(w, 0, m->dt, &why)) snprintf(s->said, sizeof s->said, "%.1100s", why.text);
	const servo_constants *servo = m->wall.count > 1 ? &m->wall.row[m->wall.count - 2].servo : NULL;
	const servo_constants *last = m->wall.count ? &m->wall.row[m->wall.count - 1].servo : NULL;
	const real all[DERIVED] = {m->contact_time,
							   m->usual_step,
							   m->safe_step,
							   m->turning_step,
							   m->drag_step,
							   m->halo_step,
							   m->longest,
							   (real)m->stiffest[0],
							   servo ? servo->mass : 0,
							   last ? last->mass : 0,
							   servo ? servo->stiffness : 0,
							   last ? last->stiffness : 0,
							   last ? last->max_speed : 0};
	memcpy(s->look->derived[when], all, sizeof all);
	if (when) return;
	note(w, s->look->notes);
	scree_world_look_at_start(&w->model, &w->state, &w->work);
	s->look->start = w->work.start;
}

static void *step_all(void *what)
{
	stepping *s = what;
	scene at;
	char path[400], *report = NULL;
	scree_set_threads(s->threads);
	snprintf(path, sizeof path, "%s/%s", SCREE_SOURCE, s->file);
	if (!scree_scene_load(path, s->sets, s->set, &at, &report)) {
		snprintf(s->said, sizeof s->said, "%.1100s", report);
		scree_free(report);
		return NULL;
	}
	scree_world *w = at.world;
	bool good = true;
	if (s->part) divide(w, s);
	prepare(w, s, 0);
	for (int64_t k = 0; k < s->steps && good; ++k) {
		if (k == s->steps / 2) prepare(w, s, 1);
		good = scree_step(w);
		if (good) look_at(w, s->look, k);
	}
	s->look->bodies = scree_world_bodies(w);
	if (!good) snprintf(s->said, sizeof s->said, "%.1100s", w->work.why.text);
	scree_scene_free(&at);
	return NULL;
}

static void step_parts(const stepping *whole, bool by_id, stepping of[PARTS])
{
	both all;
	part parts[PARTS];
	pthread_t thread[PARTS];
	memset(&all, 0, sizeof all);
	pthread_barrier_init(&all.here, NULL, PARTS);
	for (int k = 0; k < PARTS; ++k) {
		parts[k] = (part){.all = &all, .me = k, .spoilt = by_id ? 0 : 0xff};
		of[k] = *whole;
		of[k].threads = k + 1;
		of[k].part = parts + k;
		of[k].by_id = by_id;
		of[k].look = calloc(1, sizeof *of[k].look);
		assert_int_equal(pthread_create(&thread[k], NULL, step_all, of + k), 0);
	}
	for (int k = 0; k < PARTS; ++k) {
		pthread_join(thread[k], NULL);
		free(parts[k].packed);
	}
	pthread_barrier_destroy(&all.here);
}

/* A scene, its number of steps, and whether bodies of different parts touch in this scene if it is divided by ids or
 * by positions. */
static const struct {
	const char *file, *set[2];
	int steps;
	bool across[2];
} scenes[] = {
	{"scenes/settling_spheres.scene.yaml", {NULL}, 2400, {true, true}},
	{"scenes/settling_cubes.scene.yaml", {NULL}, 3000, {true, true}},
	{"scenes/mixed_drum.scene.yaml", {NULL}, 400, {false, false}},
	{"scenes/flat_shear.scene.yaml", {NULL}, 1600, {false, true}},
	{"scenes/periodic_shear.scene.yaml", {NULL}, 1600, {false, true}},
	{"scenes/periodic_bricks.scene.yaml", {NULL}, 2300, {true, true}},
	{"scenes/servo_lid.scene.yaml", {"fill.0.seed=11"}, 300, {false, true}},
	{"scenes/servo_lid.scene.yaml", {"walls.side.motion.servo.mass=2 g"}, 300, {false, true}},
	{"scenes/sticky_beads.scene.yaml", {NULL}, 3000, {true, true}},
	{"scenes/halos.scene.yaml", {NULL}, 200, {false, false}},
#if SCREE_PAPERS
	{"scenes/gear_beads.scene.yaml", {NULL}, 600, {false, false}},
#endif
	{"scenes/rain.scene.yaml", {NULL}, 5800, {true, true}}, /* sources and sinks */
	{"scenes/rain.scene.yaml", {LOW_CEILING, "run.guard.lost=remove"}, 1200, {false, false}},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static void compare_derived(const stepping *whole, const looks *part)
{
	const start_look *x = &whole->look->start, *y = &part->start;
	CHECK(x->contacts == y->contacts && x->overlap == y->overlap && x->body == y->body && x->other == y->other &&
			  x->wall == y->wall && x->speed == y->speed &&
			  scree_fixed_value(x->elastic) == scree_fixed_value(y->elastic),
		  "%s: other contacts of the start: %lld, %.3g, body %llu", whole->file, (long long)y->contacts, y->overlap,
		  (unsigned long long)y->body);
	for (int when = 0; when < 2; ++when)
		for (int k = 0; k < DERIVED; ++k) {
			const real a = whole->look->derived[when][k], b = part->derived[when][k];
			CHECK(a == b, "%s: number %d of the set-up %d is %.17g in a part, not %.17g", whole->file, k, when, b, a);
		}
}

static void compare(const stepping *whole, const stepping of[PARTS])
{
	const looks *x = whole->look;
	CHECK(!*of[0].said && !*of[1].said, "%s: %s%s", whole->file, of[0].said, of[1].said);
	for (int p = 0; p < PARTS; ++p)
		CHECK(!strcmp(of[p].look->notes, x->notes), "%s: the notes of part %d are '%s', not '%s'", whole->file, p,
			  of[p].look->notes, x->notes);
	for (int p = 0; p < PARTS; ++p) compare_derived(whole, of[p].look);
	for (int64_t k = 0; k < whole->steps; ++k)
		for (int p = 0; p < PARTS; ++p) {
			const looks *y = of[p].look;
			CHECK(x->hash[k] == y->hash[k] && x->touching[k] == y->touching[k],
				  "%s: step %lld, part %d: %016llx, not %016llx; %lld contacts, not %lld", whole->file, (long long)k, p,
				  (unsigned long long)y->hash[k], (unsigned long long)x->hash[k], (long long)y->touching[k],
				  (long long)x->touching[k]);
			CHECK(!memcmp(x->more + k / LOOK_EVERY, y->more + k / LOOK_EVERY, sizeof *x->more),
				  "%s: step %lld, part %d: other energies, loads, stresses or counts", whole->file, (long long)k, p);
		}
	CHECK(x->contacts == of[0].look->contacts + of[1].look->contacts, "%s: %lld and %lld contacts, not %lld",
		  whole->file, (long long)of[0].look->contacts, (long long)of[1].look->contacts, (long long)x->contacts);
	CHECK(of[0].look->bodies == x->bodies && of[1].look->bodies == x->bodies, "%s: %lld bodies", whole->file,
		  (long long)of[0].look->bodies);
}

static void parts_step_like_the_whole(void **state)
{
	(void)state;
	for (int n = 0; n < SCENES; ++n) {
		if (!test_drawn(n)) continue;
		stepping whole = {.file = scenes[n].file, .set = scenes[n].set, .threads = 1, .look = calloc(1, sizeof(looks))};
		while (whole.sets < 2 && scenes[n].set[whole.sets]) ++whole.sets;
		whole.steps = test_cases(scenes[n].steps);
		if (whole.steps > scenes[n].steps) whole.steps = scenes[n].steps;
		step_all(&whole);
		CHECK(!*whole.said, "%s: %s", whole.file, whole.said);
		for (int by_id = 0; by_id < 2; ++by_id) {
			stepping of[PARTS];
			step_parts(&whole, by_id, of);
			compare(&whole, of);
			int64_t across = of[0].look->across + of[1].look->across;
			CHECK(!scenes[n].across[by_id] || across > 100 || whole.steps < scenes[n].steps, "%s: %lld contacts across",
				  whole.file, (long long)across);
			free(of[0].look);
			free(of[1].look);
		}
		free(whole.look);
	}
}

static const char chute[] = "scenes/mesh_chute.scene.yaml";

/* a crate that acts outwards and contains bodies, which is refused unless it has a hole */
static const char crate[] = "tests/bad/scenes/mesh_inside_out.scene.yaml";
#define HOLED "walls.crate.mesh.file=crate_holed.obj"

/* these walls replace the floor below the bodies on each side; both walls face down */
#define TRAYS                                                                                                          \
	"walls={left: {polygon: [[-1 m, -1 m, 0], [-1 m, 1 m, 0], [0, 1 m, 0], [0, -1 m, 0]], material: glass}, "          \
	"right: {polygon: [[0, -1 m, 0], [0, 1 m, 0], [1 m, 1 m, 0], [1 m, -1 m, 0]], material: glass}}"

/* Defects of walls and halos, and bodies behind walls, are reported for all bodies. */
static void notes_are_those_of_the_whole(void **state)
{
	(void)state;
	static const struct {
		const char *file, *set[2], *words;
	} rows[] = {
		{chute, {"walls.chute.mesh.scale=100 m"}, "times as long as the box around the bodies"},
		{crate, {HOLED}, "10 of 10 bodies are behind it"},
		{"scenes/settling_spheres.scene.yaml", {TRAYS}, " % of them) start behind wall left"},
		{"scenes/halos.scene.yaml", {"shapes.hook.mesh.halo=0.002"}, "shape hook: an impact at"},
	};
	for (size_t n = 0; n < sizeof rows / sizeof *rows; ++n) {
		stepping whole = {.file = rows[n].file, .set = rows[n].set, .threads = 1, .look = calloc(1, sizeof(looks))};
		while (whole.sets < 2 && rows[n].set[whole.sets]) ++whole.sets;
		step_all(&whole);
		CHECK(strstr(whole.look->notes, rows[n].words), "%s: notes '%s' %s", whole.file, whole.look->notes, whole.said);
		for (int by_id = 0; by_id < 2; ++by_id) {
			stepping of[PARTS];
			step_parts(&whole, by_id, of);
			compare(&whole, of);
			free(of[0].look);
			free(of[1].look);
		}
		free(whole.look);
	}
}

/* All parts stop in the same step as the whole world, with the same error message. */
static void guards_stop_all_parts(void **state)
{
	(void)state;
	static const char spheres[] = "scenes/settling_spheres.scene.yaml", cubes[] = "scenes/settling_cubes.scene.yaml",
					  needles[] = "tests/scene/files/shot_needles.scene.yaml";
	static const struct {
		const char *file, *set[2], *words;
	} rows[] = {
		{spheres, {"run.guard.speed=0.3 m/s"}, "body "},
		{spheres, {"run.guard.overlap=0.01 %"}, "overlap of "},
		{spheres, {"world.domain={min: [-1 m, -1 m, 5 mm], max: [1 m, 1 m, 1 m]}"}, "body "},
		{crate, {HOLED}, "wall crate is inside out: "},
#if SCREE_PAPERS
		{"scenes/gear_beads.scene.yaml",
		 {"world={gravity: [0, 0, -1e5 m/s^2], fluid: {density: 1000 kg/m^3, viscosity: 1e-3 Pa*s}}",
		  "run.step={time: 0.2 ms, unsafe: true}"},
		 "the drag of the fluid on body 82 "},
#endif
		{cubes, {"run.guard.energy=0.01 %"}, "energy is not conserved: "},	/* made by a contact */
		{cubes, {"run.guard.energy=0.003 %"}, "energy is not conserved: "}, /* by the integration */
		{needles, {"E=100 kPa"}, "overlap of "},							/* two needles, one in each part */
		{needles, {"v=450 m/s", "run.step={time: 10 us, unsafe: true}"}, "body 1 and body 2 move by "},
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
		const char *words = rows[k].words;
		stepping whole = {.file = rows[k].file,
						  .set = rows[k].set,
						  .sets = rows[k].set[1] ? 2 : 1,
						  .threads = 1,
						  .steps = MOST_STEPS,
						  .look = calloc(1, sizeof(looks))};
		step_all(&whole);
		CHECK(!strncmp(whole.said, words, strlen(words)), "%s: '%s'", *rows[k].set, whole.said);
		for (int by_id = 0; by_id < 2; ++by_id) {
			if (test_short() && by_id != (int)k % 2) continue;
			stepping of[PARTS];
			step_parts(&whole, by_id, of);
			for (int p = 0; p < PARTS; ++p) {
				CHECK(!strcmp(of[p].said, whole.said), "%s: '%s', not '%s'", *rows[k].set, of[p].said, whole.said);
				free(of[p].look);
			}
		}
		free(whole.look);
	}
}

/* ------------------------------------------------------------------ rows that travel */

static bodies random_bodies(int32_t count, uint64_t seed, field_table more)
{
	bodies b = {0};
	random_stream r = scree_random_start(seed, 3);
	scree_bodies_ask(&b, more);
	scree_bodies_reserve(&b, count);
	b.count = b.owned = count;
	for (int f = 0; f < scree_body_rows(&b); ++f) {
		const field *o = scree_body_row(&b, f);
		uint8_t *array = scree_field_array(&b, o);
		for (size_t k = 0; k < (size_t)count * scree_kind_size(o->type); ++k) array[k] = (uint8_t)scree_random_bits(&r);
	}
	return b;
}

static const void *value(const bodies *b, const field *o, int32_t i)
{
	return (const char *)scree_field_array(b, o) + (size_t)i * scree_kind_size(o->type);
}

/* Each message contains the columns shared on this kind of occasion and the columns shared more often, but no others.
 */
static void rows_are_packed_and_unpacked(void **state)
{
	(void)state;
	FOR_SEEDS(8)
	{
		enum { ROWS = 40, SOME = 7 };
		const integrator *with_more = scree_choice_find(&scree_integrators, SCREE_PAPERS ? "gear5" : "velocity_verlet");
		const field_table more = with_more->asks;
		for (share when = SHARE_STEP; when <= SHARE_OWNER; ++when) {
			bodies from = random_bodies(ROWS, test_seed, more), to = random_bodies(ROWS, test_seed + 1000, more);
			bodies before = random_bodies(ROWS, test_seed + 1000, more);
			from.in_cell = to.in_cell = test_seed % 2;
			from.way_by_pose = to.way_by_pose = test_seed / 2 % 2;
			const int32_t row[SOME] = {5, 0, 39, 17, 18, 3, 8};
			void *packed = scree_alloc(SOME, scree_bodies_packed(&from, when));
			scree_bodies_pack(&from, when, SOME, row, packed);
			scree_bodies_unpack(&to, when, 20, SOME, packed);
			for (int f = 0; f < scree_body_rows(&to); ++f) {
				const field *o = scree_body_row(&to, f);
				for (int32_t i = 0; i < ROWS; ++i) {
					const bool known = (!strncmp(o->name, "cell_", 5) && !from.in_cell) ||
									   (!strcmp(o->name, "way") && from.way_by_pose); /* sent only with a new body */
					bool came = (known ? SHARE_BIRTH : o->when) <= when && i >= 20 && i < 20 + SOME;
					const void *wanted = came ? value(&from, o, row[i - 20]) : value(&before, o, i);
					CHECK(!memcmp(value(&to, o, i), wanted, scree_kind_size(o->type)), "%s of row %d", o->name, i);
				}
			}
			scree_free(packed);
			scree_bodies_free(&from);
			scree_bodies_free(&to);
			scree_bodies_free(&before);
		}
	}
}

/* In each step, a ghost receives 13 numbers; in periodic worlds, it also receives its counts of periods, and the bound
 * on its displacement unless this is derived from poses. */
static void ghosts_take_few_bytes(void **state)
{
	(void)state;
	static const struct {
		const char *file, *set;
		size_t bytes;
	} rows[] = {{"scenes/settling_spheres.scene.yaml", NULL, 104},
				{"scenes/periodic_bricks.scene.yaml", NULL, 124},
				{"scenes/settling_spheres.scene.yaml", "run.response=implicit", 112}};
	for (size_t n = 0; n < sizeof rows / sizeof *rows; ++n) {
		scene at;
		fail why;
		char path[400], *report = NULL;
		snprintf(path, sizeof path, "%s/%s", SCREE_SOURCE, rows[n].file);
		CHECK(scree_scene_load(path, rows[n].set ? 1 : 0, &rows[n].set, &at, &report), "%s", report ? report : "");
		CHECK(scree_world_prepare(at.world, 0, at.world->model.dt, &why), "%s", why.text);
		const size_t bytes = scree_bodies_packed(&at.world->state.body, SHARE_STEP);
		CHECK(bytes == rows[n].bytes, "row %zu: %zu bytes, not %zu", n, bytes, rows[n].bytes);
		scree_scene_free(&at);
	}
}

/* bodies are added and removed in rows before ghosts: contacts with the ghosts are kept */
static void ghosts_make_room(void **state)
{
	(void)state;
	scree_world *w = lab_world(lab_linear(1e4, 0.5, 0.4));
	for (int k = 0; k < 6; ++k)
		lab_add_moving(w, 0, 0.01, v3(0.0099 * k, 0, 0), quat_one(), v3(0, 0.1 * k, 0), v3(0, 0, 0));
	lab_prepare(w, 1e-5);
	lab_steps(w, 20);
	real brought = scree_fixed_value(w->state.energy.brought);
	int64_t touching = w->work.touching;
	CHECK(touching == 5, "%lld contacts", (long long)touching);
	w->state.body.owned = 4; /* the last two rows are ghosts from here on */
	contact_key was[8], is;
	int n = 0;
	const pair_list *l = w->state.pair + PAIR_SPHERE_SPHERE;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row)
		was[n++] = scree_contact_key(&w->model, &w->state, PAIR_SPHERE_SPHERE, c.row);
	lab_add(w, 0, 0.01, v3(0, 0, 1));
	lab_add(w, 0, 0.01, v3(0, 0, 2));
	CHECK(w->state.body.owned == 6 && w->state.body.count == 8, "%d of %d rows", w->state.body.owned,
		  w->state.body.count);
	n = 0;
	for (contact_walk c = contact_first(l); contact_more(l, &c); ++c.row) {
		is = scree_contact_key(&w->model, &w->state, PAIR_SPHERE_SPHERE, c.row);
		CHECK(contact_key_order(&is, was + n) == 0, "contact %d is another one", n);
		++n;
	}
	/* removing a ghost does not change the ledger */
	int32_t last = 7;
	real had = scree_fixed_value(w->state.energy.brought);
	scree_world_remove(&w->model, &w->state, &w->work, 1, &last);
	CHECK(w->state.body.owned == 6 && w->state.body.count == 7 && had == scree_fixed_value(w->state.energy.brought),
		  "a ghost took energy");
	CHECK(had == brought, "bodies at rest without gravity brought %g J", had - brought);
	scree_world_free(w);
}

/* ------------------------------------------------------------------ numbers sent by other parts */

static void need_nothing(void *of) { scree_domain_need(of, false, "add", "there are no such bodies"); }

/* In a single process, guards report invalid numbers, and the message does not name another rank. */
static void one_part_blames_no_other(void **state)
{
	(void)state;
	domain_row divided = scree_domain_one;
	domain several = {.by = &divided}, alone = scree_domain_alone;
	fail why = {0};
	CHECK(scree_attempt(need_nothing, &alone, &why), "%s", why.text);
	CHECK(!scree_attempt(need_nothing, &several, &why) && why.code == FAIL_INTERNAL, "%d", why.code);
	CHECK(strstr(why.text, "phase add, are wrong: there are no such bodies"), "%s", why.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_packed_and_unpacked),
		cmocka_unit_test(ghosts_take_few_bytes),
		cmocka_unit_test(ghosts_make_room),
		cmocka_unit_test(parts_step_like_the_whole),
		cmocka_unit_test(notes_are_those_of_the_whole),
		cmocka_unit_test(guards_stop_all_parts),
		cmocka_unit_test(one_part_blames_no_other),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
