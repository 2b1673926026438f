package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.profile.MeasuredNumber;
import io.elastune.executor.journal.AttemptRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SharedMachineTest {
  private static final double NORMAL = 1.959963984540054;
  private static final SharedMachine IDLE = new SharedMachine(2, OptionalDouble.of(0));
  private static final SharedMachine BUSY = new SharedMachine(2, OptionalDouble.of(1.9));

  /** Two pairs that ran one after the other. */
  private static final List<AttemptRow> PAIRS =
      List.of(attempt(0, 100), attempt(1, 90), attempt(101, 200), attempt(102, 190));

  @Test
  void trialsOfTheSameTimeAreOneObservation() {
    assertThat(SharedMachine.waves(PAIRS)).isEqualTo(2);
    assertThat(SharedMachine.waves(PAIRS.subList(0, 1))).isEqualTo(1);
    assertThat(SharedMachine.waves(List.of())).isZero();
  }

  /** One percent of four attempts in two pairs, and three percent between runs. */
  @Test
  void standardErrorHasThePartsOfPairsAndRuns() {
    MeasuredNumber number = uncertain(IDLE, "startup_s.mean");

    assertThat(number.standardError()).isCloseTo(Math.sqrt(2 + 9), within(1e-9));
    assertThat(number.high() - number.value())
        .isCloseTo(NORMAL * number.standardError(), within(1e-9));
  }

  /** At most 10 % on either side of an idle machine, and 30 % of a busy one. */
  @Test
  void loadMakesIntervalsWider() {
    MeasuredNumber idle = uncertain(IDLE, "training.1");
    MeasuredNumber busy = uncertain(BUSY, "training.1");

    assertThat(idle.high()).isLessThan(110);
    assertThat(busy.high()).isBetween(115.0, 130.0);
    assertThat(busy.low()).isBetween(70.0, 85.0);
    assertThat(BUSY.runCv()).isGreaterThan(IDLE.runCv());
  }

  @Test
  void otherNumbersStayAsTheyAre() {
    MeasuredNumber spread = new MeasuredNumber("trial_cv", 0.03, 0.01, 0.02, 0.05, 4);

    assertThat(BUSY.uncertain(List.of(spread), PAIRS))
        .containsExactly(
            spread, new MeasuredNumber(SharedMachine.OTHER_CORES, 1.9, 0, 1.9, 1.9, 1));
  }

  private static MeasuredNumber uncertain(SharedMachine machine, String name) {
    MeasuredNumber number =
        new MeasuredNumber(name, 100, 1, 100 - NORMAL, 100 + NORMAL, PAIRS.size());
    return machine.uncertain(List.of(number), PAIRS).get(0);
  }

  private static AttemptRow attempt(long from, long to) {
    return new AttemptRow(
        "1/1",
        1,
        "1",
        0,
        1,
        List.of(),
        Instant.ofEpochSecond(from),
        Optional.of(Instant.ofEpochSecond(to)),
        OptionalInt.of(0));
  }
}
