/* parts_join: joins loops in one plane into one face, and sorts faces. */
#include "shape/parts/parts.h"

#include "base/memory.h"
#include "base/sort.h"

/* adds the edges of a loop; edges along which two loops meet are removed */
static int32_t put_rims(const parts_solid *p, int32_t f, parts_rim *r, int32_t count)
{
	for (int32_t k = p->first[f]; k < p->first[f + 1]; ++k) {
		parts_rim now = {p->corner[k], p->corner[k + 1 < p->first[f + 1] ? k + 1 : p->first[f]]};
		int32_t back = 0;
		while (back < count && (r[back].from != now.to || r[back].to != now.from)) ++back;
		if (back < count)
			r[back] = r[--count];
		else
			r[count++] = now;
	}
	return count;
}

/* joins all rims into one loop, from the first remaining corner of loop f */
static int32_t walk(const parts_solid *p, int32_t f, const parts_rim *r, int32_t count, int32_t *corner)
{
	int32_t k = -1;
	for (int32_t j = p->first[f]; k < 0 && j < p->first[f + 1]; ++j) k = scree_parts_rim_from(r, count, p->corner[j]);
	return scree_parts_walk(r, count, k < 0 ? 0 : k, corner);
}

/* drops corners with only two faces; false if a face has fewer than three corners left */
static bool straighten(int32_t points, parts_solid *p)
{
	int32_t *uses = scree_alloc((size_t)points, sizeof *uses), kept = 0, from = 0;
	bool good = true;
	for (int32_t k = 0; k < p->first[p->faces]; ++k) ++uses[p->corner[k]];
	for (int32_t f = 0; f < p->faces; ++f) {
		int32_t to = p->first[f + 1], before = kept;
		for (int32_t k = from; k < to; ++k)
			if (uses[p->corner[k]] >= 3) p->corner[kept++] = p->corner[k];
		from = to;
		p->first[f + 1] = kept;
		good = good && kept - before >= 3;
	}
	scree_free(uses);
	return good;
}

/* a loop and its side; sorted by side, then by loop */
typedef struct by_side {
	int32_t side, loop;
} by_side;

bool scree_parts_solid_join(int32_t points, const parts_solid *loops, parts_solid *out)
{
	int32_t corners = loops->first[loops->faces];
	parts_solid p = scree_parts_solid_with(loops->faces, corners);
	parts_rim *r = scree_alloc((size_t)corners, sizeof *r);
	by_side *order = scree_alloc((size_t)loops->faces, sizeof *order);
	int32_t *run = scree_alloc((size_t)loops->faces, sizeof *run); /* row in `order` of a side's first loop, else -1 */
	for (int32_t f = 0; f < loops->faces; ++f) order[f] = (by_side){loops->side[f], f};
	scree_sort_by(order, loops->faces, sizeof *order, scree_sort_two);
	for (int32_t k = 0; k < loops->faces; ++k)
		run[order[k].loop] = k == 0 || order[k].side != order[k - 1].side ? k : -1;
	bool good = true;
	for (int32_t f = 0; good && f < loops->faces; ++f) {
		if (run[f] < 0) continue;
		int32_t count = 0;
		for (int32_t k = run[f]; k < loops->faces && order[k].side == loops->side[f]; ++k)
			count = put_rims(loops, order[k].loop, r, count);
		int32_t walked = walk(loops, f, r, count, p.corner + p.first[p.faces]);
		good = walked >= 3;
		p.side[p.faces++] = loops->side[f];
		p.first[p.faces] = p.first[p.faces - 1] + (good ? walked : 0);
	}
	scree_free(r), scree_free(order), scree_free(run);
	good = good && straighten(points, &p);
	if (good)
		*out = p;
	else
		scree_parts_solid_free(&p);
	return good;
}

/* order of faces by their loops; loops start at their lowest vertex */
static int loop_order(const void *p, const void *q)
{
	const int32_t *const *a = p, *const *b = q;
	for (int32_t k = 0; *a != *b; ++k)
		if ((*a)[k] != (*b)[k]) return (*a)[k] < (*b)[k] ? -1 : 1;
	return 0;
}

void scree_parts_solid_sort(parts_solid *p)
{
	int32_t corners = p->first[p->faces], faces = p->faces, at = 0;
	int32_t *all = scree_alloc((size_t)corners + 3 * (size_t)faces, sizeof *all); /* corners, -1, length, side */
	int32_t **row = scree_alloc((size_t)faces, sizeof *row);
	for (int32_t f = 0; f < faces; ++f) {
		const int32_t *loop = p->corner + p->first[f], count = p->first[f + 1] - p->first[f];
		int32_t low = 0;
		for (int32_t k = 1; k < count; ++k)
			if (loop[k] < loop[low]) low = k;
		row[f] = all + at;
		for (int32_t k = 0; k < count; ++k) all[at++] = loop[(low + k) % count];
		all[at++] = -1;
		all[at++] = p->side[f];
		++at;
	}
	scree_sort_by(row, faces, sizeof *row, loop_order);
	at = 0;
	for (int32_t f = 0; f < faces; ++f) {
		const int32_t *loop = row[f];
		while (*loop >= 0) p->corner[at++] = *loop++;
		p->side[f] = loop[1];
		p->first[f + 1] = at;
	}
	scree_free(all), scree_free(row);
}
