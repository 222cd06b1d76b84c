// Rows of the reference, for `stagger reference TEXT`.
#ifndef STAGGER_SCENES_CLI_REFERENCE_ROWS_H
#define STAGGER_SCENES_CLI_REFERENCE_ROWS_H

// Prints the rows of all tables of `reference`, the whole one as Markdown, that contain the text or have that path
// ("balance.delay", "events.0.impulse"), or whose heading contains it, each table with its heading. Cuts `reference`
// into lines. Returns the exit code.
int reference_print_rows(const char *text, char *reference);

#endif
