// Parts of the balance controller, see balance.h. Only for balance*.c.
#ifndef STAGGER_RAGDOLL_BALANCE_BALANCE_INTERNAL_H
#define STAGGER_RAGDOLL_BALANCE_BALANCE_INTERNAL_H

#include "ragdoll/balance/balance.h"

// Where a foot shall be, world.
typedef struct BalanceFootGoal {
  double ankle[3], yaw; // m, rad
  versors sole;
} BalanceFootGoal;

// What the parts of one step work on.
typedef struct BalanceStep {
  Balancer *balance;
  const Ragdoll *ragdoll;
  const Ground *ground;
  double h;
  JointGoal *goals;
  // Where the pelvis and the feet shall be.
  versors pelvis;
  double pelvis_yaw; // rad, of the same
  Plane2 hips;       // middle between them; for their height see Balancer
  BalanceFootGoal feet[BALANCE_LEGS];
} BalanceStep;

// balance_body.c: dimensions of the ragdoll's body. Returns false with an error if its legs are not what the controller
// can stand on.
bool balance_init_body(BalanceBody *built, const Ragdoll *ragdoll, Error *error);
// Of the centre of mass from the middle of the soles in a pose, m ahead and to the left in the pose's frame.
Plane2 balance_pose_shift(const BalanceBody *body, const Ragdoll *ragdoll, const Pose *pose_m);

// balance_ground.c: height of the ground at a place, looked for downward from a height, m; `otherwise` where there is
// none.
double balance_ground(const Ground *ground, Plane2 place, double from, double otherwise);
// The ground under the sole of a leg whose ankle is there: its plane's height under the ankle, and its normal.
double balance_foot_ground(const Ground *ground, const BalanceLeg *leg, Plane2 ankle, double from, double yaw,
                           double normal[3]);

// balance_state.c: takes along with the ground what is remembered in the world, in a step of length h.
void balance_move_with_ground(Balancer *balance, const BalanceCommand *command, double h);
// Where everything is, after a step of length h.
void balance_measure(Balancer *balance, const Ragdoll *ragdoll, const BalanceCommand *command, double h);
// Whether it steps so as to go somewhere: to walk, or to bring its feet side by side.
bool balance_steps_on_purpose(const Balancer *balance);
// The factor on omega that the present kind of step counts with.
double balance_divergence(const Balancer *balance);

// balance_decide.c: takes over what is wanted as far as it may change in a step; begins and ends steps.
void balance_decide(Balancer *balance, const Ragdoll *ragdoll, const Ground *ground, const BalanceCommand *command,
                    double h);

// balance_trip.c: begins with every step, and feels whether the swing foot is caught.
void balance_trip_begin_step(Balancer *balance);
void balance_update_trip(Balancer *balance, const BalanceCommand *command, double h);
// s for which a caught foot still rises; in_place: and does not go on.
double balance_raise_left(const Balancer *balance, bool *in_place);
// m by which a swing foot passes above the ground.
double balance_clearance(const Balancer *balance);

// balance_plan.c: where the swing foot's sole shall come down, if it does so after time_left and the pressure stays
// where it is. Returns by how much that is out of reach, m.
double balance_plan(const Balancer *balance, int swing, double time_left, double duration, Plane2 pressure,
                    Plane2 *sole);
// The same for the step under way: may shorten it.
void balance_plan_landing(Balancer *balance, const Ground *ground, Plane2 pressure);

// A leg is stretched no farther than to this share of its length.
#define BALANCE_REACH 0.9905

// balance_leg.c: legs and what drives their joints.
// Turn of the thigh in the world, and knee angle in rad, that bring the ankle to a place with the knee toward `yaw`.
double balance_leg_reach(const BalanceLeg *leg, const double hip[3], const double ankle[3], double yaw, double longest,
                         versors *thigh);
// Knee angle at which hip and ankle are a distance apart.
double balance_knee_angle(const BalanceLeg *leg, double distance);
versors balance_foot_rotation(const double normal[3], double yaw);
// A standing foot stays where it is, flat on the ground.
void balance_keep_foot(BalanceStep *step, int side);
versors balance_part_rotation(const Ragdoll *ragdoll, int part);
// The child's goal in its parent's frame, at rest, with the gains that it has: the body's own.
void balance_turn(BalanceStep *step, int joint, versors parent_w, versors child_w);
// The same with other gains. stiffness in N m/rad of a body of 75 kg; damping_time in s: damping
// over stiffness.
void balance_aim(BalanceStep *step, int joint, versors parent_w, versors child_w, double stiffness,
                 double damping_time);
void balance_aim_knee(BalanceStep *step, int joint, double angle, double stiffness, double damping_time);
void balance_push(BalanceStep *step, int joint, const double torque_w[3]); // adds feed-forward on the child
// Torque about a point by a force that acts at another.
void balance_torque(const double at[3], const double about[3], const double force[3], double torque[3]);
// Holds what hangs on a joint against gravity.
void balance_hold_weight(BalanceStep *step, int joint);
// Adds the torque of the weight of all parts but those of a leg about a point.
void balance_add_weight_except_leg(const BalanceStep *step, int leg, const double about[3], double torque[3]);
// The force on the body, N, that carries its weight and brings the hips higher by `lack` m. most: N beside the weight.
double balance_height_force(const Balancer *balance, double lack, double most);

// balance_animation.c: the shift of weight and the tilt of the pelvis that the animation wants, in a step of length h.
void balance_follow_animation(Balancer *balance, const BalanceCommand *command, double h);
// The spine bends no faster than the feet's friction can turn the trunk.
void balance_calm_spine(const Balancer *balance, Pose *pose_w, const Pose *previous_w, double h);

// balance_arms.c: turns the shoulders of the animation's pose, in a step of length h. share: of the swing in walking
// that is not the animation's.
void balance_move_arms(Balancer *balance, double share, double h, Pose *pose_w);

// balance_sway.c: lets h pass; how far the place where it stands and the pressure under it are off, m ahead and left.
void balance_sway(Balancer *balance, double h);
Plane2 balance_rambling(const Balancer *balance);
Plane2 balance_trembling(const Balancer *balance);

// balance_stand.c, balance_swing.c, balance_stance.c: goals of the legs.
void balance_stand(BalanceStep *step);
void balance_swing(BalanceStep *step);
void balance_stance(BalanceStep *step, Plane2 pressure);

#endif
