// Cuts a list into consecutive parts, one for each rank, and brings the parts to rank 0.
#include "scenes/train/rank_share.h"

#include <stdint.h>

#include "scenes/sweep/mpi_link.h"

static int first_of(int rank, int count) { return (int)((int64_t)count * rank / link_count()); }

int rank_share_begin(int count) { return first_of(link_rank(), count); }

int rank_share_end(int count) { return first_of(link_rank() + 1, count); }

int rank_share_owner(int item, int count) {
  int rank = 0;
  while (item >= first_of(rank + 1, count))
    rank++;
  return rank;
}

void rank_share_bring(void *items, int count, size_t size) {
  for (int rank = 1; rank < link_count(); rank++) {
    const int begin = first_of(rank, count), end = first_of(rank + 1, count);
    link_bring(rank, (char *)items + (size_t)begin * size, (size_t)(end - begin) * size);
  }
}
