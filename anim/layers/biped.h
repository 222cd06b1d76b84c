// A biped that walks and runs by itself: no clips, only where the root goes. It stands, walks from -1 to 5 m/s, forward,
// backward, to the side, turns on the spot; above a Froude number of about 0.5 it runs.
//
//   - {kind: biped}
//   - {kind: biped, stompiness: 0.5, arm_swing: 0.6}
//
// Feet walk on the animation's own level ground, the height of the leading root: a foot is pinned in the world while it
// stands, and in its swing goes to where the body will need it. What is uneven is foot placement's matter: put that
// layer behind this one. Pelvis, trunk and arms go along. Put on top of a clip with a weight between 0 and 1 it blends.
#ifndef STAGGER_ANIM_LAYERS_BIPED_H
#define STAGGER_ANIM_LAYERS_BIPED_H

#include "anim/layers/layer.h"

// Rows of BIPED_PARAMS, BipedDef, Biped and the plain functions come here.

// Height of a swinging foot over its way x (0 .. 1), in units of the step's height: 256/27 (1-x)^3 x, which lifts fast,
// is 1 at x = 1/4, and glides in. Source: Little Polygon, Procedural locomotion part 2.
double biped_step_arc(double x);

// Def: BipedDef, state: Biped. Rows of the trace: legs.
extern const LayerKind biped_layer;

#endif
