package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RungTasksLineTest {
  @Test
  void countsManyTasksInWholeNumbers() {
    assertThat(RungTasksLine.number(1_200, true)).isEqualTo("1,200");
    assertThat(RungTasksLine.number(11_340.08, false)).isEqualTo("~11,340");
    assertThat(RungTasksLine.number(18.66, false)).isEqualTo("~18.7");
  }
}
