// Muscles: the torque that a drive asks of a joint's axis is not there at once. Each axis has a pair of muscles, one
// for each direction, whose torque follows what is asked by a first-order lag: with one time constant while it rises,
// another while it falls (10 and 40 ms: Millard et al. 2013, J. Biomech. Eng. 135:021005), and no faster than a limit.
// In a step of length h
//   pull' = pull + (asked - pull) (1 - exp(-h / time constant)), with the change limited.
// What lags is the command. A muscle resists motion by itself, without any nerve, so that stiffness and damping of the
// drive act at once on how the body moves within the step: the torque at its end counts as the pull from which the next
// change begins. With a lag of these as well, a man whose drives are as stiff as here trembles.
#ifndef STAGGER_RAGDOLL_BODY_MUSCLE_H
#define STAGGER_RAGDOLL_BODY_MUSCLE_H

// What all muscles of a body have in common. 0: none.
typedef struct MuscleLag {
  double rise, fall; // s: time constants
  double rate;       // 1/s: largest change of a pull, in shares of the joint's strength
} MuscleLag;

// The muscles of an axis at the end of a step.
typedef struct Muscle {
  double pull[2]; // N m, 0 or more: of the one that turns the child ahead about the axis, and of the other
  int asked;      // which of them the drive asked last
} Muscle;

// Corrects the pulls to the torque that the joint's motor has given in the last step, N m.
void muscle_gave(Muscle *muscle, double torque);

// One step of h seconds. asked: torque of the drive at the beginning of the step, N m; limit: largest torque of the
// joint, N m. Returns the torque of the pair instead, N m.
double muscle_step(Muscle *muscle, const MuscleLag *lag, double asked, double limit, double h);

#endif
