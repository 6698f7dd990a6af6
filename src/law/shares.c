/* shares: fraction of a pair's reduced mass that a contact damps (docs/theory/laws.md, "Several contacts of one pair").
 *
 * Together, n contacts that press in the same direction are n times as stiff as one. With the whole mass, n dashpots
 * would damp sqrt(n) times as much as the restitution requires, so each has the mass that its own spring carries,
 *
 *     m_i = m k_i / sum_j k_j max(0, n_i . n_j),
 *
 * where k_i is the stiffness of the contact's normal spring, which may be a fraction of the whole stiffness, and n_i is
 * the normal. A single contact, or a contact perpendicular to all others, carries the whole mass. The force of a fading
 * contact of capsules is scaled by p: its spring has the stiffness p k, so the dashpot scales with the square root of p
 * m_i. The shares depend only on the poses. Sums are formed in the order of rows, which is the order of keys. */
#include "law/block.h"

#include "base/maths.h"

static bool same_pair(const job *j, bool on_wall, int64_t k, int64_t m)
{
	const pair_list *l = j->list;
	if (!on_wall) return l->slot[k] == l->slot[m];
	const int32_t *wall = j->wall->surface_wall;
	return l->ca[k] == l->ca[m] && wall[l->cb[k]] == wall[l->cb[m]];
}

/* Returns the factor by which the stiffnesses of one-point contacts of a pair differ. */
static real firmness_of_point(const contact_work *c, int64_t k, enum law_row law, bool on_wall)
{
	if (law != LAW_HERTZ) return 1;
	const real radius = !c->ra ? 1 : on_wall ? c->ra[k] : c->ra[k] * c->rb[k] / (c->ra[k] + c->rb[k]);
	return sqrt(radius * real_max(c->depth[k], 0));
}

/* Returns the factor by which the stiffnesses of a pair's patches differ, including the weights of their points. */
static real firmness_of_patch(const job *j, int64_t k, enum law_row law)
{
	const contact_work *c = j->contact;
	const contact_points *p = &j->thread[c->first[k] >> 32].points;
	const int64_t first = (int64_t)(c->first[k] & 0xffffffffu);
	real sum = 0;
	if (law == LAW_OVERLAP) return p->weight[first]; /* the weight common to all points of the patch */
	for (int64_t e = first; e < first + c->points[k]; ++e) {
		const real weight = p->weight[e];
		sum += law == LAW_HERTZ ? weight * sqrt(p->depth[e]) : law == LAW_AREA ? weight * weight : weight;
	}
	return sum;
}

/* Factor for a fading contact of capsules: p for linear springs. A Hertz spring scales the overlap by p^(2/3) and thus
 * the stiffness by p^(1/3); this returns the rest. Hard contacts have the stiffness that the step requires. */
static real faded(const job *j, int64_t k, enum law_row law, bool patch)
{
	const real part = patch || j->even ? 1 : contact_part(j->contact, k);
	if (law == LAW_HERTZ && part < 1) return scree_pow(part, (real)2 / 3);
	return law == LAW_LINEAR ? part : 1;
}

static real firmness_of(const job *j, int64_t k, enum law_row law, bool on_wall, bool patch)
{
	const contact_work *c = j->contact;
	const real part = patch ? contact_part(c, k) : faded(j, k, law, patch);
	if (j->even) return part;
	if (j->ahead && !(c->depth[k] > 0)) return 0; /* the contact was found at predicted poses, but carries no load */
	return part * (patch ? firmness_of_patch(j, k, law) : firmness_of_point(c, k, law, on_wall));
}

static vec3 normal_at(const contact_work *c, int64_t k) { return v3(c->nx[k], c->ny[k], c->nz[k]); }

static real share_of(const pair_list *l, const contact_work *c, int64_t k, int64_t from, int64_t end)
{
	const vec3 n = normal_at(c, k);
	real sum = c->firm[k];
	for (int64_t m = from; m < end; ++m)
		if (m != k && l->touch[m]) sum += c->firm[m] * real_max(v3_dot(n, normal_at(c, m)), 0);
	return c->firm[k] > 0 ? c->firm[k] / sum : 1;
}

/* Computes the shares of rows from .. end-1, which are the contacts of one pair. */
static void share_pair(const job *j, int kind, int64_t from, int64_t end)
{
	const bool on_wall = pair_on_wall(kind), patch = scree_pair_kinds[kind].patch;
	const pair_list *l = j->list;
	contact_work *c = j->contact;
	int32_t law = j->constants[rule_of(j, from, on_wall)].law;
	if (!patch) law = scree_laws[law].of_spheres;
	for (int64_t k = from; k < end; ++k)
		if (l->touch[k]) c->firm[k] = firmness_of(j, k, (enum law_row)law, on_wall, patch);
	for (int64_t k = from; k < end; ++k)
		c->share[k] = l->touch[k] ? faded(j, k, (enum law_row)law, patch) * share_of(l, c, k, from, end) : 1;
}

void scree_law_shares(const job *j, int kind, int64_t from, int64_t end)
{
	for (int64_t k = from; k < end;) {
		int64_t to = k + 1;
		while (to < end && same_pair(j, pair_on_wall(kind), k, to)) ++to;
		if (to == k + 1)
			j->contact->share[k] = 1;
		else
			share_pair(j, kind, k, to);
		k = to;
	}
}
