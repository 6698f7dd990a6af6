/* search.cl: the kernels of a search for pairs of worlds that stay on a device (kernel/resident_search.h). */
#include "kernel/convex_rows.h"
#include "kernel/near_wall.h"
#include "kernel/report.h"
#include "kernel/resident_motion.h"
#include "kernel/resident_patch.h"
#include "kernel/resident_search.h"

/* ------------------------------------------------------------------ bodies in cells */

SCREE_KERNEL void search_margins(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL const search_rule *q,
								 SCREE_GLOBAL real *bodies, SCREE_GLOBAL uint64_t *searched)
{
	const int64_t i = item_number();
	const columns b = columns_in(bodies, &r->body_stride);
	if (i >= r->bodies) return;
	const real margin = margin_wanted(way_ahead_in(&b, i, q->margin.dt), q->margin.steps, q->margin.greatest);
	real_put(&b, SPHERE_margin, i, margin);
	if (margin > 0) atomic_plus(searched + SEARCHED_MARGINS, (uint64_t)(margin / q->quantum));
}

SCREE_KERNEL void search_boxes(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL const search_rule *q,
							   SCREE_GLOBAL real *bodies, SCREE_GLOBAL uint64_t *searched, SCREE_GLOBAL uint64_t *cells)
{
	const int64_t i = item_number();
	const columns b = columns_in(bodies, &r->body_stride);
	if (i >= r->bodies) return;
	const real sum = (real)searched[SEARCHED_MARGINS] * q->quantum;
	const real part = margins_part(sum, q->margin.usual, (real)r->bodies);
	const real margin = real_max(part * real_in(&b, SPHERE_margin, i), q->margin.least);
	real_put(&b, SPHERE_margin, i, margin);
	real_put(&b, SPHERE_inner, i, margin);
	real_put(&b, SPHERE_way, i, 0);
	const search_box o = search_box_of(&b, i, q);
	searched[SEARCHED_LEVELS + o.cell.level] = 1;
	report_most(searched + SEARCHED_REACH, v3_norm(v3_sub(o.at, q->middle)) + o.extent);
	atomic_plus(cells + cell_number(o.cell, q->counts[0]), 1);
}

SCREE_KERNEL void search_cells(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL const search_rule *q,
							   SCREE_GLOBAL real *bodies, SCREE_GLOBAL uint64_t *cells, SCREE_GLOBAL search_box *boxes)
{
	const int64_t i = item_number();
	const columns b = columns_in(bodies, &r->body_stride);
	if (i >= r->bodies) return;
	const search_box o = search_box_of(&b, i, q);
	boxes[atomic_plus(cells + cell_number(o.cell, q->counts[0]), 1)] = o;
}

/* ------------------------------------------------------------------ sums of counts */

/* Sums of chunks of the counts of this level. */
SCREE_KERNEL void search_chunks(SCREE_GLOBAL const search_rule *q, SCREE_GLOBAL uint64_t *counts, int32_t which,
								int32_t level)
{
	const int64_t item = item_number();
	const count_range of = counts_at(q->counts[which], level);
	if (item >= chunks_of(of.count)) return;
	uint64_t sum = 0;
	for (int64_t k = item * SEARCH_CHUNK; k < (item + 1) * SEARCH_CHUNK && k < of.count; ++k) sum += counts[of.at + k];
	counts[of.at + of.count + item] = sum;
}

/* Replaces each count by the sum of all counts before it. */
SCREE_KERNEL void search_starts(SCREE_GLOBAL const search_rule *q, SCREE_GLOBAL uint64_t *counts, int32_t which,
								int32_t level)
{
	const int64_t item = item_number();
	const count_range of = counts_at(q->counts[which], level);
	if (item >= chunks_of(of.count)) return;
	uint64_t sum = of.count > SEARCH_CHUNK ? counts[of.at + of.count + item] : 0;
	for (int64_t k = item * SEARCH_CHUNK; k < (item + 1) * SEARCH_CHUNK && k < of.count; ++k) {
		const uint64_t count = counts[of.at + k];
		counts[of.at + k] = sum;
		sum += count;
	}
}

SCREE_KERNEL void search_lists(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL const search_rule *q,
							   SCREE_GLOBAL const uint64_t *starts, SCREE_GLOBAL uint64_t *searched)
{
	const int64_t list = item_number();
	if (list <= q->lists) searched[SEARCHED_STARTS + list] = starts[list * r->bodies];
}

/* ------------------------------------------------------------------ pairs */

typedef struct search_memory {
	columns body;
	SCREE_GLOBAL const search_rule *rule;
	SCREE_GLOBAL const search_box *box;
	SCREE_GLOBAL const uint64_t *cells;
	SCREE_GLOBAL const convex_rows *shapes;
	resident_space space; /* now */
	SCREE_GLOBAL uint64_t *starts;
	search_found found;
	int64_t bodies;
	bool store; /* otherwise pairs are counted */
} search_memory;

SCREE_FN void add_found(const search_memory *m, int32_t list, int64_t first, int32_t partner, int32_t code)
{
	const uint64_t at = atomic_plus(m->starts + list * m->bodies + first, 1);
	if (m->store) found_put(&m->found, (int64_t)at, partner, code);
}

SCREE_FN void add_partner(const search_memory *m, int32_t list, int64_t first, int32_t partner)
{
	add_found(m, list, first, partner, IMAGE_NONE);
}

SCREE_FN SCREE_GLOBAL const convex_rows *shape_of(const search_memory *m, int64_t i)
{
	return m->shapes + number_in(&m->body, SPHERE_shape, i);
}

SCREE_FN bool is_solid(const search_memory *m, int64_t i) { return RESIDENT_SOLIDS && shape_of(m, i)->vertices > 0; }

/* How far body i reaches from its centre in direction n. */
SCREE_FN real height_along(const search_memory *m, int64_t i, vec3 n)
{
	SCREE_GLOBAL const convex_rows *s = shape_of(m, i);
	const vec3 along = mat3_tmul(quat_matrix(orientation_in(&m->body, i)), n);
	real most = 0;
	if (!is_solid(m, i)) return real_in(&m->body, SPHERE_radius, i);
	for (int32_t v = 0; v < s->vertices; ++v) most = real_max(most, v3_dot(along, v3(s->vx[v], s->vy[v], s->vz[v])));
	return real_in(&m->body, SPHERE_size, i) * most;
}

/* Tests whether a plane across the line of centres will separate two bodies until the next search. */
SCREE_FN bool stay_apart(const search_memory *m, const search_box *a, const search_box *b)
{
	const vec3 d = v3_sub(b->at, a->at);
	const real far = v3_norm(d), ra = real_in(&m->body, SPHERE_radius, a->body);
	const real rb = real_in(&m->body, SPHERE_radius, b->body), ways = a->extent - ra + b->extent - rb;
	if (!RESIDENT_SOLIDS || !(far > 0)) return false;
	const vec3 n = v3_mul(1 / far, d);
	return far - height_along(m, a->body, n) - height_along(m, b->body, v3_neg(n)) > ways + (real)1e-9 * (ra + rb);
}

/* The first body is a sphere, or else the one with the lower id. Two bodies that cannot move are no pair. code: image
 * of x that meets y */
SCREE_FN void add_pair(const search_memory *m, const search_box *x, const search_box *y, int32_t code)
{
	const int64_t i = x->body, j = y->body;
	const bool solid = is_solid(m, i), mixed = solid != is_solid(m, j);
	const bool in_order = mixed ? !solid : id_in(&m->body, i) < id_in(&m->body, j);
	const int32_t list = mixed ? LIST_SPHERE_SOLID : solid ? LIST_SOLIDS : LIST_SPHERES;
	if (is_held(&m->body, i) && is_held(&m->body, j)) return;
	if (stay_apart(m, x, y)) return;
	add_found(m, search_list(list), in_order ? i : j, (int32_t)(in_order ? j : i),
			  in_order ? image_reverse(code) : code);
}

SCREE_FN void search_cell_at(const search_memory *m, const search_box *o, search_cell cell, int32_t code)
{
	const int64_t number = cell_number(cell, m->rule->counts[0]);
	for (int64_t k = range_start(m->cells, number); k < (int64_t)m->cells[number]; ++k) {
		const search_box other = m->box[k];
		if (same_cell(other.cell, cell) && found_from(o, &other) && balls_meet(o, &other)) add_pair(m, o, &other, code);
	}
}

SCREE_FN void search_level(const search_memory *m, const search_box *o, int32_t level, int32_t code)
{
	const search_cell at = cell_at(o->at, m->rule->wide[level], level);
	for (int32_t k = 0; k < 27; ++k) {
		const search_cell cell = {at.x + k % 3 - 1, at.y + k / 3 % 3 - 1, at.z + k / 9 - 1, level};
		search_cell_at(m, o, cell, code);
	}
}

SCREE_FN bool is_beside(real x, real low, real size, real wide) { return x >= low - wide && x <= low + size + wide; }

/* Tests whether a ball there may meet a body in the cell of periodic space. */
SCREE_FN bool is_near_space(const resident_space *s, vec3 p, real wide)
{
	const vec3 low = s->now->low, size = s->now->size;
	return (!s->rule->axis[0] || is_beside(p.x, low.x, size.x, wide)) &&
		   (!s->rule->axis[1] || is_beside(p.y, low.y, size.y, wide)) &&
		   (!s->rule->axis[2] || is_beside(p.z, low.z, size.z, wide));
}

SCREE_FN void search_images(const search_memory *m, const search_box *o, int32_t level)
{
	for (int32_t k = 0; k < m->rule->codes; ++k) {
		const int32_t code = m->rule->code[k];
		search_box moved = *o;
		moved.at = v3_add(o->at, m->space.now->shift[code]);
		if (is_near_space(&m->space, moved.at, m->rule->wide[level])) search_level(m, &moved, level, code);
	}
}

SCREE_KERNEL void search_pairs(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL const search_rule *q,
							   SCREE_GLOBAL real *bodies, SCREE_GLOBAL const search_box *boxes,
							   SCREE_GLOBAL const uint64_t *cells, SCREE_GLOBAL const convex_rows *shapes,
							   SCREE_GLOBAL const uint64_t *searched, SCREE_GLOBAL const period_rule *period,
							   SCREE_GLOBAL const period_images *now, SCREE_GLOBAL uint64_t *starts,
							   SCREE_GLOBAL int32_t *found, SCREE_GLOBAL int32_t *codes, int32_t store)
{
	const int64_t item = item_number();
	const search_memory m = {columns_in(bodies, &r->body_stride),
							 q,
							 boxes,
							 cells,
							 shapes,
							 {r->periodic ? period : 0, now, 0},
							 starts,
							 {found, r->periodic ? codes : 0},
							 r->bodies,
							 store != 0};
	if (item >= r->bodies) return;
	const search_box o = boxes[item];
	for (int32_t level = o.cell.level; level < SEARCH_LEVELS; ++level)
		if (searched[SEARCHED_LEVELS + level]) {
			if (m.space.rule)
				search_images(&m, &o, level);
			else
				search_level(&m, &o, level, IMAGE_NONE);
		}
}

/* ------------------------------------------------------------------ bodies and walls */

/* The walls, and a body beside one of them, in its frame. */
typedef struct search_walls {
	SCREE_GLOBAL const wall_row *row;
	SCREE_GLOBAL const search_wall *pose;
	SCREE_GLOBAL const facet *face;
} search_walls;

typedef struct beside_wall {
	int64_t body;
	vec3 at;
	real radius, far; /* far: distance within which the surface of the body may touch the wall */
} beside_wall;

SCREE_FN int32_t list_of_body_on_walls(const search_memory *m, int64_t i)
{
	return is_solid(m, i) ? LIST_SOLID_WALL : LIST_ON_WALLS;
}

SCREE_FN bool may_touch(SCREE_GLOBAL const facet *f, const beside_wall *o)
{
	return !outside_box(f, o->at, o->radius + o->far);
}

SCREE_FN bool is_in_reach(const beside_wall *o, vec3 low, vec3 high)
{
	const real r = o->radius + o->far;
	return o->at.x + r >= low.x && o->at.y + r >= low.y && o->at.z + r >= low.z && o->at.x - r <= high.x &&
		   o->at.y - r <= high.y && o->at.z - r <= high.z;
}

/* Tests whether no facet from `first` to k of the same surface may touch the body. */
SCREE_FN bool is_new_surface(SCREE_GLOBAL const facet *face, int32_t first, int32_t k, const beside_wall *o)
{
	int32_t i = first;
	while (i < k && !(face[i].surface == face[k].surface && may_touch(face + i, o))) ++i;
	return i == k;
}

/* rows: the list of the body's rows on walls */
SCREE_FN bool add_facets(const search_memory *m, const search_walls *s, int32_t wall, const beside_wall *o,
						 int32_t rows)
{
	const int32_t first = s->row[wall].first_facet, end = first + s->row[wall].facets;
	bool any = false;
	if (!is_in_reach(o, s->pose[wall].low, s->pose[wall].high)) return false;
	for (int32_t k = first; k < end; ++k) {
		if (!may_touch(s->face + k, o)) continue;
		add_partner(m, SEARCH_FACETS, o->body, k);
		if (is_new_surface(s->face, first, k, o)) add_partner(m, rows, o->body, s->face[k].surface);
		any = true;
	}
	return any;
}

SCREE_FN bool is_near_form(SCREE_GLOBAL const wall_row *w, const beside_wall *o)
{
	switch (w->type) {
	case WALL_PLANE:
		return near_plane(w, o->at, o->radius, o->far);
	case WALL_CYLINDER:
		return near_cylinder(w, o->at, o->radius, o->far);
	default:
		return near_cone(w, o->at, o->radius, o->far);
	}
}

/* Adds the surfaces of a wall that a body may touch before the next search. */
SCREE_FN void add_wall(const search_memory *m, const search_walls *s, int32_t wall, const search_box *box)
{
	SCREE_GLOBAL const search_wall *pose = s->pose + wall;
	SCREE_GLOBAL const wall_row *w = s->row + wall;
	const vec3 at = mat3_tmul(pose->turn, v3_sub(box->at, pose->position));
	const real radius = real_in(&m->body, SPHERE_radius, box->body);
	const beside_wall o = {box->body, at, radius, box->extent - radius + pose->far};
	const bool facets = w->type == WALL_FACETS;
	const int32_t rows = search_list(list_of_body_on_walls(m, o.body));
	if (facets ? !add_facets(m, s, wall, &o, rows) : !is_near_form(w, &o)) return;
	if (!facets) add_partner(m, rows, o.body, w->first_surface);
	add_partner(m, SEARCH_GROUPS, o.body, wall);
}

SCREE_KERNEL void search_walls_near(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL const search_rule *q,
									SCREE_GLOBAL real *bodies, SCREE_GLOBAL const search_box *boxes,
									SCREE_GLOBAL const wall_row *rows, SCREE_GLOBAL const search_wall *poses,
									SCREE_GLOBAL const facet *facets, SCREE_GLOBAL const int32_t *acts,
									SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL uint64_t *starts,
									SCREE_GLOBAL int32_t *found, int32_t store)
{
	const int64_t item = item_number();
	const search_memory m = {
		columns_in(bodies, &r->body_stride), q, 0, 0, shapes, {0, 0, 0}, starts, {found, 0}, r->bodies, store != 0};
	const search_walls s = {rows, poses, facets};
	if (item >= r->bodies) return;
	const search_box o = boxes[item];
	const int32_t material = number_in(&m.body, SPHERE_material, o.body);
	const bool held = is_held(&m.body, o.body); /* then only walls that are moved by forces matter */
	for (int32_t k = 0; k < r->walls; ++k)
		if (acts[k * r->materials + material] && (!held || poses[k].driven)) add_wall(&m, &s, k, &o);
}

/* Makes the groups of body i: a wall, with its rows and its facets. at_facets: list of those of polyhedra at facets, in
 * any order */
SCREE_KERNEL void search_groups(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL real *bodies,
								SCREE_GLOBAL const convex_rows *shapes, SCREE_GLOBAL const wall_row *rows,
								SCREE_GLOBAL const uint64_t *starts, SCREE_GLOBAL const int32_t *found,
								SCREE_GLOBAL resident_group *groups, SCREE_GLOBAL int32_t *near,
								SCREE_GLOBAL int32_t *at_facets, SCREE_GLOBAL uint64_t *searched)
{
	const int64_t i = item_number(), n = r->bodies;
	const search_memory m = {
		columns_in(bodies, &r->body_stride), 0, 0, 0, shapes, {0, 0, 0}, 0, {0, 0}, r->bodies, false};
	if (i >= n) return;
	const int32_t list = list_of_body_on_walls(&m, i);
	const int64_t first = search_list(list) * n, in_rows = range_start(starts, first);
	const int64_t in_groups = range_start(starts, SEARCH_GROUPS * n),
				  in_facets = range_start(starts, SEARCH_FACETS * n);
	const int64_t end = (int64_t)starts[SEARCH_GROUPS * n + i], rows_end = (int64_t)starts[first + i];
	const int64_t facets_end = (int64_t)starts[SEARCH_FACETS * n + i];
	int64_t row = range_start(starts, first + i), face = range_start(starts, SEARCH_FACETS * n + i);
	for (int64_t k = range_start(starts, SEARCH_GROUPS * n + i); k < end; ++k) {
		const int32_t wall = found[k], next = k + 1 < end ? rows[found[k + 1]].first_surface : 0x7fffffff;
		resident_group g = {list, (int32_t)i, wall, (int32_t)(row - in_rows), 0, (int32_t)(face - in_facets), 0};
		for (; row < rows_end && found[row] < next; ++row) ++g.rows;
		for (; face < facets_end && found[face] < rows[wall].first_facet + rows[wall].facets; ++face, ++g.facets)
			near[face - in_facets] = found[face];
		groups[k - in_groups] = g;
		if (list == LIST_SOLID_WALL && rows[wall].type == WALL_FACETS)
			at_facets[atomic_plus(searched + SEARCHED_FACETS, 1)] = (int32_t)(k - in_groups);
	}
}

/* ------------------------------------------------------------------ rows */

/* The row from `row` on of the same pair that meets through this image; -1 if there is none. */
SCREE_FN int64_t row_through(const columns *rows, int64_t count, int64_t row, SCREE_GLOBAL const image *met,
							 image through)
{
	const int32_t a = number_in(rows, ROW_ca, row), b = number_in(rows, ROW_cb, row);
	int64_t k = row;
	for (; k < count && number_in(rows, ROW_ca, k) == a && partner_of(number_in(rows, ROW_cb, k)) == b; ++k)
		if (row_is_used(rows, k) && image_order(met[k], through) == 0) return k;
	return -1;
}

SCREE_FN search_found found_in(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL int32_t *found,
							   SCREE_GLOBAL int32_t *codes, int32_t list)
{
	const search_found f = {found, r->periodic && list == LIST_SPHERES ? codes : 0};
	return f;
}

/* The image through which body i meets partner k. */
SCREE_FN image image_of(const columns *b, const search_found *f, SCREE_GLOBAL const period_rule *period,
						SCREE_GLOBAL const period_images *now, int64_t i, int64_t k)
{
	return image_kept(period, now, f->code[k], cell_in(b, SPHERE_cell_x, i), cell_in(b, SPHERE_cell_x, f->partner[k]));
}

/* Sorts the partners of a body, and finds the rows of these pairs before the search: `moved`, -1 for a new pair. */
SCREE_KERNEL void search_before(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL const search_rule *q,
								SCREE_GLOBAL real *bodies, SCREE_GLOBAL const uint64_t *starts,
								SCREE_GLOBAL const period_rule *period, SCREE_GLOBAL const period_images *now,
								SCREE_GLOBAL int32_t *found, SCREE_GLOBAL int32_t *codes, SCREE_GLOBAL real *rows,
								SCREE_GLOBAL const image *met, SCREE_GLOBAL int64_t *moved, int32_t list)
{
	const int64_t i = item_number(), first = search_list(list) * r->bodies, base = range_start(starts, first);
	const columns b = columns_in(bodies, &r->body_stride), in = columns_in(rows, &q->row_stride[list]);
	const search_found f = found_in(r, found, codes, list);
	if (i >= r->bodies) return;
	const int64_t from = range_start(starts, first + i), end = (int64_t)starts[first + i];
	sort_partners(&b, &f, from, end, list_on_wall(list));
	for (int64_t k = from; k < end; ++k) {
		int64_t was = row_with(&b, &in, q->was[list], (int32_t)i, found[k], list_on_wall(list));
		if (was >= 0 && f.code) was = row_through(&in, q->was[list], was, met, image_of(&b, &f, period, now, i, k));
		moved[k - base] = was;
	}
}

/* Histories move to the new rows of the same pairs within their block, column by column: to `moved`, and back. */
SCREE_KERNEL void search_takes(SCREE_GLOBAL const search_rule *q, SCREE_GLOBAL int64_t *rows,
							   SCREE_GLOBAL int64_t *moved, int32_t list, int32_t column)
{
	const int64_t k = item_number(), count = q->rows[list];
	if (k < count) moved[count + k] = moved[k] < 0 ? 0 : rows[column * q->row_stride[list] + moved[k]];
}

SCREE_KERNEL void search_returns(SCREE_GLOBAL const search_rule *q, SCREE_GLOBAL int64_t *rows,
								 SCREE_GLOBAL const int64_t *moved, int32_t list, int32_t column)
{
	const int64_t k = item_number(), count = q->rows[list];
	if (k < count) rows[column * q->row_stride[list] + k] = moved[count + k];
}

/* Writes the rows of body i, whose partners are sorted. */
SCREE_KERNEL void search_rows(SCREE_GLOBAL const resident_rule *r, SCREE_GLOBAL const search_rule *q,
							  SCREE_GLOBAL real *bodies, SCREE_GLOBAL const uint64_t *starts,
							  SCREE_GLOBAL const period_rule *period, SCREE_GLOBAL const period_images *now,
							  SCREE_GLOBAL int32_t *found, SCREE_GLOBAL int32_t *codes, SCREE_GLOBAL real *rows,
							  SCREE_GLOBAL image *met, int32_t list)
{
	const int64_t i = item_number(), first = search_list(list) * r->bodies, base = range_start(starts, first);
	const columns b = columns_in(bodies, &r->body_stride), to = columns_in(rows, &q->row_stride[list]);
	const search_found f = found_in(r, found, codes, list);
	if (i >= r->bodies) return;
	for (int64_t k = range_start(starts, first + i); k < (int64_t)starts[first + i]; ++k) {
		number_put(&to, ROW_ca, k - base, (int32_t)i);
		number_put(&to, ROW_cb, k - base, found[k]);
		if (f.code) met[k - base] = image_of(&b, &f, period, now, i, k);
	}
}
