/* png: encodes the pixels of a page with libpng, in three channels, or in four if the page is transparent. */
#include "render/page.h"

#include <png.h>

static void append(png_structp png, png_bytep bytes, size_t count) { page_append(png_get_io_ptr(png), bytes, count); }

static void nothing_to_flush(png_structp png) { (void)png; }

/* Cairo's pixels are premultiplied by alpha; those of a PNG are not. */
static void unpack(const unsigned char *from, int32_t width, bool clear, unsigned char *row)
{
	const int channels = clear ? 4 : 3;
	for (int32_t x = 0; x < width; ++x, row += channels) {
		uint32_t pixel;
		memcpy(&pixel, from + 4 * (size_t)x, 4);
		const uint32_t alpha = pixel >> 24;
		for (int k = 0; k < 3; ++k) {
			const uint32_t part = pixel >> (16 - 8 * k) & 255;
			row[k] = (unsigned char)(!clear || alpha == 255 ? part : alpha ? (part * 255 + alpha / 2) / alpha : 0);
		}
		if (clear) row[3] = (unsigned char)alpha;
	}
}

/* libpng returns errors by longjmp, so variables used afterwards must be volatile or belong to the caller */
static bool encode(const page *p, page_bytes *to, unsigned char *row)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
	if (!png) return false;
	png_infop info = png_create_info_struct(png);
	if (!info || setjmp(png_jmpbuf(png))) {
		png_destroy_write_struct(&png, &info);
		return false;
	}
	png_set_write_fn(png, to, append, nothing_to_flush);
	png_set_IHDR(png, info, (png_uint_32)p->width, (png_uint_32)p->height, 8,
				 p->clear ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
				 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
	/* files are a tenth larger than with the defaults, but are written in a third of the time */
	png_set_compression_level(png, 3);
	png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
	png_write_info(png, info);
	const unsigned char *bytes = cairo_image_surface_get_data(p->surface);
	const size_t stride = (size_t)cairo_image_surface_get_stride(p->surface);
	for (int32_t y = 0; y < p->height; ++y) {
		unpack(bytes + (size_t)y * stride, p->width, p->clear, row);
		png_write_row(png, row);
	}
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return true;
}

bool scree_png_encode(const page *p, page_bytes *to)
{
	unsigned char *row = scree_alloc(4 * (size_t)p->width, 1);
	const bool done = encode(p, to, row);
	scree_free(row);
	return done;
}
