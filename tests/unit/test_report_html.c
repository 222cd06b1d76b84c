// Pages: foreign texts are escaped, numbers and bytes are written in the formats' syntax.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scenes/report/html.h"
#include "sim/base/base64.h"

static void assert_html(Html *html, const char *wanted) {
  assert_false(html->failed);
  assert_string_equal(html->bytes ? html->bytes : "", wanted);
  assert_int_equal(html->size, strlen(wanted));
  text_free(html);
}

static void test_text_is_escaped(void **state) {
  (void)state;
  Html html = {0};
  html_text(&html, "<b class=\"x\">Tom & 'Jerry'</b>\n");
  assert_html(&html, "&lt;b class=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/b&gt;\n");
  html_text(&html, "5 \xc2\xb0, 90 \xe2\x80\x93 180, \xf0\x9f\x8f\x83"); // UTF-8 stays
  assert_html(&html, "5 \xc2\xb0, 90 \xe2\x80\x93 180, \xf0\x9f\x8f\x83");
  html_element(&html, "td", "code", "a<b");
  html_element(&html, "p", NULL, "");
  assert_html(&html, "<td class=\"code\">a&lt;b</td><p></p>");
}

static void test_invalid_text_is_replaced(void **state) {
  (void)state;
  static const char *const broken[] = {"\xff", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\x01"};
  for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
    Html html = {0};
    char text[16] = "a";
    strcat(strcat(text, broken[i]), "z");
    html_text(&html, text);
    assert_true(html.bytes[0] == 'a' && strncmp(html.bytes + 1, "\xef\xbf\xbd", 3) == 0);
    assert_true(html.bytes[html.size - 1] == 'z');
    text_free(&html);
  }
  Html html = {0};
  html_text(&html, "\xe2\x80"); // cut off
  assert_html(&html, "\xef\xbf\xbd\xef\xbf\xbd");
}

static void test_numbers(void **state) {
  (void)state;
  static const struct {
    double value, step;
    const char *text;
  } cases[] = {{1.25, 0.25, "1.25"},  {2, 0.5, "2.0"},   {-0.0001, 0.1, "0.0"},
               {-1500, 500, "-1500"}, {0.3, 0.1, "0.3"}, {0.02, 0.005, "0.020"},
               {22.5, 0, "22.5"},     {3, 0, "3"},       {1e-5, 2e-6, "0.000010"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Html html = {0};
    html_number(&html, cases[i].value, cases[i].step);
    assert_html(&html, cases[i].text);
  }
}

static void test_base64(void **state) {
  (void)state;
  // RFC 4648, section 10.
  static const char *const cases[][2] = {{"", ""},
                                         {"f", "Zg=="},
                                         {"fo", "Zm8="},
                                         {"foo", "Zm9v"},
                                         {"foob", "Zm9vYg=="},
                                         {"fooba", "Zm9vYmE="},
                                         {"foobar", "Zm9vYmFy"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    Html html = {0};
    html_base64(&html, cases[i][0], strlen(cases[i][0]));
    char *text = base64_text(cases[i][0], strlen(cases[i][0]));
    assert_string_equal(text, cases[i][1]);
    free(text);
    assert_html(&html, cases[i][1]);
  }
  char *text = base64_text("\xff\xfe\x00\x80", 4);
  assert_string_equal(text, "//4AgA==");
  free(text);
}

static void test_data_cannot_end_their_element(void **state) {
  (void)state;
  Html html = {0};
  html_json(&html, "{\"text\":\"</script><!-- <b>\"}");
  assert_html(&html, "{\"text\":\"\\u003c/script>\\u003c!-- \\u003cb>\"}");
}

static void test_long_texts_grow(void **state) {
  (void)state;
  Html html = {0};
  for (int i = 0; i < 5000; i++)
    text_print(&html, "%04d,", i);
  assert_int_equal(html.size, 25000);
  assert_memory_equal(html.bytes + 24995, "4999,", 6);
  text_free(&html);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text_is_escaped),
      cmocka_unit_test(test_invalid_text_is_replaced),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_base64),
      cmocka_unit_test(test_data_cannot_end_their_element),
      cmocka_unit_test(test_long_texts_grow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
