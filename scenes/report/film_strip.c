// Asks stagger-view for a picture of some moments, when it is installed and can draw, and embeds it.
#define _GNU_SOURCE // memrchr, environ

#include "scenes/report/film_strip.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/base/files.h"

static const char PROGRAM[] = "stagger-view";
static const int TIME_LIMIT = 60; // s

// The program beside this one, else its name, for a look along PATH.
static void find_program(char program[PATH_MAX]) {
  const ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - sizeof PROGRAM);
  char *slash = length > 0 ? memrchr(program, '/', (size_t)length) : NULL;
  if (slash)
    memcpy(slash + 1, PROGRAM, sizeof PROGRAM);
  if (!slash || access(program, X_OK) != 0)
    memcpy(program, PROGRAM, sizeof PROGRAM);
}

// Starts it without a terminal's input and output. Returns an errno.
static int start(const char *program, char *const arguments[], pid_t *process) {
  posix_spawn_file_actions_t actions;
  int cause = posix_spawn_file_actions_init(&actions);
  if (cause != 0)
    return cause;
  for (int stream = 0; stream < 3 && cause == 0; stream++)
    cause = posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", stream == 0 ? O_RDONLY : O_WRONLY, 0);
  if (cause == 0)
    cause = posix_spawnp(process, program, &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  return cause;
}

// Its exit status; -1 when it was ended by a signal or by the time limit.
static int wait_for(pid_t process) {
  const struct timespec pause = {0, 20000000};
  for (int looks = 0; looks < TIME_LIMIT * 50; looks++) {
    int status;
    const pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process)
      return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (ended < 0 && errno != EINTR)
      return -1;
    nanosleep(&pause, NULL);
  }
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
  return -1;
}

static char *read_picture(const char *path, size_t *size) {
  static const char SIGNATURE[] = "\x89PNG\r\n\x1a\n";
  FileSet files = {0};
  const File *file = files_read(&files, path, NULL);
  const bool is_png = file && file->size > 8 && memcmp(file->bytes, SIGNATURE, 8) == 0;
  char *bytes = is_png ? malloc(file->size) : NULL;
  if (bytes) {
    memcpy(bytes, file->bytes, file->size);
    *size = file->size;
  }
  files_free(&files);
  return bytes;
}

static char *draw(const char *trace, const char *character, double from, double to, char *path, size_t *size, char *why,
                  size_t why_size) {
  char program[PATH_MAX], first[32], last[32];
  find_program(program);
  snprintf(first, sizeof first, "%.6f", from);
  snprintf(last, sizeof last, "%.6f", to);
  // A name that begins with - must not be taken for an option.
  char *slashed = NULL;
  if (trace[0] != '/' && asprintf(&slashed, "./%s", trace) < 0)
    slashed = NULL;
  char *const arguments[] = {(char *)PROGRAM,
                             slashed ? slashed : (char *)trace,
                             "--offscreen",
                             "--sheet",
                             "4x2",
                             "--png",
                             path,
                             "--from",
                             first,
                             "--to",
                             last,
                             "--follow",
                             (char *)character,
                             NULL};
  pid_t process;
  const int cause = start(program, arguments, &process);
  const int status = cause == 0 ? wait_for(process) : -1;
  free(slashed);
  if (cause != 0)
    snprintf(why, why_size, "%s: %s", PROGRAM, strerror(cause));
  else if (status != 0)
    snprintf(why, why_size, "%s cannot draw here (it needs OpenGL 3.3)", PROGRAM);
  char *bytes = status == 0 ? read_picture(path, size) : NULL;
  if (status == 0 && !bytes)
    snprintf(why, why_size, "%s wrote no picture", PROGRAM);
  return bytes;
}

char *film_strip(const char *trace, const char *character, double from, double to, size_t *size, char *why,
                 size_t why_size) {
  const char *folder = getenv("TMPDIR");
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/stagger_report_XXXXXX.png", folder && folder[0] == '/' ? folder : "/tmp");
  const int descriptor = mkstemps(path, 4);
  if (descriptor < 0) {
    snprintf(why, why_size, "%s: %s", path, strerror(errno));
    return NULL;
  }
  close(descriptor);
  char *bytes = draw(trace, character, from, to, path, size, why, why_size);
  unlink(path);
  return bytes;
}
