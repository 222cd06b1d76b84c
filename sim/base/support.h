// The base of support and the extrapolated centre of mass, seen from above: geometry for both control and metrics.
#ifndef STAGGER_SIM_BASE_SUPPORT_H
#define STAGGER_SIM_BASE_SUPPORT_H

// m/s^2, independent of the world's gravity, so that results of different runs are comparable.
#define STANDARD_GRAVITY 9.81

// The extrapolated centre of mass on the ground: x + v / sqrt(g / l), where l is the height of the centre of mass. For
// an inverted pendulum it is also the instantaneous capture point, the place of a foot with which the pendulum would
// come to rest. Sources: Hof, Gazendam and Sinke 2005, The condition for dynamic stability, J. Biomech. 38; Koolen, de
// Boer, Rebula, Goswami and Pratt 2012, Capturability-based analysis and control of legged locomotion, Int. J. Robotics
// Research 31.
void support_extrapolated_com(const double com[3], const double com_velocity[3], double ground_height, double xcom[3]);

// The base of support: the convex hull of the contact points, seen from above. corners: room for `count` indices of
// contacts, in order around the hull, without points between two corners. Returns their number: 0 without contacts, 1
// when all coincide, 2 when all are collinear.
int support_hull(const double (*contacts)[3], int count, int corners[]);

// Signed horizontal distance from a point to the border of the base of support: positive inside, negative outside
// (always outside for one or two points). nearest (may be NULL): the nearest point of the border, at the height of the
// contacts there. Without contacts the result is NAN and nearest is unchanged.
double support_distance(const double point[3], const double (*contacts)[3], int count, double nearest[3]);

// Margin of stability: the signed distance of the extrapolated centre of mass. NAN without contacts.
double support_margin(const double com[3], const double com_velocity[3], double ground_height,
                      const double (*contacts)[3], int count);

#endif
