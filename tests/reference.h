/* reference.h: the tables of docs/scene.md, generated from the table of keys. */
#ifndef SCREE_TESTS_REFERENCE_H
#define SCREE_TESTS_REFERENCE_H

char *scene_reference(void); /* the caller frees the text with scree_free */

#endif
