/* mesh_ply: reads Stanford polygon files, ASCII and binary in both byte orders. The header lists the elements with
 * their counts and properties. Two elements are used: `vertex` with x, y and z, and `face` with one list of vertex
 * numbers. All others are skipped. One reader handles ASCII and binary files: only their numbers differ. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "format/mesh_reader.h"

enum { MOST_ELEMENTS = 16, MOST_PROPERTIES = 64 };

typedef struct number_type {
	const char *name, *other;
	int bytes;
	enum { SIGNED, UNSIGNED, REAL } kind;
} number_type;

static const number_type types[] = {
	{"char", "int8", 1, SIGNED},	   {"uchar", "uint8", 1, UNSIGNED}, {"short", "int16", 2, SIGNED},
	{"ushort", "uint16", 2, UNSIGNED}, {"int", "int32", 4, SIGNED},		{"uint", "uint32", 4, UNSIGNED},
	{"float", "float32", 4, REAL},	   {"double", "float64", 8, REAL},	{"long", "int64", 8, SIGNED},
	{"ulong", "uint64", 8, UNSIGNED},
};

typedef enum role { ROLE_NONE, ROLE_X, ROLE_Y, ROLE_Z, ROLE_CORNERS } role;

typedef struct property {
	const number_type *count, *type; /* count: type of a list's count; NULL if the property is not a list */
	role what;
} property;

typedef struct element {
	enum { OTHER, VERTEX, FACE } kind;
	int32_t count;
	int properties;
	property row[MOST_PROPERTIES];
} element;

typedef struct ply {
	text t;
	bool big;					 /* whether the most significant byte of a number is first */
	const unsigned char *number; /* position of the last number, for messages */
	int elements;
	int64_t vertices; /* -1: not yet seen */
	element row[MOST_ELEMENTS];
} ply;

static int64_t left(const ply *p) { return p->t.end - p->t.at; }

/* Fails with an error message that gives the byte in a binary file or the line in a text file. */
static bool __attribute__((format(printf, 2, 3))) place(ply *p, const char *format, ...)
{
	char sentence[160];
	va_list args;
	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	if (!p->t.binary) return scree_text_fail(&p->t, "%s", sentence);
	return scree_fail(p->t.why, FAIL_INPUT, "%s, byte %lld: %s", p->t.name, (long long)(p->number - p->t.start),
					  sentence);
}

static bool find_type(text *t, word w, const number_type **type)
{
	for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
		if (scree_word_is(w, types[k].name) || scree_word_is(w, types[k].other)) {
			*type = types + k;
			return true;
		}
	return scree_text_unexpected(t, w, "a type (char, uchar, short, ushort, int, uint, float, double)");
}

static bool parse_element(ply *p)
{
	text *t = &p->t;
	if (p->elements == MOST_ELEMENTS) return scree_text_fail(t, "more than %d elements", (int)MOST_ELEMENTS);
	element *e = p->row + p->elements;
	*e = (element){0};
	word w = scree_text_word(t);
	if (!w.length) return scree_text_unexpected(t, w, "the name of an element");
	e->kind = scree_word_is(w, "vertex") ? VERTEX : scree_word_is(w, "face") ? FACE : OTHER;
	for (int k = 0; k < p->elements; ++k)
		if (e->kind != OTHER && p->row[k].kind == e->kind)
			return scree_text_fail(t, "a second element %s, expected one", e->kind == VERTEX ? "vertex" : "face");
	int64_t count;
	word number = scree_text_word(t);
	if (!scree_text_integer(t, number, "the number of rows of the element", &count)) return false;
	if (count < 0 || count > INT32_MAX / 3)
		return scree_text_unexpected(t, number, "a number of rows from 0 to 715827882");
	e->count = (int32_t)count;
	if (e->kind == VERTEX) p->vertices = count;
	++p->elements;
	return true;
}

static bool parse_property(ply *p)
{
	text *t = &p->t;
	if (!p->elements) return scree_text_fail(t, "a property before the first element");
	element *e = p->row + p->elements - 1;
	if (e->properties == MOST_PROPERTIES) return scree_text_fail(t, "more than %d properties", (int)MOST_PROPERTIES);
	property *q = e->row + e->properties;
	*q = (property){0};
	word w = scree_text_word(t);
	if (scree_word_is(w, "list")) {
		w = scree_text_word(t);
		if (!find_type(t, w, &q->count)) return false;
		if (q->count->kind == REAL) return scree_text_unexpected(t, w, "a whole type for the length of a list");
		w = scree_text_word(t);
	}
	if (!find_type(t, w, &q->type)) return false;
	w = scree_text_word(t);
	if (!w.length) return scree_text_unexpected(t, w, "the name of a property");
	bool point = e->kind == VERTEX && !q->count;
	if (point && w.length == 1)
		q->what = scree_word_is(w, "x")	  ? ROLE_X
				  : scree_word_is(w, "y") ? ROLE_Y
				  : scree_word_is(w, "z") ? ROLE_Z
										  : ROLE_NONE;
	if (e->kind == FACE && q->count && (scree_word_is(w, "vertex_indices") || scree_word_is(w, "vertex_index"))) {
		q->what = ROLE_CORNERS;
		if (q->type->kind == REAL)
			return scree_text_fail(t, "vertex numbers of type %s, expected a whole type", q->type->name);
	}
	for (int k = 0; k < e->properties; ++k)
		if (q->what != ROLE_NONE && e->row[k].what == q->what)
			return scree_text_fail(t, "a second property '%.*s' of the element", w.length < 24 ? w.length : 24,
								   w.start);
	++e->properties;
	return true;
}

static bool parse_format(ply *p)
{
	text *t = &p->t;
	word w = scree_text_word(t);
	p->big = scree_word_is(w, "binary_big_endian");
	p->t.binary = p->big || scree_word_is(w, "binary_little_endian");
	return p->t.binary || scree_word_is(w, "ascii") ||
		   scree_text_unexpected(t, w, "'ascii', 'binary_little_endian' or 'binary_big_endian'");
}

static bool has(const element *e, role what)
{
	for (int k = 0; k < e->properties; ++k)
		if (e->row[k].what == what) return true;
	return false;
}

static bool check_header(ply *p)
{
	const element *face = NULL, *vertex = NULL;
	for (int k = 0; k < p->elements; ++k) {
		if (p->row[k].kind == FACE) face = p->row + k;
		if (p->row[k].kind == VERTEX) vertex = p->row + k;
	}
	if (!vertex || !has(vertex, ROLE_X) || !has(vertex, ROLE_Y) || !has(vertex, ROLE_Z))
		return scree_text_fail(&p->t,
							   "found the end of the header, expected an element vertex with properties x, y and z");
	if (!face || !has(face, ROLE_CORNERS))
		return scree_text_fail(&p->t,
							   "found the end of the header, expected an element face with a list vertex_indices");
	return true;
}

static bool parse_header(ply *p)
{
	text *t = &p->t;
	word w = scree_text_word(t);
	if (!scree_word_is(w, "ply")) return scree_text_unexpected(t, w, "'ply'");
	const unsigned char *end = t->at;
	scree_text_next_line(t);
	/* binary numbers may look like a line break, so the header must end with the line break that ends its first line */
	const bool alone = t->at == end + 1 && *end == '\r';
	bool format = false;
	for (;; scree_text_next_line(t)) {
		w = scree_text_word(t);
		if (scree_word_is(w, "end_header")) break;
		if (!w.length && t->at == t->end) return scree_text_unexpected(t, w, "'end_header'");
		if (!w.length || scree_word_is(w, "comment") || scree_word_is(w, "obj_info")) continue;
		bool good;
		if (scree_word_is(w, "format"))
			good = format = parse_format(p);
		else if (scree_word_is(w, "element"))
			good = parse_element(p);
		else if (scree_word_is(w, "property"))
			good = parse_property(p);
		else
			good = scree_text_unexpected(t, w, "'format', 'element', 'property', 'comment' or 'end_header'");
		if (!good) return false;
	}
	if (!format) return scree_text_fail(t, "found the end of the header, expected a line 'format' in it");
	if (!check_header(p)) return false;
	while (t->at < t->end && (*t->at == ' ' || *t->at == '\t')) ++t->at;
	if (p->t.binary && alone && t->at < t->end && *t->at == '\r')
		++t->at;
	else
		scree_text_next_line(t);
	return true;
}

/* Reads the next number, or skips it if value is NULL. */
static bool take(ply *p, const number_type *type, bool point, real *value)
{
	if (!p->t.binary) {
		word w = scree_text_word(&p->t);
		if (!value) return w.length > 0 || scree_text_unexpected(&p->t, w, "a number");
		return point ? scree_text_coordinate(&p->t, w, value) : scree_text_real(&p->t, w, value);
	}
	p->number = p->t.at;
	if (left(p) < type->bytes) return place(p, "found the end of the file, expected a number");
	if (value) {
		uint64_t bits = 0;
		for (int k = 0; k < type->bytes; ++k) bits |= (uint64_t)p->t.at[k] << 8 * (p->big ? type->bytes - 1 - k : k);
		float single;
		uint32_t low = (uint32_t)bits;
		if (type->kind == UNSIGNED)
			*value = (real)bits;
		else if (type->kind == SIGNED) {
			uint64_t sign = (uint64_t)1 << (8 * type->bytes - 1);
			*value = (real)(int64_t)(bits & (sign - 1)) - (bits & sign ? (real)sign : 0);
		} else if (type->bytes == 4) {
			memcpy(&single, &low, sizeof single);
			*value = (real)single;
		} else
			memcpy(value, &bits, sizeof bits);
		if (!(real_abs(*value) <= 1.7976931348623157e308)) return place(p, "found a number that is not finite");
		if (point) p->t.digits.wide |= !(real_abs(*value) < 1e38 && *value == (real)(float)*value);
	}
	p->t.at += type->bytes;
	return true;
}

static bool take_list(ply *p, const property *q, mesh_builder *b)
{
	real count, value;
	if (!take(p, q->count, false, &count)) return false;
	/* in a text file each number has at least one digit, followed by a blank or the end of the file */
	real most = p->t.binary ? (real)left(p) / q->type->bytes : ((real)left(p) + 1) / 2;
	if (!(count >= 0 && count <= most) || count != (real)(int64_t)count)
		return place(p, "the length of a list is not a whole number that fits into the rest of the file");
	fan f = {0};
	bool corners = q->what == ROLE_CORNERS;
	if (corners && count < 3)
		return place(p, "found a face with %d corner%s, expected at least 3", (int)count, count == 1 ? "" : "s");
	for (int64_t k = 0; k < (int64_t)count; ++k) {
		if (!take(p, q->type, false, corners ? &value : NULL)) return false;
		if (!corners) continue;
		if (!(value >= 0 && value < (real)p->vertices) || value != (real)(int64_t)value)
			return place(p, "found vertex %.15g, expected 0 to %lld", value, (long long)p->vertices - 1);
		scree_build_corner(b, &f, (int32_t)value);
	}
	scree_build_face(b, &f, p->t.binary ? p->number - p->t.start : p->t.line);
	return true;
}

/* Smallest number of bytes that a row can have if its face has this many corners. */
static int64_t least_bytes(const ply *p, const element *e, int corners)
{
	int64_t sum = 0;
	for (int k = 0; k < e->properties; ++k) {
		const property *q = e->row + k;
		sum += p->t.binary ? (q->count ? q->count->bytes : q->type->bytes) : 2;
		if (q->what == ROLE_CORNERS) sum += corners * (p->t.binary ? q->type->bytes : 2);
	}
	return sum;
}

static bool take_rows(ply *p, const element *e, const char *kind, mesh_builder *b)
{
	int64_t least = least_bytes(p, e, 0);
	if (!least) return true;
	p->number = p->t.at;
	int64_t needed = e->count * least;
	if (needed > left(p) + !p->t.binary)
		return place(p, "%d rows of the element %s need at least %lld bytes, found %lld", e->count, kind,
					 (long long)needed, (long long)left(p));
	if (e->kind == VERTEX) scree_build_reserve(b, e->count, 0);
	/* faces with fewer than three corners will be refused; memory for them would be many times the file's length */
	if (e->kind == FACE) {
		int64_t whole = (left(p) + 1) / least_bytes(p, e, 3);
		scree_build_reserve(b, 0, e->count < whole ? e->count : (int32_t)whole);
	}
	for (int32_t i = 0; i < e->count; ++i) {
		real at[3] = {0};
		if (!p->t.binary) scree_text_find_line(&p->t);
		for (int k = 0; k < e->properties; ++k) {
			const property *q = e->row + k;
			bool point = q->what >= ROLE_X && q->what <= ROLE_Z;
			if (!(q->count ? take_list(p, q, b) : take(p, q->type, point, point ? at + (q->what - ROLE_X) : NULL)))
				return false;
		}
		if (e->kind == VERTEX) scree_build_vertex(b, v3(at[0], at[1], at[2]));
		if (!p->t.binary && !scree_text_end_line(&p->t)) return false;
	}
	return true;
}

bool scree_mesh_parse_ply(text *t, mesh_builder *b)
{
	static const char *const kinds[] = {"of another kind", "vertex", "face"};
	ply p = {.t = *t, .vertices = -1};
	bool good = parse_header(&p);
	for (int k = 0; good && k < p.elements; ++k) good = take_rows(&p, p.row + k, kinds[p.row[k].kind], b);
	p.number = p.t.at;
	if (good && (p.t.binary ? left(&p) > 2 : true) && !scree_text_at_end(&p.t)) /* the file may end with a line break */
		good = place(&p, "found more bytes after the last element, expected the end of the file");
	*t = p.t;
	return good;
}
