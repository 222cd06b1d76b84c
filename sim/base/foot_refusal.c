// The names of the reasons for refusing a foot its place, from the list in the header.
#include "sim/base/foot_refusal.h"

#define NAME(argument, number, id, key, name, because) [id] = (name),

const char *foot_refusal_name(FootRefusal refusal) {
  static const char *const names[FOOT_REFUSAL_COUNT] = {[FOOT_NOT_REFUSED] = "", FOOT_REFUSALS(NAME, )};
  return names[refusal];
}
