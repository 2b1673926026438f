package io.elastune.executor.decision.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class UnpredictedDelayTest {
  private static final UnpredictedDelay PREDICTED = UnpredictedDelay.NONE.predicted(1000, 200, 1);

  @Test
  void firstPredictionShowsNoDelay() {
    assertThat(PREDICTED.lateS()).isZero();
    assertThat(PREDICTED.delayedS(1000)).isEqualTo(1000);
    assertThat(UnpredictedDelay.NONE.delayedS(1000)).isEqualTo(1000);
  }

  @Test
  void restIsDelayedAsMuchAsTheRunSoFar() {
    UnpredictedDelay later = PREDICTED.predicted(1150, 500, 1).withPlan(900);

    assertThat(later.lateS()).isEqualTo(150);
    assertThat(later.delayedS(900)).isEqualTo(900 + 0.3 * 400, within(1e-9));
    assertThat(later.predicted(950, 600, 1).lateS()).isEqualTo(200);
  }

  /** A run that catches up has no delay, and is not expected to be faster than predicted. */
  @Test
  void earlierEndsCompensateDelay() {
    UnpredictedDelay earlier = PREDICTED.predicted(1150, 500, 1).predicted(900, 600, 1);

    assertThat(earlier.lateS()).isEqualTo(-100);
    assertThat(earlier.delayedS(900)).isEqualTo(900);
  }

  @Test
  void slowerTrialsAreNoDelay() {
    assertThat(PREDICTED.predicted(1400, 300, 1.5).lateS()).isZero();
  }
}
