#include "render/render.h"

#include "base/memory.h"
#include "render/picture.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALLEST = 16, LARGEST = 16384 };

bool scree_render_png(const scree_world *w, const image_plan *plan, const char *title, const char *path, fail *why)
{
	picture p = {.width = plan->width > 0 ? plan->width : 1280, .height = plan->height > 0 ? plan->height : 960};
	if (p.width < SMALLEST || p.height < SMALLEST || p.width > LARGEST || p.height > LARGEST)
		return scree_fail(why, FAIL_INPUT, "a picture of %d by %d pixels: width and height must lie between %d and %d",
						  p.width, p.height, SMALLEST, LARGEST);
	coloring c = {0};
	stage_set s = {0};
	if (!scree_coloring_make(&c, w, plan, why)) return false;
	bool ok = scree_stage_set_build(&s, w, plan, why);
	if (ok) {
		p.pixel = scree_alloc((size_t)p.width * (size_t)p.height * 3, sizeof *p.pixel);
		camera view = scree_camera_make(w, plan, (real)p.width / p.height);
		view.pixel = v3_norm(view.up) / p.height;
		scree_picture_trace(&p, w, plan, &c, &view, &s);
		scree_picture_caption(&p, w, &c, title);
		ok = scree_picture_write(&p, path, why);
	}
	scree_free(p.pixel);
	scree_stage_set_free(&s);
	scree_coloring_free(&c);
	return ok;
}

/* rows as bytes, then libpng into a temporary file that is renamed when it is whole */
bool scree_picture_write(const picture *p, const char *path, fail *why)
{
	char name[2048];
	snprintf(name, sizeof name, "%s.tmp", path);
	size_t count = (size_t)p->width * (size_t)p->height * 3;
	uint8_t *byte = scree_alloc(count, 1);
	for (size_t k = 0; k < count; ++k) {
		float x = p->pixel[k] * 255 + 0.5f;
		byte[k] = (uint8_t)(x < 0 ? 0 : x > 255 ? 255 : x);
	}
	png_image image;
	memset(&image, 0, sizeof image);
	image.version = PNG_IMAGE_VERSION;
	image.width = (png_uint_32)p->width;
	image.height = (png_uint_32)p->height;
	image.format = PNG_FORMAT_RGB;
	errno = 0;
	bool ok = png_image_write_to_file(&image, name, 0, byte, 0, NULL) != 0 && rename(name, path) == 0;
	scree_free(byte);
	if (ok) return true;
	scree_fail(why, FAIL_IO, "cannot write picture %s: %s", path, errno ? strerror(errno) : image.message);
	unlink(name);
	return false;
}
