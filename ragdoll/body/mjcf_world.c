// Which of the bodies of an MJCF file's world is read.
#include <string.h>

#include "ragdoll/body/mjcf_internal.h"

static bool is_free(const XmlNode *body) {
  for (const XmlNode *node = body->first; node; node = node->next) {
    const char *type = xml_attribute(node, "type");
    if (xml_is(node, "freejoint") || (xml_is(node, "joint") && type && strcmp(type, "free") == 0))
      return true;
  }
  return false;
}

static int count_joints(const XmlNode *node) {
  int count = xml_is(node, "joint") ? 1 : 0;
  for (const XmlNode *child = node->first; child; child = child->next)
    count += count_joints(child);
  return count;
}

typedef struct Search {
  const Mjcf *mjcf;
  const XmlNode *best;
  Frame outer; // of the best
  int joints, count;
} Search;

static void consider(Search *search, const XmlNode *body, const Frame *outer) {
  const int joints = count_joints(body);
  search->count++;
  if (search->best && (joints < search->joints || (joints == search->joints && is_free(search->best) >= is_free(body))))
    return;
  search->best = body;
  search->joints = joints;
  search->outer = *outer;
}

// The bodies of the world are in it or in frames; of a <replicate> the first copy counts.
static bool search_in(Search *search, const XmlNode *node, const Frame *outer) {
  for (const XmlNode *child = node->first; child; child = child->next) {
    if (xml_is(child, "body"))
      consider(search, child, outer);
    if (!xml_is(child, "frame") && !xml_is(child, "replicate"))
      continue;
    Frame inner = FRAME_NONE;
    if (xml_is(child, "frame") && !mjcf_frame(&(MjcfNode){search->mjcf, child, ""}, &inner))
      return false;
    const Frame whole = frame_within(outer, &inner);
    if (!search_in(search, child, &whole))
      return false;
  }
  return true;
}

const XmlNode *mjcf_find_body(const Mjcf *mjcf, Frame *outer) {
  Search search = {.mjcf = mjcf, .outer = FRAME_NONE};
  const Frame world = FRAME_NONE;
  for (const XmlNode *node = xml_child(mjcf->root, "worldbody"); node; node = xml_next(node))
    if (!search_in(&search, node, &world))
      return NULL;
  if (search.count > 1)
    link_note(mjcf->model, "of the %d bodies of the world '%s' is taken%s", search.count,
              xml_attribute(search.best, "name") ? xml_attribute(search.best, "name") : "the first",
              search.joints > 0 ? ", which has the most joints" : "");
  *outer = search.outer;
  return search.best;
}
