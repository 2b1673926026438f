package io.elastune.cli.svg;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkupEscaperTest {
  @Test
  void escapesMarkup() {
    assertThat(MarkupEscaper.escape("<script>alert(\"1 & 2\")</script> 'x'"))
        .isEqualTo("&lt;script&gt;alert(&quot;1 &amp; 2&quot;)&lt;/script&gt; &#39;x&#39;");
  }

  @Test
  void replacesInvalidCharacters() {
    assertThat(MarkupEscaper.escape("a\u0000b\u001b[1mc\uD800d\n\t\uD83D\uDE80"))
        .isEqualTo("a\uFFFDb\uFFFD[1mc\uFFFDd\n\t\uD83D\uDE80");
  }
}
