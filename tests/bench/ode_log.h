// Every call by which a step controls ODE (motors, limits, forces, seeds), recorded with its exact arguments and
// replayed in another world: the motion of a full run without the code that computed it.
//
// The recorder stands between this code and ODE: it defines the functions itself, and the dynamic linker's next
// definition is ODE's. Include it in one source file of a program.
#ifndef STAGGER_TESTS_ODE_LOG_H
#define STAGGER_TESTS_ODE_LOG_H

#include <dlfcn.h>
#include <ode/ode.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum OdeCallKind {
  CALL_AMOTOR_PARAM,
  CALL_LMOTOR_PARAM,
  CALL_AMOTOR_ANGLE,
  CALL_AMOTOR_AXIS,
  CALL_FORCE, // its point is in the next entry
  CALL_POINT,
  CALL_SEED
} OdeCallKind;

enum { LOG_MAX_TARGETS = 4096 };

typedef struct OdeCall {
  short kind, target; // index of the joint or body in the log's targets
  int number;         // parameter, axis, or seed
  double value[3];
} OdeCall;

typedef struct OdeLog {
  OdeCall *calls;
  long count, capacity;
  long *first; // call of each step, and of the end
  int step_count;
} OdeLog;

// The joints and bodies of a world, in an order that is the same for equal scenes.
typedef struct OdeTargets {
  void *items[LOG_MAX_TARGETS];
  int count;
} OdeTargets;

static OdeLog *recording; // NULL: calls pass through
static const OdeTargets *recorded_targets;

static void record_call(OdeCallKind kind, const void *target, int number, double x, double y, double z) {
  if (recording->count == recording->capacity) {
    recording->capacity = recording->capacity ? 2 * recording->capacity : 1 << 16;
    recording->calls = realloc(recording->calls, (size_t)recording->capacity * sizeof *recording->calls);
    if (!recording->calls)
      abort();
  }
  short index = 0;
  while (target && index < recorded_targets->count && recorded_targets->items[index] != target)
    index++;
  if (index == recorded_targets->count) {
    fprintf(stderr, "a step steers a joint or body that the benchmark does not know\n");
    abort();
  }
  recording->calls[recording->count++] =
      (OdeCall){.kind = (short)kind, .target = index, .number = number, .value = {x, y, z}};
}

// ODE's own function of that name, looked up once.
#define ODE_FUNCTION(name, ...)                                                                                        \
  static void (*real)(__VA_ARGS__);                                                                                    \
  if (!real)                                                                                                           \
    *(void **)&real = dlsym(RTLD_NEXT, name);

void dJointSetAMotorParam(dJointID joint, int parameter, dReal value) {
  ODE_FUNCTION("dJointSetAMotorParam", dJointID, int, dReal)
  if (recording)
    record_call(CALL_AMOTOR_PARAM, joint, parameter, value, 0, 0);
  real(joint, parameter, value);
}

void dJointSetLMotorParam(dJointID joint, int parameter, dReal value) {
  ODE_FUNCTION("dJointSetLMotorParam", dJointID, int, dReal)
  if (recording)
    record_call(CALL_LMOTOR_PARAM, joint, parameter, value, 0, 0);
  real(joint, parameter, value);
}

void dJointSetAMotorAngle(dJointID joint, int axis, dReal angle) {
  ODE_FUNCTION("dJointSetAMotorAngle", dJointID, int, dReal)
  if (recording)
    record_call(CALL_AMOTOR_ANGLE, joint, axis, angle, 0, 0);
  real(joint, axis, angle);
}

void dJointSetAMotorAxis(dJointID joint, int axis, int fixed_in, dReal x, dReal y, dReal z) {
  ODE_FUNCTION("dJointSetAMotorAxis", dJointID, int, int, dReal, dReal, dReal)
  if (recording)
    record_call(CALL_AMOTOR_AXIS, joint, 4 * axis + fixed_in, x, y, z);
  real(joint, axis, fixed_in, x, y, z);
}

void dBodyAddForceAtPos(dBodyID body, dReal fx, dReal fy, dReal fz, dReal px, dReal py, dReal pz) {
  ODE_FUNCTION("dBodyAddForceAtPos", dBodyID, dReal, dReal, dReal, dReal, dReal, dReal)
  if (recording) {
    record_call(CALL_FORCE, body, 0, fx, fy, fz);
    record_call(CALL_POINT, NULL, 0, px, py, pz);
  }
  real(body, fx, fy, fz, px, py, pz);
}

void dRandSetSeed(unsigned long seed) {
  ODE_FUNCTION("dRandSetSeed", unsigned long)
  if (recording)
    record_call(CALL_SEED, NULL, 0, (double)seed, 0, 0); // 32 bits
  real(seed);
}

static void log_begin_step(OdeLog *log) { log->first[log->step_count++] = log->count; }

// Makes the calls of one step in another world with the same targets.
static void log_play(const OdeLog *log, const OdeTargets *targets, int step) {
  const OdeCall *end = &log->calls[log->first[step + 1]];
  for (const OdeCall *call = &log->calls[log->first[step]]; call < end; call++) {
    void *target = targets->items[call->target];
    const double *v = call->value;
    switch ((OdeCallKind)call->kind) {
    case CALL_AMOTOR_PARAM:
      dJointSetAMotorParam(target, call->number, v[0]);
      break;
    case CALL_LMOTOR_PARAM:
      dJointSetLMotorParam(target, call->number, v[0]);
      break;
    case CALL_AMOTOR_ANGLE:
      dJointSetAMotorAngle(target, call->number, v[0]);
      break;
    case CALL_AMOTOR_AXIS:
      dJointSetAMotorAxis(target, call->number / 4, call->number % 4, v[0], v[1], v[2]);
      break;
    case CALL_FORCE:
      dBodyAddForceAtPos(target, v[0], v[1], v[2], call[1].value[0], call[1].value[1], call[1].value[2]);
      break;
    case CALL_POINT:
      break;
    case CALL_SEED:
      dRandSetSeed((unsigned long)v[0]);
      break;
    }
  }
}

// To and from a file, for a second process.
static bool log_write(const OdeLog *log, const char *path) {
  FILE *file = fopen(path, "wb");
  if (!file)
    return false;
  size_t calls = (size_t)log->count, steps = (size_t)log->step_count + 1;
  bool good = fwrite(&calls, sizeof calls, 1, file) == 1 && fwrite(&steps, sizeof steps, 1, file) == 1 &&
              fwrite(log->calls, sizeof *log->calls, calls, file) == calls &&
              fwrite(log->first, sizeof *log->first, steps, file) == steps;
  return fclose(file) == 0 && good;
}

static bool log_read(OdeLog *log, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  size_t calls = 0, steps = 0;
  bool good = fread(&calls, sizeof calls, 1, file) == 1 && fread(&steps, sizeof steps, 1, file) == 1 && steps > 0;
  *log = (OdeLog){.count = (long)calls, .step_count = (int)steps - 1};
  log->calls = calloc(calls + 1, sizeof *log->calls);
  log->first = calloc(steps + 1, sizeof *log->first);
  good = good && log->calls && log->first && fread(log->calls, sizeof *log->calls, calls, file) == calls &&
         fread(log->first, sizeof *log->first, steps, file) == steps;
  fclose(file);
  return good;
}

static void log_free(OdeLog *log) {
  free(log->calls);
  free(log->first);
  *log = (OdeLog){0};
}

#endif
