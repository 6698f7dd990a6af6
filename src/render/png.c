/* png: pixels to a file, by libpng. The file appears under its name only when it is whole. */
#include "base/memory.h"
#include "render/picture.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 4096 };

static unsigned char byte_of(float x)
{
	real v = real_clamp((real)x, 0, 1) * 255 + 0.5;
	return (unsigned char)v;
}

/* libpng leaves by longjmp: nothing here may live in registers across it but what is volatile or the caller's */
static bool encode(FILE *file, const canvas *c, unsigned char *row)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	if (!png) return false;
	png_infop info = png_create_info_struct(png);
	if (!info || setjmp(png_jmpbuf(png))) {
		png_destroy_write_struct(&png, &info);
		return false;
	}
	png_init_io(png, file);
	png_set_IHDR(png, info, (png_uint_32)c->width, (png_uint_32)c->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
				 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
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
	char part[NAME_ROOM];
	if (snprintf(part, sizeof part, "%s.part", path) >= NAME_ROOM)
		return scree_fail(why, FAIL_IO, "the picture's path is longer than %d characters", NAME_ROOM - 6);
	FILE *file = fopen(part, "wb");
	if (!file) return scree_fail(why, FAIL_IO, "cannot write picture %s: %s", path, strerror(errno));
	unsigned char *row = scree_alloc(3 * (size_t)c->width, 1);
	bool ok = encode(file, c, row);
	scree_free(row);
	ok = fclose(file) == 0 && ok;
	if (ok && rename(part, path) == 0) return true;
	int error = errno;
	remove(part);
	return scree_fail(why, FAIL_IO, "cannot write picture %s: %s", path, error ? strerror(error) : "libpng failed");
}
