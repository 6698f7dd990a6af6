/* drawing.h: drawings of programs, such as charts, by Cairo. */
#ifndef SCREE_RENDER_DRAWING_H
#define SCREE_RENDER_DRAWING_H

#include "base/fail.h"
#include "scree/files.h"

/* Draws the marks on a white page, and writes it as the ending of the path says: .png, .svg or .pdf. */
bool scree_drawing_write(const char *path, int width, int height, int marks, const scree_mark *mark, fail *why);

#endif
