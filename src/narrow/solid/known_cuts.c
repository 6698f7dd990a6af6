/* known_cuts: forms of cut solids, and computation of the vertices of cut solids (known_cuts.h).
 *
 * A hash table stores known cuts, one cache line each. When it is full it is cleared, and forms in use return within a
 * step. If a world has more forms than fit, clearing costs more than it saves, so scree_cut is used for a while. */
#include "narrow/solid/known_cuts.h"

#include "base/memory.h"

#include <string.h>

enum {
	FORMS = KNOWN_FORMS,
	CUTS = KNOWN_CUTS,
	DEEPEST = FORM_FACES, /* largest number of forms of one solid: one per plane, plus the whole body */
	CROSSINGS = CUT_CROSSINGS,
	REST = 64, /* number of solids that scree_cut then processes, in units of FORMS */
};

known_cuts *scree_known_cuts(void) { return scree_alloc(1, sizeof(known_cuts)); }

/* Returns the slot of a cut, or an empty slot for this cut. */
SCREE_FN known_cut *place_of(known_cuts *k, uint64_t of, uint32_t stays)
{
	uint64_t h = (of * 0x9e3779b97f4a7c15u + stays) * 0xd6e8feb86659fd93u;
	for (uint64_t at = h >> 40;; ++at) {
		known_cut *c = k->cut + at % CUTS;
		if (!c->of || (c->of == of && c->stays == stays)) return c;
	}
}

static bool is_small_enough(int32_t vertices, int32_t faces, int32_t corners)
{
	return vertices <= FORM_VERTICES && faces <= FORM_FACES && corners <= FORM_CORNERS;
}

static cut_form *new_form(known_cuts *k, known_cut *c, uint64_t of, uint32_t stays)
{
	c->of = of;
	c->stays = stays;
	c->to = k->forms++;
	k->made += 1;
	return k->form + c->to;
}

static const cut_form *whole_form(known_cuts *k, const shape *s)
{
	uint64_t of = (uint64_t)(uintptr_t)s->corner; /* constant while the shape exists, and larger than any row */
	known_cut *c = place_of(k, of, 0);
	if (c->of) return k->form + c->to;
	cut_form *f = new_form(k, c, of, 0);
	f->cuts = 0;
	f->vertices = (uint8_t)s->vertices;
	f->faces = (uint8_t)s->faces;
	f->corners = (uint8_t)s->corners;
	for (int32_t i = 0; i <= s->faces; ++i) f->first[i] = (uint8_t)s->first[i];
	for (int32_t i = 0; i < s->faces; ++i) f->plane[i] = (uint8_t)i;
	for (int32_t i = 0; i < s->corners; ++i) f->corner[i] = (uint8_t)s->corner[i];
	return f;
}

/* Creates a solid of this form, with heights at which a cut keeps these vertices. Its vertex positions are meaningless,
 * and its normals store the planes of its faces. */
static void lay_out(cutting *c, const cut_form *f, uint32_t stays)
{
	solid *p = c->part;
	c->now = 0;
	c->slack = 0;
	p->vertices = f->vertices;
	p->faces = f->faces;
	p->corners = f->corners;
	for (int32_t v = 0; v < p->vertices; ++v) {
		p->vertex[v] = v3(0, 0, 0);
		c->height[v] = stays >> v & 1 ? 0 : 1;
	}
	for (int32_t i = 0; i < p->corners; ++i) p->corner[i] = f->corner[i];
	for (int32_t i = 0; i <= p->faces; ++i) p->first[i] = f->first[i];
	for (int32_t i = 0; i < p->faces; ++i) {
		p->normal[i] = v3(f->plane[i], 0, 0);
		p->second[i] = false;
	}
}

/* Creates the form after a cut; returns false if the form is too large. */
static bool make_cut(known_cuts *k, known_cut *to, const formed *s, uint64_t of, uint32_t stays)
{
	cutting *c = &k->room;
	lay_out(c, s->form, stays);
	scree_cut_heights(c, v3(s->body_faces + s->cuts, 0, 0), __builtin_popcount(stays));
	const solid *p = c->part + c->now;
	if (!is_small_enough(p->vertices, p->faces, p->corners) || c->crossings > CROSSINGS) return false;
	cut_form *f = new_form(k, to, of, stays);
	memcpy(f->way, s->form->way, sizeof f->way);
	f->way[s->cuts] = (uint16_t)(to - k->cut);
	f->cuts = (uint8_t)(s->cuts + 1);
	f->vertices = (uint8_t)p->vertices;
	f->faces = (uint8_t)p->faces;
	f->corners = (uint8_t)p->corners;
	for (int32_t i = 0; i < p->corners; ++i) f->corner[i] = (uint8_t)p->corner[i];
	for (int32_t i = 0; i <= p->faces; ++i) f->first[i] = (uint8_t)p->first[i];
	for (int32_t i = 0; i < p->faces; ++i) f->plane[i] = (uint8_t)p->normal[i].x;
	to->crossings = (uint8_t)c->crossings;
	for (int32_t i = 0; i < c->crossings; ++i) {
		to->inner[i] = (uint8_t)c->inner[i];
		to->outer[i] = (uint8_t)c->outer[i];
	}
	return true;
}

static void forget(known_cuts *k)
{
	/* with fewer than four solids per form, each form was used only once or twice */
	k->rest = k->asked < 4 * (int64_t)FORMS ? (int64_t)REST * FORMS : 0;
	k->forms = 0;
	k->asked = 0;
	memset(k->cut, 0, sizeof k->cut);
}

bool scree_formed_start(known_cuts *k, formed *s, const shape *of, real size, real slack, int32_t hint)
{
	if (!is_small_enough(of->vertices, of->faces, of->corners)) return false;
	if (k->rest > 0) {
		--k->rest;
		return false;
	}
	if (k->forms > FORMS - DEEPEST) forget(k);
	k->asked += 1;
	s->form = whole_form(k, of);
	s->guess = hint > 0 && hint <= FORMS ? k->form + hint - 1 : s->form;
	s->vertices = of->vertices;
	s->body_faces = of->faces;
	s->cuts = 0;
	s->slack = slack;
	int32_t padded = of->padded & ~7;
	for (int32_t v = 0; v < padded; ++v) {
		s->x[v] = size * of->vx[v];
		s->y[v] = size * of->vy[v];
		s->z[v] = size * of->vz[v];
	}
	for (int32_t f = 0; f < of->faces; ++f) s->normal[f] = shape_normal(of, f);
	return true;
}

int32_t scree_formed_hint(const known_cuts *k, const formed *s) { return (int32_t)(s->form - k->form) + 1; }

void scree_known_form_soon(const known_cuts *k, int32_t hint)
{
	if (hint <= 0 || hint > FORMS) return;
	const char *f = (const char *)(k->form + hint - 1);
	for (size_t at = 0; at < sizeof(cut_form); at += 64) __builtin_prefetch(f + at);
}

void scree_known_cuts_soon(const known_cuts *k, int32_t hint)
{
	if (hint <= 0 || hint > FORMS) return;
	const cut_form *f = k->form + hint - 1;
	for (int32_t i = 0; i < FORM_CUTS && i < f->cuts; ++i) __builtin_prefetch(k->cut + f->way[i]);
}

SCREE_FN int32_t place_vertices(formed *s, const known_cut *c, const real *height)
{
	real x[CROSSINGS], y[CROSSINGS], z[CROSSINGS];
	for (int32_t k = 0; k < c->crossings; ++k) {
		int32_t i = c->inner[k], o = c->outer[k];
		real h = height[i], t = h < 0 ? h / (h - height[o]) : 0;
		x[k] = s->x[i] + t * (s->x[o] - s->x[i]);
		y[k] = s->y[i] + t * (s->y[o] - s->y[i]);
		z[k] = s->z[i] + t * (s->z[o] - s->z[i]);
	}
	int32_t n = 0;
	for (int32_t v = 0; v < s->vertices; ++v) { /* without a branch */
		s->x[n] = s->x[v], s->y[n] = s->y[v], s->z[n] = s->z[v];
		n += c->stays >> v & 1;
	}
	for (int32_t k = 0; k < c->crossings; ++k, ++n) s->x[n] = x[k], s->y[n] = y[k], s->z[n] = z[k];
	return n;
}

cut_result scree_formed_cut(known_cuts *k, formed *s, vec3 n, real off)
{
	int32_t count = s->vertices, padded = (count + 7) & ~7, stay = 0;
	real height[FORM_VERTICES];
	for (int32_t v = count; v < padded; ++v)
		s->x[v] = s->y[v] = s->z[v] = 0; /* the padding must contain valid numbers */
	uint32_t stays = 0;
#pragma omp simd
	for (int32_t v = 0; v < padded; ++v) height[v] = n.x * s->x[v] + n.y * s->y[v] + n.z * s->z[v] - off;
	for (int32_t v = 0; v < count; ++v) stays |= (uint32_t)(height[v] <= s->slack) << v;
	stay = __builtin_popcount(stays);
	if (!stay) return CUT_NOTHING_LEFT;
	if (stay == count) return CUT_LEFT;
	uint64_t of = (uint64_t)(s->form - k->form) + 1;
	if (s->cuts == FORM_CUTS) return CUT_TOO_LARGE;
	known_cut *c = k->cut + s->guess->way[s->cuts];
	if (c->of != of || c->stays != stays) c = place_of(k, of, stays);
	if (!c->of && !make_cut(k, c, s, of, stays)) return CUT_TOO_LARGE;
	s->vertices = place_vertices(s, c, height);
	s->normal[s->body_faces + s->cuts++] = n;
	s->form = k->form + c->to;
	return CUT_LEFT;
}

void scree_formed_solid(const formed *s, solid *out)
{
	const cut_form *f = s->form;
	out->vertices = f->vertices;
	out->faces = f->faces;
	out->corners = f->corners;
	for (int32_t v = 0; v < f->vertices; ++v) out->vertex[v] = v3(s->x[v], s->y[v], s->z[v]);
	for (int32_t i = 0; i < f->corners; ++i) out->corner[i] = f->corner[i];
	for (int32_t i = 0; i <= f->faces; ++i) out->first[i] = f->first[i];
	for (int32_t i = 0; i < f->faces; ++i) {
		out->normal[i] = s->normal[f->plane[i]];
		out->second[i] = f->plane[i] >= s->body_faces;
	}
}
