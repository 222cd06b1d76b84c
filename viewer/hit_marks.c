#include "viewer/hit_marks.h"

#include <stdio.h>
#include <string.h>

void hit_marks_add(HitMarks *hits, const HitMark *hit, double step) {
  for (int i = hits->count - 1; i >= 0; i--) {
    HitMark *last = &hits->hits[i];
    if (last->character == hit->character && last->part == hit->part && hit->time - last->time <= 1.5 * step) {
      last->time = hit->time;
      last->impulse_w = glms_vec3_add(last->impulse_w, hit->impulse_w);
      return;
    }
  }
  if (hits->count == HIT_MARKS_MAX)
    memmove(hits->hits, hits->hits + 1, sizeof(HitMark) * (size_t)--hits->count);
  hits->hits[hits->count++] = *hit;
}

vec3s hit_offset(vec3s point_w, vec3s part_position, versors part_rotation) {
  return glms_quat_rotatev(glms_quat_conjugate(part_rotation), glms_vec3_sub(point_w, part_position));
}

void hit_marks_show(const HitMarks *hits, int character, const BodyDef *body, const vec3s *part_positions,
                    const versors *part_rotations, Picture *picture) {
  for (int i = 0; i < hits->count; i++) {
    const HitMark *hit = &hits->hits[i];
    double age = picture->time - hit->time;
    if (hit->character != character || age < 0)
      continue;
    vec3s arm = glms_quat_rotatev(part_rotations[hit->part], hit->offset_l);
    vec3s point = glms_vec3_add(part_positions[hit->part], arm);
    if (age <= HIT_ARROW_TIME)
      picture_add_hit(picture, point, hit->impulse_w, (float)(1 - 0.7 * age / HIT_ARROW_TIME));
    if (age <= HIT_TEXT_TIME) { // short: it has to fit a narrow panel
      double strength = (double)glms_vec3_norm(hit->impulse_w);
      snprintf(picture->event, sizeof picture->event, "%.*f N s on %s, +%.2f s", strength < 9.95 ? 1 : 0, strength,
               body->parts[hit->part].name, age);
    }
  }
}
