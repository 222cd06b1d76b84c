// Weights of the children of blends.
#ifndef STAGGER_ANIM_GRAPH_BLEND_WEIGHTS_H
#define STAGGER_ANIM_GRAPH_BLEND_WEIGHTS_H

// One parameter: linear between the two positions around it, constant beyond the ends. positions rise strictly.
// The weights sum to 1; at a position its child alone has weight 1.
void blend_weights(const float *positions, int count, float value, float *weights);

// Two parameters: gradient band interpolation (Johansen 2009, Automated semi-procedural animation for character
// locomotion, master thesis, Aarhus University, chapter 6). They sum to 1, and change without jumps; at a position its
// child alone has weight 1. positions: [count][2], no two the same.
// The first takes the parameters as a point. The second takes them as a direction and how far, for movement: in the
// difference of two positions the radius counts relative to their mean radius and the angle twice. Our additions to it:
// angles are continuous all around the circle, a position in the origin takes the direction of the value, and without
// one the angles fade out toward the origin.
void blend_weights_flat(const float (*positions)[2], int count, const float value[2], float *weights);
void blend_weights_polar(const float (*positions)[2], int count, const float value[2], float *weights);

#endif
