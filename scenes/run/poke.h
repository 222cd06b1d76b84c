// Interaction with a running scene: dragging a part by a spring, shooting bullets, pushing for a time, throwing balls.
// All of it results in impulses on parts, which appear in trace and metrics like events of the scene.
#ifndef STAGGER_SCENES_RUN_POKE_H
#define STAGGER_SCENES_RUN_POKE_H

#include "scenes/run/scene.h"
#include "sim/world/projectile.h"

#define POKE_PARAMS(ROW, T)                                                                                            \
  ROW(T, REAL, impulse, "10", 0.1, 500, "N s", "Of a bullet.")                                                         \
  ROW(T, REAL, push_force, "150", 1, 5000, "N", "Of a push.")                                                          \
  ROW(T, REAL, push_time, "0.3", 0.01, 2, "s", "For how long a push lasts.")                                           \
  ROW(T, REAL, drag_force, "600", 1, 10000, "N", "Most that the drag spring pulls with.")                              \
  ROW(T, REAL, drag_frequency, "1.5", 0.1, 10, "Hz", "Natural frequency of the whole body on the drag spring.")        \
  ROW(T, REAL, ball_mass, "3", 0.05, 100, "kg", "Of a thrown ball.")                                                   \
  ROW(T, REAL, ball_radius, "0.11", 0.02, 1, "m", "Of a thrown ball.")                                                 \
  ROW(T, REAL, ball_speed, "12", 0.1, 50, "m/s", "Of a thrown ball.")

typedef struct PokeDef {
  POKE_PARAMS(PARAM_FIELD, PokeDef)
} PokeDef;

extern const ParamTable poke_params;

// A body on a spring whose other end is moved.
typedef struct Drag {
  bool active;
  int body;                  // index into the world's bodies
  double point_l[3];         // m, from the body's centre of mass, body's frame
  double goal_w[3];          // m, where the point is pulled to
  double goal_velocity_w[3]; // m/s: velocity of the goal between calls
  double force_w[3];         // N, in the last step
} Drag;

typedef struct Poke {
  PokeDef def;
  Drag drag;
  Projectiles balls;
} Poke;

void poke_init(Poke *poke);  // defaults
void poke_reset(Poke *poke); // for a newly made scene: nothing is dragged and there are no balls; the parameters stay

// Finds the first body or ground that a ray meets. direction: unit vector; length in m. False: nothing.
bool poke_pick(const Scene *scene, const double origin[3], const double direction[3], double length, WorldHit *hit);

// Applies a bullet or a push along a direction (unit vector, world) to a point of a character's body. event_text (may
// be NULL): receives the same event as one line of a scene's `events`, with which the scene reproduces the strike to
// the last bit ("" when it does not fit; 512 bytes always suffice). False when the body belongs to no character, a
// number is not finite, or too many events are active.
bool poke_shoot(const Poke *poke, Scene *scene, const WorldHit *hit, const double direction[3], char *event_text,
                size_t size);
bool poke_push(const Poke *poke, Scene *scene, const WorldHit *hit, const double direction[3], char *event_text,
               size_t size);

// Throws a ball from a point, no faster than the world allows. False when the world is full or a number is not finite.
bool poke_throw(Poke *poke, Scene *scene, const double from[3], const double direction[3]);

// Throws a ball so that it meets a point of a body that keeps its character's present velocity, under gravity: on the
// flattest path, and faster than ball_speed where that does not reach.
bool poke_throw_at(Poke *poke, Scene *scene, const double from[3], const WorldHit *hit);

// Drags a body by a spring that is critically damped and integrated implicitly: F = k (goal - x - h v') - c v', with x
// and v' of the point, where v' is its velocity at the end of the step of length h if nothing but F acts on the body. k
// = M (2 pi f)^2 and c = 2 M (2 pi f), with the mass M of the whole character, or of the ball. The spring is thus
// stable on the lightest part, which it pulls more softly the less mass the part has. A goal farther away than 0.5 m
// pulls like one at 0.5 m, so that the point follows at no more than about pi f * 0.5 m: 2.4 m/s by default. |F| is at
// most drag_force.
void poke_drag_begin(Poke *poke, const Scene *scene, const WorldHit *hit);
// Goals that are not finite, or beyond 1e5 m, are ignored.
void poke_drag_move(Poke *poke, const double goal_w[3]);
// Sets a velocity (m/s, world; initially 0) with which the goal moves from step to step; v' above is relative to it, so
// that dragging from a moving camera does not slow the body down. What is not finite, or above 100 m/s, is ignored.
void poke_drag_carry(Poke *poke, const double velocity_w[3]);
void poke_drag_end(Poke *poke);

// Applies the drag's spring as an impulse of the coming step; call before every scene_step.
void poke_step(Poke *poke, Scene *scene);

#endif
