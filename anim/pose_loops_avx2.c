// The loops of pose_loops.c with eight lanes. CMakeLists.txt compiles this file for AVX2, but not for FMA, whose
// results are rounded differently.
#ifdef __x86_64__
#define LANES 8
#include "anim/pose_loops.c" // NOLINT(bugprone-suspicious-include): the same code
#endif
