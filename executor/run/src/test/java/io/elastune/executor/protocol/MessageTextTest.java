package io.elastune.executor.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MessageTextTest {
  @Test
  void colorsAndEarlierVersionsOfLineAreLeftOut() {
    assertThat(MessageText.singleLine("  \u001b[1;31mValueError\u001b[0m: x\t\u0007 "))
        .isEqualTo("  ValueError: x");
    assertThat(MessageText.singleLine(" 10%|#  |\r 20%|## |\r\r\n")).isEqualTo(" 20%|## |");
    assertThat(MessageText.singleLine("a".repeat(300))).hasSize(201).endsWith("a…");
  }
}
