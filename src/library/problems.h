/* problems.h: makes the problems that an open or a restore returns; private to src/library. */
#ifndef SCREE_LIBRARY_PROBLEMS_H
#define SCREE_LIBRARY_PROBLEMS_H

#include "library/internal.h"
#include "scene/scene.h"

#include <stdio.h>

/* Copies problems for the caller, if it wants them. */
void scree_problems_give(const scene_problems *from, scree_problems **to);
/* The same for a failure with a file; NULL: with none. */
void scree_problems_say(const char *file, const fail *why, scree_problems **to);

#endif
