// Recorded motion from files of other programs (BVH, FBX, glTF/GLB, Collada, DeepMimic's JSON, AMASS' npz): a skeleton
// of any size and its keys, converted to metres and to our frame (X left, Y up, Z forward). Retargeting turns it into a
// Clip of one of our bodies.
#ifndef STAGGER_ANIM_MOTION_MOTION_H
#define STAGGER_ANIM_MOTION_MOTION_H

#include "anim/skeleton.h"
#include "sim/base/error.h"
#include "sim/base/files.h"
#include "sim/base/text_buffer.h"

enum { MOTION_MAX_JOINTS = 1024, MOTION_MAX_FRAMES = 360000, MOTION_NAME_SIZE = 64, MOTION_MAX_VERTICES = 1 << 17 };
enum { MOTION_MESH_JOINTS = 4, MOTION_MAX_TRIANGLES = 1 << 19 }; // that hold a vertex; of a mesh

typedef struct MotionJoint {
  char name[MOTION_NAME_SIZE];
  int parent; // -1 for joint 0 only; parents come before their children
  vec3s bind_position_l;
  versors bind_rotation_l; // rest pose of the file (bind pose of a skin), turned to stand along Y and face +Z
} MotionJoint;

// How the file's numbers are interpreted. Axes are those that assimp delivers: it has already converted Collada and FBX
// files that declare an up axis other than y.
typedef struct MotionOptions {
  double unit;    // m per unit of the file; 0: estimated from the figure's height
  int up_axis;    // 0 x, 1 y, 2 z; -1: estimated
  int front_axis; // 0 +x, 1 +y, 2 +z, 3 -x, 4 -y, 5 -z in the file's axes; -1: estimated from feet, hips or the
                  // direction of motion
  char animation[MOTION_NAME_SIZE]; // name of the animation in the file; "": the first
  bool skin;                        // whether the vertices of meshes are read, too
  bool mesh;                        // whether the meshes are read whole
} MotionOptions;

// A vertex of a mesh, at the joint that dominates it.
typedef struct MotionVertex {
  int joint;
  vec3s position_l; // m, in the joint's frame in the rest pose
} MotionVertex;

// A vertex of a mesh with all joints that hold it: it lies at the sum of weight * (place of position_l).
typedef struct MotionMeshVertex {
  int joint[MOTION_MESH_JOINTS];
  float weight[MOTION_MESH_JOINTS];     // sum 1; 0: none
  vec3s position_l[MOTION_MESH_JOINTS]; // m, in the joints' frames in the rest pose
  vec3s color;                          // of the material, sRGB, 0 .. 1
} MotionMeshVertex;

typedef struct Motion {
  char name[MOTION_NAME_SIZE];                           // of the animation
  char format[16];                                       // BVH, FBX, glTF, Collada, DeepMimic or AMASS
  MotionOptions found;                                   // the given or estimated options
  char unit_reason[96], up_reason[96], front_reason[96]; // explanations for people: "the figure is 1.63 m tall in cm"
  int joint_count;
  MotionJoint *joints;
  int frame_count;     // >= 1, uniform in time
  double frame_rate;   // Hz
  int repeats;         // what the file says: +1 it is a loop, -1 it plays once; 0: nothing
  vec3s *position_l;   // [frame_count * joint_count], m
  versors *rotation_l; // [frame_count * joint_count], unit
  int vertex_count;    // 0 unless asked for by MotionOptions.skin; at most MOTION_MAX_VERTICES, evenly picked
  MotionVertex *vertices;
  int mesh_vertex_count, triangle_count; // 0 unless asked for by MotionOptions.mesh
  MotionMeshVertex *mesh_vertices;
  unsigned (*triangles)[3]; // indices into mesh_vertices
  char warnings[1024];      // one sentence a line: wrong frame counts, a dropped first frame in T-pose, ignored scales
} Motion;

// Writes the names of all animations of a file. Returns their number, at most `most`; -1 on error.
int motion_list(const File *file, char (*names)[MOTION_NAME_SIZE], int most, Error *error);

// Puts the buffers of a .gltf file, which may be files beside it, into its bytes in the set, where motion_read and
// traces need them. Other files stay. Returns the file; NULL when it was, or with an error that names the buffer.
const File *motion_gather(FileSet *files, const File *file, Error *error);

// Reads a file (already in memory; it must not need other files) through assimp, in a child process with limits on time
// and memory, since assimp crashes on some broken files. Returns NULL and an error that names file and cause: no
// skeleton, cyclic hierarchy, values not finite, file too large, reader crashed. A skeleton without animation gives one
// frame, the rest pose, and a warning. The animation is chosen by its name or by the part of it behind '|' ("Walk" of
// "Armature|Walk"). options NULL: everything is estimated.
Motion *motion_read(const File *file, const MotionOptions *options, Error *error);
void motion_free(Motion *motion);

MotionOptions motion_options_default(void); // all options to be estimated

// Joint positions of a frame in the world, [joint_count], m.
void motion_place(const Motion *motion, int frame, vec3s *positions, versors *rotations);

#define MOTION_ENDINGS ".bvh, .fbx, .gltf, .glb, .vrm, .vrma, .dae, .json and .npz"

// Whether a file's name has the ending of a format that motion_read knows.
bool motion_is_known(const char *name);

// Errors when the ending is that of a format of motions that is not read, or of markers without joints. True: it is
// another one.
bool motion_check_ending(const char *name, Error *error);

// The motion as BVH text, which the caller frees. NULL: no memory.
char *motion_write_bvh(const Motion *motion);

// The same in pieces, for a motion that is too long to be held as a whole. The text grows by what each call writes; the
// caller may take it away between calls, and tells by its `failed` when memory has run out.
typedef struct BvhWriter BvhWriter;

// Writes the joints of `motion`, which must outlive the writer, and that frame_count frames follow. Joints other than
// the root whose position in the parent's frame changes in the frames of `motion` (it may have none) may move. NULL: no
// memory.
BvhWriter *bvh_begin(const Motion *motion, int frame_count, TextBuffer *text);

// Adds the frames of a motion with the same joints.
void bvh_add(BvhWriter *writer, const Motion *piece);
void bvh_end(BvhWriter *writer); // NULL is fine

#endif
