// The list of export formats: one row for each, with its name, its ending and its functions.
#include "scenes/export/export.h"

const ExportFormat export_formats[] = {
    {"glb", "a glTF binary", "bodies, ground, cameras and animation (Blender, three.js)", OUTPUT_GLB, export_glb},
    {"bvh", "a BVH file", "skeleton and motion of one character, in cm (Blender, MotionBuilder)", OUTPUT_BVH,
     export_bvh},
    {"csv", "a CSV table", "a table of the trace (R, pandas), see --table", OUTPUT_CSV, export_csv},
    {"sto", "an OpenSim storage file", "coordinates of one character with moments, assist, ground forces", OUTPUT_STO,
     export_sto},
    {"mot", "an OpenSim motion file", "coordinates of one character, in degrees", OUTPUT_STO, export_mot},
    {"trc", "an OpenSim marker file", "markers at joints, soles and ends of parts of one character, in mm", OUTPUT_TRC,
     export_trc},
    {"c3d", "a C3D file", "the same markers for programs of motion laboratories, in mm", OUTPUT_C3D, export_c3d},
    {"npz", "a NumPy archive", "joint rotations and angles, markers, times; of a human also AMASS' arrays", OUTPUT_NPZ,
     export_npz},
    {"mcap", "an MCAP file", "poses, shapes, hits and joint angles (Foxglove, Rerun, PlotJuggler)", OUTPUT_MCAP,
     export_mcap},
    {0},
};
const int export_format_count = sizeof export_formats / sizeof export_formats[0] - 1;
