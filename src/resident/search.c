/* search: finds pairs of a world that stays on a device (kernel/resident_search.h). The host chooses the skin, and
 * takes the lists when it reads the state. Bodies keep their rows; now and then the host searches, and sorts them. */
#include "resident/blocks.h"

#include "base/memory.h"
#include "broad/stage.h"
#include "model/model.h"
#include "state/state.h"
#include "world/world.h"

enum { BY_HOST = 64, FEWEST_CELLS = 1024 }; /* one in so many searches is made by the host */

/* ------------------------------------------------------------------ what the host knows */

static search_wall pose_of(const model *m, const state *s, const work *w, int32_t wall)
{
	const struct wall *o = m->wall.row + wall;
	const vec3 far = v3(INFINITY, INFINITY, INFINITY);
	search_wall p = {s->wall[wall].position,		  quat_matrix(s->wall[wall].orientation), far, v3_neg(far), 0,
					 motion_is_driven(o->motion.type)};
	if (o->motion.type != MOTION_STILL) p.far = w->skin.width / 2;
	for (int32_t k = o->first_facet; k < o->first_facet + o->facets; ++k) {
		p.low = v3_min(p.low, m->wall.facet[k].low);
		p.high = v3_max(p.high, m->wall.facet[k].high);
	}
	return p;
}

static void put_poses(resident *r, const model *m, const state *s, const work *w)
{
	const int32_t walls = m->wall.count, materials = m->material.count;
	search_wall *pose = scree_alloc((size_t)walls, sizeof *pose);
	int32_t *acts = scree_alloc((size_t)walls * (size_t)materials, sizeof *acts);
	for (int32_t k = 0; k < walls; ++k) {
		const wall *o = m->wall.row + k;
		pose[k] = pose_of(m, s, w, k);
		for (int32_t c = 0; c < materials; ++c) acts[k * materials + c] = !o->removed && wall_acts_on(o, c);
	}
	scree_block_put_all(r, POSES, pose, walls * (int64_t)sizeof *pose);
	scree_block_put_all(r, ACTS, acts, (int64_t)walls * materials * (int64_t)sizeof *acts);
	SCREE_FREE_ALL(pose, acts);
}

static int64_t cells_for(int64_t bodies)
{
	int64_t cells = FEWEST_CELLS;
	while (cells < 2 * bodies) cells *= 2;
	return cells;
}

static void set_widths(search_rule *q, const work *w)
{
	const real wide = (real)2.2 * (w->skin.largest + q->margin.least + q->reach);
	q->wide[SEARCH_LEVEL] = wide;
	for (int k = SEARCH_LEVEL; k > 0; --k) q->wide[k - 1] = q->wide[k] / 2;
	for (int k = SEARCH_LEVEL + 1; k < SEARCH_LEVELS; ++k) q->wide[k] = 2 * q->wide[k - 1];
}

/* Along the flow, images may be two periods away: the offset may be a period. */
static bool is_possible(const periods *p, image e)
{
	for (int32_t d = 0; d < 3; ++d) {
		const int32_t most = !p->axis[d] ? 0 : p->shears && d == p->flow ? IMAGE_MOST : 1, n = image_along(e, d);
		if (n < -most || n > most) return false;
	}
	return true;
}

static search_rule rule_of(const resident *r, const model *m, const state *s, work *w)
{
	search_rule q = {.margin = scree_skin_choose(m, s, w), .middle = w->middle, .reach = w->skin.reach};
	q.quantum = q.margin.greatest > 0 ? q.margin.greatest / (1 << 30) : 1;
	q.counts[0] = cells_for(s->body.owned);
	q.lists = r->solids ? SEARCH_LISTS : SEARCH_OTHERS;
	q.counts[1] = q.lists * (int64_t)s->body.owned + 1;
	for (int k = 0; k < r->rule.lists; ++k) {
		q.was[k] = r->rule.rows[k];
		q.row_stride[k] = r->rule.row_stride[k];
		q.columns[k] = r->columns[k];
	}
	for (int32_t code = 0; code < IMAGE_CODES; ++code)
		if (is_possible(&m->period, image_of_code(code))) q.code[q.codes++] = code;
	set_widths(&q, w);
	return q;
}

/* ------------------------------------------------------------------ kernels */

/* Room for counts and their sums. */
static void clear_counts(resident *r, int block, int64_t count)
{
	int32_t level = 0;
	while (counts_at(count, level).count > 1) ++level;
	scree_block_clear(r, block, (counts_at(count, level).at + 1) * (int64_t)sizeof(uint64_t));
}

/* Replaces each count by the sum of all counts before it. */
static void add_up(resident *r, int block, int32_t which, int64_t count)
{
	int32_t number[2] = {which, 0};
	int32_t *level = number + 1;
	for (; counts_at(count, *level).count > SEARCH_CHUNK; ++*level)
		LAUNCH(r, "search_chunks", chunks_of(counts_at(count, *level).count), number, 2, SEARCH, block);
	for (; *level >= 0; --*level)
		LAUNCH(r, "search_starts", chunks_of(counts_at(count, *level).count), number, 2, SEARCH, block);
}

static void put_in_cells(resident *r, const search_rule *q)
{
	const int64_t bodies = r->rule.bodies;
	scree_block_put_all(r, SEARCH, q, sizeof *q);
	scree_block_clear(r, SEARCHED, SEARCHED_WORDS * (int64_t)sizeof(uint64_t));
	scree_block_room(r, BOXES, bodies * (int64_t)sizeof(search_box));
	clear_counts(r, CELLS, q->counts[0]);
	LAUNCH(r, "search_margins", bodies, NULL, 0, RULE, SEARCH, BODIES, SEARCHED);
	LAUNCH(r, "search_boxes", bodies, NULL, 0, RULE, SEARCH, BODIES, SEARCHED, CELLS);
	add_up(r, CELLS, 0, q->counts[0]);
	LAUNCH(r, "search_cells", bodies, NULL, 0, RULE, SEARCH, BODIES, CELLS, BOXES);
}

static void find_pairs(resident *r, int32_t store)
{
	const int64_t bodies = r->rule.bodies;
	LAUNCH(r, "search_pairs", bodies, &store, 1, RULE, SEARCH, BODIES, BOXES, CELLS, SHAPES, SEARCHED, PERIOD, SPACE,
		   STARTS, FOUND, CODES);
	LAUNCH(r, "search_walls_near", bodies, &store, 1, RULE, SEARCH, BODIES, BOXES, WALL_ROWS, POSES, FACETS, ACTS,
		   SHAPES, STARTS, FOUND);
}

static void room_found(resident *r, int64_t count)
{
	scree_block_room(r, FOUND, count * (int64_t)sizeof(int32_t));
	scree_block_room(r, CODES, r->rule.periodic ? count * (int64_t)sizeof(int32_t) : 1);
}

/* Counts pairs: list k will be from start[k] to start[k+1]. */
static void count_pairs(resident *r, const search_rule *q, uint64_t searched[SEARCHED_WORDS])
{
	clear_counts(r, STARTS, q->counts[1]);
	room_found(r, 1);
	scree_block_room(r, SHAPES, 1);
	find_pairs(r, 0);
	add_up(r, STARTS, 1, q->counts[1]);
	LAUNCH(r, "search_lists", q->lists + 1, NULL, 0, RULE, SEARCH, STARTS, SEARCHED);
	scree_block_get(r, SEARCHED, 0, searched, SEARCHED_WORDS * (int64_t)sizeof *searched);
}

/* Rows have numbers of 32 bits. */
static void check_count(const resident *r, int64_t rows)
{
	fail why;
	scree_block_need(rows < INT32_MAX || scree_refuse(&why,
													  "machine %s: a search found %lld pairs, of which at most "
													  "%d are possible: use several ranks or machine cpu",
													  r->name, (long long)rows, INT32_MAX - 1),
					 &why);
}

/* Sets the numbers of rows; returns false if there is no room for them, so that the host must make some. */
static bool set_rows(resident *r, search_rule *q, const uint64_t start[SEARCH_LISTS + 1])
{
	bool room = true;
	for (int32_t k = 0; k < r->rule.lists; ++k) {
		const int32_t list = search_list(k);
		r->wanted[k] = q->rows[k] = (int64_t)(start[list + 1] - start[list]);
		check_count(r, q->rows[k]);
		room &= q->rows[k] < q->row_stride[k];
	}
	return room;
}

/* Makes room for pairs, and stores them. */
static void list_pairs(resident *r, const search_rule *q, int64_t pairs)
{
	int64_t most = 0;
	for (int32_t k = 0; k < r->rule.lists; ++k) most = q->rows[k] > most ? q->rows[k] : most;
	room_found(r, pairs);
	find_pairs(r, 1);
	scree_block_room(r, MOVED, 2 * most * (int64_t)sizeof(int64_t));
	scree_block_put_all(r, SEARCH, q, sizeof *q);
}

static void move_histories(resident *r, const search_rule *q, int32_t list)
{
	for (int32_t column = ROW_touch; column < q->columns[list]; ++column) {
		const int32_t number[2] = {list, column};
		LAUNCH(r, "search_takes", q->rows[list], number, 2, SEARCH, PAIRS + list, MOVED);
		LAUNCH(r, "search_returns", q->rows[list], number, 2, SEARCH, PAIRS + list, MOVED);
	}
}

static void make_rows(resident *r, const search_rule *q)
{
	const int64_t bodies = r->rule.bodies;
	for (int32_t k = 0; k < r->rule.lists; ++k) {
		LAUNCH(r, "search_before", bodies, &k, 1, RULE, SEARCH, BODIES, STARTS, PERIOD, SPACE, FOUND, CODES, PAIRS + k,
			   MET, MOVED);
		move_histories(r, q, k);
		LAUNCH(r, "search_rows", bodies, &k, 1, RULE, SEARCH, BODIES, STARTS, PERIOD, SPACE, FOUND, CODES, PAIRS + k,
			   MET);
		r->rule.rows[k] = q->rows[k];
	}
}

static void make_groups(resident *r, const uint64_t start[SEARCH_LISTS + 1])
{
	uint64_t at_facets = 0;
	scree_resident_room_groups(r, (int64_t)(start[SEARCH_GROUPS + 1] - start[SEARCH_GROUPS]),
							   (int64_t)(start[SEARCH_FACETS + 1] - start[SEARCH_FACETS]));
	scree_block_room(r, AT_FACETS, 1);
	LAUNCH(r, "search_groups", r->rule.bodies, NULL, 0, RULE, BODIES, SHAPES, WALL_ROWS, STARTS, FOUND, GROUPS,
		   NEAR_FACETS, AT_FACETS, SEARCHED);
	if (r->facets)
		scree_block_get(r, SEARCHED, SEARCHED_FACETS * (int64_t)sizeof at_facets, &at_facets, sizeof at_facets);
	r->at_facets = (int64_t)at_facets;
}

/* ------------------------------------------------------------------ the search */

static real number_of(uint64_t bits)
{
	real x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

bool scree_resident_due(const work *w) { return resident_of(w)->due; }

bool scree_resident_search(const model *m, state *s, work *w)
{
	resident *r = resident_of(w);
	uint64_t searched[SEARCHED_WORDS];
	w->skin.stale |= w->rebuilds % BY_HOST == 0;
	if (!r->there || w->skin.stale) return false;
	search_rule q = rule_of(r, m, s, w);
	put_poses(r, m, s, w);
	scree_resident_put_space(r, s);
	put_in_cells(r, &q);
	count_pairs(r, &q, searched);
	w->skin.stale = !set_rows(r, &q, searched + SEARCHED_STARTS);
	if (w->skin.stale) return false;
	list_pairs(r, &q, (int64_t)searched[SEARCHED_STARTS + q.lists]);
	make_rows(r, &q);
	make_groups(r, searched + SEARCHED_STARTS);
	if (r->solids) scree_solids_room(r);
	scree_resident_clear_sums(r);
	r->due = false;
	r->ahead = r->searched = true;
	w->reach = number_of(searched[SEARCHED_REACH]) + w->skin.width / 2;
	scree_skin_start(m, s, w, s->time, q.rows[LIST_SPHERES] + q.rows[LIST_SPHERE_SOLID] + q.rows[LIST_SOLIDS]);
	return true;
}

void scree_resident_search_room(resident *r, const model *m, const state *s, work *w)
{
	search_rule q = rule_of(r, m, s, w);
	uint64_t start[SEARCHED_WORDS] = {0};
	const int64_t most[SEARCH_LISTS] = {r->rule.rows[LIST_SPHERES],
										r->rule.rows[LIST_ON_WALLS],
										r->rule.groups,
										r->near_facets,
										r->rule.rows[LIST_SPHERE_SOLID],
										r->rule.rows[LIST_SOLIDS],
										r->rule.rows[LIST_SOLID_WALL]};
	for (int k = 0; k < SEARCH_LISTS; ++k) start[k + 1] = start[k] + (uint64_t)most[k];
	put_poses(r, m, s, w);
	scree_resident_put_space(r, s);
	put_in_cells(r, &q);
	count_pairs(r, &q, (uint64_t[SEARCHED_WORDS]){0});
	set_rows(r, &q, start);
	list_pairs(r, &q, (int64_t)start[q.lists]);
}
