/* bodies_through_planes: counts bodies whose centre passes through a plane of the model (output.measures), from
 * positions before and after the drift, in state.flow. A body's position and, along a periodic axis, the number of
 * periods it has crossed determine its side of a plane. The count of an infinite plane is thus an exact sum of
 * differences: the bodies that have passed are those now on the other side. Bodies added by sources or removed by sinks
 * are not counted. Correctors and solvers that move bodies after the drift add a second path to the step. */
#include "motion/stage.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "model/integrator.h"
#include "model/model.h"
#include "model/response.h"
#include "state/state.h"

#include <string.h>

enum { GRAIN = 4096 };

typedef struct job {
	const model *m;
	const state *s;
	const flow_plane *f;
	int32_t axis; /* periodic axis along which the plane has images; -1 if none */
	const real *from[3];
	flow_count sum[SCREE_MOST_THREADS];
} job;

static real height_above(const flow_plane *f, vec3 at) { return v3_dot(f->normal, v3_sub(at, f->point)); }

static bool in_rectangle(const flow_plane *f, vec3 at)
{
	const vec3 r = v3_sub(at, f->point);
	const real a = v3_dot(r, f->along), b = v3_dot(r, f->across);
	return a >= -f->half[0] && a < f->half[0] && b >= -f->half[1] && b < f->half[1];
}

/* Tests whether a point of the plane, or one of its images, is within the rectangle. */
static bool passes_rectangle(const job *j, vec3 at)
{
	const periods *p = &j->m->period;
	int32_t most[3];
	for (int32_t d = 0; d < 3; ++d) most[d] = p->on && p->axis[d] && d != j->axis;
	for (int32_t x = -most[0]; x <= most[0]; ++x)
		for (int32_t y = -most[1]; y <= most[1]; ++y)
			for (int32_t z = -most[2]; z <= most[2]; ++z) {
				const vec3 shift = v3((real)x * p->size.x, (real)y * p->size.y, (real)z * p->size.z);
				if (in_rectangle(j->f, v3_add(at, shift))) return true;
			}
	return false;
}

static void add(const job *j, int32_t i, bool back, flow_count *sum)
{
	sum->count[back] += 1;
	scree_fixed_add(sum->mass + back, j->s->body.mass[i]);
}

/* counts a body that has passed the plane, or its image `number` periods away; a and b: end points of its path */
static void pass(const job *j, int32_t i, vec3 a, vec3 b, real number, bool back, flow_count *sum)
{
	vec3 image = v3(0, 0, 0);
	if (j->axis >= 0) *v3_along(&image, j->axis) = number * v3_part(j->m->period.size, j->axis);
	if (j->f->bounded) {
		a = v3_sub(a, image), b = v3_sub(b, image);
		const real from = height_above(j->f, a), part = from / (from - height_above(j->f, b));
		const vec3 at = v3_add(a, v3_mul(real_clamp(part, 0, 1), v3_sub(b, a)));
		if (!passes_rectangle(j, at)) return;
	}
	add(j, i, back, sum);
}

static void look_at_side(const job *j, int32_t i, vec3 a, vec3 b, flow_count *sum)
{
	const bool before = height_above(j->f, a) >= 0, now = height_above(j->f, b) >= 0;
	if (before != now) pass(j, i, a, b, 0, before, sum);
}

/* Returns the number of images of the plane at or below a position, counted from the original plane in the cell. */
static int32_t images_below(const job *j, vec3 at)
{
	real in_cell = v3_part(at, j->axis);
	const int32_t crossed = scree_periods_into_cell(&j->s->images, j->axis, &in_cell);
	return crossed + (in_cell >= v3_part(j->f->point, j->axis));
}

static void look_along(const job *j, int32_t i, vec3 a, vec3 b, flow_count *sum)
{
	const bool turned = v3_part(j->f->normal, j->axis) < 0;
	const int32_t before = images_below(j, a), now = images_below(j, b);
	for (int32_t k = before; k < now; ++k) pass(j, i, a, b, k, turned, sum);
	for (int32_t k = before; k > now; --k) pass(j, i, a, b, k - 1, !turned, sum);
}

static bool is_chosen(const job *j, int32_t i)
{
	const bodies *b = &j->s->body;
	const flow_plane *f = j->f;
	const real size = b->size[i] / j->m->shape.row[b->shape[i]].scale;
	return (f->material < 0 || b->material[i] == f->material) &&
		   (!(f->sizes[1] > 0) || (size >= f->sizes[0] && size <= f->sizes[1]));
}

static void look_at_bodies(void *what, int64_t from, int64_t to, int thread)
{
	job *j = what;
	for (int32_t i = (int32_t)from; i < (int32_t)to; ++i) {
		const vec3 a = v3(j->from[0][i], j->from[1][i], j->from[2][i]), b = body_position(&j->s->body, i);
		if (!is_chosen(j, i)) continue;
		(j->axis < 0 ? look_at_side : look_along)(j, i, a, b, j->sum + thread);
	}
}

static void count_through(const model *m, state *s, int32_t k, const real *const from[3])
{
	job j = {.m = m, .s = s, .f = m->flow.row + k, .axis = scree_flow_plane_axis(&m->period, m->flow.row + k)};
	memcpy(j.from, from, sizeof j.from);
	scree_parallel(look_at_bodies, &j, s->body.owned, GRAIN);
	for (int t = 0; t < SCREE_MOST_THREADS; ++t)
		for (int back = 0; back < 2; ++back) {
			s->flow[k].count[back] += j.sum[t].count[back];
			scree_fixed_join(s->flow[k].mass + back, j.sum[t].mass[back]);
		}
}

void scree_bodies_through_planes(const model *m, state *s)
{
	const real *const from[3] = {s->body.ox, s->body.oy, s->body.oz};
	for (int32_t k = 0; k < m->flow.count; ++k) count_through(m, s, k, from);
}

/* ------------------------------------------------------------------ motion after the drift */

static bool moves_later(const model *m)
{
	const bool corrects = m->solver && !m->solver->halves && m->correction > 0;
	return m->flow.count && (m->integrator->gear || corrects);
}

real *scree_planes_note(const model *m, const state *s)
{
	const bodies *b = &s->body;
	const real *const of[3] = {b->x, b->y, b->z};
	const size_t count = (size_t)b->owned;
	if (!moves_later(m)) return NULL;
	real *noted = scree_alloc(3 * count + 1, sizeof *noted);
	for (int d = 0; d < 3 && count; ++d) memcpy(noted + (size_t)d * count, of[d], count * sizeof *noted);
	return noted;
}

void scree_planes_after(const model *m, state *s, real *noted)
{
	const size_t count = (size_t)s->body.owned;
	if (!noted) return;
	const real *const from[3] = {noted, noted + count, noted + 2 * count};
	for (int32_t k = 0; k < m->flow.count; ++k) count_through(m, s, k, from);
	scree_free(noted);
}
