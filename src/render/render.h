/* render.h: pictures of a world, by ray tracing on the CPU (Embree) or, for worlds in the plane, by outlines. No
 * display is needed. */
#ifndef SCREE_RENDER_RENDER_H
#define SCREE_RENDER_RENDER_H

#include "base/fail.h"
#include "format/plan.h"

struct scree_world;
struct scree_mark;

/* Whether this build can draw this world: pictures in space need Embree, pictures of dimension 2 do not. False with a
 * sentence. */
bool scree_render_possible(const struct scree_world *w, fail *why);
/* Draws the present state of the world into a file, by its ending an SVG, a PDF or else a PNG (written to a temporary
 * name, then renamed). */
bool scree_render_picture(const struct scree_world *w, const image_plan *plan, const char *title, const char *path,
						  fail *why);

/* The ranges of colours for all pictures of a run that begins in this state. */
void scree_render_scales(const struct scree_world *w, picture_scales *out);

/* Whether the picture shows contacts, so that they must have been found. */
bool scree_render_needs_contacts(const image_plan *plan);

/* A drawing of a program, such as a chart, by Cairo: draws the marks on a white page, and writes it as the ending of
 * the path says: .png, .svg or .pdf. */
bool scree_drawing_write(const char *path, int width, int height, int marks, const struct scree_mark *mark, fail *why);

#endif
