package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.profile.MachineLoad;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.journal.AttemptRow;
import java.time.Instant;
import java.util.Collections;
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

  /**
   * One percent of four attempts, and four percent between runs. With a load of 95 % of the cores,
   * the four attempts count as hardly more than two, and runs differ by 14.45 %.
   */
  @Test
  void standardErrorHasThePartsOfPairsAndRuns() {
    MeasuredNumber number = uncertain(IDLE, "startup_s.mean");

    assertThat(number.standardError()).isCloseTo(Math.sqrt(1 + 16), within(1e-9));
    assertThat(uncertain(BUSY, "startup_s.mean").standardError())
        .isCloseTo(Math.sqrt(1.95 + 14.45 * 14.45), within(1e-9));
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

  /** One trial runs alone for 10 s, then two for 30 s: while a trial ran, 13/7 ran on average. */
  @Test
  void trialsAtOnceCountByTheirSeconds() {
    List<AttemptRow> attempts = List.of(on(1, 0, 40), on(1, 10, 40));

    assertThat(SharedMachine.gpusAtOnce(attempts)).isCloseTo(130.0 / 70, within(1e-12));
    assertThat(SharedMachine.gpusAtOnce(List.of(on(2, 0, 10), on(2, 20, 30)))).isEqualTo(2);
    assertThat(SharedMachine.gpusAtOnce(List.of())).isZero();
  }

  @Test
  void loadIsKnownFromAnEighthOfTheCores() {
    List<AttemptRow> attempts = List.of(on(1, 0, 10), on(1, 0, 10));

    assertThat(new SharedMachine(2, OptionalDouble.of(1.5)).load(attempts, 1))
        .contains(new MachineLoad(2, 1.5, 2));
    assertThat(new SharedMachine(2, OptionalDouble.of(2)).load(attempts, 2))
        .contains(new MachineLoad(2, 1.9, 4));
    assertThat(new SharedMachine(2, OptionalDouble.of(0.24)).load(attempts, 1)).isEmpty();
    assertThat(new SharedMachine(2, OptionalDouble.empty()).load(attempts, 1)).isEmpty();
    assertThat(BUSY.load(List.of(), 1)).isEmpty();
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
    return on(0, from, to);
  }

  private static AttemptRow on(int gpus, long from, long to) {
    return new AttemptRow(
        "1/1",
        1,
        "1",
        0,
        1,
        Collections.nCopies(gpus, new GpuSlot("l", 1)),
        Instant.ofEpochSecond(from),
        Optional.of(Instant.ofEpochSecond(to)),
        OptionalInt.of(0));
  }
}
