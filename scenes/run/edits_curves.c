// The curves of a scene that can be changed while it runs: their list, and their overrides.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "anim/layers/layer_kinds.h"
#include "scenes/run/edits_internal.h"

// The curves of a group; NULL: it has none.
static const CurveTable *curves_of(const EditGroup *group) {
  if (group->table == &hit_reaction_params)
    return &hit_reaction_curves;
  for (int i = 0; i < layer_kind_count; i++)
    if (layer_kinds[i]->params == group->table)
      return layer_kinds[i]->curves;
  return NULL;
}

// ---- The list ----

// Of the row "blend.dv": "characters.a.hit_reaction.blend", the path of the key whose value is overridden.
static void write_key(char *path, size_t size, const EditGroup *group, const CurveRow *row) {
  snprintf(path, size, "%s.%.*s", group->path, (int)strcspn(row->name, "."), row->name);
}

static const char *name_in_map(const CurveRow *row) {
  const char *dot = strchr(row->name, '.');
  return dot ? dot + 1 : NULL;
}

static bool is_same_key(const CurveRow *a, const CurveRow *b) {
  const size_t length = strcspn(a->name, ".");
  return length == strcspn(b->name, ".") && strncmp(a->name, b->name, length) == 0;
}

// Whether a node is a map of curves, {dv: ..., direction: ...}, instead of the first of them.
static bool is_map_of(const CurveTable *table, const CurveRow *row, const Node *node) {
  for (int i = 0; i < table->count; i++)
    if (is_same_key(&table->rows[i], row) && node_find(node, name_in_map(&table->rows[i])))
      return true;
  return false;
}

// The node of a curve in the document; NULL: it is not there.
static const Node *find_node(const Node *root, const EditGroup *group, const CurveRow *row) {
  char path[256];
  write_key(path, sizeof path, group, row);
  const Node *node = node_path(root, path);
  if (!node || !name_in_map(row))
    return node;
  const CurveTable *table = curves_of(group);
  if (is_map_of(table, row, node))
    return node_find(node, name_in_map(row));
  const bool is_first = row == table->rows || !is_same_key(row, row - 1);
  return is_first ? node : NULL;
}

bool edits_list_curves(Edits *edits) {
  int most = 0;
  for (int i = 0; i < edits->group_count; i++)
    most += curves_of(&edits->groups[i]) ? curves_of(&edits->groups[i])->count : 0;
  edits->curves = calloc((size_t)most + 1, sizeof *edits->curves);
  Document document;
  if (!edits->curves || !document_parse(&document, edits->def->path, edits->def->source, NULL))
    return false;
  for (int i = 0; i < edits->group_count; i++) {
    const CurveTable *table = curves_of(&edits->groups[i]);
    for (int k = 0; table && k < table->count; k++) {
      const Node *node = find_node(document.root, &edits->groups[i], &table->rows[k]);
      edits->curves[edits->curve_count++] =
          (EditCurve){i, &table->rows[k], node ? node->line : 0, node ? node->column : 0};
    }
  }
  document_free(&document);
  return true;
}

int edits_curve_count(const Edits *edits) { return edits->curve_count; }
const EditCurve *edits_curve(const Edits *edits, int index) { return &edits->curves[index]; }

static Curve *curve_now(const Edits *edits, const EditCurve *edit) {
  return curve_at(edit->row, edits->groups[edit->group].values);
}

static const Curve *curve_opened(const Edits *edits, const EditCurve *edit) {
  return curve_at(edit->row, edits->opened[edit->group]);
}

static bool is_changed(const Edits *edits, const EditCurve *edit) {
  return !curve_is_equal(curve_now(edits, edit), curve_opened(edits, edit));
}

const Curve *edits_curve_now(const Edits *edits, int index) { return curve_now(edits, &edits->curves[index]); }
const Curve *edits_curve_opened(const Edits *edits, int index) { return curve_opened(edits, &edits->curves[index]); }
bool edits_curve_is_changed(const Edits *edits, int index) { return is_changed(edits, &edits->curves[index]); }

// ---- Changes ----

// The index of the override of a curve's key; the number of overrides when there is none.
static int find_override(const Edits *edits, const char *key) {
  const size_t length = strlen(key);
  int i = edits->own_count;
  while (i < edits->override_count &&
         (strncmp(edits->overrides[i], key, length) != 0 || edits->overrides[i][length] != '='))
    i++;
  return i;
}

enum { MOST_PARTS = 8 };

// The curves of one key: a single one, or those of a map.
typedef struct KeyParts {
  const EditCurve *parts[MOST_PARTS];
  int count;
} KeyParts;

static KeyParts list_parts(const Edits *edits, const EditCurve *edit) {
  KeyParts list = {.count = 0};
  for (int i = 0; i < edits->curve_count && list.count < MOST_PARTS; i++) {
    const EditCurve *other = &edits->curves[i];
    if (other->group == edit->group && is_same_key(other->row, edit->row))
      list.parts[list.count++] = other;
  }
  return list;
}

static bool is_key_changed(const Edits *edits, const KeyParts *key) {
  for (int i = 0; i < key->count; i++)
    if (is_changed(edits, key->parts[i]))
      return true;
  return false;
}

// Writes the value of a key in the form that it has in the document: a map of the curves that are there or changed, or
// its first curve alone. node: its present value, may be NULL.
static void write_value(FILE *out, const Edits *edits, const EditCurve *edit, const Node *node) {
  const CurveTable *table = curves_of(&edits->groups[edit->group]);
  const KeyParts key = list_parts(edits, edit);
  const bool is_map = node && name_in_map(edit->row) && is_map_of(table, edit->row, node);
  bool written[MOST_PARTS], as_map = is_map;
  for (int i = 0; i < key.count; i++) {
    const char *name = name_in_map(key.parts[i]->row);
    const bool is_there = is_map ? node_find(node, name) != NULL : node && i == 0;
    written[i] = is_there || is_changed(edits, key.parts[i]);
    as_map = as_map || (written[i] && i > 0);
  }
  const char *gap = as_map ? "{" : "";
  for (int i = 0; i < key.count; i++) {
    if (!written[i])
      continue;
    char text[CURVE_TEXT_SIZE];
    curve_write(curve_now(edits, key.parts[i]), text, sizeof text);
    if (as_map)
      fprintf(out, "%s%s: ", gap, name_in_map(key.parts[i]->row));
    fputs(text, out);
    gap = ", ";
  }
  fputs(as_map ? "}" : "", out);
}

// The override of a curve's key, "characters.a.hit_reaction.blend=[[0, 0], [1, 1]]". The caller frees it; NULL: no
// memory.
static char *make_override(const Edits *edits, const EditCurve *edit, const char *path, const Document *document) {
  char *override = NULL;
  size_t size;
  FILE *out = open_memstream(&override, &size);
  if (!out)
    return NULL;
  fprintf(out, "%s=", path);
  write_value(out, edits, edit, node_path(document->root, path));
  if (fclose(out) == 0)
    return override;
  free(override);
  return NULL;
}

// Reads the curves of the edit's group from the document, as a check.
static bool reads_back(const Edits *edits, const EditCurve *edit, const Document *document, Error *error) {
  const EditGroup *group = &edits->groups[edit->group];
  void *values = malloc(group->table->size);
  if (!values)
    return error_set(error, "%s: out of memory", edits->def->path);
  memcpy(values, group->values, group->table->size);
  const bool good = curve_table_read(curves_of(group), values, node_path(document->root, group->path), error);
  free(values);
  return good;
}

// Adds the override for the present curve to the list, in which there is none for its key.
static bool add_override(Edits *edits, const EditCurve *edit, const char *path, Error *error) {
  Document document;
  if (!document_parse(&document, edits->def->path, edits->def->source, error))
    return false;
  bool good = true;
  for (int i = 0; i < edits->override_count && good; i++)
    good = document_set(&document, edits->overrides[i], error);
  char *override = good ? make_override(edits, edit, path, &document) : NULL;
  good = override && document_set(&document, override, error) && reads_back(edits, edit, &document, error);
  document_free(&document);
  if (good) {
    edits->overrides[edits->override_count++] = override;
    return true;
  }
  free(override);
  return error_set(error, "%s: out of memory", edits->def->path); // keeps an earlier error
}

bool edits_set_curve(Edits *edits, int index, const Curve *curve, Error *error) {
  const EditCurve *edit = &edits->curves[index];
  Curve *now = curve_now(edits, edit);
  const Curve before = *now;
  char path[256];
  write_key(path, sizeof path, &edits->groups[edit->group], edit->row);
  const int old = find_override(edits, path);
  char *older = old < edits->override_count ? edits_take_out(edits, old) : NULL;
  *now = *curve;
  const KeyParts key = list_parts(edits, edit);
  if (!is_key_changed(edits, &key) || add_override(edits, edit, path, error)) {
    free(older);
    return true;
  }
  *now = before;
  if (older)
    edits->overrides[edits->override_count++] = older;
  return false;
}

bool edits_revert_curves(Edits *edits, Scene *scene, Error *error) {
  bool good = true;
  for (int i = 0; i < edits->curve_count; i++) {
    const EditCurve *edit = &edits->curves[i];
    if (!is_changed(edits, edit))
      continue;
    *curve_now(edits, edit) = *curve_opened(edits, edit);
    if (scene)
      good = scene_retune_curve(scene, &edits->groups[edit->group], error) && good;
  }
  return good;
}

bool scene_retune_curve(Scene *scene, const EditGroup *group, Error *error) {
  if (edits_is_of_layer(group->table)) // layers read their curves by themselves
    return true;
  return character_retune(scene->characters[group->character], error);
}
