package io.elastune.executor.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Shares, changes and mean rates of a trace. */
class CapacityTraceTest {
  /** Available for an hour, half of it for half an hour, then not at all for half an hour. */
  private static final CapacityTrace TRACE =
      new CapacityTrace(
          List.of(
              new CapacityTrace.Change(0, 1),
              new CapacityTrace.Change(3600, 0.5),
              new CapacityTrace.Change(5400, 0)),
          7200);

  @Test
  void shareRepeats() {
    assertThat(TRACE.share(0)).isEqualTo(1);
    assertThat(TRACE.share(3600)).isEqualTo(0.5);
    assertThat(TRACE.share(7199)).isZero();
    assertThat(TRACE.share(7200 + 3599)).isEqualTo(1);
  }

  @Test
  void nextChangeIncludesTheRepetition() {
    assertThat(TRACE.nextChangeS(0)).isEqualTo(3600);
    assertThat(TRACE.nextChangeS(5400)).isEqualTo(7200);
    assertThat(TRACE.nextChangeS(7200)).isEqualTo(7200 + 3600);
  }

  @Test
  void meanRates() {
    assertThat(TRACE.meanShare()).isCloseTo((1 + 0.25) / 2, within(1e-12));
    assertThat(TRACE.meanShare(7000, 7400)).isCloseTo(0.5, within(1e-12));
    assertThat(TRACE.meanOutageS()).isEqualTo(1800);
    assertThat(TRACE.preemptionsPerHour()).isCloseTo((0.5 + 1) / 1.5, within(1e-12));
  }

  @Test
  void fallPreemptsTheShareThatIsLost() {
    assertThat(CapacityTrace.preempted(1, 0.25)).isEqualTo(0.75);
    assertThat(CapacityTrace.preempted(0.5, 0)).isEqualTo(1);
    assertThat(CapacityTrace.preempted(0.5, 1)).isZero();
    assertThat(CapacityTrace.preempted(0, 0)).isZero();
  }

  @Test
  void traceMustBeInOrder() {
    assertThatThrownBy(() -> new CapacityTrace(List.of(new CapacityTrace.Change(1, 1)), 2))
        .hasMessageContaining("start at second 0");
    assertThatThrownBy(() -> new CapacityTrace(List.of(new CapacityTrace.Change(0, 1)), 0))
        .hasMessageContaining("must end after");
  }
}
