// One moment, with blows from four sides: a man stands for a second, that moment is saved, and he is struck on the
// chest from it once from each side. The second after each blow is recorded, and read back from the file: how far his
// centre of mass moved, and how far his joints yielded. Prints a CSV. It uses the public interface alone.
#include <math.h>
#include <stagger/stagger.h>
#include <stdio.h>
#include <stdlib.h>

enum { SECOND = 240 };            // steps
static const double IMPULSE = 12; // N s

// All rows of a dataset, to be freed. NULL with an error.
static double *read_all(StaggerTrace *trace, const char *path, int64_t *rows, int *columns, StaggerError **error) {
  StaggerView view;
  if (!stagger_trace_shape(trace, path, rows, &view, error))
    return NULL;
  *columns = view.rows * view.columns;
  double *values = calloc((size_t)*rows * (size_t)*columns + 1, sizeof *values);
  if (values && stagger_trace_read(trace, path, 0, *rows, values, error))
    return values;
  free(values);
  return NULL;
}

// The results of one blow: m by which the centre of mass moved away from its start, rad of the largest joint error.
static bool measure(const char *file, double *moved, double *error_most, StaggerError **error) {
  StaggerTrace *trace = stagger_trace_open(file, error);
  int64_t frames = 0;
  int columns = 0;
  double *com = trace ? read_all(trace, "/characters/man/com/position", &frames, &columns, error) : NULL;
  *moved = *error_most = 0;
  for (int64_t i = 0; com && i < frames; i++)
    *moved = fmax(*moved, hypot(com[3 * i] - com[0], com[3 * i + 2] - com[2]));
  double *errors = com ? read_all(trace, "/characters/man/joints/error", &frames, &columns, error) : NULL;
  for (int64_t i = 0; errors && i < frames * columns; i++)
    *error_most = fmax(*error_most, errors[i]);
  bool good = errors != NULL;
  free(com);
  free(errors);
  stagger_trace_close(trace);
  return good;
}

static bool strike(StaggerScene *scene, const char *file, double side, StaggerError **error) {
  const int man = stagger_character_index(scene, "man"), chest = stagger_part_index(scene, man, "chest");
  const double impulse[3] = {IMPULSE * sin(side), 0, IMPULSE * cos(side)};
  double moved, most;
  if (!stagger_scene_record(scene, file, error) || !stagger_apply_impulse(scene, man, chest, impulse, NULL, error))
    return false;
  stagger_scene_step(scene, SECOND);
  if (!stagger_scene_finish(scene, error) || !measure(file, &moved, &most, error))
    return false;
  printf("%.0f,%.4f,%.3f\n", side * 180 / 3.14159265358979, moved, most);
  return true;
}

int main(int argc, char **argv) {
  const char *file = argc > 1 ? argv[1] : "strike.h5";
  const char *const overrides[] = {"events=[]", "expect=[]"};
  StaggerError *error = NULL;
  StaggerScene *scene = stagger_scene_open("stand_push", overrides, 2, &error);
  size_t size = 0;
  void *moment = NULL;
  bool good = scene != NULL;
  if (good) {
    stagger_scene_step(scene, SECOND);
    size = stagger_scene_state_size(scene);
    moment = malloc(size + 1);
    good = size > 0 && moment && stagger_scene_save(scene, moment, size, &error);
    printf("direction (deg),com moved (m),largest joint error (rad)\n");
  }
  for (int i = 0; i < 4 && good; i++)
    good = stagger_scene_restore(scene, moment, size, &error) && strike(scene, file, i * 1.570796326794897, &error);
  if (!good)
    fprintf(stderr, "%s\n", stagger_error_text(error));
  free(moment);
  stagger_error_free(error);
  stagger_scene_close(scene);
  return good ? 0 : 1;
}
