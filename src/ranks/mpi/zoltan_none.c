/* zoltan_none: replaces zoltan.c in a build without Zoltan (SCREE_ZOLTAN=OFF, or it was not found). */
#include "ranks/mpi/zoltan.h"

cut_fn *const scree_zoltan_cut = NULL;
