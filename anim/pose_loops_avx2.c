// The loops of pose_loops.c once more, with eight lanes: CMakeLists.txt has this file compiled for AVX2 (and not for
// FMA, which rounds less).
#ifdef __x86_64__
#define LANES 8
#include "anim/pose_loops.c" // NOLINT(bugprone-suspicious-include): the same code
#endif
