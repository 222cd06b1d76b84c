// What a run leaves behind: declares the channels of a trace for the characters of a scene and fills in its frames.
#ifndef STAGGER_SCENES_RECORD_H
#define STAGGER_SCENES_RECORD_H

#include "ragdoll/character.h"
#include "sim/trace.h"

enum { RECORD_MAX_CONTACTS = 4096 };

// How many values a channel has in one frame: one row of `width` values, or one row for each joint (without the
// root), part or foot.
typedef enum RecordRows { ROWS_ONE, ROWS_JOINTS, ROWS_PARTS, ROWS_FEET } RecordRows;

typedef struct RecordChannel {
  const char *path; // below /characters/<name>, or in the file
  TraceType type;
  RecordRows rows;
  int width; // 1 for scalars
  const char *unit, *description;
} RecordChannel;

// One list for the recorder and for the reference.
extern const RecordChannel character_channels[], contact_channels[];
extern const int character_channel_count, contact_channel_count;

typedef struct Recorder Recorder;

// Declares all channels. The writer stays the caller's; nothing is allocated after this.
Recorder *recorder_create(TraceWriter *writer, const World *world, Character *const *characters, int count,
                          Error *error);
void recorder_destroy(Recorder *recorder);

// NULL and 0 without a recorder. Dropped: contacts beyond RECORD_MAX_CONTACTS in one frame.
TraceWriter *recorder_trace(const Recorder *recorder);
long recorder_dropped(const Recorder *recorder);

// After every physics step: adds up what a frame sums over its steps (contacts, assist), and records the step's hash.
void recorder_step(Recorder *recorder);

// Writes a frame. False once writing has failed.
bool recorder_frame(Recorder *recorder);

// Contacts of several steps, merged into one for each pair of bodies and place (within 3 cm). Impulses are summed; the
// position is the one at which the sum has the moment of all of them, as far as one point can have it.
typedef struct ContactSum {
  int body, other;
  double anchor[3];   // m, where the first one was
  double weight;      // sum of |J|, N s
  double centroid[3]; // sum of |J| (p - anchor)
  double normal[3];   // sum of |J| n
  double impulse[3];  // sum of J, N s
  double moment[3];   // sum of (p - anchor) x J, N m s
} ContactSum;

typedef struct ContactSums {
  ContactSum sums[RECORD_MAX_CONTACTS];
  int count;
  long dropped;
} ContactSums;

void contact_sums_add(ContactSums *sums, const Contact *contact);
void contact_sum_result(const ContactSum *sum, double position[3], double normal[3]);

#endif
