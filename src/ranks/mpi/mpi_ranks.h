/* mpi_ranks.h: ranks as MPI processes. Only this folder includes mpi.h. */
#ifndef SCREE_RANKS_MPI_MPI_RANKS_H
#define SCREE_RANKS_MPI_MPI_RANKS_H

#include "ranks/messages/transport.h"

extern const transport_row scree_transport_mpi;

/* Starts MPI if necessary. patience: longest wait for a message, in s. Returns false with an error message. */
bool scree_mpi_begin(channel *c, real patience, fail *why);
/* Ends MPI. After a failure (if the code is not 0), ends all processes with this exit code. */
void scree_mpi_end(channel *c, int code);

#endif
