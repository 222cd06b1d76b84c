// Messages between the ranks of a sweep, by MPI; without MPI there is one rank and no message.
#include "scenes/sweep/mpi_link.h"

#include <stdlib.h>

#ifdef STAGGER_MPI
#include <mpi.h>

static bool started;

bool link_is_built(void) { return true; }

void link_start(void) {
  MPI_Init(NULL, NULL);
  started = true;
}

void link_end(void) {
  if (started)
    MPI_Finalize();
  started = false;
}

_Noreturn void link_abort(void) {
  if (started)
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  abort();
}

int link_rank(void) {
  int rank = 0;
  if (started)
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int link_count(void) {
  int count = 1;
  if (started)
    MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

void link_send(int rank, int tag, const void *bytes, size_t size) {
  MPI_Send(bytes, (int)size, MPI_BYTE, rank, tag, MPI_COMM_WORLD);
}

bool link_poll(void *bytes, size_t size, int *rank, int *tag) {
  int found = 0;
  MPI_Status status;
  if (started)
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
  if (!found)
    return false;
  MPI_Recv(bytes, (int)size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  *rank = status.MPI_SOURCE;
  *tag = status.MPI_TAG;
  return true;
}

void link_gather(int own, int *all) {
  all[0] = own;
  if (started)
    MPI_Gather(&own, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int link_min(int own) {
  int least = own;
  if (started)
    MPI_Allreduce(&own, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return least;
}

void link_share(int rank, void *bytes, size_t size) {
  if (started)
    MPI_Bcast(bytes, (int)size, MPI_BYTE, rank, MPI_COMM_WORLD);
}

#else

bool link_is_built(void) { return false; }
void link_start(void) {}
void link_end(void) {}
_Noreturn void link_abort(void) { abort(); }
int link_rank(void) { return 0; }
int link_count(void) { return 1; }
int link_min(int own) { return own; }
void link_gather(int own, int *all) { all[0] = own; }

void link_send(int rank, int tag, const void *bytes, size_t size) { (void)rank, (void)tag, (void)bytes, (void)size; }

bool link_poll(void *bytes, size_t size, int *rank, int *tag) {
  (void)bytes, (void)size, (void)rank, (void)tag;
  return false;
}

void link_share(int rank, void *bytes, size_t size) { (void)rank, (void)bytes, (void)size; }

#endif
