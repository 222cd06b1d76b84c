// Samples clips: interpolates between the keys around a time, and reads contacts and root motion at any time.
#include "anim/clip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "anim/pose_loops.h"

void clip_free(Clip *clip) {
  if (!clip)
    return;
  free(clip->keys);
  free(clip);
}

// The time inside the clip, 0 .. duration, for a loop or a clip that ends.
static float clip_time(const Clip *clip, float time) {
  if (!isfinite(time))
    return 0;
  if (!clip->loop)
    return fminf(fmaxf(time, 0), clip->duration);
  float wrapped = fmodf(time, clip->duration);
  if (wrapped < 0)
    wrapped += clip->duration;
  return wrapped < clip->duration ? wrapped : 0; // rounding of the sum can give the duration itself
}

void clip_sample(const Clip *clip, float time, Pose *pose) {
  int spans = clip->loop ? clip->key_count : clip->key_count - 1;
  float at = clip_time(clip, time) / clip->duration * (float)spans;
  int first = spans > 0 ? (int)fminf(at, (float)(spans - 1)) : 0;
  int second = first + 1 < clip->key_count ? first + 1 : clip->loop ? 0 : first;
  float t = at - (float)first;

  const Pose *a = &clip->keys[first], *b = &clip->keys[second];
  const PoseLoops *loops = pose_loops();
  int count = pose->count = a->count;
  loops->lerp(a->position, b->position, t, count, pose->position);
  loops->mix(a->rotation, b->rotation, t, count, pose->rotation);
}

bool clip_contact(const Clip *clip, int leg, float time) {
  float t = clip_time(clip, time);
  for (int i = 0; i < clip->contact_count; i++) {
    const ClipContact *c = &clip->contacts[i];
    bool inside = c->begin <= c->end ? t >= c->begin && t < c->end : t >= c->begin || t < c->end;
    if (c->leg == leg && inside)
      return true;
  }
  return false;
}

const ClipContact *clip_first_contact(const Clip *clip, int leg) {
  for (int i = 0; i < clip->contact_count; i++)
    if (clip->contacts[i].leg == leg)
      return &clip->contacts[i];
  return NULL;
}

const ClipMark *clip_mark(const Clip *clip, const char *name) {
  for (int i = 0; i < clip->mark_count; i++)
    if (strcmp(clip->marks[i].name, name) == 0)
      return &clip->marks[i];
  return NULL;
}
