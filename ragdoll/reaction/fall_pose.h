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
  int hands[2];             // -1: it has none
  double leg_length;        // m, hip over sole in the bind pose
  double arm_length;        // m, from the shoulder to the wrist or, without a hand, the elbow
} FallBody;

// By the names head, upper_arm_l, forearm_l, upper_arm_r, forearm_r. False: it has no arms, head or legs.
bool fall_body_find(FallBody *fall, const BodyDef *body);

// What the guard goes by.
typedef struct FallView {
  const Pose *pose_w;     // the body
  vec3s way_w;            // unit, level: where it falls to
  vec3s chest_velocity_w; // m/s
  double ground_height;   // m, under it
} FallView;

// The guard of a body that falls: the arms reach for the ground where the shoulders will come down, elbows slightly
// bent; the head, and a little the trunk, bend away from there: backward the chin goes to the chest, forward the face
// turns aside, and sideways the trunk turns to the ground, so that both hands get there. Hips and knees bend, never
// less than they do already: backward it sits down, forward the knees give way, sideways the near leg most. These are
// what people do who fall without warning (Hsiao and Robinovitch 1998, Common protective movements govern unexpected
// falls from standing height, J. Biomech. 31:1-9: most land on outstretched hands, hardly any on the head; squatting as
// in van den Kroonenberg, Hayes and McMahon 1996, J. Biomech. 29:807-811). The angles are our own. pose: entry 0 stays
// as it is, the other joints are set, inside their ranges.
void fall_guard(const FallBody *fall, const FallView *view, Pose *pose);

// Moves the joints of a pose toward another in h seconds, at most at a rate each (rad/s), straight from rotation vector
// to rotation vector and slower as they come near. Entry 0 stays.
void fall_pose_approach(const BodyDef *body, const Pose *goal, const double rates[], double h, Pose *pose);

// Moves the joints of a pose to how the body lies in h seconds, with a time constant, s: what muscles hold up that let
// go. The knees of who lies on his belly do not stay bent, but bring the shins down. head_up: the neck stays as it is.
void fall_pose_yield(const FallBody *fall, const Pose *is_w, double h, double time, bool head_up, Pose *pose);

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
