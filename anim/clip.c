#include "anim/clip.h"

#include <math.h>
#include <stdlib.h>

#include "anim/lanes.h"

void clip_free(Clip *clip) {
  if (!clip)
    return;
  free(clip->keys);
  free(clip);
}

// The time inside the clip, 0 .. duration.
static float clip_time(const Clip *clip, float time) {
  if (!isfinite(time))
    return 0;
  if (!clip->loop)
    return fminf(fmaxf(time, 0), clip->duration);
  float wrapped = fmodf(time, clip->duration);
  if (wrapped < 0)
    wrapped += clip->duration;
  return wrapped < clip->duration ? wrapped : 0; // the sum may round up to the duration
}

// Between two keys, the short way.
LANES_BLOCK void sample_block(const versors *a, const versors *b, Lanes t, int count, versors *out) {
  Quats from = quats_load(a, count), to = quats_load(b, count);
  Quats mean = quats_mix(from, 1 - t, to, lanes_flip(t, quats_dot(from, to)));
  quats_store(out, count, quats_normalize(mean));
}

void clip_sample(const Clip *clip, float time, Pose *pose) {
  int spans = clip->loop ? clip->key_count : clip->key_count - 1;
  float at = clip_time(clip, time) / clip->duration * (float)spans;
  int first = spans > 0 ? (int)fminf(at, (float)(spans - 1)) : 0;
  int second = first + 1 < clip->key_count ? first + 1 : clip->loop ? 0 : first;
  float t = at - (float)first;

  const Pose *a = &clip->keys[first], *b = &clip->keys[second];
  int count = pose->count = a->count, i = 0;
  points_lerp(a->position, b->position, t, count, pose->position);
  for (; i + LANES <= count; i += LANES)
    sample_block(&a->rotation[i], &b->rotation[i], lanes_all(t), LANES, &pose->rotation[i]);
  if (i < count)
    sample_block(&a->rotation[i], &b->rotation[i], lanes_all(t), count - i, &pose->rotation[i]);
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
