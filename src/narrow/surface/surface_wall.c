/* surface_wall: contacts of a closed surface with planes, and the choice of the function for each form of wall. */
#include "narrow/surface/room.h"

typedef struct plane {
	vec3 normal, own; /* in the wall's frame; `own`: in the frame of body a */
	real off;
} plane;

static plane plane_of(const placed_surface *a, const wall *w)
{
	plane p = {w->axis, {0, 0, 0}, v3_dot(w->axis, v3_sub(w->point, a->at))};
	if (w->two_sided && p.off > 0) p.normal = v3_neg(p.normal), p.off = -p.off;
	p.own = mat3_tmul(a->turn, p.normal);
	return p;
}

static real lowest(const trimesh_node *n, vec3 up)
{
	return (up.x < 0 ? n->high.x : n->low.x) * up.x + (up.y < 0 ? n->high.y : n->low.y) * up.y +
		   (up.z < 0 ? n->high.z : n->low.z) * up.z;
}

static void vertex_and_plane(surface_job *j, const plane *p, int32_t corner, int32_t surface)
{
	const skin *s = &j->a;
	if (s->first[s->corner[corner]] != corner) return;
	const vec3 x = skin_corner(s, corner);
	const real h = v3_dot(p->normal, x) - p->off;
	if (h > j->reach) return;
	if (h < 0) j->crossed = true;
	if (scree_skin_vertex_nearest(s, corner, v3_neg(p->own), LEVEL))
		scree_surface_found_wall(j, (feature){FEATURE_VERTEX, corner}, x, p->normal, h, surface, 0);
	else
		++j->counts->no_minima;
}

/* Tests only vertices, since a plane has no edges or vertices. */
static void meet_plane(surface_job *j, const surface_at_wall *o)
{
	const plane p = plane_of(o->a, o->wall);
	const trimesh *m = o->a->of;
	int32_t wait[TRIMESH_DEPTH], waiting = 0;
	wait[waiting++] = 0;
	while (waiting) {
		const trimesh_node *n = m->node + wait[--waiting];
		if (lowest(n, p.own) * o->a->size - p.off > j->reach + j->snap) continue;
		for (int32_t c = 3 * n->first; c < 3 * (n->first + n->count); ++c)
			vertex_and_plane(j, &p, c, o->wall->first_surface);
		if (n->count) continue;
		wait[waiting++] = n->first + 1;
		wait[waiting++] = n->first;
	}
}

void scree_surface_wall(const placed_surface *a, const near_wall *to, surface_scratch *scratch, point_list *out,
						bool *crossed)
{
	const wall *w = to->s->row + to->wall;
	*crossed = false;
	if (w->removed) return;
	surface_job j = {
		.reach = a->halo, .least = INFINITY, .room = scree_surface_room(scratch), .counts = &scratch->counts};
	j.team = scratch->team;
	j.snap = SURFACE_SNAP * a->of->shortest * a->size + SURFACE_ROUNDED * a->of->extent * a->size;
	j.a = scree_skin_of(a, a->at, &j.room->of_a);
	const surface_at_wall o = {a, to, w};
	if (w->type == WALL_PLANE)
		meet_plane(&j, &o);
	else if (w->type == WALL_CYLINDER || w->type == WALL_CONE)
		scree_surface_round(&j, &o);
	else if (w->type == WALL_FACETS || w->type == WALL_POLYGON) /* polygonal walls exist only in 2D */
		scree_surface_facets(&j, &o);
	else
		j.crossed = true; /* an unsupported form stops the run */
	const surface_rule rule = {a->halo, a->of->shortest * a->size, a->round, a->round};
	scree_surface_contacts(j.room, &rule, j.counts, out);
	*crossed = j.crossed;
}
