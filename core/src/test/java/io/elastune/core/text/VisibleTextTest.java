package io.elastune.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VisibleTextTest {
  /** C0, DEL, C1, separators, formatting and bidirectional characters, tags, half a pair. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 7, '\t', '\n', 0x1B, 0x7F, 0x80, 0x9B, 0x9D, 0xAD, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028,
        0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0xFEFF, 0xD800, 0xDFFF, 0xE0001, 0xE0041
      })
  void isNotShown(int codePoint) {
    assertThat(VisibleText.isVisible(codePoint)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {' ', 'a', '~', 0xA0, 0xE9, 0x200C, 0x200D, 0x4E2D, 0x5D0, 0xFFFD, 0x1F600})
  void isShown(int codePoint) {
    assertThat(VisibleText.isVisible(codePoint)).isTrue();
  }

  @Test
  void escapesAsJson() {
    String escaped = VisibleText.escape("a\u001b[31mb\u009b\u202e\ud800c\udb40\udc41");

    assertThat(escaped).isEqualTo("a\\u001b[31mb\\u009b\\u202e\\ud800c\\udb40\\udc41");
  }

  @Test
  void keepsLinesAndTabs() {
    assertThat(VisibleText.escapeLines("a\tb\r\nc\rd\n\u009b"))
        .isEqualTo("a\tb\r\nc\\u000dd\n\\u009b");
  }

  @Test
  void blanksWhatIsNotShown() {
    assertThat(VisibleText.blank("a\u001b[31m\tb\u202ec")).isEqualTo("a [31m b c");
  }

  @Test
  void returnsOrdinaryTextUnchanged() {
    String text = "Ergebnis: 0.91 \u00fcber \u5e73\u5747 \ud83d\ude00";

    assertThat(VisibleText.escape(text)).isSameAs(text);
    assertThat(VisibleText.blank(text)).isSameAs(text);
    assertThat(VisibleText.firstInvisible("ok\n\u202e", "\n")).hasValue(0x202E);
    assertThat(VisibleText.name(0x202E)).isEqualTo("U+202E");
  }
}
