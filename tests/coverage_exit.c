// Line counts are written when a process ends by exit. Child processes end by _exit; the linker replaces it by this
// function if lines are counted (./dev coverage).

// NOLINTBEGIN(bugprone-reserved-identifier): the names are those of the linker's option --wrap, and gcc's.
void __gcov_dump(void);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);

_Noreturn void __wrap__exit(int status) {
  __gcov_dump();
  __real__exit(status);
}
// NOLINTEND(bugprone-reserved-identifier)
