/* overlap_wall: the volume of a polyhedron behind a plane or facets (kernel/wall_overlap.h, kernel/facet_overlap.h). */
#include "base/memory.h"
#include "narrow/wall/parts.h"

typedef overlap_room facet_regions; /* the names of kernel/facet_overlap.h */
SCREE_FN int32_t parts_vertices(const parts_cutting *c) { return parts_left(c)->vertices; }
SCREE_FN vec3 parts_vertex(const parts_cutting *c, int32_t v) { return parts_left(c)->vertex[v]; }

static void parts_begin(parts_cutting *c, overlap_member *m)
{
	scree_overlap_begin(c->sum, c->of, parts_left(c), m->from, m->along);
}

#include "kernel/facet_overlap.h"

static void parts_add(parts_cutting *c, int32_t sum, vec3 along)
{
	scree_overlap_add(c->sum + sum, parts_left(c));
	if (c->of == ENERGY_OF_VOLUME) scree_overlap_press(parts_left(c), along, &c->on);
}

SCREE_FN real volume_of(const placed *body) { return body->shape->volume * body->size * body->size * body->size; }

/* ------------------------------------------------------------------ facets */

/* Computes the sums of the overlap with one surface; returns false if there is none. side: as in facet_behind */
static bool member_of(parts_cutting *c, facet_behind *o, real side, overlap_room *r, member_overlap *m)
{
	o->side = side;
	c->sum = &m->sum;
	pressure_start(&c->on);
	const bool any = facet_member_of(c, r, o, 0, &m->at);
	m->arm = scree_pressure_arm(&c->on);
	return any;
}

static real energy_of(const member_overlap *m, const placed *body)
{
	overlap_contact c;
	return scree_overlap_contact(&m->sum, volume_of(body), m->at.along, &c) ? c.weight * c.depth * c.depth : 0;
}

/* A body that overhangs a two-sided surface's border is on the side with the lower energy (as in facet_contacts.h). */
static bool find_member(parts_cutting *c, facet_behind *o, overlap_room *r, member_overlap *m)
{
	if (!member_of(c, o, 0, r, m)) return false;
	const surface_place place = facet_place(o);
	if (place != PLACE_PAST_BORDER) return place != PLACE_BEYOND;
	member_overlap back;
	if (!member_of(c, o, 1, r, m) || !member_of(c, o, -1, r, &back)) return false;
	if (energy_of(&back, o->body) < energy_of(m, o->body)) *m = back;
	return true;
}

/* Finds the bonds of members; returns false if no members are connected. */
static bool find_bonds(const walls *s, overlap_room *r)
{
	const int32_t n = r->members;
	bool any = false;
	WALL_ROOM(r, bond, n * n);
	for (int32_t i = 0; i < n; ++i)
		for (int32_t k = 0; k < n; ++k)
			any |= facet_find_bond(s, &r->member[i].at, &r->member[k].at, r->bond + i * n + k);
	return any;
}

static overlap_room *room_of(touch_list *out)
{
	wall_scratch *w = scree_wall_scratch(out);
	if (!w->joint) w->joint = scree_alloc(1, sizeof *w->joint);
	return w->joint;
}

static void find_contacts(overlap_room *r, const placed *body, bool joined)
{
	if (joined) {
		scree_overlap_join(r, volume_of(body));
		return;
	}
	for (int32_t k = 0; k < r->members; ++k) {
		member_overlap *m = r->member + k;
		m->any = scree_overlap_contact(&m->sum, volume_of(body), m->at.along, &m->contact);
	}
}

static void at_facets(const placed *body, const near_wall *to, overlap_energy of, touch_list *out)
{
	overlap_room *r = room_of(out);
	facet_behind o = {.to = to, .s = body->shape, .body = body, .surface = -1};
	parts_cutting c;
	c.of = of;
	r->members = 0;
	while ((o.surface = facet_next_surface(to, o.surface)) >= 0) {
		WALL_ROOM(r, member, r->members + 1);
		r->members += find_member(&c, &o, r, r->member + r->members);
	}
	find_contacts(r, body, r->members > 1 && find_bonds(to->s, r));
	for (int32_t k = 0; k < r->members; ++k) {
		member_overlap *m = r->member + k;
		if (!m->any) continue;
		if (of == ENERGY_OF_VOLUME) m->contact.arm = m->arm;
		scree_overlap_touch(&m->contact, of, &body->turn, m->at.surface, out);
	}
}

/* ------------------------------------------------------------------ all walls */

static bool is_known(const wall *w)
{
	const wall_type t = w->type; /* polygons are in worlds in the plane only */
	return t == WALL_PLANE || t == WALL_CYLINDER || t == WALL_CONE || t == WALL_FACETS || t == WALL_POLYGON;
}

const char *scree_thickness_refuses(const walls *s, int32_t wall)
{
	const struct wall *w = s->row + wall;
	if (!is_known(w)) return "it supports planes, boxes, cylinders, cones, polygons and meshes";
	for (int32_t f = w->first_facet; w->type == WALL_FACETS && f < w->first_facet + w->facets; ++f)
		if (s->facet[f].corners > OVERLAP_CORNERS) return "it supports polygons of up to 250 corners";
	return NULL;
}

const char *scree_overlap_refuses(const walls *s, int32_t wall)
{
	const struct wall *w = s->row + wall;
	if (!is_known(w) || w->type == WALL_CYLINDER || w->type == WALL_CONE)
		return "it supports planes, boxes, polygons and meshes; a cylinder can be made of facets";
	return scree_thickness_refuses(s, wall);
}

SCREE_FN void set_touch(touch_list *out, int32_t surface, const placed *body, const overlap *sum, vec3 normal, real arm)
{
	overlap_contact c;
	if (!scree_overlap_contact(sum, volume_of(body), view_direction(body, normal), &c)) return;
	if (sum->of == ENERGY_OF_VOLUME) c.arm = arm;
	scree_overlap_touch(&c, sum->of, &body->turn, surface, out);
}

static void at_plane(const placed *body, const wall *w, overlap_energy of, touch_list *out)
{
	vec3 n;
	cutting c;
	if (!wall_plane_faces(body->shape, body, w, &n)) return;
	const vec3 m = view_direction(body, n);
	scree_cut_start(&c, body->shape, body->size, OVERLAP_SLACK * placed_radius(body));
	if (!scree_cut(&c, m, v3_dot(n, v3_sub(w->point, body->at)))) return;
	overlap sum = scree_overlap_start(of, c.part + c.now, wall_deepest(body->shape, body, n), m);
	scree_overlap_add(&sum, c.part + c.now);
	pressure on;
	pressure_start(&on);
	if (of == ENERGY_OF_VOLUME) scree_overlap_press(c.part + c.now, m, &on);
	set_touch(out, w->first_surface, body, &sum, n, scree_pressure_arm(&on));
}

static void contacts_of(const placed *body, const near_wall *to, overlap_energy of, touch_list *out)
{
	const struct wall *w = to->s->row + to->wall;
	out->count = out->points = 0;
	if (w->removed) return;
	if (w->type == WALL_PLANE) at_plane(body, w, of, out);
	if (of == ENERGY_OF_THICKNESS && (w->type == WALL_CYLINDER || w->type == WALL_CONE))
		scree_thickness_round(body, w, out);
	if (w->type == WALL_FACETS) at_facets(body, to, of, out);
}

void scree_overlap_convex_wall(const placed *body, const near_wall *to, touch_list *out)
{
	contacts_of(body, to, ENERGY_OF_VOLUME, out);
}

void scree_thickness_convex_wall(const placed *body, const near_wall *to, touch_list *out)
{
	contacts_of(body, to, ENERGY_OF_THICKNESS, out);
}
