// Causes and cures of what can end a run early, and of warnings.
#ifndef STAGGER_SCENES_CLI_EXPLAIN_H
#define STAGGER_SCENES_CLI_EXPLAIN_H

// Prints the explanation of a code ("runaway"), of the message that the text is or contains, or of all for "all".
// Returns an exit code, after a message on stderr if there is none.
int explain_print(const char *command, const char *text);

#endif
