// Keeping clips in step: every clip's own time against a phase that they share. The marks `left_strike` and
// `right_strike` lie at phase 0 and 0.5 of a cycle in every clip; between marks time runs evenly.
#ifndef STAGGER_ANIM_GRAPH_SYNC_H
#define STAGGER_ANIM_GRAPH_SYNC_H

#include "anim/clip.h"

// A clip's marks as knots of phase over time. A clip may hold several cycles (left, right, left, right ...).
typedef struct SyncTrack {
  int count;                    // of knots; 0: the clip has no usable marks
  int cycles;                   // cycles in the clip, >= 1
  double cycle;                 // s of one cycle, on average
  bool loop;                    //
  double duration;              // s
  double phase[CLIP_MAX_MARKS]; // cycles, rising by 0.5 (or by 1, when only left feet are marked)
  double time[CLIP_MAX_MARKS];  // s, rising
} SyncTrack;

// Reads a clip's marks. False when it has no left_strike, or when left and right do not alternate; why then says what
// is wrong in a few words (a string constant).
bool sync_track_read(SyncTrack *track, const Clip *clip, const char **why);

// The clip's time in s at a phase in cycles (any number; whole ones are left strikes), and the phase at a time.
double sync_time(const SyncTrack *track, double phase);
double sync_phase(const SyncTrack *track, double time);

#endif
