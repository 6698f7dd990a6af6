/* snapshot_box: the container of snapshots, and values in it.
 *
 * header   8 bytes "SCREESNP", u32 version, u32 0x01020304 (byte order), u64 length of the file, u64 where the table
 * begins, u64 XXH3-64 of these 32 bytes sections one after the other, without gaps table    for each section: name[16],
 * u64 from, u64 length, u64 XXH3-64; at last the XXH3-64 of the table itself
 *
 * Every byte of the file is under one of the hashes, so any damage is found, and the section that it is in has a name.
 * Hashes do not stop a forger: all counts and indices are checked as well. Numbers lie as in memory, unaligned,
 * little-endian; a machine of the other kind says so and stops. Doubles hardly compress, so nothing is compressed. */
#include "format/snapshot_parts.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char MAGIC[8] = {'S', 'C', 'R', 'E', 'E', 'S', 'N', 'P'};
enum { VERSION = 1, ORDER = 0x01020304, HEAD = 40, ROW = SNAP_NAME + 24 };

bool scree_snap_refuse(snap_io *s, const char *format, ...)
{
	if (!s->ok) return false;
	char text[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	s->ok = false;
	if (s->section) return scree_fail(s->why, FAIL_INPUT, "snapshot %s: section '%s': %s", s->file, s->section, text);
	return scree_fail(s->why, FAIL_INPUT, "snapshot %s: %s", s->file, text);
}

/* ------------------------------------------------------------------ writing */

static void put(snap_io *s, const void *bytes, size_t length)
{
	if (s->room - s->used < length) {
		size_t room = 2 * s->room + length + 4096;
		s->out = scree_grow(s->out, s->used, room, 1);
		s->room = room;
	}
	if (length) memcpy(s->out + s->used, bytes, length);
	s->used += length;
}

void scree_snap_write_begin(snap_io *s)
{
	*s = (snap_io){.ok = true};
	const char nothing[HEAD] = {0};
	put(s, nothing, HEAD);
}

static void end_section(snap_io *s)
{
	if (!s->sections) return;
	snap_section *t = s->table + s->sections - 1;
	t->length = s->used - t->from;
	t->hash = scree_hash(s->out + t->from, t->length);
}

void scree_snap_write_section(snap_io *s, const char *name)
{
	end_section(s);
	SCREE_ASSERT(s->sections < SNAP_SECTIONS && strlen(name) < SNAP_NAME);
	snap_section *t = s->table + s->sections++;
	memcpy(t->name, name, strlen(name));
	t->from = s->used;
}

void scree_snap_write_end(snap_io *s)
{
	end_section(s);
	uint64_t table = s->used;
	for (int k = 0; k < s->sections; ++k) {
		snap_section *t = s->table + k;
		put(s, t->name, SNAP_NAME);
		put(s, &t->from, 8);
		put(s, &t->length, 8);
		put(s, &t->hash, 8);
	}
	uint64_t hash = scree_hash(s->out + table, s->used - table);
	put(s, &hash, 8);
	uint64_t length = s->used;
	uint32_t numbers[2] = {VERSION, ORDER};
	memcpy(s->out, MAGIC, 8);
	memcpy(s->out + 8, numbers, 8);
	memcpy(s->out + 16, &length, 8);
	memcpy(s->out + 24, &table, 8);
	hash = scree_hash(s->out, 32);
	memcpy(s->out + 32, &hash, 8);
}

/* ------------------------------------------------------------------ reading */

static bool read_head(snap_io *s, size_t length, uint64_t *table)
{
	uint32_t numbers[2];
	uint64_t whole, hash;
	if (length < HEAD || memcmp(s->in, MAGIC, 8) != 0)
		return scree_snap_refuse(s,
								 length < HEAD
									 ? "the file has only %zu bytes, it was cut off or is no snapshot of scree"
									 : "no snapshot of scree (%zu bytes that begin differently)",
								 length);
	memcpy(numbers, s->in + 8, 8);
	memcpy(&whole, s->in + 16, 8);
	memcpy(table, s->in + 24, 8);
	memcpy(&hash, s->in + 32, 8);
	if (numbers[1] == 0x04030201) return scree_snap_refuse(s, "written on a machine with the other byte order");
	if (hash != scree_hash(s->in, 32)) return scree_snap_refuse(s, "the header is damaged (its hash is wrong)");
	if (numbers[0] != VERSION || numbers[1] != ORDER)
		return scree_snap_refuse(s, "version %u of the format, this build reads version %d", numbers[0], VERSION);
	if (whole != length)
		return scree_snap_refuse(s, "the file has %zu bytes, its header says %llu: it was cut off or grew", length,
								 (unsigned long long)whole);
	if (*table < HEAD || *table > length - 8 || (length - 8 - *table) % ROW ||
		(length - 8 - *table) / ROW > SNAP_SECTIONS)
		return scree_snap_refuse(s, "the header points to no table of contents");
	return true;
}

bool scree_snap_read_begin(snap_io *s, const char *file, const unsigned char *bytes, size_t length, fail *why)
{
	*s = (snap_io){.reading = true, .ok = true, .file = file, .why = why, .in = bytes};
	uint64_t table = 0, hash, next = HEAD;
	if (!read_head(s, length, &table)) return false;
	s->section = "table of contents";
	memcpy(&hash, bytes + length - 8, 8);
	if (hash != scree_hash(bytes + table, length - 8 - table))
		return scree_snap_refuse(s, "damaged (its hash is wrong)");
	s->sections = (int)((length - 8 - table) / ROW);
	for (int k = 0; k < s->sections; ++k) {
		snap_section *t = s->table + k;
		const unsigned char *row = bytes + table + (size_t)k * ROW;
		memcpy(t->name, row, SNAP_NAME);
		memcpy(&t->from, row + SNAP_NAME, 8);
		memcpy(&t->length, row + SNAP_NAME + 8, 8);
		memcpy(&t->hash, row + SNAP_NAME + 16, 8);
		if (t->name[SNAP_NAME - 1] || t->from != next || t->length > table - t->from)
			return scree_snap_refuse(s, "row %d does not follow the one before", k);
		next = t->from + t->length;
	}
	if (next != table) return scree_snap_refuse(s, "the sections leave a gap");
	for (int k = 0; k < s->sections; ++k) {
		s->section = s->table[k].name;
		if (s->table[k].hash != scree_hash(bytes + s->table[k].from, s->table[k].length))
			return scree_snap_refuse(s, "damaged (its hash is wrong)");
	}
	s->section = NULL;
	return true;
}

bool scree_snap_read_section(snap_io *s, const char *name)
{
	s->section = NULL;
	for (int k = 0; k < s->sections; ++k) {
		if (strcmp(s->table[k].name, name) != 0) continue;
		s->section = s->table[k].name;
		s->at = s->table[k].from;
		s->end = s->at + s->table[k].length;
		return s->ok;
	}
	return scree_snap_refuse(s, "section '%s' is missing", name);
}

bool scree_snap_read_done(snap_io *s)
{
	if (s->ok && s->at != s->end) return scree_snap_refuse(s, "%zu bytes too long", s->end - s->at);
	return s->ok;
}

/* ------------------------------------------------------------------ values */

void scree_snap_bytes(snap_io *s, void *bytes, size_t length)
{
	if (!s->reading) {
		put(s, bytes, length);
		return;
	}
	if (s->ok && length > s->end - s->at) scree_snap_refuse(s, "ends too early");
	if (!s->ok) {
		if (length) memset(bytes, 0, length);
		return;
	}
	if (length) memcpy(bytes, s->in + s->at, length);
	s->at += length;
}

void scree_snap_real_or_inf(snap_io *s, real *x)
{
	scree_snap_bytes(s, x, 8);
	if (s->reading && !(*x == *x)) scree_snap_refuse(s, "a number is NaN");
}

void scree_snap_real(snap_io *s, real *x)
{
	scree_snap_bytes(s, x, 8);
	if (s->reading && !(real_abs(*x) <= (real)1e100)) scree_snap_refuse(s, "a number is %g, expected a finite one", *x);
}

void scree_snap_i32(snap_io *s, int32_t *x) { scree_snap_bytes(s, x, 4); }
void scree_snap_i64(snap_io *s, int64_t *x) { scree_snap_bytes(s, x, 8); }
void scree_snap_u64(snap_io *s, uint64_t *x) { scree_snap_bytes(s, x, 8); }

void scree_snap_bool(snap_io *s, bool *x)
{
	int32_t number = *x ? 1 : 0;
	scree_snap_int_in(s, "a yes or no", &number, 0, 1);
	*x = number == 1;
}

void scree_snap_vec3(snap_io *s, vec3 *v)
{
	scree_snap_real(s, &v->x);
	scree_snap_real(s, &v->y);
	scree_snap_real(s, &v->z);
}

void scree_snap_quat(snap_io *s, quat *q)
{
	scree_snap_real(s, &q->w);
	scree_snap_real(s, &q->x);
	scree_snap_real(s, &q->y);
	scree_snap_real(s, &q->z);
}

void scree_snap_fixed(snap_io *s, fixed *f)
{
	__extension__ typedef unsigned __int128 bits;
	uint64_t low = (uint64_t)(bits)f->quanta, high = (uint64_t)((bits)f->quanta >> 64);
	scree_snap_u64(s, &low);
	scree_snap_u64(s, &high);
	scree_snap_i64(s, &f->overflowed);
	f->quanta = (int128)((bits)high << 64 | low);
}

void scree_snap_random(snap_io *s, random_stream *r)
{
	scree_snap_u64(s, &r->seed);
	scree_snap_u64(s, &r->stream);
	scree_snap_u64(s, &r->counter);
	scree_snap_bytes(s, r->block, sizeof r->block);
	scree_snap_int_in(s, "numbers left of a random block", &r->left, 0, 4);
}

void scree_snap_name(snap_io *s, char *text, size_t room)
{
	int32_t length = s->reading ? 0 : (int32_t)strlen(text);
	scree_snap_int_in(s, "length of a name", &length, 0, (int64_t)room - 1);
	if (s->reading) memset(text, 0, room);
	scree_snap_bytes(s, text, (size_t)length);
	if (s->reading && s->ok && memchr(text, 0, room) != text + length) scree_snap_refuse(s, "a name holds a zero byte");
}

void scree_snap_text(snap_io *s, char **text)
{
	int64_t length = !s->reading && *text ? (int64_t)strlen(*text) : -1;
	if (s->reading) *text = NULL;
	scree_snap_i64(s, &length);
	if (s->reading && s->ok && (length < -1 || length > (int64_t)(s->end - s->at)))
		scree_snap_refuse(s, "a text is longer than the section");
	if (!s->ok || length < 0) return;
	if (s->reading) *text = scree_alloc((size_t)length + 1, 1);
	scree_snap_bytes(s, *text, (size_t)length);
}

void scree_snap_int_in(snap_io *s, const char *what, int32_t *x, int64_t low, int64_t high)
{
	scree_snap_i32(s, x);
	if (s->reading && s->ok && (*x < low || *x > high))
		scree_snap_refuse(s, "%s is %d, expected %lld to %lld", what, *x, (long long)low, (long long)high);
	if (!s->ok) *x = (int32_t)(low > 0 ? low : 0);
}

void scree_snap_count64(snap_io *s, const char *what, int64_t *count, size_t size)
{
	scree_snap_i64(s, count);
	if (s->reading && s->ok && (*count < 0 || *count > INT32_MAX || (uint64_t)*count > (s->end - s->at) / size))
		scree_snap_refuse(s, "there cannot be %lld %s in it", (long long)*count, what);
	if (!s->ok) *count = 0;
}

void scree_snap_count(snap_io *s, const char *what, int32_t *count, size_t size)
{
	int64_t wide = *count;
	scree_snap_count64(s, what, &wide, size);
	*count = (int32_t)wide;
}

/* makes the array when reading; false when there is nothing to do */
static bool room_for(snap_io *s, void **array, int64_t count, size_t size)
{
	if (!s->reading) return count > 0;
	*array = NULL;
	if (s->ok && (count < 0 || (uint64_t)count > (s->end - s->at) / size)) scree_snap_refuse(s, "ends too early");
	if (!s->ok || !count) return false;
	*array = scree_alloc((size_t)count, size);
	return true;
}

void scree_snap_reals(snap_io *s, real **array, int64_t count)
{
	void *made = *array;
	bool some = room_for(s, &made, count, 8);
	*array = made;
	for (int64_t k = 0; some && k < count; ++k) scree_snap_real(s, *array + k);
}

void scree_snap_i32s(snap_io *s, const char *what, int32_t **array, int64_t count, int64_t low, int64_t high)
{
	void *made = *array;
	bool some = room_for(s, &made, count, 4);
	*array = made;
	for (int64_t k = 0; some && k < count; ++k) scree_snap_int_in(s, what, *array + k, low, high);
}

void scree_snap_vec3s(snap_io *s, vec3 **array, int64_t count)
{
	void *made = *array;
	bool some = room_for(s, &made, count, 24);
	*array = made;
	for (int64_t k = 0; some && k < count; ++k) scree_snap_vec3(s, *array + k);
}
