/* vtk_mesh: shapes and walls as polygons for display. */
#include "format/vtk_parts.h"

#include "base/maths.h"
#include "base/memory.h"
#include "kernel/quat.h"

enum { ROUND = 24, RINGS = 12, TUBE = 64 };

static int64_t grown(int64_t room) { return room + room / 2 + 256; }

int64_t scree_vtk_mesh_point(vtk_mesh *m, vec3 p)
{
	if (m->points == m->point_room) {
		m->point = scree_grow(m->point, (size_t)m->points, (size_t)grown(m->point_room), sizeof *m->point);
		m->point_room = grown(m->point_room);
	}
	m->point[m->points] = p;
	return m->points++;
}

void scree_vtk_mesh_cell(vtk_mesh *m, int corners, const int64_t *corner, int32_t tag)
{
	if (m->cells == m->cell_room) {
		size_t old = (size_t)m->cells, room = (size_t)grown(m->cell_room);
		m->end = scree_grow(m->end, old, room, sizeof *m->end);
		m->tag = scree_grow(m->tag, old, room, sizeof *m->tag);
		m->cell_room = (int64_t)room;
	}
	if (m->corners + corners > m->corner_room) {
		int64_t room = grown(m->corner_room) + corners;
		m->corner = scree_grow(m->corner, (size_t)m->corners, (size_t)room, sizeof *m->corner);
		m->corner_room = room;
	}
	for (int k = 0; k < corners; ++k) m->corner[m->corners++] = corner[k];
	m->end[m->cells] = m->corners;
	m->tag[m->cells++] = tag;
}

void scree_vtk_mesh_free(vtk_mesh *m)
{
	scree_free(m->point);
	scree_free(m->end);
	scree_free(m->corner);
	scree_free(m->tag);
	*m = (vtk_mesh){0};
}

/* the point of a sphere's net: ring 0 and RINGS are the poles */
static vec3 on_sphere(int ring, int round)
{
	real s, c, sine, cosine;
	scree_sincos(SCREE_PI * ring / RINGS, &s, &c);
	scree_sincos(2 * SCREE_PI * round / ROUND, &sine, &cosine);
	return v3(s * cosine, s * sine, c);
}

static void ball(vtk_mesh *m, real radius, quat turn, vec3 at, int32_t tag)
{
	int64_t first = m->points;
	scree_vtk_mesh_point(m, v3_madd(at, radius, quat_rotate(turn, v3(0, 0, 1))));
	for (int r = 1; r < RINGS; ++r)
		for (int k = 0; k < ROUND; ++k)
			scree_vtk_mesh_point(m, v3_madd(at, radius, quat_rotate(turn, on_sphere(r, k))));
	int64_t south = scree_vtk_mesh_point(m, v3_madd(at, radius, quat_rotate(turn, v3(0, 0, -1))));
	for (int k = 0; k < ROUND; ++k) {
		int64_t next = (k + 1) % ROUND, low = first + 1 + (int64_t)(RINGS - 2) * ROUND;
		const int64_t top[3] = {first, first + 1 + k, first + 1 + next}, bottom[3] = {low + next, low + k, south};
		scree_vtk_mesh_cell(m, 3, top, tag);
		for (int r = 0; r + 2 < RINGS; ++r) {
			int64_t ring = first + 1 + (int64_t)r * ROUND;
			const int64_t side[4] = {ring + k, ring + ROUND + k, ring + ROUND + next, ring + next};
			scree_vtk_mesh_cell(m, 4, side, tag);
		}
		scree_vtk_mesh_cell(m, 3, bottom, tag);
	}
}

void scree_vtk_mesh_shape(vtk_mesh *m, const shape *s, real size, quat turn, vec3 at, int32_t tag)
{
	if (s->type == SHAPE_SPHERE) {
		ball(m, s->radius * size, turn, at, tag);
		return;
	}
	int64_t first = m->points, *corner = scree_alloc((size_t)s->corners, sizeof *corner);
	for (int32_t k = 0; k < s->vertices; ++k)
		scree_vtk_mesh_point(m, v3_madd(at, size, quat_rotate(turn, v3(s->vx[k], s->vy[k], s->vz[k]))));
	for (int32_t f = 0; f < s->faces; ++f) {
		int n = s->first[f + 1] - s->first[f];
		for (int k = 0; k < n; ++k) corner[k] = first + s->corner[s->first[f] + k];
		scree_vtk_mesh_cell(m, n, corner, tag);
	}
	scree_free(corner);
}

/* ------------------------------------------------------------------ walls */

typedef struct view {
	vec3 centre;
	real radius; /* about all bodies and all walls that end */
} view;

typedef struct bounds {
	vec3 low, high;
	bool any;
} bounds;

static void note(bounds *o, vec3 p, real reach)
{
	vec3 low = v3(p.x - reach, p.y - reach, p.z - reach), high = v3(p.x + reach, p.y + reach, p.z + reach);
	if (!o->any) {
		o->low = low;
		o->high = high;
	}
	o->low = v3(real_min(o->low.x, low.x), real_min(o->low.y, low.y), real_min(o->low.z, low.z));
	o->high = v3(real_max(o->high.x, high.x), real_max(o->high.y, high.y), real_max(o->high.z, high.z));
	o->any = true;
}

static vec3 put(const wall *o, vec3 p) { return v3_add(o->place, quat_rotate(o->turn, p)); }

static bool endless(const wall *o)
{
	return o->type == WALL_PLANE || (o->type == WALL_CYLINDER && !(o->length < (real)1e30));
}

static view seen_of(const scree_world *w)
{
	bounds o = {0};
	for (int32_t i = 0; i < w->body.count; ++i) note(&o, body_position(&w->body, i), w->body.radius[i]);
	for (int32_t k = 0; k < w->wall.count; ++k) {
		const wall *q = w->wall.row + k;
		if (q->removed || endless(q)) continue;
		if (q->type != WALL_FACETS) {
			note(&o, put(q, q->point), q->radius);
			note(&o, put(q, v3_madd(q->point, q->length, q->axis)), q->radius2);
		}
		for (int32_t f = 0; f < q->facets; ++f) {
			const facet *g = w->wall.facet + q->first_facet + f;
			for (int32_t c = 0; c < g->corners; ++c) note(&o, put(q, w->wall.corner[g->first + c]), 0);
		}
	}
	if (!o.any && w->guard.bounded) {
		note(&o, w->guard.low, 0);
		note(&o, w->guard.high, 0);
	}
	if (!o.any) return (view){v3(0, 0, 0), 1};
	real radius = v3_norm(v3_sub(o.high, o.low)) / 2;
	return (view){v3_mul((real)0.5, v3_add(o.low, o.high)), radius > 0 ? radius : 1};
}

static void plane(vtk_mesh *m, const wall *o, const view *v, int32_t tag)
{
	vec3 normal = quat_rotate(o->turn, o->axis), a = v3_across(normal), b = v3_cross(normal, a);
	vec3 middle = v3_madd(v->centre, -v3_dot(normal, v3_sub(v->centre, put(o, o->point))), normal);
	int64_t corner[4];
	for (int k = 0; k < 4; ++k) {
		real along = k == 1 || k == 2 ? v->radius : -v->radius, across = k > 1 ? v->radius : -v->radius;
		corner[k] = scree_vtk_mesh_point(m, v3_madd(v3_madd(middle, along, a), across, b));
	}
	scree_vtk_mesh_cell(m, 4, corner, tag);
}

static void tube(vtk_mesh *m, const wall *o, const view *v, int32_t tag)
{
	vec3 axis = quat_rotate(o->turn, o->axis), from = put(o, o->point);
	/* a turning tube turns its net with it */
	vec3 a = quat_rotate(o->turn, v3_across(o->axis)), b = v3_cross(axis, a);
	real length = o->length;
	if (endless(o)) { /* from the first end on: it has none */
		real middle = v3_dot(axis, v3_sub(v->centre, from));
		from = v3_madd(from, middle - v->radius, axis);
		length = 2 * v->radius;
	}
	int64_t first = m->points;
	for (int k = 0; k < TUBE; ++k) {
		real sine, cosine;
		scree_sincos(2 * SCREE_PI * k / TUBE, &sine, &cosine);
		vec3 out = v3_add(v3_mul(cosine, a), v3_mul(sine, b));
		scree_vtk_mesh_point(m, v3_madd(from, o->radius, out));
		scree_vtk_mesh_point(m, v3_madd(v3_madd(from, length, axis), o->radius2, out));
	}
	for (int k = 0; k < TUBE; ++k) {
		int64_t here = first + 2 * k, next = first + 2 * ((k + 1) % TUBE);
		const int64_t corner[4] = {here, next, next + 1, here + 1};
		scree_vtk_mesh_cell(m, 4, corner, tag);
	}
}

static void facets(vtk_mesh *m, const walls *s, const wall *o, int32_t tag)
{
	for (int32_t f = 0; f < o->facets; ++f) {
		const facet *g = s->facet + o->first_facet + f;
		int64_t *corner = scree_alloc((size_t)g->corners, sizeof *corner);
		for (int32_t c = 0; c < g->corners; ++c) corner[c] = scree_vtk_mesh_point(m, put(o, s->corner[g->first + c]));
		scree_vtk_mesh_cell(m, g->corners, corner, tag);
		scree_free(corner);
	}
}

void scree_vtk_mesh_walls(vtk_mesh *m, const scree_world *w)
{
	view v = seen_of(w);
	for (int32_t k = 0; k < w->wall.count; ++k) {
		const wall *o = w->wall.row + k;
		if (o->removed) continue;
		if (o->type == WALL_PLANE) plane(m, o, &v, k);
		if (o->type == WALL_CYLINDER || o->type == WALL_CONE) tube(m, o, &v, k);
		if (o->type == WALL_FACETS) facets(m, &w->wall, o, k);
	}
}
