// Parses XML with expat into a tree of elements that store their places.
#include "sim/base/xml.h"

#include <expat.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_TEXT = 16 << 20, DEEPEST_NESTING = 200, MOST_ELEMENTS = 50000 };

typedef struct Block {
  struct Block *previous;
  max_align_t bytes[];
} Block;

static void *document_alloc(XmlDocument *document, size_t size) {
  Block *block = malloc(sizeof *block + size);
  if (!block)
    return NULL;
  block->previous = document->memory;
  document->memory = block;
  return memset(block->bytes, 0, size);
}

void xml_free(XmlDocument *document) {
  for (Block *block = document->memory; block;) {
    Block *previous = block->previous;
    free(block);
    block = previous;
  }
  *document = (XmlDocument){0};
}

// ---- Reading: expat's events become nodes ----

typedef struct Builder {
  XML_Parser parser;
  XmlDocument *document;
  Error *error;
  const char *file;
  XmlNode *open; // the innermost element that has not ended
  int depth, elements;
  bool failed;
} Builder;

static void fail(Builder *builder, const char *what) {
  if (!builder->failed)
    error_at(builder->error, builder->file, (int)XML_GetCurrentLineNumber(builder->parser),
             (int)XML_GetCurrentColumnNumber(builder->parser) + 1, "%s", what);
  builder->failed = true;
  XML_StopParser(builder->parser, XML_FALSE);
}

// Copies a text and moves on behind it.
static const char *add_text(char **to, const char *text) {
  const size_t size = strlen(text) + 1;
  const char *copy = memcpy(*to, text, size);
  *to += size;
  return copy;
}

// Node, attributes and all texts of an element in one piece of memory.
static XmlNode *make_node(XmlDocument *document, const char *name, const char **pairs) {
  size_t texts = strlen(name) + 1;
  int count = 0;
  for (; pairs[2 * count]; count++)
    texts += strlen(pairs[2 * count]) + strlen(pairs[2 * count + 1]) + 2;
  const size_t attributes = (size_t)count * sizeof(XmlAttribute);
  XmlNode *node = document_alloc(document, sizeof *node + attributes + texts);
  if (!node)
    return NULL;
  node->attributes = (XmlAttribute *)(node + 1);
  node->attribute_count = count;
  char *to = (char *)(node->attributes + count);
  node->name = add_text(&to, name);
  for (int i = 0; i < count; i++) {
    node->attributes[i].name = add_text(&to, pairs[2 * i]);
    node->attributes[i].value = add_text(&to, pairs[2 * i + 1]);
  }
  return node;
}

static void XMLCALL start_element(void *data, const char *name, const char **pairs) {
  Builder *builder = data;
  if (builder->failed)
    return;
  if (++builder->depth > DEEPEST_NESTING || ++builder->elements > MOST_ELEMENTS) {
    fail(builder, builder->depth > DEEPEST_NESTING ? "elements are nested deeper than 200"
                                                   : "there are more than 50000 elements");
    return;
  }
  XmlNode *node = make_node(builder->document, name, pairs);
  if (!node) {
    fail(builder, "out of memory");
    return;
  }
  node->file = builder->file;
  node->line = (int)XML_GetCurrentLineNumber(builder->parser);
  node->column = (int)XML_GetCurrentColumnNumber(builder->parser) + 1;
  node->parent = builder->open;
  if (!node->parent)
    builder->document->root = node;
  else if (node->parent->last)
    node->parent->last->next = node;
  else
    node->parent->first = node;
  if (node->parent)
    node->parent->last = node;
  builder->open = node;
}

static void XMLCALL end_element(void *data, const char *name) {
  (void)name;
  Builder *builder = data;
  builder->depth--;
  if (builder->open && !builder->failed)
    builder->open = builder->open->parent;
}

static void XMLCALL refuse_doctype(void *data, const char *name, const char *system, const char *public, int internal) {
  (void)name, (void)system, (void)public, (void)internal;
  fail(data, "a document type (<!DOCTYPE>) is not read");
}

// Adds the elements of a text, whose first one becomes the root.
static bool parse_into(XmlDocument *document, const char *name, const char *text, size_t size, Error *error) {
  if (size > LARGEST_TEXT)
    return error_at(error, name, 0, 0, "is larger than 16 MiB");
  Builder builder = {.parser = XML_ParserCreate(NULL), .document = document, .error = error, .file = name};
  if (!builder.parser)
    return error_at(error, name, 0, 0, "out of memory");
  XML_SetUserData(builder.parser, &builder);
  XML_SetElementHandler(builder.parser, start_element, end_element);
  XML_SetStartDoctypeDeclHandler(builder.parser, refuse_doctype);
  const bool parsed = XML_Parse(builder.parser, text, (int)size, XML_TRUE) == XML_STATUS_OK;
  if (!parsed && !builder.failed)
    fail(&builder, XML_ErrorString(XML_GetErrorCode(builder.parser)));
  XML_ParserFree(builder.parser);
  return !builder.failed;
}

bool xml_parse(XmlDocument *document, const char *name, const char *text, size_t size, Error *error) {
  *document = (XmlDocument){0};
  const bool good = parse_into(document, name, text, size, error);
  if (!good)
    xml_free(document);
  return good;
}

// The pointer that leads to an element from the one before it, or from its parent.
static XmlNode **link_to(XmlNode *element) {
  XmlNode **link = &element->parent->first;
  while (*link != element)
    link = &(*link)->next;
  return link;
}

bool xml_replace(XmlDocument *document, XmlNode *element, const char *name, const char *text, size_t size,
                 Error *error) {
  XmlNode *root = document->root, *parent = element->parent;
  const size_t name_size = strlen(name) + 1;
  char *copy = document_alloc(document, name_size);
  if (!copy)
    return error_at(error, name, 0, 0, "out of memory");
  memcpy(copy, name, name_size);
  const bool good = parse_into(document, copy, text, size, error);
  const XmlNode *other = document->root;
  document->root = root;
  if (!good)
    return false;
  for (XmlNode *child = other->first; child; child = child->next)
    child->parent = parent;
  XmlNode **link = link_to(element);
  if (other->first) {
    *link = other->first;
    other->last->next = element->next;
  } else {
    *link = element->next;
  }
  parent->last = parent->first;
  while (parent->last && parent->last->next)
    parent->last = parent->last->next;
  return true;
}

int xml_count(const XmlNode *node) {
  int count = 1;
  for (const XmlNode *child = node->first; child; child = child->next)
    count += xml_count(child);
  return count;
}

// ---- The tree ----

bool xml_is(const XmlNode *node, const char *name) { return strcmp(node->name, name) == 0; }

const XmlNode *xml_child(const XmlNode *node, const char *name) {
  for (const XmlNode *child = node ? node->first : NULL; child; child = child->next)
    if (xml_is(child, name))
      return child;
  return NULL;
}

const XmlNode *xml_next(const XmlNode *node) {
  for (const XmlNode *next = node->next; next; next = next->next)
    if (xml_is(next, node->name))
      return next;
  return NULL;
}

const char *xml_attribute(const XmlNode *node, const char *name) {
  for (int i = 0; node && i < node->attribute_count; i++)
    if (strcmp(node->attributes[i].name, name) == 0)
      return node->attributes[i].value;
  return NULL;
}

bool xml_error(const XmlNode *node, Error *error, const char *format, ...) {
  char what[ERROR_TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return error_at(error, node->file, node->line, node->column, "<%s>: %s", node->name, what);
}

// Whether nothing but white space is left.
static bool is_blank(const char *text) { return text[strspn(text, " \t\r\n")] == '\0'; }

int xml_numbers(const XmlNode *node, const char *attribute, const char *text, int least, int most, double values[],
                Error *error) {
  int count = 0;
  while (!is_blank(text)) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || !(*end == '\0' || strchr(" \t\r\n", *end)) || !isfinite(value)) {
      xml_error(node, error, "%s: '%.40s' is not a finite number", attribute, text + strspn(text, " \t\r\n"));
      return -1;
    }
    if (count < most)
      values[count] = value;
    count++;
    text = end;
  }
  if (count >= least && count <= most)
    return count;
  if (least == most)
    xml_error(node, error, "%s has %d number%s, needed %s %d", attribute, count, count == 1 ? "" : "s",
              least == 1 ? "is" : "are", least);
  else
    xml_error(node, error, "%s has %d number%s, allowed are %d to %d", attribute, count, count == 1 ? "" : "s", least,
              most);
  return -1;
}
