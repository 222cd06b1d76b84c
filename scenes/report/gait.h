// Gait analysis: strides out of a motion, their figures and joint curves, and how these compare with a normal curve.
// Pure: it knows neither traces nor bodies. Terms are those of clinical gait analysis (Perry and Burnfield, Gait
// Analysis, 2010; Whittle, Gait Analysis, 2007): a stride goes from one strike of a foot to its next one, 0 to 100 % of
// the gait cycle; cadence counts steps; step length and width are measured against the line between two footprints of
// one foot.
#ifndef STAGGER_SCENES_REPORT_GAIT_H
#define STAGGER_SCENES_REPORT_GAIT_H

#include <stdbool.h>

enum {
  GAIT_POINTS = 51, // of a curve: every 2 % of the cycle, both ends
  GAIT_MAX_POSES = 3,
  GAIT_MAX_GROUPS = 6,
  GAIT_LEAST_STRIDES = 3, // of a pose in a group: fewer are no sample
};

#define GAIT_SHORTEST_STRIDE 0.3 // s
// s: the longest stride, the next stance up to its footprint, and a second in which soles are compared
#define GAIT_REACH 6.0

typedef enum GaitSide { GAIT_LEFT, GAIT_RIGHT, GAIT_SIDES } GaitSide;

// Sagittal angles in deg, 0 upright: hip flexion, knee flexion, ankle dorsiflexion, the upper arm forward of the trunk
// and elbow flexion are positive.
typedef enum GaitJoint {
  GAIT_HIP,
  GAIT_KNEE,
  GAIT_ANKLE,
  GAIT_ARM,
  GAIT_ELBOW,
  GAIT_JOINTS,
  GAIT_LEG_JOINTS = GAIT_ARM // the joints of arms follow
} GaitJoint;

typedef struct GaitCurves {
  double degrees[GAIT_JOINTS][GAIT_POINTS]; // of arms NAN: there are none
} GaitCurves;

typedef enum GaitFigure {
  GAIT_SPEED,
  GAIT_CADENCE,
  GAIT_STRIDE_TIME,
  GAIT_STEP_LENGTH,
  GAIT_STEP_WIDTH,
  GAIT_STANCE,
  GAIT_SWING,
  GAIT_DOUBLE_SUPPORT,
  GAIT_FLIGHT,
  GAIT_PELVIS_VERTICAL,
  GAIT_PELVIS_LATERAL,
  GAIT_HIP_FLEXION,
  GAIT_HIP_EXTENSION,
  GAIT_KNEE_LOADING,
  GAIT_KNEE_SWING,
  GAIT_ANKLE_DORSIFLEXION,
  GAIT_ANKLE_PLANTARFLEXION,
  GAIT_ARM_SWING,
  GAIT_ELBOW_SWING,
  GAIT_ELBOW_MEAN,
  GAIT_ARM_MATCH,
  GAIT_ARM_LAG,
  GAIT_FIGURES,
  GAIT_LEG_FIGURES = GAIT_ARM_SWING // the figures of arms follow
} GaitFigure;

typedef struct GaitFigureInfo {
  const char *name, *unit, *doc;
  int digits;
} GaitFigureInfo;

extern const GaitFigureInfo gait_figures[GAIT_FIGURES];

// Describes figures that are the lowest or highest angle of a joint within a part of the cycle.
typedef struct GaitPeak {
  GaitJoint joint;
  bool lowest;
  int first, last; // points of the curve
} GaitPeak;

// NULL: the figure is not of this kind.
const GaitPeak *gait_peak(GaitFigure figure);
int gait_peak_point(const GaitPeak *peak, const double curve[GAIT_POINTS]); // where it is

// Points of a body: the middles of both soles, by side, and the root joint.
enum { GAIT_PELVIS = GAIT_SIDES, GAIT_PLACES };

// A frame of the motion of one pose. World, Y up, m.
typedef struct GaitFrame {
  double time; // s
  double place[GAIT_PLACES][3];
  double heading;                               // rad about up, where the pelvis faces: atan2(x, z)
  double height[GAIT_SIDES], speed[GAIT_SIDES]; // of the soles' lower ends, heel or toe: over the ground; m/s
  double angle[GAIT_SIDES][GAIT_JOINTS];        // deg; of arms NAN: there are none
  bool stands[GAIT_SIDES];                      // the foot carries, or is to
  bool disturbed;                               // no stride is sought: hit, fallen
} GaitFrame;

typedef struct GaitMotion {
  int frame_count;
  const GaitFrame *frames; // times ascend
} GaitMotion;

typedef struct GaitStride {
  int pose;                     // whose it is
  GaitSide side;                // the foot that strikes at 0 and 100 %
  double begin, end;            // s
  bool runs;                    // it flies for longer than it stands on both feet
  double figures[GAIT_FIGURES]; // of arms NAN: there are none, or they hardly move and have no phase
  GaitCurves curves;            // of the side's leg and arm
} GaitStride;

// Sets whether a foot stands, by its motion: its lower end is as low as where it rests within a second, and rests. For
// poses of which nobody says it.
void gait_find_stances(GaitFrame *frames, int frame_count, GaitSide side);

// Steady, straight, forward, undisturbed strides of both feet that begin from the time `from` until before `to`, in
// order of time; at most `most`. They depend on no frames further than GAIT_REACH from these times. Steady and
// straight: between its halves the pelvis' speed differs by at most 10 % and its way by 10 deg; it turns by at most 10
// deg.
int gait_find_strides(const GaitMotion *motion, double from, double to, int pose, GaitStride *strides, int most);

// Gives the strides of all poses the gait of the leading pose's nearest stride within 2 s and 0.4 m/s: where physical
// feet come down late a walk seems to fly. The strides of the leading pose stay as they are.
void gait_settle(GaitStride *strides, int count, int leader);

typedef struct GaitMean {
  int count;                                          // of strides
  double mean[GAIT_FIGURES], deviation[GAIT_FIGURES]; // NAN: no stride has the figure
  GaitCurves curve, curve_deviation;                  // point by point
} GaitMean;

// Strides of one gait and nearly one speed.
typedef struct GaitGroup {
  bool runs;
  double speed;                   // m/s, mean of all
  double begin, end;              // s: of the first and the last stride
  GaitMean poses[GAIT_MAX_POSES]; // count 0: the pose has too few
} GaitGroup;

// Sorts the strides by gait and speed and groups them: within a group no gap in speed is wider than 0.15 m/s and the
// whole no wider than 0.4 m/s. Groups in which every pose has fewer than GAIT_LEAST_STRIDES are left out. Walking comes
// first, slow before fast. Returns how many there are, at most GAIT_MAX_GROUPS: those with most strides.
int gait_group(GaitStride *strides, int count, GaitGroup groups[GAIT_MAX_GROUPS]);

typedef struct GaitFit {
  double correlation;        // Pearson's r over the points, 100 % left out, which is 0 %; NAN: a curve is constant
  double rms;                // deg
  double within_1, within_2; // share of the cycle within 1 and 2 SD of the mean
} GaitFit;

GaitFit gait_compare(const double curve[GAIT_POINTS], const double mean[GAIT_POINTS],
                     const double deviation[GAIT_POINTS]);

#endif
