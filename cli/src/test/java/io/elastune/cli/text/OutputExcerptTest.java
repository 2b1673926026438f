package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutputExcerptTest {
  @Test
  void showsLastLineOfOutput() {
    assertThat(OutputExcerpt.of("exit 1; last lines:\nTraceback\n  boom: lr too big\n\n"))
        .isEqualTo("exit 1: boom: lr too big");
    assertThat(OutputExcerpt.of("exit 1; last lines:\n  KeyError: 1\nValueError: b\nstarting\n"))
        .isEqualTo("exit 1: ValueError: b");
    assertThat(OutputExcerpt.of("exit code 3; end of its output:\nget\nno wheel\n"))
        .isEqualTo("exit code 3: no wheel");
  }

  @Test
  void showsFirstLineWithoutOutput() {
    assertThat(OutputExcerpt.of("exit 1: ValueError\nTraceback")).isEqualTo("exit 1: ValueError");
    assertThat(OutputExcerpt.of("exit 1; last lines:")).isEqualTo("exit 1; last lines:");
    assertThat(OutputExcerpt.of("")).isEmpty();
  }

  @Test
  void truncatesLongLines() {
    assertThat(OutputExcerpt.of("x".repeat(5000)).length()).isLessThan(410);
  }
}
