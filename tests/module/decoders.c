/* Messages of a faulty rank: their hashes are correct, but their contents are wrong. The receiving rank ends with an
 * error message that says what is wrong and which rank sent it; it never uses a wrong number as an index.
 */
#include "choices/choices.h"
#include "forged.h"
#include "forged_scenes.h"
#include "papers/iglberger2009/exchanges.h"
#include "state/state.h"
#include "test.h"

#include <string.h>

/* CHANGE_NEWS changes a member that follows an id */
typedef enum change { CHANGE_FIELD, CHANGE_NEWS, CHANGE_BYTES, CHANGE_TAG, CHANGE_CUT, CHANGE_TWICE } change;

/* A change to make to the first segment with this tag in each message of this phase. */
typedef struct wrong {
	message_phase phase;
	uint64_t tag, last; /* range of tags from `tag` to `last`; if `last` is 0, only `tag` */
	change kind;
	/* what to change in the first record: a member of `bodies`, as packed on the occasion `when`, or the bytes from
	 * offset `at` */
	share when;
	size_t at;
	real number;
	int64_t whole; /* used instead of `number` if that is zero */
	const char *words;
	size_t least;  /* minimum length of the segment in bytes; shorter ones are not changed */
	int64_t after; /* number of segments of this kind to leave unchanged before one is changed */
} wrong;

typedef struct forger {
	const wrong *of;
	int64_t seen, made;
} forger;

/* Finds the offset of a column in a packed row, by comparing two rows that differ only in this column. */
static size_t packed_at(const bodies *b, share when, size_t member)
{
	const size_t each = scree_bodies_packed(b, when);
	const int32_t row = 0;
	uint8_t one[512], two[512], *column = NULL;
	size_t at = 0;
	memcpy(&column, (const char *)b + member, sizeof column);
	scree_bodies_pack(b, when, 1, &row, one);
	for (int k = 0; k < 4; ++k) column[k] ^= 0xff;
	scree_bodies_pack(b, when, 1, &row, two);
	for (int k = 0; k < 4; ++k) column[k] ^= 0xff;
	while (at < each && one[at] == two[at]) ++at;
	return at;
}

static bool is_whole_field(size_t member)
{
	return member == offsetof(bodies, shape) || member == offsetof(bodies, material) ||
		   member == offsetof(bodies, flags) || member == offsetof(bodies, cell_x);
}

static void put(const wrong *o, uint8_t *to)
{
	const int32_t small = (int32_t)o->whole;
	if (o->kind == CHANGE_FIELD && is_whole_field(o->at))
		memcpy(to, &small, sizeof small);
	else if (o->number != 0)
		memcpy(to, &o->number, sizeof o->number);
	else
		memcpy(to, &o->whole, sizeof o->whole);
}

static void change_segment(const wrong *o, const scree_world *w, forged *m, int32_t k)
{
	uint8_t *bytes = m->segment[k].bytes;
	const size_t size = m->segment[k].size;
	switch (o->kind) {
	case CHANGE_FIELD:
		put(o, bytes + packed_at(&w->state.body, o->when, o->at));
		break;
	case CHANGE_NEWS:
		put(o, bytes + sizeof(uint64_t) + packed_at(&w->state.body, o->when, o->at));
		break;
	case CHANGE_BYTES:
		put(o, bytes + o->at);
		break;
	case CHANGE_TAG:
		m->segment[k].tag = (uint64_t)o->whole;
		break;
	case CHANGE_CUT:
		forged_resize(m, k, size - 1);
		break;
	case CHANGE_TWICE:
		forged_resize(m, k, 2 * size);
		memcpy(m->segment[k].bytes + size, m->segment[k].bytes, size);
		break;
	}
}

static void forge(void *what, const scree_world *w, forged *m)
{
	forger *o = what;
	const wrong *of = o->of;
	for (int32_t k = 0; k < m->segments && m->head.phase == of->phase; ++k) {
		const uint64_t tag = m->segment[k].tag;
		if (tag < of->tag || tag > (of->last ? of->last : of->tag) || m->segment[k].size <= of->least) continue;
		if (o->seen++ < of->after) return;
		change_segment(of, w, m, k);
		o->made += 1;
		return;
	}
}

static void check_refused(forged_run *run, const wrong *o)
{
	forger by = {.of = o};
	run->forge = forge;
	run->what = &by;
	CHECK(forged_ranks(run), "no threads");
	CHECK(by.made > 0, "'%s': no such message was sent (rank 0: '%s', rank 1: '%s')", o->words, run->why[0].text,
		  run->why[1].text);
	bool said = false;
	for (int32_t k = 0; k < run->ranks; ++k) said = said || strstr(run->why[k].text, o->words);
	CHECK(said, "'%s' is not in '%s' or '%s'", o->words, run->why[0].text, run->why[1].text);
	CHECK(run->why[1 - run->forger].code, "rank %d does not end", 1 - run->forger);
}

#define FIELD(phase, when, member, number, whole, words)                                                               \
	{                                                                                                                  \
		phase, SEGMENT_BODIES, 0, CHANGE_FIELD, when, offsetof(bodies, member), number, whole, words, 0, 0             \
	}
#define BYTES(phase, tag, last, at, number, whole, words)                                                              \
	{                                                                                                                  \
		phase, tag, last, CHANGE_BYTES, SHARE_STEP, at, number, whole, words, 0, 0                                     \
	}
#define SHAPE(phase, tag, kind, whole, words)                                                                          \
	{                                                                                                                  \
		phase, tag, 0, kind, SHARE_STEP, 0, 0, whole, words, 0, 0                                                      \
	}
#define LONGER(phase, tag, kind, at, number, whole, words, least)                                                      \
	{                                                                                                                  \
		phase, tag, 0, kind, SHARE_STEP, at, number, whole, words, least, 0                                            \
	}
#define NO_NUMBER ((real)NAN)
#define NO_MOTION "a velocity or another number of a body is not finite, phase update"

/* ------------------------------------------------------------------ bodies */

static void handed_bodies(void **state)
{
	(void)state;
	static const wrong of[] = {
		FIELD(PHASE_BODIES, SHARE_NEVER, shape, 0, 3, "a body has a shape that does not exist"),
		FIELD(PHASE_BODIES, SHARE_NEVER, shape, 0, -1, "a body has a shape that does not exist"),
		FIELD(PHASE_BODIES, SHARE_NEVER, material, 0, 2, "a body has a material that does not exist"),
		FIELD(PHASE_BODIES, SHARE_NEVER, flags, 0, 8, "a body has unknown flags"),
		FIELD(PHASE_BODIES, SHARE_NEVER, id, 0, 0, "a body has an id that was never given"),
		FIELD(PHASE_BODIES, SHARE_NEVER, id, 0, 1 << 20, "a body has an id that was never given"),
		FIELD(PHASE_BODIES, SHARE_NEVER, x, NO_NUMBER, 0, "a position or orientation is not finite"),
		FIELD(PHASE_BODIES, SHARE_NEVER, cell_x, 0, INT32_MIN, "a position or orientation is not finite"),
		FIELD(PHASE_BODIES, SHARE_NEVER, x, -1, 0, "a body belongs to another rank"),
		FIELD(PHASE_BODIES, SHARE_NEVER, vx, NO_NUMBER, 0, "a number of a body is not finite"),
		FIELD(PHASE_BODIES, SHARE_NEVER, mass, INFINITY, 0, "a number of a body is not finite"),
		FIELD(PHASE_BODIES, SHARE_NEVER, mass, -1, 0, "a size, mass or orientation of a body is invalid"),
		FIELD(PHASE_BODIES, SHARE_NEVER, radius, -1, 0, "a size, mass or orientation of a body is invalid"),
		FIELD(PHASE_BODIES, SHARE_NEVER, qw, 3, 0, "a size, mass or orientation of a body is invalid"),
		SHAPE(PHASE_BODIES, SEGMENT_BODIES, CHANGE_CUT, 0, "they end in the middle of a body"),
		SHAPE(PHASE_BODIES, SEGMENT_BODIES, CHANGE_TWICE, 0, "has arrived from two ranks"),
		SHAPE(PHASE_BODIES, SEGMENT_BODIES, CHANGE_TAG, 7, "unknown kind of contacts"),
	};
	for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
		forged_run run = {.scene = FORGED_SHAPES, .ranks = 2, .by = &scree_partition_grid, .handed = true, .steps = 1};
		check_refused(&run, of + k);
	}
}

static void copies(void **state)
{
	(void)state;
	static const wrong of[] = {
		FIELD(PHASE_COPIES, SHARE_BIRTH, shape, 0, 1000, "a body has a shape that does not exist"),
		FIELD(PHASE_COPIES, SHARE_BIRTH, z, INFINITY, 0, "a position or orientation is not finite"),
		FIELD(PHASE_COPIES, SHARE_BIRTH, wy, NO_NUMBER, 0, "a number of a body is not finite"),
		FIELD(PHASE_COPIES, SHARE_BIRTH, margin, -1, 0, "a size, mass or orientation of a body is invalid"),
		SHAPE(PHASE_COPIES, SEGMENT_BODIES, CHANGE_CUT, 0, "has wrong bodies"),
		SHAPE(PHASE_COPIES, SEGMENT_BODIES, CHANGE_TAG, 9, "has wrong bodies"),
		FIELD(PHASE_UPDATE, SHARE_STEP, y, NO_NUMBER, 0, "a position or orientation is not finite"),
		FIELD(PHASE_UPDATE, SHARE_STEP, qz, INFINITY, 0, "a position or orientation is not finite"),
		SHAPE(PHASE_UPDATE, SEGMENT_BODIES, CHANGE_CUT, 0, "has wrong bodies"),
		SHAPE(PHASE_UPDATE, SEGMENT_BODIES, CHANGE_TWICE, 0, "updates from rank"),
	};
	for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
		forged_run run = {.scene = FORGED_SHAPES, .ranks = 2, .by = &scree_partition_grid, .steps = 3};
		check_refused(&run, of + k);
	}
}

/* Updates in steps without a search, and the update after the last step, before files are
 * written. */
static void updates(void **state)
{
	(void)state;
	static const wrong of[] = {
		FIELD(PHASE_UPDATE, SHARE_STEP, x, NO_NUMBER, 0, "a position or orientation is not finite, phase update"),
		FIELD(PHASE_UPDATE, SHARE_STEP, qw, INFINITY, 0, "a position or orientation is not finite, phase update"),
		FIELD(PHASE_UPDATE, SHARE_STEP, vx, NO_NUMBER, 0, NO_MOTION),
		FIELD(PHASE_UPDATE, SHARE_STEP, vz, INFINITY, 0, NO_MOTION),
		FIELD(PHASE_UPDATE, SHARE_STEP, wx, -INFINITY, 0, NO_MOTION),
		FIELD(PHASE_UPDATE, SHARE_STEP, wz, NO_NUMBER, 0, NO_MOTION),
	};
	static const wrong ahead[] = {
		FIELD(PHASE_UPDATE, SHARE_AHEAD, vy, NO_NUMBER, 0, NO_MOTION),
		FIELD(PHASE_UPDATE, SHARE_AHEAD, hx, INFINITY, 0, NO_MOTION),
		FIELD(PHASE_UPDATE, SHARE_AHEAD, kz, NO_NUMBER, 0, NO_MOTION),
	};
	for (size_t k = 0; k < 2 * (sizeof of / sizeof *of); ++k) {
		forged_run run = {.scene = FORGED_SHAPES, .ranks = 2, .by = &scree_partition_grid, .calm = k % 2, .steps = 3};
		check_refused(&run, of + k / 2);
	}
	for (size_t k = 0; k < sizeof ahead / sizeof *ahead; ++k) {
		forged_run run = {.scene = FORGED_IMPLICIT, .ranks = 2, .by = &scree_partition_grid, .calm = true, .steps = 3};
		check_refused(&run, ahead + k);
	}
}

/* The velocity of a body on the sending rank becomes NaN after the drift of this step, as in a diverging run. */
static void explode(void *what, const scree_world *w, forged *m)
{
	const bool copies = m->head.phase == PHASE_UPDATE || m->head.phase == PHASE_COPIES;
	if (!w || !copies || m->head.step != *(const int64_t *)what) return;
	w->state.body.hx[0] = (real)NAN;
}

/* The guard on the owner's rank must then end the run on all ranks, before a rank that receives the body ends it. In
 * steps that read energies, the velocity is sent before the guards are tested. */
static void explosions_are_reported_by_guards(void **state)
{
	(void)state;
	const int64_t at[] = {3, ENERGY_STEPS - 1};
	for (size_t k = 0; k < sizeof at / sizeof *at; ++k) {
		int64_t step = at[k];
		forged_run run = {.scene = FORGED_SHAPES, .ranks = 2, .by = &scree_partition_grid, .calm = true};
		run.steps = (int)step + 2;
		run.forge = explode;
		run.what = &step;
		CHECK(forged_ranks(&run), "no threads");
		for (int rank = 0; rank < 2; ++rank) {
			CHECK(run.why[rank].code == FAIL_GUARD, "step %d, rank %d: '%s'", (int)step, rank, run.why[rank].text);
			CHECK(!strstr(run.why[rank].text, "a message from"), "%s", run.why[rank].text);
		}
		CHECK(strstr(run.why[0].text, "is no longer a number"), "%s", run.why[0].text);
	}
}

/* ------------------------------------------------------------------ sums */

static void sums_of_ranks(void **state)
{
	(void)state;
	enum { IS_SUM = offsetof(joint_term, is_sum), BEYOND = offsetof(joint_term, beyond) };
	static const wrong of[] = {
		SHAPE(PHASE_ADD, PHASE_ADD, CHANGE_CUT, 0, "has another number of terms, phase add"),
		SHAPE(PHASE_ADD, PHASE_ADD, CHANGE_TWICE, 0, "has another number of terms, phase add"),
		SHAPE(PHASE_ADD, PHASE_ADD, CHANGE_TAG, 99, "has another number of terms, phase add"),
		LONGER(PHASE_ADD, PHASE_ADD, CHANGE_BYTES, IS_SUM, 0, 5,
			   "has terms that cannot be joined with those of this rank, phase add", sizeof(fixed)),
		LONGER(PHASE_ADD, PHASE_ADD, CHANGE_BYTES, BEYOND, 0, 1,
			   "has terms that cannot be joined with those of this rank, phase add", sizeof(fixed)),
		BYTES(PHASE_ADD, PHASE_ADD, 0, BEYOND, 0, 1, "phase add, are wrong: impossible count over all ranks"),
		SHAPE(PHASE_GREATEST, PHASE_GREATEST, CHANGE_CUT, 0, "has another number of terms, phase greatest"),
		LONGER(PHASE_GREATEST, PHASE_GREATEST, CHANGE_BYTES, 8, INFINITY, 0,
			   "phase greatest, are wrong: impossible diameters", 2 * sizeof(real)),
	};
	static const wrong of_all[] = {
		LONGER(PHASE_ADD, PHASE_ADD, CHANGE_BYTES, 0, -1e300, 0,
			   "has terms that cannot be joined with those of this rank, phase add", sizeof(fixed)),
		BYTES(PHASE_GREATEST, PHASE_GREATEST, 0, 0, -INFINITY, 0,
			  "has terms that cannot be joined with those of this rank, phase greatest"),
	};
	for (size_t k = 0; k < 2 * (sizeof of / sizeof *of); ++k) {
		forged_run run = {.scene = FORGED_SHAPES, .ranks = 2, .by = &scree_partition_grid, .steps = 3};
		run.sums = true;
		run.forger = k % 2; /* the first rank sends the sums over all ranks, and the other one only its own sums */
		check_refused(&run, of + k / 2);
	}
	for (size_t k = 0; k < sizeof of_all / sizeof *of_all; ++k) {
		forged_run run = {.scene = FORGED_SHAPES, .ranks = 2, .by = &scree_partition_grid, .steps = 3};
		run.sums = true;
		check_refused(&run, of_all + k);
	}
}

/* ------------------------------------------------------------------ contacts */

#define KEY(member) offsetof(contact_key, member)
enum {
	TWO_BODIES = SEGMENT_CONTACTS + PAIR_SPHERE_SPHERE,
	ANY_CONTACTS = SEGMENT_CONTACTS + PAIR_KINDS - 1,
	BALL_ON_WALL = SEGMENT_CONTACTS + PAIR_SPHERE_WALL
};

static void contacts(void **state)
{
	(void)state;
	static const wrong of[] = {
		BYTES(PHASE_BODIES, BALL_ON_WALL, 0, KEY(b), 0, 99, "a contact refers to a wall that does not exist"),
		BYTES(PHASE_BODIES, BALL_ON_WALL, 0, KEY(b), 0, -1, "a contact refers to a wall that does not exist"),
		BYTES(PHASE_BODIES, BALL_ON_WALL, 0, KEY(feature), 0, 7777,
			  "a contact refers to a surface that does not exist"),
		BYTES(PHASE_BODIES, SEGMENT_CONTACTS, ANY_CONTACTS, KEY(a), 0, 0, "a contact has an id that was never given"),
		BYTES(PHASE_BODIES, SEGMENT_CONTACTS, ANY_CONTACTS, KEY(image), 0, 1, "an image that does not exist"),
		BYTES(PHASE_BODIES, SEGMENT_CONTACTS, ANY_CONTACTS, sizeof(contact_key), NO_NUMBER, 0,
			  "the history of a contact is not finite"),
		SHAPE(PHASE_BODIES, TWO_BODIES, CHANGE_CUT, 0, "they end in the middle of a contact"),
		SHAPE(PHASE_BODIES, TWO_BODIES, CHANGE_TAG, 1 << 20, "unknown kind of contacts"),
	};
	for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
		forged_run run = {.scene = FORGED_SHAPES, .ranks = 2, .by = &scree_partition_rcb, .handed = true, .steps = 60};
		check_refused(&run, of + k);
	}
}

/* ------------------------------------------------------------------ solvers */

enum { MASS = 6, LEAST_VALUES = 80 }; /* column of values; minimum length in bytes */
#define NO_SUCH_MASS "phase values, are wrong: a body has a wrong mass or moment of inertia"
#define NO_VELOCITY	 "has wrong values: a velocity or another number of a body is not finite, phase values, step "

static void solvers(void **state)
{
	(void)state;
	static const wrong of[] = {
		SHAPE(PHASE_VALUES, SEGMENT_VALUES, CHANGE_CUT, 0, "bytes of values for"),
		SHAPE(PHASE_VALUES, SEGMENT_VALUES, CHANGE_TAG, 55, "bytes of values for"),
		SHAPE(PHASE_RECORDS, SEGMENT_RECORDS, CHANGE_CUT, 0, "has wrong records"),
		SHAPE(PHASE_RECORDS, SEGMENT_RECORDS, CHANGE_TAG, 55, "has wrong records"),
		BYTES(PHASE_RECORDS, SEGMENT_RECORDS, 0, 0, 0, 77,
			  "has wrong records: a contact is not between bodies of this rank and another rank, phase records"),
		BYTES(PHASE_VALUES, SEGMENT_VALUES, 0, MASS * 8, 1, 0, NO_SUCH_MASS),
		BYTES(PHASE_VALUES, SEGMENT_VALUES, 0, MASS * 8, -1, 0, NO_SUCH_MASS),
		BYTES(PHASE_VALUES, SEGMENT_VALUES, 0, (MASS + 1) * 8, -1, 0, NO_SUCH_MASS),
	};
	for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
		forged_run run = {.scene = FORGED_IMPLICIT, .ranks = 2, .by = &scree_partition_grid, .steps = 5};
		check_refused(&run, of + k);
	}
}

/* Invalid velocities from a solver, at the start of a step and after later colours. */
static void velocities_of_solvers(void **state)
{
	(void)state;
	static const char *const scene[] = {FORGED_IMPLICIT, FORGED_HARD, FORGED_ELASTIC};
	static const real none[] = {NO_NUMBER, INFINITY, -INFINITY};
	for (size_t k = 0; k < 9; ++k)
		for (int64_t after = 0; after < 18; after += 4) { /* elastic steps send four of these segments */
			if (!test_drawn((int64_t)k + after)) continue;
			forged_run run = {.scene = scene[k / 3], .ranks = 2, .by = &scree_partition_grid, .steps = 5};
			/* segments of 8 bytes per body are the colours of contacts, not velocities */
			wrong o = LONGER(PHASE_VALUES, SEGMENT_VALUES, CHANGE_BYTES, 0, none[k % 3], 0, NO_VELOCITY, LEAST_VALUES);
			o.after = after;
			check_refused(&run, &o);
		}
}

/* A run whose velocities become NaN in a step with a solver is ended by a guard, rather than reported as a damaged
 * message. */
static void explosions_in_solvers(void **state)
{
	(void)state;
	static const char *const scene[] = {FORGED_IMPLICIT, FORGED_HARD_BALLS};
	for (int k = 0; k < 2; ++k) {
		int64_t step = 3;
		forged_run run = {.scene = scene[k], .ranks = 2, .by = &scree_partition_grid, .calm = true, .steps = 6};
		run.forge = explode;
		run.what = &step;
		CHECK(forged_ranks(&run), "no threads");
		for (int rank = 0; rank < 2; ++rank) {
			CHECK(run.why[rank].code == FAIL_GUARD, "%d, rank %d: '%s'", k, rank, run.why[rank].text);
			CHECK(!strstr(run.why[rank].text, "a message from"), "%s", run.why[rank].text);
		}
	}
}

#if SCREE_PAPERS
/* bodies on both sides of the border between two parts */
#define FORGED_CROSSING                                                                                                \
	FORGED_HEAD                                                                                                        \
	"fill: [{region: {box: {min: [-11 mm, -5.6 mm, 0], max: [11 mm, 5.6 mm, 11 mm]}}, lattice: {spacing: 5.4 mm},\n"   \
	"  material: glass, velocity: [2 m/s, 0.1 m/s, 0], shape: ball, size: 5 mm}]\n"                                    \
	"run: {until: 1 s, response: ffd/pe, step: 50 us, guard: {overlap: 0}}\n"

/* The messages of ffd/pe, with its own rule for exchanges and with scree's rule. */
static void messages_of_pe(void **state)
{
	(void)state;
	enum {
		KEY_AT = offsetof(ffd_result, key),
		VELOCITY = offsetof(ffd_result, velocity),
		HOLDS = offsetof(holding, rank)
	};
	enum { FROM = sizeof(uint64_t), CONTACT = 2 * sizeof(uint64_t) }; /* offsets in a constraint */
	static const wrong of[] = {
		{PHASE_UPDATE, SEGMENT_UPDATE, 0, CHANGE_NEWS, SHARE_STEP, offsetof(bodies, vx), NO_NUMBER, 0, NO_MOTION, 0, 0},
		{PHASE_UPDATE, SEGMENT_UPDATE, 0, CHANGE_NEWS, SHARE_STEP, offsetof(bodies, wz), INFINITY, 0, NO_MOTION, 0, 3},
		{PHASE_UPDATE, SEGMENT_UPDATE, 0, CHANGE_NEWS, SHARE_STEP, offsetof(bodies, y), NO_NUMBER, 0,
		 "a position or orientation is not finite, phase update", 0, 0},
		{PHASE_UPDATE, SEGMENT_FIRST, 0, CHANGE_FIELD, SHARE_BIRTH, offsetof(bodies, vy), NO_NUMBER, 0,
		 "has wrong bodies: a number of a body is not finite, phase update", 0, 0},
		BYTES(PHASE_UPDATE, SEGMENT_UPDATE, 0, 0, 0, 1 << 20,
			  "a body is not among the copies of this rank, phase update"),
		SHAPE(PHASE_UPDATE, SEGMENT_UPDATE, CHANGE_CUT, 0, "they end in the middle of a body, phase update"),
		SHAPE(PHASE_UPDATE, SEGMENT_UPDATE, CHANGE_TAG, 99, "unknown kind of news about bodies, phase update"),
		BYTES(PHASE_UPDATE, SEGMENT_HANDED, 0, 8, NO_NUMBER, 0, NO_MOTION),
		BYTES(PHASE_UPDATE, SEGMENT_HOLDER, 0, HOLDS, 0, 77, "a rank that holds a copy does not exist, phase update"),
		BYTES(PHASE_CONSTRAINTS, SEGMENT_RECORDS, 0, 0, 0, 1 << 20, "this rank does not own a body, phase constraints"),
		BYTES(PHASE_CONSTRAINTS, SEGMENT_RECORDS, 0, FROM, 0, 77, "does not belong to its sender, phase constraints"),
		BYTES(PHASE_CONSTRAINTS, SEGMENT_RECORDS, 0, CONTACT + offsetof(ffd_contact, normal), NO_NUMBER, 0,
			  "a value of a contact is not finite, phase constraints"),
		BYTES(PHASE_CONSTRAINTS, SEGMENT_RECORDS, 0, CONTACT + offsetof(ffd_contact, normal), 3, 0,
			  "a normal is not a unit vector, phase constraints"),
		BYTES(PHASE_CONSTRAINTS, SEGMENT_RECORDS, 0, CONTACT + offsetof(ffd_contact, friction), -1, 0,
			  "a coefficient of a contact is negative, phase constraints"),
		BYTES(PHASE_RECORDS, SEGMENT_RECORDS, 0, VELOCITY, NO_NUMBER, 0, "a velocity is not finite, phase records"),
		BYTES(PHASE_RECORDS, SEGMENT_RECORDS, 0, KEY_AT, 0, 77, "a contact is unknown on this rank, phase records"),
	};
	enum { RESULTS = 2, CASES = sizeof of / sizeof *of };
	for (size_t k = 0; k < CASES + RESULTS; ++k) {
		forged_run run = {.scene = FORGED_PE, .ranks = 2, .by = &scree_partition_grid, .calm = true, .steps = 200};
		const wrong *o = of + (k < CASES ? k : k - RESULTS);
		run.rule = k < CASES ? scree_response_find("ffd/pe")->exchanges : NULL;
		if (o->tag == SEGMENT_HANDED || o->tag == SEGMENT_HOLDER) run.scene = FORGED_CROSSING;
		/* the points of contacts across the border are in this rank's part */
		run.forger = o->phase == PHASE_CONSTRAINTS;
		check_refused(&run, o);
	}
}
#endif

/* ------------------------------------------------------------------ files */

/* Tests rows of slices, then rows of the whole world. */
static void rows_for_files(void **state)
{
	(void)state;
	enum { LEAST_BYTES = 1500 }; /* minimum length of the segment in bytes; other segments are shorter */
	static const wrong of[] = {
		{PHASE_GATHER, SEGMENT_RECORDS, 0, CHANGE_FIELD, SHARE_NEVER, offsetof(bodies, shape), 0, 1000,
		 "rank 0: another rank has sent wrong rows: a body has a shape that does not exist", 0, 0},
		{PHASE_GATHER, SEGMENT_RECORDS, 0, CHANGE_FIELD, SHARE_NEVER, offsetof(bodies, id), 0, 0,
		 "rank 0: another rank has sent wrong rows: a body has an id that was never given", 0, 0},
		LONGER(PHASE_GATHER, SEGMENT_RECORDS, CHANGE_CUT, 0, 0, 0, "has wrong records", 0),
		LONGER(PHASE_GATHER, SEGMENT_RECORDS, CHANGE_TWICE, 0, 0, 0,
			   "their number of bodies differs from the count of all ranks", 0),
		{PHASE_GATHER, SEGMENT_BODIES, 0, CHANGE_FIELD, SHARE_NEVER, offsetof(bodies, material), 0, -7,
		 "rank 0: a message from rank 1 has wrong bodies or contacts: a body has a material that does not exist",
		 LEAST_BYTES, 0},
		LONGER(PHASE_GATHER, SEGMENT_BODIES, CHANGE_TWICE, 0, 0, 0, "their number differs from its count", LEAST_BYTES),
		LONGER(PHASE_GATHER, TWO_BODIES, CHANGE_BYTES, KEY(a), 0, 0, "a contact has an id that was never given", 0),
		LONGER(PHASE_GATHER, TWO_BODIES, CHANGE_TAG, 0, 0, 1 << 20, "unknown kind of contacts", 0),
		LONGER(PHASE_GATHER, TWO_BODIES, CHANGE_CUT, 0, 0, 0, "they end in the middle of a contact", 0),
	};
	for (size_t k = 0; k < sizeof of / sizeof *of; ++k) {
		forged_run run = {.scene = FORGED_SHAPES, .ranks = 2, .by = &scree_partition_grid, .steps = 3, .forger = 1};
		check_refused(&run, of + k);
	}
}

/* ------------------------------------------------------------------ plans, large bodies, files */

static void planes_and_large_bodies(void **state)
{
	(void)state;
	static const wrong planes[] = {
		BYTES(PHASE_GATHER, 0, 0, offsetof(cut_plane, axis), 0, 5, "the planes from rank 0 do not divide"),
		BYTES(PHASE_GATHER, 0, 0, offsetof(cut_plane, at), NO_NUMBER, 0, "the planes from rank 0 do not divide"),
	};
	enum { LEAST_BYTES = 400 }; /* minimum length of the segment in bytes; other segments have one row per rank */
	static const wrong points[] = {
		LONGER(PHASE_GATHER, 1, CHANGE_BYTES, offsetof(weighted_point, work), -1, 0,
			   "has received an invalid point from another rank", LEAST_BYTES),
		LONGER(PHASE_GATHER, 1, CHANGE_CUT, 0, 0, 0, "the points from rank 1 end in the middle of a point",
			   LEAST_BYTES),
		LONGER(PHASE_GATHER, 1, CHANGE_TAG, 0, 0, 77, "has rows of rank 77, but there are only 2 ranks", LEAST_BYTES),
	};
	static const wrong large[] = {
		LONGER(PHASE_GATHER, 0, CHANGE_BYTES, 32, 0, 12, "has sent an invalid large body of rank 12 of 2", 39),
		LONGER(PHASE_GATHER, 0, CHANGE_BYTES, 24, NO_NUMBER, 0, "has sent an invalid large body", 39),
	};
	for (size_t k = 0; k < sizeof planes / sizeof *planes; ++k) {
		forged_run run = {.scene = FORGED_SHAPES, .ranks = 2, .by = &scree_partition_rcb, .handed = true, .steps = 1};
		check_refused(&run, planes + k);
	}
	for (size_t k = 0; k < sizeof points / sizeof *points; ++k) {
		forged_run run = {.scene = FORGED_SHAPES, .ranks = 2, .by = &scree_partition_rcb, .handed = true, .steps = 30};
		run.forger = 1;
		check_refused(&run, points + k);
	}
	for (size_t k = 0; k < sizeof large / sizeof *large; ++k) {
		forged_run run = {.scene = FORGED_GIANT, .ranks = 2, .by = &scree_partition_grid, .steps = 2};
		check_refused(&run, large + k);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(handed_bodies),
		cmocka_unit_test(copies),
		cmocka_unit_test(contacts),
		cmocka_unit_test(updates),
		cmocka_unit_test(explosions_are_reported_by_guards),
		cmocka_unit_test(sums_of_ranks),
		cmocka_unit_test(solvers),
		cmocka_unit_test(velocities_of_solvers),
		cmocka_unit_test(explosions_in_solvers),
#if SCREE_PAPERS
		cmocka_unit_test(messages_of_pe),
#endif
		cmocka_unit_test(rows_for_files),
		cmocka_unit_test(planes_and_large_bodies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
