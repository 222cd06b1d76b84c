// How to run: ./dev fuzz
// Any bytes are read as a model of MuJoCo or a robot of URDF, by its first element; a file of that name may include
// itself. The first byte says whether it is fitted to a human, and kept as it is. A refused file must come with an
// error.
#include <string.h>

#include "fuzzer.h"

#include "ragdoll/body/link_body.h"
#include "ragdoll/body/mjcf_read.h"
#include "ragdoll/body/urdf_read.h"

static const BodyDef *open_human(void) {
  static BodyDef *human;
  if (!human) {
    FileSet files = {0};
    Error error = {0};
    human = body_read(&files, "bodies/human.yaml", &error);
    check(human != NULL);
    files_free(&files);
  }
  return human;
}

static BodyDef *read_model(LinkModel *model, XmlDocument *document, FileSet *files, bool human, Error *error) {
  const bool good = xml_is(document->root, "robot")
                        ? urdf_read(model, document, error)
                        : mjcf_include(model, document, files, error) && mjcf_read(model, document, error);
  if (!good)
    return NULL;
  strcpy(model->name, "model");
  return link_body(model, human ? open_human() : NULL, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  FileSet files = {.sealed = true};
  const File *file = files_put(&files, "m.xml", (const char *)data + 1, size - 1);
  check(file != NULL);
  XmlDocument document = {0};
  LinkModel *model = calloc(1, sizeof *model);
  check(model != NULL);
  model->as_is = (data[0] & 2) != 0;
  Error error = {0};
  BodyDef *body = NULL;
  if (xml_parse(&document, "m.xml", file->bytes, file->size, &error))
    body = read_model(model, &document, &files, (data[0] & 1) != 0, &error);
  check((body != NULL) == (error.text[0] == '\0'));
  body_free(body);
  text_free(&model->notes);
  free(model);
  xml_free(&document);
  files_free(&files);
  return 0;
}
