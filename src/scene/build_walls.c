/* build_walls: builds walls and their motions. */
#include "scene/reader.h"

#include "model/narrow.h"
#include "prepare/wall_defects.h"
#include "wall/forms.h"
#include "world/world.h"

/* reports a wall with `closed: true` that has an open edge */
static void check_closed(reader *r, const mesh_spec *m, const wall *w, const wall_surface *l)
{
	const wall_edge *e = l->open ? &l->first_open : &l->first_crowded;
	if (!m->closed || l->closed || l->turned) return; /* reversed facets are reported separately */
	REFUSE_VALUE(r, &m->h, "closed", "close it in the file, or leave out closed",
				 "closed: wall %s has %d %s, the first from (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m", w->name,
				 l->open ? l->open : l->crowded, l->open ? "open edges" : "edges shared by more than two triangles",
				 e->from.x, e->from.y, e->from.z, e->to.x, e->to.y, e->to.z);
}

/* Refuses facets that face the wrong way, since bodies would pass through them. */
static void refuse_defects(reader *r, const wall_spec *s, int32_t row)
{
	const wall *w = r->world->model.wall.row + row;
	wall_defects all = scree_wall_defects(&r->world->model, &r->world->state, &r->world->work.domain, row);
	for (int k = 0; k < all.count; ++k)
		if (all.row[k].weight == DEFECT_REFUSED)
			REFUSE_VALUE(r, &s->mesh.h, "file", NULL, "file: wall %s %s", w->name, all.row[k].text);
}

void scree_build_check_meshes(reader *r)
{
	EACH(const wall_spec, s, r->spec.walls)
	if (s->mesh.h.where) refuse_defects(r, s, scree_walls_find(&r->world->model.wall, s->h.name));
}

static bool add_wall(reader *r, const wall_spec *s, wall w, fail *why)
{
	const key *form = scree_form_given(&s->h);
	return !form || form->make->wall(r, (const char *)s + form->at, w, why);
}

bool scree_build_servo_axis(const wall_spec *s, const walls *all, wall *w)
{
	const servo_spec *servo = scree_motion_servo(&s->motion);
	if (!servo || w->motion.type == MOTION_TORQUE || scree_node_child(servo->h.where, "axis")) return true;
	bool polygon = w->type == WALL_FACETS && s->polygon.h.where;
	if (w->type != WALL_PLANE && !polygon) return false;
	w->motion.axis = polygon ? all->facet[w->first_facet].normal : w->axis;
	return true;
}

/* tests whether the narrow phase of the run supports the wall */
static bool is_supported(const scree_world *w, int32_t row, fail *why)
{
	if (scree_wall_forms[w->model.wall.row[row].type].balls_only) return true;
	const char *refusal = w->model.narrow->refuses(&w->model.wall, row);
	return !refusal || scree_fail(why, FAIL_INPUT, "run.narrow_phase %s: %s", w->model.narrow->name, refusal);
}

/* Stores servo values derived from the bodies in both the resolved scene and the rule, so that the two agree. */
static void resolve_servo(servo_spec *s, wall *o)
{
	const real mass = o->servo.mass, speed = o->servo.max_speed;
	const bool turns = o->motion.type == MOTION_TORQUE;
	*(turns ? &s->inertia : &s->mass) = o->motion.servo.mass = mass;
	*(turns ? &s->max_angular_velocity : &s->max_speed) = o->motion.servo.max_speed = speed;
	scree_resolve(&s->h, turns ? "inertia" : "mass");
	scree_resolve(&s->h, turns ? "max_angular_velocity" : "max_speed");
}

void scree_build_resolve_servos(reader *r)
{
	walls *all = &r->world->model.wall;
	EACH(const wall_spec, s, r->spec.walls)
	{
		const int32_t row = scree_walls_find(all, s->h.name); /* -1 for a box, whose walls have their own values */
		if (row < 0 || motion_is_free(all->row[row].motion.type)) continue;
		if (motion_is_driven(all->row[row].motion.type) && all->row[row].servo.stiffness > 0)
			resolve_servo((servo_spec *)scree_motion_servo(&s->motion), all->row + row);
	}
}

static void check_belt(reader *r, const wall_spec *s, int32_t row)
{
	const walls *all = &r->world->model.wall;
	const wall *w = all->row + row;
	for (int32_t k = 0; k <= w->parts; ++k) {
		const wall_motion *m = wall_motion_of(w, k);
		if (m->type == MOTION_SURFACE && !scree_wall_is_along(all, w, m->velocity))
			REFUSE_VALUE(r, &s->motion.h, "surface_velocity",
						 "a surface that turns about its own axis has angular_velocity",
						 "surface_velocity: it must be along the surface of the wall everywhere");
	}
}

/* The motion of an inactive wall begins with the stage that activates it. */
static void set_aside(walls *all, int32_t row)
{
	wall *w = all->row + row;
	w->removed = true;
	scree_build_motion(all, &(motion_spec){0}, w);
}

/* Looks up the materials that the wall acts on, by name. */
static void set_only(reader *r, const wall_spec *s, wall *w)
{
	const int32_t count = r->spec.materials.count;
	if (!s->only.count) return;
	bool *only = scree_alloc((size_t)count, sizeof *only);
	for (int32_t k = 0; k < s->only.count; ++k) only[((const int32_t *)s->only.item)[k]] = true;
	w->only = scree_walls_keep(&r->world->model.wall, only, count, sizeof *only);
	w->materials = count;
	scree_free(only);
}

static void build_wall(reader *r, const wall_spec *s)
{
	walls *all = &r->world->model.wall;
	const int32_t before = all->count;
	fail why = {0};
	wall w = scree_wall_default(s->h.name, s->material);
	w.two_sided = s->two_sided;
	w.conducts = scree_given(&s->h, "temperature");
	w.temperature = w.conducts ? s->temperature : 0;
	scree_build_motion(all, &s->motion, &w);
	w.internal = s->class == 1;
	set_only(r, s, &w);
	bool added = add_wall(r, s, w, &why);
	scree_state_room(&r->world->model, &r->world->state);
	for (int32_t i = before; added && i < all->count; ++i) added = is_supported(r->world, i, &why);
	bool has_axis = true;
	for (int32_t i = before; added && has_axis && i < all->count; ++i)
		has_axis = scree_build_servo_axis(s, all, all->row + i);
	if (!has_axis)
		REFUSE_VALUE(r, &s->motion.h, "servo",
					 r->flat ? "for example, add axis: [0, -1]" : "for example, add axis: [0, 0, -1]",
					 "servo: the key 'axis' is missing; only %s and boxes have a normal",
					 r->flat ? "lines" : "planes, polygons");
	for (int32_t i = before; i < all->count; ++i) check_belt(r, s, i);
	for (int32_t i = before; !s->active && i < all->count; ++i) set_aside(all, i);
	if (s->mesh.h.where && all->count > before) {
		wall_surface look = scree_wall_surface(all, before);
		check_closed(r, &s->mesh, all->row + before, &look);
		refuse_defects(r, s, before);
	}
	if (!added && why.text[0]) REFUSE(r, s->h.where->first, NULL, "%s", why.text);
}

void scree_build_walls(reader *r) { EACH(const wall_spec, s, r->spec.walls) build_wall(r, s); }
