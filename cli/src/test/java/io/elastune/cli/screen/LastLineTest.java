package io.elastune.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LastLineTest {
  @Test
  void showsLastLineOfOutput() {
    assertThat(LastLine.of("exit 1; last lines:\nTraceback\n  boom: lr too big\n\n"))
        .isEqualTo("exit 1: boom: lr too big");
  }

  @Test
  void showsFirstLineWithoutOutput() {
    assertThat(LastLine.of("exit 1: ValueError\nTraceback")).isEqualTo("exit 1: ValueError");
    assertThat(LastLine.of("exit 1; last lines:")).isEqualTo("exit 1; last lines:");
    assertThat(LastLine.of("")).isEmpty();
  }

  @Test
  void truncatesLongLines() {
    assertThat(LastLine.of("x".repeat(5000)).length()).isLessThan(150);
  }
}
