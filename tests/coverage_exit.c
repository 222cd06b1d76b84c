// Counts of lines are written when a process ends by exit; children end by _exit, which the linker turns into this where
// lines are counted (./dev coverage).
#include <gcov.h>
#include <unistd.h>

// The names are the linker's, of its option --wrap.
// NOLINTBEGIN(bugprone-reserved-identifier)
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
// NOLINTEND(bugprone-reserved-identifier)

_Noreturn void __wrap__exit(int status) {
  __gcov_dump();
  __real__exit(status);
}
