// The bar of long work: drawn on a terminal, within its width, and removed; and interrupts that only set a flag.
#define _GNU_SOURCE // posix_openpt
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <cmocka.h>

#include "scenes/output/progress.h"

// A terminal in place of stderr.
typedef struct Terminal {
  int screen, saved;
} Terminal;

// Skips the test if the system has no terminal, as in a chroot without /dev/pts.
static Terminal terminal_begin(unsigned short columns) {
  Terminal terminal = {.screen = posix_openpt(O_RDWR | O_NOCTTY), .saved = dup(STDERR_FILENO)};
  if (terminal.screen < 0 || grantpt(terminal.screen) != 0 || unlockpt(terminal.screen) != 0)
    skip();
  int keyboard = open(ptsname(terminal.screen), O_RDWR | O_NOCTTY);
  if (keyboard < 0)
    skip();
  assert_int_equal(dup2(keyboard, STDERR_FILENO), STDERR_FILENO);
  close(keyboard);
  assert_int_equal(ioctl(STDERR_FILENO, TIOCSWINSZ, &(struct winsize){.ws_row = 24, .ws_col = columns}), 0);
  return terminal;
}

// What was written since the last time.
static void terminal_read(const Terminal *terminal, char *text, size_t size) {
  ssize_t count = read(terminal->screen, text, size - 1);
  text[count > 0 ? count : 0] = '\0';
}

static void terminal_end(const Terminal *terminal) {
  dup2(terminal->saved, STDERR_FILENO);
  close(terminal->saved);
  close(terminal->screen);
}

static void test_bar_on_a_terminal(void **state) {
  (void)state;
  Terminal terminal = terminal_begin(40);
  char text[256];
  Progress progress = progress_begin(true);
  assert_true(progress.shown);
  progress_update(&progress, 0.5); // too soon to be seen
  progress.started -= 8;
  progress.updated -= 1;
  progress_update_with(&progress, 0.8, ", trial 8 of 10 of a study with a long name");
  terminal_read(&terminal, text, sizeof text);
  assert_string_equal(text, "\r[################    ]  80 %, 2 s left,\033[K"); // 39 of 40 columns

  progress_end(&progress);
  terminal_read(&terminal, text, sizeof text);
  assert_string_equal(text, "\r\033[K");
  assert_false(progress_begin(false).shown);
  terminal_end(&terminal);
}

static void test_no_bar_elsewhere(void **state) {
  (void)state;
  int ends[2], saved = dup(STDERR_FILENO);
  assert_int_equal(pipe(ends), 0);
  dup2(ends[1], STDERR_FILENO);
  Progress progress = progress_begin(true);
  progress.updated -= 1;
  progress_update(&progress, 0.5);
  progress_end(&progress);
  dup2(saved, STDERR_FILENO);
  close(saved);
  close(ends[1]);
  char byte;
  assert_int_equal(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

static void test_the_first_interrupt_is_a_request(void **state) {
  (void)state;
  interrupt_catch();
  assert_false(interrupt_requested());
  raise(SIGINT);
  assert_true(interrupt_requested());
  struct sigaction after;
  assert_int_equal(sigaction(SIGINT, NULL, &after), 0);
  assert_true(after.sa_handler == SIG_DFL); // the second one ends the program
  signal(SIGTERM, SIG_DFL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bar_on_a_terminal),
      cmocka_unit_test(test_no_bar_elsewhere),
      cmocka_unit_test(test_the_first_interrupt_is_a_request),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
