// The tables of all channels: path, type, shape, unit and meaning. Traces and the reference are made from them.
#include "scenes/record/record_channels.h"

// clang-format off
#define POSE_CHANNELS(which, index, text)                                                                              \
  [index##_POSITION] = {"pose/" which "/root_position", TRACE_FLOAT32, ROWS_ONE, 3, "m", text ": root joint, world"},  \
  [index##_ROOT] = {"pose/" which "/root_rotation", TRACE_FLOAT32, ROWS_ONE, 4, "",                                    \
                    text ": root joint, world, x y z w"},                                                              \
  [index##_ROTATION] = {"pose/" which "/rotation", TRACE_FLOAT32, ROWS_JOINTS, 4, "",                                  \
                        text ": joints in their parent's frame, x y z w"}
// clang-format on

const RecordChannel character_channels[] = {
    POSE_CHANNELS("target", TARGET, "Pose that the drives aim at"),
    POSE_CHANNELS("measured", MEASURED, "Pose of the physical body"),
    POSE_CHANNELS("output", OUTPUT, "Pose that is shown"),
    [PART_POSITION] = {"parts/position", TRACE_FLOAT64, ROWS_PARTS, 3, "m", "Centre of mass, world"},
    [PART_ROTATION] = {"parts/rotation", TRACE_FLOAT64, ROWS_PARTS, 4, "",
                       "Rotation from the bind pose, world, x y z w"},
    [PART_VELOCITY] = {"parts/linear_velocity", TRACE_FLOAT64, ROWS_PARTS, 3, "m/s",
                       "Velocity of the centre of mass, world"},
    [PART_SPIN] = {"parts/angular_velocity", TRACE_FLOAT64, ROWS_PARTS, 3, "rad/s", "Angular velocity, world"},
    [JOINT_ERROR] = {"joints/error", TRACE_FLOAT32, ROWS_JOINTS, 1, "rad", "Angle between measured and target"},
    [JOINT_TORQUE] = {"joints/torque", TRACE_FLOAT32, ROWS_JOINTS, 3, "N m",
                      "Torque of the drive on the child part in the last step, world"},
    [JOINT_STRENGTH] = {"joints/strength", TRACE_FLOAT32, ROWS_JOINTS, 1, "-",
                        "Strength of the drive in the last step, as a share of `limit`: reduced after a hit and while "
                        "lying, 0 when limp"},
    [JOINT_BLEND] = {"joints/blend", TRACE_FLOAT32, ROWS_JOINTS, 1, "-",
                     "Share of the physical pose in the pose that is shown"},
    [FOOT_POSITION] = {"feet/position", TRACE_FLOAT32, ROWS_FEET, 3, "m", "Middle of the sole, measured, world"},
    [FOOT_GROUND] = {"feet/ground_height", TRACE_FLOAT32, ROWS_FEET, 1, "m", "Height of the ground under the sole"},
    [FOOT_CLEARANCE] = {"feet/clearance", TRACE_FLOAT32, ROWS_FEET, 1, "m",
                        "Height above the ground of the lower of heel and toe, negative inside the ground"},
    [FOOT_PLANTED] = {"feet/planted", TRACE_UINT8, ROWS_FEET, 1, "-", "1: carries load"},
    [FOOT_FLAT] = {"feet/flat", TRACE_UINT8, ROWS_FEET, 1, "-", "1: carries load and lies flat (foot metrics)"},
    [FOOT_PHASE] = {"feet/phase", TRACE_FLOAT32, ROWS_FEET, 1, "-", "Share of the clip's cycle since touch-down"},
    [FOOT_STANDING] = {"feet/standing", TRACE_UINT8, ROWS_FEET, 1, "-",
                       "1: the foot should stand according to the animation"},
    [FOOT_PROGRESS] = {"feet/progress", TRACE_FLOAT32, ROWS_FEET, 1, "-",
                       "Share of the swing's time that has passed according to the animation, 1 when the foot should "
                       "stand; 0 without a plan"},
    [FOOT_REFUSED] =
        {"feet/refusal", TRACE_INT32, ROWS_FEET, 1, "-",
         "Reason why the foot stands, or will stand, away from its planned place: index into `reasons`, 0: none"},
    [COM_POSITION] = {"com/position", TRACE_FLOAT64, ROWS_ONE, 3, "m", "Centre of mass of the body, world"},
    [COM_VELOCITY] = {"com/velocity", TRACE_FLOAT64, ROWS_ONE, 3, "m/s", "Velocity of the centre of mass, world"},
    [SUPPORT_MARGIN] = {"com/support_margin", TRACE_FLOAT32, ROWS_ONE, 1, "m",
                        "Distance from the extrapolated centre of mass to the border of the base of support, negative "
                        "outside, NaN in the air"},
    [ASSIST_FORCE] = {"assist/force", TRACE_FLOAT64, ROWS_ONE, 3, "N",
                      "Force on the part that the assist holds, or on the whole of a kinematic body, mean over the "
                      "steps since the previous frame, world"},
    [ASSIST_TORQUE] =
        {"assist/torque", TRACE_FLOAT64, ROWS_ONE, 3, "N m",
         "The same for the torque, including the moment of the steps' forces that `force` at `point` does not have"},
    [ASSIST_POINT] = {"assist/point", TRACE_FLOAT64, ROWS_ONE, 3, "m",
                      "Point at which the force acts, chosen so that it has the moment of the steps' forces, world; "
                      "NaN without assist"},
    [GRAPH_WEIGHT] = {"graph/weight", TRACE_FLOAT32, ROWS_TRACKS, 1, "-",
                      "Weights of the nodes and states of the animation graph in the pose"},
    [GRAPH_REFUSED] =
        {"graph/refusals", TRACE_INT32, ROWS_GRAPH, 1, "-",
         "Number of transitions that the graph has refused so far, because the clip could not be left safely"},
    [STATE] = {"state", TRACE_INT32, ROWS_ONE, 1, "-",
               "State of the character, 0: upright, 1: lying, 2: falling, 3: getting up"},
};
const int character_channel_count = CHARACTER_CHANNELS;

// The first two have a row for each frame; the others are lists that grow independently.
const RecordChannel world_channels[] = {
    [CONTACT_FIRST] = {"/contacts/first", TRACE_INT32, ROWS_ONE, 1, "-", "First row of the frame's contacts"},
    [CONTACT_COUNT] = {"/contacts/count", TRACE_INT32, ROWS_ONE, 1, "-", "Number of the frame's contacts"},
    [CONTACT_PART] = {"/contacts/part", TRACE_INT32, ROWS_ONE, 1, "-",
                      "The part that was touched: index into `names`; beyond the last name, `number` of an object"},
    [CONTACT_OTHER] =
        {"/contacts/other", TRACE_INT32, ROWS_ONE, 1, "-",
         "What touched it, with the same indices; -1: the ground, -2: an object beyond the 64 that are recorded"},
    [CONTACT_POSITION] = {"/contacts/position", TRACE_FLOAT64, ROWS_ONE, 3, "m",
                          "Point at which the impulse acts, world"},
    [CONTACT_NORMAL] = {"/contacts/normal", TRACE_FLOAT32, ROWS_ONE, 3, "", "Normal from `other` toward `part`, world"},
    [CONTACT_IMPULSE] = {"/contacts/impulse", TRACE_FLOAT64, ROWS_ONE, 3, "N s",
                         "Impulse on `part`, summed over the steps since the previous frame, world"},
    [CONTACT_MOMENT] = {"/contacts/moment", TRACE_FLOAT64, ROWS_ONE, 3, "N m s",
                        "Angular impulse on `part` in addition to the moment of `impulse` at `position`, from friction "
                        "that resists turning"},
    [STEP_HASH] = {"/step_hash", TRACE_UINT64, ROWS_ONE, 1, "-", "Hash of all bodies' state after each physics step"},
};
const int world_channel_count = WORLD_CHANNELS;

const TraceAttribute record_attributes[] = {
    {"/", "gravity", "float64 x 3", "m/s^2", "Acceleration of free fall when the recording began"},
    {"/characters/NAME/joints/*", "limit", "float64 x joints", "N m",
     "Largest torque of each joint's drive at full strength: the body's value times the scene's factor drive.strength"},
    {"/characters/NAME/parts/*", "mass", "float64 x parts", "kg", "Mass of each part"},
    {"/characters/NAME/parts/*", "inertia", "float64 x 3 parts", "kg m^2",
     "Moments of inertia about the part's axes, which `rotation` turns: x, y, z of the first part, then of the next"},
    {"/characters/NAME/feet/refusal", "reasons", "text", "", "Names of the reasons, from 0, separated by commas"},
    {"/characters/NAME/assist/*", "part", "text", "", "The part that the assist holds when it is enabled"},
    {"/characters/NAME/assist/*", "kinematic", "float64", "-",
     "1: the body is kinematic, and force and torque are those that its motion needs in addition to gravity, contacts "
     "and events; 0: they are of an assist"},
    {"/contacts/part", "names", "text x bodies", "", "Names for the indices: CHARACTER/PART"},
    {"/contacts/other", "names", "text x bodies", "", "Names for the indices: CHARACTER/PART"},
    {"/hits/character", "names", "text x characters", "", "Names for the indices"},
    {"/hits/part", "names", "text x bodies", "", "Names for the indices: CHARACTER/PART"},
    {"/hits/strategy", "names", "text x 5", "", "Names for the indices"},
    {"/objects/NAME", "shape", "text", "", "Shape: sphere, box"},
    {"/objects/NAME", "size", "float64 x 3", "m",
     "Extent along the object's x, y, z; for a sphere the diameter three times"},
    {"/objects/NAME", "mass", "float64", "kg", "Mass; 0: not moved by forces"},
    {"/objects/NAME", "inertia", "float64 x 3", "kg m^2", "Moments of inertia about the object's x, y, z"},
    {"/objects/NAME", "ground", "float64", "-", "1: a platform, which counts as ground"},
    {"/objects/NAME", "number", "float64", "-", "Index of the object in /contacts/part and /contacts/other"},
};
const int record_attribute_count = (int)(sizeof record_attributes / sizeof record_attributes[0]);
