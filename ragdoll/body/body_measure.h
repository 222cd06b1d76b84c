// Bodies by measure: a human body of another height, mass, sex and age, made from a base, which stands for a man of 25
// years. Parts keep their names, so that clips, graphs, hits and balance work as with the base.
#ifndef STAGGER_RAGDOLL_BODY_BODY_MEASURE_H
#define STAGGER_RAGDOLL_BODY_BODY_MEASURE_H

#include "ragdoll/body/body_def.h"

extern const ParamTable measure_params;

// Reads {base: FILE, height: 1.62, mass: 55, sex: female, age: 70}; all but `base` may be left out. False and an error
// at the node for unknown keys and values out of range.
bool body_measures_read(BodyMeasures *measures, const Node *map, Error *error);

bool body_measures_equal(const BodyMeasures *a, const BodyMeasures *b);

// Changes a body to the measures. False, and the body must not be used, with an error at the node: the body lacks a
// part of `human`, or its mass does not suit its height.
//
// Heights grow with the height; breadths and depths with the root of mass over height, so that the density stays, but
// those of head, hands and feet with the height; places aside with breadth. Shares of mass, centres of mass and radii
// of gyration: de Leva P (1996), J Biomech 29:1223-30, both sexes, relative to the base's. Stiffness and damping are as
// for a similar body of that size; strength is in proportion to mass times height, times shares by sex and age; ranges
// of motion have shares by sex and age. Sources of these shares: scenes/bodies/README.md.
bool body_measure(BodyDef *body, const BodyMeasures *measures, const Node *node, Error *error);

#endif
