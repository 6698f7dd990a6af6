/* snapshot: the whole state in one file and back.
 *
 * What is derived (pairs that may touch, forces of contacts, grids) is not saved: the first step after loading makes
 * it, and by the definition of state this changes no bit. Rows of bodies come back in the order of ids, whatever order
 * they had; nothing depends on it. */
#include "format/snapshot.h"

#include "base/memory.h"
#include "format/file.h"
#include "format/snapshot_parts.h"

#include <string.h>

typedef struct part {
	const char *name;
	void (*go)(snap_io *s, scree_world *w);
} part;

/* each needs those above it */
static const part parts[] = {
	{"shapes", scree_snap_shapes},		   {"materials", scree_snap_materials}, {"walls", scree_snap_walls},
	{"population", scree_snap_population}, {"state", scree_snap_numbers},		{"bodies", scree_snap_bodies},
	{"contacts", scree_snap_contacts},
};
enum { PARTS = sizeof parts / sizeof *parts };

bool scree_snapshot_write(const scree_world *w, const snapshot_extra *extra, const char *path, fail *why)
{
	scree_world world = *w; /* streams go both ways: what is written is not changed */
	snapshot_extra plan = {0};
	if (extra) plan = *extra;
	snap_io s;
	scree_snap_write_begin(&s);
	for (int k = 0; k < PARTS; ++k) {
		scree_snap_write_section(&s, parts[k].name);
		parts[k].go(&s, &world);
	}
	scree_snap_write_section(&s, "plan");
	scree_snap_plan(&s, &plan);
	scree_snap_write_end(&s);
	bool ok = scree_file_write(path, s.out, s.used, why);
	scree_free(s.out);
	return ok;
}

void scree_snapshot_extra_free(snapshot_extra *extra)
{
	scree_free(extra->scene_path);
	scree_free(extra->title);
	scree_free(extra->resolved);
	memset(extra, 0, sizeof *extra);
}

/* a section of a newer format must not be lost in silence */
static bool only_known(snap_io *s)
{
	for (int k = 0; k < s->sections; ++k) {
		bool known = !strcmp(s->table[k].name, "plan");
		for (int p = 0; p < PARTS; ++p) known = known || !strcmp(s->table[k].name, parts[p].name);
		if (!known) return scree_snap_refuse(s, "section '%s' is unknown to this build", s->table[k].name);
	}
	return true;
}

static bool read_parts(snap_io *s, scree_world *w, snapshot_extra *extra)
{
	for (int k = 0; k < PARTS; ++k) {
		if (!scree_snap_read_section(s, parts[k].name)) return false;
		parts[k].go(s, w);
		if (!scree_snap_read_done(s)) return false;
	}
	if (!scree_snap_read_section(s, "plan")) return false;
	scree_snap_plan(s, extra);
	return scree_snap_read_done(s) && only_known(s);
}

/* Derives what is derived. Walls stay as they were saved: steps moved them to time + dt, which can differ by rounding
 * from the product step * dt that the time is. */
static bool prepare(scree_world *w, fail *why)
{
	size_t size = sizeof *w->wall.row;
	wall *kept = scree_copy(w->wall.row, (size_t)w->wall.count, size);
	bool ok = scree_world_prepare(w, 0, w->dt, why);
	if (ok && w->wall.count) memcpy(w->wall.row, kept, (size_t)w->wall.count * size);
	scree_free(kept);
	return ok;
}

scree_world *scree_snapshot_parse(const char *name, const void *bytes, size_t length, snapshot_extra *extra, fail *why)
{
	snap_io s;
	snapshot_extra plan = {0};
	if (!scree_snap_read_begin(&s, name, bytes, length, why)) return NULL;
	scree_world *w = scree_world_new();
	bool ok = read_parts(&s, w, &plan);
	if (ok && !prepare(w, why)) ok = scree_fail_in(why, "snapshot %s", name);
	if (ok && extra)
		*extra = plan;
	else
		scree_snapshot_extra_free(&plan);
	if (ok) return w;
	scree_world_free(w);
	return NULL;
}

scree_world *scree_snapshot_read(const char *path, snapshot_extra *extra, fail *why)
{
	unsigned char *bytes;
	size_t length;
	if (!scree_file_read(path, &bytes, &length, why)) return NULL;
	scree_world *w = scree_snapshot_parse(path, bytes, length, extra, why);
	scree_free(bytes);
	return w;
}
