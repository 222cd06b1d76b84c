// Poses of falling and getting up: the guarding pose, and the moment at which a get-up clip is entered from the pose of
// a lying body.
#ifndef STAGGER_RAGDOLL_REACTION_FALL_POSE_H
#define STAGGER_RAGDOLL_REACTION_FALL_POSE_H

#include "anim/clip.h"
#include "ragdoll/body/body_def.h"

// The clips that a character may get up by.
enum { GET_UP_PRONE, GET_UP_SUPINE, GET_UP_COUNT };

// The parts that matter in a fall.
typedef struct FallBody {
  const BodyDef *body;
  int chest, head;
  int arms[2], forearms[2]; // left, right
  double leg_length;        // m, hip over sole in the bind pose
} FallBody;

// By the names head, upper_arm_l, forearm_l, upper_arm_r, forearm_r. False: it has no arms, head or legs.
bool fall_body_find(FallBody *fall, const BodyDef *body);

// The guard of a body that falls: the arms reach toward the ground on the side it falls to, elbows slightly bent; the
// head, and a little the trunk, bend away from there, and face aside from a fall forward; backward it sits down into
// its knees. These are what people do who fall without warning (Hsiao and Robinovitch 1998, Common protective movements
// govern unexpected falls from standing height, J. Biomech. 31:1-9: most land on outstretched hands, hardly any on the
// head; squatting as in van den Kroonenberg, Hayes and McMahon 1996, J. Biomech. 29:807-811). The angles are our own.
// way_w: unit, level, where it falls to. pelvis_w, chest_w: how they are turned. pose: entry 0 stays as it is, the
// other joints are set, inside their ranges.
void fall_guard(const FallBody *fall, vec3s way_w, versors pelvis_w, versors chest_w, Pose *pose);

// The entry into a get-up clip.
typedef struct GetUpEntry {
  const Clip *clip;
  bool mirrored;
  float time; // s
  float cost; // rad: the mismatch
} GetUpEntry;

// The moment of the clips, as they are or mirrored, that is most like a pose on ground of a height (m): by the
// direction of up in pelvis and chest, which tells prone, supine and side, by the pelvis' height, and by the joints.
// Moments in which a foot stands already are left out. clips: of the body's skeleton.
GetUpEntry get_up_match(const FallBody *fall, const Clip *const clips[GET_UP_COUNT], const Pose *pose_w,
                        double ground_height);

// The entered clip at a time in s, in its root's frame.
void get_up_sample(const GetUpEntry *entry, float time, Pose *pose_m);

// Time at which the first foot stands in a clip, s; the clip's duration where none does.
float get_up_first_stand(const Clip *clip);

// A pose on the way from one to another, at a share 0..1 of it. The root goes the short way. Joints go straight from
// rotation vector to rotation vector, as their ranges are boxes of these: the way stays inside, where the short way
// would bring a raised arm down behind the back.
void fall_pose_between(const BodyDef *body, const Pose *from, const Pose *to, float share, Pose *out);

// The largest angle, rad, by which a joint or the root would turn if it kept its highest rate on that way throughout.
float fall_pose_distance(const BodyDef *body, const Pose *from, const Pose *to);

#endif
