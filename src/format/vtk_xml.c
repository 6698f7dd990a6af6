#include "format/vtk_xml.h"

#include "base/memory.h"
#include "format/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { BLOCK = 1 << 20 };

void scree_vtk_put(vtk_text *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char line[1024];
	int n = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	SCREE_ASSERT(n >= 0 && (size_t)n < sizeof line);
	t->text = scree_bytes_room(t->text, t->used, (size_t)n, &t->room);
	memcpy(t->text + t->used, line, (size_t)n);
	t->used += (size_t)n;
}

static void put_base64(vtk_text *t, const uint8_t *bytes, size_t length)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	t->text = scree_bytes_room(t->text, t->used, (length + 2) / 3 * 4, &t->room);
	char *to = t->text + t->used;
	for (size_t k = 0; k < length; k += 3) {
		size_t left = length - k;
		uint32_t x =
			(uint32_t)bytes[k] << 16 | (left > 1 ? (uint32_t)bytes[k + 1] << 8 : 0) | (left > 2 ? bytes[k + 2] : 0);
		*to++ = digit[x >> 18];
		*to++ = digit[x >> 12 & 63];
		*to++ = left > 1 ? digit[x >> 6 & 63] : '=';
		*to++ = left > 2 ? digit[x & 63] : '=';
	}
	t->used = (size_t)(to - t->text);
}

/* Header: number of blocks, size of a block, size of the last block if smaller, then the compressed sizes. */
static void put_blocks(vtk_text *t, const uint8_t *bytes, size_t length)
{
	size_t blocks = (length + BLOCK - 1) / BLOCK, packed = 0;
	uint64_t *header = scree_alloc(blocks + 3, sizeof *header);
	uint8_t *to = scree_alloc(blocks * (compressBound(BLOCK) + 1) + 1, 1);
	header[0] = blocks;
	header[1] = BLOCK;
	header[2] = length % BLOCK;
	for (size_t k = 0; k < blocks; ++k) {
		size_t part = k + 1 < blocks || length % BLOCK == 0 ? BLOCK : length % BLOCK;
		uLongf size = compressBound(BLOCK);
		int code = compress2(to + packed, &size, bytes + k * BLOCK, (uLong)part, 1);
		SCREE_ASSERT(code == Z_OK);
		header[3 + k] = size;
		packed += size;
	}
	put_base64(t, (const uint8_t *)header, (blocks + 3) * sizeof *header);
	put_base64(t, to, packed);
	SCREE_FREE_ALL(header, to);
}

void scree_vtk_put_name(vtk_text *t, const char *name)
{
	for (; *name; ++name) {
		const char *entity = *name == '&'	? "&amp;"
							 : *name == '<' ? "&lt;"
							 : *name == '>' ? "&gt;"
							 : *name == '"' ? "&quot;"
											: NULL;
		if (entity)
			scree_vtk_put(t, "%s", entity);
		else
			scree_vtk_put(t, "%c", *name);
	}
}

void scree_vtk_array(vtk_text *t, const char *type, const char *name, int components, const void *bytes, size_t length)
{
	if (t->lists) {
		scree_vtk_put(t, "<PDataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"/>\n", type, name, components);
		return;
	}
	scree_vtk_put(t, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">", type, name,
				  components);
	put_blocks(t, bytes, length);
	scree_vtk_put(t, "</DataArray>\n");
}

void scree_vtk_floats(vtk_text *t, const char *name, int components, const real *value, int64_t count)
{
	float *single = scree_alloc((size_t)count + 1, sizeof *single);
	for (int64_t k = 0; k < count; ++k) single[k] = (float)value[k];
	scree_vtk_array(t, "Float32", name, components, single, (size_t)count * sizeof *single);
	scree_free(single);
}

int64_t scree_vtk_mesh_point(vtk_mesh *m, vec3 p)
{
	m->point = scree_room(m->point, m->points, &m->point_room, 3 * sizeof *m->point);
	real *to = m->point + 3 * m->points;
	to[0] = p.x;
	to[1] = p.y;
	to[2] = p.z;
	return m->points++;
}

void scree_vtk_mesh_cell(vtk_mesh *m, int64_t count, const int64_t *corner)
{
	if (m->corners + count > m->corner_room) {
		int64_t room = (m->corners + count) * 3 / 2 + 64;
		m->corner = scree_grow(m->corner, (size_t)m->corners, (size_t)room, sizeof *m->corner);
		m->corner_room = room;
	}
	m->end = scree_room(m->end, m->cells, &m->cell_room, sizeof *m->end);
	memcpy(m->corner + m->corners, corner, (size_t)count * sizeof *corner);
	m->corners += count;
	m->end[m->cells++] = m->corners;
}

static void begin_data(vtk_text *t, const char *data)
{
	t->data = data;
	if (data) scree_vtk_put(t, "<%s>\n", data);
}

void scree_vtk_end_data(vtk_text *t)
{
	if (t->data) scree_vtk_put(t, "</%s>\n", t->data);
}

void scree_vtk_begin(vtk_text *t, vtk_mesh *m, const char *kind, const char *data)
{
	scree_vtk_put(t, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
					 "header_type=\"UInt64\" "
					 "compressor=\"vtkZLibDataCompressor\">\n<PolyData>\n");
	const char *const kinds[4] = {"Verts", "Lines", "Strips", "Polys"};
	scree_vtk_put(t, "<Piece NumberOfPoints=\"%lld\"", (long long)m->points);
	for (int k = 0; k < 4; ++k)
		scree_vtk_put(t, " NumberOf%s=\"%lld\"", kinds[k], !strcmp(kind, kinds[k]) ? (long long)m->cells : 0LL);
	scree_vtk_put(t, ">\n<Points>\n");
	scree_vtk_array(t, "Float64", "Points", 3, m->point, (size_t)m->points * 3 * sizeof *m->point);
	scree_vtk_put(t, "</Points>\n<%s>\n", kind);
	scree_vtk_array(t, "Int64", "connectivity", 1, m->corner, (size_t)m->corners * sizeof *m->corner);
	scree_vtk_array(t, "Int64", "offsets", 1, m->end, (size_t)m->cells * sizeof *m->end);
	scree_vtk_put(t, "</%s>\n", kind);
	SCREE_FREE_ALL(m->point, m->corner, m->end);
	begin_data(t, data);
}

void scree_vtk_begin_index(vtk_text *t, const char *data)
{
	t->lists = true;
	scree_vtk_put(t, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PPolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
					 "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n<PPolyData GhostLevel=\"0\">\n"
					 "<PPoints>\n");
	scree_vtk_array(t, "Float64", "Points", 3, NULL, 0);
	scree_vtk_put(t, "</PPoints>\n");
	begin_data(t, data);
}

static bool end_file(vtk_text *t, const char *path, fail *why)
{
	bool ok = scree_file_write(path, t->text, t->used, why);
	scree_free(t->text);
	memset(t, 0, sizeof *t);
	return ok;
}

bool scree_vtk_end(vtk_text *t, const char *path, fail *why)
{
	scree_vtk_end_data(t);
	scree_vtk_put(t, "</Piece>\n</PolyData>\n</VTKFile>\n");
	return end_file(t, path, why);
}

bool scree_vtk_end_index(vtk_text *t, const char *path, fail *why)
{
	scree_vtk_put(t, "</PPolyData>\n</VTKFile>\n");
	return end_file(t, path, why);
}
