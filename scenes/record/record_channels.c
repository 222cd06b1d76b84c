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
    [PART_VELOCITY] = {"parts/linear_velocity", TRACE_FLOAT64, ROWS_PARTS, 3, "m/s", "Of the centre of mass, world"},
    [PART_SPIN] = {"parts/angular_velocity", TRACE_FLOAT64, ROWS_PARTS, 3, "rad/s", "World"},
    [JOINT_ERROR] = {"joints/error", TRACE_FLOAT32, ROWS_JOINTS, 1, "rad", "Angle between measured and target"},
    [JOINT_TORQUE] = {"joints/torque", TRACE_FLOAT32, ROWS_JOINTS, 3, "N m",
                      "Of the drive on the child, last step, world"},
    [JOINT_STRENGTH] =
        {"joints/strength", TRACE_FLOAT32, ROWS_JOINTS, 1, "-",
         "Share of `limit` that the drive had in the last step: less after a hit and lying, 0 when limp"},
    [JOINT_BLEND] = {"joints/blend", TRACE_FLOAT32, ROWS_JOINTS, 1, "-", "Physical share of the pose that is shown"},
    [FOOT_POSITION] = {"feet/position", TRACE_FLOAT32, ROWS_FEET, 3, "m", "Middle of the sole, measured, world"},
    [FOOT_GROUND] = {"feet/ground_height", TRACE_FLOAT32, ROWS_FEET, 1, "m", "Height of the ground under it"},
    [FOOT_CLEARANCE] = {"feet/clearance", TRACE_FLOAT32, ROWS_FEET, 1, "m",
                        "Lower of heel and toe over the ground, negative inside"},
    [FOOT_PLANTED] = {"feet/planted", TRACE_UINT8, ROWS_FEET, 1, "-", "1: carries load"},
    [FOOT_FLAT] = {"feet/flat", TRACE_UINT8, ROWS_FEET, 1, "-", "1: carries load and lies flat (foot metrics)"},
    [FOOT_PHASE] = {"feet/phase", TRACE_FLOAT32, ROWS_FEET, 1, "-", "Share of the clip's cycle since touch-down"},
    [FOOT_STANDING] = {"feet/standing", TRACE_UINT8, ROWS_FEET, 1, "-", "1: is to stand, by the animation's plan"},
    [FOOT_PROGRESS] = {"feet/progress", TRACE_FLOAT32, ROWS_FEET, 1, "-",
                       "Share of its swing's time by the animation's plan, 1 when it is to stand; 0: there is no plan"},
    [FOOT_REFUSED] = {"feet/refusal", TRACE_INT32, ROWS_FEET, 1, "-",
                      "Why it stands, or will stand, elsewhere than it was to: counted in `reasons`, 0: it does not"},
    [COM_POSITION] = {"com/position", TRACE_FLOAT64, ROWS_ONE, 3, "m", "Centre of mass of the body, world"},
    [COM_VELOCITY] = {"com/velocity", TRACE_FLOAT64, ROWS_ONE, 3, "m/s", "Its velocity, world"},
    [SUPPORT_MARGIN] = {"com/support_margin", TRACE_FLOAT32, ROWS_ONE, 1, "m",
                        "Extrapolated centre of mass to the border of support, negative outside, NaN in the air"},
    [ASSIST_FORCE] =
        {"assist/force", TRACE_FLOAT64, ROWS_ONE, 3, "N",
         "On the part that it holds, or on all of a kinematic body, mean over the steps since the frame before, "
         "world"},
    [ASSIST_TORQUE] = {"assist/torque", TRACE_FLOAT64, ROWS_ONE, 3, "N m",
                       "The same, with the moment that the steps' forces have beside that of `force` at `point`"},
    [ASSIST_POINT] =
        {"assist/point", TRACE_FLOAT64, ROWS_ONE, 3, "m",
         "Where that force acts, so that it has the moment of all steps' forces, world; NaN without assist"},
    [GRAPH_WEIGHT] = {"graph/weight", TRACE_FLOAT32, ROWS_TRACKS, 1, "-",
                      "What plays: weight of the nodes and states of the animation's graph in the pose"},
    [GRAPH_REFUSED] = {"graph/refusals", TRACE_INT32, ROWS_GRAPH, 1, "-",
                       "Transitions that the graph has refused so far: asked for when the clip was not safe to leave"},
    [STATE] = {"state", TRACE_INT32, ROWS_ONE, 1, "-", "0: upright, 1: lies, 2: falls, 3: gets up"},
};
const int character_channel_count = CHARACTER_CHANNELS;

// The first two have a row for each frame; the others are lists that grow independently.
const RecordChannel world_channels[] = {
    [CONTACT_FIRST] = {"/contacts/first", TRACE_INT32, ROWS_ONE, 1, "-", "First row of the frame's contacts"},
    [CONTACT_COUNT] = {"/contacts/count", TRACE_INT32, ROWS_ONE, 1, "-", "How many contacts the frame has"},
    [CONTACT_PART] = {"/contacts/part", TRACE_INT32, ROWS_ONE, 1, "-",
                      "What was touched: index into `names`; beyond them the object with that `number`"},
    [CONTACT_OTHER] = {"/contacts/other", TRACE_INT32, ROWS_ONE, 1, "-",
                       "By what, counted alike; -1: the ground, -2: an object beyond the 64 that are recorded"},
    [CONTACT_POSITION] = {"/contacts/position", TRACE_FLOAT64, ROWS_ONE, 3, "m", "Where the impulse acts, world"},
    [CONTACT_NORMAL] = {"/contacts/normal", TRACE_FLOAT32, ROWS_ONE, 3, "", "Out of `other` toward `part`, world"},
    [CONTACT_IMPULSE] = {"/contacts/impulse", TRACE_FLOAT64, ROWS_ONE, 3, "N s",
                         "On `part`, summed over the steps since the frame before, world"},
    [CONTACT_MOMENT] =
        {"/contacts/moment", TRACE_FLOAT64, ROWS_ONE, 3, "N m s",
         "On `part` beside the moment that the impulse has at `position`: friction that resists turning"},
    [STEP_HASH] = {"/step_hash", TRACE_UINT64, ROWS_ONE, 1, "-", "Hash of all bodies' state after each physics step"},
};
const int world_channel_count = WORLD_CHANNELS;

const TraceAttribute record_attributes[] = {
    {"/", "gravity", "float64 x 3", "m/s^2", "Acceleration of free fall when the recording began"},
    {"/characters/NAME/joints/*", "limit", "float64 x joints", "N m",
     "Most torque of each joint's drive at full strength: of the body, times the scene's factor drive.strength"},
    {"/characters/NAME/parts/*", "mass", "float64 x parts", "kg", "Mass of each part"},
    {"/characters/NAME/parts/*", "inertia", "float64 x 3 parts", "kg m^2",
     "Moments of inertia about the part's axes as `rotation` turns them: x, y, z of the first part, then the next"},
    {"/characters/NAME/feet/refusal", "reasons", "text", "",
     "What its numbers stand for: from 0 on, with commas between them"},
    {"/characters/NAME/assist/*", "part", "text", "", "The part that the assist holds when it is enabled"},
    {"/characters/NAME/assist/*", "kinematic", "float64", "-",
     "1: the body is kinematic, and this is what its motion takes beside gravity, contacts and events; 0: it is an "
     "assist"},
    {"/contacts/part", "names", "text x bodies", "", "What the indices stand for: CHARACTER/PART"},
    {"/contacts/other", "names", "text x bodies", "", "What the indices stand for: CHARACTER/PART"},
    {"/hits/character", "names", "text x characters", "", "What the indices stand for"},
    {"/hits/part", "names", "text x bodies", "", "What the indices stand for: CHARACTER/PART"},
    {"/hits/strategy", "names", "text x 5", "", "What the indices stand for"},
    {"/objects/NAME", "shape", "text", "", "Shape: sphere, box"},
    {"/objects/NAME", "size", "float64 x 3", "m", "Extent along its own x, y, z: of a sphere three times the diameter"},
    {"/objects/NAME", "mass", "float64", "kg", "Mass; 0: no force moves it"},
    {"/objects/NAME", "inertia", "float64 x 3", "kg m^2", "Moments of inertia about its own x, y, z"},
    {"/objects/NAME", "ground", "float64", "-", "1: a platform, which counts as ground"},
    {"/objects/NAME", "number", "float64", "-", "By which /contacts/part and /contacts/other call it"},
};
const int record_attribute_count = (int)(sizeof record_attributes / sizeof record_attributes[0]);
