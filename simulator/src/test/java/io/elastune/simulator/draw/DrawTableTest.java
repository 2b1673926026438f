package io.elastune.simulator.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.random.RandomStreams;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DrawTableTest {
  private static final int WIDTH = 3;
  // Several blocks; the last one is partial.
  private static final int SAMPLES = 500;
  private static final long ALL = Long.MAX_VALUE;
  private static final long NONE = 0;
  private static final long ROOM_FOR_SOME =
      (2L * SampleBlocks.SIZE + SampleBlocks.SIZE - 1) * WIDTH * Double.BYTES;
  private static final DrawDistribution LAW = DrawDistributions.of(new Spread(10, 0.5));
  private static final RandomStreams STREAMS = RandomStreams.of(7).at("trial").at("1");

  @Test
  void drawsAreEqualWithAndWithoutCache() {
    DrawReader kept = reader(LAW, SAMPLES, ALL);
    DrawReader streamed = reader(LAW, SAMPLES, NONE);

    for (int plan = 0; plan < 2; plan++) {
      for (int sample = 0; sample < SAMPLES; sample++) {
        assertThat(row(streamed, sample)).isEqualTo(row(kept, sample));
      }
    }
    assertThat(streamed.values()).hasSize(WIDTH);
  }

  @Test
  void cachesBlocksUpToTheLimit() {
    AtomicLong room = new AtomicLong(ROOM_FOR_SOME);
    DrawTable table = new DrawTable(LAW, STREAMS, WIDTH, SAMPLES, room);

    assertThat(table.block(5)).isPresent();
    assertThat(table.block(2)).isPresent();
    assertThat(table.block(3)).isEmpty();
    // The last block is partial and has fewer.
    assertThat(table.block(SampleBlocks.of(SAMPLES) - 1)).isPresent();
    assertThat(table.block(5)).isPresent();
    assertThat(room.get()).isNotNegative();
  }

  @Test
  void readsSamplesInAnyOrder() {
    DrawReader inOrder = reader(LAW, SAMPLES, ALL);
    double[][] rows = new double[SAMPLES][];
    Arrays.setAll(rows, sample -> row(inOrder, sample));
    for (long room : new long[] {ALL, ROOM_FOR_SOME, NONE}) {
      DrawReader jumping = reader(LAW, SAMPLES, room);
      for (int sample : new int[] {499, 3, 3, 2, 64, 63, 128, 130, 0}) {
        assertThat(row(jumping, sample)).as("sample %s", sample).isEqualTo(rows[sample]);
      }
    }
  }

  @Test
  void samplesDiffer() {
    DrawReader reader = reader(LAW, SAMPLES, ALL);
    double[] firsts = new double[SAMPLES];
    Arrays.setAll(firsts, sample -> row(reader, sample)[0]);

    assertThat(firsts).doesNotHaveDuplicates();
  }

  @Test
  void moreSamplesStartWithTheSameOnes() {
    DrawReader few = reader(LAW, 5, ALL);
    DrawReader many = reader(LAW, SAMPLES, ALL);

    for (int sample = 0; sample < 5; sample++) {
      assertThat(row(few, sample)).isEqualTo(row(many, sample));
    }
  }

  @Test
  void storesConstantsOnce() {
    DrawReader reader = reader(DrawDistributions.of(Spread.exactly(10)), SAMPLES, ALL);

    assertThat(row(reader, SAMPLES - 1)).containsExactly(10, 10, 10);
    assertThat(reader.values()).hasSize(WIDTH);
  }

  @Test
  void logNormalHasRequestedMeanAndSpread() {
    double[] draws = new double[400_000];
    DrawDistributions.of(new Spread(60, 0.4)).open(STREAMS).fill(draws, 0, draws.length);

    double mean = Arrays.stream(draws).average().orElseThrow();
    double variance =
        Arrays.stream(draws).map(d -> (d - mean) * (d - mean)).average().orElseThrow();
    assertThat(mean).isCloseTo(60, within(0.2));
    assertThat(Math.sqrt(variance) / mean).isCloseTo(0.4, within(0.004));
  }

  private static DrawReader reader(DrawDistribution drawDistribution, int samples, long room) {
    return new DrawReader(
        new DrawTable(drawDistribution, STREAMS, WIDTH, samples, new AtomicLong(room)));
  }

  private static double[] row(DrawReader reader, int sample) {
    int from = reader.offset(sample);
    return Arrays.copyOfRange(reader.values(), from, from + WIDTH);
  }
}
