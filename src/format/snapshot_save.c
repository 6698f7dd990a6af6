/* snapshot_save: the sections of a snapshot in memory, and the table before them. */
#include "base/hash.h"
#include "format/snapshot_world.h"
#include "world/world.h"

#include <string.h>

const char scree_snapshot_magic[SNAPSHOT_MAGIC] = "scree snapshot e\n"; /* without the final zero byte; e: 14 */

void scree_snapshot_pass(stream *s, int k, scree_world *w, snapshot_extra *e)
{
	const snapshot_section *o = scree_snapshot_sections + k;
	s->where = o->name;
	if (o->pass)
		o->pass(s, w);
	else
		scree_snapshot_pass_extra(s, e);
}

static size_t table_bytes(void) { return (size_t)scree_snapshot_section_count * sizeof(snapshot_entry); }

size_t scree_snapshot_head_bytes(void) { return SNAPSHOT_MAGIC + table_bytes() + 2 * sizeof(uint64_t); }

void scree_snapshot_head(const snapshot_table *table, uint8_t *to)
{
	const uint64_t sections = (uint64_t)scree_snapshot_section_count, hash = scree_hash(table->row, table_bytes());
	memcpy(to, scree_snapshot_magic, SNAPSHOT_MAGIC);
	to += SNAPSHOT_MAGIC;
	memcpy(to, &sections, sizeof sections);
	to += sizeof sections;
	memcpy(to, table->row, table_bytes());
	memcpy(to + table_bytes(), &hash, sizeof hash);
}

void scree_snapshot_save(stream *s, const scree_world *world, const snapshot_extra *extra, snapshot_table *table)
{
	/* the functions of sections both save and load, so that their world is not const; saving does not change it */
	scree_world *w = (scree_world *)(uintptr_t)world;
	snapshot_extra none = {.last_image = -1}, *e = extra ? (snapshot_extra *)(uintptr_t)extra : &none;
	s->version = SNAPSHOT_VERSION;
	scree_stream_expect(s, scree_snapshot_most(w));
	s->used = scree_snapshot_head_bytes(); /* space for the table, whose content is known only after the sections */
	for (int k = 0; k < scree_snapshot_section_count; ++k) {
		const uint64_t from = s->used + s->elsewhere;
		scree_snapshot_pass(s, k, w, e);
		strncpy(table->row[k].name, scree_snapshot_sections[k].name, sizeof table->row[k].name - 1);
		table->row[k].length = s->used + s->elsewhere - from;
	}
}

bool scree_snapshot_can_be_read(const scree_world *w, fail *why)
{
	const char *fault = scree_check_numbers(w);
	if (!fault) fault = scree_check_motion(w);
	return !fault || scree_fail(why, FAIL_IO, "no snapshot is written, since it could not be read: %s", fault);
}
