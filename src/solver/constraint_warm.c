/* constraint_warm: contacts start with their impulses from the last step, which are stored in their histories. */
#include "solver/constraints.h"

#include "kernel/turning.h"

static real spring_of(const constraint_point *p) { return p->weight > 0 ? 1 / p->soft : 0; }

/* The springs of a patch share its impulse and its moment. The impulse of each spring is stiffness (c + turn x arm);
 * these are the smallest impulses with the given sum and moment. */
typedef struct spring_plane {
	real all;	 /* sum of stiffnesses */
	vec3 centre; /* weighted centre of the springs, from the point of friction, in m */
	vec3 turn;
} spring_plane;

/* The moment about the centre, as a vector perpendicular to the normal, towards the more heavily loaded springs. */
static vec3 lean_of(const constraint *r, const spring_plane *o, vec3 moment, real impulse)
{
	const vec3 own = v3_sub(moment, v3_cross(o->centre, v3_mul(impulse, r->normal)));
	return v3_cross(r->normal, own);
}

static spring_plane spring_plane_of(const solving *v, const constraint *r, vec3 moment, real impulse)
{
	const constraint_point *first = v->of->point + r->first, *end = first + r->points;
	const friction_block *f = &r->block;
	spring_plane o = {0};
	for (const constraint_point *p = first; p < end; ++p) {
		const real stiff = spring_of(p);
		o.all += stiff;
		o.centre = v3_madd(o.centre, stiff, v3_sub(p->arm_a, r->arm_a));
	}
	o.centre = v3_mul(1 / o.all, o.centre);
	real xx = 0, xy = 0, yy = 0;
	for (const constraint_point *p = first; p < end; ++p) {
		const vec3 off = v3_sub(v3_sub(p->arm_a, r->arm_a), o.centre);
		const real x = v3_dot(off, f->along), y = v3_dot(off, f->beside), stiff = spring_of(p);
		xx += stiff * x * x, xy += stiff * x * y, yy += stiff * y * y;
	}
	const vec3 lean = lean_of(r, &o, moment, impulse);
	const real x = v3_dot(lean, f->along), y = v3_dot(lean, f->beside);
	const real whole = xx * yy - xy * xy, trace = xx + yy, least = (real)1e-9 * r->small;
	if (!(trace > o.all * least * least)) return o; /* all points coincide, except for rounding */
	if (whole > (real)1e-12 * trace * trace)
		o.turn = v3_madd(v3_mul((yy * x - xy * y) / whole, f->along), (xx * y - xy * x) / whole, f->beside);
	else /* points on a line */
		o.turn = v3_mul(1 / (trace * trace), v3_madd(v3_mul(xx * x + xy * y, f->along), xy * x + yy * y, f->beside));
	return o;
}

static void begin_points(const solving *v, const constraint *r, vec3 moment, real impulse)
{
	if (!(impulse > 0)) return;
	const spring_plane o = spring_plane_of(v, r, moment, impulse);
	for (constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p) {
		const vec3 off = v3_sub(v3_sub(p->arm_a, r->arm_a), o.centre);
		p->impulse = real_clamp(spring_of(p) * (impulse / o.all + v3_dot(o.turn, off)), 0, impulse);
	}
}

/* As in force-based steps, these springs rotate with the normal, and a stiffening contact keeps their couple. */
vec3 scree_constraint_bent(const solving *v, const constraint *r, real scale)
{
	const pair_list *l = v->s->pair + r->ref.kind;
	const int64_t k = r->ref.row;
	if (!turns_on_springs(r) || !(l->stiff[k] > 0)) return v3(0, 0, 0);
	const stiffening s = stiffening_of(l->stiff[k], scale);
	const slip still = {v3(0, 0, 0), 0}, angle = {v3_mul(s.grows, v3(l->rx[k], l->ry[k], l->rz[k])), 0};
	const vec3 rolled = stretch_of(angle, still, r->normal, false, 0).to.flat;
	const real per = v->tau * (scale / r->scale);
	return v3_madd(v3_mul(-per * r->roll.stiffness, rolled), -per * r->twist.stiffness * s.grows * l->twist[k],
				   r->normal);
}

/* Starts friction, rolling and twisting from the springs at the end of the last step. */
static void begin_springs(const solving *v, constraint *r)
{
	const pair_list *l = v->s->pair + r->ref.kind;
	const friction_block *f = &r->block;
	const int64_t k = r->ref.row;
	const slip came = slip_across(r, slip_with(v->of->before, r, r->arm_a, r->arm_b), spin_with(v->of->before, r));
	const slip force = friction_spring_force(&r->spring, friction_spring_held(l, k, r->normal, r->scale), came);
	r->start = v3_mul(v->tau, v3(v3_dot(force.flat, f->along), v3_dot(force.flat, f->beside), force.spin));
	r->bent = scree_constraint_bent(v, r, r->scale);
}

/* Uses the impulses of the last step as a first guess. */
static void begin_impulses(const solving *v, constraint *r)
{
	const pair_list *l = v->s->pair + r->ref.kind;
	const friction_block *f = &r->block;
	const int64_t k = r->ref.row;
	const real part = v->tau / v->h;
	const vec3 across = v3(l->jx[k], l->jy[k], l->jz[k]), turned = v3(l->gx[k], l->gy[k], l->gz[k]);
	const real about = f->arm > 0 ? v3_dot(turned, r->normal) : 0;
	const vec3 moment = l->mx ? v3_mul(part, v3(l->mx[k], l->my[k], l->mz[k])) : v3(0, 0, 0);
	begin_points(v, r, moment, part * l->jn[k]);
	if (r->pull.kind != COHESION_CAPILLARY)
		r->pull.held = r->pull.kind != COHESION_NONE && r->pull.touched && l->jn[k] > 0;
	if (r->pull.held) r->pull.given = scree_attraction_pull(v, r);
	r->friction =
		v3_mul(part, v3(v3_dot(across, f->along), v3_dot(across, f->beside), f->arm > 0 ? about / f->arm : 0));
	if (!resists_turning(r)) return;
	const bool springs = turns_on_springs(r) && l->stiff[k] > 0;
	r->turning = springs ? r->bent : v3_mul(part, v3_madd(turned, -about, r->normal));
}

void scree_constraint_warm(const solving *v, constraint *r)
{
	begin_springs(v, r);
	if (v->first) begin_impulses(v, r);
}
