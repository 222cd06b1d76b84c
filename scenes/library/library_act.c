// The public interface's actions: what a program makes a character do, and the strikes on it.
#include <math.h>
#include <string.h>

#include "scenes/library/library_internal.h"
#include "scenes/run/poke.h"
#include "sim/base/numbers.h"
#include "sim/world/world_body.h"

// The point at which a strike meets a part: given, or its centre of mass.
static bool find_target(const StaggerScene *scene, int character, int part, const double impulse[3],
                        const double point[3], WorldHit *hit, StaggerError **error) {
  const Character *struck = library_part(scene, character, part, error);
  if (!struck)
    return false;
  if (scene->finished)
    return library_error(error, "the scene is finished: reset it first");
  if (!finite3(impulse) || (point && !finite3(point)))
    return library_error(error, "an impulse and its point are finite numbers");
  *hit = (WorldHit){.body = struck->ragdoll->body[part]};
  memcpy(hit->point, point ? point : world_body_position(scene->scene->world, hit->body), sizeof hit->point);
  return true;
}

static bool struck(bool good, StaggerError **error) {
  return good || library_error(error, "too many bullets and pushes at once: there can be %d", EVENTS_MAX_ACTIVE);
}

bool stagger_apply_impulse(StaggerScene *scene, int character, int part, const double impulse[3], const double point[3],
                           StaggerError **error) {
  WorldHit hit;
  if (!find_target(scene, character, part, impulse, point, &hit, error))
    return false;
  const double size = length3(impulse), direction[3] = {impulse[0] / size, impulse[1] / size, impulse[2] / size};
  const Poke poke = {.def.impulse = size};
  return size == 0 || struck(poke_shoot(&poke, scene->scene, &hit, direction, NULL, 0), error);
}

bool stagger_push(StaggerScene *scene, int character, int part, const double impulse[3], const double point[3],
                  double duration, StaggerError **error) {
  WorldHit hit;
  if (!(duration > 0 && duration <= 60))
    return library_error(error, "a push lasts up to 60 s, not %g s", duration);
  if (!find_target(scene, character, part, impulse, point, &hit, error))
    return false;
  const double size = length3(impulse), direction[3] = {impulse[0] / size, impulse[1] / size, impulse[2] / size};
  const Poke poke = {.def.push_force = size / duration, .def.push_time = duration};
  return size == 0 || struck(poke_push(&poke, scene->scene, &hit, direction, NULL, 0), error);
}

bool stagger_set_intent(StaggerScene *scene, int character, double speed, double strafe, double heading,
                        StaggerError **error) {
  Character *owner = library_character(scene, character, error);
  if (!owner)
    return false;
  if (!isfinite(speed) || !isfinite(strafe) || !isfinite(heading))
    return library_error(error, "an intent is finite numbers");
  owner->intent.speed = speed;
  owner->intent.strafe = strafe;
  owner->intent.heading = heading / RAD_PER_DEGREE;
  intent_check(&owner->intent);
  return true;
}

bool stagger_set_joint_offset(StaggerScene *scene, int character, int part, const double offset[3],
                              StaggerError **error) {
  Character *owner = library_part(scene, character, part, error);
  if (!owner)
    return false;
  if (part == 0)
    return library_error(error, "part 0 of %s has no joint", owner->def->name);
  if (!(length3(offset) <= M_PI)) // also when it is not a number
    return library_error(error, "an offset of a joint is a rotation vector of at most pi rad");
  character_set_joint_offset(owner, part, vec3_from_doubles(offset));
  return true;
}
