/* rub_as_pe: friction of one body, computed as in pe. */
#include "papers/iglberger2009/one_body.h"

/* A twist this close to the span of the other twists, relative to the longest twist, is treated as being in the span.
 * Pe compares with 1e-8, in units of 1/mass. With that limit, points of a face whose distances to the centre differ by
 * a tenth of an overlap would let a body move and rotate freely, due to huge impulses that cancel. */
static const real SPANNED = (real)1e-3;

/* ------------------------------------------------------------------ the span of all twists */

/* The first direction is opposite to the motion of the body's contact point, in the world frame. 0 if the point does
 * not move. */
static vec3 against(const ffd_body *o, const ffd_touch *t)
{
	const vec3 v = ffd_velocity_at(o, t->arm);
	return v3_unit(v3_madd(v3_neg(v), v3_dot(v, t->normal), t->normal));
}

/* Two tangents per contact, and their twists. */
static void set_tangents(const ffd_body *o, int32_t count, const ffd_touch *touch, ffd_room *room)
{
	for (int32_t k = 0; k < count; ++k) {
		room->tangent[2 * k] = against(o, touch + k);
		room->tangent[2 * k + 1] = v3_cross(touch[k].normal, room->tangent[2 * k]);
		for (int i = 0; i < 2; ++i) room->across[2 * k + i] = ffd_twist(o, room->tangent[2 * k + i], touch[k].arm);
	}
}

/* The twist that is farthest from the frame; -1 if all are in its span. */
static int32_t farthest_across(const six_frame *f, int32_t count, const six *a)
{
	real most = 0, longest = 0;
	int32_t best = -1;
	for (int32_t k = 0; k < count; ++k) {
		real part[6];
		const six z = scree_six_across(f, a + k, part);
		const real far2 = six_dot(&z, &z);
		longest = real_max(longest, six_dot(a + k, a + k));
		if (far2 > most) most = far2, best = k;
	}
	return most > SPANNED * SPANNED * longest ? best : -1;
}

/* The span, and the components of a body's velocity along its vectors. */
static six_frame span_of(const ffd_body *o, int32_t count, const ffd_touch *touch, const ffd_room *room, real along[6])
{
	six_frame f = {0};
	int32_t k;
	while (f.count < 6 && (k = farthest_across(&f, 2 * count, room->across)) >= 0) {
		const int32_t n = f.count;
		real part[6], speed = v3_dot(room->tangent[k], ffd_velocity_at(o, touch[k / 2].arm));
		const six z = scree_six_across(&f, room->across + k, part);
		scree_six_join(&f, &z, part);
		for (int32_t j = 0; j < n; ++j) speed -= part[j] * along[j];
		along[n] = speed / f.r[n][n];
	}
	return f;
}

/* ------------------------------------------------------------------ impulses */

/* Solves matrix * x = right by Cholesky's method; the factors replace the matrix. */
static void solve_symmetric(int32_t n, real matrix[6][6], const real right[6], real x[6])
{
	for (int32_t j = 0; j < n; ++j) {
		for (int32_t k = 0; k < j; ++k) matrix[j][j] -= matrix[j][k] * matrix[j][k];
		matrix[j][j] = sqrt(matrix[j][j]);
		for (int32_t i = j + 1; i < n; ++i) {
			for (int32_t k = 0; k < j; ++k) matrix[i][j] -= matrix[i][k] * matrix[j][k];
			matrix[i][j] /= matrix[j][j];
		}
	}
	for (int32_t j = 0; j < n; ++j) {
		x[j] = right[j];
		for (int32_t k = 0; k < j; ++k) x[j] -= matrix[j][k] * x[k];
		x[j] /= matrix[j][j];
	}
	for (int32_t j = n - 1; j >= 0; --j) {
		for (int32_t k = j + 1; k < n; ++k) x[j] -= matrix[k][j] * x[k];
		x[j] /= matrix[j][j];
	}
}

/* The smallest impulses along the tangents that cause this change along the vectors of the span. Pe does not compute
 * impulses; any impulses that cause the change would do. */
static void share_out(const six_frame *f, const real change[6], int32_t count, ffd_touch *touch, const ffd_room *room)
{
	real sum[6][6] = {{0}}, part[6], x[6];
	for (int32_t k = 0; k < 2 * count; ++k) {
		scree_six_across(f, room->across + k, part);
		for (int32_t i = 0; i < f->count; ++i)
			for (int32_t j = 0; j < f->count; ++j) sum[i][j] += part[i] * part[j];
	}
	solve_symmetric(f->count, sum, change, x);
	for (int32_t k = 0; k < 2 * count; ++k) {
		real impulse = 0;
		scree_six_across(f, room->across + k, part);
		for (int32_t i = 0; i < f->count; ++i) impulse += part[i] * x[i];
		touch[k / 2].rub = v3_madd(touch[k / 2].rub, impulse, room->tangent[k]);
	}
}

/* ------------------------------------------------------------------ friction */

/* The bounds of one contact: direction s . change <= bound, for a change measured from the change that stops all motion
 * in the span. */
static void bound_contact(const six_frame *f, const real along[6], real bound, const six *tangent, const ffd_rules *r,
						  six *normal, real *offset)
{
	for (int32_t s = 0; s < r->directions; ++s) {
		real part[6];
		six twist = {{0}};
		six_add(&twist, r->cosine[s], tangent);
		six_add(&twist, r->sine[s], tangent + 1);
		scree_six_across(f, &twist, part);
		normal[s] = (six){{0}};
		offset[s] = -bound;
		for (int32_t j = 0; j < f->count; ++j) {
			six_add(normal + s, -part[j], f->q + j);
			offset[s] -= part[j] * along[j];
		}
	}
}

/* The change in velocity, within the span of all twists, that minimises the remaining kinetic energy, with s . change
 * <= friction * (n . response) for each direction s of a contact with normal twist n. The condition bounds the change
 * in a velocity, not an impulse. */
void scree_ffd_rub_as_pe(const ffd_body *before, const ffd_body *after, int32_t count, ffd_touch *touch,
						 const ffd_rules *r, ffd_room *room, const six *response)
{
	real any = 0, along[6] = {0}, change[6];
	set_tangents(before, count, touch, room);
	const six_frame f = span_of(after, count, touch, room, along);
	for (int32_t k = 0; k < count; ++k) {
		const six n = ffd_twist(before, touch[k].normal, touch[k].arm);
		const real bound = touch[k].friction * six_dot(&n, response);
		any = real_max(any, bound);
		bound_contact(&f, along, bound, room->across + 2 * k, r, room->normal + k * r->directions,
					  room->offset + k * r->directions);
	}
	if (!(any > 0)) return;
	const nearest_point least = scree_nearest_point(count * r->directions, room->normal, room->offset);
	if (!least.exists) return;
	for (int32_t j = 0; j < f.count; ++j) change[j] = six_dot(f.q + j, &least.at) - along[j];
	share_out(&f, change, count, touch, room);
}
