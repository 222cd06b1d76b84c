// An XML file as a tree of elements that store their places, read with expat. Text between elements is left out;
// document types, and with them entities of a file's own, are errors.
#ifndef STAGGER_SIM_BASE_XML_H
#define STAGGER_SIM_BASE_XML_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/base/error.h"

typedef struct XmlAttribute {
  const char *name, *value;
} XmlAttribute;

typedef struct XmlNode {
  const char *name; // of the element
  const char *file; // as given to xml_parse
  int line, column; // counted from 1; of the element's '<'
  XmlAttribute *attributes;
  int attribute_count;
  struct XmlNode *parent, *first, *last, *next; // parent: NULL for the root
} XmlNode;

typedef struct XmlDocument {
  XmlNode *root;
  void *memory;
} XmlDocument;

// Parses a text; name: what error messages call it. Text over 16 MiB, nesting deeper than 200 and more than 50000
// elements are errors. On failure the document is empty and need not be freed.
bool xml_parse(XmlDocument *document, const char *name, const char *text, size_t size, Error *error);
void xml_free(XmlDocument *document);

// Parses another text and puts the children of its root in the place of one of the document's elements, which is not
// its root. The new elements are the document's; name is copied. On failure the document is unchanged but for memory
// that xml_free frees.
bool xml_replace(XmlDocument *document, XmlNode *element, const char *name, const char *text, size_t size,
                 Error *error);

int xml_count(const XmlNode *node); // the element and all below it

// The first child with that name, and the next sibling with the same name as the node; NULL when there is none.
const XmlNode *xml_child(const XmlNode *node, const char *name);
const XmlNode *xml_next(const XmlNode *node);

bool xml_is(const XmlNode *node, const char *name); // whether the element has that name

const char *xml_attribute(const XmlNode *node, const char *name); // NULL when absent

// Sets the error "file:line:column: <element>: ...". Returns false.
bool xml_error(const XmlNode *node, Error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Reads the numbers of a text that is an attribute of the node, separated by white space: at least `least` and at most
// `most`, all finite. Returns their count, or -1 with an error at the node that names the attribute.
int xml_numbers(const XmlNode *node, const char *attribute, const char *text, int least, int most, double values[],
                Error *error);

#endif
