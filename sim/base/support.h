// The base of support and the extrapolated centre of mass, seen from above: geometry that both control and metrics
// need.
#ifndef STAGGER_SIM_BASE_SUPPORT_H
#define STAGGER_SIM_BASE_SUPPORT_H

// m/s^2, whatever gravity the world has: figures of runs stay comparable.
#define STANDARD_GRAVITY 9.81

// Where the centre of mass is headed, on the ground: x + v / sqrt(g / l), l its height above the ground. Of an inverted
// pendulum this is also the instantaneous capture point, the place of a foot on which it would come to rest.
// Sources: Hof, Gazendam and Sinke 2005, The condition for dynamic stability, J. Biomech. 38; Koolen, de Boer, Rebula,
// Goswami and Pratt 2012, Capturability-based analysis and control of legged locomotion, Int. J. Robotics Research 31.
void support_extrapolated_com(const double com[3], const double com_velocity[3], double ground_height, double xcom[3]);

// The base of support: the convex hull of the contact points, seen from above. corners: room for `count` indices into
// the contacts, filled in order around the hull without points between two corners. Returns how many: 0 without
// contacts, 1 when all coincide, 2 when all are in one line.
int support_hull(const double (*contacts)[3], int count, int corners[]);

// Signed distance in the horizontal plane from a point to the border of the base of support: positive inside, negative
// outside (of one or two points always outside). nearest (may be NULL): the border's point nearest to it, at the height
// of the contacts there. NAN without contacts, and nearest is left alone.
double support_distance(const double point[3], const double (*contacts)[3], int count, double nearest[3]);

// Margin of stability: the signed distance of the extrapolated centre of mass. NAN without contacts.
double support_margin(const double com[3], const double com_velocity[3], double ground_height,
                      const double (*contacts)[3], int count);

#endif
