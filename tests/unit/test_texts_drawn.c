// Texts that are drawn from fragments, in YAML and in XML: what is read of them, with all places, or why they are
// refused; what is set in them, written again, and asked of their nodes. To the letter.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/base/document.h"
#include "sim/base/rng.h"
#include "sim/base/text_buffer.h"
#include "sim/base/xml.h"
#include "tests/unit/text_digest.h"

#define PICK(list) list[rng_index(rng, (int)(sizeof(list) / sizeof *(list)))]

// ---- YAML ----

static void tell_node(const Node *node, int depth, TextBuffer *told) {
  text_print(told, "%*s%s %d:%d-%d:%d k%d:%d %d%d n%d '%s' '%s'", 2 * depth, "",
             node->kind == NODE_MAP    ? "map"
             : node->kind == NODE_LIST ? "list"
                                       : "text",
             node->line, node->column, node->end_line, node->end_column, node->key ? node->key_line : 0,
             node->key ? node->key_column : 0, node->quoted, node->flow, node->count, node->key ? node->key : "",
             node->kind == NODE_SCALAR ? node->text : "");
  double real = 0, reals[2];
  int whole = 0;
  bool yes = false;
  char text[8];
  Error errors[5];
  memset(errors, 0, sizeof errors);
  const bool good[] = {node_real(node, &real, &errors[0]), node_int(node, &whole, &errors[1]),
                       node_bool(node, &yes, &errors[2]), node_text(node, text, sizeof text, &errors[3]),
                       node_reals(node, reals, 2, &errors[4])};
  for (int i = 0; i < 5; i++)
    text_print(told, " %d%s", good[i], good[i] ? "" : errors[i].text);
  if (good[0])
    text_print(told, " %.17g", real);
  if (good[1])
    text_print(told, " %d", whole);
  text_print(told, "\n");
  for (const Node *child = node->first; child; child = child->next)
    tell_node(child, depth + 1, told);
}

static const char *const ODD[] = {
    "\t- x\n",       "---\n", "? complex\n", "%YAML 1.1\n", "key without colon\n", ": no key\n", "same: 1\nsame: 2\n",
    "   deeper: 1\n"};

static void draw_value(Rng *rng, TextBuffer *text) {
  static const char *const values[] = {
      "1",
      "-2.5e3",
      "1/240",
      "true",
      "no",
      "text here",
      "'quoted # text'",
      "\"esc\\n\\u00e9\"",
      "[1, 2]",
      "[a, {b: 1}]",
      "{x: 1, y: [2]}",
      "\"\"",
      "# a comment",
      "0x10",
      ".inf",
      ".nan",
      "1e400",
      "~",
      "007",
      "1_000",
      "12 # twelve",
      "2147483648",
      "1.0",
      "-7",
      "1/0",
      "[0.5, 1/4]",
      "a text that goes on and on and on, so that who breaks lines would have to break it somewhere near here",
      "[]",
      "{}"};
  static const char *const wrong[] = {"&anchor", "*alias", "[1, 2", "{x: }", "'open", "!tag v", "a: b"};
  text_print(text, " %s\n", rng_index(rng, 60) == 0 ? PICK(wrong) : PICK(values));
}

// A list or a map in block style.
static void draw_block(Rng *rng, int indent, TextBuffer *text) {
  static const char *const keys[] = {"name", "dt", "size", "a b", "'q'", "x", "list", "range"};
  const bool list = indent > 0 && rng_index(rng, 3) == 0;
  const int count = 1 + rng_index(rng, 4);
  for (int i = 0; i < count; i++) {
    if (rng_index(rng, 80) == 0)
      text_print(text, "%s", PICK(ODD));
    if (list)
      text_print(text, "%*s-", indent, "");
    else if (rng_index(rng, 60) == 0)
      text_print(text, "%*sname_1:", indent, "");
    else
      text_print(text, "%*s%s_%d:", indent, "", PICK(keys), i);
    if (indent < 6 && rng_index(rng, 4) == 0) {
      text_print(text, "\n");
      draw_block(rng, indent + 2, text);
    } else if (rng_index(rng, 12) == 0) {
      text_print(text, " |\n%*sfirst\n%*ssecond\n", indent + 2, "", indent + 2, "");
    } else {
      draw_value(rng, text);
    }
  }
}

// What a library says of bad syntax, and where, is its own.
static const char *said(Error *error) {
  char *syntax = strstr(error->text, "not valid YAML");
  return syntax ? "not valid YAML" : error->text;
}

static void tell_yaml(Rng *rng, TextBuffer *told) {
  static const char *const settings[] = {"name_1=5", "new.deep.key=[1, 2]", "dt_3=1/60", "list_0.0=x", "=1", "name_2",
                                         "a..b=1",   "size_4={q: 1}"};
  TextBuffer text = {0};
  Document document;
  Error error = {0};
  draw_block(rng, 0, &text);
  const char *setting = PICK(settings);
  text_print(told, "%s\n", document_parse(&document, "drawn.yaml", text.bytes, &error) ? "read" : said(&error));
  if (error.text[0] == '\0') {
    tell_node(document.root, 0, told);
    text_print(told, "%s: %s\n", setting, document_set(&document, setting, &error) ? "set" : said(&error));
    char *written = document_write(&document);
    text_print(told, "%s", written ? written : "not written");
    free(written);
    document_free(&document);
    Error refused = {0};
    char *edited = document_edit("drawn.yaml", text.bytes, &setting, 1, &refused);
    text_print(told, "%s\n", edited ? edited : said(&refused));
    free(edited);
  }
  text_free(&text);
}

// ---- XML ----

static void tell_element(const XmlNode *node, int depth, TextBuffer *told) {
  text_print(told, "%*s<%s> %d:%d", 2 * depth, "", node->name, node->line, node->column);
  for (int i = 0; i < node->attribute_count; i++) {
    double numbers[3] = {0, 0, 0};
    Error error = {0};
    const char *value = node->attributes[i].value;
    const int count = xml_numbers(node, node->attributes[i].name, value, 1, 3, numbers, &error);
    text_print(told, " %s='%s' %d %g %g %g %s", node->attributes[i].name, value, count, numbers[0], numbers[1],
               numbers[2], error.text);
  }
  const XmlNode *child = xml_child(node, "b"), *next = child ? xml_next(child) : NULL;
  text_print(told, " %d %d %s\n", child ? child->column : 0, next ? next->column : 0,
             xml_attribute(node, "x") ? xml_attribute(node, "x") : "-");
  for (child = node->first; child; child = child->next)
    tell_element(child, depth + 1, told);
}

static void draw_xml(Rng *rng, int depth, TextBuffer *text) {
  static const char *const names[] = {"a", "b", "body", "b"}, *const values[] = {"1 2 3",     "4",        "1 2 3 4",
                                                                                 "x",         "",         "1e3 nan",
                                                                                 "&lt;&#65;", ".5 -1e-3", " 7  8 "};
  static const char *const odd[] = {"<!-- comment -->", "text",     "<![CDATA[ <x> ]]>", "&amp;", "</wrong>",
                                    "<unclosed",        "<a x=1/>", "<a x='1' x='2'/>",  "\n\n",  "&nothing;"};
  const char *name = PICK(names);
  text_print(text, "<%s", name);
  if (rng_index(rng, 2))
    text_print(text, " x='%s'", PICK(values));
  if (rng_index(rng, 3) == 0)
    text_print(text, "\n  size=\"%s\"", PICK(values));
  text_print(text, ">");
  const int children = depth < 4 ? rng_index(rng, 3) : 0;
  for (int i = 0; i < children; i++)
    draw_xml(rng, depth + 1, text);
  if (rng_index(rng, 12) == 0)
    text_print(text, "%s", odd[rng_index(rng, rng_index(rng, 2) ? 4 : 10)]);
  text_print(text, "</%s>", name);
}

static void tell_xml(Rng *rng, TextBuffer *told) {
  TextBuffer text = {0};
  XmlDocument document;
  Error error = {0};
  draw_xml(rng, 0, &text);
  if (xml_parse(&document, "drawn.xml", text.bytes, text.size, &error)) {
    tell_element(document.root, 0, told);
    xml_free(&document);
  } else {
    text_print(told, "refused\n"); // what Expat says of it is its own
  }
  text_free(&text);
}

// ---- Names ----

static void tell_names(Rng *rng, TextBuffer *told) {
  static const char *const names[] = {"stiffness", "strength",    "damping", "pelvis",  "thigh_l",
                                      "thigh_r",   "upper_arm_l", "x",       "heading", "speed"};
  char word[24];
  snprintf(word, sizeof word, "%s", PICK(names));
  const int changes = rng_index(rng, 4);
  for (int i = 0; i < changes; i++) {
    const size_t length = strlen(word);
    word[rng_index(rng, (int)length)] = (char)('a' + rng_index(rng, 26));
  }
  const int count = 1 + rng_index(rng, 10);
  const char *closest = closest_name(word, names, count);
  text_print(told, "%s: %s%s\n", word, closest ? closest : "none", name_hint(word, names, count).text);
}

static const struct {
  const char *name;
  int count;
  void (*tell)(Rng *rng, TextBuffer *told);
  uint64_t kept;
} SETS[] = {{"yaml", 400, tell_yaml, 0x11bfcb04b8318856},
            {"xml", 300, tell_xml, 0xedb211f9a44df58f},
            {"names", 300, tell_names, 0xda584ca02c620d4c}};

static void texts_to_the_letter(void **state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++) {
    Rng rng = rng_make(1, SETS[i].name);
    TextBuffer told = {0};
    for (int n = 0; n < SETS[i].count; n++)
      SETS[i].tell(&rng, &told);
    assert_false(told.failed);
    wrong += !text_is_kept(SETS[i].name, told.bytes, SETS[i].kept);
    text_free(&told);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts_to_the_letter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
