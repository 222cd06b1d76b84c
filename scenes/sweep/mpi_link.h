// The part of MPI that a sweep uses. Built without MPI there is one process, and nobody to talk to.
#ifndef STAGGER_SCENES_SWEEP_MPI_LINK_H
#define STAGGER_SCENES_SWEEP_MPI_LINK_H

#include <stdbool.h>
#include <stddef.h>

bool link_is_built(void); // with MPI

// Before link_start there is one process; all but link_start may be called then, too.
void link_start(void);
void link_end(void);             // called by all ranks together
_Noreturn void link_abort(void); // ends all ranks at once

int link_rank(void);
int link_count(void);

// Messages between two ranks; they arrive in the order in which they were sent.
void link_send(int rank, int tag, const void *bytes, size_t size);
bool link_poll(void *bytes, size_t size, int *rank, int *tag); // takes a message if there is one, without waiting

// Called by all ranks together.
void link_gather(int own, int *all);                 // all: [link_count()], of rank 0
int link_min(int own);                               // of all ranks
void link_share(int rank, void *bytes, size_t size); // that rank's bytes become everybody's

#endif
