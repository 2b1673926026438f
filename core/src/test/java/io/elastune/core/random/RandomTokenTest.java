package io.elastune.core.random;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RandomTokenTest {
  @Test
  void tokensDiffer() {
    String token = RandomToken.next(16);
    assertThat(token).matches("[0-9a-f]{32}").isNotEqualTo(RandomToken.next(16));
  }
}
