/* vtk_xml: VTK's XML format with inline binary data.
 *
 * An array is base64 of a head (UInt64: number of blocks, bytes of a block, bytes of the last one when it is not full,
 * compressed bytes of each block), then base64 of the compressed blocks together. Never appended data: Debian 12's
 * ParaView 5.11 refuses any file with it. zlib at level 1: higher levels cost time and save next to nothing on numbers.
 */
#include "format/vtk_parts.h"

#include "base/memory.h"
#include "format/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK = 1 << 20 };

static void room_for(vtk_text *t, size_t more)
{
	if (t->room - t->used > more) return;
	size_t room = 2 * t->room + more + 4096;
	t->text = scree_grow(t->text, t->used, room, 1);
	t->room = room;
}

void scree_vtk_print(vtk_text *t, const char *format, ...)
{
	va_list args;
	room_for(t, 1024);
	for (int turn = 0; turn < 2; ++turn) {
		va_start(args, format);
		int n = vsnprintf(t->text + t->used, t->room - t->used, format, args);
		va_end(args);
		SCREE_ASSERT(n >= 0);
		if ((size_t)n < t->room - t->used) {
			t->used += (size_t)n;
			return;
		}
		room_for(t, (size_t)n + 1);
	}
}

void scree_vtk_escape(vtk_text *t, const char *text)
{
	for (; *text; ++text) {
		const char *as = *text == '&'	? "&amp;"
						 : *text == '<' ? "&lt;"
						 : *text == '>' ? "&gt;"
						 : *text == '"' ? "&quot;"
										: NULL;
		if (as)
			scree_vtk_print(t, "%s", as);
		else
			scree_vtk_print(t, "%c", *text);
	}
}

void scree_vtk_free(vtk_text *t)
{
	scree_free(t->text);
	*t = (vtk_text){0};
}

static void put_base64(vtk_text *t, const unsigned char *bytes, size_t length)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	room_for(t, length / 3 * 4 + 8);
	char *out = t->text + t->used;
	for (size_t k = 0; k < length; k += 3) {
		unsigned a = bytes[k], b = k + 1 < length ? bytes[k + 1] : 0, c = k + 2 < length ? bytes[k + 2] : 0;
		*out++ = digit[a >> 2];
		*out++ = digit[(a & 3) << 4 | b >> 4];
		*out++ = k + 1 < length ? digit[(b & 15) << 2 | c >> 6] : '=';
		*out++ = k + 2 < length ? digit[c & 63] : '=';
	}
	t->used = (size_t)(out - t->text);
}

static void put_compressed(vtk_text *t, const unsigned char *bytes, size_t length)
{
	size_t blocks = (length + BLOCK - 1) / BLOCK, used = 0;
	uint64_t *head = scree_alloc(blocks + 3, sizeof *head);
	unsigned char *packed = scree_alloc(blocks ? blocks * compressBound(BLOCK) : 1, 1);
	head[0] = blocks;
	head[1] = BLOCK;
	head[2] = length % BLOCK;
	for (size_t k = 0; k < blocks; ++k) {
		size_t part = k + 1 < blocks || !head[2] ? BLOCK : head[2];
		uLongf room = compressBound(BLOCK);
		SCREE_ASSERT(compress2(packed + used, &room, bytes + k * BLOCK, part, 1) == Z_OK);
		head[3 + k] = room;
		used += room;
	}
	put_base64(t, (const unsigned char *)head, (blocks + 3) * sizeof *head);
	put_base64(t, packed, used);
	scree_free(packed);
	scree_free(head);
}

void scree_vtk_array(vtk_text *t, vtk_type type, const char *name, int components, int64_t count, const void *data)
{
	static const char *const names[] = {"Float32", "Float64", "Int32", "Int64"};
	static const size_t sizes[] = {4, 8, 4, 8};
	scree_vtk_print(t, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">\n", names[type],
					name, components);
	put_compressed(t, data, (size_t)count * (size_t)components * sizes[type]);
	scree_vtk_print(t, "\n</DataArray>\n");
}

void scree_vtk_begin(vtk_text *t, real time, int64_t points, int64_t verts, int64_t lines, int64_t polys)
{
	scree_vtk_print(t,
					"<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
					"header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n");
	scree_vtk_print(t,
					"<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
					"format=\"ascii\">%.17g</DataArray>\n"
					"</FieldData>\n",
					time);
	scree_vtk_print(t,
					"<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" NumberOfLines=\"%lld\" NumberOfStrips=\"0\" "
					"NumberOfPolys=\"%lld\">\n",
					(long long)points, (long long)verts, (long long)lines, (long long)polys);
}

void scree_vtk_points(vtk_text *t, int64_t count, const vec3 *point)
{
	scree_vtk_print(t, "<Points>\n");
	scree_vtk_array(t, VTK_F64, "Points", 3, count, point);
	scree_vtk_print(t, "</Points>\n");
}

void scree_vtk_cells(vtk_text *t, const char *section, int64_t cells, const int64_t *end, const int64_t *corner)
{
	scree_vtk_print(t, "<%s>\n", section);
	scree_vtk_array(t, VTK_I64, "connectivity", 1, cells ? end[cells - 1] : 0, corner);
	scree_vtk_array(t, VTK_I64, "offsets", 1, cells, end);
	scree_vtk_print(t, "</%s>\n", section);
}

void scree_vtk_end(vtk_text *t) { scree_vtk_print(t, "</Piece>\n</PolyData>\n</VTKFile>\n"); }

bool scree_vtk_write(vtk_text *t, const char *path, fail *why)
{
	bool ok = scree_file_write(path, t->text, t->used, why);
	scree_vtk_free(t);
	return ok;
}
