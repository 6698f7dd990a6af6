/* snapshot: the container. A file is "scree snapshot e\n" (a letter from version 10 on), a table of sections {name,
 * length, XXH3-64} with an XXH3-64 hash of its own, and then the sections. The hashes detect any flipped bit. The
 * checks of the sections detect wrong content even if its hashes are right. */
#include "base/hash.h"
#include "base/input.h"
#include "base/memory.h"
#include "format/file.h"
#include "format/snapshot_world.h"
#include "prepare/prepare.h"
#include "state/pairs.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

enum { OLDEST = 6, VERSION_AT = SNAPSHOT_MAGIC - 2 };

static uint64_t is_little_endian(void)
{
	const uint16_t one = 1;
	uint8_t byte;
	memcpy(&byte, &one, 1);
	return byte;
}

bool scree_snapshot_write(const scree_world *w, const snapshot_extra *extra, const char *path, fail *why)
{
	return scree_snapshot_write_keeping(w, extra, path, NULL, why);
}

static stream save_all(const scree_world *world, const snapshot_extra *extra, fail *why)
{
	snapshot_table table = {0};
	stream all = {.saving = true, .ok = true, .why = why};
	scree_snapshot_save(&all, world, extra, &table);
	const uint8_t *from = all.bytes + scree_snapshot_head_bytes();
	for (int k = 0; k < scree_snapshot_section_count; ++k) {
		table.row[k].hash = scree_hash(from, (size_t)table.row[k].length);
		from += table.row[k].length;
	}
	scree_snapshot_head(&table, all.bytes);
	return all;
}

void *scree_snapshot_without_bodies(const scree_world *w, const snapshot_extra *extra, size_t *length, fail *why)
{
	if (!is_little_endian()) return scree_fail(why, FAIL_IO, "ranks can only run on little-endian machines"), NULL;
	scree_world none = *w;
	none.state.body = (bodies){0};
	scree_bodies_ask(&none.state.body, w->state.body.asked);
	pair_list pair[PAIR_KINDS];
	none.state.pair = pair;
	for (int kind = 0; kind < PAIR_KINDS; ++kind) pair[kind] = (pair_list){.remembers = w->state.pair[kind].remembers};
	stream all = save_all(&none, extra, why);
	scree_bodies_free(&none.state.body);
	*length = all.used;
	return all.bytes;
}

bool scree_snapshot_write_keeping(const scree_world *world, const snapshot_extra *extra, const char *path,
								  const char *second, fail *why)
{
	if (!is_little_endian()) return scree_fail(why, FAIL_IO, "snapshots can only be used on a little-endian machine");
	if (world->broken) return scree_fail(why, world->work.why.code, "the world is broken: %s", world->work.why.text);
	if (world->work.domain.by->slice) return scree_snapshot_write_together(world, extra, path, second, why);
	if (!scree_snapshot_can_be_read(world, why)) return false;
	const stream all = save_all(world, extra, why);
	bool ok = scree_file_write_keeping(path, second, all.bytes, all.used, why);
	scree_free(all.bytes);
	return ok;
}

static bool read_table(stream *s, snapshot_entry *table)
{
	char magic[SNAPSHOT_MAGIC] = "";
	uint64_t count = 0, hash = 0;
	s->where = "table";
	scree_stream_bytes(s, magic, sizeof magic);
	bool one = !memcmp(magic, scree_snapshot_magic, VERSION_AT) && magic[VERSION_AT + 1] == '\n';
	const int sign = magic[VERSION_AT];
	s->version = !one ? 0 : sign >= 'a' && sign <= 'z' ? sign - 'a' + 10 : sign <= '9' ? sign - '0' : 0;
	if (s->version >= 1 && s->version < OLDEST) {
		char text[160];
		snprintf(
			text, sizeof text,
			"it was written by an earlier version of scree (snapshot %c, this one reads 6 to %d): continue with that "
			"version, or run the scene again",
			magic[VERSION_AT], SNAPSHOT_VERSION);
		return scree_stream_check(s, false, text);
	}
	if (!scree_stream_check(s, s->version >= OLDEST && s->version <= SNAPSHOT_VERSION,
							"this is not a scree snapshot of version 6 to 14"))
		return false;
	PASS(s, FIELD(count));
	if (!scree_stream_check(s, count == (uint64_t)scree_snapshot_section_count,
							"its number of sections differs from this version's"))
		return false;
	scree_stream_bytes(s, table, sizeof *table * count);
	PASS(s, FIELD(hash));
	return scree_stream_check(s, hash == scree_hash(table, sizeof *table * count),
							  "the file is damaged (its hash is wrong)");
}

static void read_sections(stream *s, const snapshot_entry *table, scree_world *w, snapshot_extra *e)
{
	for (int k = 0; k < scree_snapshot_section_count && s->ok; ++k) {
		const char *name = scree_snapshot_sections[k].name;
		s->where = name;
		scree_stream_check(s, !strncmp(table[k].name, name, sizeof table[k].name),
						   "a different section is in its place");
		if (!scree_stream_check(s, table[k].length <= s->room - s->used, "the file ends inside this section")) return;
		uint8_t *from = s->bytes + s->used;
		size_t length = (size_t)table[k].length;
		if (!scree_stream_check(s, scree_hash(from, length) == table[k].hash,
								"the file is damaged (its hash is wrong)"))
			return;
		stream part = {.ok = true, .version = s->version, .bytes = from, .room = length, .why = s->why};
		scree_snapshot_pass(&part, k, w, e);
		scree_stream_check(&part, part.used == part.room, "it is longer than its contents");
		s->ok = part.ok;
		s->used += length;
	}
	scree_stream_check(s, s->used == s->room, "the file has extra data after its end");
}

/* Computes derived data without changing the saved state. The ledger is kept, since preparation would initialize it
 * again at step 0. The walls are kept, since they are at time + dt, which can differ from step * dt due to rounding. */
static bool prepare(scree_world *w, fail *why)
{
	size_t walls = (size_t)w->model.wall.count;
	ledger energy = w->state.energy;
	wall *kept = scree_copy(w->model.wall.row, walls, sizeof *kept);
	wall_state *at = scree_copy(w->state.wall, walls, sizeof *at);
	bool ok = scree_world_prepare(w, 0, w->model.dt, why) &&
			  scree_world_check_shear(&w->model, &w->state, &w->work.domain, why);
	for (size_t k = 0; k < walls; ++k) w->model.wall.row[k].servo = kept[k].servo;
	if (ok && walls) memcpy(w->state.wall, at, walls * sizeof *at);
	w->state.energy = energy;
	SCREE_FREE_ALL(kept, at);
	return ok;
}

/* Files of version 6 store only the step numbers of frames; all steps have the same length. */
static void date_frames(vtk_frames *f, real dt)
{
	f->time = scree_alloc((size_t)f->count, sizeof *f->time);
	for (int64_t k = 0; k < f->count; ++k) f->time[k] = (real)f->step[k] * dt;
}

scree_world *scree_snapshot_parse(const char *name, const void *bytes, size_t length, snapshot_extra *extra, fail *why)
{
	stream s = {.ok = true, .bytes = (uint8_t *)(uintptr_t)bytes, .room = length, .why = why};
	snapshot_table table;
	snapshot_extra e = {0};
	scree_world *w = scree_world_new();
	if (!is_little_endian())
		s.ok = scree_fail(why, FAIL_INPUT, "snapshots can only be used on a little-endian machine");
	else if (read_table(&s, table.row))
		read_sections(&s, table.row, w, &e);
	if (s.ok && s.version < 7) date_frames(&e.frames, w->model.dt);
	s.ok = s.ok && prepare(w, why);
	e.version = s.version;
	if (s.ok && extra)
		*extra = e;
	else
		scree_snapshot_extra_free(&e);
	if (s.ok) return w;
	scree_fail_in(why, "%s", name);
	scree_world_free(w);
	return NULL;
}

/* Length of the file according to its table; 0 if there is no table or its start is damaged. */
static size_t length_told(const char *start, size_t length)
{
	fail unused;
	snapshot_table table;
	stream s = {.ok = true, .bytes = (uint8_t *)(uintptr_t)start, .room = length, .why = &unused};
	if (!read_table(&s, table.row)) return 0;
	uint64_t told = s.used;
	for (int k = 0; k < scree_snapshot_section_count; ++k) told += table.row[k].length;
	return (size_t)told;
}

/* Tests the start of a file first: a file that is not a snapshot, or is longer than its table says, may be huge. */
static bool may_be_read(const char *path, fail *why)
{
	char *start;
	size_t length, size;
	if (!scree_read_start(path, scree_snapshot_head_bytes(), &start, &length, &size, why))
		return scree_fail_in(why, "cannot read %s", path);
	const size_t told = length_told(start, length);
	if (told && size > told) scree_fail(why, FAIL_INPUT, "%s: the file has extra data after its end", path);
	if (!told) scree_world_free(scree_snapshot_parse(path, start, length, NULL, why)); /* gives the reason */
	scree_free(start);
	return told && size <= told;
}

scree_world *scree_snapshot_read(const char *path, snapshot_extra *extra, fail *why)
{
	void *bytes;
	size_t length;
	if (!may_be_read(path, why) || !scree_file_read(path, (size_t)1 << 40, &bytes, &length, why)) return NULL;
	scree_world *w = scree_snapshot_parse(path, bytes, length, extra, why);
	scree_free(bytes);
	return w;
}

void scree_snapshot_extra_free(snapshot_extra *e)
{
	SCREE_FREE_ALL(e->scene_path, e->title, e->resolved, e->record, e->frames.step, e->frames.time, e->frames.divided);
	memset(e, 0, sizeof *e);
}
