/* triangle_choice.h: the method by which a run compares the triangles of two surfaces. */
#ifndef SCREE_MODEL_TRIANGLE_CHOICE_H
#define SCREE_MODEL_TRIANGLE_CHOICE_H

#include <stdint.h>

/* {0} is the default. */
typedef struct triangle_choice {
	int32_t way;	  /* enum triangle_way */
	int32_t batch;	  /* number of pairs that TRIANGLES_BATCHES tests together; 0 for TRIANGLES_AT_ONCE */
	int32_t in_float; /* 0, 1 */
} triangle_choice;

#endif
