/* solids: polyhedra on a device: their shapes, and the launches of the kernels that find their contacts
 * (machine/resident_solids.cl). A list with more rows than there is memory for records is processed in parts. */
#include "resident/blocks.h"

#include "base/memory.h"
#include "kernel/convex_rows.h"
#include "kernel/resident_patch.h"
#include "model/model.h"
#include "model/narrow.h"
#include "state/pairs.h"
#include "state/state.h"
#include "work/work.h"

#include <string.h>

enum {
	RECORD_BYTES = 1 << 30
}; /* memory for records: those of all items that a large card runs at once, a few times */

/* ------------------------------------------------------------------ shapes */

bool scree_resident_holds(const shape *s)
{
	return s->faces <= ROWS_FACES && s->vertices <= ROWS_VERTICES && s->corners <= ROWS_CORNERS;
}

const narrow_kernels *scree_solids_kernels(const model *m, const state *s)
{
	const bodies *b = &s->body;
	for (int32_t i = 0; i < b->owned; ++i)
		if (m->shape.row[b->shape[i]].type == SHAPE_CONVEX) return m->narrow->kernels;
	return NULL;
}

/* Tests whether contacts of this shape may be too large for the smaller kernels (docs/gpu_kernels.md, "Larger pairs").
 */
static bool is_large(const shape *s)
{
	enum { FACES = 32, VERTICES = 32, ENDS = 96, OF_FACE = 7 };
	bool large = s->faces > FACES || s->vertices > VERTICES || s->corners > ENDS;
	for (int32_t f = 0; f < s->faces; ++f) large |= s->first[f + 1] - s->first[f] > OF_FACE;
	return large;
}

bool scree_solids_large(const model *m)
{
	bool large = false;
	for (int32_t k = 0; k < m->shape.count; ++k)
		if (m->shape.row[k].type == SHAPE_CONVEX) large |= is_large(m->shape.row + k);
	return large;
}

static bool any_wall(const model *m, wall_type type)
{
	int32_t k = 0;
	while (k < m->wall.count && m->wall.row[k].type != type) ++k;
	return k < m->wall.count;
}

bool scree_solids_at_tubes(const model *m) { return any_wall(m, WALL_CYLINDER) || any_wall(m, WALL_CONE); }
bool scree_solids_at_facets(const model *m) { return any_wall(m, WALL_FACETS); }

static void copy_bytes(uint8_t *to, const int32_t *from, int32_t count)
{
	for (int32_t k = 0; k < count; ++k) to[k] = (uint8_t)from[k];
}

static void copy_solid(convex_rows *to, const shape *s)
{
	to->vertices = s->vertices, to->faces = s->faces, to->corners = s->corners, to->edges = s->edges;
	to->radius = s->radius, to->inradius = s->inradius, to->uneven = s->uneven;
	for (int32_t v = 0; v < s->vertices; ++v) to->vx[v] = s->vx[v], to->vy[v] = s->vy[v], to->vz[v] = s->vz[v];
	for (int32_t f = 0; f < s->faces; ++f) {
		to->nx[f] = s->nx[f], to->ny[f] = s->ny[f], to->nz[f] = s->nz[f];
		to->off[f] = s->off[f];
	}
	copy_bytes(to->first, s->first, s->faces + 1);
	copy_bytes(to->corner, s->corner, s->corners);
	copy_bytes(to->across, s->across, s->corners);
	copy_bytes(to->at_first, s->at_first, s->vertices + 1);
	copy_bytes(to->at, s->at, s->corners);
	copy_bytes(to->ends, s->ends, 2 * s->edges);
	copy_bytes(to->sides, s->sides, 2 * s->edges);
}

static void put_shapes(resident *r, const model *m)
{
	const size_t count = (size_t)m->shape.count;
	convex_rows *all = scree_alloc(count, sizeof *all);
	for (size_t k = 0; k < count; ++k) {
		const shape *s = m->shape.row + k;
		all[k].thick = s->thick;
		if (s->type == SHAPE_CONVEX && scree_resident_holds(s)) copy_solid(all + k, s);
	}
	scree_block_put_all(r, SHAPES, all, (int64_t)(count * sizeof *all));
	scree_free(all);
}

/* ------------------------------------------------------------------ memory */

void scree_solids_built(resident *r)
{
	static const int64_t about[3] = {4096, 81920, 143360}; /* where there is no device */
	scree_block_put_all(r, RECORDS, about, sizeof about);
	memcpy(r->record, about, sizeof about);
	LAUNCH(r, "resident_records", 1, NULL, 0, RECORDS);
	scree_block_get(r, RECORDS, 0, r->record, sizeof r->record);
}

/* Kinds of records, of which the memory holds only some at a time. */
enum { OF_PAIRS, AT_WALL, AT_WALL_OF_FACETS };

/* Contacts with walls that are moved by forces share the masses of these: they are found together. */
static int64_t at_once(const resident *r, int kind, int64_t records)
{
	const int64_t most = RECORD_BYTES / r->record[kind];
	return records < most || (r->driven && kind != OF_PAIRS) ? records : most;
}

static void room_records(resident *r, int kind, int64_t records)
{
	scree_block_room(r, RECORDS, at_once(r, kind, records) * r->record[kind]);
}

void scree_solids_write(resident *r, const model *m)
{
	put_shapes(r, m);
	r->driven = scree_walls_driven(&m->wall);
	scree_block_clear(r, CLASSES, ENERGY_LEVELS * ENDED_WORDS * (int64_t)sizeof(uint64_t));
	scree_solids_room(r);
}

void scree_solids_room(resident *r)
{
	scree_block_room(r, BODY_POSES, r->rule.body_stride * (int64_t)sizeof(convex_pose));
	scree_block_room(r, PATCHES + LIST_SPHERE_SOLID, r->rule.rows[LIST_SPHERE_SOLID] * (int64_t)sizeof(found_sphere));
	for (int k = LIST_SOLIDS; k <= LIST_SOLID_WALL; ++k)
		scree_block_room(r, PATCHES + k, r->rule.rows[k] * (int64_t)sizeof(found_patch));
	room_records(r, OF_PAIRS, r->rule.rows[LIST_SOLIDS]);
	room_records(r, AT_WALL, r->rule.rows[LIST_SOLID_WALL]);
	room_records(r, AT_WALL_OF_FACETS, r->at_facets);
}

static void read_classes(resident *r, state *s)
{
	uint64_t of[ENERGY_LEVELS][ENDED_WORDS];
	scree_block_get(r, CLASSES, 0, of, sizeof of);
	for (int k = 0; k < ENERGY_LEVELS; ++k) {
		energy_class *to = s->energy_guard.classes + k;
		scree_fixed_join(&to->made, (fixed){resident_sum(of[k] + ENDED_MADE), 0});
		scree_fixed_join(&to->lost, (fixed){resident_sum(of[k] + ENDED_LOST), 0});
		to->patches += (int64_t)of[k][ENDED_PATCHES];
	}
	scree_block_clear(r, CLASSES, sizeof of);
}

static void read_forces(resident *r, int list, contact_force *force)
{
	enum { AT_ONCE = 1 << 16 };
	const int64_t rows = r->rule.rows[list], bytes = sizeof(found_patch);
	found_patch *f = scree_alloc(AT_ONCE, sizeof *f);
	for (int64_t first = 0; first < rows; first += AT_ONCE) {
		const int64_t count = rows - first < AT_ONCE ? rows - first : AT_ONCE;
		scree_block_get(r, PATCHES + list, first * bytes, f, count * bytes);
		for (int64_t k = 0; k < count; ++k)
			force[first + k] = (contact_force){f[k].press.hold, f[k].press.pulled, f[k].press.normal.force};
	}
	scree_free(f);
}

void scree_solids_read(resident *r, state *s, const work *w)
{
	for (int k = LIST_SOLIDS; k <= LIST_SOLID_WALL; ++k) read_forces(r, k, w->pair[resident_kinds[k]].contact.force);
	read_classes(r, s);
}

/* ------------------------------------------------------------------ launches */

static void launch_find(resident *r, const char *kernel, int list, const int32_t number[3])
{
	const int64_t items = list == LIST_SOLID_WALL && r->tubes ? TUBE_ITEMS : 1;
	LAUNCH(r, kernel, number[2] * items, number, 3, RULE, BODIES, PAIRS + list, CONSTANTS, WALLS, WALL_ROWS,
		   SURFACE_WALLS, SHAPES, BODY_POSES, RECORDS, PATCHES + list, LOADS, STOP);
}

static void find_rows(resident *r, int list, const char *const *kernel, int32_t step)
{
	const bool on_wall = list == LIST_SOLID_WALL;
	const int64_t rows = r->rule.rows[list], most = at_once(r, on_wall ? AT_WALL : OF_PAIRS, rows);
	for (int64_t first = 0; first < rows; first += most) {
		const int64_t count = rows - first < most ? rows - first : most;
		const int32_t number[3] = {step, (int32_t)first, (int32_t)count};
		for (int k = 0; k < NARROW_KERNELS && kernel[k]; ++k) launch_find(r, kernel[k], list, number);
		if (on_wall && r->driven) launch_find(r, "at_wall_pushes", list, number);
		launch_find(r, on_wall ? "at_wall_presses" : "pair_presses", list, number);
	}
}

static void launch_at_facets(resident *r, const char *kernel, const int32_t number[3])
{
	LAUNCH(r, kernel, (int64_t)number[2] * GROUP_CONTACTS, number, 3, RULE, BODIES, PAIRS + LIST_SOLID_WALL, CONSTANTS,
		   WALLS, WALL_TABLES, SURFACE_WALLS, SURFACE_LINKS, SURFACE_FACES, GROUPS, AT_FACETS, SHAPES, BODY_POSES,
		   RECORDS, PATCHES + LIST_SOLID_WALL, LOADS, STOP);
}

static void find_at_facets(resident *r, const char *const *kernel, int32_t step)
{
	const int64_t groups = r->at_facets, most = at_once(r, AT_WALL_OF_FACETS, groups);
	for (int64_t first = 0; first < groups; first += most) {
		const int64_t count = groups - first < most ? groups - first : most;
		const int32_t number[3] = {step, (int32_t)first, (int32_t)count};
		for (int k = 0; k < NARROW_KERNELS && kernel[k]; ++k) launch_at_facets(r, kernel[k], number);
		if (r->driven) launch_at_facets(r, "at_facet_pushes", number);
		launch_at_facets(r, "at_facet_presses", number);
	}
}

void scree_solids_launch_find(resident *r, int32_t step)
{
	const int64_t spheres = r->rule.rows[LIST_SPHERE_SOLID];
	LAUNCH(r, "resident_poses", r->rule.bodies, &step, 1, RULE, BODIES, BODY_POSES, STOP);
	LAUNCH(r, "resident_find_spheres", spheres, &step, 1, RULE, BODIES, PAIRS + LIST_SPHERE_SOLID, SHAPES, BODY_POSES,
		   PATCHES + LIST_SPHERE_SOLID, STOP);
	find_rows(r, LIST_SOLIDS, r->solids->pairs, step);
	find_rows(r, LIST_SOLID_WALL, r->tubes && *r->solids->tubes ? r->solids->tubes : r->solids->walls, step);
	find_at_facets(r, r->solids->facets, step);
}

static void step_patches(resident *r, const char *kernel, int list, int32_t step)
{
	if (!r->rule.rows[list]) return;
	LAUNCH(r, kernel, r->rule.workers, &step, 1, RULE, BODIES, PAIRS + list, CONSTANTS, WALLS, SURFACE_WALLS,
		   PATCHES + list, CLASSES, SUMS, WIDE_ROWS, WIDE_SUMS, LOADS, PARTIAL, REPORTS, STOP);
}

void scree_solids_launch_law(resident *r, int32_t step)
{
	const int64_t spheres = r->rule.rows[LIST_SPHERE_SOLID];
	LAUNCH(r, "resident_on_solids", spheres ? r->rule.workers : 0, &step, 1, RULE, BODIES, PAIRS + LIST_SPHERE_SOLID,
		   CONSTANTS, PATCHES + LIST_SPHERE_SOLID, SUMS, WIDE_ROWS, WIDE_SUMS, PARTIAL, REPORTS, STOP);
	step_patches(r, "resident_solids", LIST_SOLIDS, step);
	step_patches(r, "resident_solid_wall", LIST_SOLID_WALL, step);
}
