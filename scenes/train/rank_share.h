// How the environments of a training, or the trials of a test, are shared out among the ranks of an MPI job: each rank
// has consecutive ones, as its own. Without MPI there is one rank, and all are its own.
#ifndef STAGGER_SCENES_TRAIN_RANK_SHARE_H
#define STAGGER_SCENES_TRAIN_RANK_SHARE_H

#include <stddef.h>

// Of `count` items this rank has begin .. end - 1.
int rank_share_begin(int count);
int rank_share_end(int count);

int rank_share_owner(int item, int count); // the rank that has this item

// Called by all ranks together: rank 0 gets the own items of all others. size: bytes of an item.
void rank_share_bring(void *items, int count, size_t size);

#endif
