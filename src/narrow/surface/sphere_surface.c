/* sphere_surface: contacts of a sphere with a closed surface, at local minima of the distance from the centre. */
#include "narrow/surface/room.h"

typedef struct ball {
	surface_job *j;
	vec3 centre; /* m, in b's frame */
	real radius;
} ball;

/* Adds the point of a triangle closest to the origin, which is the sphere's centre. */
static void place_on(surface_job *j, int32_t t)
{
	vec3 foot, p = v3(0, 0, 0), n = skin_normal(&j->b, t);
	feature on = scree_skin_closest(&j->b, t, p, j->snap, &foot);
	real h = v3_norm(foot);
	j->least = real_min(j->least, h);
	if (!(h <= j->reach)) return;
	vec3 way = h > 0 ? v3_mul(-1 / h, foot) : scree_skin_outward(&j->b, on);
	const vec3 own = mat3_tmul(j->b.turn, way);
	real slack = h > 0 ? 2 * j->snap / h : 2;
	bool good;
	switch (on.kind) {
	case FEATURE_VERTEX:
		good = scree_skin_vertex_nearest(&j->b, on.side, own, slack);
		break;
	case FEATURE_EDGE:
		good = scree_skin_edge_nearest(&j->b, on.side, own, slack);
		break;
	default:
		good = h * (1 - (real)1e-12) <= -v3_dot(n, foot) + 2 * j->snap;
		if (good) way = n, h = -v3_dot(n, foot);
	}
	if (!good) {
		++j->counts->no_minima;
		return;
	}
	const vec3 at = v3_mul(-(j->reach - j->b.halo + h - j->b.halo) / 2, way);
	*scree_surface_found(j->room) = (surface_minimum){scree_skin_name(&j->b, on), 0, way, at, h};
}

static real gap1(real x, real low, real high) { return real_max(real_max(low - x, x - high), 0); }

static real box_apart(const trimesh_node *n, real size, vec3 p)
{
	return v3_norm(v3(gap1(p.x, n->low.x * size, n->high.x * size), gap1(p.y, n->low.y * size, n->high.y * size),
					  gap1(p.z, n->low.z * size, n->high.z * size)));
}

static void walk(const ball *o, const trimesh *m, real size)
{
	int32_t wait[TRIMESH_DEPTH];
	int waiting = 0;
	int64_t asked = 0;
	wait[waiting++] = 0;
	while (waiting) {
		const trimesh_node *n = m->node + wait[--waiting];
		const real apart = box_apart(n, size, o->centre);
		if (apart > o->radius) {
			o->j->least = real_min(o->j->least, apart);
		} else if (n->count) {
			for (int32_t t = n->first; t < n->first + n->count; ++t) place_on(o->j, t);
			asked += n->count;
		} else {
			wait[waiting++] = n->first + 1;
			wait[waiting++] = n->first;
		}
	}
	o->j->counts->tree += m->triangles - asked;
}

real scree_sphere_surface(vec3 centre, real radius, const placed_surface *b, surface_scratch *scratch, point_list *out,
						  bool *crossed)
{
	const real reach = radius + b->halo, rounded = SURFACE_ROUNDED * (b->of->extent * b->size + radius);
	const vec3 own = mat3_tmul(b->turn, v3_sub(centre, b->at));
	const real apart = box_apart(b->of->node, b->size, own) - rounded;
	*crossed = false;
	if (apart > reach) {
		++scratch->counts.boxes;
		return apart - reach;
	}
	surface_job j = {
		.reach = reach, .least = INFINITY, .room = scree_surface_room(scratch), .counts = &scratch->counts};
	j.snap = SURFACE_SNAP * b->of->shortest * b->size + rounded;
	j.b = scree_skin_of(b, centre, &j.room->of_b);
	const ball o = {&j, own, reach + rounded};
	walk(&o, b->of, b->size);
	if (!(apart > 0)) *crossed = scree_trimesh_inside(b->of, v3_mul(1 / b->size, own)) > 0;
	if (*crossed) j.room->minima = 0;
	const int32_t before = out->count;
	const surface_rule rule = {reach, b->of->shortest * b->size, radius, b->round};
	scree_surface_contacts(j.room, &rule, j.counts, out);
	return out->count > before || *crossed ? 0 : real_max(j.least - rounded - reach, 0);
}
