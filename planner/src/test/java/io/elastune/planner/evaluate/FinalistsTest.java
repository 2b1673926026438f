package io.elastune.planner.evaluate;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.planner.model.TimeAndCost;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Chooses among plans of 100 to 119 s, each of which is a dollar cheaper than the one before. */
class FinalistsTest {
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;

  private record Point(double completionS, double costUsd) implements TimeAndCost {}

  private static final List<Point> FRONT =
      IntStream.range(0, 20).mapToObj(i -> new Point(100 + i, 50 - i)).toList();

  @Test
  void areThoseAroundTheDeadlineAndTheExtremes() {
    List<Point> finalists = new Finalists(List.of(110.0), NO_LIMIT, 8).of(FRONT);

    assertThat(finalists).hasSize(8).doesNotHaveDuplicates();
    assertThat(finalists)
        .contains(FRONT.get(9), FRONT.get(10), FRONT.get(11), FRONT.get(0), FRONT.get(19));
  }

  @Test
  void includeTheFastestWithinTheBudget() {
    assertThat(new Finalists(List.of(NO_LIMIT), 45, 2).of(FRONT))
        .containsExactly(FRONT.get(19), FRONT.get(5));
    assertThat(new Finalists(List.of(NO_LIMIT), 10, 1).of(FRONT)).containsExactly(FRONT.get(19));
  }

  /** The second limit is the time of the present plan, which is late. */
  @Test
  void includeTheCheapestByEachLimit() {
    assertThat(new Finalists(List.of(90.0, 115.0), NO_LIMIT, 4).of(FRONT))
        .containsExactly(FRONT.get(0), FRONT.get(15), FRONT.get(1), FRONT.get(14));
  }

  @Test
  void areNotBeatenByOthers() {
    Point slower = new Point(101, 60);
    Point dearer = new Point(100, 55);

    assertThat(new Finalists(List.of(NO_LIMIT), NO_LIMIT, 8).of(List.of(slower, dearer)))
        .containsExactly(dearer);
    assertThat(new Finalists(List.of(NO_LIMIT), NO_LIMIT, 8).of(List.<Point>of())).isEmpty();
  }

  /** Large runs have fewer plans and samples. */
  @Test
  void samplesAreBoundedByTasks() {
    SampleRoom small = new SampleRoom(20);
    SampleRoom large = new SampleRoom(8_000);
    SampleRoom huge = new SampleRoom(1_000_000);

    assertThat(small.plans()).isEqualTo(8);
    assertThat(small.samples()).isEqualTo(64);
    assertThat(large.plans()).isEqualTo(3);
    assertThat(large.samples()).isEqualTo(8);
    assertThat(large.tasks() * large.samples() * (1 + large.plans())).isLessThan(300_000);
    assertThat(huge.plans()).isEqualTo(2);
    assertThat(huge.samples()).isEqualTo(8);
    assertThat(new SampleRoom(1_000).samples(32, 6)).isEqualTo(32);
    assertThat(new SampleRoom(3_000).samples(32, 6)).isEqualTo(16);
  }
}
