#include "solver/ball_rows.h"

#include "base/lanes.h"
#include "base/memory.h"
#include "model/law.h"
#include "solver/constraints.h"
#include "state/contact_rows.h"
#include "state/pair_kinds.h"

#include <stddef.h>

static const real MOST_QUANTA = 0x1p50; /* limit for one contact, so that sums remain exact integers */

bool scree_ball_row_holds(const solving *v, const contact_ref *o)
{
	if (!scree_pair_kinds[o->kind].formula && o->kind != PAIR_SPHERE_WALL) return false;
	if (scree_constraint_bonded(v, o)) return false;
	const int32_t yields = scree_yielding_wall(v, o->kind, o->row);
	if (yields >= 0 && motion_is_turned(v->m->wall.row[yields].motion.type)) return false;
	const law_constants *c = scree_constraint_constants(v, o);
	if (c->rolling > 0 || c->twisting > 0 || c->cohesion != COHESION_NONE) return false;
	return v->m->hard || scree_laws[c->law].of_spheres != LAW_POWER;
}

/* ------------------------------------------------------------------ tiles */

static void room(ball_rows *o, const struct constraints *c)
{
	const int64_t tiles = c->count / BALL_LANES + 4 * (c->colours.colours + 1);
	if (o->capacity < tiles) {
		o->capacity = tiles + tiles / 4;
		o->tile = scree_renew(o->tile, (size_t)o->capacity, sizeof *o->tile);
	}
	if (o->other_capacity < c->fulls) {
		o->other_capacity = c->fulls + c->fulls / 4;
		o->other = scree_renew(o->other, (size_t)o->other_capacity, sizeof *o->other);
	}
}

static void copy_row(ball_tile *to, int k, const ball_tile *from, int i)
{
#define COPY(name) to->name[k] = from->name[i];
	BALL_COLUMNS(COPY)
	COPY(curved)
#undef COPY
}

static void place(ball_rows *o, contact_ref *c, bool kept, bool begins, bool uncounted)
{
	if (begins || o->tile[o->tiles - 1].count == BALL_LANES) o->tile[o->tiles++].count = 0;
	ball_tile *to = o->tile + o->tiles - 1;
	to->uncounted = uncounted;
	const int k = to->count++;
	if (kept) copy_row(to, k, o->spare + c->at / BALL_LANES, c->at % BALL_LANES);
	to->a[k] = c->a, to->b[k] = c->b;
	c->at = (int32_t)((o->tiles - 1) * BALL_LANES + k);
}

static void swap_tiles(ball_rows *o)
{
	ball_tile *const tile = o->tile;
	const int64_t capacity = o->capacity;
	o->tile = o->spare, o->capacity = o->spares;
	o->spare = tile, o->spares = capacity;
}

static bool is_counted(const solving *v, const contact_ref *o) { return scree_contact_counted(v->s, o->kind, o->row); }

static bool yields(const solving *v, const contact_ref *o) { return scree_yielding_wall(v, o->kind, o->row) >= 0; }

/* Places the contacts of a colour in tiles: either those with walls that yield, or all others. uncounted: whether to
 * place the contacts whose impulses another part of the world adds up, or those that this part counts. */
static void place_balls(solving *v, int32_t colour, int64_t had, bool uncounted, bool walls)
{
	struct constraints *c = v->of;
	const colouring *q = &c->colours;
	const int64_t end = colour < q->colours ? q->first[colour + 1] : q->all.count, first = c->balls.tiles;
	for (int64_t k = q->first[colour]; k < end; ++k) {
		const int64_t at = q->all.item[k].row;
		if (c->ref[at].full < 0 && is_counted(v, c->ref + at) != uncounted && yields(v, c->ref + at) == walls)
			place(&c->balls, c->ref + at, at < had, c->balls.tiles == first, uncounted);
	}
}

static void place_others(const solving *v, int32_t colour, bool walls)
{
	struct constraints *c = v->of;
	const colouring *q = &c->colours;
	const int64_t end = colour < q->colours ? q->first[colour + 1] : q->all.count;
	for (int64_t k = q->first[colour]; k < end; ++k) {
		const int32_t full = c->ref[q->all.item[k].row].full;
		if (full >= 0 && yields(v, &c->row[full].ref) == walls) c->balls.other[c->balls.others++] = full;
	}
}

void scree_ball_rows_place(solving *v, int64_t had)
{
	struct constraints *c = v->of;
	ball_rows *o = &c->balls;
	if (had > 0) swap_tiles(o);
	room(o, c);
	o->tiles = o->others = 0;
	for (int32_t colour = 0; colour <= c->colours.colours; ++colour) {
		o->first[colour] = o->tiles, o->rest[colour] = o->others;
		for (int walls = 0; walls <= c->yields; ++walls) {
			place_balls(v, colour, had, false, walls);
			if (v->s->body.owned < v->s->body.count) place_balls(v, colour, had, true, walls);
			place_others(v, colour, walls);
			if (!walls) o->wall_tile[colour] = o->tiles, o->wall_rest[colour] = o->others;
		}
	}
}

/* ------------------------------------------------------------------ bodies of a tile */

/* numbers of a body: velocity, angular velocity, inverse mass, and inverse inertia of a ball */
enum { VELOCITY = 0, SPIN = 3, MASS = 6, INERTIA = 7, NUMBERS };
_Static_assert(offsetof(impulse_body, inv_mass) == MASS * sizeof(real) &&
				   offsetof(impulse_body, inv_x) == INERTIA * sizeof(real),
			   "a tile copies the first numbers of a body");

typedef struct tile_bodies {
	_Alignas(64) real of[NUMBERS][BALL_LANES];
} tile_bodies;

SCREE_FN void load_bodies(tile_bodies *to, const impulse_body *body, const int32_t *of, int from, int end)
{
#ifdef SCREE_LANES
	if (end - from == SCREE_LANES) {
		lanes r[SCREE_LANES];
		for (int k = 0; k < SCREE_LANES; ++k) r[k] = *(const lanes *)(body + of[k]);
		lanes_transpose(r);
		for (int c = 0; c < NUMBERS; ++c) *(lanes *)to->of[c] = r[c];
		return;
	}
#endif
	for (int k = from; k < end; ++k)
		for (int c = 0; c < NUMBERS; ++c) to->of[c][k] = (&body[of[k]].velocity.x)[c];
}

/* A partner that does not move is not written back, since several contacts of a colour may share it. */
SCREE_FN void store_bodies(const tile_bodies *from, impulse_body *body, const int32_t *of, int first, int end)
{
#ifdef SCREE_LANES
	if (end - first == SCREE_LANES) {
		lanes r[SCREE_LANES];
		for (int c = 0; c < NUMBERS; ++c) r[c] = *(const lanes *)from->of[c];
		lanes_transpose(r);
		for (int k = 0; k < SCREE_LANES; ++k)
			if (from->of[MASS][k] > 0) *(lanes *)(body + of[k]) = r[k];
		return;
	}
#endif
	for (int k = first; k < end; ++k)
		for (int c = 0; c < MASS && from->of[MASS][k] > 0; ++c) (&body[of[k]].velocity.x)[c] = from->of[c][k];
}

/* Adds the impulse with components n and g to both bodies of lane k; g is perpendicular to the normal n. */
SCREE_FN void push_lane(tile_bodies *a, tile_bodies *b, const ball_tile *t, int k, real by, real gx, real gy, real gz)
{
	const real x = t->nx[k], y = t->ny[k], z = t->nz[k];
	const real fx = by * x + gx, fy = by * y + gy, fz = by * z + gz;
	const real wx = y * gz - z * gy, wy = z * gx - x * gz, wz = x * gy - y * gx;
	const real ma = a->of[MASS][k], mb = b->of[MASS][k];
	const real ia = t->arm_a[k] * a->of[INERTIA][k], ib = t->arm_b[k] * b->of[INERTIA][k];
	a->of[0][k] += ma * fx, a->of[1][k] += ma * fy, a->of[2][k] += ma * fz;
	a->of[3][k] -= ia * wx, a->of[4][k] -= ia * wy, a->of[5][k] -= ia * wz;
	b->of[0][k] -= mb * fx, b->of[1][k] -= mb * fy, b->of[2][k] -= mb * fz;
	b->of[3][k] -= ib * wx, b->of[4][k] -= ib * wy, b->of[5][k] -= ib * wz;
}

/* Prefetches for a range that ends at `to`: one tile well ahead of i, and the bodies of a tile in between. */
SCREE_FN void fetch_later(const solving *v, int64_t i, int64_t to)
{
	enum { NEAR = 4, FAR = 8 };
	const ball_tile *const t = v->of->balls.tile + i;
	if (i + FAR < to) fetch_tile(t + FAR);
	if (i + NEAR < to)
		for (int k = 0; k < BALL_LANES; ++k) {
			__builtin_prefetch(v->of->body + t[NEAR].a[k], 1);
			__builtin_prefetch(v->of->body + t[NEAR].b[k], 1);
		}
}

/* ------------------------------------------------------------------ sweeps */

typedef struct tile_sums {
	int64_t changed, pressed; /* quanta */
} tile_sums;

SCREE_FN void sweep_lanes(const solving *v, ball_tile *t, int from, int end, tile_sums *sums)
{
	tile_bodies a, b;
	load_bodies(&a, v->of->body, t->a, from, end);
	load_bodies(&b, v->of->body, t->b, from, end);
	const real over = v->over, per = 1 / v->of->balls.quantum;
	int64_t changed = 0, pressed = 0;
#pragma omp simd reduction(+ : changed, pressed)
	for (int k = from; k < end; ++k) {
		const real x = t->nx[k], y = t->ny[k], z = t->nz[k], ka = t->arm_a[k], kb = t->arm_b[k];
		const real px = ka * a.of[3][k] + kb * b.of[3][k], py = ka * a.of[4][k] + kb * b.of[4][k],
				   pz = ka * a.of[5][k] + kb * b.of[5][k];
		const real ux = a.of[0][k] - b.of[0][k] - t->mx[k] - (py * z - pz * y),
				   uy = a.of[1][k] - b.of[1][k] - t->my[k] - (pz * x - px * z),
				   uz = a.of[2][k] - b.of[2][k] - t->mz[k] - (px * y - py * x);
		const real un = ux * x + uy * y + uz * z, had = t->impulse[k];
		/* the law, linearized about the overlap of the last sweep */
		const real about = t->about[k], rigid = t->rigid[k], reaches = t->reaches[k];
		const real root = t->curved[k] ? sqrt(about) : 1;
		const real stiff = (t->curved[k] ? (real)1.5 : 1) * t->spring[k] * root;
		const real h = t->after[k], goes = h * stiff + t->dashpot[k];
		const real wants = goes * un - stiff * (reaches - (t->curved[k] ? about / 3 : 0)) + had;
		const real by_spring = had - rigid * wants / (goes + rigid);
		const real at_gap = had - rigid * (un - t->meets[k]), by_rule = had - rigid * (un - t->rebound[k]);
		const real by_law = by_spring < at_gap ? by_spring : at_gap;
		const real limit = t->limit[k], by_impact = by_rule < limit ? by_rule : limit;
		const real best = by_law > by_impact ? by_law : by_impact, most = had + over * (best - had);
		const real now = most > 0 ? most : 0;
		const real by = now - had, found = reaches - h * (un + by / rigid), quarter = about / 4;
		const real at_least = found > quarter ? found : quarter;
		t->about[k] = at_least > t->least[k] ? at_least : t->least[k];
		t->impulse[k] = now;
		const real tx = t->tx[k], ty = t->ty[k], tz = t->tz[k], soft = t->soft[k], slide = over * t->slide[k];
		real gx = tx - slide * (ux - un * x + soft * (tx - t->sx[k]));
		real gy = ty - slide * (uy - un * y + soft * (ty - t->sy[k]));
		real gz = tz - slide * (uz - un * z + soft * (tz - t->sz[k]));
		const real g2 = gx * gx + gy * gy + gz * gz, cap = t->rub[k] * now;
		const real part = g2 > cap * cap ? cap / sqrt(g2) : 1;
		gx = part * gx - tx, gy = part * gy - ty, gz = part * gz - tz;
		t->tx[k] = tx + gx, t->ty[k] = ty + gy, t->tz[k] = tz + gz;
		push_lane(&a, &b, t, k, by, gx, gy, gz);
		const real change = per * ((by > 0 ? by : -by) + sqrt(gx * gx + gy * gy + gz * gz)), all = per * now;
		changed += (int64_t)(change < MOST_QUANTA ? change : MOST_QUANTA);
		pressed += (int64_t)(all < MOST_QUANTA ? all : MOST_QUANTA);
	}
	sums->changed += changed, sums->pressed += pressed;
	store_bodies(&a, v->of->body, t->a, from, end);
	store_bodies(&b, v->of->body, t->b, from, end);
}

static void add_sums(solving *v, const tile_sums *sums, int thread)
{
	v->of->balls.changed[thread] += sums->changed;
	v->of->balls.pressed[thread] += sums->pressed;
}

void scree_ball_rows_sweep(solving *v, int64_t from, int64_t to, int thread)
{
	ball_tile *const tile = v->of->balls.tile;
	tile_sums sums[2] = {{0, 0}, {0, 0}}; /* uncounted, counted */
	for (int64_t i = from; i < to; ++i) {
		fetch_later(v, i, to);
		if (tile[i].count == BALL_LANES)
			sweep_lanes(v, tile + i, 0, BALL_LANES, sums + tile[i].uncounted);
		else
			sweep_lanes(v, tile + i, 0, tile[i].count, sums + tile[i].uncounted);
	}
	add_sums(v, sums, thread);
}

void scree_ball_row_sweep(solving *v, const contact_ref *o)
{
	tile_sums sums = {0, 0};
	ball_tile *const t = v->of->balls.tile + o->at / BALL_LANES;
	const int k = o->at % BALL_LANES;
	sweep_lanes(v, t, k, k + 1, &sums);
	if (!t->uncounted) add_sums(v, &sums, 0);
}

/* ------------------------------------------------------------------ initial impulses */

SCREE_FN void push_lanes(const solving *v, const ball_tile *t, int from, int end)
{
	tile_bodies a, b;
	load_bodies(&a, v->of->body, t->a, from, end);
	load_bodies(&b, v->of->body, t->b, from, end);
#pragma omp simd
	for (int k = from; k < end; ++k) push_lane(&a, &b, t, k, t->impulse[k], t->tx[k], t->ty[k], t->tz[k]);
	store_bodies(&a, v->of->body, t->a, from, end);
	store_bodies(&b, v->of->body, t->b, from, end);
}

void scree_ball_rows_push(solving *v, int64_t from, int64_t to)
{
	const ball_tile *const tile = v->of->balls.tile;
	for (int64_t i = from; i < to; ++i) {
		fetch_later(v, i, to);
		if (tile[i].count == BALL_LANES)
			push_lanes(v, tile + i, 0, BALL_LANES);
		else
			push_lanes(v, tile + i, 0, tile[i].count);
	}
}

void scree_ball_row_push(solving *v, const contact_ref *o)
{
	const int k = o->at % BALL_LANES;
	push_lanes(v, v->of->balls.tile + o->at / BALL_LANES, k, k + 1);
}

void scree_ball_rows_count(solving *v, real change, real pressed, int thread)
{
	const real per = 1 / v->of->balls.quantum, changed = per * change, all = per * pressed;
	const tile_sums sums = {(int64_t)(changed < MOST_QUANTA ? changed : MOST_QUANTA),
							(int64_t)(all < MOST_QUANTA ? all : MOST_QUANTA)};
	add_sums(v, &sums, thread);
}

void scree_ball_rows_free(ball_rows *o)
{
	scree_free(o->tile);
	scree_free(o->spare);
	scree_free(o->other);
}
