// Messages between ranks, by MPI; without MPI there is one rank and no message.
#include "scenes/sweep/mpi_link.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool link_agree(const Error *mine, Error *all) {
  const int rank = link_rank(), first = link_min(mine->text[0] != '\0' ? rank : INT_MAX);
  if (first == INT_MAX)
    return true;
  struct {
    char host[64];
    Error error;
  } told = {.error = *mine};
  gethostname(told.host, sizeof told.host - 1);
  link_share(first, &told, sizeof told);
  if (first == 0)
    snprintf(all->text, sizeof all->text, "%s", told.error.text);
  else
    snprintf(all->text, sizeof all->text, "rank %d on %s: %s", first, told.host, told.error.text);
  all->unwritten = told.error.unwritten;
  return false;
}

#ifdef STAGGER_MPI
#include <mpi.h>

static bool started;

bool link_is_built(void) { return true; }

void link_start(void) {
  int provided; // only the main thread sends messages
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
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

void link_bring(int rank, void *bytes, size_t size) {
  enum { TAG = 100, MOST = 1 << 30 }; // bytes in a message: MPI counts by int
  const int own = link_rank();
  if (rank == 0 || size == 0 || (own != 0 && own != rank))
    return;
  for (size_t at = 0; at < size; at += MOST) {
    const int part = size - at < MOST ? (int)(size - at) : MOST;
    if (own == 0)
      MPI_Recv((char *)bytes + at, part, MPI_BYTE, rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Send((const char *)bytes + at, part, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
  }
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
void link_bring(int rank, void *bytes, size_t size) { (void)rank, (void)bytes, (void)size; }

#endif
