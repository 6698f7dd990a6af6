/* patches_large.cl: patches.cl with larger limits. */
#define SCREE_LARGE_SOLIDS
#include "patches.cl"
