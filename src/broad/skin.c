/* skin: how far the box of each body is swollen before pairs are searched, so that they hold for many steps.
 *
 * The box of a body that hardly moves is swollen by half the skin's width, that of a fast one by as much as it needs:
 * where one margin is for all, the fastest few decide when all are searched again (a small grain that rattles between
 * large ones). All of this costs or saves time alone: a search is due as soon as the way of any body is its margin. */
#include "base/maths.h"
#include "broad/margins.h"
#include "broad/pair_lists.h"
#include "kernel/cohesion.h"

/* more pairs per body than this are a dense packing */
static const real SLOTS = 2, SLOTS_SOLVER = 3;

/* parts of the diameter of the smallest body: the skin of dense packings, the least skin, the greatest margin,
 * the widest skin */
static const real USUAL = (real)0.3, LEAST = (real)0.005, GREATEST = 2, WIDEST = 2;
/* of half a period less the largest body and its reach: what margins may take, so that each body meets one image */
static const real IMAGE_PART = (real)0.49;

/* of two bodies, in the part of the world that has the most */
static real slots_per_body(const scree_world *w)
{
	real slots = w->body.owned ? (real)w->skin.slots / (real)w->body.owned : 0;
	scree_domain_most(&w->parts, 1, &slots);
	return slots;
}

typedef struct diameters {
	real small, large;
} diameters;

static diameters diameters_of(const scree_world *w)
{
	diameters d = {INFINITY, 0};
	for (int32_t i = 0; i < w->body.owned; ++i) {
		d.small = real_min(d.small, 2 * w->body.radius[i]);
		d.large = real_max(d.large, 2 * w->body.radius[i]);
	}
	scree_domain_least(&w->parts, 1, &d.small);
	scree_domain_most(&w->parts, 1, &d.large);
	d.small = real_min(d.small, d.large); /* without bodies */
	return d;
}

/* Contacts that stick act beyond touch: as far as the two largest bodies of any two materials, and for the step in
 * which they come off, which takes them no further than a part of their radius. */
static real reach_of(const scree_world *w, real largest)
{
	const real in_a_step = (real)0.02;
	real reach = 0;
	for (int64_t k = 0; w->constants && k < (int64_t)w->material.count * w->material.count; ++k) {
		const law_constants *c = w->constants + k;
		if (c->cohesion != COHESION_JKR && c->cohesion != COHESION_DMT) continue;
		/* against a wall the reduced radius is that of the body */
		real held =
			c->cohesion == COHESION_JKR ? JKR_SNAP * jkr_length(c->surface, (real)0.75 * c->stiffness, largest) : 0;
		reach = real_max(reach, held + in_a_step * largest);
	}
	return reach;
}

/* No margin may be wider than this, so that two bodies meet through one image at most. */
static real margin_of_images(const scree_world *w, diameters d)
{
	const periods *p = &w->period;
	real most = INFINITY;
	for (int32_t k = 0; k < 3; ++k)
		if (p->axis[k]) most = real_min(most, IMAGE_PART * (v3_part(p->size, k) / 2 - d.large - 2 * w->skin.reach));
	return most;
}

static real greatest_margin(const scree_world *w, diameters d)
{
	return real_min(GREATEST * d.small, margin_of_images(w, d));
}

real scree_skin_least_period(const scree_world *w, real largest)
{
	const real half = 2 * largest + 2 * reach_of(w, largest);
	if (w->period.shears) return 2 * (half + (USUAL + (real)0.01) * 2 * largest);
	return 2 * half + (w->skin.given ? 2 * w->skin.width : LEAST * 2 * largest / IMAGE_PART) + (real)1e-9 * half;
}

/* Wider when searches come more often than they should, narrower when they come less. Wide skins cost little where
 * bodies are few, and what collides in no time flies far in a step. */
static void choose_width(scree_world *w, diameters d, bool dense, real greatest)
{
	broad_skin *m = &w->skin;
	const real usual = USUAL * d.small;
	const real widest = real_min(real_max(usual, WIDEST * d.small), 2 * greatest);
	if (m->width == 0)
		m->width = (real)0.05 * d.small;
	else
		m->width *= real_clamp(MARGIN_STEPS / (real)(m->since + 1), (real)0.6, (real)1.6);
	if (dense) m->width = real_min(m->width, w->solver ? m->width / 2 : real_max(m->width / 2, usual));
	m->width = real_clamp(m->width, LEAST * d.small, widest);
}

/* After a long step pairs reach back to those that passed each other in it (src/narrow/bodies_over_bodies.c). */
static void reach_back(scree_world *w, diameters d)
{
	bodies *b = &w->body;
	const real most = margin_of_images(w, d);
	for (int32_t i = 0; i < b->owned; ++i) b->margin[i] = real_max(b->margin[i], real_min(b->way[i], most));
}

/* Half of the skin, or as far as a body gets. The mean of the latter is no more than in the usual skin: where many are
 * fast, all of them have fewer steps. */
static void choose_margins(scree_world *w, diameters d, bool dense, real greatest)
{
	bodies *b = &w->body;
	real sum = 0;
	for (int32_t i = 0; i < b->owned; ++i) {
		b->margin[i] = dense ? real_min(MARGIN_STEPS * way_ahead(b, i, w->dt), greatest) : 0;
		sum += b->margin[i];
	}
	const real usual = USUAL * d.small;
	real part = sum > usual / 2 * (real)b->owned ? usual / 2 * (real)b->owned / sum : 1;
	for (int32_t i = 0; i < b->owned; ++i) b->margin[i] = real_max(part * b->margin[i], w->skin.width / 2);
	if (scree_step_is_long(w)) reach_back(w, d);
}

void scree_skin_choose(scree_world *w)
{
	diameters d = diameters_of(w);
	w->skin.smallest = d.small / 2;
	w->skin.reach = reach_of(w, d.large / 2);
	real greatest = greatest_margin(w, d);
	bool dense = slots_per_body(w) > (w->solver ? SLOTS_SOLVER : SLOTS) && !w->skin.given;
	if (!w->skin.given) choose_width(w, d, dense, greatest);
	choose_margins(w, d, dense, greatest);
}

void scree_skin_start(scree_world *w)
{
	broad_skin *m = &w->skin;
	const bodies *b = &w->body;
	for (int32_t i = 0; i < b->count; ++i) b->way[i] = 0;
	m->spent = false;
	m->since = m->slots = 0;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		if (!pair_on_wall(kind)) m->slots += w->pair[kind].count;
	m->stale = false;
}
