// Weights of the children of one- and two-dimensional blends.
#ifndef STAGGER_ANIM_GRAPH_BLEND_WEIGHTS_H
#define STAGGER_ANIM_GRAPH_BLEND_WEIGHTS_H

// One parameter: linear interpolation between the two positions around it, constant beyond the ends. positions rise
// strictly. The weights sum to 1; at a child's position that child alone has weight 1.
void blend_weights(const float *positions, int count, float value, float *weights);

// Two parameters: gradient band interpolation (Johansen 2009, Automated semi-procedural animation for character
// locomotion, master thesis, Aarhus University, chapter 6). The weights sum to 1 and are continuous; at a child's
// position that child alone has weight 1. positions: [count][2], no two the same.
// blend_weights_flat takes the parameters as Cartesian coordinates. blend_weights_polar takes them as a direction and a
// radius, for movement: in the difference of two positions the radius counts relative to their mean radius, and the
// angle has a weight of 2. Our additions to the published method: angles are continuous all around the circle; a
// position in the origin takes the direction of the value; without such a position the effect of angles fades out
// toward the origin.
void blend_weights_flat(const float (*positions)[2], int count, const float value[2], float *weights);
void blend_weights_polar(const float (*positions)[2], int count, const float value[2], float *weights);

#endif
