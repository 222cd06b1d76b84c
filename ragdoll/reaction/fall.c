// The state machine of falls: its transitions between upright, falling, lying and rising, and the times that they take.
#include "ragdoll/reaction/fall.h"

#include <math.h>

PARAM_TABLE(fall_params, FallDef, FALL_PARAMS, "fall", "How it falls and gets up; `prone` and `supine` name the clips.")

// After this many attempts in which the body could not follow its get-up clip it lies down first.
enum { MOST_TRIES = 3 };

static bool enter(FallMachine *machine, FallState state, FallReason reason) {
  machine->state = state;
  machine->reason = reason;
  machine->time = machine->still = machine->stuck = 0;
  return true;
}

static bool next(FallMachine *machine, const FallDef *def, const FallSense *sense) {
  bool on_ground = machine->loaded >= FALL_LOAD_TIME;
  bool caught = machine->loaded <= 0 && sense->at_ease && !sense->lost;
  switch (machine->state) {
  case FALL_UPRIGHT:
    if (sense->lost || on_ground)
      return enter(machine, FALL_FALLING, sense->lost ? FALL_LOST : FALL_GROUND);
    return false;
  case FALL_FALLING:
    if (caught)
      return enter(machine, FALL_UPRIGHT, FALL_CAUGHT);
    return on_ground && machine->still >= def->settle_time && enter(machine, FALL_LYING, FALL_SETTLED);
  case FALL_LYING:
    if (caught)
      return enter(machine, FALL_UPRIGHT, FALL_CAUGHT);
    if (!sense->can_rise || machine->time < def->rest || machine->still < def->rest)
      return false;
    machine->tries = 0;
    return enter(machine, FALL_RISING, FALL_RESTED);
  case FALL_RISING:
    if (sense->thrown)
      return enter(machine, FALL_FALLING, FALL_THROWN);
    if (machine->stuck >= def->patience)
      return enter(machine, ++machine->tries < MOST_TRIES ? FALL_RISING : FALL_FALLING, FALL_STUCK);
    return sense->risen && enter(machine, FALL_UPRIGHT, FALL_STANDING);
  }
  return false;
}

bool fall_step(FallMachine *machine, const FallDef *def, const FallSense *sense, double dt) {
  machine->time += dt;
  machine->loaded = fmax(0, fmin(machine->loaded + (sense->loaded ? dt : -dt), FALL_LOAD_TIME));
  machine->still = sense->speed < def->settle_speed ? machine->still + dt : 0;
  machine->stuck = sense->waits ? machine->stuck + dt : 0;
  return next(machine, def, sense);
}

void fall_state(FallMachine *machine, StateStream *stream) {
  STATE_CHOICE(stream, machine->state, FALL_RISING + 1);
  STATE_CHOICE(stream, machine->reason, FALL_STANDING + 1);
  STATE(stream, machine->time, machine->loaded, machine->still, machine->stuck, machine->tries);
}
