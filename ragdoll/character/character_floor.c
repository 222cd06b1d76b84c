// Finds out which parts of a body a clip brings to the ground.
#include "ragdoll/character/character_floor.h"

#include <float.h>
#include <math.h>

static const float TOUCHES = 0.03f; // m over the ground: a part that comes so low may touch it

// The lowest corner of the box around a part's shapes in a pose, m over the clip's ground.
static float lowest_corner(const PartDef *part, vec3s bind_m, vec3s position, versors rotation) {
  float lowest = FLT_MAX;
  for (int s = 0; s < part->shape_count; s++) {
    const ShapeDef *shape = &part->shapes[s];
    for (int corner = 0; corner < 8; corner++) {
      vec3s at;
      for (int axis = 0; axis < 3; axis++) {
        const double half = shape_half_size(shape, axis);
        at.raw[axis] = (float)(shape->center_m[axis] + (corner >> axis & 1 ? half : -half)) - bind_m.raw[axis];
      }
      lowest = fminf(lowest, position.y + glms_quat_rotatev(rotation, at).y);
    }
  }
  return lowest;
}

void character_floor_find(CharacterDef *def) {
  const BodyDef *body = def->body;
  const Clip *clip = def->move;
  Pose bind = pose_bind(&body->skeleton);
  ModelPose bind_m, model;
  pose_to_model(&body->skeleton, &bind, &bind_m);
  for (int i = 0; i < body->part_count; i++)
    def->on_floor[i] = false;
  for (int k = 0; clip && k < clip->key_count; k++) {
    pose_to_model(&body->skeleton, &clip->keys[k], &model);
    for (int i = 0; i < body->part_count; i++) {
      const versors turn = glms_quat_mul(model.rotation[i], glms_quat_conjugate(bind_m.rotation[i]));
      def->on_floor[i] |=
          !body->parts[i].foot && lowest_corner(&body->parts[i], bind_m.position[i], model.position[i], turn) < TOUCHES;
    }
  }
}

bool character_floor_goes(const CharacterDef *def) {
  for (int i = 0; i < def->body->part_count; i++)
    if (def->on_floor[i])
      return true;
  return false;
}
