/* skin: the margin by which each box is enlarged before pairs are searched, so that pairs are valid for many steps.
 *
 * The box of a slow body is enlarged by half the skin's width, and the box of a fast body by as much as it needs. With
 * equal margins, the few fastest bodies (such as a small grain that is among large ones) would decide when all pairs
 * are searched again. The choice affects only the running time: a search is due once any body uses up its margin. */
#include "broad/work.h"
#include "broad/pair_lists.h"
#include "broad/stage.h"
#include "kernel/cohesion.h"
#include "kernel/law_constants.h"
#include "world/world.h"

/* number of slots per body above which a packing counts as dense, and below which bodies count as sparse */
static const real SLOTS = 2, SLOTS_SOLVER = 3, SLOTS_SPARSE = (real)0.5;

/* skin of dense packings, smallest skin, largest margin and widest skin, in diameters of the smallest body */
static const real USUAL = (real)0.3, LEAST = (real)0.005, GREATEST = 2, WIDEST = 2;
/* limit on margins, relative to half a period minus the largest body and its reach: pairs meet in at most one image */
static const real IMAGE_PART = (real)0.49;

static const real MOST = 1e100; /* limit in m, so that squares and cubes of lengths stay within the range of a double */

typedef struct diameters {
	real small, large;
} diameters;

/* slots: number of slots for two bodies per body, in the part of the world where this number is largest */
static diameters diameters_of(const state *s, const work *w, real *slots)
{
	diameters d = {INFINITY, 0};
	*slots = s->body.owned ? (real)w->skin.slots / (real)s->body.owned : 0;
	for (int32_t i = 0; i < s->body.owned; ++i) {
		d.small = real_min(d.small, 2 * s->body.radius[i]);
		d.large = real_max(d.large, 2 * s->body.radius[i]);
	}
	real most[3] = {*slots, d.large, -d.small};
	scree_domain_most(&w->domain, 3, most);
	*slots = most[0], d.large = most[1], d.small = -most[2];
	const bool none = d.large == 0 && d.small == (real)INFINITY;
	scree_domain_need(
		&w->domain, *slots >= 0 && *slots < INFINITY && (none || (d.small > 0 && d.small <= d.large && d.large < MOST)),
		"greatest", "impossible diameters or numbers of neighbours");
	d.small = real_min(d.small, d.large); /* there are no bodies */
	return d;
}

/* Largest distance, in m, at which cohesive contacts act: for the two largest bodies and any pair of materials. The
 * distance includes the displacement in the step in which bodies separate, a small fraction of their radius. */
static real reach_of(const model *m, real largest)
{
	const real in_a_step = (real)0.02;
	real reach = 0;
	for (int64_t k = 0; m->constants && k < (int64_t)m->material.count * m->material.count; ++k) {
		const law_constants *c = m->constants + k;
		if (c->cohesion == COHESION_NONE || c->cohesion == COHESION_SIMPLE) continue;
		/* at a wall the reduced radius is the radius of the body */
		real held = c->cohesion == COHESION_JKR ? JKR_SNAP * jkr_length(c->surface, (real)0.75 * c->stiffness, largest)
												: c->ruptures;
		reach = real_max(reach, held + in_a_step * largest);
	}
	return reach;
}

/* largest length of a liquid bridge, in m */
static real bridges_of(const model *m)
{
	real most = 0;
	for (int64_t k = 0; m->constants && k < (int64_t)m->material.count * m->material.count; ++k)
		if (m->constants[k].cohesion == COHESION_CAPILLARY) most = real_max(most, m->constants[k].ruptures);
	return most;
}

/* largest gap within which bodies become bonded, in m */
static real gap_of(const model *m)
{
	real gap = 0;
	for (int64_t k = 0; k < (int64_t)m->material.count * m->material.count; ++k)
		if (m->material.rule[k].bond.tension > 0) gap = real_max(gap, m->material.rule[k].bond.gap);
	return gap;
}

/* Largest gap in m between bonded bodies, up to the end of the step in which their bond breaks. In implicit steps
 * the strength limits the mean of the forces at both ends of a step, so at its end the stretch may be 1.5 times as
 * large. */
static real bonds_reach(const model *m, real largest)
{
	real reach = 0;
	for (int64_t k = 0; k < (int64_t)m->material.count * m->material.count; ++k) {
		const bond_rule *r = &m->material.rule[k].bond;
		if (!(r->tension > 0)) continue;
		const real length = 2 * largest + r->gap, stretch = (1 + 3 * r->deviation) * r->tension / r->young * length;
		reach = real_max(reach, r->gap + (m->implicit ? (real)1.5 : 1) * stretch + (real)0.02 * largest);
	}
	return reach;
}

/* Returns the largest margin for which two bodies meet through at most one image. */
static real margin_of_images(const model *m, const state *s, const work *w, diameters d)
{
	const periods *p = &m->period;
	real most = INFINITY;
	for (int32_t k = 0; k < 3; ++k)
		if (p->axis[k])
			most = real_min(most, IMAGE_PART * (v3_part(s->images.size, k) / 2 - d.large - 2 * w->skin.reach));
	return most;
}

real scree_skin_least_period(const model *m, real largest)
{
	const real half = 2 * largest + 2 * real_max(reach_of(m, largest), bonds_reach(m, largest));
	if (periods_flow_any(&m->period)) return 2 * (half + (USUAL + (real)0.01) * 2 * largest);
	return 2 * half + (m->skin_given ? 2 * m->skin : LEAST * 2 * largest / IMAGE_PART) + (real)1e-9 * half;
}

/* Adapts the width so that searches are as frequent as intended. The skin widens sooner if bodies are sparse, since
 * wide skins then cost little, and with instantaneous collisions, since bodies move far in a step. */
static void choose_width(const model *m, work *w, diameters d, bool dense, bool sparse, real greatest)
{
	broad_skin *skin = &w->skin;
	const real usual = USUAL * d.small;
	const real widest = real_min(real_max(usual, WIDEST * d.small), 2 * greatest);
	if (skin->width == 0)
		skin->width = (real)0.05 * d.small;
	else
		skin->width *= real_clamp(MARGIN_STEPS / (real)(skin->since + 1), (real)0.6, sparse ? 4 : (real)1.6);
	if (dense) skin->width = real_min(skin->width, m->solver ? skin->width / 2 : real_max(skin->width / 2, usual));
	skin->width = real_clamp(skin->width, LEAST * d.small, widest);
}

/* Enlarges margins after a long step to find bodies that passed each other during it (narrow/bodies_over_bodies.c). */
static void reach_back(bodies *b, real most)
{
	for (int32_t i = 0; i < b->owned; ++i) b->margin[i] = real_max(b->margin[i], real_min(b->way[i], most));
}

/* Enlarges margins to last for a few implicit steps, which predict contacts; for fewer if many bodies are fast. */
static void reach_ahead(const model *m, state *s, const work *w, const margin_rule *r)
{
	bodies *b = &s->body;
	const real more = more_ahead(m, s);
	real sum = 0;
	for (int32_t i = 0; i < b->owned; ++i) sum += need_ahead(most_ahead(b, i, w->ahead.drifted, more, m->dt));
	const real steps = real_clamp(2 * r->usual * (real)b->owned / sum, FEWEST_AHEAD, AHEAD_STEPS);
	for (int32_t i = 0; i < b->owned; ++i) {
		const real need = need_ahead(most_ahead(b, i, w->ahead.drifted, more, m->dt));
		b->margin[i] = real_max(b->margin[i], real_min(steps * need, r->most));
	}
}

/* Sets each margin to half of the skin or to the expected displacement of the body. The mean of these displacements
 * is limited to the mean for the usual skin. */
void scree_skin_margins(const model *m, state *s, work *w, const margin_rule *r)
{
	bodies *b = &s->body;
	real sum = 0;
	for (int32_t i = 0; i < b->owned; ++i) {
		b->margin[i] = margin_wanted(way_ahead(b, i, r->dt), r->steps, r->greatest);
		sum += b->margin[i];
	}
	const real part = margins_part(sum, r->usual, (real)b->owned);
	for (int32_t i = 0; i < b->owned; ++i) b->margin[i] = real_max(part * b->margin[i], r->least);
	if (m->implicit) reach_ahead(m, s, w, r);
	if (scree_step_is_long(m, w)) reach_back(b, r->most);
}

margin_rule scree_skin_choose(const model *m, const state *s, work *w)
{
	real slots;
	const diameters d = diameters_of(s, w, &slots);
	w->skin.smallest = d.small / 2, w->skin.largest = d.large / 2;
	w->skin.clings = reach_of(m, d.large / 2);
	w->skin.reach = real_max(w->skin.clings, bonds_reach(m, d.large / 2));
	w->skin.gap = gap_of(m);
	w->skin.bridges = bridges_of(m);
	w->skin.least_period = scree_skin_least_period(m, d.large / 2);
	const real most = margin_of_images(m, s, w, d), greatest = real_min(GREATEST * d.small, most);
	const bool dense = slots > (m->solver ? SLOTS_SOLVER : SLOTS) && !m->skin_given;
	if (m->skin_given)
		w->skin.width = m->skin;
	else
		choose_width(m, w, d, dense, slots < SLOTS_SPARSE, greatest);
	return (margin_rule){w->skin.width / 2, dense ? greatest : 0, USUAL * d.small / 2, most, MARGIN_STEPS, m->dt};
}

void scree_skin_start(const model *m, const state *s, work *w, real walls_at, int64_t slots)
{
	broad_skin *skin = &w->skin;
	w->paired_at = walls_at;
	for (int32_t k = 0; k < m->wall.count; ++k) w->wall[k].paired = s->wall[k].servo.way, w->wall[k].gone = 0;
	w->rebuilds += 1;
	skin->since = 0;
	skin->slots = slots;
	skin->spent = skin->stale = false;
}
