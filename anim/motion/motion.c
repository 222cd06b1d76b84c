// The public functions of motion import. A file is read in a child process with limits on time and memory: assimp is
// large and crashes on some broken files, and such a crash must result in an error message only.
#define _GNU_SOURCE // pipe2

#include "anim/motion/motion.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "anim/motion/motion_internal.h"
#include "sim/base/wall_clock.h"

enum { CHILD_SECONDS = 10 };                        // time limit, s, plus one second for every MB of the file
static const size_t CHILD_MEMORY = (size_t)1 << 30; // limit in bytes beyond the program's present use, plus 16 bytes
                                                    // for each byte of the file

// The sanitizers reserve terabytes of address space, so a memory limit cannot be set; their reports must be seen.
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED true
#elif defined(__has_feature)
#define IS_SANITIZED __has_feature(address_sanitizer)
#else
#define IS_SANITIZED false
#endif

Motion *motion_read_here(const File *file, const MotionOptions *options, Error *error) {
  MotionSource source = {.wants_skin = options->skin, .wants_mesh = options->mesh};
  Motion *motion = motion_has_ending(file->name, ".json") ? motion_from_deepmimic(file, &source, error)
                   : motion_has_ending(file->name, ".npz")
                       ? motion_from_amass(file, &source, error)
                       : motion_from_assimp(file, options->animation, &source, error);
  if (!motion)
    return NULL;
  motion_drop_rest_frame(motion);
  motion_to_our_frame(motion, options, &source);
  for (size_t i = 0, count = (size_t)motion->frame_count * (size_t)motion->joint_count; i < count; i++) {
    const vec3s p = motion->position_l[i];
    if (!(fabsf(p.x) < 1e6f && fabsf(p.y) < 1e6f && fabsf(p.z) < 1e6f)) {
      error_at(error, file->name, 0, 0, "joint '%s' is %s away from its parent in frame %zu, allowed: 1000 km",
               motion->joints[i % (size_t)motion->joint_count].name, isfinite(p.x + p.y + p.z) ? "too far" : "nan",
               i / (size_t)motion->joint_count + 1);
      motion_free(motion);
      return NULL;
    }
  }
  return motion;
}

// ---- The child and what it sends: an Error; without one a count, and the names or the motion with its arrays ----

typedef struct Request {
  const File *file;
  const MotionOptions *options; // NULL: only list the animations
  char (*names)[MOTION_NAME_SIZE];
  int most;
} Request;

static void send_bytes(int pipe_end, const void *bytes, size_t size) {
  for (const char *at = bytes; size > 0;) {
    ssize_t written = write(pipe_end, at, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      _exit(1);
    at += written;
    size -= (size_t)written;
  }
}

static void limit_child(const File *file) {
  if (IS_SANITIZED)
    return;
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC); // output of a crashing library is discarded
  if (nothing >= 0) {
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
  }
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  size_t data_pages = 0;
  FILE *stream = fopen("/proc/self/statm", "r");
  if (stream) {
    if (fscanf(stream, "%*s %*s %*s %*s %*s %zu", &data_pages) != 1)
      data_pages = 0;
    fclose(stream);
  }
  const rlim_t limit = data_pages * (size_t)sysconf(_SC_PAGESIZE) + CHILD_MEMORY + 16 * file->size;
  setrlimit(RLIMIT_DATA, &(struct rlimit){limit, limit});
}

static _Noreturn void run_child(const Request *request, int pipe_end) {
  signal(SIGPIPE, SIG_IGN);
  limit_child(request->file);
  Error error = {0};
  if (!request->options) {
    int count = motion_list_here(request->file, request->names, request->most, &error);
    send_bytes(pipe_end, &error, sizeof error);
    send_bytes(pipe_end, &count, sizeof count);
    send_bytes(pipe_end, request->names, (size_t)(count > 0 ? count : 0) * MOTION_NAME_SIZE);
    _exit(0);
  }
  const Motion *motion = motion_read_here(request->file, request->options, &error);
  send_bytes(pipe_end, &error, sizeof error);
  if (motion) {
    const size_t samples = (size_t)motion->frame_count * (size_t)motion->joint_count;
    send_bytes(pipe_end, motion, sizeof *motion);
    send_bytes(pipe_end, motion->joints, (size_t)motion->joint_count * sizeof *motion->joints);
    send_bytes(pipe_end, motion->position_l, samples * sizeof *motion->position_l);
    send_bytes(pipe_end, motion->rotation_l, samples * sizeof *motion->rotation_l);
    send_bytes(pipe_end, motion->vertices, (size_t)motion->vertex_count * sizeof *motion->vertices);
    send_bytes(pipe_end, motion->mesh_vertices, (size_t)motion->mesh_vertex_count * sizeof *motion->mesh_vertices);
    send_bytes(pipe_end, motion->triangles, (size_t)motion->triangle_count * sizeof *motion->triangles);
  }
  _exit(0);
}

typedef struct Child {
  pid_t pid;
  int pipe_end;
  double deadline; // s
  bool is_late;
} Child;

static bool receive(Child *child, void *bytes, size_t size) {
  for (char *at = bytes; size > 0;) {
    const double left = child->deadline - wall_seconds();
    struct pollfd poll_end = {.fd = child->pipe_end, .events = POLLIN};
    int ready = left > 0 ? poll(&poll_end, 1, (int)(left * 1000) + 1) : 0;
    if (ready == 0)
      child->is_late = true;
    ssize_t got = ready > 0 ? read(child->pipe_end, at, size) : -1;
    if ((ready < 0 || (ready > 0 && got < 0)) && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    size -= (size_t)got;
  }
  return true;
}

// Whether all indices of the mesh are in range.
static bool mesh_is_whole(const Motion *motion) {
  bool good = true;
  for (int v = 0; v < motion->mesh_vertex_count; v++)
    for (int k = 0; k < MOTION_MESH_JOINTS; k++)
      good = good && motion->mesh_vertices[v].joint[k] >= 0 && motion->mesh_vertices[v].joint[k] < motion->joint_count;
  for (int t = 0; t < motion->triangle_count; t++)
    for (int k = 0; k < 3; k++)
      good = good && motion->triangles[t][k] < (unsigned)motion->mesh_vertex_count;
  return good;
}

bool motion_fits(double frames, int joints) {
  return joints >= 1 && joints <= MOTION_MAX_JOINTS && frames >= 1 && frames <= MOTION_MAX_FRAMES &&
         frames * joints <= MOTION_MAX_SAMPLES;
}

static Motion *receive_motion(Child *child) {
  Motion *motion = malloc(sizeof *motion);
  if (!motion || !receive(child, motion, sizeof *motion)) {
    free(motion);
    return NULL;
  }
  // The child may have been corrupted, so what it sends is checked before memory is allocated for it.
  const int joint_count = motion->joint_count, frame_count = motion->frame_count;
  if (!motion_fits(frame_count, joint_count) || motion->vertex_count < 0 ||
      motion->vertex_count > MOTION_MAX_VERTICES || motion->mesh_vertex_count < 0 ||
      motion->mesh_vertex_count > MOTION_MAX_VERTICES || motion->triangle_count < 0 ||
      motion->triangle_count > MOTION_MAX_TRIANGLES) {
    free(motion);
    return NULL;
  }
  const size_t joints = (size_t)joint_count, samples = (size_t)frame_count * joints;
  motion->joints = calloc(joints, sizeof *motion->joints);
  motion->position_l = calloc(samples, sizeof *motion->position_l);
  motion->rotation_l = calloc(samples, sizeof *motion->rotation_l);
  motion->vertices = calloc((size_t)motion->vertex_count + 1, sizeof *motion->vertices);
  motion->mesh_vertices = calloc((size_t)motion->mesh_vertex_count + 1, sizeof *motion->mesh_vertices);
  motion->triangles = calloc((size_t)motion->triangle_count + 1, sizeof *motion->triangles);
  if (!motion->joints || !motion->position_l || !motion->rotation_l || !motion->vertices || !motion->mesh_vertices ||
      !motion->triangles || !receive(child, motion->joints, joints * sizeof *motion->joints) ||
      !receive(child, motion->position_l, samples * sizeof *motion->position_l) ||
      !receive(child, motion->rotation_l, samples * sizeof *motion->rotation_l) ||
      !receive(child, motion->vertices, (size_t)motion->vertex_count * sizeof *motion->vertices) ||
      !receive(child, motion->mesh_vertices, (size_t)motion->mesh_vertex_count * sizeof *motion->mesh_vertices) ||
      !receive(child, motion->triangles, (size_t)motion->triangle_count * sizeof *motion->triangles) ||
      !mesh_is_whole(motion)) {
    motion_free(motion);
    return NULL;
  }
  return motion;
}

static bool start_child(Child *child, const Request *request, Error *error) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return error_at(error, request->file->name, 0, 0, "no pipe for reading it: %s", strerror(errno));
  child->pid = fork();
  if (child->pid == 0) {
    close(ends[0]);
    run_child(request, ends[1]);
  }
  const int cause = errno;
  close(ends[1]);
  if (child->pid < 0) {
    close(ends[0]);
    return error_at(error, request->file->name, 0, 0, "no process for reading it: %s", strerror(cause));
  }
  child->pipe_end = ends[0];
  child->deadline = wall_seconds() + CHILD_SECONDS + (double)request->file->size / 1e6;
  return true;
}

static void end_child(Child *child, bool is_whole, const File *file, Error *error) {
  close(child->pipe_end);
  if (!is_whole)
    kill(child->pid, SIGKILL); // at the timeout; if the child has ended already the signal has no effect
  int status = 0;
  while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  if (is_whole || error->text[0] != '\0')
    return;
  if (child->is_late)
    error_at(error, file->name, 0, 0, "reading takes too long (over %d s), the file is broken or too large",
             CHILD_SECONDS + (int)((double)file->size / 1e6));
  else
    error_at(error, file->name, 0, 0, "broken file: the reading library crashed on it or ran out of memory");
}

static bool check_name(const File *file, Error *error) {
  if (!motion_is_known(file->name))
    return error_at(error, file->name, 0, 0, "is no motion file by its ending, allowed are %s", MOTION_ENDINGS);
  if (file->size == 0)
    return error_at(error, file->name, 0, 0, "the file is empty");
  return true;
}

Motion *motion_read(const File *file, const MotionOptions *options, Error *error) {
  Error cause = {0};
  Child child = {0};
  Motion *motion = NULL;
  const MotionOptions defaults = motion_options_default();
  const Request request = {.file = file, .options = options ? options : &defaults};
  if (check_name(file, &cause) && start_child(&child, &request, &cause)) {
    if (receive(&child, &cause, sizeof cause) && cause.text[0] == '\0')
      motion = receive_motion(&child);
    end_child(&child, motion != NULL, file, &cause);
  }
  if (!motion)
    error_set(error, "%s", cause.text);
  return motion;
}

int motion_list(const File *file, char (*names)[MOTION_NAME_SIZE], int most, Error *error) {
  Error cause = {0};
  Child child = {0};
  int count = -1;
  const Request request = {.file = file, .names = names, .most = most};
  if (check_name(file, &cause) && start_child(&child, &request, &cause)) {
    const bool is_whole = receive(&child, &cause, sizeof cause) && cause.text[0] == '\0' &&
                          receive(&child, &count, sizeof count) && count >= 0 && count <= most &&
                          receive(&child, names, (size_t)count * MOTION_NAME_SIZE);
    end_child(&child, is_whole, file, &cause);
    if (!is_whole)
      count = -1;
  }
  if (count < 0)
    error_set(error, "%s", cause.text);
  return count;
}
