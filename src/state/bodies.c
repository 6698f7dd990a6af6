#include "state/bodies.h"

#include "base/fail.h"
#include "base/memory.h"
#include "state/id_table.h"

#include <string.h>

#define ROW(member, unit, help, type, when, saved)                                                                     \
	{                                                                                                                  \
#member, unit, help, offsetof(bodies, member), type, when, saved, 0                                            \
	}
#define VECTOR(x, y, z, ...) ROW(x, __VA_ARGS__), ROW(y, __VA_ARGS__), ROW(z, __VA_ARGS__)

const field scree_body_fields[] = {
	ROW(id, "", "identity, given once", KIND_U64, SHARE_BIRTH, true),
	VECTOR(x, y, z, "m", "position", KIND_F64, SHARE_STEP, true),
	ROW(qw, "", "orientation", KIND_F64, SHARE_STEP, true),
	VECTOR(qx, qy, qz, "", "orientation", KIND_F64, SHARE_STEP, true),
	VECTOR(vx, vy, vz, "m/s", "velocity", KIND_F64, SHARE_STEP, true),
	VECTOR(wx, wy, wz, "1/s", "angular velocity", KIND_F64, SHARE_STEP, true),
	VECTOR(lx, ly, lz, "kg m2/s", "angular momentum", KIND_F64, SHARE_OWNER, true),
	VECTOR(fx, fy, fz, "N", "contact force", KIND_F64, SHARE_OWNER, true),
	VECTOR(tx, ty, tz, "N m", "contact torque", KIND_F64, SHARE_OWNER, true),
	VECTOR(hx, hy, hz, "m/s", "velocity at the half step", KIND_F64, SHARE_AHEAD, false),
	VECTOR(kx, ky, kz, "kg m2/s", "angular momentum at the half step", KIND_F64, SHARE_AHEAD, false),
	VECTOR(ox, oy, oz, "m", "position before the drift", KIND_F64, SHARE_OWNER, false),
	ROW(way, "m", "bound on the displacement of the body's points since the last search", KIND_F64, SHARE_STEP, false),
	ROW(margin, "m", "displacement up to which pairs are valid", KIND_F64, SHARE_BIRTH, false),
	ROW(inner, "m", "displacement up to which contact rows are valid", KIND_F64, SHARE_NEVER, false),
	ROW(radius, "m", "radius of the bounding sphere", KIND_F64, SHARE_BIRTH, true),
	ROW(round, "m", "radius of the sphere of the same volume", KIND_F64, SHARE_BIRTH, true),
	ROW(size, "m", "factor that scales the shape", KIND_F64, SHARE_BIRTH, true),
	ROW(mass, "kg", "mass", KIND_F64, SHARE_BIRTH, true),
	ROW(inv_mass, "1/kg", "1/mass", KIND_F64, SHARE_BIRTH, true),
	VECTOR(ix, iy, iz, "kg m2", "principal moment of inertia", KIND_F64, SHARE_BIRTH, true),
	ROW(shape, "", "row of shapes", KIND_I32, SHARE_BIRTH, true),
	ROW(material, "", "row of materials", KIND_I32, SHARE_BIRTH, true),
	ROW(flags, "", "BODY_*", KIND_I32, SHARE_BIRTH, true),
	VECTOR(cell_x, cell_y, cell_z, "", "periods crossed", KIND_I32, SHARE_STEP, true),
	ROW(energy, "J", "energy at the last reading of the guard of energy", KIND_F64, SHARE_OWNER, true),
	ROW(stirred, "", "whether contacts have changed the body's energy", KIND_I32, SHARE_OWNER, true),
};

enum { FIELDS = sizeof scree_body_fields / sizeof *scree_body_fields };
/* an array in the struct but not in the table fails to build */
_Static_assert(FIELDS == (sizeof(bodies) - offsetof(bodies, id)) / sizeof(void *), "each array has a row");

const field_table scree_body_table = {scree_body_fields, FIELDS};

static const field heat_fields[] = {
	{"temperature", "K", "temperature", offsetof(bodies, extra), KIND_F64, SHARE_STEP, true, 0},
};
const field_table scree_heat_table = {heat_fields, 1};

void scree_bodies_reserve(bodies *b, int32_t count)
{
	if (count <= b->capacity) return;
	int32_t capacity = b->capacity + b->capacity / 2;
	if (capacity < count) capacity = count;
	capacity = (capacity + 15) & ~15;
	scree_fields_grow(scree_body_table, b, b->count, capacity);
	scree_fields_grow(b->asked, b, b->count, capacity);
	b->capacity = capacity;
	b->epoch += 1;
}

void scree_bodies_free(bodies *b)
{
	scree_fields_free(scree_body_table, b);
	scree_fields_free(b->asked, b);
	b->count = b->owned = b->capacity = 0;
}

void scree_bodies_ask(bodies *b, field_table rows)
{
	if (b->asked.row == rows.row && b->asked.count == rows.count) return;
	SCREE_ASSERT(rows.count <= BODY_EXTRAS);
	scree_fields_free(b->asked, b);
	b->asked = rows;
	scree_fields_grow(b->asked, b, 0, b->capacity);
	b->epoch += 1;
}

int scree_body_rows(const bodies *b) { return scree_body_table.count + b->asked.count; }

const field *scree_body_row(const bodies *b, int k)
{
	return k < scree_body_table.count ? scree_body_table.row + k : b->asked.row + (k - scree_body_table.count);
}

void scree_bodies_permute(bodies *b, const int32_t *order, void *tmp)
{
	scree_fields_permute(scree_body_table, b, order, b->count, tmp);
	scree_fields_permute(b->asked, b, order, b->count, tmp);
	b->epoch += 1;
}

void scree_bodies_copy(bodies *b, int64_t to, int64_t from)
{
	scree_fields_copy(scree_body_table, b, to, from);
	scree_fields_copy(b->asked, b, to, from);
}

void scree_bodies_clear(bodies *b, int64_t from, int64_t to)
{
	scree_fields_clear(scree_body_table, b, from, to);
	scree_fields_clear(b->asked, b, from, to);
}

id_table scree_ids_sort(sort_item *item, int64_t count)
{
	scree_sort_alone(item, count);
	return (id_table){count, item};
}

id_table scree_ids_of_rows(const bodies *b, int32_t from, int32_t end)
{
	const int32_t count = end - from;
	sort_item *item = scree_alloc((size_t)count, sizeof *item);
	for (int32_t k = 0; k < count; ++k) item[k] = (sort_item){b->id[from + k], from + k};
	return scree_ids_sort(item, count);
}

int32_t *scree_bodies_by_id(const bodies *b)
{
	const id_table rows = scree_ids_of_rows(b, 0, b->owned);
	int32_t *order = scree_alloc((size_t)b->owned, sizeof *order);
	for (int32_t i = 0; i < b->owned; ++i) order[i] = rows.item[i].value;
	scree_free(rows.item);
	return order;
}

bodies scree_bodies_sorted(const bodies *b)
{
	bodies sorted = {0};
	int32_t *order = scree_bodies_by_id(b);
	scree_bodies_ask(&sorted, b->asked);
	scree_bodies_reserve(&sorted, b->owned);
	sorted.count = sorted.owned = b->owned;
	for (int f = 0; f < scree_body_rows(b); ++f) {
		size_t size = scree_kind_size(scree_body_row(b, f)->type);
		const char *from = scree_field_array(b, scree_body_row(b, f));
		char *to = scree_field_array(&sorted, scree_body_row(b, f));
		for (int32_t i = 0; i < b->owned; ++i) memcpy(to + (size_t)i * size, from + (size_t)order[i] * size, size);
	}
	scree_free(order);
	return sorted;
}

/* Counts of periods stay zero in a world without periods; displacements may be computed from poses. */
static share occasion_of(const bodies *b, const field *o)
{
	const bool cell = o->at >= offsetof(bodies, cell_x) && o->at <= offsetof(bodies, cell_z);
	const bool known = cell ? !b->in_cell : o->at == offsetof(bodies, way) && b->way_by_pose;
	return known && o->when < SHARE_BIRTH ? SHARE_BIRTH : o->when;
}

size_t scree_bodies_packed(const bodies *b, share when)
{
	size_t bytes = 0;
	for (int f = 0; f < scree_body_rows(b); ++f)
		if (occasion_of(b, scree_body_row(b, f)) <= when) bytes += scree_kind_size(scree_body_row(b, f)->type);
	return bytes;
}

void scree_bodies_pack(const bodies *b, share when, int64_t count, const int32_t *row, void *to)
{
	size_t bytes = scree_bodies_packed(b, when), at = 0;
	for (int f = 0; f < scree_body_rows(b); ++f) {
		const field *o = scree_body_row(b, f);
		if (occasion_of(b, o) > when) continue;
		size_t size = scree_kind_size(o->type);
		const char *array = scree_field_array(b, o);
		for (int64_t k = 0; k < count; ++k)
			memcpy((char *)to + (size_t)k * bytes + at, array + (size_t)row[k] * size, size);
		at += size;
	}
}

void scree_bodies_unpack(bodies *b, share when, int64_t from, int64_t count, const void *packed)
{
	size_t bytes = scree_bodies_packed(b, when), at = 0;
	for (int f = 0; f < scree_body_rows(b); ++f) {
		const field *o = scree_body_row(b, f);
		if (occasion_of(b, o) > when) continue;
		size_t size = scree_kind_size(o->type);
		char *array = scree_field_array(b, o);
		for (int64_t k = 0; k < count; ++k)
			memcpy(array + (size_t)(from + k) * size, (const char *)packed + (size_t)k * bytes + at, size);
		at += size;
	}
}
