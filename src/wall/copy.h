/* copy.h: walls for another world. */
#ifndef SCREE_WALL_COPY_H
#define SCREE_WALL_COPY_H

#include "wall/walls.h"

/* A copy, with what is derived still to be derived. */
walls scree_walls_copy(const walls *s);

#endif
