#include "format/stream.h"

#include "base/memory.h"

#include <string.h>

bool scree_stream_check(stream *s, bool right, const char *what)
{
	if (s->ok && !right) s->ok = scree_fail(s->why, FAIL_INPUT, "section %s: %s", s->where, what);
	return s->ok;
}

void scree_stream_expect(stream *s, size_t length)
{
	if (!s->saving || s->used + length <= s->room) return;
	s->room = s->used + length;
	s->bytes = scree_grow(s->bytes, s->used, s->room, 1);
}

void scree_stream_bytes(stream *s, void *data, size_t length)
{
	if (!s->ok) return;
	if (s->saving) {
		s->bytes = scree_bytes_room(s->bytes, s->used, length, &s->room);
		if (length) memcpy(s->bytes + s->used, data, length);
	} else {
		if (!scree_stream_check(s, length <= s->room - s->used, "it ends too early")) return;
		if (length) memcpy(data, s->bytes + s->used, length);
	}
	s->used += length;
}

static void begin_piece(stream *s, size_t each, int of)
{
	s->piece = scree_room(s->piece, s->pieces, &s->piece_room, sizeof *s->piece);
	s->piece[s->pieces++] = (stream_piece){.from = s->used, .at = s->used + s->elsewhere, .each = each, .of = of};
}

void scree_stream_divide(stream *s, const struct world_slice *slice)
{
	s->slice = slice;
	begin_piece(s, 0, 0);
}

void scree_stream_close(stream *s)
{
	stream_piece *last = s->piece + s->pieces - 1;
	last->length = s->used - last->from;
}

void scree_stream_rows(stream *s, int of, size_t each, int64_t before)
{
	if (!s->slice) return;
	scree_stream_close(s);
	s->elsewhere += (uint64_t)before * each;
	begin_piece(s, each, of);
}

void scree_stream_rows_end(stream *s, int64_t after)
{
	if (!s->slice) return;
	scree_stream_close(s);
	s->elsewhere += (uint64_t)after * s->piece[s->pieces - 1].each;
	begin_piece(s, 0, 0);
}

static void pass_bool(stream *s, bool *x)
{
	uint8_t byte = s->saving && *x ? 1 : 0;
	scree_stream_bytes(s, &byte, 1);
	if (!s->saving) *x = scree_stream_check(s, byte <= 1, "a flag is neither 0 nor 1") && byte;
}

static void pass_fixed(stream *s, fixed *f)
{
	uint64_t part[2] = {(uint64_t)f->quanta, (uint64_t)(f->quanta >> 64)};
	scree_stream_bytes(s, part, sizeof part);
	scree_stream_bytes(s, &f->beyond, sizeof f->beyond);
	__extension__ typedef unsigned __int128 uint128;
	if (!s->saving) f->quanta = (int128)((uint128)part[1] << 64 | part[0]);
}

void scree_stream_fields(stream *s, int count, const stream_field *row)
{
	for (const stream_field *f = row; f < row + count; ++f) {
		if (f->form == STREAM_RAW) scree_stream_bytes(s, f->at, f->count * f->each);
		if (f->form == STREAM_NAME) scree_stream_name(s, f->at, f->count);
		for (size_t k = 0; k < f->count; ++k) {
			if (f->form == STREAM_BOOL) pass_bool(s, (bool *)f->at + k);
			if (f->form == STREAM_FIXED) pass_fixed(s, (fixed *)f->at + k);
		}
	}
}

void scree_stream_name(stream *s, char *name, size_t room)
{
	if (s->saving) { /* the bytes after the end of a name are undefined and are not saved */
		char copy[256] = {0};
		SCREE_ASSERT(room <= sizeof copy);
		strncpy(copy, name, room - 1);
		scree_stream_bytes(s, copy, room);
		return;
	}
	scree_stream_bytes(s, name, room);
	if (s->ok) scree_stream_check(s, memchr(name, 0, room) != NULL, "a name is not terminated");
	if (!s->ok) *name = 0;
}

void scree_stream_word(stream *s, char name[SCREE_NAME], const char *now)
{
	memset(name, 0, SCREE_NAME);
	if (s->saving) strncpy(name, now, SCREE_NAME - 1);
	scree_stream_name(s, name, SCREE_NAME);
}

void scree_stream_text(stream *s, char **text)
{
	int32_t length = s->saving && *text ? (int32_t)strlen(*text) : -1;
	scree_stream_bytes(s, &length, sizeof length);
	if (s->saving) {
		if (length > 0) scree_stream_bytes(s, *text, (size_t)length);
		return;
	}
	*text = NULL;
	if (!s->ok || length < 0) return;
	if (!scree_stream_check(s, (size_t)length <= s->room - s->used, "a text is longer than the section")) return;
	*text = scree_alloc((size_t)length + 1, 1);
	scree_stream_bytes(s, *text, (size_t)length);
	scree_stream_check(s, memchr(*text, 0, (size_t)length) == NULL, "a text contains a null character");
}

int scree_stream_choice(stream *s, int now, int count, const void *first, size_t stride, const char *what)
{
	char name[SCREE_NAME];
	const char *of = NULL;
	int k = 0;
	if (s->saving) memcpy(&of, (const char *)first + (size_t)now * stride, sizeof of);
	scree_stream_word(s, name, of);
	if (s->saving) return now;
	for (; k < count; ++k) {
		memcpy(&of, (const char *)first + (size_t)k * stride, sizeof of);
		if (!strcmp(of, name)) break;
	}
	return scree_stream_check(s, k < count, what) ? k : 0;
}

int scree_stream_named(stream *s, int now, const names *list, const char *what)
{
	return scree_stream_choice(s, now, list->count, list->of, sizeof *list->of, what);
}

bool scree_stream_count(stream *s, int32_t *count, size_t each, const char *what)
{
	scree_stream_bytes(s, count, sizeof *count);
	if (s->saving) return true;
	if (scree_stream_check(s, *count >= 0 && (size_t)*count <= (s->room - s->used) / (each ? each : 1), what))
		return true;
	*count = 0;
	return false;
}

void *scree_stream_array(stream *s, void *now, int64_t count, size_t each)
{
	void *x = now;
	if (!s->saving) {
		if (!scree_stream_check(s, count >= 0 && (size_t)count <= (s->room - s->used) / each,
								"an array is longer than the section"))
			return NULL;
		x = scree_alloc((size_t)count, each);
	}
	scree_stream_bytes(s, x, (size_t)count * each);
	return x;
}
