package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalLogTest {
  /** In the table, ~ is the escape character, ^ the bell, | a carriage return. */
  @ParameterizedTest
  @CsvSource({
    "epoch 1, epoch 1",
    "'~[1;31mred~[0m plain', '~[1;31mred~[0m plain~[0m'",
    "'~[38:5:9mred', '~[38:5:9mred~[0m'",
    "~]0;title^text, text",
    "~]8;;http://x~\\link~]8;;~\\, link",
    "~[2J~[10;10Hforged~[K, forged",
    "~[?25l~[1Aup, up",
    "~cbell^, bell\\u0007",
    "~P1$rdata~\\x, x",
    "~, \\u001b",
    "10%|20%|, 20%",
    "'10%|~[32m20%', '~[32m20%~[0m'"
  })
  void showsColorsOnly(String line, String shown) {
    assertThat(TerminalLog.shown(written(line))).isEqualTo(written(shown));
  }

  private static String written(String line) {
    return line.replace('~', '\u001b').replace('^', '\u0007').replace('|', '\r');
  }
}
