// Synchronisation of clips: maps every clip's own time to a phase that they share. The marks `left_strike` and
// `right_strike` are at phase 0 and 0.5 of a cycle in every clip; between marks phase is linear in time.
#ifndef STAGGER_ANIM_GRAPH_SYNC_H
#define STAGGER_ANIM_GRAPH_SYNC_H

#include "anim/clip.h"

// A clip's marks as knots of phase against time. A clip may hold several cycles (left, right, left, right ...).
typedef struct SyncTrack {
  int count;    // number of knots; 0: the clip has no usable marks
  int cycles;   // cycles in the clip, >= 1
  double cycle; // s: mean duration of a cycle
  bool loop;
  double duration;              // s
  double phase[CLIP_MAX_MARKS]; // cycles, increasing by 0.5 (or by 1, when only left feet are marked)
  double time[CLIP_MAX_MARKS];  // s, increasing
} SyncTrack;

// Reads a clip's marks. False when it has no left_strike, or when left and right do not alternate; why is then set to a
// short reason (a string constant).
bool sync_track_read(SyncTrack *track, const Clip *clip, const char **why);

// sync_time: the clip's time in s at a phase in cycles (any number; whole ones are left strikes). sync_phase: the phase
// at a time.
double sync_time(const SyncTrack *track, double phase);
double sync_phase(const SyncTrack *track, double time);

#endif
