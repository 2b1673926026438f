package io.elastune.core.config.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArticlesTest {
  @ParameterizedTest
  @ValueSource(strings = {"a name of a bucket", "a HOST:PORT", "an id", "an ID of a project"})
  void followsTheSound(String text) {
    assertThat(Articles.with(text.substring(text.indexOf(' ') + 1))).isEqualTo(text);
  }
}
