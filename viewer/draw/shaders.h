// GLSL sources. Programs are made of the version line, a common part and their own part, in this order.
#ifndef STAGGER_VIEWER_DRAW_SHADERS_H
#define STAGGER_VIEWER_DRAW_SHADERS_H

extern const char SHADER_VERSION[];
extern const char SHADER_SCREEN_VERTEX[];  // one triangle over the whole screen
extern const char SHADER_SHAPE_VERTEX[];   // rounded boxes, one for each instance
extern const char SHADER_SKIN_VERTEX[];    // triangles in the world
extern const char SHADER_CONTACT_VERTEX[]; // rectangles on the ground, seen from above
extern const char SHADER_TERRAIN_VERTEX[];
extern const char SHADER_FLAT_VERTEX[]; // rectangles in pixels
extern const char SHADER_LIGHT[];       // functions: sky, sunlight, fog, encode
extern const char SHADER_SKY_FRAGMENT[];
extern const char SHADER_SOLID_FRAGMENT[];
extern const char SHADER_GHOST_FRAGMENT[];
extern const char SHADER_TERRAIN_FRAGMENT[];
extern const char SHADER_CONTACT_FRAGMENT[]; // share of the sky that a capsule leaves visible
extern const char SHADER_DEPTH_FRAGMENT[];   // shadow map
extern const char SHADER_COPY_FRAGMENT[];    // blends a ghost's image over the scene
extern const char SHADER_FLAT_FRAGMENT[];

#endif
