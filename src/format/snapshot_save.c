/* snapshot_save: the sections of a snapshot in memory, and the table that precedes them. */
#include "base/hash.h"
#include "base/memory.h"
#include "format/file.h"
#include "format/snapshot_world.h"
#include "world/slice.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const char scree_snapshot_magic[SNAPSHOT_MAGIC] = "scree snapshot e\n"; /* no final zero; "e" means version 14 */

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
	/* the functions for sections both save and load, so the world is not const, although saving does not change it */
	scree_world *w = (scree_world *)(uintptr_t)world;
	snapshot_extra none = {.last_image = -1}, *e = extra ? (snapshot_extra *)(uintptr_t)extra : &none;
	s->version = SNAPSHOT_VERSION;
	scree_stream_expect(s, scree_snapshot_most(w));
	s->used = scree_snapshot_head_bytes(); /* space for the table, which is known only after the sections */
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

/* A snapshot written by ranks in parallel, with the same bytes as a snapshot from one process. Each rank has a slice of
 * the world by ids (world/slice.h), and writes its rows of each column at the right position in the new file. The first
 * rank writes everything else, then reads the rows of all ranks back to compute the hashes of the table, and compares
 * them with the hashes that each rank has computed from its rows in memory. The new file then replaces the old one. */

/* The rows that one rank writes. */
typedef struct rows_written {
	int64_t rows[1 + PAIR_KINDS]; /* rows of bodies, then of contacts by kind */
	uint64_t hash, mark;		  /* mark: the first rank's mark in the name of the new file */
} rows_written;

typedef struct joint {
	const domain *d;
	const char *path;
	stream s;
	snapshot_table table;
	new_file file;
	rows_written *of; /* [ranks] */
	int64_t ranks;
} joint;

/* ------------------------------------------------------------------ writing */

static void gather_rows(joint *o)
{
	const world_slice *g = o->s.slice;
	rows_written here = {.rows = {g->body.owned}, .mark = o->file.mark};
	hash_stream *h = scree_hash_begin();
	for (int kind = 0; kind < PAIR_KINDS; ++kind) here.rows[1 + kind] = g->contact[kind].count;
	for (int k = 0; k < o->s.pieces; ++k)
		if (o->s.piece[k].each) scree_hash_add(h, o->s.bytes + o->s.piece[k].from, o->s.piece[k].length);
	here.hash = scree_hash_so_far(h);
	scree_hash_end(h);
	o->ranks = 1;
	o->of = o->d->by->gather(o->d->at, &o->ranks, sizeof here, &here);
}

/* Writes rows; the first rank also writes all other data. */
static bool put_pieces(joint *o, fail *why)
{
	bool put = o->d->first || scree_file_join(&o->file, o->path, o->of[0].mark, why);
	if (!put) return false;
	for (int k = 0; put && k < o->s.pieces; ++k) {
		const stream_piece *p = o->s.piece + k;
		if (p->each || o->d->first) put = scree_file_put_at(&o->file, p->at, o->s.bytes + p->from, p->length);
	}
	if (!put) return scree_file_failed(why, errno, "write", o->path);
	if (o->d->first) return fsync(o->file.file) == 0 || scree_file_failed(why, errno, "write", o->path);
	return scree_file_sync(&o->file, o->path, why);
}

/* ------------------------------------------------------------------ reading back */

typedef struct reading {
	joint *o;
	int section;
	uint64_t left;		/* number of bytes of this section */
	hash_stream *hash;	/* of it */
	hash_stream **rows; /* [ranks] */
	uint8_t *block;
	uint64_t at; /* in the file */
} reading;
enum { BLOCK = 1 << 20 };

static void begin_section(reading *r, int section)
{
	scree_hash_end(r->hash);
	r->section = section;
	r->left = section < scree_snapshot_section_count ? r->o->table.row[section].length : UINT64_MAX;
	r->hash = scree_hash_begin();
}

/* Adds consecutive bytes of the file to the hashes of sections. */
static void add_bytes(reading *r, const uint8_t *bytes, size_t length)
{
	for (;;) {
		const size_t part = length < r->left ? length : (size_t)r->left;
		scree_hash_add(r->hash, bytes, part);
		bytes += part;
		length -= part;
		r->left -= part;
		if (r->left) return;
		r->o->table.row[r->section].hash = scree_hash_so_far(r->hash);
		begin_section(r, r->section + 1);
	}
}

/* Returns false if the file ends early or cannot be read. */
static bool read_rows(reading *r, size_t length, hash_stream *rows)
{
	while (length) {
		const ssize_t n = pread(r->o->file.file, r->block, length < BLOCK ? length : BLOCK, (off_t)r->at);
		if (n < 0 && errno == EINTR) continue;
		if (n <= 0) return false;
		scree_hash_add(rows, r->block, (size_t)n);
		add_bytes(r, r->block, (size_t)n);
		r->at += (uint64_t)n;
		length -= (size_t)n;
	}
	return true;
}

static bool wrong_part(const joint *o, int64_t rank, fail *why)
{
	return scree_fail(why, FAIL_IO,
					  "cannot write %s: the part of rank %lld is not in the file as that rank wrote it. Do all ranks "
					  "share this file system?",
					  o->path, (long long)rank);
}

static bool read_array(reading *r, const stream_piece *p, fail *why)
{
	r->at = p->at;
	for (int64_t k = 0; k < r->o->ranks; ++k)
		if (!read_rows(r, (size_t)r->o->of[k].rows[p->of] * p->each, r->rows[k])) return wrong_part(r->o, k, why);
	return true;
}

static bool read_back(reading *r, fail *why)
{
	const stream *s = &r->o->s;
	size_t skip = scree_snapshot_head_bytes();
	begin_section(r, 0);
	for (int k = 0; k < s->pieces; ++k, skip = 0) {
		const stream_piece *p = s->piece + k;
		if (!p->each)
			add_bytes(r, s->bytes + p->from + skip, p->length - skip);
		else if (!read_array(r, p, why))
			return false;
	}
	for (int64_t k = 0; k < r->o->ranks; ++k)
		if (scree_hash_so_far(r->rows[k]) != r->o->of[k].hash) return wrong_part(r->o, k, why);
	return true;
}

static bool hash_sections(joint *o, fail *why)
{
	reading r = {.o = o, .block = scree_alloc(BLOCK, 1), .rows = scree_alloc((size_t)o->ranks, sizeof *r.rows)};
	for (int64_t k = 0; k < o->ranks; ++k) r.rows[k] = scree_hash_begin();
	const bool right = read_back(&r, why);
	for (int64_t k = 0; k < o->ranks; ++k) scree_hash_end(r.rows[k]);
	scree_hash_end(r.hash);
	SCREE_FREE_ALL(r.rows, r.block);
	return right;
}

/* ------------------------------------------------------------------ the snapshot */

static bool finish(joint *o, const char *second, fail *why)
{
	if (!hash_sections(o, why)) return false;
	scree_snapshot_head(&o->table, o->s.bytes);
	if (!scree_file_put_at(&o->file, 0, o->s.bytes, scree_snapshot_head_bytes()))
		return scree_file_failed(why, errno, "write", o->path);
	return scree_file_sync(&o->file, o->path, why) && scree_file_end(&o->file, o->path, second, why);
}

/* Counts in the file are 32-bit numbers. */
static bool can_be_counted(const world_slice *g, fail *why)
{
	int64_t most = g->all;
	for (int kind = 0; kind < PAIR_KINDS; ++kind)
		if (g->contact[kind].all > most) most = g->contact[kind].all;
	return most <= INT32_MAX ||
		   scree_fail(why, FAIL_IO, "a snapshot holds at most %d bodies, and as many contacts of one kind, not %lld",
					  INT32_MAX, (long long)most);
}

static bool write_it(joint *o, const scree_world *w, const char *second, fail *why)
{
	const domain *d = o->d;
	bool good = can_be_counted(o->s.slice, why) && scree_snapshot_can_be_read(w, why) &&
				(!d->first || scree_file_begin(&o->file, o->path, why));
	if (!scree_domain_agree(d, good, why)) return false;
	gather_rows(o);
	good = scree_domain_agree(d, put_pieces(o, why), why);
	return good && scree_domain_agree(d, !d->first || finish(o, second, why), why);
}

bool scree_snapshot_write_together(const scree_world *part, const snapshot_extra *extra, const char *path,
								   const char *second, fail *why)
{
	const domain *d = &part->work.domain;
	world_slice *slice = d->by->slice(d->at, &part->model, &part->state, &part->work, 1, SLICE_HISTORIES);
	scree_world w = *part;
	joint o = {.d = d, .path = path, .s = {.saving = true, .ok = true, .why = why}, .file = {.file = -1}};
	w.state.body = slice->body;
	w.state.energy = slice->energy;
	w.state.energy_guard = slice->energy_guard;
	memcpy(w.state.flow, slice->flow, sizeof w.state.flow);
	scree_stream_divide(&o.s, slice);
	scree_snapshot_save(&o.s, &w, extra, &o.table);
	scree_stream_close(&o.s);
	const bool written = write_it(&o, &w, second, why);
	if (!written && *o.file.name) scree_file_drop(&o.file);
	SCREE_FREE_ALL(o.s.bytes, o.s.piece, o.of);
	scree_world_slice_free(slice);
	return written;
}
