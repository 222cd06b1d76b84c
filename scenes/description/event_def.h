// The description of events: what strikes the characters of a scene, when, where and how hard.
#ifndef STAGGER_SCENES_DESCRIPTION_EVENT_DEF_H
#define STAGGER_SCENES_DESCRIPTION_EVENT_DEF_H

#include "ragdoll/character/character.h"

enum { EVENTS_MAX = 256 };

typedef enum EventKind {
  EVENT_IMPULSE,
  EVENT_PUSH,
  EVENT_PROJECTILE,
  EVENT_RELEASE,
  EVENT_PULL,
  EVENT_KINDS
} EventKind;

// A value is drawn from every range for each event, from random numbers of its own.
#define EVENT_PARAMS(ROW, T)                                                                                           \
  ROW(T, CHOICE, kind, "impulse", 0, 0, "impulse|push|projectile|release|pull",                                        \
      "impulse: a bullet, at once; push: evenly over `duration`; projectile: a thrown ball, at most 256 in flight; "   \
      "release: a level cable at `part` holds a standing character from the beginning of the run, gives way until it " \
      "leans by `lean`, and lets go at `time`, from when reactions are timed; pull: a level cable at `part`, whose "   \
      "other end moves by `travel` within `duration` with whatever force it takes, and then lets go.")                 \
  ROW(T, TEXT, character, "\"\"", 0, 0, "", "Character that is struck; may be omitted when there is only one.")        \
  ROW(T, RANGE, time, "0", 0, 360000, "s", "Single event: when it happens.")                                           \
  ROW(T, RANGE, every, "1", 0.001, 360000, "s", "Random list: time from one to the next; the first is at `from`.")     \
  ROW(T, REAL, from, "0", 0, 360000, "s", "Random list: time of the first.")                                           \
  ROW(T, REAL, until, "360000", 0, 360000, "s", "Random list: time after which none begins.")                          \
  ROW(T, INT, count, "1000000", 1, 1000000, "-", "Random list: largest number of events.")                             \
  ROW(T, RANGE, direction, "0", -360, 360, "deg",                                                                      \
      "Direction of the impulse, or of a release's lean, in the character's frame: 0 forward, 90 to the left.")        \
  ROW(T, RANGE, deviation, "0", -180, 180, "deg",                                                                      \
      "Added to `direction`: random variation for studies that have `direction` as an axis.")                          \
  ROW(T, RANGE, elevation, "0", -90, 90, "deg", "Direction of the impulse above the horizontal.")                      \
  ROW(T, RANGE, impulse, "0", 0, 10000, "N s", "impulse, push: magnitude; with 0 nothing changes, to the bit.")        \
  ROW(T, RANGE, duration, "0.1", 0.001, 60, "s", "push, pull: the time over which it acts.")                           \
  ROW(T, RANGE, travel, "0.2", 0, 5, "m",                                                                              \
      "pull: the way of the cable's end, which begins and ends at rest (smooth step, at 1.5 times the mean speed).")   \
  ROW(T, RANGE, mass, "1", 0.001, 1000, "kg", "projectile: mass of the ball.")                                         \
  ROW(T, RANGE, speed, "10", 0.1, 100, "m/s", "projectile: speed of the ball relative to the character.")              \
  ROW(T, RANGE, radius, "0.06", 0.005, 1, "m", "projectile: radius of the ball.")                                      \
  ROW(T, RANGE, distance, "3", 0.1, 100, "m", "projectile: distance from which it is thrown.")                         \
  ROW(T, RANGE, lean, "15", 0, 45, "deg",                                                                              \
      "release: angle from the vertical of the line from the middle of the ankles to the centre of mass.")

typedef struct EventDef {
  EVENT_PARAMS(PARAM_FIELD, EventDef)
  bool repeated;                         // `every` is given: a random list
  int target;                            // index of the character
  int parts[BODY_MAX_PARTS], part_count; // one of these is struck
  bool has_point;
  double point[3]; // m, from the part's centre of mass, in the part's frame
} EventDef;

// Keys that are not in the table, for the reference.
typedef struct EventKey {
  const char *name, *unit, *default_text, *doc;
} EventKey;

extern const ParamTable event_params;
extern const EventKey event_keys[];
extern const int event_key_count;

// Whether a row of the table says something of the event: each kind has keys of its own.
bool event_def_has(const EventDef *def, const char *key);

// Reads one item of a scene's `events`. Errors: unknown character or part; neither or both of `time` and `every`.
bool event_def_read(EventDef *def, const Node *map, const CharacterDef *characters, int count, Error *error);

#endif
