/* build_walls: walls and their motion. */
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

#include "base/maths.h"
#include "base/memory.h"
#include "prepare/flaws.h"

static servo_rule build_servo(const servo_spec *s)
{
	const node *n = s->h.where;
	bool ends = scree_node_child(n, "travel") != NULL;
	return (servo_rule){.force = s->force,
						.mass = scree_node_child(n, "mass") ? s->mass : 0,
						.damping = s->damping,
						.max_speed = scree_node_child(n, "max_speed") ? s->max_speed : 0,
						.low = ends ? s->travel[0] : -INFINITY,
						.high = ends ? s->travel[1] : INFINITY};
}

static wall_motion build_motion(const motion_spec *m)
{
	wall_motion out = {.type = MOTION_STILL, .axis = v3(0, 0, 1), .until = INFINITY};
	if (!m->h.where) return out;
	bool ends = scree_node_child(m->h.where, "until") != NULL;
	out.from = m->from;
	out.ramp = m->ramp;
	if (ends) out.until = m->until;
	if (m->vibration.h.where) {
		out.type = MOTION_VIBRATION;
		out.amplitude = m->vibration.amplitude;
		out.frequency = m->vibration.frequency;
		out.phase = m->vibration.phase;
	} else if (m->servo.h.where) {
		out.type = MOTION_SERVO;
		out.servo = build_servo(&m->servo);
		if (scree_node_child(m->servo.h.where, "axis")) out.axis = m->servo.axis.unit;
	} else if (scree_node_child(m->h.where, "velocity")) {
		out.type = MOTION_VELOCITY;
		out.velocity = m->velocity;
	} else {
		out.type = MOTION_ROTATION;
		if (scree_node_child(m->h.where, "about")) out.axis = m->about.unit;
		out.point = m->point;
		out.rate = m->angular_velocity;
	}
	return out;
}

static bool add_box(reader *r, const wall_spec *s, wall w, fail *why)
{
	const box_spec *b = &s->box;
	const int32_t *open = b->open.item;
	for (int32_t face = 0; face < (r->flat ? 4 : 6); ++face) {
		bool left_out = false;
		for (int32_t i = 0; i < b->open.count; ++i) left_out |= open[i] == face;
		if (left_out) continue;
		real sign = face % 2 ? -1 : 1;
		vec3 normal = v3(face / 2 == 0 ? sign : 0, face / 2 == 1 ? sign : 0, face / 2 == 2 ? sign : 0);
		snprintf(w.name, sizeof w.name, "%.40s.%s", s->h.name, scree_words_faces(NULL, face));
		if (scree_walls_add_plane(&r->world->wall, w, face % 2 ? b->max : b->min, normal, why) < 0) return false;
	}
	return true;
}

static void turn_over(mesh *m)
{
	for (int32_t t = 0; t < m->triangles; ++t) {
		int32_t *c = m->triangle + 3 * t, swap = c[1];
		c[1] = c[2], c[2] = swap;
	}
}

static bool add_mesh(reader *r, const wall_spec *s, wall w, fail *why)
{
	mesh m;
	if (!scree_build_mesh(r, &s->mesh, &m)) return true; /* has been reported */
	for (int32_t i = 0; i < m.vertices; ++i) m.vertex[i] = v3_madd(s->mesh.move, s->mesh.scale, m.vertex[i]);
	if (s->mesh.flip) turn_over(&m);
	int32_t row = scree_walls_add_mesh(&r->world->wall, w, m.vertices, m.vertex, m.triangles, m.triangle, why);
	scree_mesh_free(&m);
	return row >= 0;
}

/* a wall that was to be closed has no open edge */
static void check_closed(reader *r, const mesh_spec *m, const wall *w, const wall_surface *l)
{
	const wall_edge *e = l->open ? &l->first_open : &l->first_crowded;
	if (!m->closed || l->closed || l->turned) return; /* turned facets are a fault of their own */
	scree_report(&r->r, scree_where(&m->h, "closed")->at, "close it in the file, or leave out closed",
				 "closed: wall %s has %d %s, the first from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m", w->name,
				 l->open ? l->open : l->crowded, l->open ? "open edges" : "edges of more than two triangles", e->from.x,
				 e->from.y, e->from.z, e->to.x, e->to.y, e->to.z);
}

/* Through facets that face the wrong way bodies would pass. */
static void refuse_flaws(reader *r, const wall_spec *s, int32_t row)
{
	const wall *w = r->world->wall.row + row;
	wall_flaws all = scree_wall_flaws(r->world, row);
	for (int k = 0; k < all.count; ++k)
		if (all.row[k].weight == FLAW_REFUSED)
			scree_report(&r->r, scree_where(&s->mesh.h, "file")->at, NULL, "file: wall %s %s", w->name,
						 all.row[k].text);
}

void scree_build_check_meshes(reader *r)
{
	const wall_spec *s = r->spec.walls.item;
	for (int32_t k = 0; k < r->spec.walls.count; ++k)
		if (s[k].mesh.h.where) refuse_flaws(r, s + k, scree_walls_find(&r->world->wall, s[k].h.name));
}

/* A prism around the cylinder: flats touch it along their middles, so that it is the limit from outside. */
static bool add_strips(walls *to, const tube_spec *t, wall w, fail *why)
{
	int32_t n = (int32_t)t->facets, *corner = scree_alloc(6 * (size_t)n, sizeof *corner);
	vec3 *at = scree_alloc(2 * (size_t)n, sizeof *at);
	vec3 z = t->axis.unit, any = real_abs(z.x) < (real)0.5 ? v3(1, 0, 0) : v3(0, 1, 0);
	vec3 x = v3_unit(v3_cross(any, z)), y = v3_cross(z, x);
	real s, c;
	scree_sincos(SCREE_PI / n, &s, &c);
	real radius = t->radius / c;
	for (int32_t k = 0; k < n; ++k) {
		scree_sincos((2 * k + 1) * SCREE_PI / n, &s, &c);
		vec3 middle = v3_madd(v3_madd(t->center, radius * c, x), radius * s, y);
		at[2 * k] = v3_madd(middle, -t->length / 2, z);
		at[2 * k + 1] = v3_madd(middle, t->length / 2, z);
		int32_t a = 2 * k, b = 2 * ((k + 1) % n), *o = corner + 6 * (size_t)k;
		bool inside = t->side == SIDE_INSIDE;
		const int32_t turn[6] = {a, inside ? a + 1 : b, b + 1, a, b + 1, inside ? b : a + 1};
		for (int i = 0; i < 6; ++i) o[i] = turn[i];
	}
	int32_t row = scree_walls_add_mesh(to, w, 2 * n, at, 2 * n, corner, why);
	scree_free(at);
	scree_free(corner);
	return row >= 0;
}

static bool add_cylinder(walls *to, const tube_spec *t, wall w, fail *why)
{
	bool finite = scree_node_child(t->h.where, "length") != NULL;
	if (scree_node_child(t->h.where, "facets")) {
		if (finite) return add_strips(to, t, w, why);
		return scree_fail(why, FAIL_INPUT, "a cylinder of facets needs a length");
	}
	vec3 end = finite ? v3_madd(t->center, -t->length / 2, t->axis.unit) : t->center;
	return scree_walls_add_cylinder(to, w, end, t->axis.unit, t->radius, finite ? t->length : INFINITY,
									(wall_side)t->side, why) >= 0;
}

/* a solid polygon of the plane: its form is a shape like those of bodies */
static bool add_flat_polygon(reader *r, const wall_spec *s, wall w, fail *why)
{
	int32_t row =
		scree_shapes_add_polygon(&r->world->shape, w.name, s->polygon.points.count, s->polygon.points.item, why);
	return row >= 0 && scree_walls_add_flat_polygon(&r->world->wall, w, row, why) >= 0;
}

static bool add_wall(reader *r, const wall_spec *s, wall w, fail *why)
{
	walls *to = &r->world->wall;
	if (s->line.h.where) return scree_walls_add_plane(to, w, s->line.point, v3_unit(s->line.normal), why) >= 0;
	if (s->circle.h.where)
		return scree_walls_add_cylinder(to, w, s->circle.center, v3(0, 0, 1), s->circle.radius, INFINITY,
										(wall_side)s->circle.side, why) >= 0;
	if (r->flat && s->polygon.h.where) return add_flat_polygon(r, s, w, why);
	if (s->plane.h.where) return scree_walls_add_plane(to, w, s->plane.point, v3_unit(s->plane.normal), why) >= 0;
	if (s->polygon.h.where)
		return scree_walls_add_polygon(to, w, s->polygon.points.count, s->polygon.points.item, why) >= 0;
	if (s->cylinder.h.where) return add_cylinder(to, &s->cylinder, w, why);
	if (s->box.h.where) return add_box(r, s, w, why);
	if (s->mesh.h.where) return add_mesh(r, s, w, why);
	const tube_spec *t = &s->cone;
	return scree_walls_add_cone(to, w, t->center, t->axis.unit, t->radius, t->radius2, t->length, (wall_side)t->side,
								why) >= 0;
}

/* a servo without an axis presses along the normal of its wall; false: it has none */
static bool along_normal(const wall_spec *s, walls *all, int32_t row)
{
	wall *w = all->row + row;
	const node *n = s->motion.servo.h.where;
	if (!n || scree_node_child(n, "axis")) return true;
	bool polygon = w->type == WALL_FACETS && s->polygon.h.where;
	if (w->type != WALL_PLANE && !polygon) return false;
	w->motion.axis = polygon ? all->facet[w->first_facet].normal : w->axis;
	return true;
}

/* can the narrow phase of the run have it? */
static bool fits(const scree_world *w, int32_t row, fail *why)
{
	const char *refusal = w->narrow->refuses(&w->wall, row);
	return !refusal || scree_fail(why, FAIL_INPUT, "run.narrow_phase %s: %s", w->narrow->name, refusal);
}

void scree_build_walls(reader *r)
{
	const wall_spec *s = r->spec.walls.item;
	for (int32_t k = 0; k < r->spec.walls.count; ++k) {
		fail why = {0};
		wall w = scree_wall_default(s[k].h.name, s[k].material);
		w.two_sided = s[k].two_sided;
		w.motion = build_motion(&s[k].motion);
		w.internal = s[k].class == 1;
		int32_t before = r->world->wall.count;
		bool added = add_wall(r, &s[k], w, &why);
		for (int32_t i = before; added && i < r->world->wall.count; ++i) added = fits(r->world, i, &why);
		for (int32_t i = before; added && i < r->world->wall.count; ++i)
			if (!along_normal(&s[k], &r->world->wall, i)) {
				scree_report(&r->r, scree_where(&s[k].motion.h, "servo")->at,
							 r->flat ? "add axis: [0, -1], say" : "add axis: [0, 0, -1], say",
							 "servo: the key 'axis' is missing; only %s and boxes have a normal",
							 r->flat ? "lines" : "planes, polygons");
				break;
			}
		if (s[k].mesh.h.where && r->world->wall.count > before) {
			wall_surface look = scree_wall_surface(&r->world->wall, before);
			check_closed(r, &s[k].mesh, r->world->wall.row + before, &look);
			refuse_flaws(r, s + k, before);
		}
		if (!added && why.text[0]) scree_report(&r->r, s[k].h.where->first->at, NULL, "%s", why.text);
	}
}
