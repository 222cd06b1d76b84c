// Parts of the balance controller, see balance.h. Only for balance*.c.
#ifndef STAGGER_RAGDOLL_BALANCE_BALANCE_INTERNAL_H
#define STAGGER_RAGDOLL_BALANCE_BALANCE_INTERNAL_H

#include "ragdoll/balance/balance.h"

// Goal of a foot, world.
typedef struct BalanceFootGoal {
  double ankle[3], yaw; // m, rad
  versors sole;
} BalanceFootGoal;

// Shared input and output of the functions of one step.
typedef struct BalanceStep {
  Balancer *balance;
  const Ragdoll *ragdoll;
  const Ground *ground;
  double h;
  bool muscles_are_slow;
  JointGoal *goals;
  // Goals of the pelvis and the feet.
  versors pelvis;
  double pelvis_yaw;   // rad, of the pelvis
  double sine, cosine; // of pelvis_yaw, in standing
  Plane2 hips;         // goal of the middle between the hips; its height is Balancer.hip_height
  BalanceFootGoal feet[BALANCE_LEGS];
} BalanceStep;

// balance_body.c: dimensions of the ragdoll's body. Returns false with an error if its legs are not what the controller
// can stand on.
bool balance_init_body(BalanceBody *built, const Ragdoll *ragdoll, Error *error);
// Centre of mass of a pose relative to the middle of the soles, m ahead and to the left in the pose's frame.
Plane2 balance_pose_shift(const BalanceBody *body, const Ragdoll *ragdoll, const Pose *pose_m);

// balance_ground.c: height of the ground at a place, looked for downward from a height, m; `otherwise` where there is
// none.
double balance_ground(const Ground *ground, Plane2 place, double from, double otherwise);
// The ground under the sole of a leg whose ankle is there: its plane's height under the ankle, and its normal.
double balance_foot_ground(const Ground *ground, const BalanceLeg *leg, Plane2 ankle, double from, double yaw,
                           double normal[3]);
// Whether a sole there, m, stands across an edge: a step of the ground that no turn of the foot follows.
bool balance_on_edge(const Ground *ground, const BalanceLeg *leg, Plane2 sole, double from, double yaw, double margin);
// Whether a sole there stands level on one side of an edge, below which at most a part of its heel or toes sticks out:
// that part, m, and the ground's height.
bool balance_overhangs(const Ground *ground, const BalanceLeg *leg, Plane2 sole, double from, double yaw,
                       double hangs[2], double *height);

// balance_state.c: the part of a sole that has ground, by its middle ahead of the sole's and half its length, m.
void balance_bearing_part(const BalanceLeg *leg, const BalanceFoot *foot, double *middle, double *half_length);
// A place in the foot's frame, from the middle of its sole, limited to that part less the margins at sides and ends, m.
Plane2 balance_inside_sole(const BalanceLeg *leg, const BalanceFoot *foot, Plane2 place, double side, double end);
// Moves all stored world positions and yaws with the supporting ground, in a step of h seconds.
void balance_move_with_ground(Balancer *balance, const BalanceCommand *command, double h);
// Measures feet, centre of mass, xi and margin, after a step of h seconds.
void balance_measure(Balancer *balance, const Ragdoll *ragdoll, const BalanceCommand *command, double h);
// Whether the character takes steps on purpose: to walk, or to bring its feet side by side.
bool balance_steps_on_purpose(const Balancer *balance);
// The factor on omega for the current kind of step.
double balance_divergence(const Balancer *balance);

// balance_nerves.c: replaces the measured motion of the centre of mass by what late senses have of it, predicted to the
// present.
void balance_sense_late(Balancer *balance, double h);
// Remembers the pressure that the controller applies in this step.
void balance_apply_pressure(Balancer *balance, Plane2 pressure);
// Moves what senses have with the supporting ground.
void balance_move_samples(Balancer *balance, Plane2 way);

// balance_noise.c: begins the noise of a seed and a consumer; advances it by h seconds, and adds it to what has been
// measured of centre of mass and pelvis; then to a measured leg.
void balance_noise_begin(BalanceNoise *noise, uint64_t seed, const char *consumer);
void balance_feel_trunk(Balancer *balance, double h);
void balance_feel_leg(Balancer *balance, int side);

// balance_decide.c: follows the command with limited rates; begins and ends steps.
void balance_decide(Balancer *balance, const Ragdoll *ragdoll, const Ground *ground, const BalanceCommand *command,
                    double h);

// balance_trip.c: the first resets the trip at lift-off, the second senses whether the swing foot is caught.
void balance_trip_begin_step(Balancer *balance);
void balance_update_trip(Balancer *balance, const BalanceCommand *command, double h);
// Moves a landing, m, world: the middle of the sole, off an obstacle that a foot has met.
void balance_avoid_obstacle(const Balancer *balance, Plane2 *sole);
// Whether the swing foot, with its ankle there, m, world, would meet that obstacle as it goes on.
bool balance_before_obstacle(const Balancer *balance, const double ankle[3]);
// s for which a caught foot still rises. in_place: out, whether it rises without moving horizontally.
double balance_raise_left(const Balancer *balance, bool *in_place);
// Clearance of the swing foot above the ground, m.
double balance_clearance(const Balancer *balance);

// balance_plan.c: where the swing foot's sole should land if it lands after time_left, s, and the pressure stays
// where it is. Returns how far that place is out of reach, m.
double balance_plan(const Balancer *balance, int swing, double time_left, double duration, Plane2 pressure,
                    Plane2 *sole);
// Plans the landing of the current step; may shorten the step's duration.
void balance_plan_landing(Balancer *balance, const Ground *ground, Plane2 pressure);

// Longest distance from hip to ankle as a share of the leg's length.
#define BALANCE_REACH 0.9905

// balance_leg.c: the geometry of a leg, and goals and torques of its joints.
// Turn of the thigh in the world, and knee angle in rad, that bring the ankle to a place with the knee toward `yaw`.
double balance_leg_reach(const BalanceLeg *leg, const double hip[3], const double ankle[3], double yaw, double longest,
                         versors *thigh);
// rad between the sides a and b of a triangle, by the law of cosines; sides that do not meet count as on one line.
double balance_cosine_angle(double a, double b, double opposite);
// Knee angle at which hip and ankle are a distance apart.
double balance_knee_angle(const BalanceLeg *leg, double distance);
versors balance_foot_rotation(const double normal[3], double yaw);
// Sets the goal of a standing foot to its present place, flat on the ground.
void balance_keep_foot(BalanceStep *step, int side);
versors balance_part_rotation(const Ragdoll *ragdoll, int part);
// Sets a joint's goal, the child's rotation in its parent's frame at zero velocity, with the body's own gains.
void balance_turn(BalanceStep *step, int joint, versors parent_w, versors child_w);
// The same with other gains. stiffness in N m/rad of a body of 75 kg; damping_time in s: damping
// over stiffness.
void balance_aim(BalanceStep *step, int joint, versors parent_w, versors child_w, double stiffness,
                 double damping_time);
void balance_aim_knee(BalanceStep *step, int joint, double angle, double stiffness, double damping_time);
void balance_push(BalanceStep *step, int joint, const double torque_w[3]); // adds feed-forward, N m
// Torque about a point by a force that acts at another.
void balance_torque(const double at[3], const double about[3], const double force[3], double torque[3]);
// Adds the torque that compensates the weight of all parts below a joint.
void balance_hold_weight(BalanceStep *step, int joint);
// Adds to `torque` the torque, N m about a point, of the weight of all parts except those of a leg.
void balance_add_weight_except_leg(const BalanceStep *step, int leg, const double about[3], double torque[3]);
// Adds the torques of hip, knee and ankle that produce a force of the ground on a foot (transposed Jacobian).
void balance_push_leg(BalanceStep *step, int side, Plane2 place, const double force[3]);
// The vertical force on the body, N: its weight, plus at most `most` N that raise the hips by `lack` m.
double balance_height_force(const Balancer *balance, double lack, double most);

// balance_double_support.c: walking steps in which the weight passes from the rear foot to the front one before the
// rear one is lifted. Such a step has a negative step_time until then. s for which both feet are to carry in a step
// that begins now; 0: the foot behind is lifted at once.
double balance_double_support(const Balancer *balance);
// The same for a walker on his path.
double balance_calm_double_support(const Balancer *balance);
// 0 .. 1: how far he walks with straight knees and lands on his heels: in slow walking on ground that is even and
// steady, and has been so for some steps. 0 for a gait without double support.
double balance_straightness(const Balancer *balance);
// 0 .. 1: how far xi is ahead or aside of the nominal path of the walk, and so how soon the next foot has to land. 0 on
// uneven ground and over an obstacle.
double balance_haste(const Balancer *balance);
// The end of the sole of the swing leg, m, world.
Plane2 balance_swing_toes(const Balancer *balance);
// 1: the ground along the heading is even, from one step behind the foot that stands to two ahead; 0: there is a rise,
// up or down, which takes a step of its own.
double balance_evenness(const Balancer *balance, const Ground *ground, int stance);
// 0 .. 1: the part of heel rise and double support for which there is time: none for who walks backward, is off his
// path, or steps up or down.
double balance_roll_share(const Balancer *balance);
// Lifts the rear foot now.
void balance_lift_off(Balancer *balance);
// The share of the weight on the foot that stands: below 1 while the rear one still carries.
double balance_weight_share(const Balancer *balance);
// The centre of pressure of both feet; pressure: of the one that stands.
Plane2 balance_whole_pressure(const Balancer *balance, Plane2 pressure);
// xi as if the standing foot, under which the pressure is, carried all the weight already.
Plane2 balance_xi_as_it_counts(const Balancer *balance, Plane2 pressure);
// The offset of xi, as it counts, from the new stance foot of a gait whose feet swing for `duration` s, after `both` s
// of double support; see lipm_offset.
Plane2 balance_gait_offset(const Balancer *balance, Plane2 velocity, double width, double side, double duration,
                           double both);
// The step (m ahead and left) from the stance foot, before which xi then is by `ahead`, that keeps this offset.
Plane2 balance_gait_step(const Balancer *balance, Plane2 ahead, Plane2 offset);

// balance_track.c: 0 .. 1: how far a step that begins now is one of calm walking on even ground, on a narrow track.
double balance_calmness(const Balancer *balance);
// m, sideways: between the feet of the walk; the least between those of a landing; and the least between the ankles
// as the swing foot passes the other leg.
double balance_step_width(const Balancer *balance);
double balance_least_apart(const Balancer *balance);
double balance_clear_side(const Balancer *balance);

// balance_roll.c: rad by which the heel of a standing foot has to rise over its toes for the leg to stay bent when the
// hips are at a height.
double balance_heel_rise(const BalanceStep *step, int side, double hip_height);
// rad by which the swing foot's toes point down as it lands: on ground that is lower by a step than the foot that
// stands, and up a slope on which its ankle would have to bend too far. Negative where they point up, and the heel
// lands first: in calm walking on level ground.
double balance_landing_pitch(const Balancer *balance);
// The same of the foot that stands, 0 or negative, while its toes come down after a landing on its heel.
double balance_falling_toes(const Balancer *balance);
// Where the swing leg's hip is as its foot lands, m, world, at its present speed.
Plane2 balance_landing_hip(const Balancer *balance);
// Where the swing foot's ankle, m, world, is as it touches the ground of its landing, with its toes so.
void balance_touching_ankle(const Balancer *balance, double ankle[3]);
// A sole's rotation with the heel raised; and the pressure then, which goes to the toes as the foot begins to roll.
versors balance_raise_heel(versors sole, double rise);
Plane2 balance_roll_pressure(const BalanceStep *step, int side, Plane2 pressure, double rise);
// Goals and torques of the rear leg in double support. pressure: of both feet.
void balance_push_off(BalanceStep *step, Plane2 pressure);

// balance_animation.c: the shift of weight and the tilt of the pelvis that the animation wants, in a step of length h.
void balance_follow_animation(Balancer *balance, const BalanceCommand *command, double h);
// Limits the rate at which the spine bends to one that the feet's friction can resist.
void balance_calm_spine(const Balancer *balance, Pose *pose_w, const Pose *previous_w, double h);

// balance_lean.c: whether a cable holds the body, as it is known.
bool balance_is_held(const Balancer *balance);
// Follows the lean of the legs of a held body, in a step of length h; otherwise it fades.
void balance_lean(Balancer *balance, double h);
// The turn of the pelvis by that lean, in the pelvis' level frame.
versors balance_lean_turn(const Balancer *balance);
// The part of a way (m, world) that is not along the cable of a held body: all of it without a cable.
Plane2 balance_without_cable(const Balancer *balance, Plane2 way);
// The pressure (m, world) with which a held body leans on its cable, instead of the one that would stop its fall.
Plane2 balance_lean_pressure(const Balancer *balance, Plane2 pressure);

// balance_arms.c: turns the shoulders of the animation's pose, in a step of length h. share: of the swing in walking
// that is not the animation's.
void balance_move_arms(Balancer *balance, double share, double h, Pose *pose_w);

// balance_sway.c: advances the sway by h seconds; returns the offsets of standing place and pressure, m ahead and left.
void balance_sway(Balancer *balance, double h);
Plane2 balance_rambling(const Balancer *balance);
Plane2 balance_trembling(const Balancer *balance);

// balance_stand.c, balance_swing.c, balance_stance.c: goals of the legs.
void balance_stand(BalanceStep *step);
void balance_swing(BalanceStep *step);
void balance_stance(BalanceStep *step, Plane2 pressure);
// How much higher the plane of a landing is on a way (m) from any place of it, m.
double balance_plane_rise(const BalanceLanding *landing, Plane2 way);
// m: how far the planned landing lies below the foot that stands.
double balance_drop_ahead(const Balancer *balance);
// The slope of the ground along the heading, upward positive: the lesser of that from the stance foot to the planned
// landing and that of the ground there. On stairs the feet are at different heights on level ground, which is no slope.
double balance_slope_ahead(const Balancer *balance);

#endif
