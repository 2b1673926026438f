package io.elastune.core.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RandomStreamsTest {
  @Test
  void streamsWithDifferentNamesDiffer() {
    assertThat(
            Arrays.asList(
                first(RandomStreams.of(1)),
                first(RandomStreams.of(2)),
                first(RandomStreams.of(1).at("a")),
                first(RandomStreams.of(1).at("b")),
                first(RandomStreams.of(1).at("a").at("b")),
                first(RandomStreams.of(1).at("ab")),
                first(RandomStreams.of(1).at(0)),
                first(RandomStreams.of(1).at(1)),
                first(RandomStreams.of(1).at(0).at(1)),
                first(RandomStreams.of(1).at(1).at(0))))
        .doesNotHaveDuplicates();
  }

  private static long first(RandomStreams streams) {
    return streams.open().nextLong();
  }
}
