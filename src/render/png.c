/* png: writes pixels to a file, by libpng. The file gets its name only when it is complete. */
#include "base/memory.h"
#include "format/file.h"
#include "render/picture.h"

#include <png.h>
#include <string.h>

typedef struct encoded {
	unsigned char *bytes;
	size_t used, room;
} encoded;

static void append(png_structp png, png_bytep bytes, size_t count)
{
	encoded *e = png_get_io_ptr(png);
	if (e->used + count > e->room) {
		size_t room = 2 * (e->used + count) + 4096;
		e->bytes = scree_grow(e->bytes, e->used, room, 1);
		e->room = room;
	}
	memcpy(e->bytes + e->used, bytes, count);
	e->used += count;
}

static void nothing_to_flush(png_structp png) { (void)png; }

static unsigned char byte_of(float x)
{
	real v = real_clamp((real)x, 0, 1) * 255 + 0.5;
	return (unsigned char)v;
}

/* libpng returns errors by longjmp: variables used afterwards must be volatile or belong to the caller */
static bool encode(encoded *to, const canvas *c, unsigned char *row)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	if (!png) return false;
	png_infop info = png_create_info_struct(png);
	if (!info || setjmp(png_jmpbuf(png))) {
		png_destroy_write_struct(&png, &info);
		return false;
	}
	png_set_write_fn(png, to, append, nothing_to_flush);
	png_set_IHDR(png, info, (png_uint_32)c->width, (png_uint_32)c->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
				 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
	/* files are a tenth larger than with the defaults, and take a third of the time */
	png_set_compression_level(png, 3);
	png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
	png_write_info(png, info);
	for (int32_t y = 0; y < c->height; ++y) {
		const float *in = c->rgb + 3 * (size_t)y * (size_t)c->width;
		for (int32_t k = 0; k < 3 * c->width; ++k) row[k] = byte_of(in[k]);
		png_write_row(png, row);
	}
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return true;
}

bool scree_png_write(const canvas *c, const char *path, fail *why)
{
	unsigned char *row = scree_alloc(3 * (size_t)c->width, 1);
	encoded e = {0};
	bool ok = encode(&e, c, row) ? scree_file_write(path, e.bytes, e.used, why)
								 : scree_fail(why, FAIL_IO, "cannot make the picture %s: libpng failed", path);
	scree_free(row);
	scree_free(e.bytes);
	return ok;
}
