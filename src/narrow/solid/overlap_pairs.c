/* overlap_pairs: energies and forces of several overlaps at once (known_cuts.h). Each quantity of a region is an array
 * over the pairs, so that one loop over the pairs is vectorized. */
#include "narrow/solid/known_cuts.h"

#include "narrow/solid/overlap.h"

/* offsets of the quantities of a region */
enum {
	INNER = 0,
	BORDER = INNER + 10,
	AXES = BORDER + 3 * MONOMIALS,
	FROM = AXES + 9,
	PUSH = FROM + 3,
	WIDEST = PUSH + 3,
	OTHERWISE = WIDEST + 1,
	TURN = OTHERWISE + 3,
};
_Static_assert(TURN + 9 == REGION_NUMBERS, "every number has an offset");
enum { IS = 0, FLAT, DEPTH, WEIGHT, PITCH, ARM, NORMAL, HOLD = NORMAL + 3, AT = HOLD + 3 };
_Static_assert(AT + 3 * SPREAD_POINTS == REGION_ANSWERS, "every answer has an offset");

typedef real column[PAIRS_AT_ONCE];

SCREE_FN vec3 get_vec3(const column *c, int32_t i) { return v3(c[0][i], c[1][i], c[2][i]); }
SCREE_FN mat3 get_mat3(const column *c, int32_t i)
{
	return (mat3){get_vec3(c, i), get_vec3(c + 3, i), get_vec3(c + 6, i)};
}
SCREE_FN void put_vec3(column *c, int32_t i, vec3 v) { c[0][i] = v.x, c[1][i] = v.y, c[2][i] = v.z; }
SCREE_FN void put_mat3(column *c, int32_t i, mat3 m)
{
	put_vec3(c, i, m.x);
	put_vec3(c + 3, i, m.y);
	put_vec3(c + 6, i, m.z);
}

bool scree_overlap_pairs_add(overlap_pairs *m, int64_t row, const placed *a, const placed *b, int32_t hint,
							 known_cuts *known, overlap_form *kept, patch *out)
{
	overlap sum;
	overlap_region r;
	vec3 otherwise;
	if (!scree_overlap_region(a, b, &hint, known, kept, &sum, &otherwise, out)) return false;
	scree_thickness_region(&sum, &r);
	int32_t i = m->count++;
	m->row[i] = row;
	m->axis[i] = hint;
	for (int k = 0; k < 10; ++k) m->region[INNER + k][i] = r.inner[k];
	for (int k = 0; k < MONOMIALS; ++k) put_vec3(m->region + BORDER + 3 * k, i, r.border[k]);
	put_mat3(m->region + AXES, i, r.axes);
	put_vec3(m->region + FROM, i, r.from);
	put_vec3(m->region + PUSH, i, r.push);
	m->region[WIDEST][i] = r.widest;
	put_vec3(m->region + OTHERWISE, i, otherwise);
	put_mat3(m->region + TURN, i, a->turn);
	return true;
}

SCREE_FN overlap_region get_region(const column *c, int32_t i)
{
	overlap_region r;
	for (int k = 0; k < 10; ++k) r.inner[k] = c[INNER + k][i];
	for (int k = 0; k < 10; ++k) r.border[k] = get_vec3(c + BORDER + 3 * k, i);
	for (int k = 10; k < MONOMIALS; ++k) r.border[k] = get_vec3(c + BORDER + 3 * k, i);
	r.axes = get_mat3(c + AXES, i);
	r.from = get_vec3(c + FROM, i);
	r.push = get_vec3(c + PUSH, i);
	r.widest = c[WIDEST][i];
	return r;
}

SCREE_FN void answer_pair(const column *in, column *out, int32_t i)
{
	const overlap_region r = get_region(in, i);
	const mat3 turn = get_mat3(in + TURN, i);
	overlap_effect e = {0};
	overlap_contact c;
	vec3 point[SPREAD_POINTS];
	bool is = region_effect(&r, &e);
	overlap_screw(&e, get_vec3(in + OTHERWISE, i), &c);
	overlap_spread_points(&c, point);
	out[IS][i] = is ? 1 : 0;
	out[FLAT][i] = c.flat ? 1 : 0;
	out[DEPTH][i] = c.depth;
	out[WEIGHT][i] = c.weight;
	out[PITCH][i] = c.pitch;
	out[ARM][i] = c.arm;
	put_vec3(out + NORMAL, i, mat3_mul(turn, c.normal));
	put_vec3(out + HOLD, i, mat3_mul(turn, c.hold));
	for (int k = 0; k < SPREAD_POINTS; ++k) put_vec3(out + AT + 3 * k, i, mat3_mul(turn, point[k]));
}

void scree_overlap_pairs(overlap_pairs *m)
{
#pragma omp simd
	for (int32_t i = 0; i < PAIRS_AT_ONCE; ++i) answer_pair(m->region, m->answer, i);
}

bool scree_overlap_pairs_get(const overlap_pairs *m, int32_t i, patch *out)
{
	const column *in = m->answer;
	if (!(in[IS][i] > 0)) return false;
	out->points = SPREAD_POINTS;
	out->axis = axis_of_form(form_of_axis(m->axis[i]), in[FLAT][i] > 0);
	out->depth = in[DEPTH][i];
	out->pitch = in[PITCH][i];
	out->arm = in[ARM][i];
	out->normal = get_vec3(in + NORMAL, i);
	out->hold = get_vec3(in + HOLD, i);
	for (int k = 0; k < SPREAD_POINTS; ++k) {
		out->at[k] = get_vec3(in + AT + 3 * k, i);
		out->deep[k] = out->depth;
		out->weight[k] = in[WEIGHT][i];
	}
	return true;
}
