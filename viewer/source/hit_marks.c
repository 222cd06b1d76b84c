// Stores hits with the struck part, merges impulses of one event, and draws arrows.
#include "viewer/source/hit_marks.h"

#include <math.h>
#include <stdio.h>

static const float CABLE_LENGTH = 1.5f; // m, of what is drawn of a cable

static bool hit_goes_on(const HitMark *hit, const HitMark *impulse) {
  return hit->character == impulse->character && hit->part == impulse->part && hit->push == impulse->push &&
         hit->holds == impulse->holds && impulse->start >= hit->start && impulse->start <= hit->end + HIT_GAP;
}

int hits_add(HitMark *hits, int count, int capacity, const HitMark *impulse) {
  int first_ended = 0;
  for (int i = count - 1; i >= 0; i--) { // usually it is the last one
    if (hit_goes_on(&hits[i], impulse)) {
      hits[i].end = fmax(hits[i].end, impulse->end);
      hits[i].impulse_w = glms_vec3_add(hits[i].impulse_w, impulse->impulse_w);
      return count;
    }
    if (hits[i].end <= hits[first_ended].end)
      first_ended = i;
  }
  bool full = count == capacity;
  hits[full ? first_ended : count] = *impulse;
  return full ? count : count + 1;
}

const HitMark *hits_latest(const HitMark *hits, int count, double time) {
  const HitMark *latest = NULL;
  for (int i = 0; i < count; i++) {
    bool shown = !hits[i].holds && hits[i].start <= time && time <= hits[i].end + HIT_TEXT_TIME;
    if (shown && (!latest || hits[i].start >= latest->start))
      latest = &hits[i];
  }
  return latest;
}

void hit_describe(const HitMark *hit, double time, const char *who, const char *part, char *text, size_t size) {
  double strength = (double)glms_vec3_norm(hit->impulse_w);
  char number[32]; // two significant digits, or all digits before the decimal point
  snprintf(number, sizeof number, strength < 0.95 ? "%.2g" : strength < 9.95 ? "%.1f" : "%.0f", strength);
  snprintf(text, size, "%s%s%s N s on %s, +%.2f s", who ? who : "", who ? ": " : "", number, part, time - hit->start);
}

vec3s hit_offset(vec3s point_w, vec3s part_position, versors part_rotation) {
  return glms_quat_rotatev(glms_quat_conjugate(part_rotation), glms_vec3_sub(point_w, part_position));
}

void hits_show(const HitMark *hits, int count, int character, const vec3s *part_positions,
               const versors *part_rotations, Picture *picture) {
  for (int i = 0; i < count; i++) {
    const HitMark *hit = &hits[i];
    double age = fmax(picture->time - hit->end, 0); // s since its end
    if (hit->character != character || picture->time < hit->start || age > HIT_ARROW_TIME)
      continue;
    vec3s arm = glms_quat_rotatev(part_rotations[hit->part], hit->offset_l);
    vec3s point = glms_vec3_add(part_positions[hit->part], arm);
    if (hit->cable && age == 0)
      picture_add_cable(picture, point, glms_vec3_scale_as(hit->impulse_w, CABLE_LENGTH));
    if (!hit->holds)
      picture_add_hit(picture, point, hit->impulse_w, (float)(1 - 0.7 * age / HIT_ARROW_TIME));
  }
}

void hits_write_caption(const HitMark *hits, int count, const SceneDef *def, Picture *picture) {
  const HitMark *hit = hits_latest(hits, count, picture->time);
  if (!hit)
    return;
  const CharacterDef *character = &def->characters[hit->character];
  const char *who = def->character_count > 1 ? character->name : NULL;
  hit_describe(hit, picture->time, who, character->body->parts[hit->part].name, picture->event, sizeof picture->event);
}
