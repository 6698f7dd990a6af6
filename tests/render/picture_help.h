/* picture_help.h: code shared by tests of pictures: draws a world to a file, which is read back with libpng. */
#ifndef SCREE_TESTS_PICTURE_HELP_H
#define SCREE_TESTS_PICTURE_HELP_H

#include "test.h"

#include "base/memory.h"
#include "render/render.h"
#include "world/world.h"

#include <png.h>

typedef struct picture {
	int32_t width, height;
	unsigned char *rgb;
} picture;

static char folder[] = "/tmp/scree-pictures-XXXXXX";

SCREE_FN const char *path_of(const char *name)
{
	static char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

SCREE_FN picture read_picture(const char *path)
{
	png_image image = {.version = PNG_IMAGE_VERSION};
	CHECK(png_image_begin_read_from_file(&image, path) != 0, "%s: %s", path, image.message);
	image.format = PNG_FORMAT_RGB;
	picture p = {(int32_t)image.width, (int32_t)image.height, NULL};
	p.rgb = scree_alloc(PNG_IMAGE_SIZE(image), 1);
	CHECK(png_image_finish_read(&image, NULL, p.rgb, 0, NULL) != 0, "%s: %s", path, image.message);
	return p;
}

SCREE_FN picture draw(const scree_world *w, const image_plan *plan)
{
	fail why = {0};
	const char *path = path_of("one.png");
	CHECK(scree_render_picture(w, plan, "A test", path, &why), "%s", why.text);
	picture p = read_picture(path);
	remove(path);
	return p;
}

#endif
