#include "format/csv.h"

#include "base/hash.h"
#include "base/input.h"
#include "base/memory.h"
#include "format/file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 20 };

struct csv {
	int file;
	char *path;
	int64_t end;				 /* number of bytes committed so far */
	hash_stream *hash, *running; /* hashes of the committed bytes; `running` also covers this output time */
	char *text;					 /* text for this output time that has not been written yet */
	size_t used, room;
	int64_t written; /* number of bytes already in the file for this output time */
	int error;		 /* errno of a failed write at this output time */
};

static bool cut(csv *c, int64_t end)
{
	return ftruncate(c->file, (off_t)end) == 0 && lseek(c->file, (off_t)end, SEEK_SET) == (off_t)end;
}

static void write_out(csv *c)
{
	if (!c->error && !scree_file_put(c->file, c->text, c->used)) c->error = errno ? errno : EIO;
	if (!c->error) {
		scree_hash_add(c->running, c->text, c->used);
		c->written += (int64_t)c->used;
	}
	c->used = 0;
}

/* Hashes the file up to byte `end`. Returns false with errno set, or with errno 0 if the file is shorter. */
static bool hash_of_start(csv *c, int64_t end)
{
	char *block = scree_alloc(BLOCK, 1);
	ssize_t n = 1;
	for (int64_t left = end; left > 0 && n > 0; left -= n) {
		errno = 0;
		n = read(c->file, block, left < BLOCK ? (size_t)left : BLOCK);
		if (n > 0) scree_hash_add(c->hash, block, (size_t)n);
	}
	scree_free(block);
	return n > 0;
}

char *scree_csv_header(const csv_column *column, int count)
{
	size_t room = 32, used = 0;
	for (int k = 0; k < count; ++k) room += 2 * strlen(column[k].name) + strlen(column[k].unit) + 8;
	char *out = scree_alloc(room, 1);
	used = (size_t)snprintf(out, room, "# units:");
	for (int k = 0; k < count; ++k) {
		const char *unit = column[k].unit;
		used += (size_t)snprintf(out + used, room - used, " %s[%s]", column[k].name, *unit ? unit : "1");
	}
	for (int k = 0; k < count; ++k)
		used += (size_t)snprintf(out + used, room - used, "%s%s", k ? "," : "\n", column[k].name);
	snprintf(out + used, room - used, "\n");
	return out;
}

static bool begin(csv *c, const char *header, fail *why)
{
	if (!cut(c, 0)) return scree_file_failed(why, errno, "write", c->path);
	scree_csv_print(c, "%s", header);
	return scree_csv_commit(c, why);
}

bool scree_csv_begins(const char *path, const char *header)
{
	const size_t length = strlen(header);
	size_t got = 0, size = 0;
	fail unused;
	char *first = NULL;
	const bool same =
		scree_read_start(path, length, &first, &got, &size, &unused) && got == length && !memcmp(first, header, length);
	scree_free(first);
	return same;
}

static bool go_on(csv *c, const char *header, const csv_mark *mark, fail *why)
{
	size_t length = strlen(header);
	char *first = scree_alloc(length + 1, 1);
	ssize_t got = pread(c->file, first, length, 0);
	bool same = got < (ssize_t)length || !memcmp(first, header, length);
	scree_free(first);
	if (got < 0) return scree_file_failed(why, errno, "read", c->path);
	if (!same)
		return scree_fail(
			why, FAIL_INPUT,
			"%s has other columns than this run writes: leave output as it was, or choose another folder (-o)",
			c->path);
	bool whole = hash_of_start(c, mark->end);
	if (!whole && errno) return scree_file_failed(why, errno, "read", c->path);
	if (!whole || scree_hash_so_far(c->hash) != mark->hash)
		return scree_fail(why, FAIL_INPUT,
						  "%s is not the file that the snapshot continues: some of the %lld bytes written before the "
						  "snapshot are %s. Put the file back, or choose another folder (-o)",
						  c->path, (long long)mark->end, whole ? "different" : "missing");
	if (!cut(c, mark->end)) return scree_file_failed(why, errno, "write", c->path);
	c->end = mark->end;
	scree_hash_copy(c->running, c->hash);
	return true;
}

csv *scree_csv_open(const char *path, const char *header, const csv_mark *mark, fail *why)
{
	csv *c = scree_alloc(1, sizeof *c);
	c->path = scree_copy_text(path);
	c->hash = scree_hash_begin();
	c->running = scree_hash_begin();
	c->file = scree_file_open(path, why);
	if (c->file >= 0 && (mark->end > 0 ? go_on(c, header, mark, why) : begin(c, header, why))) return c;
	fail closing;
	scree_csv_close(c, &closing);
	return NULL;
}

csv *scree_csv_in_memory(void)
{
	csv *c = scree_alloc(1, sizeof *c);
	c->file = -1;
	return c;
}

const char *scree_csv_text(const csv *c, size_t *size)
{
	*size = c->used;
	return c->text;
}

static void write_if_full(csv *c)
{
	if (c->used >= BLOCK && c->file >= 0) write_out(c);
}

void scree_csv_value(csv *c, double value)
{
	if (value == value)
		scree_csv_print(c, ",%.15g", value);
	else
		scree_csv_print(c, ",nan"); /* drops the sign that some C libraries print for NaN */
}

void scree_csv_append(csv *c, const void *bytes, size_t size)
{
	c->text = scree_bytes_room(c->text, c->used, size, &c->room);
	if (size) memcpy(c->text + c->used, bytes, size);
	c->used += size;
	write_if_full(c);
}

void scree_csv_print(csv *c, const char *format, ...)
{
	for (int turn = 0; turn < 2; ++turn) {
		va_list args;
		va_start(args, format);
		size_t left = c->room - c->used;
		int n = vsnprintf(c->text ? c->text + c->used : NULL, left, format, args);
		va_end(args);
		SCREE_ASSERT(n >= 0);
		if ((size_t)n < left) {
			c->used += (size_t)n;
			break;
		}
		c->text = scree_bytes_room(c->text, c->used, (size_t)n + 1, &c->room);
	}
	write_if_full(c);
}

bool scree_csv_commit(csv *c, fail *why)
{
	write_out(c);
	if (!c->error) {
		c->end += c->written;
		c->written = 0;
		scree_hash_copy(c->hash, c->running);
		return true;
	}
	int error = c->error;
	c->error = 0;
	c->written = 0;
	scree_hash_copy(c->running, c->hash);
	(void)cut(c, c->end); /* if this fails too, a resumed run truncates the file */
	return scree_file_failed(why, error, "write", c->path);
}

bool scree_csv_sync(csv *c, fail *why)
{
	return fsync(c->file) == 0 || errno == EINVAL || errno == ENOTSUP ||
		   scree_file_failed(why, errno, "write", c->path);
}

csv_mark scree_csv_mark(const csv *c) { return (csv_mark){c->end, scree_hash_so_far(c->hash)}; }

bool scree_csv_close(csv *c, fail *why)
{
	if (!c) return true;
	bool ok = c->file < 0 || close(c->file) == 0 || scree_file_failed(why, errno, "write", c->path);
	scree_hash_end(c->hash);
	scree_hash_end(c->running);
	SCREE_FREE_ALL(c->path, c->text, c);
	return ok;
}
