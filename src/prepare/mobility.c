/* mobility: quantities that limit the step besides the law: mobility of shapes, contacts per body, speeds and loads. */
#include "prepare/internal.h"

#include "base/memory.h"
#include "kernel/quat.h"
#include "model/law.h"
#include "model/model.h"
#include "shape/shape_forms.h"
#include "shape/shapes.h"
#include "state/state.h"

/* largest u'[p]' ease [p] u over all unit vectors u: mobility for a force at p in the worst direction */
static real turned_by(vec3 p, vec3 ease)
{
	vec3 u = v3_unit(v3_cross(p, v3(p.y + (real)0.3, -p.z, p.x + (real)0.7)));
	real value = 0;
	for (int k = 0; k < 40; ++k) {
		vec3 t = v3_cross(p, u), to = v3_cross(v3(ease.x * t.x, ease.y * t.y, ease.z * t.z), p);
		value = v3_norm(to);
		if (!(value > 0)) return 0;
		u = v3_mul(1 / value, to);
	}
	return value;
}

static mobility flat_mobility(const shape *s)
{
	real ease = s->volume / s->inertia.z;
	mobility g = {.rubs = ease * s->radius * s->radius, .points = 1, .parts = 1};
	for (int32_t k = 0; k < s->flat.corners; ++k) {
		const flat_corner *c = s->flat.corner + k;
		real lever = real_max(real_abs(c->x * c->tx + c->y * c->ty), real_abs(c[1].x * c->tx + c[1].y * c->ty));
		g.pushes = real_max(g.pushes, ease * lever * lever);
	}
	return g;
}

/* records the mobility of point p for a force along n */
static void note_place(mobility *g, vec3 p, vec3 n, vec3 ease)
{
	vec3 t = v3_cross(p, n);
	g->pushes = real_max(g->pushes, ease.x * t.x * t.x + ease.y * t.y * t.y + ease.z * t.z * t.z);
}

/* records the mobilities of a polyhedron, whose position and orientation are given in the body's frame */
static void note_faces(mobility *g, const shape *s, vec3 at, mat3 turn, vec3 ease)
{
	for (int32_t f = 0; f < s->faces; ++f) {
		vec3 n = mat3_mul(turn, shape_normal(s, f));
		for (int32_t c = s->first[f]; c < s->first[f + 1]; ++c) {
			int32_t v = s->corner[c];
			note_place(g, v3_add(at, mat3_mul(turn, shape_vertex(s, v))), n, ease);
		}
	}
	for (int32_t v = 0; v < s->vertices; ++v)
		g->rubs = real_max(g->rubs, turned_by(v3_add(at, mat3_mul(turn, shape_vertex(s, v))), ease));
}

/* Normal forces on a ball point to its centre, so they have the lever arm of the ball's centre. */
static void note_ball(mobility *g, shape_ball b, vec3 ease)
{
	real far = v3_norm(b.at);
	if (far > 0) g->pushes = real_max(g->pushes, turned_by(b.at, ease));
	g->rubs = real_max(g->rubs, turned_by(far > 0 ? v3_mul((far + b.radius) / far, b.at) : v3(b.radius, 0, 0), ease));
}

static void note_triangles(mobility *g, const trimesh *m, vec3 ease)
{
	for (int32_t k = 0; k < 3 * m->triangles; ++k) note_place(g, m->vertex[m->corner[k]], m->normal[k / 3], ease);
	for (int32_t v = 0; v < m->vertices; ++v) g->rubs = real_max(g->rubs, turned_by(m->vertex[v], ease));
}

/* Normal forces on a ball that is given as a superquadric do not rotate it. */
static void note_superquadric(mobility *g, const shape *s, vec3 ease)
{
	const real none = (real)1e-12;
	for (int32_t v = 0; v < s->skin->vertices; ++v) {
		note_place(g, s->skin->vertex[v], scree_superquadric_normal(s, s->skin->vertex[v]), ease);
		g->rubs = real_max(g->rubs, turned_by(s->skin->vertex[v], ease));
	}
	if (g->pushes < none) g->pushes = 0;
}

/* Mobility of points on a body's surface, relative to the mobility of the body's centre, minus 1. */
static mobility mobility_of(const model *m, const shape *form)
{
	const shape_form *f = scree_shape_forms + form->type;
	mobility g = {.pointed = (f->side & TAKES_POINTED) != 0,
				  .faced = (f->side & TAKES_POINTED) && form->mesh.triangles,
				  .points = 1,
				  .parts = 1};
	if (m->flat) return flat_mobility(form);
	if (form->type == SHAPE_SPHERE)
		return (mobility){
			.rubs = form->volume * form->radius * form->radius / form->inertia.x, .points = 1, .parts = 1};
	*(g.pointed ? &g.points : &g.parts) = (real)scree_flat_contacts(form);
	vec3 ease = v3(form->volume / form->inertia.x, form->volume / form->inertia.y, form->volume / form->inertia.z);
	if (form->faces) note_faces(&g, form, v3(0, 0, 0), quat_matrix(quat_one()), ease);
	for (int32_t k = 0; k < form->parts; ++k)
		if (form->part[k].solid) note_faces(&g, form->part[k].solid, form->part[k].at, form->part[k].turn, ease);
	for (int32_t k = 0; f->balls && k < f->balls(form); ++k) note_ball(&g, f->ball(form, k), ease);
	if (g.faced) note_triangles(&g, &form->mesh, ease);
	if (form->type == SHAPE_CAPSULE)
		note_ball(&g, (shape_ball){v3(0, 0, scree_capsule_half(form)), form->semi_x}, ease);
	if (form->type == SHAPE_SUPERQUADRIC) note_superquadric(&g, form, ease);
	return g;
}

mobility *scree_mobilities(const model *m)
{
	mobility *g = scree_alloc((size_t)m->shape.count, sizeof *g);
	for (int32_t k = 0; k < m->shape.count; ++k) g[k] = mobility_of(m, m->shape.row + k);
	return g;
}

/* a speed that is rarely exceeded: the guard's limit, or the initial speed plus a fall through the bodies' extent */
static real typical_speed(const model *m, const state *s, const domain *d)
{
	if (m->guard.speed > 0) return m->guard.speed;
	const span all = scree_span_of_bodies(s, d, false);
	real v2 = 0;
	for (int32_t i = 0; i < s->body.owned; ++i) v2 = real_max(v2, v3_norm2(body_velocity(&s->body, i)));
	scree_domain_most(d, 1, &v2);
	v2 += 2 * v3_norm(m->gravity) * v3_norm(span_size(&all));
	return v2 > 0 ? sqrt(v2) : 1;
}

/* Tests whether a body may have several contacts with the same partner. */
static bool several_contacts_allowed(const model *m)
{
	for (int32_t k = 0; k < m->shape.count; ++k)
		if (shape_side(m->shape.row[k].type) & (TAKES_COMPOUNDS | TAKES_POINTED)) return true;
	return false;
}

surroundings scree_surroundings(const model *m, const state *s, const domain *d)
{
	surroundings around = {
		.speed = typical_speed(m, s, d), .drag = scree_step_braked(m, s, d), .load = scree_world_pressed(m, s, d)};
	const int64_t bodies = scree_domain_count(d, s->body.owned);
	around.contacts =
		m->population.sources || several_contacts_allowed(m) ? INFINITY : (real)(bodies - 1 + m->wall.surfaces);
	return around;
}
