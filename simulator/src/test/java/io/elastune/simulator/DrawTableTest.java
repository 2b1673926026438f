package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DrawTableTest {
  private static final int WIDTH = 3;
  private static final int SAMPLES = 2500;
  private static final Streams STREAMS = Streams.of(7).at("trial").at("1");

  @Test
  void drawsTheSameWhetherKeptOrNot() {
    Law law = Law.of(new Spread(10, 0.5));
    DrawTable kept = new DrawTable(law, STREAMS, WIDTH, SAMPLES, true);
    DrawTable streamed = new DrawTable(law, STREAMS, WIDTH, SAMPLES, false);

    for (int plan = 0; plan < 2; plan++) {
      for (int sample = 0; sample < SAMPLES; sample++) {
        assertThat(row(streamed, sample)).isEqualTo(row(kept, sample));
      }
    }
    assertThat(streamed.values()).hasSize(WIDTH);
  }

  @Test
  void moreSamplesBeginWithTheSameOnes() {
    Law law = Law.of(new Spread(10, 0.5));
    DrawTable few = new DrawTable(law, STREAMS, WIDTH, 5, true);
    DrawTable many = new DrawTable(law, STREAMS, WIDTH, SAMPLES, true);

    for (int sample = 0; sample < 5; sample++) {
      assertThat(row(few, sample)).isEqualTo(row(many, sample));
    }
  }

  @Test
  void whatDoesNotVaryIsHeldOnce() {
    DrawTable table = new DrawTable(Law.of(Spread.exactly(10)), STREAMS, WIDTH, SAMPLES, true);

    assertThat(row(table, SAMPLES - 1)).containsExactly(10, 10, 10);
    assertThat(table.values()).hasSize(WIDTH);
  }

  @Test
  void logNormalHasTheMeanAndSpreadAskedFor() {
    double[] draws = new double[400_000];
    Law.of(new Spread(60, 0.4)).open(STREAMS).fill(draws, 0, draws.length);

    double mean = Arrays.stream(draws).average().orElseThrow();
    double variance =
        Arrays.stream(draws).map(d -> (d - mean) * (d - mean)).average().orElseThrow();
    assertThat(mean).isCloseTo(60, within(0.2));
    assertThat(Math.sqrt(variance) / mean).isCloseTo(0.4, within(0.004));
  }

  @Test
  void streamsOfOtherNamesAreOthers() {
    assertThat(
            Arrays.asList(
                first(Streams.of(1)),
                first(Streams.of(2)),
                first(Streams.of(1).at("a")),
                first(Streams.of(1).at("b")),
                first(Streams.of(1).at("a").at("b")),
                first(Streams.of(1).at("ab")),
                first(Streams.of(1).at(0)),
                first(Streams.of(1).at(1)),
                first(Streams.of(1).at(0).at(1)),
                first(Streams.of(1).at(1).at(0))))
        .doesNotHaveDuplicates();
  }

  private static long first(Streams streams) {
    return streams.open().nextLong();
  }

  private static double[] row(DrawTable table, int sample) {
    int from = table.offset(sample);
    return Arrays.copyOfRange(table.values(), from, from + WIDTH);
  }
}
