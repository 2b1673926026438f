package io.elastune.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.RungRule.Variant;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks how asynchronous Hyperband divides trials among its brackets (docs/searches.md). */
class BracketSharesTest {
  /** As many trials as Hyperband(81, 3) and Hyperband(9, 3) start. */
  @ParameterizedTest
  @CsvSource({
    "3, 5, 5, 143, 81 34 15 8 5",
    "3, 3, 3, 17, 9 5 3",
    "3, 3, 3, 34, 18 10 6",
    "3, 3, 1, 17, 17",
    "3, 3, 2, 14, 9 5",
    "2, 4, 4, 22, 8 6 4 4",
  })
  void followsHyperband(int eta, int rungs, int brackets, int trials, String expected) {
    assertThat(rule(eta, rungs, brackets, trials).newTrials().stream().map(String::valueOf))
        .containsExactly(expected.split(" ", -1));
  }

  @Test
  void spreadsBracketsEvenly() {
    BracketShares shares = rule(3, 3, 3, 17).shares();

    assertThat(IntStream.rangeClosed(1, 17).map(shares::bracket).toArray())
        .containsExactly(0, 0, 1, 0, 1, 0, 2, 0, 1, 0, 1, 0, 2, 0, 1, 0, 2);
  }

  @Test
  void countsTheTrialsOfEachBracket() {
    for (int eta = 2; eta <= 5; eta++) {
      for (int rungs = 2; rungs <= 6; rungs++) {
        BracketShares shares = rule(eta, rungs, rungs, 1).shares();
        int[] counts = new int[rungs];
        for (int trial = 1; trial <= 500; trial++) {
          counts[shares.bracket(trial)]++;
          int begun = trial;
          assertThat(IntStream.range(0, rungs).map(b -> shares.trials(b, begun)).toArray())
              .containsExactly(counts);
        }
      }
    }
  }

  /** The largest numbers that a job file allows do not overflow. */
  @Test
  void allowsLargeNumbers() {
    List<Integer> targets = IntStream.rangeClosed(1, 31).boxed().toList();
    for (int eta : new int[] {2, 3, Integer.MAX_VALUE}) {
      BracketShares shares = rule(eta, targets, 31, 100_000).shares();
      int sum = IntStream.range(0, 31).map(bracket -> shares.trials(bracket, 100_000)).sum();

      assertThat(sum).isEqualTo(100_000);
      assertThat(shares.bracket(1)).isZero();
    }
  }

  private static RungRule rule(int eta, int rungs, int brackets, int trials) {
    List<Integer> targets =
        IntStream.range(0, rungs).mapToObj(rung -> (int) Math.pow(eta, rung)).toList();
    return rule(eta, targets, brackets, trials);
  }

  private static RungRule rule(int eta, List<Integer> targets, int brackets, int trials) {
    return new RungRule(
            targets,
            trials,
            eta,
            Variant.PROMOTION,
            true,
            OptionalInt.empty(),
            OptionalInt.empty(),
            false)
        .withBrackets(brackets);
  }
}
