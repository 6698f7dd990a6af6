/* zoltan_none: replaces zoltan.c in builds without Zoltan (SCREE_ZOLTAN=OFF, or Zoltan was not found). */
#include "ranks/mpi/zoltan.h"

cut_fn *const scree_zoltan_cut = NULL;
