/* constraint_terms: positions, wall, materials, stiffness and period of a contact, used in implicit steps. */
#include "solver/constraints.h"

#include "base/maths.h"
#include "solver/point_springs.h"
#include "state/bonds.h"
#include "world/world.h"

/* impacts are faster than this fraction of the velocity that the last step's contact force gives bodies in one step */
static const real IMPACT_LOAD = (real)0.25;
/* steps shorter than this many periods of a contact resolve it; this is a third of the contact time */
static const real RESOLVED = (real)0.17;

vec3 scree_constraint_pull(const solving *v, const contact_ref *o)
{
	if (!v->m->period.deforms) return v3(0, 0, 0);
	const vec3 r = constraint_apart(v, o->kind, o->row), k = v->s->images.pull;
	return v3(r.x * k.x, r.y * k.y, r.z * k.z);
}

bool scree_constraint_bonded(const solving *v, const contact_ref *o)
{
	return o->kind == PAIR_SPHERE_SPHERE && is_bonded(v->s->pair + o->kind, o->row);
}

int32_t scree_yielding_wall(const solving *v, int kind, int64_t row)
{
	if (!v->of->yields || !pair_on_wall(kind)) return -1;
	const int32_t k = v->m->wall.surface_wall[v->s->pair[kind].cb[row]];
	return v->of->wall[k].yields ? k : -1;
}

vec3 scree_yielding_offset(const solving *v, int32_t wall, vec3 body)
{
	const wall_motion *o = &v->m->wall.row[wall].motion;
	return motion_is_turned(o->type) ? v3_sub(body, o->point) : v3(0, 0, 0);
}

int32_t scree_constraint_materials(const solving *v, const contact_ref *o)
{
	const int32_t *material = v->s->body.material, n = v->m->material.count;
	if (!pair_on_wall(o->kind)) return material[o->a] * n + material[o->b];
	const int32_t surface = v->s->pair[o->kind].cb[o->row];
	return material[o->a] * n + v->m->wall.row[v->m->wall.surface_wall[surface]].material;
}

const law_constants *scree_constraint_constants(const solving *v, const contact_ref *o)
{
	return v->m->constants + scree_constraint_materials(v, o);
}

real scree_constraint_stiffness(const solving *v, const constraint *r)
{
	real stiffness = 0;
	for (const constraint_point *p = v->of->point + r->first, *end = p + r->points; p < end; ++p)
		if (p->weight > 0) stiffness += r->share * constraint_normal_at(v, r, p, p->about, 0) / p->about;
	return stiffness;
}

real scree_constraint_period(real rigid, real stiffness)
{
	return stiffness > 0 ? 2 * SCREE_PI * sqrt(rigid / stiffness) : 0;
}

bool scree_constraint_resolved(const solving *v, real rigid, real stiffness)
{
	return !v->m->hard && v->h < RESOLVED * scree_constraint_period(rigid, stiffness);
}

real scree_constraint_rebound(const solving *v, const contact_ref *o, real came, real rigid, real stiffness)
{
	const real restitution = v->m->material.rule[scree_constraint_materials(v, o)].restitution;
	const real period = scree_constraint_period(rigid, stiffness),
			   falls = real_max(IMPACT_STEPS * v->h, IMPACT_PERIODS * period);
	const real least = real_max(v->gravity * falls, IMPACT_LOAD * v->s->pair[o->kind].jn[o->row] / rigid);
	return came < -least ? -restitution * came : NO_IMPACT;
}

static const wall_state *wall_among(const solving *v, const wall_state *walls, const contact_ref *o)
{
	return walls + v->m->wall.surface_wall[v->s->pair[o->kind].cb[o->row]];
}

velocity_pair scree_constraint_wall_now(const solving *v, const contact_ref *o)
{
	const wall_state *wall = wall_among(v, v->s->wall, o);
	return (velocity_pair){wall_velocity(wall, constraint_apart(v, o->kind, o->row)), wall->angular_velocity};
}

/* For a wall that yields, uses the speed before the step, since the solver finds the change. */
static velocity_pair as_before(const solving *v, const contact_ref *o, velocity_pair mean)
{
	const int32_t k = scree_yielding_wall(v, o->kind, o->row);
	if (k < 0) return mean;
	const wall_motion *by = &v->m->wall.row[k].motion;
	const vec3 slower = v3_mul(v->of->wall[k].before - v->w->ahead.wall[k].servo.speed, by->axis);
	const vec3 arm = scree_yielding_offset(v, k, v->w->record[o->a].position);
	if (!motion_is_turned(by->type)) return (velocity_pair){v3_add(mean.linear, slower), mean.angular};
	return (velocity_pair){v3_add(mean.linear, v3_cross(slower, arm)), v3_add(mean.angular, slower)};
}

velocity_pair scree_constraint_wall_mean(const solving *v, const contact_ref *o)
{
	const wall_state *from = wall_among(v, v->w->ahead.wall, o), *to = wall_among(v, v->s->wall, o);
	const vec3 apart = constraint_apart(v, o->kind, o->row);
	const vec3 moves = v3_add(wall_velocity(from, apart), wall_velocity(to, apart));
	const vec3 spins = v3_add(from->angular_velocity, to->angular_velocity);
	return as_before(v, o, (velocity_pair){v3_mul((real)0.5, moves), v3_mul((real)0.5, spins)});
}
