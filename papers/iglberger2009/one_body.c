#include "papers/iglberger2009/one_body.h"

#include "kernel/motion.h"

/* pe's responseRestriction */
static const real MOST_RESPONSE = (real)1.2;
/* Contacts nearly contradict each other if the sum of the responses to individual contacts is this many times as long
 * as the response to all contacts: for two contacts, if they face each other within 11 degrees. */
static const real CONTRADICTS = 10;

ffd_body scree_ffd_body(const bodies *b, int32_t i)
{
	ffd_body o = {.inv_mass = b->inv_mass[i],
				  .turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
				  .velocity = body_velocity(b, i),
				  .spin = body_angular_velocity(b, i)};
	const vec3 inertia = v3(b->ix[i], b->iy[i], b->iz[i]);
	if (!(o.inv_mass > 0)) return o; /* held: no impulse changes the velocity of the body */
	o.inv_inertia = v3(1 / inertia.x, 1 / inertia.y, 1 / inertia.z);
	if (!is_round(inertia)) o.turn = quat_matrix(body_orientation(b, i));
	return o;
}

void scree_ffd_push(ffd_body *o, vec3 impulse, vec3 arm)
{
	const vec3 torque = v3_cross(arm, impulse), own = mat3_tmul(o->turn, torque), soft = o->inv_inertia;
	o->velocity = v3_madd(o->velocity, o->inv_mass, impulse);
	o->spin = v3_add(o->spin, mat3_mul(o->turn, v3(soft.x * own.x, soft.y * own.y, soft.z * own.z)));
	o->torque_impulse = v3_add(o->torque_impulse, torque);
}

/* ------------------------------------------------------------------ normals */

/* Weighted mean of the contacts' restitution coefficients. */
static real restitution_of(int32_t count, const ffd_touch *touch)
{
	real sum = 0, weight = 0;
	for (int32_t k = 0; k < count; ++k) {
		sum += touch[k].closing * touch[k].restitution;
		weight += touch[k].closing;
	}
	return weight > 0 ? sum / weight : 0;
}

/* pe's limit on the change in velocity (v in m/s and w in 1/s as one vector), as a multiple of the largest change
 * that any contact would need along its own normal twist (n, arm x n). The limit depends on the unit of length. */
static real part_allowed_by_pe(const ffd_body *o, int32_t count, const ffd_touch *touch, const six *response)
{
	const real *y = response->at;
	const vec3 soft = o->inv_inertia;
	real longest = 0, length2 = o->inv_mass * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) + soft.x * y[3] * y[3] +
								soft.y * y[4] * y[4] + soft.z * y[5] * y[5];
	for (int32_t k = 0; k < count; ++k)
		longest = real_max(longest, touch[k].wants / sqrt(1 + v3_norm2(v3_cross(touch[k].arm, touch[k].normal))));
	const real most = MOST_RESPONSE * longest, length = sqrt(length2);
	return length > most ? most / length : 1;
}

/* ffd/corrected: the length of the response relative to the sum of the responses that the contacts would need one by
 * one, both measured by kinetic energy. A single contact, or several contacts that agree, never reach this limit. */
static real part_allowed(int32_t count, const six *normal, const real *offset, const six *response)
{
	real most = 0;
	for (int32_t k = 0; k < count; ++k) most += MOST_RESPONSE * offset[k] / sqrt(six_dot(normal + k, normal + k));
	const real length = sqrt(six_dot(response, response));
	return length > most ? most / length : 1;
}

static bool nearly_contradict(const six *normal, const nearest_point *response)
{
	real sum = 0;
	for (int32_t j = 0; j < response->active; ++j) {
		const six *a = normal + response->of[j];
		sum += response->multiplier[j] * sqrt(six_dot(a, a));
	}
	return sum > CONTRADICTS * sqrt(six_dot(&response->at, &response->at));
}

/* ------------------------------------------------------------------ both */

ffd_end scree_ffd_respond(ffd_body *o, int32_t count, ffd_touch *touch, const ffd_rules *r, ffd_room *room)
{
	for (int32_t k = 0; k < count; ++k) {
		room->normal[k] = ffd_twist(o, touch[k].normal, touch[k].arm);
		room->offset[k] = touch[k].wants;
		touch[k].press = 0;
		touch[k].rub = v3(0, 0, 0);
	}
	nearest_point response = scree_nearest_point(count, room->normal, room->offset);
	if (!response.exists) return FFD_STOPPED;
	const bool vague = nearly_contradict(room->normal, &response);
	if (vague && !r->literal) return FFD_STOPPED;
	const real part = r->literal ? part_allowed_by_pe(o, count, touch, &response.at)
								 : part_allowed(count, room->normal, room->offset, &response.at);
	for (int c = 0; c < 6; ++c) response.at.at[c] *= part;
	const ffd_body before = *o;
	ffd_body after = *o;
	for (int32_t j = 0; j < response.active; ++j) {
		ffd_touch *t = touch + response.of[j];
		t->press = part * response.multiplier[j];
		scree_ffd_push(&after, v3_mul(t->press, t->normal), t->arm);
	}
	if (r->literal) scree_ffd_rub_as_pe(&before, &after, count, touch, r, room, &response.at);
	const real restitution = restitution_of(count, touch);
	for (int32_t k = 0; k < count; ++k) {
		touch[k].press *= 1 + restitution;
		scree_ffd_push(o, v3_madd(touch[k].rub, touch[k].press, touch[k].normal), touch[k].arm);
		if (vague) touch[k].press = 0, touch[k].rub = v3(0, 0, 0);
	}
	return vague ? FFD_VAGUE : part < 1 ? FFD_LIMITED : FFD_SOLVED;
}

/* ------------------------------------------------------------------ friction of ffd/corrected */

/* Largest eigenvalue of the matrix of the effective inverse masses along two tangents. */
static real softest(const six *a)
{
	const real xx = six_dot(a, a), yy = six_dot(a + 1, a + 1), xy = six_dot(a, a + 1);
	const real half = (xx - yy) / 2;
	return (xx + yy) / 2 + sqrt(half * half + xy * xy);
}

/* Changes the impulse of one contact towards the impulse that its target velocity requires, within its bound. Returns
 * the change in velocity, in m/s. */
static real rub_one(const six *a, const vec3 *tangent, const real lacks[2], ffd_touch *t, six *change)
{
	const real soft = softest(a), bound = t->friction * t->press;
	real p[2], was[2];
	for (int i = 0; i < 2; ++i) {
		was[i] = v3_dot(tangent[i], t->rub);
		p[i] = was[i] - (lacks[i] + six_dot(a + i, change)) / soft;
	}
	const real length = sqrt(p[0] * p[0] + p[1] * p[1]), part = length > bound ? bound / length : 1;
	real moved = 0;
	for (int i = 0; i < 2; ++i) {
		p[i] *= part;
		six_add(change, p[i] - was[i], a + i);
		moved = real_max(moved, soft * real_abs(p[i] - was[i]));
	}
	t->rub = v3_madd(v3_mul(p[0], tangent[0]), p[1], tangent[1]);
	return moved;
}

/* Repeated rounds over the contacts: each step minimises a convex function over a disc per contact, so the rounds
 * converge; with one contact of a sphere, the first round is exact. */
void scree_ffd_rub(ffd_body *o, int32_t count, ffd_touch *touch, ffd_room *room)
{
	enum { ROUNDS = 200 };
	static const real SETTLED = (real)1e-10;
	six change = {{0}};
	real fastest = 0, moved = INFINITY;
	for (int32_t k = 0; k < count; ++k) {
		const vec3 v = v3_sub(ffd_velocity_at(o, touch[k].arm), touch[k].aim);
		vec3 *tangent = room->tangent + 2 * k;
		tangent[0] = v3_across(touch[k].normal), tangent[1] = v3_cross(touch[k].normal, tangent[0]);
		touch[k].rub = v3(0, 0, 0);
		for (int i = 0; i < 2; ++i) {
			room->across[2 * k + i] = ffd_twist(o, tangent[i], touch[k].arm);
			room->offset[2 * k + i] = v3_dot(tangent[i], v);
			fastest = real_max(fastest, real_abs(room->offset[2 * k + i]));
		}
	}
	for (int round = 0; round < ROUNDS && moved > SETTLED * fastest; ++round) {
		moved = 0;
		for (int32_t k = 0; k < count; ++k)
			if (touch[k].friction * touch[k].press > 0)
				moved = real_max(moved, rub_one(room->across + 2 * k, room->tangent + 2 * k, room->offset + 2 * k,
												touch + k, &change));
	}
	for (int32_t k = 0; k < count; ++k) scree_ffd_push(o, touch[k].rub, touch[k].arm);
}
