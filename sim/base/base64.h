// Bytes as base64 text.
#ifndef STAGGER_SIM_BASE_BASE64_H
#define STAGGER_SIM_BASE_BASE64_H

#include <stddef.h>

size_t base64_size(size_t size); // of the text, without a zero byte at its end

// Writes base64_size(size) characters and no zero byte.
void base64_write(const void *bytes, size_t size, char *text);

// The text of bytes, ended by a zero byte. The caller frees it; NULL: no memory.
char *base64_text(const void *bytes, size_t size);

#endif
