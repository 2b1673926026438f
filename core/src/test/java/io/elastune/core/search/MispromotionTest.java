package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Trials of ASHA that are promoted too early: in a random order, their number grows with the square
 * root of the number of trials (arXiv 1810.05934).
 */
class MispromotionTest {
  @ParameterizedTest
  @CsvSource({"2, 100, 80", "3, 100, 80", "4, 100, 80", "3, 400, 40", "3, 1600, 20", "4, 6400, 8"})
  void growWithTheSquareRootOfTheTrials(int eta, int trials, int orders) {
    double sum = 0;
    for (int seed = 0; seed < orders; seed++) {
      sum += promoted(trials, eta, seed) - trials / eta;
    }

    assertThat(sum / orders / Math.sqrt(trials)).isBetween(0.3, 0.6);
  }

  /** The promotions from the first of two rungs, with one worker. */
  private static int promoted(int trials, int eta, int seed) {
    RungTransition live =
        new RungTransition(
            new RungRule(
                List.of(1, eta),
                trials,
                eta,
                Variant.PROMOTION,
                false,
                OptionalInt.empty(),
                OptionalInt.empty(),
                false),
            RungState.initial(1, 2));
    int promoted = 0;
    while (live.phase() != RungState.Phase.FINISHED) {
      live.apply(new SearchEvent.Fits());
      for (SearchDecision decision : live.takeDecisions()) {
        if (decision instanceof SearchDecision.Train task) {
          promoted += task.rung();
          double loss = new SplittableRandom(7919L * seed + task.trial()).nextDouble();
          live.apply(new SearchEvent.Reached(task.trial(), loss, false));
        }
      }
    }
    return promoted;
  }
}
