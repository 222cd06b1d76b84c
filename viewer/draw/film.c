// Sends frames to ffmpeg through a socket, and gives the finished film its name.
#include "viewer/draw/film.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 48, ENCODER_LIST_SIZE = 1 << 16 };

struct Film {
  char *path, *temporary;
  size_t frame_size; // bytes
  pid_t encoder;
  int input;  // socket to its standard input
  FILE *said; // its messages, an unnamed file: a pipe could fill up and block both processes
};

// Arguments of ffmpeg for one encoder. Quality is set by a constant: 18 is nearly lossless for x264. The number of
// threads is fixed, since the output of x264 and vpx depends on it. A GIF gets a palette for every frame, so that
// ffmpeg need not store the whole film.
typedef struct Encoder {
  const char *name;
  const char *arguments[16];
} Encoder;

#define X264                                                                                                           \
  {                                                                                                                    \
    "libx264", { "-crf", "18", "-preset", "medium", "-pix_fmt", "yuv420p" }                                            \
  }
#define MPEG4                                                                                                          \
  {                                                                                                                    \
    "mpeg4", { "-q:v", "3", "-pix_fmt", "yuv420p" }                                                                    \
  }

static const struct {
  const char *ending, *format; // format: ffmpeg's name for it
  OutputKind output;
  Encoder encoders[2]; // the first one that this ffmpeg has is used
} kinds[FILM_KIND_COUNT] = {
    [FILM_MP4] = {".mp4", "mp4", OUTPUT_MP4, {X264, MPEG4}},
    [FILM_MKV] = {".mkv", "matroska", OUTPUT_MATROSKA, {X264, MPEG4}},
    [FILM_WEBM] = {".webm",
                   "webm",
                   OUTPUT_MATROSKA,
                   {{"libvpx-vp9", {"-crf", "24", "-b:v", "0", "-pix_fmt", "yuv420p"}},
                    {"libvpx", {"-crf", "8", "-b:v", "8M", "-pix_fmt", "yuv420p"}}}},
    [FILM_GIF] = {".gif",
                  "gif",
                  OUTPUT_GIF,
                  {{"gif",
                    {"-vf", "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1", "-loop", "0"}}}},
};

bool film_kind_from_path(const char *path, FilmKind *kind) {
  size_t length = strlen(path);
  for (int i = 0; i < FILM_KIND_COUNT; i++) {
    size_t ending = strlen(kinds[i].ending);
    if (length > ending && strcasecmp(path + length - ending, kinds[i].ending) == 0) {
      *kind = (FilmKind)i;
      return true;
    }
  }
  return false;
}

// ---- Running ffmpeg ----

// Starts ffmpeg. Its standard input is a socket, or none when input < 0; both its outputs go into a file. It has its
// own process group, so that a Ctrl-C on the terminal does not end it. Returns an errno.
static int start(char *const *arguments, int input, FILE *said, pid_t *process) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  if (input >= 0)
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  else
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, fileno(said), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, fileno(said), STDERR_FILENO);
  extern char **environ;
  int cause = posix_spawnp(process, arguments[0], &files, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return cause;
}

// Waits for its end. True when it succeeded.
static bool wait_for(pid_t process) {
  int status;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void read_text(FILE *file, char *text, size_t size) {
  rewind(file);
  text[fread(text, 1, size - 1, file)] = '\0';
}

static bool start_error(int cause, Error *error) {
  if (cause == ENOENT)
    return error_set(error, "a film needs the program ffmpeg (Debian: apt-get install ffmpeg); "
                            "--offscreen --png 'frame_%%04d.png' writes pictures without it");
  return error_set(error, "ffmpeg cannot be started: %s", strerror(cause));
}

// Appends ffmpeg's last line, which gives the cause, to the error.
static bool film_error(const Film *film, Error *error) {
  static char text[ENCODER_LIST_SIZE];
  read_text(film->said, text, sizeof text);
  size_t length = strlen(text);
  while (length > 0 && isspace((unsigned char)text[length - 1]))
    text[--length] = '\0';
  const char *line = strrchr(text, '\n');
  line = line ? line + 1 : text;
  error_set(error, "%s: ffmpeg has failed: %.400s", film->path, *line ? line : "it says nothing");
  return error_unwritten(error);
}

// The output of "-encoders" contains lines such as " V....D libx264   ...".
static bool has_encoder(const char *list, const char *name) {
  char word[64];
  snprintf(word, sizeof word, " %s ", name);
  return strstr(list, word) != NULL;
}

// The encoder of this ffmpeg for a kind; NULL and an error when there is none, or no ffmpeg.
static const Encoder *find_encoder(FilmKind kind, Error *error) {
  char *const arguments[] = {"ffmpeg", "-hide_banner", "-encoders", NULL};
  static char list[ENCODER_LIST_SIZE];
  FILE *said = tmpfile();
  if (!said) {
    error_set(error, "no temporary file for ffmpeg: %s", strerror(errno));
    return NULL;
  }
  pid_t process;
  int cause = start(arguments, -1, said, &process);
  bool done = cause == 0 && wait_for(process);
  read_text(said, list, sizeof list);
  fclose(said);
  if (cause != 0) {
    start_error(cause, error);
    return NULL;
  }
  for (int i = 0; i < 2 && done; i++)
    if (kinds[kind].encoders[i].name && has_encoder(list, kinds[kind].encoders[i].name))
      return &kinds[kind].encoders[i];
  error_set(error, "this ffmpeg has no encoder for %s films (%s)", kinds[kind].ending, kinds[kind].encoders[0].name);
  return NULL;
}

// ---- Making a film ----

static bool find_kind(const char *path, FilmKind *kind, Error *error) {
  return film_kind_from_path(path, kind) ||
         error_set(error, "%s: the name of a film ends with .mp4, .mkv, .webm or .gif", path);
}

bool film_check(const char *path, Error *error) {
  FilmKind kind = (FilmKind)0;
  return find_kind(path, &kind, error) && output_check(path, kinds[kind].output, error) && find_encoder(kind, error);
}

static bool start_encoder(Film *film, FilmKind kind, const Encoder *encoder, int width, int height, int fps,
                          Error *error) {
  char size[32], rate[16];
  snprintf(size, sizeof size, "%dx%d", width, height);
  snprintf(rate, sizeof rate, "%d", fps);
  const char *const input[] = {"ffmpeg",      "-hide_banner",
                               "-loglevel",   "error",
                               "-y",          "-f",
                               "rawvideo",    "-pix_fmt",
                               "rgb24",       "-s",
                               size,          "-r",
                               rate,          "-i",
                               "pipe:0",      "-threads",
                               "4",           "-map_metadata",
                               "-1",          "-fflags",
                               "+bitexact",   "-flags:v",
                               "+bitexact",   "-c:v",
                               encoder->name, NULL};
  const char *const output[] = {"-f", kinds[kind].format, film->temporary, NULL};
  static const char *const fast_start[] = {"-movflags", "+faststart", NULL};
  static const char *const nothing[] = {NULL};
  const char *const *const groups[] = {input, encoder->arguments, kind == FILM_MP4 ? fast_start : nothing, output};
  char *arguments[MAX_ARGUMENTS]; // exec does not change them
  int count = 0;
  for (int g = 0; g < 4; g++)
    for (const char *const *argument = groups[g]; *argument && count < MAX_ARGUMENTS - 1; argument++)
      arguments[count++] = (char *)*argument;
  arguments[count] = NULL;

  // A socket, because writing to it can be done without SIGPIPE when ffmpeg has ended.
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return start_error(errno, error);
  int cause = start(arguments, ends[1], film->said, &film->encoder);
  close(ends[1]);
  film->input = ends[0];
  if (cause != 0)
    film->encoder = 0;
  return cause == 0 || start_error(cause, error);
}

Film *film_open(const char *path, int width, int height, int fps, Error *error) {
  FilmKind kind = (FilmKind)0;
  if (!find_kind(path, &kind, error) || !output_check(path, kinds[kind].output, error))
    return NULL;
  const Encoder *encoder = find_encoder(kind, error);
  Film *film = encoder ? calloc(1, sizeof *film) : NULL;
  if (!film) {
    error_set(error, "%s: out of memory", path);
    return NULL;
  }
  film->frame_size = 3 * (size_t)width * (size_t)height;
  film->input = -1;
  film->path = strdup(path);
  film->said = tmpfile();
  bool ok = (film->path && film->said) || error_set(error, "%s: no memory or no temporary file for a film", path);
  film->temporary = ok ? output_temporary(path, error) : NULL;
  if (!film->temporary || !start_encoder(film, kind, encoder, width, height, fps, error)) {
    film_abort(film);
    return NULL;
  }
  return film;
}

bool film_add(Film *film, const uint8_t *pixels, Error *error) {
  for (size_t done = 0; done < film->frame_size;) {
    ssize_t sent = send(film->input, pixels + done, film->frame_size - done, MSG_NOSIGNAL);
    if (sent >= 0) {
      done += (size_t)sent;
    } else if (errno != EINTR) {
      kill(film->encoder, SIGTERM); // it has ended already, or does not read any more
      wait_for(film->encoder);
      film->encoder = 0;
      return film_error(film, error);
    }
  }
  return true;
}

static void film_free(Film *film) {
  if (film->input >= 0)
    close(film->input);
  if (film->said)
    fclose(film->said);
  free(film->temporary);
  free(film->path);
  free(film);
}

bool film_close(Film *film, Error *error) {
  close(film->input); // the end of the film
  film->input = -1;
  bool ok = film->encoder && wait_for(film->encoder);
  film->encoder = 0;
  if (ok) {
    ok = output_replace(film->temporary, film->path, error);
    film_free(film);
    return ok;
  }
  film_error(film, error);
  film_abort(film);
  return false;
}

void film_abort(Film *film) {
  if (!film)
    return;
  if (film->encoder) {
    kill(film->encoder, SIGKILL);
    wait_for(film->encoder);
  }
  if (film->temporary)
    unlink(film->temporary);
  film_free(film);
}
