// The largest memory that `stagger` uses at a time, including its libraries' pages, in MB: when it only prints its help
// (the libraries' share), and for runs of scenes with and without a trace. Prints CSV.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char trace[] = "/tmp/stagger_bench_memory.h5";

typedef struct Case {
  const char *variant, *arguments[8];
} Case;

static const Case cases[] = {
    {"help", {"stagger", "--help"}},
    {"stand", {"stagger", "run", "stand", "--quiet", "--duration", "5"}},
    {"hit_assist", {"stagger", "run", "hit_assist", "--quiet", "--duration", "5"}},
    {"hit_assist_traced", {"stagger", "run", "hit_assist", "--quiet", "--duration", "5", "--trace", trace}},
};

// kB; negative: it could not be run.
static long peak_memory(const char *program, const Case *run) {
  char *arguments[9] = {NULL};
  memcpy(arguments, run->arguments, sizeof run->arguments);
  pid_t child = fork();
  if (child == 0) {
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execv(program, arguments);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) == 127)
    return -1;
  return usage.ru_maxrss;
}

// build/bench/stagger, from build/bench/tests/bench/bench_memory.
static void find_program(char *path, size_t size) {
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  path[length > 0 ? length : 0] = '\0';
  for (int i = 0; i < 3; i++) {
    char *slash = strrchr(path, '/');
    if (slash)
      *slash = '\0';
  }
  snprintf(path + strlen(path), size - strlen(path), "/stagger");
}

int main(void) {
  char program[4096];
  find_program(program, sizeof program);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const long peak = peak_memory(program, &cases[i]);
    if (peak < 0) {
      fprintf(stderr, "bench_memory: cannot run %s\n", program);
      return 1;
    }
    printf("memory,%s,MB,%.1f,%.1f,\n", cases[i].variant, (double)peak * 1024e-6, (double)peak * 1024e-6);
  }
  remove(trace);
  return 0;
}
