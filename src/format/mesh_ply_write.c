/* mesh_ply_write: writes a mesh as a binary little-endian PLY file with doubles, so that no digit is lost. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "format/file.h"
#include "format/mesh.h"

enum { HEADER = 600, COMMENT = 200, VERTEX = 24, FACE = 13 };

static unsigned char *put(unsigned char *to, uint64_t bits, int bytes)
{
	for (int k = 0; k < bytes; ++k) *to++ = (unsigned char)(bits >> 8 * k);
	return to;
}

static size_t put_header(char *to, const mesh *m, const char *comment)
{
	int shown = 0;
	while (comment && shown < COMMENT && (unsigned char)comment[shown] >= ' ') ++shown;
	int length =
		snprintf(to, HEADER,
				 "ply\nformat binary_little_endian 1.0\n%s%.*s%selement vertex %d\nproperty double x\n"
				 "property double y\nproperty double z\nelement face %d\n"
				 "property list uchar int vertex_indices\nend_header\n",
				 shown ? "comment " : "", shown, shown ? comment : "", shown ? "\n" : "", m->vertices, m->triangles);
	return (size_t)length;
}

void *scree_mesh_ply(const mesh *m, const char *comment, size_t *length)
{
	unsigned char *bytes = scree_alloc(HEADER + VERTEX * (size_t)m->vertices + FACE * (size_t)m->triangles, 1);
	unsigned char *to = bytes + put_header((char *)bytes, m, comment);
	for (int32_t i = 0; i < m->vertices; ++i) {
		to = put(to, bits_of(m->vertex[i].x), 8);
		to = put(to, bits_of(m->vertex[i].y), 8);
		to = put(to, bits_of(m->vertex[i].z), 8);
	}
	for (int32_t t = 0; t < m->triangles; ++t) {
		*to++ = 3;
		for (int k = 0; k < 3; ++k) to = put(to, (uint32_t)m->triangle[3 * t + k], 4);
	}
	*length = (size_t)(to - bytes);
	return bytes;
}

bool scree_mesh_write_ply(const char *path, const mesh *m, const char *comment, fail *why)
{
	size_t length;
	void *bytes = scree_mesh_ply(m, comment, &length);
	bool good = scree_file_write(path, bytes, length, why);
	scree_free(bytes);
	return good;
}

bool scree_mesh_add_ply(const char *path, const mesh *m, const char *comment, bool *other, fail *why)
{
	bool there;
	*other = false;
	if (!scree_file_look(path, &there, why)) return false;
	if (!there) return scree_mesh_write_ply(path, m, comment, why);
	size_t length, found = 0;
	void *bytes = scree_mesh_ply(m, comment, &length), *old = NULL;
	fail unread = {0}; /* a file that is longer, or not a regular file, counts as different */
	const bool good = scree_file_read(path, length, &old, &found, &unread);
	*other = !good || found != length || memcmp(bytes, old, length) != 0;
	SCREE_FREE_ALL(old, bytes);
	return true;
}
