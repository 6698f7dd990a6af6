#include "report/notes.h"

#include "model/law.h"
#include "prepare/prepare.h"
#include "prepare/wall_defects.h"
#include "base/maths.h"
#include "world/world.h"

bool scree_notes_unsafe(const scree_world *w)
{
	return w->model.unsafe && !w->model.solver && w->model.safe_step > 0 &&
		   w->model.dt > (1 + (real)1e-9) * w->model.safe_step;
}

/* With long steps, bodies damped by many simultaneous contacts do not come to rest, and the integration produces energy
 * (docs/theory/motion.md, "Packings and damping"). */
static void note_step(FILE *to, const scree_world *w)
{
	if (scree_notes_unsafe(w))
		fprintf(to,
				"note: step %.3g s is longer than the %.3g s known to be safe, as run.step.unsafe allows: contacts may "
				"oscillate and gain energy (docs/theory/motion.md)\n",
				w->model.dt, w->model.safe_step);
}

static void note_halos(FILE *to, const scree_world *w)
{
	char text[640];
	if (scree_halo_defect(&w->model, &w->state, &w->work.domain, text, sizeof text)) fprintf(to, "warning: %s\n", text);
}

/* The closed form of liquid bridges is meant for volumes up to about a thousandth of R^3 (docs/theory/laws.md). */
static void note_bridges(FILE *to, const scree_world *w)
{
	static const real MOST = (real)2e-3;
	const model *m = &w->model;
	if (!(m->bridge_part > MOST)) return;
	scree_print(to,
				"warning: liquid bridges of %s + %s have %.2g of the cube of the smallest radius: the closed form of "
				"their force is meant for volumes up to 0.001 and is too strong beyond that, by a fifth at 0.1\n",
				m->material.row[m->bridged[0]].name, m->material.row[m->bridged[1]].name, m->bridge_part);
}

static void print_side(FILE *to, const wall *o, const wall_surface *l)
{
	int side = wall_surface_side(l);
	if (o->two_sided)
		fprintf(to, ", acts on both sides");
	else if (side)
		fprintf(to, ", acts %s", side > 0 ? "outwards" : "inwards");
	else if (v3_norm(l->normal) > (real)0.2)
		fprintf(to, ", acts along (%.3g, %.3g, %.3g)", l->normal.x, l->normal.y, l->normal.z);
}

static void print_edge(FILE *to, const char *what, const char *of, const wall_edge *e, int32_t count)
{
	if (!count) return;
	fprintf(to, ", %d %s%s%s (%sfrom (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m)", count, what, count > 1 ? "s" : "",
			of, count > 1 ? "the first " : "", e->from.x, e->from.y, e->from.z, e->to.x, e->to.y, e->to.z);
}

static void note_mesh(FILE *to, const scree_world *w, int32_t row)
{
	const wall *o = w->model.wall.row + row;
	wall_surface l = scree_wall_surface(&w->model.wall, row);
	vec3 size = v3_sub(l.high, l.low);
	fprintf(to, "wall %s: %d facets, %.4g x %.4g x %.4g m from (%.4g, %.4g, %.4g) m", o->name, l.facets, size.x, size.y,
			size.z, l.low.x, l.low.y, l.low.z);
	print_side(to, o, &l);
	if (l.closed) fprintf(to, ", closed");
	print_edge(to, "open edge", "", &l.first_open, l.open);
	print_edge(to, "edge", " shared by more than two facets", &l.first_crowded, l.crowded);
	fprintf(to, "\n");
	wall_defects all = scree_wall_defects(&w->model, &w->state, &w->work.domain, row);
	for (int k = 0; k < all.count; ++k)
		if (all.row[k].weight != DEFECT_ALLOWED) fprintf(to, "warning: walls.%s: %s\n", o->name, all.row[k].text);
}

static void note_meshes(FILE *to, const scree_world *w)
{
	for (int32_t k = 0; k < w->model.wall.count; ++k)
		if (w->model.wall.row[k].type == WALL_FACETS && w->model.wall.row[k].facets > 1) note_mesh(to, w, k);
}

static bool balls_touch(const shape_part *a, const shape_part *b)
{
	const vec3 way = v3_sub(a->at, b->at);
	const real reach = a->radius + b->radius;
	return v3_norm2(way) <= reach * reach;
}

/* number of balls of a clump that are connected to its first ball */
static int32_t joined_balls(const shape *s)
{
	int32_t *ball = scree_alloc((size_t)s->parts, sizeof *ball), joined = 1; /* connected balls come first */
	for (int32_t k = 0; k < s->parts; ++k) ball[k] = k;
	for (int32_t from = 0; from < joined; ++from)
		for (int32_t k = joined; k < s->parts; ++k) {
			if (!balls_touch(s->part + ball[from], s->part + ball[k])) continue;
			const int32_t next = ball[k];
			ball[k] = ball[joined];
			ball[joined++] = next;
		}
	scree_free(ball);
	return joined;
}

static const real HALF = (real)0.5;

static void note_clump(FILE *to, const shape *s)
{
	fprintf(to, "shape %s: %d spheres, volume %.6g\n", s->name, s->parts, s->volume);
	if (s->source.covered > 0 && s->source.covered < HALF)
		fprintf(to,
				"warning: shape %s: its spheres fill %.0f %% of the mesh, so its mass is too small: raise count or "
				"excess\n",
				s->name, 100 * s->source.covered);
	const int32_t joined = joined_balls(s);
	if (joined < s->parts)
		fprintf(to,
				"warning: shape %s: %d of its %d spheres are not connected to the first one: other bodies can pass "
				"between them\n",
				s->name, s->parts - joined, s->parts);
}

static void note_shape(FILE *to, const shape *s)
{
	if (s->type == SHAPE_COMPOUND)
		fprintf(to, "shape %s: %d triangles, %d convex parts, volume %.6g\n", s->name, s->mesh.triangles, s->parts,
				s->volume);
	if (s->type == SHAPE_SURFACE)
		fprintf(to, "shape %s: %d triangles, halo %g, volume %.6g\n", s->name, s->mesh.triangles, s->halo, s->volume);
	if (s->type == SHAPE_CLUMP) note_clump(to, s);
}

/* describes shapes that consist of parts or triangles; of a family of grains, only the first ones */
static void note_shapes(FILE *to, const scree_world *w)
{
	enum { SHOWN = 20 };
	int32_t found = 0;
	for (int32_t k = 0; k < w->model.shape.count; ++k) {
		const shape *s = w->model.shape.row + k;
		if (s->type != SHAPE_COMPOUND && s->type != SHAPE_SURFACE && s->type != SHAPE_CLUMP) continue;
		if (found++ < SHOWN) note_shape(to, s);
	}
	if (found > SHOWN) fprintf(to, "and %d further shapes of parts or triangles\n", found - SHOWN);
}

static void note_start(FILE *to, const scree_world *w)
{
	const start_look *s = &w->work.start;
	char other[64];
	if (!s->contacts) return;
	if (s->other)
		snprintf(other, sizeof other, "body %llu", (unsigned long long)s->other);
	else
		snprintf(other, sizeof other, "wall %s", w->model.wall.row[s->wall].name);
	fprintf(to,
			"warning: bodies overlap before the first step by up to %.3g %% of the smaller one (body %llu and %s; %lld "
			"such contacts)",
			100 * s->overlap, (unsigned long long)s->body, other, (long long)s->contacts);
	const real stored = scree_fixed_value(s->elastic);
	if (stored > 0)
		fprintf(to, ": contacts store %.3g J, which the run releases; these two separate at up to %.3g m/s", stored,
				s->speed);
	fprintf(to, "\n");
}

static void note_servos(FILE *to, const scree_world *w)
{
	for (int32_t k = 0; k < w->model.wall.count; ++k) {
		const wall *o = w->model.wall.row + k;
		if (o->motion.type == MOTION_TORQUE)
			scree_print(to, "servo %s: %.4g N m, moment of inertia %.3g kg m2, max_angular_velocity %.3g rad/s\n",
						o->name, o->motion.servo.force, o->servo.mass, o->servo.max_speed);
		if (o->motion.type != MOTION_SERVO) continue;
		scree_print(to, "servo %s: %.4g N, mass %.3g kg, max_speed %.3g m/s\n", o->name, o->motion.servo.force,
					o->servo.mass, o->servo.max_speed);
	}
}

void scree_notes_print_overlaps(FILE *to, const scree_world *w, real until)
{
	const expected_overlap o = scree_world_expected_overlap(&w->model, &w->state, &w->work.domain, until);
	if (!(o.part > DEEP_OVERLAP)) return;
	const material *row = w->model.material.row;
	scree_print(to, "warning: overlaps of up to about %.2g %% are expected: bodies of %s ", 100 * o.part,
				row[o.material[0]].name);
	if (o.force > 0)
		scree_print(to, "press on %s%s with up to about %.2g N", o.wall ? "walls of " : "", row[o.material[1]].name,
					o.force);
	else
		scree_print(to, "meet %s%s at up to about %.2g m/s", o.wall ? "walls of " : "", row[o.material[1]].name,
					o.speed);
	fprintf(to, ", and contact laws hold for overlaps of a few per cent; ");
	scree_stiffness_print(to, w, o.material, o.part, o.force > 0 ? STIFFNESS_OF_LOAD : STIFFNESS_OF_IMPACT);
	if (w->model.guard.overlap > 0 && o.part > w->model.guard.overlap)
		fprintf(to, "; run.guard.overlap stops the run at %.3g %%", 100 * w->model.guard.overlap);
	fprintf(to, "\n");
}

/* On one core, a step takes a microsecond or two for few bodies, and 0.1 us per body for many (docs/scaling.md). */
static const real STEP_SECONDS = (real)1e-6, BODY_SECONDS = (real)1e-7, LONG = 30 * (real)86400;
/* If the step is shorter than this fraction of the duration of a contact, damping is the reason for the short step.
 * Beyond this damping ratio, a pair is overdamped, and a lower ratio gives similar behaviour. */
static const real SHORT_PART = (real)1e-3, OVERDAMPED = 5;

/* finds the pair with the largest damping ratio; returns false if no law has a damping ratio */
static bool most_damped(const scree_world *w, int32_t pair[2], real *ratio)
{
	*ratio = 0;
	for (int32_t a = 0; a < w->model.material.count; ++a)
		for (int32_t b = a; b < w->model.material.count; ++b) {
			const law_constants *c = w->model.constants + a * w->model.material.count + b;
			if (scree_laws[c->law].viscous || !(c->damping > *ratio)) continue;
			*ratio = c->damping;
			pair[0] = a;
			pair[1] = b;
		}
	return *ratio > 0;
}

static void print_cause(FILE *to, const scree_world *w)
{
	int32_t pair[2] = {0};
	real ratio;
	if (w->model.solver || !(w->model.dt < SHORT_PART * w->model.contact_time)) return;
	if (!most_damped(w, pair, &ratio) || ratio < OVERDAMPED) return;
	scree_print(to,
				"warning: the step is 1/%.0f of a contact because %s + %s have restitution %.3g, a damping ratio of "
				"%.3g: restitution: 0.01 (ratio 4.8) is overdamped, too, and allows steps %.2g times as long\n",
				w->model.contact_time / w->model.dt, w->model.material.row[pair[0]].name,
				w->model.material.row[pair[1]].name,
				scree_materials_rule(&w->model.material, pair[0], pair[1])->restitution, ratio, ratio / (real)4.8);
}

static void note_length(FILE *to, const scree_world *w, real until)
{
	const real steps = (until - w->state.time) / w->model.dt;
	const real seconds = steps * real_max(STEP_SECONDS, BODY_SECONDS * (real)w->state.body.count);
	print_cause(to, w);
	if (!(seconds > LONG)) return;
	fprintf(
		to,
		"warning: %.3g steps of %.3g s, which take %.2g days or more on one core: lower run.until, or the stiffness\n",
		steps, w->model.dt, seconds / 86400);
}

void scree_notes_print(FILE *to, const scree_world *w, real until)
{
	static void (*const notes[])(FILE *, const scree_world *) = {note_start,
																 scree_notes_print_sources,
																 scree_notes_print_sinks,
																 note_servos,
																 scree_notes_print_backs,
																 note_step,
																 note_halos,
																 note_bridges,
																 note_shapes,
																 note_meshes};
	for (size_t k = 0; k < sizeof notes / sizeof *notes; ++k) notes[k](to, w);
	scree_notes_print_held(to, w, until);
	scree_notes_print_overlaps(to, w, until);
	note_length(to, w, until);
}

/* The key that stiffens contacts, and the power p: raising the key by f^p divides the overlap in an impact by f. */
typedef struct stiffness_key {
	const char *key;
	real power;
} stiffness_key;

static stiffness_key key_of(const scree_world *w, const int32_t material[2])
{
	const int32_t law = w->model.constants[material[0] * w->model.material.count + material[1]].law;
	if (law == LAW_LINEAR || law == LAW_PLASTIC) return (stiffness_key){"stiffness", 2};
	if (law == LAW_POWER) return (stiffness_key){"power.force", (real)2.5};
	/* the power for hertz, which also holds for spheres with the law overlap; faces need a smaller power */
	return (stiffness_key){"young", law == LAW_HERTZ || law == LAW_OVERLAP ? (real)2.5 : 2};
}

static const real SURELY = (real)0.03; /* margin: the factor suffices despite rounding and variations in impacts */

static void print_impact(FILE *to, real over, const stiffness_key *k, overlap_cause by)
{
	fprintf(to, " by a factor of %.2g", scree_pow(over, k->power));
	fprintf(to, ", or lower the impact speed by a factor of %.2g", scree_pow(over, k->power / 2));
	if (by == STIFFNESS_OF_BOTH) /* the power for a load is one less than the power for an impact */
		fprintf(to,
				"; where a load compresses them, only the ratio of pressure to stiffness matters, and changing either "
				"by a factor of %.2g is enough",
				scree_pow(over, k->power - 1));
}

void scree_stiffness_print(FILE *to, const scree_world *w, const int32_t material[2], real part, overlap_cause by)
{
	const real over = (1 + SURELY) * part / DEEP_OVERLAP;
	if (w->model.solver || w->model.hard) {
		fprintf(to, "set run.step to %.2g s to stay below %g %%", w->model.dt / over, 100 * DEEP_OVERLAP);
		return;
	}
	const stiffness_key k = key_of(w, material);
	scree_print(to, "to stay below %g %% raise %s of %s", 100 * DEEP_OVERLAP, k.key,
				w->model.material.row[material[0]].name);
	if (material[1] != material[0]) scree_print(to, " and %s", w->model.material.row[material[1]].name);
	if (by == STIFFNESS_OF_LOAD)
		fprintf(to, ", or lower the load, by a factor of %.2g", scree_pow(over, k.power - 1));
	else
		print_impact(to, over, &k, by);
}
