// Writes a document's tree as YAML text with libyaml's emitter.
#include <string.h>
#include <yaml.h>

#include "sim/base/document.h"
#include "sim/base/text_buffer.h"

static int append(void *text, unsigned char *bytes, size_t size) {
  text_append(text, (const char *)bytes, size);
  return !((const TextBuffer *)text)->failed;
}

static bool emit_text(yaml_emitter_t *emitter, const char *text, bool quoted) {
  yaml_event_t event;
  yaml_scalar_style_t style = quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_PLAIN_SCALAR_STYLE;
  return yaml_scalar_event_initialize(&event, NULL, NULL, (const yaml_char_t *)text, (int)strlen(text), 1, 1, style) &&
         yaml_emitter_emit(emitter, &event);
}

// Recursive; a document has at most 32 levels.
static bool emit_node(yaml_emitter_t *emitter, const Node *node) {
  if (node->kind == NODE_SCALAR)
    return emit_text(emitter, node->text, node->quoted);
  yaml_event_t event;
  bool ok;
  if (node->kind == NODE_MAP)
    ok = yaml_mapping_start_event_initialize(&event, NULL, NULL, 1,
                                             node->flow ? YAML_FLOW_MAPPING_STYLE : YAML_BLOCK_MAPPING_STYLE);
  else
    ok = yaml_sequence_start_event_initialize(&event, NULL, NULL, 1,
                                              node->flow ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE);
  ok = ok && yaml_emitter_emit(emitter, &event);
  for (const Node *child = node->first; ok && child; child = child->next)
    ok = (!child->key || emit_text(emitter, child->key, false)) && emit_node(emitter, child);
  if (!ok)
    return false;
  ok = node->kind == NODE_MAP ? yaml_mapping_end_event_initialize(&event) : yaml_sequence_end_event_initialize(&event);
  return ok && yaml_emitter_emit(emitter, &event);
}

static bool emit_document(yaml_emitter_t *emitter, const Node *root) {
  yaml_event_t event;
  return yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING) && yaml_emitter_emit(emitter, &event) &&
         yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1) && yaml_emitter_emit(emitter, &event) &&
         emit_node(emitter, root) && //
         yaml_document_end_event_initialize(&event, 1) && yaml_emitter_emit(emitter, &event) &&
         yaml_stream_end_event_initialize(&event) && yaml_emitter_emit(emitter, &event);
}

char *document_write(const Document *document) {
  yaml_emitter_t emitter;
  if (!document->root || !yaml_emitter_initialize(&emitter))
    return NULL;
  TextBuffer text = {0};
  yaml_emitter_set_output(&emitter, append, &text);
  yaml_emitter_set_unicode(&emitter, 1);
  yaml_emitter_set_width(&emitter, -1); // no line breaks inside texts and flow lists
  bool ok = emit_document(&emitter, document->root);
  yaml_emitter_delete(&emitter);
  if (ok)
    return text.bytes;
  text_free(&text);
  return NULL;
}
