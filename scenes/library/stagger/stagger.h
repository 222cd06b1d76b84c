// Stagger as a library: the whole public interface. The functions below open, step, strike, query, measure, record,
// save and restore scenes; the shared library exports these only, and they stay compatible.
//
//   StaggerError *error = NULL;
//   StaggerScene *scene = stagger_scene_open("stand_push", NULL, 0, &error);
//   if (!scene)
//     fprintf(stderr, "%s\n", stagger_error_text(error));
//   int man = stagger_character_index(scene, "man"), chest = stagger_part_index(scene, man, "chest");
//   stagger_scene_step(scene, 240);
//   stagger_apply_impulse(scene, man, chest, (double[]){0, 0, 10}, NULL, &error);
//
// Conventions. SI units, radians, y up, right-handed; "forward" of a character that faces heading 0 is +z. Rotations
// are unit quaternions x y z w. Characters and parts are indices that stay the same while a scene is open; part 0 is
// the pelvis (or the root of another body), the joint of a part attaches it to its parent, and a part comes after its
// parent. Texts are UTF-8. Paths are as for the program `stagger`: a scene's name is looked up among the shipped scenes
// if there is no such file.
//
// Errors. A function that takes `error` returns false, NULL or -1 when it fails, changes nothing then, and stores a new
// error there, which the caller frees. `error` may be NULL if the reason does not matter. Numbers that are not finite
// and indices that do not exist are errors, never a crash.
//
// Threads. A scene, a batch or a trace is used by one thread at a time; different ones may be used side by side, but
// record scenes and read traces in one thread only, since HDF5 need not be safe for several.
// Determinism. The same scene with the same overrides and the same calls at the same steps gives the same bits.
#ifndef STAGGER_STAGGER_H
#define STAGGER_STAGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define STAGGER_API __attribute__((visibility("default")))
#else
#define STAGGER_API
#endif

typedef struct StaggerScene StaggerScene;
typedef struct StaggerTrace StaggerTrace;
typedef struct StaggerError StaggerError;
typedef struct StaggerBatch StaggerBatch;

// "0.1.0". The version of the library that runs, not of this header.
STAGGER_API const char *stagger_version(void);

// ---- Errors ----

// One sentence: what is wrong and what is allowed, with file, line and column for errors in files; "" for NULL. The
// text lives as long as the error.
STAGGER_API const char *stagger_error_text(const StaggerError *error);
STAGGER_API void stagger_error_free(StaggerError *error);

// ---- Scenes ----

// Opens a scene file. overrides: `count` texts "KEY=VALUE" as for `stagger run --set`, applied in their order. The
// scene is at time 0. NULL and an error: no such file, a mistake in it or in an override.
STAGGER_API StaggerScene *stagger_scene_open(const char *path, const char *const *overrides, int count,
                                             StaggerError **error);

// The same from a scene's text (YAML). path: its name in errors; files named in the text are looked up in its folder
// first; it need not exist.
STAGGER_API StaggerScene *stagger_scene_parse(const char *text, const char *path, const char *const *overrides,
                                              int count, StaggerError **error);

// Frees the scene and its views and names. An unfinished recording is closed as interrupted.
STAGGER_API void stagger_scene_close(StaggerScene *scene);

// Restarts at time 0 with another seed (0 .. 2147483647); a seed of -1 keeps the present one. Parameters that were set
// stay, and those that need a reset take effect. Views stay at their place and show the new state. A recording ends as
// interrupted. On error the scene is as it was.
STAGGER_API bool stagger_scene_reset(StaggerScene *scene, int64_t seed, StaggerError **error);

// Makes up to `steps` physics steps, also beyond the scene's duration. Returns how many were made: fewer if the run was
// stopped, see stagger_scene_stop_reason, or is finished.
STAGGER_API int stagger_scene_step(StaggerScene *scene, int steps);

// Why the run stopped (a part too fast, a number not finite, a trace that cannot be written); "" if it did not.
STAGGER_API const char *stagger_scene_stop_reason(const StaggerScene *scene);

STAGGER_API double stagger_scene_time(const StaggerScene *scene);      // s simulated so far
STAGGER_API double stagger_scene_time_step(const StaggerScene *scene); // s, length of a physics step
STAGGER_API double stagger_scene_duration(const StaggerScene *scene);  // s, duration given in the scene's file
STAGGER_API int64_t stagger_scene_seed(const StaggerScene *scene);

// Sets a parameter by its path and YAML text ("characters.man.drive.strength", "0.5"), checked as in a file. Many take
// effect in the next step; the others (terrain, start, world.dt; see `live`, which may be NULL) at the next reset.
// Curves, clips and lists are no single parameters and cannot be set this way; give those as overrides.
STAGGER_API bool stagger_scene_set(StaggerScene *scene, const char *path, const char *value, bool *live,
                                   StaggerError **error);

// ---- Characters and their parts ----

STAGGER_API int stagger_character_count(const StaggerScene *scene);
STAGGER_API const char *stagger_character_name(const StaggerScene *scene, int character); // NULL: there is none
STAGGER_API int stagger_character_index(const StaggerScene *scene, const char *name);     // -1: there is none

STAGGER_API int stagger_part_count(const StaggerScene *scene, int character);                   // 0: no such character
STAGGER_API const char *stagger_part_name(const StaggerScene *scene, int character, int part);  // NULL: there is none
STAGGER_API int stagger_part_index(const StaggerScene *scene, int character, const char *name); // -1: there is none

// The joint of a part, and its drive at full strength with the scene's factors (`drive.strength` ...).
typedef struct StaggerJoint {
  int parent;                // the part to which it attaches
  bool turns[3];             // whether it turns about its axes x, y and z
  double lower[3], upper[3]; // rad, its range about each of these axes, from the bind pose; 0 where it does not turn
  double torque;             // N m, limit of its drive, as the norm over the axes
  double stiffness, damping; // N m/rad, N m s/rad
  double axes[3][3];     // its axes, unit vectors in the parent's frame: that frame's own unless the joint is turned
  double axis_torque[3]; // N m, limit of its drive about each axis, at most `torque`; 0 where it does not turn
  double armature[3];    // kg m^2, inertia of its rotors about each axis
} StaggerJoint;

// Errors: no such character or part; part 0, which has no joint.
STAGGER_API bool stagger_joint(const StaggerScene *scene, int character, int part, StaggerJoint *joint,
                               StaggerError **error);

// ---- Views: the state as arrays ----

typedef enum StaggerType { STAGGER_FLOAT32, STAGGER_FLOAT64, STAGGER_UINT8, STAGGER_INT32, STAGGER_UINT64 } StaggerType;

// An array that stays at its place until the scene is closed, and is updated at the end of each call that makes steps,
// resets or restores the scene: after several steps it has the values of the last, and
// where a scene stops within a call, those with which it stopped.
// Row-major; a scalar has 1 row and 1 column, a vector 1 row and n columns.
typedef struct StaggerView {
  const void *data;
  StaggerType type;
  int rows, columns;
  const char *unit, *description; // "m", "Centre of mass, world"
} StaggerView;

// The state of a character under its name in a trace, with the same values: "parts/position" [parts, 3],
// "parts/rotation" [parts, 4], "parts/linear_velocity", "parts/angular_velocity", "pose/target/rotation",
// "joints/torque", "joints/error", "feet/planted", "com/position", "assist/force" ...; and, in views alone,
// "joints/angle" and "joints/velocity" [joints, 3]: the rotation vector (rad) of a part relative to its parent, from
// its bind pose, and its relative angular velocity (rad/s), both in the parent's frame. Joints are counted from part 1
// on. Views cost some microseconds a call from the first one on. Errors: no such character, no such view.
STAGGER_API bool stagger_scene_view(StaggerScene *scene, int character, const char *name, StaggerView *view,
                                    StaggerError **error);

// The names of a character's views, from index 0 on; NULL beyond the last.
STAGGER_API const char *stagger_view_name(StaggerScene *scene, int character, int index);

// A contact of the last step. A character of -1 is the ground, or a body that belongs to no character.
typedef struct StaggerContact {
  int character, part;             // what was touched
  int other_character, other_part; // by what; both -1: the ground, a platform, a prop or a ball
  double position[3], normal[3];   // m, world; the normal points toward `part`
  double depth;                    // m, of the penetration
  double impulse[3];               // N s that `part` received in the step, world
} StaggerContact;

// Fills in at most `most` contacts of the last step (contacts may be NULL with 0) and returns how many there are.
STAGGER_API int stagger_scene_contacts(const StaggerScene *scene, StaggerContact *contacts, int most);

// ---- Actions of a character, and strikes on it ----

// A bullet: the whole impulse (N s, world) in the next step, at a point (m, world; NULL: the part's centre of mass). It
// counts as a hit, and is recorded. Errors: too many at once.
STAGGER_API bool stagger_apply_impulse(StaggerScene *scene, int character, int part, const double impulse[3],
                                       const double point[3], StaggerError **error);

// A push: the impulse (N s, world) evenly over `duration` (s, up to 60) from the next step on, at a point that moves
// with the part. Otherwise as stagger_apply_impulse.
STAGGER_API bool stagger_push(StaggerScene *scene, int character, int part, const double impulse[3],
                              const double point[3], double duration, StaggerError **error);

// The intent of the character from now on: m/s forward, m/s to its left, rad about up of the heading (0: +z). Values
// beyond the ranges of `intent` in a scene file are clamped. A script in the scene file may change it again.
STAGGER_API bool stagger_set_intent(StaggerScene *scene, int character, double speed, double strafe, double heading,
                                    StaggerError **error);

// A rotation vector (rad, parent's frame, at most pi long) that turns the target of a part's drive, from the next step
// on until it is set again: the residual of a controller. {0, 0, 0} removes it, bit for bit. part: from 1.
STAGGER_API bool stagger_set_joint_offset(StaggerScene *scene, int character, int part, const double offset[3],
                                          StaggerError **error);

// ---- Results of a run ----

// Closes the metrics, and the recording if there is one. The scene makes no more steps until it is reset or a state is
// restored. Metrics, hits and the outcome are available then. Error: the trace could not be written.
STAGGER_API bool stagger_scene_finish(StaggerScene *scene, StaggerError **error);

// A metric of a character by its name ("recovery_time"); NaN when it does not apply to the run. Errors: no such metric,
// the scene is not finished.
STAGGER_API bool stagger_metric(const StaggerScene *scene, int character, const char *name, double *value,
                                StaggerError **error);

// Names and units of all metrics, from index 0 on; NULL beyond the last. unit may be NULL.
STAGGER_API const char *stagger_metric_name(int index, const char **unit);

// The number of hits on the character, and a figure of one of them by its name in the JSON of `stagger run --metrics`
// ("impulse", "recovery_time"). Errors: no such hit or figure, the scene is not finished.
STAGGER_API int stagger_hit_count(const StaggerScene *scene, int character);
STAGGER_API bool stagger_hit_figure(const StaggerScene *scene, int character, int hit, const char *name, double *value,
                                    StaggerError **error);

// All results as JSON text, as `stagger run --metrics` writes it: metrics, hits, expectations and whether they hold.
// Free it with stagger_text_free. Error: the scene is not finished.
STAGGER_API char *stagger_scene_outcome(const StaggerScene *scene, StaggerError **error);
STAGGER_API void stagger_text_free(char *text);

// ---- Recording, and reading traces ----

// Records the run from now on into an HDF5 file, with the present state as the first frame, until stagger_scene_finish.
// An older trace of that name is replaced. Errors: an existing file that is no trace, a path that cannot be written, a
// recording in progress.
STAGGER_API bool stagger_scene_record(StaggerScene *scene, const char *path, StaggerError **error);

// Opens a trace for reading. NULL and an error: no trace, damaged, cut short.
STAGGER_API StaggerTrace *stagger_trace_open(const char *path, StaggerError **error);
STAGGER_API void stagger_trace_close(StaggerTrace *trace);
STAGGER_API int64_t stagger_trace_frame_count(const StaggerTrace *trace);

// An attribute of the trace as a whole ("scene_name", "seed", "dt", "status") as text, "" when there is none.
STAGGER_API const char *stagger_trace_attribute(StaggerTrace *trace, const char *name);

// The paths of its datasets ("/characters/man/com/position"), from index 0 on; NULL beyond the last.
STAGGER_API const char *stagger_trace_dataset(StaggerTrace *trace, int index);

// The shape of a dataset: rows, and values in a row; its type, unit and description in `view`, whose data is NULL. The
// texts stay until the next call. Error: no such dataset, or one without numbers.
STAGGER_API bool stagger_trace_shape(StaggerTrace *trace, const char *path, int64_t *rows, StaggerView *view,
                                     StaggerError **error);

// Reads rows [first, first + count) of a dataset as doubles: count times columns values.
STAGGER_API bool stagger_trace_read(StaggerTrace *trace, const char *path, int64_t first, int64_t count, double *values,
                                    StaggerError **error);

// ---- Saving and restoring ----

// Bytes that stagger_scene_save needs at present. The state of a scene is everything that its future depends on:
// restored into a scene of the same description and overrides, in this process or another one of the same build, the
// run continues with the same bits. It does not include recordings and views.
STAGGER_API size_t stagger_scene_state_size(const StaggerScene *scene);
STAGGER_API bool stagger_scene_save(const StaggerScene *scene, void *buffer, size_t size, StaggerError **error);

// A recording ends as interrupted. Parameters that were set since the scene was opened stay as they are. Errors: no
// state, damaged, of another scene, other overrides or another version; the scene is unchanged then. A state is checked
// against damage, not against malice: restore only states of trusted origin.
STAGGER_API bool stagger_scene_restore(StaggerScene *scene, const void *buffer, size_t size, StaggerError **error);

// ---- Batches: many copies of a scene, stepped by several threads ----

// Opens `copies` independent copies of a scene (1 to 65536), all with the scene's seed and at time 0; path, overrides
// and count as for stagger_scene_open. threads: 1 to 256 that share the work, the calling one included, and stay until
// the batch is closed; 0: one for each processor. No result depends on their number, to the bit. Errors: as for
// stagger_scene_open, a number out of its range, a thread that cannot be started.
STAGGER_API StaggerBatch *stagger_batch_open(const char *path, const char *const *overrides, int count, int copies,
                                             int threads, StaggerError **error);

// The same from a scene's text, as stagger_scene_parse.
STAGGER_API StaggerBatch *stagger_batch_parse(const char *text, const char *path, const char *const *overrides,
                                              int count, int copies, int threads, StaggerError **error);

// Frees the batch with all copies; NULL is allowed.
STAGGER_API void stagger_batch_close(StaggerBatch *batch);

STAGGER_API int stagger_batch_count(const StaggerBatch *batch);   // copies
STAGGER_API int stagger_batch_threads(const StaggerBatch *batch); // the calling one included

// A copy, for all functions of scenes but stagger_scene_close. It belongs to the batch and lives as long as that does;
// it must not be used while a function of the batch runs. A copy that records is stepped by the calling thread. NULL:
// there is no such copy.
STAGGER_API StaggerScene *stagger_batch_scene(StaggerBatch *batch, int copy);

// Makes up to `steps` physics steps of each copy. made: [copies], how many each made, see stagger_scene_step; may be
// NULL. Returns the number of copies that made all of them.
STAGGER_API int stagger_batch_step(StaggerBatch *batch, int steps, int *made);

// The same with a number of steps for each copy: steps: [copies]; 0 or less leaves a copy as it is.
STAGGER_API int stagger_batch_step_each(StaggerBatch *batch, const int *steps, int *made);

// Restarts all copies at time 0, see stagger_scene_reset. seeds: [copies]; NULL: each keeps its seed. Errors: a seed
// out of range, with nothing changed; what a scene's reset may fail of, with the other copies reset.
STAGGER_API bool stagger_batch_reset(StaggerBatch *batch, const int64_t *seeds, StaggerError **error);

// The same for some copies, so that their runs end at different times. copies: [count], their indices, each once;
// seeds: [count], or NULL. Errors: also an index that does not exist or is there twice, with nothing changed.
STAGGER_API bool stagger_batch_reset_some(StaggerBatch *batch, const int *copies, const int64_t *seeds, int count,
                                          StaggerError **error);

// Restores each copy, see stagger_scene_restore. states: pointers to saved states, sizes: their bytes; count: 1 for one
// state into all copies, or as many as there are copies. A state belongs to a seed: reset copies to the state's seed
// first if theirs is another. All states are checked before the first is restored. Errors: as for
// stagger_scene_restore.
STAGGER_API bool stagger_batch_restore(StaggerBatch *batch, const void *const *states, const size_t *sizes, int count,
                                       StaggerError **error);

// Sets the offsets of all joints of a character, see stagger_set_joint_offset. offsets: [count, parts, 3], rad; count:
// 1 for the same in all copies, or as many as there are copies. Row 0, of the part without a joint, is 0. Errors: no
// such character, another count, an offset that is too long or not finite.
STAGGER_API bool stagger_batch_set_joint_offsets(StaggerBatch *batch, int character, const double *offsets, int count,
                                                 StaggerError **error);

// Copies a view of all copies, see stagger_scene_view, into `values`: [copies, rows, columns] of the view's type. size:
// bytes there. Errors: no such character or view, another size.
STAGGER_API bool stagger_batch_gather(StaggerBatch *batch, int character, const char *view, void *values, size_t size,
                                      StaggerError **error);

// What stagger_batch_rollout does, and where it stores the results. The arrays are the caller's.
typedef struct StaggerRollout {
  int count;     // runs, N; 1 or more
  int moments;   // T; 1 or more
  int every;     // physics steps from one moment to the next; 1 or more
  int character; // whose joints are offset and whose views are stored

  const void *const *states; // states with which the runs begin; NULL: each copy continues, and N is their number
  const size_t *state_sizes; // their bytes
  int state_count;           // 1: the same for all runs; N; 0 without states

  const double *controls; // rad, [N or 1, T, parts, 3]: joint offsets, each held for `every` steps; NULL: as they are
  int control_count;      // 1: the same for all runs; N; 0 without controls

  const char *const *views;   // names of views
  void *const *outputs;       // for each view: [N, T, rows, columns] of its type, after the steps of each moment
  const size_t *output_sizes; // bytes of each output
  int view_count;             // 0 or more
  int *made;                  // [N]: steps that each run made; NULL: not wanted

  int save_every; // moments from one saved state to the next, a divisor of T: T for the end alone; 0: none is saved
  void **saved;   // [N, T / save_every]: states as of stagger_scene_save, see stagger_states_free
  size_t *saved_sizes; // the same shape: their bytes
} StaggerRollout;

// Frees states that a rollout saved, and sets them to NULL.
STAGGER_API void stagger_states_free(void **states, size_t count);

// Makes N runs of T * every steps by the copies: run i by copy i modulo their number, so that N may be larger. Controls
// are as in stagger_batch_set_joint_offsets and remain set at the end. If a run stops early (see
// stagger_scene_stop_reason), its last values are repeated. No state is left in `saved` on error. Errors, with nothing
// changed: a number out of its range, a
// size that is not that of the output, an offset that is too long or not finite, no such view or character, a state
// that does not fit.
STAGGER_API bool stagger_batch_rollout(StaggerBatch *batch, const StaggerRollout *rollout, StaggerError **error);

#ifdef __cplusplus
}
#endif

#endif
