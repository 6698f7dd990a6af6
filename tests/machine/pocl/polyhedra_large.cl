/* polyhedra_large.cl: polyhedra.cl with larger limits. */
#define SCREE_LARGE_SOLIDS
#include "polyhedra.cl"
