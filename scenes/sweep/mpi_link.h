// The part of MPI that sweeps and trainings use. In a build without MPI there is a single process, which sends no
// messages.
#ifndef STAGGER_SCENES_SWEEP_MPI_LINK_H
#define STAGGER_SCENES_SWEEP_MPI_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"

bool link_is_built(void); // built with MPI

// Before link_start there is one process; the other functions may be called before it, too.
void link_start(void);
void link_end(void);             // called by all ranks together
_Noreturn void link_abort(void); // ends all ranks at once

int link_rank(void);
int link_count(void);

// Messages between two ranks arrive in the order in which they were sent.
void link_send(int rank, int tag, const void *bytes, size_t size);
bool link_poll(void *bytes, size_t size, int *rank, int *tag); // takes a message if there is one, without waiting

// These are called by all ranks together.
void link_gather(int own, int *all);                 // all: [link_count()], written on rank 0
int link_min(int own);                               // minimum over all ranks
void link_share(int rank, void *bytes, size_t size); // copies that rank's bytes to all ranks
void link_bring(int rank, void *bytes, size_t size); // copies that rank's bytes to rank 0

// Called by all ranks together: true when none of them has an error. Otherwise `all` is set to that of the first rank
// with one, on all ranks.
bool link_agree(const Error *mine, Error *all);

#endif
