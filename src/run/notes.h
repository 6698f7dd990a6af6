/* notes.h: what a person should know of a scene before it runs: what is allowed, and weak,
 * and what its meshes are like. */
#ifndef SCREE_RUN_NOTES_H
#define SCREE_RUN_NOTES_H

#include "world.h"

/* Prints one line for each note; none for most scenes. */
void scree_notes_print(const scree_world *w);

#endif
