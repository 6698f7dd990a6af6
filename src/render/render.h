/* render.h: pictures of a world without a display: rays on the CPU (Embree) or, in two dimensions, outlines. */
#ifndef SCREE_RENDER_RENDER_H
#define SCREE_RENDER_RENDER_H

#include "base/fail.h"
#include "format/plan.h"

struct scree_world;
struct scree_mark;

/* Tests whether this build can draw this world: pictures in three dimensions need Embree, pictures in two do not. */
bool scree_render_possible(const struct scree_world *w, fail *why);
/* Draws the present state into a file: SVG or PDF by the extension, otherwise PNG (first under a temporary name). */
bool scree_render_picture(const struct scree_world *w, const image_plan *plan, const char *title, const char *path,
						  fail *why);

/* The ranges of colours for all pictures of a run that starts from this state. */
void scree_render_scales(const struct scree_world *w, picture_scales *out);

/* Tests whether the picture shows contacts, which must be found before it is drawn. */
bool scree_render_needs_contacts(const image_plan *plan);

/* Draws a program's marks, such as a chart, on a white page, and writes a .png, .svg or .pdf by the path's ending. */
bool scree_drawing_write(const char *path, int width, int height, int marks, const struct scree_mark *mark, fail *why);

#endif
