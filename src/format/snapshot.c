/* snapshot: the container. It is "scree snapshot 8\n", a table of sections {name, length, XXH3-64} with its own
 * XXH3-64, then the sections. The hashes detect any changed bit. The checks of the sections detect wrong content with
 * right hashes. */
#include "format/snapshot.h"

#include "base/hash.h"
#include "base/memory.h"
#include "format/file.h"
#include "format/snapshot_checks.h"
#include "format/snapshot_world.h"
#include "prepare/prepare.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

static const char MAGIC[17] = "scree snapshot 8\n"; /* without the final zero byte */
enum { VERSION = 8, OLDEST = 6 };
enum { VERSION_AT = sizeof MAGIC - 2 };
enum { MOST_SECTIONS = 16 };

typedef struct entry {
	char name[16];
	uint64_t length, hash;
} entry;

static uint64_t is_little_endian(void)
{
	const uint16_t one = 1;
	uint8_t byte;
	memcpy(&byte, &one, 1);
	return byte;
}

static void pass_section(stream *s, int k, scree_world *w, snapshot_extra *e)
{
	const snapshot_section *o = scree_snapshot_sections + k;
	s->where = o->name;
	if (o->pass)
		o->pass(s, w);
	else
		scree_snapshot_pass_extra(s, e);
}

static void write_table(stream *s, entry *table, int count)
{
	uint64_t sections = (uint64_t)count, hash = scree_hash(table, sizeof *table * (size_t)count);
	scree_stream_bytes(s, (void *)(uintptr_t)MAGIC, sizeof MAGIC);
	scree_stream_u64(s, &sections);
	scree_stream_bytes(s, table, sizeof *table * (size_t)count);
	scree_stream_u64(s, &hash);
}

/* Refuses numbers with which the file could not be read. */
static bool can_be_read(const scree_world *w, fail *why)
{
	const char *fault = scree_check_numbers(w);
	if (!fault) fault = scree_check_motion(w);
	return !fault || scree_fail(why, FAIL_IO, "no snapshot is written, since it could not be read: %s", fault);
}

bool scree_snapshot_write(const scree_world *w, const snapshot_extra *extra, const char *path, fail *why)
{
	return scree_snapshot_write_keeping(w, extra, path, NULL, why);
}

bool scree_snapshot_write_keeping(const scree_world *world, const snapshot_extra *extra, const char *path,
								  const char *second, fail *why)
{
	if (!is_little_endian()) return scree_fail(why, FAIL_IO, "snapshots need a little-endian machine");
	if (world->broken) return scree_fail(why, world->work.why.code, "the world is broken: %s", world->work.why.text);
	if (!can_be_read(world, why)) return false;
	/* the functions of sections both save and load, so that their world is not const; saving does not change it */
	scree_world *w = (scree_world *)(uintptr_t)world;
	snapshot_extra none = {.last_image = -1}, *e = extra ? (snapshot_extra *)(uintptr_t)extra : &none;
	int count = scree_snapshot_section_count;
	entry table[MOST_SECTIONS] = {0};
	stream all = {.saving = true, .ok = true, .version = VERSION, .why = why};
	scree_stream_expect(&all, scree_snapshot_most(w));
	write_table(&all, table, count); /* reserves space for the table, whose content is known only after the sections */
	for (int k = 0; k < count; ++k) {
		size_t from = all.used;
		pass_section(&all, k, w, e);
		strncpy(table[k].name, scree_snapshot_sections[k].name, sizeof table[k].name - 1);
		table[k].length = all.used - from;
		table[k].hash = scree_hash(all.bytes + from, all.used - from);
	}
	size_t length = all.used;
	all.used = 0;
	write_table(&all, table, count);
	bool ok = scree_file_write_keeping(path, second, all.bytes, length, why);
	scree_free(all.bytes);
	return ok;
}

static bool read_table(stream *s, entry *table)
{
	char magic[sizeof MAGIC] = "";
	uint64_t count = 0, hash = 0;
	s->where = "table";
	scree_stream_bytes(s, magic, sizeof magic);
	bool one = !memcmp(magic, MAGIC, VERSION_AT) && magic[VERSION_AT + 1] == '\n';
	s->version = one ? magic[VERSION_AT] - '0' : 0;
	if (s->version >= 1 && s->version < OLDEST) {
		char text[160];
		snprintf(text, sizeof text,
				 "it was written by an earlier version of scree (snapshot %c, this one reads %c): continue with that "
				 "version, or run the scene again",
				 magic[VERSION_AT], MAGIC[VERSION_AT]);
		return scree_stream_check(s, false, text);
	}
	if (!scree_stream_check(s, s->version >= OLDEST && s->version <= VERSION,
							"this is not a scree snapshot of version 6, 7 or 8"))
		return false;
	scree_stream_u64(s, &count);
	if (!scree_stream_check(s, count == (uint64_t)scree_snapshot_section_count,
							"its number of sections differs from this version's"))
		return false;
	scree_stream_bytes(s, table, sizeof *table * count);
	scree_stream_u64(s, &hash);
	return scree_stream_check(s, hash == scree_hash(table, sizeof *table * count),
							  "the file is damaged (its hash is wrong)");
}

static void read_sections(stream *s, const entry *table, scree_world *w, snapshot_extra *e)
{
	for (int k = 0; k < scree_snapshot_section_count && s->ok; ++k) {
		const char *name = scree_snapshot_sections[k].name;
		s->where = name;
		scree_stream_check(s, !strncmp(table[k].name, name, sizeof table[k].name), "another section is in its place");
		if (!scree_stream_check(s, table[k].length <= s->room - s->used, "the file ends within it")) return;
		uint8_t *from = s->bytes + s->used;
		size_t length = (size_t)table[k].length;
		if (!scree_stream_check(s, scree_hash(from, length) == table[k].hash,
								"the file is damaged (its hash is wrong)"))
			return;
		stream part = {.ok = true, .version = s->version, .bytes = from, .room = length, .why = s->why};
		pass_section(&part, k, w, e);
		scree_stream_check(&part, part.used == part.room, "it is longer than its contents");
		s->ok = part.ok;
		s->used += length;
	}
	scree_stream_check(s, s->used == s->room, "the file continues after its end");
}

/* Computes derived data without changing the saved state. At step 0 the ledger would be opened again. Steps moved walls
 * to time + dt, which can differ by rounding from the present time, step * dt. */
static bool prepare(scree_world *w, fail *why)
{
	size_t walls = (size_t)w->model.wall.count;
	ledger energy = w->state.energy;
	wall *kept = scree_copy(w->model.wall.row, walls, sizeof *kept);
	wall_state *at = scree_copy(w->state.wall, walls, sizeof *at);
	bool ok = scree_world_prepare(w, 0, w->model.dt, why);
	for (size_t k = 0; k < walls; ++k) w->model.wall.row[k].servo = kept[k].servo;
	if (ok && walls) memcpy(w->state.wall, at, walls * sizeof *at);
	w->state.energy = energy;
	scree_free(kept);
	scree_free(at);
	return ok;
}

/* Files of version 6 hold only the steps of frames, which all have the same length. */
static void date_frames(vtk_frames *f, real dt)
{
	f->time = scree_alloc((size_t)f->count, sizeof *f->time);
	for (int64_t k = 0; k < f->count; ++k) f->time[k] = (real)f->step[k] * dt;
}

scree_world *scree_snapshot_parse(const char *name, const void *bytes, size_t length, snapshot_extra *extra, fail *why)
{
	stream s = {.ok = true, .bytes = (uint8_t *)(uintptr_t)bytes, .room = length, .why = why};
	entry table[MOST_SECTIONS];
	snapshot_extra e = {0};
	scree_world *w = scree_world_new();
	if (!is_little_endian())
		s.ok = scree_fail(why, FAIL_INPUT, "snapshots need a little-endian machine");
	else if (read_table(&s, table))
		read_sections(&s, table, w, &e);
	if (s.ok && s.version < 7) date_frames(&e.frames, w->model.dt);
	s.ok = s.ok && prepare(w, why);
	if (s.ok && extra)
		*extra = e;
	else
		scree_snapshot_extra_free(&e);
	if (s.ok) return w;
	scree_fail_in(why, "%s", name);
	scree_world_free(w);
	return NULL;
}

scree_world *scree_snapshot_read(const char *path, snapshot_extra *extra, fail *why)
{
	void *bytes;
	size_t length;
	if (!scree_file_read(path, (size_t)1 << 40, &bytes, &length, why)) return NULL;
	scree_world *w = scree_snapshot_parse(path, bytes, length, extra, why);
	scree_free(bytes);
	return w;
}

void scree_snapshot_extra_free(snapshot_extra *e)
{
	scree_free(e->scene_path);
	scree_free(e->title);
	scree_free(e->resolved);
	scree_free(e->record);
	scree_free(e->frames.step);
	scree_free(e->frames.time);
	memset(e, 0, sizeof *e);
}
