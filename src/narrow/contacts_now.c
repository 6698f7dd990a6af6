/* contacts_now: moves one-point contacts found at predicted poses to the current poses.
 *
 * The force in an implicit step is computed from the predicted overlap. If the lever arm were also computed from the
 * predicted poses, it would lag behind a rocking body and drain energy (docs/theory/implicit.md, "Swings"). Since the
 * surfaces roll on each other, the point moves back by the rotation times the radii of curvature. On a flat wall the
 * contact is at the body's deepest point. */
#include "narrow/stage.h"

#include "base/parallel.h"
#include "narrow/work.h"
#include "narrow/smooth/smooth.h"
#include "work/ways_ahead.h"

enum { GRAIN = 16 };
/* larger changes in the normal are ignored */
static const real FARTHEST = (real)0.5;
/* radius of curvature of a capsule's straight side, relative to the body's length */
static const real FLAT = (real)1e4;

typedef struct contact_now {
	vec3 normal, at; /* from b to a; m, from the centre of a */
} contact_now;

/* Radii of curvature, in m, of a surface at a contact along t and u, which are perpendicular to its normal. */
typedef struct bend {
	bool known;
	real tt, tu, uu;
} bend;

static placed placed_ahead(const kind_job *j, int32_t i)
{
	const bodies *b = &j->s->body;
	return (placed){j->m->shape.row + b->shape[i], v3(0, 0, 0), quat_matrix(body_orientation(b, i)), b->size[i]};
}

/* radius, in m, of the touching ball around a point in the body's frame; 0 if the point itself touches */
static real ball_of(const placed *p, real radius)
{
	if (placed_is_capsule(p)) return p->size * p->shape->semi_x;
	if (p->shape->type == SHAPE_SURFACE) return p->size * p->shape->halo;
	return p->shape->type == SHAPE_CONVEX ? 0 : radius;
}

static mat3 turned_over(const mat3 *by, const mat3 *t)
{
	return (mat3){mat3_mul(*by, t->x), mat3_mul(*by, t->y), mat3_mul(*by, t->z)};
}

/* Moves a contact on a wall whose normal does not depend on the point. */
static contact_now on_wall(const kind_job *j, int64_t k)
{
	const contact_work *c = &j->w->pair[j->kind].contact;
	const pair_list *l = j->s->pair + j->kind;
	const int32_t i = l->ca[k], wall = j->m->wall.surface_wall[l->cb[k]];
	const vec3 n = v3(c->nx[k], c->ny[k], c->nz[k]), at = v3(c->px[k], c->py[k], c->pz[k]);
	const mat3 turn = turn_back_on(&j->s->body, &j->w->ahead, i, j->s->wall + wall, wall);
	placed p = placed_ahead(j, i);
	if (placed_is_smooth(&p)) {
		const wall_type type = j->m->wall.row[wall].type;
		if (type == WALL_CYLINDER || type == WALL_CONE) return (contact_now){n, at};
		p.turn = turned_over(&turn, &p.turn);
		const smooth s = scree_smooth_of(&p, 0);
		return (contact_now){n, v3_madd(scree_smooth_plane(&s, v3_neg(n), v3_across(n)).at, c->depth[k] / 2, n)};
	}
	const real radius = ball_of(&p, c->ra[k]) - c->depth[k] / 2;
	return (contact_now){n, v3_madd(mat3_mul(turn, v3_madd(at, radius, n)), -radius, n)};
}

/* out: the outward normal of the surface; at: the contact relative to the body's centre */
static bend bend_of(const placed *p, real radius, vec3 out, vec3 at, vec3 t, vec3 u)
{
	if (placed_is_smooth(p)) {
		const smooth s = scree_smooth_of(p, 0);
		const support f = scree_smooth_support(&s, out, t, u);
		return (bend){true, f.tt, f.tu, f.uu};
	}
	if (p->shape->type == SHAPE_SURFACE || p->shape->type == SHAPE_CONVEX) return (bend){.known = false};
	const real r = ball_of(p, radius);
	bend b = {true, r, 0, r};
	if (!placed_is_capsule(p)) return b;
	const vec3 along = p->turn.z;
	if (real_abs(v3_dot(at, along)) > p->size * p->shape->radius - r * (real)1.000001) return b; /* an end */
	const real x = v3_dot(along, t), y = v3_dot(along, u), flat = FLAT * p->size;
	b.tt += flat * x * x, b.tu += flat * x * y, b.uu += flat * y * y;
	return b;
}

/* Returns the curvature tensor times the component of d perpendicular to the normal. */
static vec3 bent(const bend *b, vec3 d, vec3 t, vec3 u)
{
	const real x = v3_dot(d, t), y = v3_dot(d, u);
	return v3_madd(v3_mul(b->tt * x + b->tu * y, t), b->tu * x + b->uu * y, u);
}

/* Returns the change in the normal after which both surfaces have opposite normals at one point. d: vector in m between
 * their points without this change */
static vec3 change_of(const bend *a, const bend *b, real depth, vec3 d, vec3 t, vec3 u)
{
	const real tt = real_max(a->tt + b->tt - depth, (a->tt + b->tt) / 2), tu = a->tu + b->tu,
			   uu = real_max(a->uu + b->uu - depth, (a->uu + b->uu) / 2);
	const real x = v3_dot(d, t), y = v3_dot(d, u), one = 1 / (tt * uu - tu * tu);
	return v3_madd(v3_mul(one * (uu * x - tu * y), t), one * (tt * y - tu * x), u);
}

typedef struct meeting {
	vec3 normal, at, apart, apart_now; /* predicted poses; `apart` points from the centre of b to the centre of a */
	real depth;
	mat3 turn_a, turn_b;
} meeting;

static meeting meeting_of(const kind_job *j, int64_t k)
{
	const contact_work *c = &j->w->pair[j->kind].contact;
	const pair_list *l = j->s->pair + j->kind;
	const bodies *b = &j->s->body;
	const look_ahead *o = &j->w->ahead;
	const int32_t i = l->ca[k], e = l->cb[k];
	meeting g = {.normal = {c->nx[k], c->ny[k], c->nz[k]}, .at = {c->px[k], c->py[k], c->pz[k]}, .depth = c->depth[k]};
	g.apart = v3_neg(way_to(j->m, j->s, j->w, j->kind, l->slot[k]));
	g.apart_now = v3_sub(g.apart, v3_sub(way_gone(b, o, i), way_gone(b, o, e)));
	if (j->m->period.on) {
		const int32_t image = scree_world_image(j->m, j->s, j->kind, l->slot[k]);
		g.apart_now = v3_add(g.apart_now, v3_sub(j->s->images.shift[image], o->images.shift[image]));
	}
	g.turn_a = turn_back(b, o, i), g.turn_b = turn_back(b, o, e);
	return g;
}

static contact_now rolled_back(const kind_job *j, int64_t k, const meeting *g)
{
	const contact_work *c = &j->w->pair[j->kind].contact;
	const pair_list *l = j->s->pair + j->kind;
	const placed a = placed_ahead(j, l->ca[k]), b = placed_ahead(j, l->cb[k]);
	const vec3 out = v3_neg(g->normal), t = v3_across(out), u = v3_cross(out, t);
	const bend of_a = bend_of(&a, c->ra[k], out, g->at, t, u),
			   of_b = bend_of(&b, c->rb[k], g->normal, v3_add(g->at, g->apart), t, u);
	const contact_now same = {g->normal, point_back(g->at, &g->turn_a, &g->turn_b, g->apart, g->apart_now)};
	if (!of_a.known || !of_b.known) return same;
	const vec3 on_a = v3_madd(g->at, g->depth / 2, out), on_b = v3_add(v3_madd(g->at, -g->depth / 2, out), g->apart);
	const vec3 was_a = mat3_mul(g->turn_a, on_a), was_b = v3_sub(mat3_mul(g->turn_b, on_b), g->apart_now);
	const vec3 tilt_a = v3_sub(mat3_mul(g->turn_a, out), out), tilt_b = v3_sub(mat3_mul(g->turn_b, out), out);
	const vec3 goes = v3_add(bent(&of_a, tilt_a, t, u), bent(&of_b, tilt_b, t, u));
	const vec3 change = change_of(&of_a, &of_b, g->depth, v3_sub(goes, v3_sub(was_a, was_b)), t, u);
	if (!(v3_norm2(change) < FARTHEST * FARTHEST)) return same;
	const vec3 now = v3_unit(v3_add(out, change));
	const vec3 at = v3_add(was_a, bent(&of_a, v3_sub(change, tilt_a), t, u));
	return (contact_now){v3_neg(now), v3_madd(at, -g->depth / 2, now)};
}

static void put(contact_work *c, int64_t k, const contact_now *o)
{
	c->ux[k] = o->normal.x, c->uy[k] = o->normal.y, c->uz[k] = o->normal.z;
	c->qx[k] = o->at.x, c->qy[k] = o->at.y, c->qz[k] = o->at.z;
}

static void each_piece(void *what, int64_t from, int64_t to, SCREE_UNUSED int thread)
{
	const kind_job *j = what;
	const pair_list *l = j->s->pair + j->kind;
	const bool walls = pair_on_wall(j->kind);
	for (int64_t p = from; p < to; ++p)
		for (int64_t k = l->base[p]; k < l->base[p] + l->used[p]; ++k) {
			if (!l->touch[k]) continue;
			const meeting g = walls ? (meeting){.depth = 0} : meeting_of(j, k);
			const contact_now now = walls ? on_wall(j, k) : rolled_back(j, k, &g);
			put(&j->w->pair[j->kind].contact, k, &now);
		}
}

void scree_contacts_to_now(const model *m, state *s, work *w)
{
	kind_job j = {.m = m, .s = s, .w = w};
	for (j.kind = 0; j.kind < PAIR_KINDS; ++j.kind)
		if (w->pair[j.kind].contact.ux) scree_parallel(each_piece, &j, s->pair[j.kind].pieces, GRAIN);
}
